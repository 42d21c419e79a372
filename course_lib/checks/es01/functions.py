"""Le funzioni di es01 sui testi, giuste e storte: ogni passaggio ha un nome, un errore ne cambia uno.

Una `family` chiamata senza argomenti dà la funzione giusta; con un cambiamento dà quella sbagliata; con due
cambiamenti dà quella che contiene tutti e due gli errori.
"""

from __future__ import annotations

import re
from collections import Counter

UNKNOWN = "<ignoto>"

LETTERS = {"all": r"[^\W_]", "underscore": r"\w", "no digits": r"[^\W\d_]", "ascii": r"[A-Za-z0-9]"}
APOSTROPHES = {
    "before": "{0}+['’]?",
    "apart": "{0}+",
    "both": "{0}+(?:['’]{0}+)*['’]?",
    "both, then apart": "{0}+(?:['’]{0}+)*",
    "many": "{0}+['’]*",
    "after": "['’]?{0}+",
    "straight": "{0}+'?",
}
SIGNS = {"apart": r"|\S", "runs": r"|(?:(?!{0})\S)+", "dropped": ""}
SPACES = {"dropped": "", "kept": r"|\s", "lines": r"|\n"}
TOKEN_FINISHES = {
    "none": lambda tokens, text: tokens,
    "distinct": lambda tokens, text: list(dict.fromkeys(tokens)),
    "last word lost": lambda tokens, text: tokens[:-1] if text and text[-1].isalnum() else tokens,
    "joined": lambda tokens, text: " ".join(tokens),
    "first": lambda tokens, text: tokens[:1] or None,
}


def tokenise_family(
    letters="all", apostrophe="before", signs="apart", spaces="dropped", case="kept", finish="none"
):
    """La lista dei token di un testo.   text: stringa   Restituisce: lista di stringhe."""

    def tokenise(text):
        text = text.lower() if case == "lower" else text
        letter = LETTERS[letters]
        pattern = (
            r"\S+"
            if signs == "glued"
            else (APOSTROPHES[apostrophe] + SIGNS[signs]).format(letter) + SPACES[spaces]
        )
        return TOKEN_FINISHES[finish](re.findall(pattern, text), text)

    return tokenise


ORDERS = {
    "seen": lambda tokens: list(dict.fromkeys(tokens)),
    "alphabet": lambda tokens: sorted(set(tokens)),
    "frequency": lambda tokens: [token for token, _ in Counter(tokens).most_common()],
    "scattered": lambda tokens: sorted(set(tokens), key=lambda token: (sum(map(ord, token)) % 7, token)),
}


def _ranked(tokens, words, first):
    return {word: first + i for i, word in enumerate(words)}


def _rewritten(tokens, words, first):
    found = {}
    for token in tokens:
        found[token] = first + len(found)
    return found


NUMBERINGS = {
    "rank": _ranked,
    "one too many": lambda tokens, words, first: _ranked(tokens, words, first + 1),
    "times": lambda tokens, words, first: {word: tokens.count(word) for word in words},
    "all the first": lambda tokens, words, first: {word: first for word in words},
    "last place": lambda tokens, words, first: {token: first + i for i, token in enumerate(tokens)},
    "first place": lambda tokens, words, first: {word: first + tokens.index(word) for word in words},
    "rewritten": _rewritten,
}
VOCABULARY_FORMS = {
    "dict": lambda found: found,
    "inverted": lambda found: {i: token for token, i in found.items()},
    "list": list,
    "first": lambda found: dict([*found.items()][:2]) if len(found) > 1 else None,
}
NAMES = {"first": UNKNOWN, "no brackets": "ignoto", "capital": "<Ignoto>", "spaced": "< ignoto >"}


def vocabulary_family(unknown="first", start="zero", order="seen", ids="rank", case="kept", form="dict"):
    """Il dizionario token → ID.   tokens: lista di stringhe   Restituisce: dizionario."""

    def vocabulary(tokens):
        tokens = [token.lower() for token in tokens] if case == "lower" else list(tokens)
        base = int(start == "one")
        words = ORDERS[order](tokens)
        found = NUMBERINGS[ids](tokens, words, base + int(unknown not in ("absent", "last")))
        if unknown == "last":
            found[UNKNOWN] = base + len(found)
        elif unknown in NAMES:
            found = {NAMES[unknown]: base, **found}
        return VOCABULARY_FORMS[form](found)

    return vocabulary


def has_every_token_in_another_order(args, value):
    """True se le voci sono quelle, gli ID pure, ma non in ordine di comparsa: come da un insieme."""
    expected = vocabulary_family()(*args)
    if type(value) is not dict or value.keys() != expected.keys() or value[UNKNOWN] != 0:
        return False
    return all(type(i) is int for i in value.values()) and sorted(value.values()) == [*range(len(value))]


def _widened(tokens, vocab):
    vocab = dict(vocab)
    return [vocab.setdefault(token, len(vocab)) for token in tokens]


CODINGS = {
    "known": lambda tokens, vocab: [vocab.get(token, vocab[UNKNOWN]) for token in tokens],
    "stops": lambda tokens, vocab: [vocab[token] for token in tokens],
    "stops in a list": lambda tokens, vocab: [list(vocab).index(token) for token in tokens],
    "skipped": lambda tokens, vocab: [vocab[token] for token in tokens if token in vocab],
    "minus one": lambda tokens, vocab: [vocab.get(token, -1) for token in tokens],
    "none": lambda tokens, vocab: [vocab.get(token) for token in tokens],
    "word": lambda tokens, vocab: [vocab.get(token, UNKNOWN) for token in tokens],
    "text": lambda tokens, vocab: [token if token in vocab else UNKNOWN for token in tokens],
    "new": lambda tokens, vocab: [vocab.get(token, len(vocab)) for token in tokens],
    "widened": _widened,
    "place": lambda tokens, vocab: list(range(len(tokens))),
    "first place": lambda tokens, vocab: [tokens.index(token) for token in tokens],
    "entries": lambda tokens, vocab: [i for word, i in vocab.items() if word in tokens],
}
CODE_FINISHES = {
    "none": lambda ids: ids,
    "distinct": lambda ids: list(dict.fromkeys(ids)),
    "shifted": lambda ids: [i + 1 for i in ids],
    "first": lambda ids: ids[0] if ids else None,
    "first in a list": lambda ids: ids[:1] or None,
    "sorted": lambda ids: sorted(ids, key=repr),
}


def encode_family(coding="known", case="kept", finish="none"):
    """Gli ID dei token.   tokens: lista di stringhe   vocab: dizionario   Restituisce: lista di interi."""

    def encode(tokens, vocab):
        tokens = [token.lower() for token in tokens] if case == "lower" else list(tokens)
        return CODE_FINISHES[finish](CODINGS[coding](tokens, vocab))

    return encode

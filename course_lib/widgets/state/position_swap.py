"""Due parole che si scambiano il posto: che cosa fa l'attenzione, con la posizione e senza."""

from __future__ import annotations

import itertools

import numpy as np

from course_lib.notation import number
from course_lib.transformer.attention import scaled_dot_product_attention
from course_lib.transformer.embeddings import simulator_embedding
from course_lib.transformer.positions import sinusoidal_encoding
from course_lib.transformer.sentences import VOCABULARY
from course_lib.transformer.simulator import POSITION_SCALE
from course_lib.transformer.tokens import split_words
from course_lib.widgets.state.plain import writable

SENTENCE = "Il gatto mangia il topo"
LEAST_WORDS, MOST_WORDS, MOST_CHARACTERS = 2, 6, 200
SAME = 1e-9                      # sotto, due z sono la stessa
DIGITS = 4                       # cifre delle z che passano al browser


def swaps(sentence, d, base):
    """Le z della frase, e quelle dopo ogni scambio di due parole, con 0,3 × PE e senza.

    sentence: da 2 a 6 parole   d, base: della codifica
    Restituisce: un dizionario; output ha on e off, (n, d); swaps, uno per coppia di posti, ha at, tokens
    e, in on e off: output (n, d), change (n,) (di quanto cambia al più la z di ogni parola, contata dov'era
    prima), moved (n,), dove sta ora, says, finding e question.
    Solleva ValueError, con una frase da mostrare, se la frase non va.
    Fonte: documento S2 per gli embedding; Q = K = V = i vettori finali, scelta del corso.
    """
    tokens = _tokens(sentence)
    words = [token.lower() for token in tokens]
    vocabulary = list(dict.fromkeys([*VOCABULARY, *words]))
    ids = [vocabulary.index(word) for word in words]
    before = {key: _attend(ids, d, base, key == "on") for key in ("on", "off")}
    return {
        "sentence": " ".join(tokens),
        "tokens": tokens,
        "output": {key: z.round(DIGITS).tolist() for key, z in before.items()},
        "largest": float(max(np.abs(z).max() for z in before.values())),
        "swaps": [
            _swap(tokens, ids, pair, before, d, base) for pair in itertools.combinations(range(len(ids)), 2)
        ],
    }


def _attend(ids, d, base, positions):
    """(n, d): le z di una fila di ID, con o senza 0,3 × PE."""
    x = simulator_embedding(ids, d)                                      # (n,) -> (n, d)
    if positions:
        x = x + POSITION_SCALE * sinusoidal_encoding(len(ids), d, base)
    return scaled_dot_product_attention(x, x, x).output


def _swap(tokens, ids, pair, before, d, base):
    """Lo scambio delle parole nei due posti di pair."""
    a, b = pair
    moved = list(range(len(ids)))
    moved[a], moved[b] = b, a                                            # dove va la parola di ogni posto
    found = {
        "at": [a, b],
        "names": f"{tokens[a]} ↔ {tokens[b]}",
        "tokens": [tokens[p] for p in moved],
        "moved": moved,
    }
    for key, z in before.items():
        after = _attend([ids[p] for p in moved], d, base, key == "on")
        change = np.abs(after[moved] - z).max(axis=-1)                   # (n,): parola per parola
        found[key] = {
            "output": after.round(DIGITS).tolist(),
            "change": change.tolist(),
            "same": (change < SAME).tolist(),
            "says": f": {_says(tokens, a, b, change)}; {_says(tokens, b, a, change)}",
            "finding": _finding(tokens, ids, pair, change, key == "on"),
            "question": _question(tokens, pair, change),
        }
    return found


def _says(tokens, start, end, change):
    """Dove va una parola, e che cosa ne è della sua z."""
    moved = change[start]
    fate = "è la stessa" if moved < SAME else f"cambia di {number(moved, 3)}"
    return f"«{tokens[start]}» va dal posto {start} al posto {end} e la sua z {fate}"


def _finding(tokens, ids, pair, change, positions):
    a, b = pair
    with_or_without = "Con le posizioni" if positions else "Senza posizioni"
    if ids[a] == ids[b]:
        return f"{with_or_without}: le due parole sono la stessa, la frase non è cambiata"
    if change.max() < SAME:
        return f"{with_or_without} le z si scambiano e basta: ogni parola ritrova la sua, in un altro posto"
    same = int((change < SAME).sum())
    kept = f"; {same} restano uguali" if same else ""
    return f"{with_or_without} le z cambiano, fino a {number(change.max(), 3)}: l'ordine ora conta{kept}"


def _question(tokens, pair, change):
    word = tokens[pair[0]]
    return {
        "before": "Due parole si scambiano il posto: che cosa farà l'attenzione",
        "text": f"Dopo lo scambio «{word}» sta in un altro posto. La sua z, rispetto a prima, sarà…",
        "options": ["la stessa", "diversa", "tutta 0"],
        "right": 0 if change[pair[0]] < SAME else 1,
    }


def _tokens(sentence):
    """Le parole della frase, o un ValueError che spiega perché non si può mostrare."""
    if not isinstance(sentence, str) or not sentence.strip():
        raise ValueError(f"La frase è vuota: scrivi da {LEAST_WORDS} a {MOST_WORDS} parole.")
    if len(sentence) > MOST_CHARACTERS:
        count = number(len(sentence))
        raise ValueError(f"La frase ha {count} caratteri: accorciala, se ne leggono {MOST_CHARACTERS}.")
    tokens = split_words(writable(sentence))
    if not LEAST_WORDS <= len(tokens) <= MOST_WORDS:
        what = "parola" if len(tokens) == 1 else "parole o segni"
        raise ValueError(
            f"La frase ha {len(tokens)} {what}: per scambiarne due ne servono da {LEAST_WORDS} "
            f"a {MOST_WORDS}."
        )
    return tokens

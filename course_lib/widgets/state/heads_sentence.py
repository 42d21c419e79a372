"""La frase che si dà alle teste addestrate: si legge, si controlla, si sa quale desinenza vorrebbe."""

from __future__ import annotations

from course_lib.learning.agreement_words import PAIRS, PLAIN, WITH_A, article
from course_lib.notation import number
from course_lib.transformer.tokens import split_words
from course_lib.widgets.state.heads_model import ENDINGS
from course_lib.widgets.state.plain import writable

MOST_WORDS = 12
MOST_LETTERS = 200
VERBS = ("era", "erano")


def read_sentence(trained, text):
    """Le parole della frase, fino a era/erano. Solleva ValueError se non c'è, o se una parola è ignota."""
    if not isinstance(text, str) or not text.strip():
        raise ValueError("La frase è vuota: scrivine una, per esempio «la chiave accanto ai libri era».")
    if len(text) > MOST_LETTERS:
        raise ValueError(
            f"La frase è lunga {number(len(text))} caratteri: qui ne stanno al più {MOST_WORDS} parole."
        )
    words = [word for word in split_words(writable(text).lower()) if word not in ".,;:…"]
    known = set(trained.grammar.vocabulary[1:])
    unknown = list(dict.fromkeys(word for word in words if word not in known))
    if unknown:
        names = ", ".join(f"«{word[:20]}»" for word in unknown[:3])
        raise ValueError(f"Queste teste non conoscono {names}. {_known_words()}")
    verbs = [i for i, word in enumerate(words) if word in VERBS]
    if not verbs:
        raise ValueError("Manca «era» o «erano»: è lì che il modello dice la desinenza dell'aggettivo.")
    words = words[: verbs[0] + 1]
    if not 2 <= len(words) <= MOST_WORDS:
        raise ValueError(f"Fino al verbo mi aspettavo da 2 a {MOST_WORDS} parole, sono {len(words)}.")
    return words


def expected_ending(words):
    """Il posto in ENDINGS della desinenza giusta; None se soggetto, articolo e verbo non vanno insieme."""
    plural = "p" if words[-1] == VERBS[1] else "s"
    for noun in (noun for pair in PAIRS for noun in pair):
        if len(words) > 2 and words[1] == noun.form(plural) and words[0] == article(noun, plural):
            return ENDINGS.index((noun.gender, plural))
    return None


def _known_words():
    nouns = ", ".join(noun.singular for pair in PAIRS for noun in pair)
    return (
        "Conoscono soltanto le parole su cui sono state addestrate: gli articoli la, il, lo, le, i, gli; "
        f"{', '.join((*WITH_A, *PLAIN))}; alla, al, allo, alle, ai, agli; era, erano; "
        f"e, al singolare e al plurale, {nouns}."
    )

"""Le frasi degli esperimenti del documento S2, e il vocabolario di 33 parole che ne viene.

Gli ID vanno nell'ordine in cui le parole compaiono nelle frasi, lette dalla prima all'ultima e in
minuscolo: un ID è il nome di una parola, mai di un posto. È una scelta del corso.
"""

from __future__ import annotations

from typing import NamedTuple

from course_lib.transformer.tokens import split_words


class View(NamedTuple):
    """Una frase da mettere nel simulatore: le dimensioni, e se si sommano le posizioni."""

    sentence: str
    d: int = 4
    positions: bool = True


class Experiment(NamedTuple):
    """Un esperimento: il suo titolo e le viste da confrontare, nell'ordine."""

    title: str
    views: tuple[View, ...]


IN = "Una vecchia legge la regola in silenzio"
IL = "Una vecchia legge la regola il silenzio"

# i cinque esperimenti del documento
EXPERIMENTS = (
    Experiment("Il contesto", (View(IN), View(IL))),
    Experiment("L'ambiguità", (View("Dice che mangia le mele vermi"),)),
    Experiment(
        "La posizione",
        tuple(
            View(sentence, positions=positions)
            for positions in (False, True)
            for sentence in ("Il gatto dorme sul divano", "Sul divano dorme il gatto")
        ),
    ),
    Experiment("Le dimensioni", (View(IN, d=2), View(IN, d=8))),
    Experiment(
        "Frasi tue",
        (View("Marco disse che lui avrebbe vinto"), View("Il libro che ho letto ieri era interessante")),
    ),
)

# le altre coppie del documento: le stesse parole in un altro ordine
OTHER_ORDERS = (
    ("Il gatto mangia il topo", "Il topo mangia il gatto"),
    ("Il gatto mangia il pesce", "Il pesce mangia il gatto"),
    ("La regola è chiara", "È chiara la regola"),
)

SENTENCES = tuple(
    dict.fromkeys(
        [view.sentence for experiment in EXPERIMENTS for view in experiment.views]
        + [sentence for pair in OTHER_ORDERS for sentence in pair]
    )
)

VOCABULARY = tuple(dict.fromkeys(word for sentence in SENTENCES for word in split_words(sentence.lower())))

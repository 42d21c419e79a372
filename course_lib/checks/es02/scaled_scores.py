"""es02 · I punteggi scalati di una query: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import EARLY_RETURN, LAST_TERM, ROUNDED, TRUNCATED
from course_lib.checks.es02 import functions as f
from course_lib.checks.exercise import Check, Slip
from course_lib.checks.inputs import halves


def _cases(rng):
    return [
        (halves(rng, 3), halves(rng, 2, 3)),
        (halves(rng, 2), halves(rng, 2, 2)),
        (halves(rng, 3), halves(rng, 3, 3)),
        (halves(rng, 5), halves(rng, 4, 5)),
        (np.array([1, 0, 2, -1, 1]), np.array([[2, 1, 0, 3, 1], [1, -1, 4, 0, 2], [0, 3, 1, 1, 0]])),
    ]


SCALED_SCORES = Check(
    name="scaled_scores",
    reference=f.score_family(),
    family=f.score_family,
    first_case={
        "q": np.array([1.0, 2.0, 0.0, 1.0]),
        "K": np.array([[2.0, 1.0, 3.0, 0.0], [0.0, 0.0, 5.0, 0.0], [4.0, 1.0, 0.0, 2.0]]),
    },
    cases=_cases,
    slips=(
        Slip(
            "senza scala",
            "I tuoi punteggi sono quelli attesi, moltiplicati tutti per uno stesso numero: quale passaggio "
            "della formula manca?",
            {"scale": "none"},
        ),
        Slip(
            "diviso per d_k",
            "I tuoi punteggi sono troppo piccoli: nella scheda, che cosa c'è esattamente sotto la linea "
            "di frazione?",
            {"scale": "full"},
        ),
        Slip(
            "moltiplicato per √d_k",
            "La scala deve rendere i punteggi più piccoli, i tuoi sono diventati più grandi: quale "
            "operazione hai usato?",
            {"scale": "times"},
        ),
        Slip(
            "scala dal numero delle key",
            "Se aggiungi una key i tuoi punteggi cambiano tutti: il divisore dipende da quante sono le key "
            "o da quante componenti ha ciascuna?",
            {"scale": "keys"},
        ),
        Slip(
            "scala fissa √2",
            "Dividi sempre per √2. Nel notebook era giusto: perché là, e qui no?",
            {"scale": "two"},
        ),
        Slip(
            "scala fissa 2",
            "Dividi sempre per 2. Nel conto su carta era giusto: perché là, e negli altri ingressi no?",
            {"scale": "paper"},
        ),
        Slip(
            "diviso per i moduli",
            "I tuoi punteggi stanno tutti fra −1 e 1: hai calcolato il coseno di un angolo. Per che cosa "
            "divide la scheda?",
            {"scale": "cosine"},
        ),
        Slip(
            "righe e colonne di K scambiate",
            "Ogni key è una riga di K: le tue key che cosa sono?",
            {"dot": "columns"},
        ),
        Slip(
            "prodotti non sommati",
            "Un prodotto scalare è un numero solo per ogni key: che cosa si fa dei prodotti delle "
            "componenti?",
            {"dot": "products"},
        ),
        Slip(
            "somma lungo l'asse sbagliato",
            "Ci vuole un punteggio per ogni key: la tua somma mette insieme key diverse?",
            {"dot": "axis"},
        ),
        Slip(
            "già normalizzati",
            "I tuoi numeri hanno somma 1: sono ancora punteggi? La softmax viene nel passo seguente.",
            {"finish": "softmax"},
        ),
        Slip(*LAST_TERM, {"dot": "last"}),
        Slip(*EARLY_RETURN, {"finish": "first"}, {"finish": "first and zeros"}),
        Slip("arrotondato", ROUNDED, *({"finish": f"round {n}"} for n in (1, 2, 3, 4))),
        Slip("cifre decimali perdute", TRUNCATED, {"finish": "integers"}, {"finish": "like inputs"}),
    ),
)

"""es02 · I punteggi scalati di una query: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import LAST_TERM, ROUNDED_AT_THE_END, TRUNCATED_AT_THE_END
from course_lib.checks.es02 import functions as f
from course_lib.checks.exercise import Check, Slip
from course_lib.checks.formula_slips import COSINE, NO_SCALE, ROOT_OF_TWO, TIMES_ROOT
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
        Slip(*NO_SCALE, {"scale": "none"}),
        Slip(
            "diviso per d_k",
            "I tuoi punteggi sono troppo piccoli: nella scheda, che cosa c'è esattamente sotto la linea "
            "di frazione? E quante volte hai diviso?",
            {"scale": "full"},
        ),
        Slip(*TIMES_ROOT, {"scale": "times"}),
        Slip(
            "scala dal numero delle key",
            "Se aggiungi una key i tuoi punteggi cambiano tutti: il divisore dipende da quante sono le key "
            "o da quante componenti ha ciascuna?",
            {"scale": "keys"},
        ),
        Slip(*ROOT_OF_TWO, {"scale": "two"}),
        Slip(
            "scala fissa 2",
            "Dividi sempre per 2. Nel conto su carta era giusto: perché là, e negli altri ingressi no?",
            {"scale": "paper"},
        ),
        Slip(*f.POWER_FIRST, {"scale": "half"}, {"scale": "double"}),
        Slip(*COSINE, {"scale": "cosine"}),
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
            {"dot": "everything"},
        ),
        Slip(
            "già normalizzati",
            "I tuoi numeri hanno somma 1: sono ancora punteggi? La softmax viene nel passo seguente.",
            {"finish": "softmax"},
        ),
        Slip(*LAST_TERM, {"dot": "last"}),
        Slip(*f.FIRST_ONLY, {"finish": "first"}, {"finish": "first and zeros"}, {"finish": "first alone"}),
        Slip(*f.RUNNING_TOTAL, {"finish": "running"}),
        Slip(*f.EXTRA_AXIS, {"finish": "column"}, {"finish": "row"}),
        ROUNDED_AT_THE_END,
        TRUNCATED_AT_THE_END,
        Slip(*f.INTEGER_DIVISION, {"finish": "floor"}),
    ),
)

"""es03 · I punteggi in blocco: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import EARLY_RETURN, LAST_TERM, ROUNDED_AT_THE_END, truncated
from course_lib.checks.es03 import products as p
from course_lib.checks.exercise import Check, Slip
from course_lib.checks.formula_slips import COSINE, NO_SCALE, ROOT_OF_TWO, TIMES_ROOT, WRONG_LENGTH
from course_lib.checks.inputs import halves

ALL_AXES = (
    "tutti gli assi rovesciati",
    "Con una frase sola va bene. Con più frasi scambia soltanto righe e colonne di ogni pagina: la tua "
    "scrittura quali assi scambia?",
)
ONE_PAGE = (
    "una sola frase",
    "Con più frasi insieme rispondi soltanto per la prima: dove sono finite le altre?",
)
NO_SWAP = Slip(
    "Q K senza trasposta",
    "Le key sono le righe di K. Moltiplicando così, ogni query incontra una key o una colonna di K?",
    {"product": "no swap"},
)
TURNED = Slip(
    "query e key scambiate",
    "Chi guarda è la riga, chi è guardato la colonna: le tue righe sono query o key?",
    {"product": "turned"},
)
FIXED_SCALE = (
    "scala fissa",
    "Dividi sempre per 2, e nel conto su carta era giusto: se d_k cambia, il tuo divisore cambia?",
)
HALF_EXPONENT = Slip(
    "esponente senza parentesi",
    "Hai scritto la radice come potenza: fra la potenza e la divisione, quale esegue per prima Python?",
    p.scores_family(scale="twice"),
    p.scores_family(scale="half"),
)
PAGES = (
    "frasi mescolate",
    "Ogni frase ha i suoi punteggi, in una pagina sua: con più frasi il tuo risultato ha ancora una pagina "
    "per frase, o le mette insieme?",
)


def _cases(rng):
    return [
        (halves(rng, 1, 3), halves(rng, 2, 3)),
        (halves(rng, 3, 2), halves(rng, 3, 2)),
        (halves(rng, 2, 3) / 7, halves(rng, 3, 3)),
        (
            np.array([[1, 0, 2, -1, 1], [0, 2, 1, 1, 0]]),
            np.array([[2, 1, 0, 3, 1], [1, -1, 4, 0, 2], [0, 3, 1, 1, 0]]),
        ),
        (halves(rng, 2, 2), halves(rng, 2, 2)),
        (halves(rng, 2, 3, 2), halves(rng, 2, 2, 2)),
        (halves(rng, 2, 3, 5), halves(rng, 2, 4, 5)),
        (halves(rng, 2, 1, 3, 2), halves(rng, 2, 1, 2, 2)),
    ]


BLOCK_SCORES = Check(
    name="block_scores",
    reference=p.scores_family(),
    family=p.scores_family,
    first_case={
        "Q": np.array([[1.0, 0.0, 2.0, 1.0], [0.0, 3.0, 1.0, 0.0]]),
        "K": np.array([[2.0, 1.0, 1.0, 0.0], [0.0, 2.0, 0.0, 4.0], [1.0, 0.0, 0.0, 1.0]]),
    },
    cases=_cases,
    slips=(
        Slip(*NO_SCALE, {"scale": "none"}),
        Slip(
            "diviso per d_k",
            "I tuoi punteggi sono troppo piccoli: nella formula, che cosa c'è esattamente sotto la linea di "
            "frazione, e quante volte si divide?",
            {"scale": "full"},
        ),
        Slip(*TIMES_ROOT, {"scale": "times"}),
        Slip(
            *WRONG_LENGTH,
            {"scale": "L"},
            {"scale": "S"},
            {"scale": "first length"},
            {"scale": "axis one"},
            p.scores_family(scale="first key length"),
            p.scores_family(scale="key axis one"),
        ),
        HALF_EXPONENT,
        Slip(*ROOT_OF_TWO, {"scale": "two"}),
        Slip(*FIXED_SCALE, p.scores_family(scale="fixed")),
        Slip(*COSINE, {"scale": "cosine"}),
        Slip(
            "QᵀK al posto di QKᵀ",
            "Il tuo risultato ha una riga per ogni componente, la scheda ne chiede una per query: quale "
            "delle due tabelle va trasposta?",
            {"product": "Q swapped"},
        ),
        NO_SWAP,
        TURNED,
        Slip(*ALL_AXES, {"product": "all axes"}, {"product": "first axes"}),
        Slip(*ONE_PAGE, {"product": "first page"}),
        Slip(
            *PAGES,
            {"product": "all together"},
            {"product": "summed pages"},
            {"product": "dot"},
            p.scores_family(product="dot, all axes"),
            p.scores_family(product="first key page"),
        ),
        Slip(
            "prodotti non sommati",
            "Un prodotto scalare è un numero solo per ogni coppia: che cosa si fa dei prodotti "
            "delle componenti?",
            {"product": "elementwise"},
            {"product": "not summed"},
        ),
        Slip(
            "ogni query con la sua key soltanto",
            "Ogni query incontra tutte le key: le tue incontrano soltanto quella di pari posto?",
            {"product": "row by row"},
        ),
        Slip(
            "già normalizzati",
            "Le tue righe hanno somma 1: sono ancora punteggi? La softmax viene nel passo seguente.",
            {"after": "softmax"},
        ),
        Slip(*LAST_TERM, {"product": "last"}),
        Slip(*EARLY_RETURN, {"product": "early"}, p.scores_family(product="first row")),
        Slip(
            "manca l'ultimo giro",
            "Un ciclo si ferma un passo prima della fine: il numero fra parentesi in range è compreso?",
            p.scores_family(product="but last"),
            p.scores_family(product="last row lost"),
        ),
        Slip(
            "una riga sola ripetuta",
            "Le tue righe sono uguali all'ultima: sono liste diverse, o la stessa lista scritta più volte?",
            p.scores_family(product="same row"),
        ),
        ROUNDED_AT_THE_END,
        truncated(p.scores_family()),
    ),
)

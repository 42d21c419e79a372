"""es03 · I punteggi in blocco: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import EARLY_RETURN, LAST_TERM, ROUNDED, TRUNCATED
from course_lib.checks.es03 import products as p
from course_lib.checks.es03.functions import lost_digits
from course_lib.checks.exercise import Check, Slip
from course_lib.checks.inputs import halves

ALL_AXES = (
    "Con una frase sola va bene. Con più frasi scambia soltanto righe e colonne di ogni pagina: la tua "
    "scrittura quali assi scambia?"
)
WRONG_LENGTH = (
    "Per la scala conta quante componenti hanno i vettori di cui fai il prodotto scalare: tu che cosa hai "
    "contato?"
)
HALF_EXPONENT = Slip(
    "esponente senza parentesi",
    "Hai scritto la radice come potenza: fra la potenza e la divisione, quale esegue per prima Python?",
    p.scores_family(scale="twice"),
    p.scores_family(scale="half"),
)
PAGES = (
    "Ogni frase ha i suoi punteggi, in una pagina sua: con più frasi il tuo risultato ha ancora una pagina "
    "per frase, o le mette insieme?"
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
        Slip(
            "senza scala",
            "I tuoi punteggi sono quelli attesi, moltiplicati tutti per uno stesso numero: quale passaggio "
            "della formula manca?",
            {"scale": "none"},
        ),
        Slip(
            "diviso per d_k",
            "I tuoi punteggi sono troppo piccoli: nella formula, che cosa c'è esattamente sotto la linea di "
            "frazione?",
            {"scale": "full"},
        ),
        Slip(
            "moltiplicato per √d_k",
            "La scala deve rendere i punteggi più piccoli, i tuoi sono diventati più grandi: quale "
            "operazione hai usato?",
            {"scale": "times"},
        ),
        Slip(
            "scala dalla lunghezza sbagliata",
            WRONG_LENGTH,
            {"scale": "L"},
            {"scale": "S"},
            {"scale": "first length"},
            {"scale": "axis one"},
            p.scores_family(scale="first key length"),
        ),
        HALF_EXPONENT,
        Slip(
            "scala fissa √2",
            "Dividi sempre per √2. Nel notebook era giusto: perché là, e qui no?",
            {"scale": "two"},
        ),
        Slip(
            "diviso per i moduli",
            "I tuoi punteggi stanno tutti fra −1 e 1: hai calcolato il coseno di un angolo. Per che cosa "
            "divide la scheda?",
            {"scale": "cosine"},
        ),
        Slip(
            "QᵀK al posto di QKᵀ",
            "Il tuo risultato ha una riga per ogni componente. Ne vuole una per ogni query: quale delle due "
            "tabelle va trasposta?",
            {"product": "Q swapped"},
        ),
        Slip(
            "Q K senza trasposta",
            "Le key sono le righe di K. Moltiplicando così, ogni query incontra una key o una colonna di K?",
            {"product": "no swap"},
        ),
        Slip(
            "query e key scambiate",
            "Chi guarda è la riga, chi è guardato la colonna: le tue righe sono query o key?",
            {"product": "turned"},
        ),
        Slip("tutti gli assi rovesciati", ALL_AXES, {"product": "all axes"}, {"product": "first axes"}),
        Slip(
            "una sola frase",
            "Con più frasi insieme rispondi soltanto per la prima: dove sono finite le altre?",
            {"product": "first page"},
        ),
        Slip(
            "frasi mescolate",
            PAGES,
            {"product": "all together"},
            {"product": "summed pages"},
            {"product": "dot"},
            p.scores_family(product="dot, all axes"),
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
        Slip(*EARLY_RETURN, {"product": "early"}),
        Slip("arrotondato", ROUNDED, *({"finish": f"round {n}"} for n in (1, 2, 3, 4))),
        Slip("cifre decimali perdute", TRUNCATED, *lost_digits(p.scores_family())),
    ),
)

"""es02 · L'attenzione di un token: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import ROUNDED_AT_THE_END, TRUNCATED_AT_THE_END
from course_lib.checks.es02 import functions as f
from course_lib.checks.exercise import Check, Slip
from course_lib.checks.formula_slips import TIMES_ROOT_IN_WEIGHTS, VALUES_BY_SCORES, WRONG_LENGTH
from course_lib.checks.inputs import halves
from course_lib.checks.properties import rows_sum_to_one
from course_lib.transformer.examples import chiave_libri_era


def _paper_case():
    """Il conto da fare su carta: nella frase del notebook, questa volta guarda «chiave»."""
    example = chiave_libri_era()
    return {"i": 0, "X": example.x, "W_Q": example.W_Q, "W_K": example.W_K, "W_V": example.W_V}


def _cases(rng):
    # numeri piccoli: i coefficienti restano lontani da 0 e da 1
    def case(i, n, d_in, d_k, d_v):
        shapes = (n, d_in), (d_in, d_k), (d_in, d_k), (d_in, d_v)
        return (i, *(halves(rng, *shape, largest=1) for shape in shapes))

    return [
        case(1, n=3, d_in=2, d_k=4, d_v=5),
        case(2, n=4, d_in=2, d_k=2, d_v=3),
        case(2, n=4, d_in=3, d_k=2, d_v=1),
        case(1, n=2, d_in=4, d_k=3, d_v=5),
        (
            1,
            np.array([[1, 0, 2], [0, 1, -1], [1, 1, 0], [2, 0, 1]]),
            np.array([[1, 0], [0, 1], [1, 1]]),
            np.array([[0, 1], [1, 0], [1, -1]]),
            np.array([[1, 2, 0, 1, 0], [0, 1, 3, 0, 2], [2, 0, 1, 1, 1]]),
        ),
    ]


WHO_LOOKS = "Chi guarda è il token i. Se cambi i lasciando uguale tutto il resto, il tuo risultato cambia?"

ATTEND = Check(
    name="attend",
    reference=f.attend_family(),
    family=f.attend_family,
    first_case=_paper_case(),
    cases=_cases,
    results=("z", "weights"),
    properties=(rows_sum_to_one(1),),
    slips=(
        Slip(
            "senza scala",
            "I punteggi di attend sono scalati? Controlla che passino da scaled_scores.",
            {"scale": "none"},
        ),
        Slip(
            "diviso per d_k",
            "I coefficienti sono troppo vicini fra loro: che cosa c'è, nella scheda, sotto la linea di "
            "frazione dei punteggi? E quante volte hai diviso, contando anche scaled_scores?",
            {"scale": "full"},
        ),
        Slip(*TIMES_ROOT_IN_WEIGHTS, {"scale": "times"}),
        Slip(*f.POWER_FIRST, {"scale": "half"}, {"scale": "double"}),
        Slip(*WRONG_LENGTH, *({"scale": name} for name in ("keys", "d_in", "d_v", "two"))),
        Slip(
            "query dell'ultimo token",
            WHO_LOOKS + " Guarda sempre lo stesso posto, come nel notebook?",
            {"token": "last"},
            {"token": "third"},
        ),
        Slip("query del primo token", WHO_LOOKS + " Guarda sempre il primo?", {"token": "first"}),
        Slip(
            "token contati da 1",
            "I token si contano da 0: quale riga di X prendi quando i vale 0?",
            {"token": "previous"},
            {"token": "next"},
        ),
        Slip(
            "W_Q e W_K scambiate",
            "Chi guarda porta la query, chi è guardato la key: quali parametri hai dato a ciascuno?",
            {"q": "W_K", "k": "W_Q"},
        ),
        Slip(
            "gli stessi parametri per query e key",
            "Query e key nascono da due matrici diverse: quante ne hai usate per calcolare i punteggi?",
            {"q": "W_K"},
            {"k": "W_Q"},
        ),
        Slip(
            "un vettore non proiettato",
            "Query, key e value nascono tutti da x moltiplicato per una matrice: quale dei tre è rimasto x?",
            {"v": "X"},
            {"q": "X"},
            {"k": "X"},
        ),
        Slip(
            "key o query al posto dei value",
            "Le key servono a decidere quanto guardare: che cosa viene combinato alla fine?",
            {"v": "W_K"},
            {"v": "W_Q"},
        ),
        Slip(
            "non divisi per la somma",
            "Quanto fa la somma dei tuoi coefficienti? Controlla che i punteggi passino da softmax_row.",
            {"norm": "exponentials"},
        ),
        Slip(
            *VALUES_BY_SCORES,
            {"norm": "none"},
            {"combine": "scores"},
        ),
        Slip(
            "softmax due volte",
            "I tuoi coefficienti sono quasi tutti uguali: quante volte passano per softmax_row?",
            {"norm": "twice"},
        ),
        Slip(
            "il token i escluso",
            "Il token i guarda tutti, sé stesso compreso: nel tuo conto quanti sono i guardati?",
            f.attend_some(lambda i, j: j != i),
            f.attend_some(lambda i, j: j != i, drop=True),
        ),
        Slip(
            "solo chi viene prima",
            "Qui si guarda anche chi viene dopo nella frase: quali token restano fuori dal tuo conto?",
            f.attend_some(lambda i, j: j <= i),
            f.attend_some(lambda i, j: j <= i, drop=True),
        ),
        Slip(
            "x sommato a z",
            "z è fatto soltanto di value: che cosa gli hai aggiunto?",
            f.attend_plus_x,
        ),
        Slip(
            "media semplice",
            "Il tuo z non dipende dai coefficienti: in quale passo dovrebbero entrare?",
            {"combine": "mean"},
        ),
        Slip(
            "solo il value più guardato",
            "z è il value di un token solo: e gli altri, con un coefficiente più piccolo ma non nullo?",
            {"combine": "most"},
        ),
        Slip(
            "z e weights in ordine inverso",
            "I due risultati ci sono: in quale ordine li chiede la scheda?",
            {"order": "weights first"},
        ),
        Slip(
            "punteggi al posto dei coefficienti",
            "Il secondo risultato deve avere somma 1: i tuoi numeri sono coefficienti o ancora punteggi?",
            {"order": "scores"},
        ),
        Slip(
            "tutte le query insieme",
            "Hai calcolato una riga per ogni token: quale riga chiede la scheda?",
            f.attend_all,
        ),
        ROUNDED_AT_THE_END,
        TRUNCATED_AT_THE_END,
    ),
)

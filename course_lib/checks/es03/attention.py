"""es03 · L'attenzione in blocco: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import ROUNDED_AT_THE_END, truncated
from course_lib.checks.es03 import products as p
from course_lib.checks.es03.block_scores import ALL_AXES, FIXED_SCALE, NO_SWAP, ONE_PAGE, PAGES, TURNED
from course_lib.checks.es03.softmax import FIRST_AXIS, LOST_AXIS, ONE_MAXIMUM
from course_lib.checks.exercise import Check, Slip
from course_lib.checks.formula_slips import TIMES_ROOT_IN_WEIGHTS, VALUES_BY_SCORES, WRONG_LENGTH
from course_lib.checks.inputs import halves
from course_lib.checks.properties import rows_sum_to_one


def _cases(rng):
    # numeri piccoli: i coefficienti restano lontani da 0 e da 1
    def case(*lead, L, S, d_k, d_v):
        shapes = (*lead, L, d_k), (*lead, S, d_k), (*lead, S, d_v)
        return tuple(halves(rng, *shape, largest=1) for shape in shapes)

    return [
        case(L=1, S=2, d_k=3, d_v=4),
        case(L=2, S=4, d_k=3, d_v=5),
        case(L=3, S=3, d_k=2, d_v=1),
        case(L=3, S=3, d_k=3, d_v=3),
        case(2, L=3, S=2, d_k=2, d_v=4),
        case(2, L=3, S=4, d_k=5, d_v=1),
        case(2, L=2, S=2, d_k=2, d_v=2),
        case(2, 1, L=3, S=2, d_k=2, d_v=1),
        (np.array([[0, 1], [2, -1], [1, 1]]), np.array([[1, 2], [0, 1]]), np.array([[3, 0, 1], [1, 4, 0]])),
        # una riga di punteggi vicina a 0, una vicina a 9000
        (
            np.array([[0.0, 0, 0, 1], [2, 0, 0, 1]]),
            np.array([[9000.0, 0, 1, 0], [9001, 1, 0, 1], [8999, 0, 0, 0]]),
            halves(rng, 3, 1),
        ),
        # sotto −700 gli esponenziali si calcolano ancora, ma con poche cifre
        (
            np.array([[-1.0, 0, 0, 0], [-1, 0, 0, 1]]),
            np.array([[1488.0, 0, 1, 0], [1490, 1, 0, 0], [1486, 0, 0, 0]]),
            halves(rng, 3, 1),
        ),
    ]


ATTENTION = Check(
    name="attention",
    reference=p.attention_family(),
    family=p.attention_family,
    first_case={
        "Q": np.array([[0.0, 0.0, 0.0, 0.0], [2 * np.log(2.0), 0.0, 0.0, 0.0]]),
        "K": np.array([[1.0, 0.0, 5.0, 0.0], [0.0, 1.0, 0.0, 2.0], [0.0, 0.0, 3.0, 1.0]]),
        "V": np.array([[4.0, 0.0], [0.0, 8.0], [2.0, 4.0]]),
    },
    cases=_cases,
    results=("output", "weights"),
    properties=(rows_sum_to_one(1),),
    slips=(
        Slip(
            "senza scala",
            "I punteggi di attention sono scalati? Controlla che passino da block_scores, e che block_scores "
            "superi le sue prove.",
            {"scale": "none"},
        ),
        Slip(
            "diviso per d_k",
            "I coefficienti sono troppo vicini fra loro: che cosa c'è, nella formula, sotto la linea di "
            "frazione, e quante volte si divide?",
            {"scale": "full"},
        ),
        Slip(*TIMES_ROOT_IN_WEIGHTS, {"scale": "times"}),
        Slip(
            *WRONG_LENGTH,
            *({"scale": name} for name in ("d_v", "L", "S", "two", "first length", "axis one")),
            p.attention_family(scale="first key length"),
            p.attention_family(scale="key axis one"),
        ),
        Slip(*FIXED_SCALE, p.attention_family(scale="fixed")),
        Slip(
            "massimo non sottratto",
            "Con query e key grandi il tuo risultato non è più un numero: i punteggi passano dalla softmax "
            "stabile?",
            {"highest": "none"},
            p.attention_family(highest="none", exp="math"),
            p.attention_family(highest="none", exp="math", total="python"),
        ),
        Slip(
            *ONE_MAXIMUM,
            {"highest": "all"},
            p.attention_family(highest="page"),
        ),
        Slip(
            *FIRST_AXIS,
            {"highest": "first axis", "total": "first axis"},
            p.attention_family(total="first axis"),
            p.attention_family(highest="all", total="first axis"),
            p.attention_family(highest="column", total="column"),
            p.attention_family(total="column"),
        ),
        Slip(
            *LOST_AXIS,
            p.attention_family(highest="no axis", total="no axis"),
            {"total": "no axis"},
            p.attention_family(highest="no axis"),
        ),
        Slip(
            "asse 1 al posto dell'ultimo",
            "Con una frase sola i tuoi coefficienti sono giusti, con più frasi no: l'asse 1 è sempre "
            "l'ultimo?",
            {"highest": "axis one", "total": "axis one"},
            p.attention_family(total="axis one"),
            p.attention_family(highest="axis one"),
        ),
        Slip(
            "un totale solo per tutte le righe",
            "Ogni query divide un intero fra le sue key: quanto fa la somma di una tua riga?",
            {"highest": "all", "total": "all"},
            p.attention_family(total="all"),
            p.attention_family(highest="page", total="page"),
            p.attention_family(total="page"),
        ),
        Slip(
            "non divisi per la somma",
            "Quanto fa la somma di ogni riga dei tuoi coefficienti? Controlla che i punteggi passino da "
            "softmax.",
            {"total": "none"},
            p.attention_family(total="none", highest="none"),
        ),
        Slip(
            "QᵀK al posto di QKᵀ",
            "I tuoi coefficienti hanno una riga per ogni componente: quale delle due tabelle va trasposta?",
            {"product": "Q swapped"},
        ),
        NO_SWAP,
        TURNED,
        Slip(
            *ALL_AXES,
            {"product": "all axes"},
            p.attention_family(product="first axes"),
        ),
        Slip(*ONE_PAGE, {"product": "first page", "combine": "first value"}),
        Slip(
            *PAGES,
            {"product": "first page"},
            p.attention_family(product="summed pages"),
            p.attention_family(product="first key page"),
            p.attention_family(combine="first value"),
            p.attention_family(combine="dot"),
        ),
        Slip(*VALUES_BY_SCORES, {"combine": "scores"}),
        Slip(
            "softmax dimenticata",
            "I tuoi due risultati vengono dai punteggi: in quale passo dovevano diventare coefficienti?",
            p.attention_family(combine="scores", order="scores"),
        ),
        Slip(
            "combinate le key",
            "Le key decidono quanto: quale dei tre ingressi porta il contenuto da consegnare?",
            p.attention_family(values="K"),
        ),
        Slip(
            "coefficienti trasposti",
            "Nella mappa le righe sono chi guarda: con che cosa moltiplichi i value, con le righe o con le "
            "colonne?",
            {"combine": "turned"},
            {"order": "turned"},
        ),
        Slip(
            "media semplice",
            "Il tuo output non dipende dai coefficienti: in quale passo dovrebbero entrare?",
            {"combine": "mean"},
        ),
        Slip(
            "solo il value più guardato",
            "Ogni riga del tuo output è un value solo: e gli altri, con un coefficiente più piccolo ma non "
            "nullo?",
            {"combine": "most"},
        ),
        Slip(
            "output e weights in ordine inverso",
            "I due risultati ci sono: in quale ordine li chiede la scheda?",
            {"order": "weights first"},
        ),
        Slip(
            "punteggi al posto dei coefficienti",
            "Il secondo risultato deve avere righe di somma 1: i tuoi numeri sono coefficienti o ancora "
            "punteggi?",
            {"order": "scores"},
        ),
        ROUNDED_AT_THE_END,
        truncated(p.attention_family()),
    ),
)

"""es04 · L'attenzione con maschera, in blocco: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import ROUNDED_AT_THE_END, TRUNCATED_AT_THE_END
from course_lib.checks.es04 import functions as f
from course_lib.checks.es04 import softmax as words
from course_lib.checks.exercise import Check, Slip
from course_lib.checks.formula_slips import DIVIDED_BY_LENGTH, WRONG_LENGTH
from course_lib.checks.inputs import halves
from course_lib.checks.properties import unchanged_under

OTHER_LENGTHS = ("d_v", "L", "S", "S itself", "first length", "axis one", "key axis one")

FUTURE_DOES_NOT_LEAK = unchanged_under(
    "una key vietata a tutti conta ancora",
    "Cambia il value di una key che nessuna query può guardare: la tua uscita cambia?",
    lambda Q, K, V, mask: (Q, K, np.where(_reachable(mask, V), V, V + 5), mask),
    lambda output, Q, K, V, mask: output,
)


def _reachable(mask, V):
    """(S, 1): le key che almeno una query può guardare."""
    full = np.broadcast_to(mask, (*mask.shape[:-1], V.shape[-2]))
    return full.reshape(-1, V.shape[-2]).any(axis=0)[:, None]


def _cases(rng):
    causal, some = f.causal_family(), rng.integers(0, 2, size=(2, 4, 3)) == 1
    some[0, 2], some[1, 0] = False, True  # una riga vuota, una piena

    def case(mask, *shapes):
        return (*(halves(rng, *shape, largest=1) for shape in shapes), mask)

    far_mask = np.array([[False, True, True], [True, True, False], [True, True, False]])
    far = case(far_mask, (3, 4), (3, 4), (3, 5))
    # righe lontanissime: nella prima il punteggio più alto è vietato, nella terza i permessi sono bassissimi
    far[0][:] = [[2000.0, 1.0, 1.0, 0.0], [900.0, 2699.0, 0.0, 0.0], [-2e4, -60001.0, 0.0, 1.0]]
    far[1][:] = [[3.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.5, 0.0], [0.0, 1.0, 0.0, 0.0]]
    return [
        case(causal(3, 4), (3, 2), (4, 2), (4, 5)),
        case(some, (2, 4, 5), (2, 3, 5), (2, 3, 2)),
        case(causal(2, 5), (2, 2, 3), (2, 5, 3), (2, 5, 4)),
        case(np.array([[[True, True, False]], [[True, False, False]]]), (2, 4, 2), (2, 3, 2), (2, 3, 5)),
        far,
        (
            np.array([[1, 0, 2], [0, 1, -1]]),
            np.array([[0, 1, 1], [2, 0, 0], [1, -1, 0], [0, 0, 1]]),
            np.array([[3, 0], [1, 2], [0, 1], [5, 4]]),
            causal(2, 4),
        ),
        # frasi e teste: la maschera è una per frase, la stessa per tutte le teste
        case(np.array([causal(2, 4), [[True, False, True, False]] * 2])[:, None], (2, 2, 2, 3), (2, 2, 4, 3),
             (2, 2, 4, 5)),
    ]


MASKED_ATTENTION = Check(
    name="masked_attention",
    reference=f.attention_family(),
    family=f.attention_family,
    first_case={
        "Q": np.array([[2.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]]),
        "K": np.array([[0.0, 1.0, 0.0, 0.0], [np.log(3.0), 0.0, 0.0, 0.0], [3.0, 0.0, 0.0, 0.0]]),
        "V": np.array([[4.0, 0.0], [0.0, 8.0], [100.0, 100.0]]),
        "mask": np.array([[True, True, False], [False, False, False]]),
    },
    cases=_cases,
    properties=(FUTURE_DOES_NOT_LEAK,),
    slips=(
        Slip(*words.MULTIPLIED, {"marks": "multiplied"}),
        Slip(*words.LATE, {"marks": "late"}),
        Slip(*words.INVERTED, {"marks": "inverted"}, {"marks": "inverted, nan"}, {"marks": "infinity added"}),
        Slip(*words.LARGE, {"marks": "large"}, *(f.attention_family(marks=m) for m in f.OTHER_LARGE)),
        Slip(*words.NAN, {"marks": "nan"}, f.all_axes_transposed),
        Slip(
            *words.ZERO_TIMES_INFINITY,
            f.attention_family(marks="zero times infinity"),
            f.attention_family(marks="zero times infinity, nan"),
        ),
        Slip(*words.PLUS_INFINITY, f.attention_family(marks="plus infinity")),
        Slip(*words.TOO_NEAR, *(f.attention_family(marks=m) for m in f.TOO_NEAR)),
        Slip(*words.FORGOTTEN, {"marks": "ignored"}),
        Slip(
            "maschera costruita dentro",
            "Il tuo risultato segue sempre il triangolo, qualunque maschera riceva: quale argomento non stai "
            "usando?",
            {"marks": "own causal"},
            {"marks": "own causal, nan"},
        ),
        Slip(
            "senza scala",
            "I punteggi dell'attenzione sono scalati: quale passaggio della formula manca?",
            {"scale": "none"},
        ),
        Slip(*DIVIDED_BY_LENGTH, {"scale": "full"}),
        Slip(
            "moltiplicato per √d_k",
            "La scala deve rendere i punteggi più piccoli: i tuoi come sono diventati?",
            {"scale": "times"},
        ),
        Slip(*WRONG_LENGTH, *({"scale": name} for name in OTHER_LENGTHS)),
        Slip(
            "scala fissa",
            "Dividi sempre per lo stesso numero. Nel conto su carta era quello giusto: perché là, e non qui?",
            {"scale": "two"},
        ),
        Slip(
            *words.NO_PEAK,
            {"peak": "none"},
            *(f.attention_family(marks=m, peak="none") for m in f.CANCELLED),
            *map(f.attention_with, f.WITHOUT_MAXIMUM),
            stops=True,
        ),
        Slip(*words.ONE_PEAK, {"peak": "all"}),
        Slip(*words.PEAK_BEFORE, {"peak": "before"}),
        Slip(*words.WRONG_AXIS, {"axis": "queries"}, f.attention_family(axis="first")),
        Slip(
            *words.LOST_AXIS,
            *(f.attention_family(keep=k, marks=m) for k in f.LOST for m in ("forbid", "nan")),
        ),
        Slip(*words.NO_TOTAL, {"total": "none"}),
        Slip(
            "scala dopo la softmax",
            "Hai diviso per la radice, ma che cosa: i punteggi o i coefficienti? Quanto fa adesso la somma "
            "di una riga di coefficienti?",
            f.scaled_late,
        ),
        Slip(
            "coefficienti al posto del risultato",
            "Il tuo risultato ha una colonna per ogni key: sono i coefficienti. Quale passaggio manca per "
            "arrivare a Z?",
            {"ending": "weights"},
        ),
        ROUNDED_AT_THE_END,
        TRUNCATED_AT_THE_END,
    ),
)

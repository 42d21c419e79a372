"""es04 · La softmax con la maschera: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import EARLY_RETURN, ROUNDED_AT_THE_END, TRUNCATED_AT_THE_END
from course_lib.checks.compare import compare
from course_lib.checks.es04 import functions as f
from course_lib.checks.exercise import Check, Property, Slip
from course_lib.checks.inputs import halves
from course_lib.checks.properties import unchanged_under

FORGOTTEN = (
    "maschera dimenticata",
    "Se cambi la maschera e lasci il resto com'è, il tuo risultato cambia?",
)
MULTIPLIED = (
    "punteggi moltiplicati per la maschera",
    "Che punteggio ha, nel tuo conto, una cella vietata? E un punteggio così, dopo l'esponenziale, quanto "
    "vale?",
)
LATE = (
    "maschera dopo la softmax",
    "Quando hai diviso per la somma, le celle vietate c'erano ancora? Quanto fa la somma di una tua riga?",
)
INVERTED = (
    "maschera letta al contrario",
    "Nella scheda che cosa vuol dire True, «può guardare» o «è vietato»? Quali celle hai escluso?",
)
LARGE = (
    "numero grande al posto di −∞",
    "Chi non può guardare nessuno, nel tuo risultato guarda tutti: la convenzione della scheda che cosa "
    "vuole in quella riga? E se hai segnato le celle vietate con un numero, che cosa ne resta quando sono "
    "vietate tutte?",
)
TOO_NEAR = (
    "numero non abbastanza basso",
    "Hai segnato le celle vietate con un numero. Se un punteggio permesso è ancora più basso, che cosa "
    "resta della riga?",
)
PLUS_INFINITY = (
    "infinito con il segno sbagliato",
    "Una cella vietata vuole un esponenziale uguale a 0. Quanto fa, con il segno che hai dato all'infinito?",
)
LOST_AXIS = (
    "asse perduto",
    "Il massimo, o la somma, di ogni riga deve restare accanto alla sua riga: dopo averlo calcolato, la sua "
    "forma ha ancora tanti assi quanti i punteggi?",
)
NAN = (
    "NaN sulla riga vuota",
    "Una riga è tutta vietata: quanto vale la somma per cui dividi? Che cosa vuole, in quella riga, la "
    "convenzione della scheda?",
)
ZERO_TIMES_INFINITY = (
    "zero per infinito",
    "Quanto fa zero per infinito, per il computer? Provalo in una cella, poi guarda come segni le celle "
    "permesse.",
)
NO_PEAK = (
    "massimo non sottratto",
    "Con punteggi grandi gli esponenziali traboccano: quale passaggio dell'esercizio 3 lo evita?",
)
ONE_PEAK = (
    "un massimo solo per tutte le righe",
    "Se due righe hanno punteggi molto lontani, il massimo dell'una va bene anche per l'altra?",
)
PEAK_BEFORE = (
    "massimo preso anche fra i vietati",
    "Se il punteggio più alto è vietato, che cosa succede agli esponenziali di quelli permessi quando lo "
    "sottrai?",
)
WRONG_AXIS = (
    "softmax lungo l'asse sbagliato",
    "Chi guarda è la riga: nel tuo risultato che cosa ha somma 1, le righe o le colonne?",
)
NO_TOTAL = (
    "non divisi per la somma",
    "Quanto fa la somma di una tua riga? E quanto dovrebbe fare?",
)


def _sum_is_one_or_zero(seen) -> bool:
    weights, mask = seen.value, seen.args[1]
    if (
        type(weights) is not np.ndarray
        or weights.dtype.kind not in "iuf"
        or weights.shape != seen.args[0].shape
    ):
        return True
    wanted = np.broadcast_to(mask, weights.shape).any(axis=-1).astype(float)
    return compare(wanted, np.asarray(weights.sum(axis=-1)), kinds="iuf", low=seen.low) is None


SUM_IS_ONE_OR_ZERO = Property(
    "somma diversa da 1",
    "Una riga che può guardare qualcuno ha somma 1, una riga vuota ha somma 0: quanto fanno le tue?",
    _sum_is_one_or_zero,
)

FORBIDDEN_DO_NOT_COUNT = unchanged_under(
    "un punteggio vietato conta ancora",
    "Cambia un punteggio vietato e lascia gli altri: i tuoi coefficienti cambiano?",
    lambda scores, mask: (np.where(mask, scores, -scores - 1), mask),
    lambda weights, scores, mask: weights,
)


def _cases(rng):
    causal = f.causal_family()
    some = rng.integers(0, 2, size=(2, 3, 4)) == 1
    some[0, 1], some[1, 2] = False, True  # una riga vuota, una piena
    return [
        (halves(rng, 3, 4), causal(3, 4)),
        (halves(rng, 2, 3, 4), some),
        (halves(rng, 2, 2, 5), causal(2, 5)),
        (halves(rng, 2, 3, 4), np.array([[[True, True, False, False]], [[True, True, True, False]]])),
        # righe lontanissime, e il punteggio più alto è vietato
        (
            np.array([[1500.0, 2.0, 1.0], [1001.0, 1000.0, 0.5], [-30000.0, -30002.0, -30001.0]]),
            np.array([[False, True, True], [True, True, False], [True, False, True]]),
        ),
        (np.array([[2, 1, 0], [0, 3, 1]]), causal(2, 3)),
        # frasi e teste: la maschera è una per frase, la stessa per tutte le teste
        (halves(rng, 2, 2, 2, 3), np.array([causal(2, 3), [[True, False, False]] * 2])[:, None]),
    ]


MASKED_SOFTMAX = Check(
    name="masked_softmax",
    reference=f.softmax_family(),
    family=f.softmax_family,
    first_case={
        "scores": np.array([[0.0, np.log(3.0), 2.0], [1.0, 1.0, 1.0], [5.0, 7.0, -1.0]]),
        "mask": np.array([[True, True, False], [True, True, True], [False, False, False]]),
    },
    cases=_cases,
    properties=(SUM_IS_ONE_OR_ZERO, FORBIDDEN_DO_NOT_COUNT),
    slips=(
        Slip(*MULTIPLIED, {"marks": "multiplied"}),
        Slip(*LATE, {"marks": "late"}),
        Slip(*INVERTED, {"marks": "inverted"}, {"marks": "inverted, nan"}, {"marks": "infinity added"}),
        Slip(*LARGE, {"marks": "large"}, *(f.softmax_family(marks=m) for m in f.OTHER_LARGE)),
        Slip(*NAN, {"marks": "nan"}),
        Slip(
            *ZERO_TIMES_INFINITY,
            f.softmax_family(marks="zero times infinity"),
            f.softmax_family(marks="zero times infinity, nan"),
        ),
        Slip(*PLUS_INFINITY, f.softmax_family(marks="plus infinity")),
        Slip(*TOO_NEAR, *(f.softmax_family(marks=m) for m in f.TOO_NEAR)),
        Slip(*FORGOTTEN, {"marks": "ignored"}),
        Slip(
            *NO_PEAK,
            {"peak": "none"},
            *(f.softmax_family(marks=m, peak="none") for m in f.CANCELLED),
            *f.WITHOUT_MAXIMUM,
            stops=True,
        ),
        Slip(*ONE_PEAK, {"peak": "all"}),
        Slip(*PEAK_BEFORE, {"peak": "before"}),
        Slip(*WRONG_AXIS, {"axis": "queries"}, f.softmax_family(axis="first")),
        Slip(*LOST_AXIS, *(f.softmax_family(keep=k, marks=m) for k in f.LOST for m in ("forbid", "nan"))),
        Slip(*NO_TOTAL, {"total": "none"}),
        Slip(
            "senza esponenziale",
            "Un punteggio può essere negativo, un coefficiente no: fra il divieto e la divisione quale "
            "passaggio manca?",
            f.without_exponential,
        ),
        Slip(
            "punteggi al posto dei coefficienti",
            "Hai vietato le celle giuste, ma i tuoi numeri sono ancora punteggi: quali passaggi mancano?",
            lambda scores, mask: np.where(mask, scores, -np.inf),
        ),
        Slip(*EARLY_RETURN, f.only(f.softmax_family(), 0), f.only(f.softmax_family(), ..., 0, slice(None))),
        ROUNDED_AT_THE_END,
        TRUNCATED_AT_THE_END,
    ),
)

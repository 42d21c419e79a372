"""es08 · La cross-entropy e il suo gradiente: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import (
    EARLY_RETURN,
    LAST_TERM,
    ROUNDED_AT_THE_END,
    TRUNCATED_AT_THE_END,
)
from course_lib.checks.compare import compare
from course_lib.checks.es08 import functions as f
from course_lib.checks.exercise import Check, Property, Slip
from course_lib.checks.inputs import halves

PAIRED = (
    "righe e bersagli non accoppiati",
    "A ogni riga tocca un bersaglio solo, il suo: quante celle prendi da una riga?",
)
WRONG_AXIS = (
    "softmax lungo l'asse sbagliato",
    "Le probabilità del token seguente si dividono fra i token del vocabolario: nelle tue, che cosa ha somma "
    "1, una riga o una colonna?",
)
ONE_PEAK = (
    "un massimo solo per tutte le righe",
    "Due righe possono avere logit lontanissimi: di che cosa va cercato il massimo da togliere a una riga?",
)
NO_PEAK = (
    "massimo non sottratto",
    "Con logit grandi gli esponenziali traboccano: quale passaggio dell'esercizio 3 lo evita?",
)


def _cases(rng):
    return [
        (halves(rng, 4, 3), np.array([2, 0, 1, 2])),
        (halves(rng, 2, 5), np.array([4, 0])),
        (halves(rng, 3, 4), np.array([1, 1, 3])),
        (np.array([[2, 0, -1], [1, 1, 0]]), np.array([0, 2])),
        # un token giusto a cui il modello dà una probabilità troppo piccola per essere scritta
        (np.array([[0.0, 900.0, 1.0], [1.0, 0.5, 0.0]]), np.array([0, 1])),
        # righe lontanissime fra loro
        (np.array([[3000.0, 3001.0], [-2000.0, -2001.5], [0.0, 1.0]]), np.array([0, 1, 1])),
        (halves(rng, 1, 6), np.array([3])),
    ]


FIRST_CASE = {
    "logits": np.array([[0.0, np.log(3.0), 0.0], [np.log(2.0), 0.0, 0.0]]),
    "targets": np.array([1, 2]),
}

CROSS_ENTROPY = Check(
    name="cross_entropy",
    reference=f.loss_family(),
    family=f.loss_family,
    first_case=FIRST_CASE,
    cases=_cases,
    slips=(
        Slip(
            "logaritmo di 0",
            "Una probabilità può essere così piccola che il computer la scrive 0, e allora il logaritmo "
            "quanto fa? Si può scrivere ln p senza calcolare prima p?",
            {"how": "two steps"},
        ),
        Slip(
            "logaritmo ritoccato",
            "Hai aggiunto un numero piccolo, o una soglia, per evitare il logaritmo di 0: se il modello "
            "sbaglia di molto, quanto può valere al massimo la tua loss?",
            {"how": "plus 1e-9"},
            *(f.loss_family(how=how) for how in f.TOUCHED),
        ),
        Slip(*NO_PEAK, {"peak": "none"}, *f.WITHOUT_PEAK),
        Slip(*ONE_PEAK, {"peak": "all"}, f.loss_family(how="two steps", peak="all")),
        Slip(*WRONG_AXIS, {"axis": "positions"}, f.loss_family(how="two steps", axis="positions")),
        Slip(*PAIRED, {"chosen": "every pair"}),
        Slip(
            "bersaglio ignorato",
            "Cambia i bersagli e lascia i logit: il tuo risultato cambia?",
            {"chosen": "every token"},
            {"chosen": "all summed"},
        ),
        Slip(
            "somma al posto della media",
            "Con il doppio delle posizioni la tua loss raddoppia: che cosa chiede la scheda?",
            {"average": "none"},
        ),
        Slip(
            "media sull'asse sbagliato",
            "Per quanti numeri dividi: per quante sono le posizioni, o per quanti sono i token del "
            "vocabolario?",
            {"average": "tokens"},
            f.per_token,
        ),
        Slip(
            "media su tutta la tabella",
            "In ogni riga conta una cella sola, le altre sono zeri: entrano anche loro nella tua media?",
            {"average": "whole table"},
        ),
        Slip(
            "una loss per posizione",
            "Quanti numeri restituisci, e quanti ne chiede la scheda?",
            {"average": "each"},
        ),
        Slip(
            "segno invertito",
            "Una probabilità è al più 1, e il suo logaritmo che segno ha? La loss dev'essere una sorpresa, "
            "mai negativa: che cosa manca?",
            {"sign": "plus"},
        ),
        Slip(
            "un altro logaritmo",
            "I tuoi numeri sono quelli attesi, divisi tutti per lo stesso: in quale base è il tuo logaritmo?",
            {"base": "2"},
            {"base": "10"},
        ),
        Slip(
            "senza logaritmo",
            "La tua loss non supera mai 1, anche quando il modello sbaglia in pieno: quale passaggio manca "
            "fra la probabilità e la sorpresa?",
            f.loss_family(how="no logarithm"),
            f.loss_family(how="no logarithm", sign="plus"),
            f.loss_family(how="one minus"),
        ),
        Slip(
            "logaritmo della media",
            "Prima la media o prima il logaritmo? Prova su due posizioni, una indovinata e una no.",
            f.log_of_the_mean,
        ),
        Slip(
            "logit al posto delle probabilità",
            "Se aggiungi lo stesso numero a tutti i logit le probabilità non cambiano: la tua loss sì?",
            f.no_softmax,
        ),
        Slip(*LAST_TERM, f.last_position),
        Slip(*EARLY_RETURN, f.first_position),
        ROUNDED_AT_THE_END,
    ),
)


def _rows_sum_to_zero(seen) -> bool:
    gradient = seen.value
    if type(gradient) is not np.ndarray or gradient.dtype.kind not in "iuf" or gradient.ndim != 2:
        return True
    sums = np.asarray(gradient.sum(axis=-1))
    return compare(np.zeros(sums.shape), sums, kinds="iuf", low=True) is None


ROWS_SUM_TO_ZERO = Property(
    "somma diversa da 0",
    "Le probabilità di una riga hanno somma 1, e anche la riga del token giusto: quanto fa la somma di una "
    "riga del tuo gradiente?",
    _rows_sum_to_zero,
)

CROSS_ENTROPY_GRADIENT = Check(
    name="cross_entropy_gradient",
    reference=f.gradient_family(),
    family=f.gradient_family,
    first_case=FIRST_CASE,
    cases=_cases,
    properties=(ROWS_SUM_TO_ZERO,),
    slips=(
        Slip(
            "p + y",
            "Se cresce il logit del token giusto la loss scende, se cresce quello di un altro sale: nel tuo "
            "gradiente i segni sono diversi?",
            {"sign": "plus"},
        ),
        Slip(
            "segno rovesciato",
            "Il gradiente dice dove la loss cresce: se alzi il logit del token giusto, la loss cresce?",
            {"sign": "reversed"},
        ),
        Slip(
            "non diviso per le posizioni",
            "La loss è una media sulle posizioni: il tuo gradiente se ne ricorda?",
            {"average": "none"},
        ),
        Slip(
            "diviso per il vocabolario",
            "La media della loss si fa sulle posizioni: tu per che cosa hai diviso?",
            {"average": "tokens"},
            {"average": "whole table"},
        ),
        Slip(
            "bersaglio dimenticato",
            "Cambia i bersagli e lascia i logit: il tuo gradiente cambia?",
            {"label": "none"},
        ),
        Slip(*PAIRED, {"label": "shared"}),
        Slip(
            "posizione al posto del bersaglio",
            "L'1 sta nella colonna del token giusto: nella tua tabella sta in quella, "
            "o sulla diagonale?",
            {"label": "positions"},
        ),
        Slip(
            "solo la colonna giusta",
            "Se cresce il logit di un token sbagliato la loss cambia? Nel tuo gradiente che cosa c'è in "
            "quella cella?",
            f.right_column_only,
        ),
        Slip(
            "senza softmax",
            "Nel gradiente ci sono le probabilità: tu da che cosa togli la riga del token giusto?",
            {"p": "logits"},
        ),
        Slip(
            "logaritmo di troppo",
            "Nelle tue celle c'è ln p; nel gradiente resta il logaritmo, o soltanto la probabilità?",
            {"p": "logarithm"},
        ),
        Slip(*NO_PEAK, {"peak": "none"}),
        Slip(*ONE_PEAK, {"peak": "all"}),
        Slip(*WRONG_AXIS, {"axis": "positions"}),
        Slip(*EARLY_RETURN, f.first_row_only),
        ROUNDED_AT_THE_END,
        TRUNCATED_AT_THE_END,
    ),
)

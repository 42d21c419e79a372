"""es04 · Le tre funzioni che costruiscono maschere: ingressi di prova, errori tipici, domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import EARLY_RETURN
from course_lib.checks.es04 import functions as f
from course_lib.checks.exercise import Check, Slip

NUMBERS = (
    "numeri al posto di True e False",
    "La scheda chiede valori logici, i tuoi sono numeri: di che tipo (dtype) è l'array che hai costruito?",
)
ADDITIVE = (
    "zeri e infiniti al posto di True e False",
    "Hai costruito la M della formula, che si somma ai punteggi: che cosa chiede invece la scheda di "
    "mettere in ogni cella?",
)
INVERTED = (
    "True e False scambiati",
    "Nella scheda che cosa vuol dire True, «può guardare» o «è vietato»? E nel tuo risultato?",
)
ONE_TURN_LESS = (
    "un giro in meno",
    "Guarda l'ultima riga e l'ultima colonna del tuo risultato: i tuoi cicli ci arrivano?",
)
FIRST, LESS, ALL = slice(1), slice(-1), slice(None)


def _turns(right, first, *shorter):
    """I due errori dei cicli: fermarsi al primo giro, o farne uno in meno."""
    return (
        Slip(*EARLY_RETURN, *(f.only(right, *places) for places in first)),
        Slip(*ONE_TURN_LESS, *(f.only(right, *places) for places in shorter)),
    )


CAUSAL_MASK = Check(
    name="causal_mask",
    reference=f.causal_family(),
    family=f.causal_family,
    first_case={"L": 3, "S": 5},
    cases=lambda rng: [(3, 3), (1, 4), (2, 3), (4, 6), (1, 1)],
    slips=(
        Slip(
            "triangolo dalla parte sbagliata",
            "Leggi la tua prima riga: chi guarda vede ciò che viene prima di lui o ciò che viene dopo?",
            {"side": "from"},
        ),
        Slip(
            "diagonale vietata",
            "Nel tuo risultato una query può guardare la key del proprio token? E quando di token ce n'è uno "
            "solo, chi guarda?",
            {"side": "before"},
        ),
        Slip(*INVERTED, {"side": "after"}),
        Slip(
            "frontiera allineata all'inizio",
            "Con S > L le query stanno agli ultimi posti: quante key stanno prima della prima query? Il tuo "
            "risultato ne tiene conto?",
            {"last": "start"},
        ),
        Slip(
            "scarto con il segno sbagliato",
            "Aggiungendo key più vecchie, la prima query dovrebbe vederne di più o di meno? E nel tuo "
            "risultato?",
            {"last": "swapped"},
        ),
        Slip(
            "frontiera spostata di un posto",
            "Conta i True della tua ultima riga e della penultima: l'ultima query quante key vede? E quella "
            "prima di lei?",
            f.shifted_causal(lambda L, S: 1),
            f.shifted_causal(lambda L, S: int(S > L)),
            f.shifted_causal(lambda L, S: -int(S > L)),
        ),
        Slip(
            "nessun divieto",
            "La prima query può guardare l'ultima key? Se il tuo ciclo ti sembra giusto: le tue righe sono "
            "davvero L righe, o è la stessa ripetuta?",
            lambda L, S: np.ones((L, S), dtype=bool),
        ),
        Slip(
            "precedenti dimenticati",
            "Ogni query guarda tutti i token che la precedono, fino al primo: quante key vede la tua ultima "
            "riga?",
            lambda L, S: np.eye(L, S, S - L, dtype=bool),
            lambda L, S: f.causal_family()(L, S) & ~np.tri(L, S, S - L - 2, dtype=bool),
            lambda L, S: f.causal_family()(L, S) & ~np.tri(L, S, S - 2 * L, dtype=bool),
        ),
        Slip(
            "maschera quadrata",
            "Una riga per ogni query e una colonna per ogni key: quante righe e quante colonne ha la tua?",
            lambda L, S: np.tri(L, dtype=bool),
            lambda L, S: np.tri(S, dtype=bool),
        ),
        Slip(
            "righe e colonne scambiate",
            "Le righe sono chi guarda, le colonne chi è guardato: nel tuo risultato che cosa sono le righe?",
            lambda L, S: f.causal_family()(L, S).T,
            lambda L, S: np.tri(S, L, dtype=bool),
        ),
        *_turns(f.causal_family(), [(FIRST,), (FIRST, FIRST)], (LESS,), (ALL, LESS), (LESS, LESS)),
        Slip(*NUMBERS, {"kind": "numbers"}),
        Slip(*ADDITIVE, {"kind": "additive"}),
    ),
)

PADDING_MASK = Check(
    name="padding_mask",
    reference=f.padding_family(),
    family=f.padding_family,
    first_case={"lengths": np.array([2, 4]), "S": 5},
    cases=lambda rng: [
        (np.array([3, 1, 2]), 4),
        (np.array([3]), 3),
        (np.array([0, 2, 1, 3]), 3),
        (np.array([1, 2]), 2),
    ],
    slips=(
        Slip(*INVERTED, {"real": "padding"}),
        Slip(
            "un posto di troppo",
            "Quanti True ci sono in una tua riga? E quanti token veri ha quella frase?",
            {"real": "one more"},
        ),
        Slip(
            "un posto di meno",
            "L'ultimo token vero di una frase: nel tuo risultato si può guardare?",
            {"real": "one less"},
            f.padding_by_slices,
        ),
        Slip(
            "riempimento all'inizio",
            "Le frasi sono allungate in fondo o in testa? Rileggi la scheda: da quale parte stanno i tuoi "
            "True?",
            {"real": "last"},
        ),
        Slip(
            "righe e colonne scambiate",
            "Una riga per ogni frase, una colonna per ogni key: nel tuo risultato che cosa sono le righe?",
            lambda lengths, S: f.padding_family()(lengths, S).T,
        ),
        Slip(
            "righe tutte uguali",
            "Ogni frase ha la sua lunghezza, e le tue righe sono tutte uguali: sono davvero B righe, o è la "
            "stessa ripetuta?",
            lambda lengths, S: np.tile(np.arange(S) < lengths.max(), (len(lengths), 1)),
        ),
        Slip(
            "larga quanto la frase più lunga",
            "Quante colonne ha il tuo risultato? E quante ne chiede la scheda, se S è più grande di tutte le "
            "lunghezze?",
            lambda lengths, S: np.arange(lengths.max()) < lengths[:, None],
        ),
        *_turns(f.padding_family(), [(FIRST,), (FIRST, FIRST)], (LESS,), (ALL, LESS), (LESS, LESS)),
        Slip(*NUMBERS, {"kind": "numbers"}),
        Slip(*ADDITIVE, {"kind": "additive"}),
    ),
)


def _pair(L, lengths, S):
    return f.causal_family()(L, S), f.padding_family()(np.array(lengths), S)


COMBINE_MASKS = Check(
    name="combine_masks",
    reference=f.combine_family(),
    family=f.combine_family,
    first_case=dict(zip(("causal", "padding"), _pair(3, [3, 2], 3), strict=True)),
    cases=lambda rng: [
        _pair(2, [4, 1], 4),
        _pair(2, [1, 3, 2], 3),
        _pair(4, [2], 4),
        _pair(1, [2, 5, 3, 4], 5),
        (rng.integers(0, 2, size=(2, 4)) == 1, rng.integers(0, 2, size=(3, 4)) == 1),
    ],
    slips=(
        Slip(
            "basta che una permetta",
            "Una cella permessa da una maschera e vietata dall'altra: nel tuo risultato com'è? E come "
            "dovrebbe essere?",
            {"rule": "or"},
        ),
        Slip(*INVERTED, {"rule": "nand"}),
        Slip(
            "riempimento dimenticato",
            "Cambia le lunghezze delle frasi: il tuo risultato cambia?",
            {"rule": "causal"},
        ),
        Slip(
            "causale dimenticata",
            "Guarda la prima riga di una frase: la prima query può vedere ciò che viene dopo?",
            {"rule": "padding"},
        ),
        Slip(
            "riempimento sulle righe",
            "La maschera di riempimento dice quali key sono vere. La tua cancella colonne o righe?",
            {"axis": "queries"},
        ),
        Slip(
            "frasi e query scambiate",
            "Il primo asse del tuo risultato conta le frasi o le query? E quale chiede la scheda?",
            lambda causal, padding: causal[:, None] & padding,
        ),
        Slip(
            "una maschera sola per tutte le frasi",
            "Ogni frase ha la sua lunghezza: quanti assi deve avere il risultato, e che cosa conta il primo?",
            {"axis": "none"},
        ),
        Slip(
            "riga del token finto cancellata",
            "Il riempimento vieta di guardare un token finto. Dice anche che cosa può guardare lui?",
            {"axis": "both"},
            {"axis": "both, last queries"},
        ),
        Slip(
            "maschere confrontate",
            "Guarda una cella su cui le due maschere sono d'accordo, poi una su cui non lo sono: il tuo "
            "risultato dice «l'una e l'altra», o altro?",
            {"rule": "equal"},
            {"rule": "xor"},
        ),
        *_turns(f.combine_family(), [(FIRST,), (FIRST, FIRST)], (LESS,), (ALL, LESS), (ALL, ALL, LESS)),
        Slip(*NUMBERS, {"kind": "numbers"}),
        Slip(*ADDITIVE, {"kind": "additive"}),
    ),
)

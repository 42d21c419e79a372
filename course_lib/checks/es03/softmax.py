"""es03 · La softmax stabile: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import ROUNDED_AT_THE_END, truncated
from course_lib.checks.es03 import functions as f
from course_lib.checks.exercise import Check, Slip
from course_lib.checks.formula_slips import (
    DIVIDED_BY_COUNT,
    LOGARITHM,
    OTHER_BASE,
    SCALED_TWICE,
    SIGN_FLIPPED,
)
from course_lib.checks.inputs import halves
from course_lib.checks.properties import rows_sum_to_one

OVERFLOW = (
    "Con punteggi grandi il tuo risultato non è più un numero, con quelli molto negativi è impreciso o si "
    "ferma: che cosa si toglie a ogni riga, prima dell'esponenziale, senza cambiare i coefficienti?"
)
ONE_MAXIMUM = (
    "un massimo solo per tutte le righe",
    "Due righe possono essere lontanissime fra loro: se a una togli il massimo di un'altra, i suoi "
    "esponenziali diventano tutti 0. Di che cosa va cercato il massimo?",
)
FIRST_AXIS = (
    "softmax sul primo asse",
    "Somma i tuoi coefficienti per riga, poi per colonna: quale delle due somme fa 1? Chi guarda è la riga.",
)
AXIS_ONE = (
    "Hai contato gli assi dal principio: con una riga sola l'asse 1 non c'è, con tre assi non è l'ultimo. "
    "Come si indica l'ultimo asse, quanti che siano?"
)
LOST_AXIS = (
    "asse perduto",
    "Il massimo, o la somma, di ogni riga deve restare accanto alla sua riga: dopo averlo calcolato, "
    "la sua forma ha ancora tanti assi quanti i punteggi?",
)
ONE_TOTAL = (
    "Ogni riga deve avere somma 1 per conto suo: quanto fa la somma di una tua riga, e quanto quella di "
    "tutta la tabella?"
)

SUBTRACTED = Slip(
    "massimo non sottratto",
    OVERFLOW,
    {"highest": "none"},
    f.softmax_family(highest="none", exp="math"),
    f.softmax_family(highest="none", exp="math", total="python"),
)
ONE_FOR_ALL = Slip(*ONE_MAXIMUM, {"highest": "all"}, {"highest": "page"})


def _cases(rng):
    return [
        (np.array([2.0, 0.0, 1.0]),),
        # sotto −700 gli esponenziali si calcolano ancora, ma con poche cifre
        (np.array([-745.0, -744.0]),),
        (np.array([[0.0, 1.5], [1.0, -0.5], [-2.0, 0.5]]),),
        (halves(rng, 3, 3),),
        (np.array([[1, 3, 0, 2], [2, 2, 5, 1]]),),
        (np.array([1.0, -9.0, 0.5]),),          # un coefficiente piccolo non è 0
        (np.array([[0.0, 1.0, 2.0], [1000.0, 1001.0, 1003.0]]),),
        (np.array([0.0, 1500.0, -1.0]),),
        (halves(rng, 2, 3, 4),),
        (halves(rng, 3, 1, 2) + np.array([0.0, 800.0, -800.0])[:, None, None],),
    ]


SOFTMAX = Check(
    name="softmax",
    reference=f.softmax,
    family=f.softmax_family,
    first_case={"scores": np.array([1000.0, 1001.0, 1002.0])},
    cases=_cases,
    properties=(rows_sum_to_one(),),
    slips=(
        SUBTRACTED,
        ONE_FOR_ALL,
        Slip(
            *FIRST_AXIS,
            {"highest": "first axis", "total": "first axis"},
            {"total": "first axis"},
            f.softmax_family(highest="all", total="first axis"),
            f.softmax_family(highest="column", total="column"),
            f.softmax_family(total="column"),
        ),
        Slip(
            "asse 1 al posto dell'ultimo",
            AXIS_ONE,
            {"highest": "axis one", "total": "axis one"},
            {"total": "axis one"},
            f.softmax_family(highest="axis one"),
        ),
        Slip(
            "scritta per una tabella",
            "Con due assi il conto è giusto. Con un asse solo, o con tre, il tuo ciclo che cosa scorre: "
            "righe, numeri o pagine?",
            f.softmax_of_a_table,
        ),
        Slip(
            "massimo di ogni colonna",
            "Togliere lo stesso numero a tutta una riga non cambia i suoi coefficienti. A ogni numero di una "
            "stessa riga tu togli la stessa cosa?",
            {"highest": "first axis"},
            f.softmax_family(highest="column"),
        ),
        Slip(
            *LOST_AXIS,
            f.softmax_family(highest="no axis", total="no axis"),
            {"total": "no axis"},
            {"highest": "no axis"},
        ),
        Slip(
            "un totale solo per tutte le righe",
            ONE_TOTAL,
            {"highest": "all", "total": "all"},
            {"total": "all"},
            f.softmax_family(highest="all", total="page"),
            f.softmax_family(total="page"),
        ),
        Slip(
            "un altro numero al posto del massimo",
            "Togli a ogni riga uno stesso numero, ed è permesso. Ma dopo averlo tolto, quanto può valere "
            "l'esponente più grande?",
            {"highest": "minimum"},
            f.softmax_family(highest="mean"),
            f.softmax_family(highest="absolute"),
            f.softmax_family(highest="first"),
            f.softmax_family(highest="fixed"),
        ),
        Slip(
            "punteggi tagliati",
            "Hai fermato i punteggi a un limite: due punteggi oltre il limite, se erano diversi, lo restano?",
            f.softmax_family(scale="clip", highest="none"),
            f.softmax_family(scale="clip"),
        ),
        Slip(
            "non divisi per la somma",
            "Il tuo coefficiente più grande vale 1, qualunque siano gli altri: per che cosa "
            "manca di dividere?",
            {"total": "none"},
            f.softmax_family(total="largest"),
        ),
        Slip(*DIVIDED_BY_COUNT, {"total": "length"}),
        Slip(
            "divisi per una somma parziale",
            "Il primo coefficiente di ogni riga vale 1: quando dividi, la somma è già completa?",
            {"total": "partial"},
        ),
        Slip(
            "divisi per il modulo",
            "Hai diviso per la radice di una somma di quadrati: così fa 1 il modulo. Che cosa deve fare 1, "
            "invece?",
            {"total": "modulus"},
        ),
        Slip(
            "senza esponenziale",
            "Prima della divisione manca un passaggio: quale rende positivo ogni numero?",
            {"exp": "none"},
            f.softmax_family(exp="none", highest="none"),
        ),
        Slip(
            *OTHER_BASE,
            {"exp": "two"},
            {"exp": "ten"},
        ),
        Slip(*SIGN_FLIPPED, {"scale": "minus"}),
        Slip(
            "tutto al punteggio più alto",
            "Hai dato tutto al punteggio più alto: gli altri, anche di poco più bassi, che cosa dovrebbero "
            "ricevere?",
            f.softmax_family(exp="highest", highest="none"),
        ),
        Slip(
            *SCALED_TWICE,
            {"scale": "root"},
            f.softmax_family(scale="length"),
        ),
        Slip(*LOGARITHM, {"finish": "log"}),
        ROUNDED_AT_THE_END,
        truncated(f.softmax),
    ),
)

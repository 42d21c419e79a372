"""es02 · La softmax di una riga di punteggi: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import TRUNCATED, like_the_inputs, rounded, truncated
from course_lib.checks.es02 import functions as f
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


def _cut_before_dividing(scores):
    """Gli esponenziali scritti in un array del tipo dei punteggi: se sono interi, perdono le cifre."""
    exponentials = like_the_inputs((scores,), np.exp(scores))
    return exponentials / exponentials.sum()


SOFTMAX_ROW = Check(
    name="softmax_row",
    reference=f.softmax_row,
    first_case={"scores": np.array([0.0, np.log(3.0)])},
    cases=lambda rng: [
        (np.array([2.0, 0.0, 1.0]),),
        (np.array([-1.5, 0.5, 3.0, 0.2]),),
        (np.array([1, 3, 0]),),
        (halves(rng, 5),),
    ],
    properties=(rows_sum_to_one(),),
    slips=(
        Slip(
            "non divisi per la somma",
            "Gli esponenziali sono giusti, ma quanto fa la somma dei tuoi coefficienti? E quanto "
            "dovrebbe fare?",
            np.exp,
        ),
        Slip(
            "senza esponenziale",
            "Con un punteggio 0 il tuo coefficiente è 0, con uno negativo è negativo: "
            "che cosa rende positivo ogni punteggio prima di dividere?",
            lambda s: s / s.sum(),
            lambda s: s / s.max(),
        ),
        Slip(
            "divisi per il più grande",
            "Il tuo coefficiente più grande vale sempre 1: per che cosa stai dividendo?",
            lambda s: np.exp(s) / np.exp(s).max(),
        ),
        Slip(*DIVIDED_BY_COUNT, lambda s: np.exp(s) / len(s)),
        Slip(
            "divisi per la somma dei punteggi",
            "Sopra la frazione ci sono esponenziali: sotto, di che cosa hai fatto la somma?",
            lambda s: np.exp(s) / s.sum(),
        ),
        Slip(
            "divisi per una somma parziale",
            "Il tuo primo coefficiente vale sempre 1: quando dividi, la somma è già completa?",
            lambda s: np.exp(s) / np.cumsum(np.exp(s)),
        ),
        Slip(
            "divisi per il modulo",
            "Hai diviso per la radice di una somma di quadrati: così fa 1 il modulo del vettore. "
            "Che cosa deve fare 1, invece?",
            lambda s: np.exp(s) / np.sqrt((np.exp(s) ** 2).sum()),
        ),
        Slip(*SIGN_FLIPPED, lambda s: f.softmax_row(-s)),
        Slip(
            "punteggio 0, coefficiente 0",
            "Hai dato 0 a chi ha punteggio 0: quanto vale il suo esponenziale?",
            lambda s: np.where(s == 0, 0.0, f.softmax_row(s)),
            lambda s: np.where(s == 0, 0.0, np.exp(s)) / np.where(s == 0, 0.0, np.exp(s)).sum(),
        ),
        Slip(
            "massimo tolto a metà",
            "Hai tolto il massimo prima di un esponenziale. Sopra e sotto la linea di frazione i punteggi "
            "sono ancora gli stessi?",
            lambda s: np.exp(s - s.max()) / np.exp(s).sum(),
            lambda s: np.exp(s) / np.exp(s - s.max()).sum(),
        ),
        Slip(
            *f.FIRST_ONLY,
            lambda s: f.softmax_row(s)[:1],
            lambda s: f.softmax_row(s)[0],
            f.only_first(f.softmax_row),
        ),
        Slip(
            "tutto al punteggio più alto",
            "Hai dato tutto a un punteggio solo: gli altri, anche di poco più bassi, che cosa dovrebbero "
            "ricevere?",
            lambda s: (s == s.max()).astype(float),
        ),
        Slip(*LOGARITHM, lambda s: np.log(f.softmax_row(s))),
        Slip(*OTHER_BASE, *(f.softmax_in_base(base) for base in (2.0, 10.0))),
        Slip(
            "e con poche cifre",
            "Le prime cifre sono giuste, le altre no: con quante cifre hai scritto il numero e?",
            *(f.softmax_in_base(base) for base in (2.7, 2.71, 2.72, 2.718, 2.7182, 2.7183, 2.71828)),
        ),
        Slip(
            *SCALED_TWICE,
            lambda s: f.softmax_row(s / np.sqrt(len(s))),
            lambda s: f.softmax_row(s / len(s)),
        ),
        rounded(f.softmax_row),
        Slip("cifre decimali perdute", TRUNCATED, *truncated(f.softmax_row).variants, _cut_before_dividing),
        Slip(*f.INTEGER_DIVISION, lambda s: np.floor(f.softmax_row(s))),
    ),
)

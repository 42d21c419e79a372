"""Gli esempi dei documenti, come dati: chiave/libri/era, «regola», la griglia di «hello», le frasi di S2.

L'esempio del corso è chi guarda la parola «era» in «La chiave accanto ai libri era …». I vettori q, k, v
sono quelli del documento S0, inventati per l'insegnamento: nessun addestramento, nessun significato
grammaticale nelle componenti. Gli x e le matrici W che li producono sono una scelta del corso, fatta
perché q = x W_Q si possa calcolare. I numeri attesi sono scritti qui cifra per cifra, calcolati a parte
con l'aritmetica decimale, perché non dipendano dalla libreria che controllano.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from course_lib.transformer.sentences import EXPERIMENTS, OTHER_ORDERS, SENTENCES

__all__ = [
    "EXPERIMENTS",
    "OTHER_ORDERS",
    "SENTENCES",
    "Example",
    "Hello",
    "Regola",
    "Row",
    "chiave_libri_era",
    "hello",
    "regola",
    "with_fourth_candidate",
]

_ROOT = math.sqrt(2.0)

# punteggi scalati: righe e colonne nell'ordine chiave, libri, era
_SCORES = [[4.0, 0.0, 2.0], [0.0, 0.0, 0.0], [2.0, 0.0, 1.0]]
_WEIGHTS = [
    [0.866813332197, 0.015876239976, 0.117310427826],
    [1 / 3, 1 / 3, 1 / 3],
    [0.665240955775, 0.090030573170, 0.244728471055],
]
_OUTPUT = [
    [0.925468546110, 0.074531453890],
    [0.5, 0.5],
    [0.787605191302, 0.212394808698],
]
# gli stessi, con «accanto» in coda: una quarta candidata di punteggio 0 per tutte le query
_SCORES_4 = [[4.0, 0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0], [2.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
_WEIGHTS_4 = [
    [0.853266665846, 0.015628124127, 0.115477085899, 0.015628124127],
    [0.25, 0.25, 0.25, 0.25],
    [0.610295685414, 0.082594539444, 0.224515235699, 0.082594539444],
    [0.25, 0.25, 0.25, 0.25],
]
_OUTPUT_4 = [
    [0.911005208796, 0.081180729141],
    [0.375, 0.5],
    [0.722553303263, 0.236149427015],
    [0.375, 0.5],
]


class Example(NamedTuple):
    """Una frase ridotta a pochi token, con tutti i numeri della sua attenzione.

    n token, d_model = d_k = d_v = 2; la riga i di ogni array è il token i.
    x: (n, 2)   W_Q, W_K, W_V: (2, 2)   q, k, v: (n, 2), cioè x W_Q, x W_K, x W_V
    scores: (n, n), punteggi già divisi per √d_k   weights: (n, n), coefficienti   output: (n, 2), le z
    """

    tokens: tuple[str, ...]
    x: np.ndarray
    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    output: np.ndarray


def chiave_libri_era():
    """L'esempio chiave/libri/era, in array nuovi a ogni chiamata.

    Restituisce: Example con n = 3; la riga di «era» è l'ultima.
    Fonte: documento S0 per q di «era», per k e v; x, W e le altre due query sono del corso.
    """
    return Example(
        tokens=("chiave", "libri", "era"),
        x=np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]),
        q=np.array([[2 * _ROOT, 0.0], [0.0, 0.0], [_ROOT, 0.0]]),
        k=np.array([[2.0, 0.0], [0.0, 0.0], [1.0, 0.0]]),
        v=np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]]),
        scores=np.array(_SCORES),
        weights=np.array(_WEIGHTS),
        output=np.array(_OUTPUT),
        **_projections(),
    )


def with_fourth_candidate():
    """Lo stesso esempio con «accanto» in coda: x = (0; 1/2), punteggio 0 per ogni query.

    Restituisce: Example con n = 4; la riga di «era» resta la terza.
    Fonte: scelta del corso.
    """
    return Example(
        tokens=("chiave", "libri", "era", "accanto"),
        x=np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.0, 0.5]]),
        q=np.array([[2 * _ROOT, 0.0], [0.0, 0.0], [_ROOT, 0.0], [0.0, 0.0]]),
        k=np.array([[2.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 0.0]]),
        v=np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [0.0, 0.5]]),
        scores=np.array(_SCORES_4),
        weights=np.array(_WEIGHTS_4),
        output=np.array(_OUTPUT_4),
        **_projections(),
    )


def _projections():
    """Le tre matrici dei parametri, (d_model, d_k) = (2, 2): una scelta del corso."""
    return {
        "W_Q": np.array([[2 * _ROOT, 0.0], [0.0, 0.0]]),
        "W_K": np.array([[2.0, 0.0], [0.0, 0.0]]),
        "W_V": np.array([[1.0, 0.0], [0.0, 1.0]]),
    }


class Row(NamedTuple):
    """Una riga del conto di «regola».

    right: (4,), il valore giusto   printed: (4,), ciò che il documento stampa a tre cifre, None dove non
    lo riporta   note: che cosa non va nel documento, o niente
    """

    name: str
    right: np.ndarray
    printed: tuple[float | None, ...]
    note: str

    def errata(self):
        """Dove il valore stampato non è quello giusto a tre cifre: (dimensione, stampato, giusto)."""
        return [
            (i, printed, round(float(right), 3))
            for i, (right, printed) in enumerate(zip(self.right, self.printed, strict=True))
            if printed is not None and printed != round(float(right), 3)
        ]


class Regola(NamedTuple):
    """La parola «regola» nel simulatore: ID 4, posizione 4, d = 4; rows va dai seni alla somma finale."""

    token: str
    token_id: int
    position: int
    d: int
    rows: dict[str, Row]


# nome: (valore giusto, valore stampato, che cosa non va)
_REGOLA = {
    "0,5·sin": (
        [0.454648713413, -0.378401247654, -0.139707749099, 0.494679123312],
        (0.454, None, None, 0.494),
        "cifre tagliate invece che arrotondate",
    ),
    "0,3·cos": (
        [0.108707326343, -0.221218114662, -0.269027524900, 0.026249695032],
        (None, -0.223, -0.258, 0.030),
        "coseni sbagliati",
    ),
    "embedding": (
        [0.563356039756, -0.599619362316, -0.408735274000, 0.520928818344],
        (0.563, -0.601, -0.398, 0.524),
        "somma di addendi sbagliati",
    ),
    "PE(4)": (
        [-0.756802495308, -0.653643620864, 0.039989334187, 0.999200106661],
        (-0.757, -0.654, 0.040, 0.999),
        "",
    ),
    "finale, posizione 4": (
        [0.336315291163, -0.795712448575, -0.396738473744, 0.820688850342],
        (0.336, -0.797, -0.386, 0.824),
        "parte da un embedding sbagliato",
    ),
    "PE(2)": (
        [0.909297426826, -0.416146836547, 0.019998666693, 0.999800006667],
        (-0.909, -0.416, 0.020, 1.000),
        "un segno: sin 2 è positivo",
    ),
    "finale, posizione 2": (
        [0.836145267804, -0.724463413280, -0.402735673992, 0.820868820343],
        (0.290, -0.726, -0.392, 0.824),
        "il segno di PE(2), e un embedding sbagliato",
    ),
}


def regola():
    """L'esempio «regola» con i valori giusti accanto a quelli stampati.

    Restituisce: Regola, in array nuovi a ogni chiamata.
    Fonte: documento S2; i valori giusti sono calcolati a parte con l'aritmetica decimale.
    """
    rows = {
        name: Row(name, np.array(right), printed, note) for name, (right, printed, note) in _REGOLA.items()
    }
    return Regola(token="regola", token_id=4, position=4, d=4, rows=rows)


class Hello(NamedTuple):
    """La griglia di «hello» del documento S1, e una testa che la produce.

    printed: (5, 5), i coefficienti stampati, a due cifre   letters: le righe di W_K, nell'ordine
    x: (5, 4), ogni lettera è una riga della matrice identità   W_Q, W_K, W_V: (4, 4)
    """

    tokens: tuple[str, ...]
    printed: np.ndarray
    letters: tuple[str, ...]
    x: np.ndarray
    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray


def hello():
    """La griglia di «hello»: una testa non addestrata, con la maschera causale.

    x e le matrici sono una scelta del corso: a due cifre ridanno la griglia stampata. La riga di W_K dice
    quanto la lettera piace come key a ognuna delle quattro query; W_Q = 2 I annulla la divisione per √4.
    Restituisce: Hello, in array nuovi a ogni chiamata.
    Fonte: documento S1 per la griglia.
    """
    printed = [
        [1.00, 0.00, 0.00, 0.00, 0.00],
        [0.43, 0.57, 0.00, 0.00, 0.00],
        [0.31, 0.32, 0.36, 0.00, 0.00],
        [0.23, 0.24, 0.27, 0.27, 0.00],
        [0.20, 0.24, 0.17, 0.17, 0.21],
    ]
    # righe: key h, e, l, o; colonne: query h, e, l, o
    keys = [[0.0, 0.0, 0.0, 0.0], [0.0, 0.28, 0.03, 0.18], [0.0, 0.0, 0.15, -0.16], [0.0, 0.0, 0.0, 0.05]]
    return Hello(
        tokens=tuple("hello"),
        printed=np.array(printed),
        letters=tuple("helo"),
        x=np.eye(4)[["helo".index(letter) for letter in "hello"]],
        W_Q=2.0 * np.eye(4),
        W_K=np.array(keys),
        W_V=np.eye(4),
    )

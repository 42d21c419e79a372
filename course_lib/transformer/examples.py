"""L'esempio del corso: chi guarda la parola «era» in «La chiave accanto ai libri era …».

I vettori q, k, v sono quelli del documento S0, inventati per l'insegnamento: nessun addestramento,
nessun significato grammaticale nelle componenti. Gli x e le matrici W che li producono sono una scelta
del corso, fatta perché q = x W_Q si possa calcolare. I numeri attesi sono scritti qui cifra per cifra,
calcolati a parte con l'aritmetica decimale, perché non dipendano dalla libreria che controllano.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

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

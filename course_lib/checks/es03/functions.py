"""es03 · La softmax, passaggio per passaggio: ogni passaggio ha un nome, e un errore tipico ne cambia uno.

Una `family` chiamata senza argomenti dà la funzione giusta; con un cambiamento dà quella sbagliata; con due
cambiamenti dà quella che contiene tutti e due gli errori.
"""

from __future__ import annotations

import math

import numpy as np

from course_lib.checks import common_slips


def _pages(scores):
    """Gli ultimi due assi, se ci sono: una pagina; un vettore è tutto la sua pagina."""
    return (-2, -1) if scores.ndim > 1 else (-1,)


SCALES = {
    "none": lambda s: s,
    "minus": lambda s: -s,
    "clip": lambda s: np.clip(s, -700, 700),
    "root": lambda s: s / np.sqrt(s.shape[-1]),
    "length": lambda s: s / s.shape[-1],
}
HIGHEST = {
    "row": lambda s: s.max(axis=-1, keepdims=True),
    "none": lambda s: 0.0,
    "all": lambda s: s.max(),
    "page": lambda s: s.max(axis=_pages(s), keepdims=True),
    "first axis": lambda s: s.max(axis=0, keepdims=True),
    "column": lambda s: s.max(axis=-2, keepdims=True),
    "axis one": lambda s: s.max(axis=1, keepdims=True),
    "no axis": lambda s: s.max(axis=-1),
    "minimum": lambda s: s.min(axis=-1, keepdims=True),
    "mean": lambda s: s.mean(axis=-1, keepdims=True),
    "absolute": lambda s: np.abs(s).max(axis=-1, keepdims=True),
    "first": lambda s: s[..., :1],
    "fixed": lambda s: 1000.0,                  # quello del conto su carta
}
EXPONENTIALS = {
    "exp": np.exp,
    "math": lambda s: np.array([math.exp(one) for one in s.ravel()]).reshape(s.shape),
    "two": lambda s: 2.0**s,
    "ten": lambda s: 10.0**s,
    "none": lambda s: s,
    "highest": lambda s: (s == s.max(axis=-1, keepdims=True)) * 1.0,
}


def _like_python(e):
    """Il totale di ogni riga, che si ferma se è 0 come la divisione di Python."""
    total = e.sum(axis=-1, keepdims=True)
    if (total == 0).any():
        raise ZeroDivisionError("float division by zero")
    return total


TOTALS = {
    "row": lambda e: e.sum(axis=-1, keepdims=True),
    "python": _like_python,
    "all": lambda e: e.sum(),
    "page": lambda e: e.sum(axis=_pages(e), keepdims=True),
    "first axis": lambda e: e.sum(axis=0, keepdims=True),
    "column": lambda e: e.sum(axis=-2, keepdims=True),
    "axis one": lambda e: e.sum(axis=1, keepdims=True),
    "no axis": lambda e: e.sum(axis=-1),
    "none": lambda e: 1.0,
    "length": lambda e: e.shape[-1],
    "largest": lambda e: e.max(axis=-1, keepdims=True),
    "partial": lambda e: e.cumsum(axis=-1),
    "modulus": lambda e: np.sqrt((e**2).sum(axis=-1, keepdims=True)),
}
FINISHES = {**common_slips.FINISHES, "log": lambda result, args: np.log(result)}


def softmax_family(scale="none", highest="row", exp="exp", total="row", finish="none"):
    """La softmax lungo l'ultimo asse.   scores: (..., S)   Restituisce: (..., S)."""

    def softmax(scores):
        scaled = SCALES[scale](np.asarray(scores))
        exponentials = EXPONENTIALS[exp](scaled - HIGHEST[highest](scaled))
        return FINISHES[finish](exponentials / TOTALS[total](exponentials), (scores,))

    return softmax


softmax = softmax_family()


def softmax_of_a_table(scores):
    """Il ciclo sulle righe che va bene soltanto con due assi: con uno scorre numeri, con tre pagine."""
    result = np.zeros(scores.shape)
    for i, row in enumerate(scores):
        exponentials = np.exp(row - np.max(row))
        result[i] = exponentials / np.sum(exponentials)
    return result


TEMPERATURES = {
    "divide": lambda s, tau: s / tau,
    "multiply": lambda s, tau: s * tau,
    "none": lambda s, tau: s,
    "root": lambda s, tau: s / np.sqrt(tau),
    "subtract": lambda s, tau: s - tau,
    "power": lambda s, tau: s**tau,
    "whole": lambda s, tau: s // tau,
    "fixed": lambda s, tau: s / 2,              # quella del conto su carta
}
AFTERWARDS = {
    "none": lambda weights, tau: weights,
    "divide": lambda weights, tau: weights / tau,
    "multiply": lambda weights, tau: weights * tau,
}


def temperature_family(tau="divide", after="none", finish="none", **softmax_steps):
    """La softmax a una temperatura.   scores: (..., S)   tau: un numero   Restituisce: (..., S)."""
    inner = softmax_family(**softmax_steps)
    steps = TEMPERATURES[tau], AFTERWARDS[after]

    def at_temperature(scores, tau):
        before, afterwards = steps
        return FINISHES[finish](afterwards(inner(before(np.asarray(scores), tau)), tau), (scores,))

    return at_temperature

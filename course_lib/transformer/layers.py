"""Gli strati che lavorano su una posizione alla volta: proiezione, LayerNorm, ReLU, GELU, feed-forward.

Come nell'attenzione: gli assi iniziali sono liberi, il tipo che esce è quello che entra (float16 si
calcola in float32, gli interi diventano float64), nessun ingresso è modificato, e lo stesso codice
vale per un `Tensor`.
"""

from __future__ import annotations

import math

import numpy as np

from course_lib.transformer.arrays import as_array, as_float, cast, expect_axes, expect_length, result_dtype

EPS = 1e-5                                           # si somma alla varianza, nella LayerNorm
GELU_ROOT = math.sqrt(2.0 / math.pi)                 # GELU: 0,5 x (1 + tanh(GELU_ROOT (x + GELU_CUBE x³)))
GELU_CUBE = 0.044715


def linear(x, W, b=None):
    """Proiezione x W + b, la stessa per ogni riga di x.

    x: (..., d_in)   W: (d_in, d_out)   b: (d_out,), o niente
    Restituisce: (..., d_out).
    Solleva ValueError se le forme non combaciano.
    """
    x, W = as_array("x", x), as_array("W", W)
    expect_axes("x", x, 1, "(..., d_in)")
    _expect_matrix("W", W, "(d_in, d_out)")
    expect_length("x", x, -1, W.shape[0], "d_in, le righe di W")
    if b is None:
        return cast(as_float(x) @ as_float(W), result_dtype(x, W))       # (..., d_in) -> (..., d_out)
    b = _row("b", b, W.shape[1], "d_out, le colonne di W")
    return cast(as_float(x) @ as_float(W) + as_float(b), result_dtype(x, W, b))


def layer_norm(x, gamma, beta, eps=EPS):
    """Porta ogni riga a media 0 e varianza 1, poi la scala di gamma e la sposta di beta.

    x: (..., d)   gamma, beta: (d,)   eps: si somma alla varianza, dentro la radice
    La varianza è quella con il divisore d (non d − 1).
    Restituisce: (..., d).
    Solleva ValueError se gamma o beta non sono lunghi d, o se eps non è positivo.
    Fonte: Ba, Kiros e Hinton 2016, eq. 3 e 4.
    """
    x = as_array("x", x)
    expect_axes("x", x, 1, "(..., d)")
    gamma = _row("gamma", gamma, x.shape[-1], "d, come in x")
    beta = _row("beta", beta, x.shape[-1], "d, come in x")
    if not (x.shape[-1] and eps > 0):
        raise ValueError(
            f"layer_norm: mi aspettavo d almeno 1 ed eps positivo, sono arrivati {x.shape[-1]} e {eps}."
        )
    dtype = result_dtype(x, gamma, beta)
    x, gamma, beta = as_float(x), as_float(gamma), as_float(beta)
    centred = x - np.mean(x, axis=-1, keepdims=True)                     # (..., d), di media 0
    variance = np.mean(centred * centred, axis=-1, keepdims=True)        # (..., d) -> (..., 1)
    return cast(centred / np.sqrt(variance + eps) * gamma + beta, dtype)


def relu(x):
    """x dove è positivo, 0 altrove. x: (...)."""
    x = as_array("x", x)
    return cast(np.maximum(as_float(x), 0.0), result_dtype(x))


def gelu(x):
    """x per una soglia morbida che va da 0 a 1, nella forma con la tangente iperbolica.

    x: (...)   Restituisce: (...), 0,5 x (1 + tanh(√(2/π) (x + 0,044715 x³))).
    È l'approssimazione di GPT-2: NumPy non ha la funzione degli errori della forma esatta, e le due
    differiscono di meno di 0,0005. In PyTorch è `gelu(x, approximate="tanh")`.
    Fonte: Hendrycks e Gimpel 2016, §2.
    """
    x = as_array("x", x)
    dtype = result_dtype(x)
    x = as_float(x)
    with np.errstate(over="ignore", under="ignore"):                     # x³ enorme: tanh dà 1
        cube = x * x * x                                                 # più svelto di x**3
        return cast(0.5 * x * (1.0 + np.tanh(GELU_ROOT * (x + GELU_CUBE * cube))), dtype)


def feed_forward(x, W_1, b_1, W_2, b_2, activation=gelu):
    """Rete feed-forward: allarga, attiva, stringe; ogni posizione per conto suo.

    x: (..., d)   W_1: (d, d_ff)   b_1: (d_ff,)   W_2: (d_ff, d)   b_2: (d,)
    activation: la funzione in mezzo; Vaswani et al. usano relu
    Restituisce: (..., d).
    Solleva ValueError se le forme non combaciano.
    Fonte: Vaswani et al. 2017, §3.3, eq. 2.
    """
    hidden = activation(linear(x, W_1, b_1))                             # (..., d) -> (..., d_ff)
    return linear(hidden, W_2, b_2)                                      # (..., d_ff) -> (..., d)


def _expect_matrix(name, matrix, form):
    if matrix.ndim != 2:
        raise ValueError(f"{name}: mi aspettavo la forma {form}, è arrivata la forma {tuple(matrix.shape)}.")


def _row(name, row, length, what):
    """Un vettore di parametri, lungo quanto deve."""
    row = as_array(name, row)
    if row.ndim != 1:
        raise ValueError(f"{name}: mi aspettavo la forma ({length},), è arrivata {tuple(row.shape)}.")
    expect_length(name, row, -1, length, what)
    return row

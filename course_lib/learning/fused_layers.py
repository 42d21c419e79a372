"""Gli strati che lavorano riga per riga, in forma svelta: LayerNorm, GELU, e ciò che segue una LayerNorm.

Fra una LayerNorm e la proiezione che la segue si risparmia molto: gamma moltiplica la matrice invece delle
righe, beta si somma al termine noto, e una matrice con le colonne di media 0 toglie da sé, tornando indietro,
la media dei gradienti. Si va per blocchi di righe: fra un passaggio e l'altro i numeri restano vicini.
"""

from __future__ import annotations

import numpy as np

from course_lib.learning.array_functions import value
from course_lib.learning.autograd import Tensor, record
from course_lib.learning.exponentials import UNIT, exponential
from course_lib.learning.memory import empty, spread
from course_lib.transformer.layers import EPS, GELU_CUBE, GELU_ROOT

_BLOCK = 65536                                       # numeri per volta, in GELU
_WIDE = 1 << 18                                      # numeri in un blocco di righe: stanno ancora vicini
_ROOT = 2.0 * GELU_ROOT                              # 2a = _ROOT (x + GELU_CUBE x³)


def result(data, parents, back):
    """Un Tensor se lo è qualche argomento, se no un array."""
    return record(data, parents, back) if any(type(p) is Tensor for p in parents) else data


def wanted(x):
    """Vero se di x si vuole il gradiente."""
    return type(x) is Tensor and x.requires_grad


def place(parameter, shape, dtype):
    """Dove scrivere il gradiente di un parametro: al suo posto, se è libero."""
    if type(parameter) is Tensor and parameter._place is not None:
        if parameter.grad is None and parameter._back is None:
            return parameter._place
    return empty(shape, dtype)


def rows_of(array):
    """(..., d) -> (n, d)."""
    return array.reshape(-1, array.shape[-1])


class _Normal:
    """Righe portate a media 0 e varianza 1, per blocchi, e la strada per tornare indietro."""

    def __init__(self, rows, eps=EPS):
        n, self.d = rows.shape
        self.rows, self.dtype, self.eps = rows, rows.dtype, rows.dtype.type(eps)
        self.ones = np.ones(self.d, self.dtype)                         # una somma è un prodotto
        self.values = empty((n, self.d), self.dtype)
        self.root = np.empty(n, self.dtype)

    def blocks(self, width):
        """Blocchi di righe larghe width: al più _WIDE numeri ciascuno, ma almeno una riga. Uno almeno c'è."""
        step = max(1, _WIDE // max(width, 1))
        return [slice(start, start + step) for start in range(0, max(len(self.rows), 1), step)]

    def forward(self, b):
        """Calcola il blocco b: (m, d)."""
        u, rows = self.values[b], self.rows[b]
        mean = rows @ self.ones
        mean /= self.dtype.type(self.d)                                 # così una riga costante va a 0
        np.subtract(rows, mean[:, None], out=u)
        variance = np.vecdot(u, u)
        variance *= self.dtype.type(1.0 / self.d)
        variance += self.eps
        self.root[b] = np.reciprocal(np.sqrt(variance))
        u *= spread(self.root[b], self.d)
        return u

    def backward(self, g, b):
        """Da g, (m, d), il gradiente di self.values[b], a quello delle righe: in g stesso.

        La media di ogni riga di g deve essere già 0.
        """
        u = self.values[b]
        along = np.vecdot(g, u)                                         # quanto g allunga la riga
        along *= self.dtype.type(1.0 / self.d)
        along = spread(along, self.d)
        along *= u
        g -= along
        g *= spread(self.root[b], self.d)


class _Projection:
    """normal (γ W) + (β W + b): una proiezione che ha assorbito gamma e beta, e i suoi gradienti.

    γ moltiplica le righe di W; alle colonne si toglie la media: il risultato non cambia, perché le righe di
    normal hanno media 0.
    """

    def __init__(self, gamma, beta, W, b):
        self.parameters = gamma, beta, W, b
        self.scale, self.shift, self.w = value(gamma), value(beta), value(W)
        d, dtype = len(self.w), self.w.dtype
        self.matrix = np.multiply(self.scale[:, None], self.w, out=empty(self.w.shape, dtype))   # (d, d_out)
        self.matrix -= np.full(d, 1.0 / max(d, 1), dtype) @ self.matrix
        self.row = self.shift @ self.w                                              # (d_out,)
        if b is not None:
            self.row += value(b)

    def gradients(self, normal, g, total):
        """I gradienti di gamma, beta, W, b. normal: (n, d)   g: quello del risultato, (n, d_out)

        total: la somma delle righe di g, (d_out,)
        """
        gamma, beta, W, b = self.parameters
        dtype, d_gamma, d_beta, dW, db = self.w.dtype, None, None, None, None
        G = np.matmul(normal.T, g, out=empty(self.w.shape, dtype))                  # (d, d_out)
        if wanted(gamma):
            d_gamma = np.vecdot(self.w, G, out=place(gamma, self.scale.shape, dtype))
        if wanted(beta):
            d_beta = np.matmul(self.w, total, out=place(beta, self.shift.shape, dtype))
        if wanted(W):
            dW = np.multiply(G, self.scale[:, None], out=place(W, self.w.shape, dtype))
            dW += np.multiply(self.shift[:, None], total, out=G)
        if wanted(b):
            db = place(b, total.shape, dtype)
            db[...] = total
        return d_gamma, d_beta, dW, db


def norm_linear(x, gamma, beta, W, b=None):
    """linear(layer_norm(x, gamma, beta), W, b). x: (..., d)   W: (d, d_out)   Restituisce: (..., d_out)."""
    X, w = value(x), value(W)
    normal, projection = _Normal(rows_of(X)), _Projection(gamma, beta, W, b)
    dtype, n, d_out = X.dtype, normal.rows.shape[0], w.shape[1]
    y = empty((n, d_out), dtype)
    for block in normal.blocks(d_out):
        np.matmul(normal.forward(block), projection.matrix, out=y[block])
        y[block] += projection.row

    def back(g):
        g = rows_of(g)
        dx = empty(normal.rows.shape, dtype)
        for block in normal.blocks(d_out):
            u = np.matmul(g[block], projection.matrix.T, out=dx[block])
            normal.backward(u, block)
        return dx.reshape(X.shape), *projection.gradients(normal.values, g, column_sums(g))

    return result(y.reshape(*X.shape[:-1], d_out), (x, gamma, beta, W, b), back)


def norm_feed_forward(x, gamma, beta, W_1, b_1, W_2, b_2):
    """feed_forward(layer_norm(x, gamma, beta), W_1, b_1, W_2, b_2). x: (..., d)   Restituisce: (..., d)."""
    parents = (x, gamma, beta, W_1, b_1, W_2, b_2)
    X, w2 = value(x), value(W_2)
    normal, first = _Normal(rows_of(X)), _Projection(gamma, beta, W_1, b_1)
    dtype, n, (d_ff, d_out) = X.dtype, normal.rows.shape[0], w2.shape
    learning = any(wanted(p) for p in parents)
    y, active = empty((n, d_out), dtype), empty((n, d_ff), dtype)
    slope = empty((n, d_ff), dtype) if learning else None
    blocks = normal.blocks(d_ff)
    for block in blocks:
        hidden = empty((len(y[block]), d_ff), dtype)
        np.matmul(normal.forward(block), first.matrix, out=hidden)
        hidden += first.row
        gelu(hidden.reshape(-1), active[block].reshape(-1), slope[block].reshape(-1) if learning else None)
        np.matmul(active[block], w2, out=y[block])
        y[block] += value(b_2)

    def back(g):
        g = rows_of(g)
        dx, total = empty(normal.rows.shape, dtype), 0
        for block in blocks:
            dh = np.matmul(g[block], w2.T, out=empty(slope[block].shape, dtype))
            dh = np.multiply(dh, slope[block], out=slope[block])
            total += column_sums(dh)
            u = np.matmul(dh, first.matrix.T, out=dx[block])
            normal.backward(u, block)
        dW_2 = np.matmul(active.T, g, out=place(W_2, w2.shape, dtype)) if wanted(W_2) else None
        db_2 = column_sums(g, b_2) if wanted(b_2) else None
        return dx.reshape(X.shape), *first.gradients(normal.values, slope, total), dW_2, db_2

    return result(y.reshape(*X.shape[:-1], d_out), parents, back)


def layer_norm(x, gamma, beta, eps=EPS):
    """Media 0 e varianza 1 per riga, poi gamma e beta. x: (..., d)   Restituisce: (..., d)."""
    X, scale, shift = value(x), value(gamma), value(beta)
    normal, dtype = _Normal(rows_of(X), eps), X.dtype
    y, blocks = empty(normal.rows.shape, dtype), normal.blocks(4 * normal.d)
    for block in blocks:
        np.multiply(normal.forward(block), scale, out=y[block])
        y[block] += shift

    def back(g):
        g = rows_of(g)
        d_beta = column_sums(g, beta)
        d_gamma = place(gamma, scale.shape, dtype)
        d_gamma[...] = 0
        dx = empty(g.shape, dtype)
        weighted = scale / dtype.type(normal.d)                         # la media di g γ è un prodotto solo
        for block in blocks:
            u = dx[block]
            np.multiply(g[block], normal.values[block], out=u)
            d_gamma += column_sums(u)
            np.multiply(g[block], scale, out=u)
            u -= (g[block] @ weighted)[:, None]
            normal.backward(u, block)
        return dx.reshape(X.shape), d_gamma, d_beta

    return result(y.reshape(X.shape), (x, gamma, beta), back)


def gelu(x, y, slope=None):
    """GELU di x in y, e la sua derivata in slope, se c'è: (n,) tutti e tre."""
    room = empty((3, min(_BLOCK, x.size)), x.dtype)
    with np.errstate(over="ignore"):                                    # e^(molto) = ∞, il cui inverso è 0
        for start in range(0, x.size, _BLOCK):
            part = slice(start, start + _BLOCK)
            _gelu_block(x[part], y[part], None if slope is None else slope[part], room)


def _gelu_block(x, y, slope, room):
    """0,5 (1 + tanh a) è la sigmoide σ(2a) = 1 / (1 + e^(−2a)): y = x σ, y' = σ + x σ (1 − σ) (2a)'."""
    square, t, w = room[:, : x.size]
    np.multiply(x, x, out=square)
    np.multiply(square, -UNIT * _ROOT * GELU_CUBE, out=t)
    t += -UNIT * _ROOT
    t *= x                                                              # −2a, nell'unità di exponential
    exponential(t, out=t)
    t += 1.0
    np.reciprocal(t, out=t)                                             # σ
    np.multiply(x, t, out=y)
    if slope is None:
        return
    square *= 3.0 * _ROOT * GELU_CUBE
    square += _ROOT                                                     # (2a)'
    np.multiply(y, t, out=w)
    np.subtract(y, w, out=w)                                            # x σ (1 − σ)
    w *= square
    np.add(w, t, out=slope)


def column_sums(g, parameter=None):
    """La somma di ogni colonna, come prodotto: (n, d) -> (d,), scritta dove va il gradiente di parameter."""
    ones = np.ones(len(g), g.dtype)
    return ones @ g if parameter is None else np.matmul(ones, g, out=place(parameter, g.shape[1:], g.dtype))

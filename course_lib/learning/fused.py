"""Le operazioni di `transformer.ops` in forma svelta: un nodo per operazione, col gradiente scritto a mano.

Stessi nomi, stessi argomenti e stessi risultati di `ops`, per array o per Tensor. Non controllano nulla e non
danno errori in italiano: le chiama un modello, che ha già controllato. Ciò che conta per la velocità: pochi
passaggi sui dati, a blocchi che stanno nella memoria vicina; prodotti fra matrici al posto delle somme;
il gradiente di ogni parametro scritto subito al suo posto.
"""

from __future__ import annotations

import math

import numpy as np

from course_lib.learning.array_functions import value
from course_lib.learning.autograd import Tensor, record
from course_lib.learning.fused_attention import (
    attention,
    merge_heads,
    range_is_narrow,
    split_heads,
    split_qkv,
)
from course_lib.learning.memory import empty

__all__ = [
    "attention",
    "cross_entropy",
    "embedding",
    "gelu",
    "layer_norm",
    "linear",
    "merge_heads",
    "split_heads",
    "split_qkv",
]

_ROOT = math.sqrt(2.0 / math.pi)
_CUBE = 0.044715
_BLOCK = 32768                                       # numeri per volta: stanno nella memoria vicina (L1, L2)
_ONE_HOT_LIMIT = 512                                 # token: oltre, conviene ordinare


def _result(data, parents, back):
    """Un Tensor se lo è qualche argomento, se no un array."""
    return record(data, parents, back) if any(type(p) is Tensor for p in parents) else data


def _wanted(x):
    return type(x) is Tensor and x.requires_grad


def _place(parameter, shape, dtype):
    """Dove scrivere il gradiente di un parametro: al suo posto, se è libero."""
    if parameter._place is not None and parameter.grad is None and parameter._back is None:
        return parameter._place
    return empty(shape, dtype)


def _rows(array):
    """(..., d) -> (n, d)."""
    return array.reshape(-1, array.shape[-1])


def linear(x, W, b=None):
    """x W + b. x: (..., d_in)   W: (d_in, d_out)   b: (d_out,)   Restituisce: (..., d_out)."""
    X, w = value(x), value(W)
    rows, dtype = _rows(X), np.result_type(X, w)
    y = np.matmul(rows, w, out=empty((len(rows), w.shape[1]), dtype))    # (n, d_in) -> (n, d_out)
    if b is not None:
        y += value(b)

    def back(g):
        g = _rows(g)
        dx = dW = db = None
        if _wanted(x):
            dx = np.matmul(g, w.T, out=empty(rows.shape, dtype)).reshape(X.shape)
        if _wanted(W):
            dW = np.matmul(rows.T, g, out=_place(W, w.shape, dtype))
        if _wanted(b):
            db = np.matmul(_ones(len(g), dtype), g, out=_place(b, (w.shape[1],), dtype))
        return dx, dW, db

    return _result(y.reshape(*X.shape[:-1], w.shape[1]), (x, W, b), back)


def layer_norm(x, gamma, beta, eps=1e-5):
    """Media 0 e varianza 1 per riga, poi gamma e beta. x: (..., d)   Restituisce: (..., d)."""
    X, scale, shift = value(x), value(gamma), value(beta)
    rows, dtype = _rows(X), X.dtype
    n, d = rows.shape
    average = np.full(d, 1.0 / d, dtype)                                # una media è un prodotto
    normal, y, root = empty((n, d), dtype), empty((n, d), dtype), np.empty((n, 1), dtype)
    for b in _row_blocks(n, d):
        u, v = normal[b], y[b]
        np.subtract(rows[b], (rows[b] @ average)[:, None], out=u)
        np.multiply(u, u, out=v)
        root[b, 0] = 1.0 / np.sqrt(v @ average + dtype.type(eps))
        u *= root[b]
        np.multiply(u, scale, out=v)
        v += shift

    def back(g):
        g = _rows(g)
        d_gamma, d_beta = (
            _place(p, (d,), dtype) if _wanted(p) else np.empty(d, dtype) for p in (gamma, beta)
        )
        d_gamma[...] = d_beta[...] = 0
        dx = empty((n, d), dtype)
        weighted = scale * average                                      # la media di g γ è un prodotto solo
        for b in _row_blocks(n, d):
            u, v, ones = normal[b], dx[b], _ones(len(g[b]), dtype)
            d_beta += ones @ g[b]
            np.multiply(g[b], u, out=v)
            d_gamma += ones @ v
            along, level = v @ weighted, g[b] @ weighted                # quanto g allunga e sposta la riga
            np.multiply(g[b], scale, out=v)
            v -= np.multiply(u, along[:, None], out=u)                  # normal non serve più
            v -= level[:, None]
            v *= root[b]
        return dx.reshape(X.shape), d_gamma, d_beta

    return _result(y.reshape(X.shape), (x, gamma, beta), back)


def _row_blocks(n, d):
    step = max(1, _BLOCK // max(d, 1))
    return [slice(start, start + step) for start in range(0, n, step)]


def gelu(x):
    """0,5 x (1 + tanh(√(2/π) (x + 0,044715 x³))). x: (...)   Restituisce: (...)."""
    X = value(x)
    dtype, wanted = X.dtype, _wanted(x)
    flat = X.reshape(-1)
    y = empty(flat.shape, dtype)
    slope = empty(flat.shape, dtype) if wanted else None                # la derivata, nello stesso giro
    room = np.empty((3, min(_BLOCK, flat.size)), dtype)
    for start in range(0, flat.size, _BLOCK):
        part = slice(start, start + _BLOCK)
        _gelu_block(flat[part], y[part], slope[part] if wanted else None, room)

    def back(g):
        return (np.multiply(g, slope.reshape(X.shape), out=empty(X.shape, dtype)),)

    return _result(y.reshape(X.shape), (x,), back)


def _gelu_block(x, y, slope, room):
    """Un blocco di gelu, tutto nella memoria vicina; slope, se c'è, riceve la derivata."""
    square, t, w = room[:, : x.size]
    np.multiply(x, x, out=square)
    np.multiply(square, _ROOT * _CUBE, out=t)
    t += _ROOT
    t *= x                                                              # √(2/π) (x + 0,044715 x³)
    np.tanh(t, out=t)
    if slope is None:
        t += 1.0
        np.multiply(t, x, out=y)
        y *= 0.5
        return
    np.multiply(square, 1.5 * _ROOT * _CUBE, out=w)
    w += 0.5 * _ROOT
    w *= x                                                              # x/2 · d(argomento)/dx
    np.multiply(t, t, out=square)
    np.subtract(1.0, square, out=square)                                # 1 − tanh²
    w *= square
    t *= 0.5
    t += 0.5
    np.multiply(t, x, out=y)
    np.add(w, t, out=slope)


def embedding(table, ids, scale, positions):
    """Righe di table, (V, d), per scale, più positions. ids: (..., T)   Restituisce: (..., T, d)."""
    rows = value(table)
    x = np.take(rows, ids, axis=0)                                      # (..., T) -> (..., T, d)
    x *= rows.dtype.type(scale)
    x += positions

    def back(g):
        return (_sum_by_token(_rows(g), ids.reshape(-1), rows.shape[0], scale, table),)

    return _result(x, (table,), back)


def _sum_by_token(g, ids, V, scale, table):
    """Somma le righe di g che appartengono allo stesso token: (n, d) -> (V, d)."""
    out = _place(table, (V, g.shape[1]), g.dtype)
    if V <= _ONE_HOT_LIMIT:
        chosen = (ids == np.arange(V)[:, None]) * g.dtype.type(scale)   # (V, n), un solo valore per colonna
        return np.matmul(chosen, g, out=out)
    order = np.argsort(ids, kind="stable")
    tokens, first = np.unique(ids[order], return_index=True)
    out[...] = 0
    if tokens.size:
        out[tokens] = np.add.reduceat(g[order], first, axis=0) * g.dtype.type(scale)
    return out


def cross_entropy(logits, targets, counted=None):
    """La media di −ln p(bersaglio). logits: (..., V)   targets: (...) interi   Restituisce: un numero.

    counted: (...) bool, quali posizioni contano; se manca, tutte
    """
    L = value(logits)
    rows, dtype = _rows(L), L.dtype
    n, V = rows.shape
    targets = np.reshape(targets, -1)
    weight = np.full(n, 1 / n, dtype) if counted is None else _weights(np.reshape(counted, -1), dtype)
    p = empty((n, V), dtype)
    if range_is_narrow(rows):
        highest = dtype.type(0)
        np.exp(rows, out=p)
    else:
        highest = np.max(rows, axis=1)
        np.subtract(rows, highest[:, None], out=p)
        np.exp(p, out=p)
    total = p @ _ones(V, dtype)                                         # (n, V) -> (n,)
    here = np.arange(n) * V + targets
    surprise = np.log(total) + highest - np.take(rows, here) if n else total
    loss = np.asarray(np.dot(surprise, weight), dtype)

    def back(g):
        factor = weight * dtype.type(g)
        np.multiply(p, (factor / total)[:, None], out=p)
        p.reshape(-1)[here] -= factor
        return (p.reshape(L.shape),)

    return _result(loss, (logits,), back)


def _weights(counted, dtype):
    return (counted / max(int(counted.sum()), 1)).astype(dtype)


def _ones(n, dtype):
    return np.ones(n, dtype)

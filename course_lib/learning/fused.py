"""Le operazioni di `transformer.ops` in forma svelta: un nodo per operazione, col gradiente scritto a mano.

Stessi nomi, stessi argomenti e stessi risultati di `ops`, per array o per Tensor. Non controllano nulla e non
danno errori in italiano: le chiama un modello, che ha già controllato. Ciò che conta per la velocità: pochi
passaggi sui dati, a blocchi che stanno nella memoria vicina; prodotti fra matrici al posto delle somme;
il gradiente di ogni parametro scritto subito al suo posto.
"""

from __future__ import annotations

import numpy as np

from course_lib.learning.array_functions import value
from course_lib.learning.fused_attention import (
    attention,
    merge_heads,
    split_heads,
    split_qkv,
    sums_are_good,
)
from course_lib.learning.fused_layers import (
    column_sums,
    layer_norm,
    norm_feed_forward,
    norm_linear,
    place,
    result,
    rows_of,
    wanted,
)
from course_lib.learning.memory import empty

__all__ = [
    "attention",
    "cross_entropy",
    "embedding",
    "layer_norm",
    "linear",
    "merge_heads",
    "norm_feed_forward",
    "norm_linear",
    "split_heads",
    "split_qkv",
]

_ONE_HOT_LIMIT = 512                                 # token: oltre, conviene ordinare


def linear(x, W, b=None):
    """x W + b. x: (..., d_in)   W: (d_in, d_out)   b: (d_out,)   Restituisce: (..., d_out)."""
    X, w = value(x), value(W)
    rows, dtype = rows_of(X), np.result_type(X, w)
    y = np.matmul(rows, w, out=empty((len(rows), w.shape[1]), dtype))    # (n, d_in) -> (n, d_out)
    if b is not None:
        y += value(b)

    def back(g):
        g = rows_of(g)
        dx = dW = db = None
        if wanted(x):
            dx = np.matmul(g, w.T, out=empty(rows.shape, dtype)).reshape(X.shape)
        if wanted(W):
            dW = np.matmul(rows.T, g, out=place(W, w.shape, dtype))
        if wanted(b):
            db = column_sums(g, b)
        return dx, dW, db

    return result(y.reshape(*X.shape[:-1], w.shape[1]), (x, W, b), back)


def embedding(table, ids, scale, positions):
    """Righe di table, (V, d), per scale, più positions. ids: (..., T)   Restituisce: (..., T, d)."""
    rows = value(table)
    x = np.take(rows, ids, axis=0)                                      # (..., T) -> (..., T, d)
    x *= rows.dtype.type(scale)
    x += positions

    def back(g):
        return (_sum_by_token(rows_of(g), ids.reshape(-1), rows.shape[0], scale, table),)

    return result(x, (table,), back)


def _sum_by_token(g, ids, V, scale, table):
    """Somma le righe di g che appartengono allo stesso token: (n, d) -> (V, d)."""
    out = place(table, (V, g.shape[1]), g.dtype)
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
    rows, dtype = rows_of(L), L.dtype
    n, V = rows.shape
    targets = np.reshape(targets, -1)
    weight = np.full(n, 1 / n, dtype) if counted is None else _weights(np.reshape(counted, -1), dtype)
    p = empty((n, V), dtype)
    highest = dtype.type(0)
    with np.errstate(over="ignore"):                                    # se trabocca si rifà
        np.exp(rows, out=p)
        total = p @ np.ones(V, dtype)                                     # (n, V) -> (n,)
    if not sums_are_good(total):
        highest = np.max(rows, axis=1)
        np.subtract(rows, highest[:, None], out=p)
        np.exp(p, out=p)
        total = p @ np.ones(V, dtype)
    here = np.arange(n) * V + targets
    surprise = np.log(total) - (np.take(rows, here) - highest) if n else total
    loss = np.asarray(np.dot(surprise, weight), dtype)

    def back(g):
        factor = weight * dtype.type(g)
        np.multiply(p, (factor / total)[:, None], out=p)
        p.reshape(-1)[here] -= factor
        return (p.reshape(L.shape),)

    return result(loss, (logits,), back)


def _weights(counted, dtype):
    return (counted / max(int(counted.sum()), 1)).astype(dtype)

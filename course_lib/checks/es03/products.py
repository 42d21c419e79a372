"""es03 · Punteggi e attenzione in blocco, passaggio per passaggio: un errore tipico ne cambia uno."""

from __future__ import annotations

import numpy as np

from course_lib.checks.es03.functions import EXPONENTIALS, FINISHES, HIGHEST, TOTALS, softmax_family


def swapped(K):
    """Righe e colonne scambiate, pagina per pagina.   K: (..., S, d_k)   Restituisce: (..., d_k, S)."""
    return np.swapaxes(K, -1, -2)


def _first_page(Q, K):
    while Q.ndim > 2:
        Q, K = Q[0], K[0]
    return Q @ swapped(K)


def _all_together(Q, K):
    return Q.reshape(-1, Q.shape[-1]) @ K.reshape(-1, K.shape[-1]).T


def _summed_pages(Q, K):
    each = Q @ swapped(K)
    return each.sum(axis=tuple(range(each.ndim - 2)))


def _first_row(Q, K):
    products = Q @ swapped(K)
    products[..., 1:, :] = 0
    return products


def _last_row_lost(Q, K):
    products = Q @ swapped(K)
    products[..., -1, :] = 0
    return products


PRODUCTS = {
    "right": lambda Q, K: Q @ swapped(K),
    "no swap": lambda Q, K: Q @ K,
    "Q swapped": lambda Q, K: swapped(Q) @ K,
    "turned": lambda Q, K: K @ swapped(Q),
    "turned back": lambda Q, K: swapped(Q @ swapped(K)),
    "all axes": lambda Q, K: Q @ K.T,
    "first axes": lambda Q, K: Q @ np.swapaxes(K, 0, 1),
    "dot": lambda Q, K: np.dot(Q, swapped(K)),
    "dot, all axes": lambda Q, K: np.dot(Q, K.T),
    "first page": _first_page,
    "all together": _all_together,
    "summed pages": _summed_pages,
    "elementwise": lambda Q, K: Q * K,
    "row by row": lambda Q, K: (Q * K).sum(axis=-1),
    "not summed": lambda Q, K: Q[..., :, None, :] * K[..., None, :, :],
    "last": lambda Q, K: Q[..., -1:] @ swapped(K[..., -1:]),
    "early": lambda Q, K: Q[..., :1] @ swapped(K[..., :1]),
    "but last": lambda Q, K: Q[..., :-1] @ swapped(K[..., :-1]),
    "first row": _first_row,
    "last row lost": _last_row_lost,
    "same row": lambda Q, K: 0 * (Q @ swapped(K)) + Q[..., -1:, :] @ swapped(K),
    "first key page": lambda Q, K: Q @ swapped(K[(0,) * (K.ndim - 2)]),
}
SCALES = {
    "root": lambda Q, K, V: np.sqrt(Q.shape[-1]),
    "none": lambda Q, K, V: 1.0,
    "full": lambda Q, K, V: Q.shape[-1],
    "times": lambda Q, K, V: 1 / np.sqrt(Q.shape[-1]),
    "two": lambda Q, K, V: np.sqrt(2.0),
    "L": lambda Q, K, V: np.sqrt(Q.shape[-2]),
    "S": lambda Q, K, V: np.sqrt(K.shape[-2]),
    "d_v": lambda Q, K, V: np.sqrt(V.shape[-1]),
    "first length": lambda Q, K, V: np.sqrt(len(Q)),
    "first key length": lambda Q, K, V: np.sqrt(len(K)),
    "axis one": lambda Q, K, V: np.sqrt(Q.shape[1]),
    "key axis one": lambda Q, K, V: np.sqrt(K.shape[1]),
    "fixed": lambda Q, K, V: 2.0,               # quella del conto su carta
    # d_k ** 1 / 2 senza parentesi: prima la potenza, poi la divisione
    "twice": lambda Q, K, V: 2 * Q.shape[-1],
    "half": lambda Q, K, V: Q.shape[-1] / 2,
    "cosine": lambda Q, K, V: (
        np.linalg.norm(Q, axis=-1)[..., :, None] * np.linalg.norm(K, axis=-1)[..., None, :] + 1e-300
    ),
}
AFTER_SCORES = {"none": lambda s: s, "softmax": softmax_family()}


def scores_family(product="right", scale="root", after="none", finish="none"):
    """I punteggi scalati.   Q: (..., L, d_k)   K: (..., S, d_k)   Restituisce: (..., L, S)."""

    def block_scores(Q, K):
        Q, K = np.asarray(Q), np.asarray(K)
        scores = AFTER_SCORES[after](PRODUCTS[product](Q, K) / SCALES[scale](Q, K, K))
        return FINISHES[finish](scores, (Q, K))

    return block_scores


COMBINERS = {
    "weights": lambda scores, weights, V: weights @ V,
    "scores": lambda scores, weights, V: scores @ V,
    "turned": lambda scores, weights, V: swapped(weights) @ V,
    "mean": lambda scores, weights, V: weights * 0 @ V + V.mean(axis=-2, keepdims=True),
    "most": lambda scores, weights, V: (weights == weights.max(axis=-1, keepdims=True)) * 1.0 @ V,
    "dot": lambda scores, weights, V: np.dot(weights, V),
    "first value": lambda scores, weights, V: weights @ V[(0,) * (V.ndim - 2)],
}
ORDERS = {
    "output first": lambda output, weights, scores: (output, weights),
    "weights first": lambda output, weights, scores: (weights, output),
    "scores": lambda output, weights, scores: (output, scores),
    "turned": lambda output, weights, scores: (output, swapped(weights)),
}


def attention_family(
    product="right",
    scale="root",
    highest="row",
    exp="exp",
    total="row",
    combine="weights",
    values="V",
    order="output first",
    finish="none",
):
    """L'attenzione in blocco.   Q: (..., L, d_k)   K: (..., S, d_k)   V: (..., S, d_v).

    Restituisce: output (..., L, d_v) e i coefficienti (..., L, S)
    """

    def attention(Q, K, V):
        Q, K, V = np.asarray(Q), np.asarray(K), np.asarray(V)
        scores = PRODUCTS[product](Q, K) / SCALES[scale](Q, K, V)
        exponentials = EXPONENTIALS[exp](scores - HIGHEST[highest](scores))
        weights = exponentials / TOTALS[total](exponentials)
        output = COMBINERS[combine](scores, weights, K if values == "K" else V)
        return FINISHES[finish](ORDERS[order](output, weights, scores), (Q, K, V))

    return attention

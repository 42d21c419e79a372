"""es03: risposte giuste scritte nei modi più diversi, e una consegna riuscita a metà."""

from __future__ import annotations

import math

import numpy as np


def softmax_list(row):
    largest = max(row)
    exponentials = [math.exp(s - largest) for s in row]
    total = sum(exponentials)
    return [e / total for e in exponentials]


def softmax_recursive(scores):
    if scores.ndim > 1:
        return np.array([softmax_recursive(part) for part in scores])
    return np.array(softmax_list(scores))


def softmax_reshaped(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    return np.array([softmax_list(list(row)) for row in rows]).reshape(scores.shape)


def softmax_places(scores):
    out = np.zeros(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        e = np.exp(scores[place] - np.max(scores[place]))
        out[place] = e / e.sum()
    return out


def softmax_logarithm(scores):
    return np.exp(scores - np.logaddexp.reduce(scores.astype(float), axis=-1)[..., None])


def softmax_differences(scores):
    s = scores.astype(float)
    with np.errstate(over="ignore"):
        return 1 / np.exp(s[..., None, :] - s[..., :, None]).sum(axis=-1)


def softmax_moved(scores):
    first = np.moveaxis(scores, -1, 0)
    e = np.exp(first - first.max(axis=0))
    return np.moveaxis(e / e.sum(axis=0), 0, -1)


def temperature_stable(scores, tau):
    shifted = (scores - scores.max(axis=-1, keepdims=True)) / tau
    return np.exp(shifted) / np.exp(shifted).sum(axis=-1, keepdims=True)


def scores_loops(Q, K):
    if Q.ndim > 2:
        return np.array([scores_loops(q, k) for q, k in zip(Q, K, strict=True)])
    d_k = Q.shape[1]
    out = []
    for query in Q:
        row = []
        for key in K:
            product = 0.0
            for a, b in zip(query, key, strict=True):
                product += a * b
            row.append(product / math.sqrt(d_k))
        out.append(row)
    return np.array(out)


def scores_places(Q, K):
    L, S, d_k = Q.shape[-2], K.shape[-2], K.shape[-1]
    out = np.zeros((*Q.shape[:-2], L, S))
    for place in np.ndindex(Q.shape[:-2]):
        for i in range(L):
            for j in range(S):
                out[place][i, j] = np.dot(Q[place][i], K[place][j]) * d_k**-0.5
    return out


def scores_halved(Q, K):
    root = Q.shape[-1] ** 0.25
    return np.matmul(Q / root, np.moveaxis(K / root, -1, -2))


def scores_turned(Q, K):
    return np.swapaxes(K @ np.swapaxes(Q, -1, -2), -1, -2) / np.sqrt(K.shape[-1])


def attention_loops(Q, K, V):
    if Q.ndim > 2:
        pages = [attention_loops(*page) for page in zip(Q, K, V, strict=True)]
        return np.array([output for output, _ in pages]), np.array([weights for _, weights in pages])
    weights = [softmax_list(row) for row in scores_loops(Q, K).tolist()]
    output = []
    for row in weights:
        z = [0.0] * V.shape[1]
        for weight, value in zip(row, V.tolist(), strict=True):
            z = [total + weight * component for total, component in zip(z, value, strict=True)]
        output.append(z)
    return np.array(output), np.array(weights)


def attention_einsum(Q, K, V):
    scores = np.einsum("...id,...jd->...ij", Q, K) / math.sqrt(Q.shape[-1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / np.sum(e, axis=-1, keepdims=True)
    return np.einsum("...ij,...jv->...iv", weights, V), weights


def attention_divided_last(Q, K, V):
    scores = Q @ K.swapaxes(-2, -1) / Q.shape[-1] ** 0.5
    e = np.exp(scores - np.amax(scores, axis=-1)[..., np.newaxis])
    total = e.sum(axis=-1)[..., np.newaxis]
    return (e @ V) / total, e / total


def attention_flat(Q, K, V):
    lead, (L, d_k), (S, d_v) = Q.shape[:-2], Q.shape[-2:], V.shape[-2:]
    pages = [
        attention_loops(*page)
        for page in zip(Q.reshape(-1, L, d_k), K.reshape(-1, S, d_k), V.reshape(-1, S, d_v), strict=True)
    ]
    output = np.stack([output for output, _ in pages]).reshape(*lead, L, d_v)
    return output, np.stack([weights for _, weights in pages]).reshape(*lead, L, S)


RIGHT = {
    "softmax": [
        softmax_recursive,
        softmax_reshaped,
        softmax_places,
        softmax_logarithm,
        softmax_differences,
        softmax_moved,
        lambda scores: np.apply_along_axis(lambda row: np.array(softmax_list(row)), -1, scores),
    ],
    "at_temperature": [
        temperature_stable,
        lambda scores, tau: softmax_recursive(scores / tau),
        lambda scores, tau: softmax_places(np.array(scores, dtype=float) * (1 / tau)),
        lambda scores, tau: softmax_logarithm(np.divide(scores, tau)),
    ],
    "block_scores": [
        scores_loops,
        scores_places,
        scores_halved,
        scores_turned,
        lambda Q, K: np.einsum("...id,...jd->...ij", Q, K) / math.sqrt(K.shape[-1]),
        lambda Q, K: (Q[..., :, None, :] * K[..., None, :, :]).sum(axis=-1) / np.sqrt(Q.shape[-1]),
    ],
    "attention": [attention_loops, attention_einsum, attention_divided_last, attention_flat],
}

# due funzioni sbagliate e le altre due giuste: la temperatura moltiplica, l'attenzione restituisce i
# risultati in ordine inverso
HALF = {
    "at_temperature": '''def at_temperature(scores, tau):
    """La softmax alla temperatura tau."""
    return softmax(scores * tau)
''',
    "attention": '''def attention(Q, K, V):
    """L'attenzione in blocco."""
    weights = softmax(block_scores(Q, K))
    return weights, weights @ V
''',
}
HALF_POINTS = 6
HALF_SLIPS = {"moltiplicato per τ", "output e weights in ordine inverso"}

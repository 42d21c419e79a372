"""es02: risposte giuste, scritte nei modi più diversi, e una consegna con due errori."""

from __future__ import annotations

import math

import numpy as np


def project_loops(x, W):
    rows = x if x.ndim == 2 else x[None]
    out = []
    for row in rows:
        components = []
        for j in range(W.shape[1]):
            total = 0
            for i in range(W.shape[0]):
                total += row[i] * W[i, j]
            components.append(total)
        out.append(components)
    return np.array(out) if x.ndim == 2 else np.array(out[0])


def project_recursive(x, W):
    if x.ndim == 2:
        return np.array([project_recursive(row, W) for row in x])
    return np.array([sum(a * b for a, b in zip(x, column, strict=True)) for column in W.T])


def project_into_zeros(x, W):
    out = np.zeros((*x.shape[:-1], W.shape[1]))
    for i in range(W.shape[0]):
        out += x[..., i, None] * W[i]
    return out


def scores_loops(q, K):
    d_k = len(q)
    scores = []
    for key in K:
        total = 0.0
        for a, b in zip(q, key, strict=True):
            total += a * b
        scores.append(total / math.sqrt(d_k))
    return np.array(scores)


def scores_into_zeros(q, K):
    out = np.zeros(K.shape[0])
    for j in range(K.shape[0]):
        out[j] = np.dot(q, K[j]) / K.shape[1] ** 0.5
    return out


def softmax_loops(scores):
    exponentials = [math.exp(s) for s in scores]
    total = sum(exponentials)
    return np.array([e / total for e in exponentials])


def softmax_stable(scores):
    shifted = np.exp(scores - np.max(scores))
    return shifted / np.sum(shifted)


def softmax_differences(scores):
    return np.array([1 / sum(math.exp(other - s) for other in scores) for s in scores])


def combine_loops(weights, V):
    z = np.zeros(V.shape[1])
    for weight, value in zip(weights, V, strict=True):
        z += weight * value
    return z


def combine_components(weights, V):
    return np.array([sum(weights[j] * V[j][c] for j in range(len(V))) for c in range(len(V[0]))])


def attend_loops(i, X, W_Q, W_K, W_V):
    q = project_loops(X[i], W_Q)
    K = np.array([project_loops(x, W_K) for x in X])
    V = np.array([project_loops(x, W_V) for x in X])
    weights = softmax_loops(scores_loops(q, K))
    return combine_loops(weights, V), weights


def attend_matrix(i, X, W_Q, W_K, W_V):
    scores = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_K.shape[1])
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=1, keepdims=True)
    return (weights @ (X @ W_V))[i], weights[i]


def attend_einsum(i, X, W_Q, W_K, W_V):
    scores = np.einsum("d,de,fe,nf->n", X[i], W_Q, W_K, X) * W_Q.shape[1] ** -0.5
    weights = softmax_stable(scores)
    z = np.einsum("n,nd,de->e", weights, X, W_V)
    return z, weights


RIGHT = {
    "project": [
        project_loops,
        project_recursive,
        project_into_zeros,
        lambda x, W: np.dot(x, W),
        lambda x, W: np.einsum("...i,ij->...j", x, W),
        lambda x, W: (W.T @ x.T).T,
        lambda x, W: (x[..., None] * W).sum(axis=-2),
    ],
    "scaled_scores": [
        scores_loops,
        scores_into_zeros,
        lambda q, K: q @ K.T / np.sqrt(len(q)),
        lambda q, K: np.einsum("d,nd->n", q, K) * K.shape[1] ** -0.5,
        lambda q, K: (K * (q / math.sqrt(q.size))).sum(axis=1),
        lambda q, K: np.inner(q, K) / np.sqrt(q.shape)[0],
    ],
    "softmax_row": [
        softmax_loops,
        softmax_stable,
        softmax_differences,
        lambda scores: np.exp(scores) / sum(np.exp(scores)),
        lambda scores: math.e**scores / np.sum(math.e**scores),
        lambda scores: np.exp(scores - np.log(np.sum(np.exp(scores)))),
    ],
    "combine": [
        combine_loops,
        combine_components,
        lambda weights, V: sum(w * v for w, v in zip(weights, V, strict=True)),
        lambda weights, V: V.T @ weights,
        lambda weights, V: (weights[:, None] * V).sum(axis=0),
        lambda weights, V: np.average(V, axis=0, weights=weights),
    ],
    "attend": [attend_loops, attend_matrix, attend_einsum],
}

# una scala dimenticata e una funzione ancora vuota: attend, che le usa tutte e due, perde i punti con loro
HALF = {
    "scaled_scores": "def scaled_scores(q, K):\n    return K @ q\n",
    "combine": "def combine(weights, V):\n    raise NotImplementedError('qui manca ancora il tuo codice')\n",
}
HALF_POINTS = 4
HALF_SLIPS = {"senza scala", None}

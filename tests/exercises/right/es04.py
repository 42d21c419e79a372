"""es04: risposte giuste, scritte nei modi più diversi, e una consegna a metà."""

from __future__ import annotations

import math

import numpy as np


def causal_loops(L, S):
    mask = np.zeros((L, S), dtype=bool)
    for i in range(L):
        for j in range(S):
            if j <= i + S - L:
                mask[i, j] = True
    return mask


def causal_lists(L, S):
    return np.array([[j - (S - L) <= i for j in range(S)] for i in range(L)])


def padding_loops(lengths, S):
    return np.array([[j < n for j in range(S)] for n in lengths])


def padding_into_zeros(lengths, S):
    mask = np.zeros((len(lengths), S), dtype=bool)
    for b, n in enumerate(lengths):
        mask[b, :n] = True
    return mask


def combine_loops(causal, padding):
    return np.array(
        [[[c and p for c, p in zip(row, real, strict=True)] for row in causal] for real in padding]
    )


def combine_per_sentence(causal, padding):
    return np.stack([causal & real for real in padding])


def softmax_loops(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    weights = np.zeros(scores.shape)
    for place in np.ndindex(scores.shape[:-1]):
        allowed = [j for j in range(scores.shape[-1]) if mask[place][j]]
        if not allowed:
            continue
        highest = max(scores[place][j] for j in allowed)
        exponentials = {j: math.exp(scores[place][j] - highest) for j in allowed}
        total = sum(exponentials.values())
        for j, e in exponentials.items():
            weights[place][j] = e / total
    return weights


def softmax_lists(scores, mask):
    mask = np.broadcast_to(mask, scores.shape)
    if scores.ndim > 1:
        return np.array([softmax_lists(s, m) for s, m in zip(scores, mask, strict=True)])
    kept = [s for s, m in zip(scores, mask, strict=True) if m]
    if not kept:
        return np.zeros(len(scores))
    total = sum(math.exp(s - max(kept)) for s in kept)
    return np.array(
        [math.exp(s - max(kept)) / total if m else 0.0 for s, m in zip(scores, mask, strict=True)]
    )


def softmax_additive(scores, mask):
    """Con la M della formula, e la riga vuota rimessa a zero alla fine."""
    M = np.where(mask, 0.0, -np.inf)
    marked = scores + M
    with np.errstate(all="ignore"):
        e = np.exp(marked - marked.max(axis=-1, keepdims=True))
        weights = e / e.sum(axis=-1, keepdims=True)
    return np.where(mask, weights, 0.0)


def softmax_of_the_allowed(scores, mask):
    """Esponenziali azzerati dopo aver tolto il massimo delle sole celle permesse."""
    scores, allowed = scores * 1.0, np.broadcast_to(mask, scores.shape)
    highest = np.max(scores, axis=-1, keepdims=True, where=allowed, initial=-1e30)
    e = np.exp(np.where(mask, scores - highest, 0.0)) * mask
    total = e.sum(-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)


def softmax_cleaned_up(scores, mask):
    """Un numero molto negativo, ma le celle vietate sono poi rimesse a zero."""
    marked = np.where(mask, scores, -1e9)
    e = np.exp(marked - marked.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) * mask


def softmax_without_nan(scores, mask):
    marked = np.where(mask, scores, -np.inf)
    with np.errstate(all="ignore"):
        e = np.exp(marked - marked.max(axis=-1, keepdims=True))
        return np.nan_to_num(e / e.sum(axis=-1, keepdims=True))


def attention_loops(Q, K, V, mask):
    lead = np.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    L, S, d_k = Q.shape[-2], K.shape[-2], Q.shape[-1]
    mask = np.broadcast_to(mask, (*lead, L, S))
    Z = np.zeros((*lead, L, V.shape[-1]))
    for place in np.ndindex(lead):
        for i in range(L):
            scores = np.array([sum(Q[place][i] * K[place][j]) / math.sqrt(d_k) for j in range(S)])
            for j, weight in enumerate(softmax_lists(scores, mask[place][i])):
                Z[place][i] += weight * V[place][j]
    return Z


def attention_einsum(Q, K, V, mask):
    scores = np.einsum("...id,...jd->...ij", Q, K) * K.shape[-1] ** -0.5
    return np.einsum("...ij,...jv->...iv", softmax_additive(scores, mask), V)


def attention_transposed(Q, K, V, mask):
    axes = (*range(K.ndim - 2), K.ndim - 1, K.ndim - 2)
    return np.matmul(softmax_loops(np.matmul(Q / math.sqrt(Q.shape[-1]), K.transpose(axes)), mask), V)


def attention_block(Q, K, V, mask):
    """In una funzione sola, in blocco: è differenziabile così com'è."""
    scores = np.where(mask, Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5, -np.inf)
    highest = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(highest > -np.inf, highest, 0.0))
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total > 0, total, 1.0) @ V


RIGHT = {
    "causal_mask": [
        causal_loops,
        causal_lists,
        lambda L, S: np.tri(L, S, S - L, dtype=bool),
        lambda L, S: np.tril(np.ones((L, S), dtype=bool), S - L),
        lambda L, S: ~np.triu(np.ones((L, S), dtype=bool), S - L + 1),
        lambda L, S: np.tri(S, dtype=bool)[S - L :],
        lambda L, S: np.tri(L, S, S - L) == 1,
    ],
    "padding_mask": [
        padding_loops,
        padding_into_zeros,
        lambda lengths, S: np.arange(S)[None, :] < lengths.reshape(-1, 1),
        lambda lengths, S: ~(np.arange(S) >= lengths[:, None]),
        lambda lengths, S: np.less.outer(np.arange(S), lengths).T,
    ],
    "combine_masks": [
        combine_loops,
        combine_per_sentence,
        lambda causal, padding: np.logical_and(causal, np.expand_dims(padding, 1)),
        lambda causal, padding: causal[None] * padding[:, None],
        lambda causal, padding: np.where(causal, padding[:, None, :], False),
        lambda causal, padding: np.minimum(causal, padding[:, None]),
    ],
    "masked_softmax": [
        softmax_loops,
        softmax_lists,
        softmax_additive,
        softmax_of_the_allowed,
        softmax_cleaned_up,
        softmax_without_nan,
    ],
    "masked_attention": [attention_loops, attention_einsum, attention_transposed, attention_block],
}

HALF = {
    "causal_mask": (
        "def causal_mask(L, S):\n"
        "    return np.tri(L, S, dtype=bool)\n"
    ),
    "masked_attention": (
        "def masked_attention(Q, K, V, mask):\n"
        "    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])\n"
        "    scores = np.where(mask, scores, -1e9)\n"
        "    e = np.exp(scores - scores.max(axis=-1, keepdims=True))\n"
        "    return e / e.sum(axis=-1, keepdims=True) @ V\n"
    ),
}  # fmt: skip
HALF_POINTS = 5
HALF_SLIPS = {"frontiera allineata all'inizio", "numero grande al posto di −∞"}

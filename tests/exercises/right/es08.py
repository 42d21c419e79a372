"""es08: risposte giuste, scritte nei modi più diversi, e una consegna a metà."""

from __future__ import annotations

import math
from itertools import accumulate

import numpy as np

from tests.exercises.right.es04 import RIGHT as ES04


def loss_block(logits, targets):
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_p = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return -log_p[np.arange(len(targets)), targets].mean()


def loss_loops(logits, targets):
    total = 0.0
    for row, target in zip(logits.tolist(), targets.tolist(), strict=True):
        highest = max(row)
        total += highest + math.log(sum(math.exp(x - highest) for x in row)) - row[target]
    return total / len(targets)


def loss_one_hot(logits, targets):
    y = np.eye(logits.shape[1])[targets]
    log_p = logits - np.logaddexp.reduce(logits.astype(float), axis=1, keepdims=True)
    return float((-y * log_p).sum() / logits.shape[0])


def loss_take_along(logits, targets):
    m = logits.max(-1)
    total = m + np.log(np.exp(logits - m[:, None]).sum(-1))
    return np.mean(total - np.take_along_axis(logits, targets[:, None], axis=1)[:, 0])


def gradient_block(logits, targets):
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    p = e / e.sum(axis=-1, keepdims=True)
    p[np.arange(len(targets)), targets] -= 1
    return p / len(targets)


def gradient_loops(logits, targets):
    N, V = logits.shape
    result = np.zeros((N, V))
    for n in range(N):
        highest = max(logits[n])
        e = [math.exp(x - highest) for x in logits[n]]
        for v in range(V):
            result[n, v] = (e[v] / sum(e) - (1 if v == targets[n] else 0)) / N
    return result


def gradient_comparison(logits, targets):
    p = np.exp(logits - np.logaddexp.reduce(logits.astype(float), axis=1)[:, None])
    return (p - (np.arange(logits.shape[1]) == targets[:, None])) / logits.shape[0]


def gradient_scattered(logits, targets):
    e = np.exp(logits - np.amax(logits, axis=1)[:, np.newaxis])
    g = (e.T / e.sum(1)).T.copy()
    np.add.at(g, (range(len(targets)), targets), -1.0)
    return np.divide(g, len(targets))


def top_k_stable(p, k):
    kept = np.zeros_like(p)
    order = np.argsort(-p, kind="stable")[:k]
    kept[order] = p[order]
    return kept / kept.sum()


def top_k_sorted(p, k):
    best = sorted(range(len(p)), key=lambda i: p[i], reverse=True)[:k]
    total = sum(p[i] for i in best)
    return np.array([p[i] / total if i in best else 0.0 for i in range(len(p))])


def top_k_one_by_one(p, k):
    left, kept = p.copy(), np.zeros(len(p))
    for _ in range(k):
        i = int(np.argmax(left))
        kept[i], left[i] = p[i], -1.0
    return kept / np.sum(kept)


def top_k_ranks(p, k):
    better = (p[None, :] > p[:, None]).sum(axis=1)
    before = (np.tril(p[None, :] == p[:, None], -1)).sum(axis=1)
    kept = np.where(better + before < k, p, 0)
    return kept / kept.sum()


def top_p_stable(p, mass):
    order = np.argsort(-p, kind="stable")
    n = 1 + np.sum(np.cumsum(p[order]) < mass)
    kept = np.zeros_like(p)
    kept[order[:n]] = p[order[:n]]
    return kept / kept.sum()


def top_p_loop(p, mass):
    kept, total = [0.0] * len(p), 0.0
    for i in sorted(range(len(p)), key=lambda i: -p[i]):
        kept[i] = p[i]
        total += p[i]
        if total >= mass:
            break
    return np.array(kept) / total


def top_p_before(p, mass):
    order = np.argsort(-p, kind="stable")
    sums = np.cumsum(p[order])
    keep = np.concatenate([[True], sums[:-1] < mass])
    kept = np.zeros(len(p))
    kept[order[keep]] = p[order][keep]
    return kept / kept.sum()


def top_p_while(p, mass):
    chosen = []
    while sum(p[i] for i in chosen) < mass and len(chosen) < len(p):
        rest = [i for i in range(len(p)) if i not in chosen]
        chosen.append(max(rest, key=lambda i: p[i]))
    kept = np.where(np.isin(np.arange(len(p)), chosen), p, 0.0)
    return kept / kept.sum()


def _p(logits, tau):
    scaled = logits / tau
    e = np.exp(scaled - scaled.max())
    return e / e.sum()


def sample_search(logits, tau, u):
    return np.searchsorted(np.cumsum(_p(logits, tau)), u, side="right")


def sample_loop(logits, tau, u):
    total = 0.0
    p = _p(logits, tau)
    for i in range(len(p)):
        total += p[i]
        if total > u:
            return i
    return len(p) - 1


def sample_count(logits, tau, u):
    return int(sum(total <= u for total in accumulate(_p(logits, tau))))


def sample_where(logits, tau, u):
    return np.nonzero(_p(logits, tau).cumsum() > u)[0][0]


def sample_less(logits, tau, u):
    """Toglie da u una probabilità alla volta."""
    for i, share in enumerate(_p(logits, tau)):
        if u < share:
            return i
        u -= share
    return len(logits) - 1


RIGHT = {
    "cross_entropy": [loss_block, loss_loops, loss_one_hot, loss_take_along],
    "cross_entropy_gradient": [gradient_block, gradient_loops, gradient_comparison, gradient_scattered],
    "keep_top_k": [top_k_stable, top_k_sorted, top_k_one_by_one, top_k_ranks],
    "keep_top_p": [top_p_stable, top_p_loop, top_p_before, top_p_while],
    "sample": [sample_search, sample_loop, sample_count, sample_where, sample_less],
    "masked_attention": ES04["masked_attention"],
}

HALF = {
    "cross_entropy_gradient": (
        "def cross_entropy_gradient(logits, targets):\n"
        "    e = np.exp(logits - logits.max(axis=-1, keepdims=True))\n"
        "    p = e / e.sum(axis=-1, keepdims=True)\n"
        "    return p - np.eye(logits.shape[-1])[targets]\n"
    ),
    "masked_attention": (
        "def masked_attention(Q, K, V, mask):\n"
        "    scores = np.where(mask, Q @ np.swapaxes(K, -1, -2), -1e9)\n"
        "    e = np.exp(scores - scores.max(axis=-1, keepdims=True))\n"
        "    return e / e.sum(axis=-1, keepdims=True) * mask @ V\n"
    ),
}  # fmt: skip
HALF_POINTS = 5
HALF_SLIPS = {"non diviso per le posizioni"}

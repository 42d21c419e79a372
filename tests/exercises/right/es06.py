"""es06: risposte giuste, scritte nei modi più diversi, e una consegna a metà."""

from __future__ import annotations

import math

import numpy as np

# --- dividere e riunire ----------------------------------------------------------------------------------


def split_loops(x, n_heads):
    *lead, L, d = x.shape
    size = d // n_heads
    result = np.zeros((*lead, n_heads, L, size))
    for j in range(n_heads):
        for c in range(size):
            result[..., j, :, c] = x[..., j * size + c]
    return result


def split_slices(x, n_heads):
    size = x.shape[-1] // n_heads
    return np.stack([x[..., j * size : (j + 1) * size] for j in range(n_heads)], axis=-3)


def split_by_numpy(x, n_heads):
    return np.stack(np.split(x, n_heads, axis=-1), -3)


def split_einsum(x, n_heads):
    return np.einsum("...lhc->...hlc", x.reshape(*x.shape[:-1], n_heads, -1))


def split_recursive(x, n_heads):
    if x.ndim > 2:
        return np.array([split_recursive(one, n_heads) for one in x])
    return x.reshape(len(x), n_heads, -1).transpose(1, 0, 2)


def merge_loops(Z):
    *lead, h, L, size = Z.shape
    result = np.empty((*lead, L, h * size))
    for j in range(h):
        result[..., j * size : (j + 1) * size] = Z[..., j, :, :]
    return result


def merge_concatenated(Z):
    return np.concatenate([Z[..., j, :, :] for j in range(Z.shape[-3])], axis=-1)


def merge_einsum(Z):
    together = np.einsum("...hlc->...lhc", Z)
    return together.reshape(*together.shape[:-2], -1)


def merge_recursive(Z):
    if Z.ndim > 3:
        return np.array([merge_recursive(one) for one in Z])
    return np.hstack(list(Z))


# --- la maschera -----------------------------------------------------------------------------------------


def masks_loops(mask, n_heads):
    return np.array([[one for _ in range(n_heads)] for one in mask])


def masks_broadcast(mask, n_heads):
    B, L, S = mask.shape
    return np.broadcast_to(mask[:, None], (B, n_heads, L, S))


def masks_stacked(mask, n_heads):
    return np.stack([mask] * n_heads, axis=1)


def masks_tiled(mask, n_heads):
    return np.tile(mask[:, None, :, :], (1, n_heads, 1, 1))


# --- l'attenzione ----------------------------------------------------------------------------------------


def coefficients(scores, allowed):
    """Una riga di punteggi, in Python: zeri se nessuno è permesso."""
    kept = [s for s, a in zip(scores, allowed, strict=True) if a]
    if not kept:
        return [0.0] * len(scores)
    e = [math.exp(s - max(kept)) if a else 0.0 for s, a in zip(scores, allowed, strict=True)]
    return [one / sum(e) for one in e]


def one_head(Q, K, V, mask):
    """Una frase, una testa.   Q: (L, d_k)   K: (S, d_k)   V: (S, d_v)   mask: (L, S)."""
    z = np.zeros((len(Q), V.shape[-1]))
    for i, q in enumerate(Q):
        scores = [sum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(len(q)) for k in K]
        for alpha, value in zip(coefficients(scores, mask[i]), V, strict=True):
            z[i] += alpha * value
    return z


def one_sentence(X, C, W_Q, W_K, W_V, W_O, n_heads, mask):
    Q, K, V = X @ W_Q, C @ W_K, C @ W_V
    d_k, d_v = Q.shape[-1] // n_heads, V.shape[-1] // n_heads
    heads = [
        one_head(
            Q[:, j * d_k : (j + 1) * d_k],
            K[:, j * d_k : (j + 1) * d_k],
            V[:, j * d_v : (j + 1) * d_v],
            mask,
        )
        for j in range(n_heads)
    ]
    return np.concatenate(heads, axis=-1) @ W_O


def multi_loops(X, W_Q, W_K, W_V, W_O, n_heads, mask):
    return np.array(
        [one_sentence(x, x, W_Q, W_K, W_V, W_O, n_heads, m) for x, m in zip(X, mask, strict=True)]
    )


def softmax(scores, mask=True):
    marked = np.where(mask, scores, -np.inf)
    highest = marked.max(axis=-1, keepdims=True)
    e = np.exp(marked - np.where(highest > -np.inf, highest, 0.0))
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total > 0, total, 1.0)


def multi_block(X, W_Q, W_K, W_V, W_O, n_heads, mask):
    Q, K, V = (split_by_numpy(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.swapaxes(-1, -2) * Q.shape[-1] ** -0.5, mask[:, None])
    return merge_concatenated(weights @ V) @ W_O


def multi_summed(X, W_Q, W_K, W_V, W_O, n_heads, mask):
    """Senza mettere in fila: ogni testa per le sue righe di W_O, e si somma."""
    total = 0.0
    columns = zip(*(np.split(W, n_heads, axis=1) for W in (W_Q, W_K, W_V)), strict=True)
    for (q, k, v), out in zip(columns, np.split(W_O, n_heads), strict=True):
        scores = (X @ q) @ np.swapaxes(X @ k, -1, -2) / math.sqrt(q.shape[1])
        total = total + softmax(scores, mask) @ (X @ v) @ out
    return total


def multi_einsum(X, W_Q, W_K, W_V, W_O, n_heads, mask):
    q, k, v = (W.reshape(len(W), n_heads, -1) for W in (W_Q, W_K, W_V))
    Q, K, V = (np.einsum("btd,dhc->bhtc", X, W) for W in (q, k, v))
    scores = np.einsum("bhic,bhjc->bhij", Q, K) / np.sqrt(Q.shape[-1])
    weights = softmax(scores, np.repeat(mask[:, None], n_heads, 1))
    return np.einsum("bhij,bhjv,hvo->bio", weights, V, W_O.reshape(n_heads, -1, W_O.shape[1]))


def cross_loops(X, C, W_Q, W_K, W_V, W_O, n_heads):
    if X.ndim > 2:
        return np.array([cross_loops(x, c, W_Q, W_K, W_V, W_O, n_heads) for x, c in zip(X, C, strict=True)])
    everything = np.ones((len(X), len(C)), dtype=bool)
    return one_sentence(X, C, W_Q, W_K, W_V, W_O, n_heads, everything)


def cross_block(X, C, W_Q, W_K, W_V, W_O, n_heads):
    Q = split_einsum(X @ W_Q, n_heads)
    K, V = (split_einsum(C @ W, n_heads) for W in (W_K, W_V))
    scores = np.matmul(Q / np.sqrt(K.shape[-1]), np.swapaxes(K, -1, -2))
    return merge_einsum(softmax(scores) @ V) @ W_O


def cross_summed(X, C, W_Q, W_K, W_V, W_O, n_heads):
    total = 0.0
    columns = zip(*(np.split(W, n_heads, axis=1) for W in (W_Q, W_K, W_V)), strict=True)
    for (q, k, v), out in zip(columns, np.split(W_O, n_heads), strict=True):
        scores = (X @ q) @ np.swapaxes(C @ k, -1, -2) / math.sqrt(q.shape[1])
        total = total + softmax(scores) @ (C @ v) @ out
    return total


RIGHT = {
    "split_heads": [split_loops, split_slices, split_by_numpy, split_einsum, split_recursive],
    "merge_heads": [merge_loops, merge_concatenated, merge_einsum, merge_recursive],
    "masks_for_heads": [masks_loops, masks_broadcast, masks_stacked, masks_tiled],
    "multi_head": [multi_loops, multi_block, multi_summed, multi_einsum],
    "cross_attention": [cross_loops, cross_block, cross_summed],
}

HALF = {
    "split_heads": (
        "def split_heads(x, n_heads):\n"
        "    *lead, L, d = x.shape\n"
        "    return x.reshape(*lead, n_heads, L, d // n_heads)\n"
    ),
    "multi_head": (
        "def multi_head(X, W_Q, W_K, W_V, W_O, n_heads, mask):\n"
        "    def split(x):\n"
        "        return np.stack(np.split(x, n_heads, axis=-1), axis=-3)\n"
        "    Q, K, V = split(X @ W_Q), split(X @ W_K), split(X @ W_V)\n"
        "    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(X.shape[-1])\n"
        "    weights = softmax(scores, masks_for_heads(mask, n_heads))\n"
        "    return merge_heads(weights @ V) @ W_O\n"
    ),
    "cross_attention": (
        "def cross_attention(X, C, W_Q, W_K, W_V, W_O, n_heads):\n"
        "    def split(x):\n"
        "        return np.stack(np.split(x, n_heads, axis=-1), axis=-3)\n"
        "    Q, K, V = split(X @ W_Q), split(C @ W_K), split(C @ W_V)\n"
        "    return merge_heads(softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])) @ V) @ W_O\n"
    ),
}  # fmt: skip
HALF_POINTS = 5
HALF_SLIPS = {"reshape senza scambio degli assi", "scala da d_model"}

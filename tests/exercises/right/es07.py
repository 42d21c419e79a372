"""es07: risposte giuste, scritte nei modi più diversi, e una consegna a metà."""

from __future__ import annotations

import math

import numpy as np


def norm_loop(x, gamma, beta, eps):
    result = np.zeros(x.shape)
    for place in np.ndindex(x.shape[:-1]):
        row = x[place]
        mean = sum(float(c) for c in row) / len(row)
        variance = sum((float(c) - mean) ** 2 for c in row) / len(row)
        for j in range(len(row)):
            result[place][j] = gamma[j] * (row[j] - mean) / math.sqrt(variance + eps) + beta[j]
    return result


def norm_var(x, gamma, beta, eps):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) * gamma + beta


def norm_new_axis(x, gamma, beta, eps):
    mean = np.mean(x, axis=-1)[..., None]
    scale = np.power(np.var(x, axis=-1)[..., None] + eps, -0.5)
    return np.multiply(x - mean, scale * gamma) + beta


def norm_einsum(x, gamma, beta, eps):
    d = x.shape[-1]
    centred = x - np.einsum("...j->...", x)[..., None] / d
    variance = np.einsum("...j,...j->...", centred, centred)[..., None] / d
    return np.einsum("...j,j->...j", centred / np.sqrt(variance + eps), gamma) + beta


def norm_of_squares(x, gamma, beta, eps):
    """La varianza come media dei quadrati meno il quadrato della media."""
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.mean(np.square(x), axis=-1, keepdims=True) - mean**2
    return gamma * ((x - mean) / (variance + eps) ** 0.5) + beta


def ffn_loop(x, W_1, b_1, W_2, b_2):
    result = np.zeros(x.shape)
    for place in np.ndindex(x.shape[:-1]):
        hidden = []
        for k in range(len(b_1)):
            total = b_1[k] + sum(x[place][j] * W_1[j][k] for j in range(x.shape[-1]))
            hidden.append(total if total > 0 else 0)
        for j in range(len(b_2)):
            result[place][j] = b_2[j] + sum(hidden[k] * W_2[k][j] for k in range(len(b_1)))
    return result


def ffn_where(x, W_1, b_1, W_2, b_2):
    hidden = np.dot(x, W_1) + b_1
    return np.dot(np.where(hidden > 0, hidden, 0), W_2) + b_2


def ffn_times(x, W_1, b_1, W_2, b_2):
    hidden = np.einsum("...i,ij->...j", x, W_1) + b_1
    return np.einsum("...j,jk->...k", hidden * (hidden > 0), W_2) + b_2


def ffn_clip(x, W_1, b_1, W_2, b_2):
    return np.add(np.clip(x @ W_1 + b_1, 0, None) @ W_2, b_2)


def attention(Q, K, V, mask):
    scores = np.where(mask, Q @ np.swapaxes(K, -1, -2) / math.sqrt(Q.shape[-1]), -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ V


def block_nested(x, mask, p):
    def first(v):
        h = norm_var(v, p["gamma_1"], p["beta_1"], 1e-5)
        return attention(h @ p["W_Q"], h @ p["W_K"], h @ p["W_V"], mask) @ p["W_O"]

    def second(v):
        h = norm_var(v, p["gamma_2"], p["beta_2"], 1e-5)
        return ffn_where(h, p["W_1"], p["b_1"], p["W_2"], p["b_2"])

    middle = x + first(x)
    return middle + second(middle)


def block_joined(x, mask, p):
    """Le tre proiezioni in una, come nella biblioteca."""
    h = norm_einsum(x, p["gamma_1"], p["beta_1"], 1e-5)
    d = x.shape[-1]
    joined = h @ np.hstack([p["W_Q"], p["W_K"], p["W_V"]])
    Q, K, V = joined[..., :d], joined[..., d : 2 * d], joined[..., 2 * d :]
    x = np.array(x, dtype=float)
    x += attention(Q, K, V, mask) @ p["W_O"]
    h = norm_loop(x, p["gamma_2"], p["beta_2"], 1e-5)
    x += ffn_times(h, p["W_1"], p["b_1"], p["W_2"], p["b_2"])
    return x


def block_by_sentence(x, mask, p):
    if x.ndim > 2:
        return np.array([block_by_sentence(sentence, mask, p) for sentence in x])
    h = norm_var(x, p["gamma_1"], p["beta_1"], 1e-5)
    rows = []
    for i in range(len(x)):
        seen = np.flatnonzero(mask[i])
        scores = (h[seen] @ p["W_K"]) @ (h[i] @ p["W_Q"]) / math.sqrt(x.shape[-1])
        e = np.exp(scores - scores.max())
        y = x[i] + (e / e.sum()) @ (h[seen] @ p["W_V"]) @ p["W_O"]
        normal = norm_var(y[None], p["gamma_2"], p["beta_2"], 1e-5)[0]
        rows.append(y + np.maximum(0, normal @ p["W_1"] + p["b_1"]) @ p["W_2"] + p["b_2"])
    return np.array(rows)


def masks_loop(lengths, S, T):
    B = len(lengths)
    encoder = np.zeros((B, S, S), dtype=bool)
    cross = np.zeros((B, T, S), dtype=bool)
    for b in range(B):
        encoder[b, :, : lengths[b]] = True
        cross[b, :, : lengths[b]] = True
    decoder = np.array([[j <= i for j in range(T)] for i in range(T)])
    return encoder, decoder, cross


def masks_and(lengths, S, T):
    real = (np.arange(S) < lengths[:, None])[:, None, :]
    encoder = real & np.ones((1, S, 1), dtype=bool)
    return encoder, np.arange(T)[:, None] >= np.arange(T), real & np.ones((1, T, 1), dtype=bool)


def masks_broadcast(lengths, S, T):
    B = len(lengths)
    real = np.less(np.arange(S)[None, None], np.reshape(lengths, (B, 1, 1)))
    decoder = np.tril(np.ones((T, T), dtype=bool))
    return np.broadcast_to(real, (B, S, S)), decoder, np.broadcast_to(real, (B, T, S))


RIGHT = {
    "layer_norm": [norm_loop, norm_var, norm_new_axis, norm_einsum, norm_of_squares],
    "feed_forward": [ffn_loop, ffn_where, ffn_times, ffn_clip],
    "block": [block_nested, block_joined, block_by_sentence],
    "family_masks": [masks_loop, masks_and, masks_broadcast],
}

HALF = {
    "block": (
        "def block(x, mask, p):\n"
        "    z = masked_attention(x @ p['W_Q'], x @ p['W_K'], x @ p['W_V'], mask)\n"
        "    x = layer_norm(x + z @ p['W_O'], p['gamma_1'], p['beta_1'], 1e-5)\n"
        "    y = feed_forward(x, p['W_1'], p['b_1'], p['W_2'], p['b_2'])\n"
        "    return layer_norm(x + y, p['gamma_2'], p['beta_2'], 1e-5)\n"
    ),
    "family_masks": (
        "def family_masks(lengths, S, T):\n"
        "    real = np.arange(S) < lengths[:, None]\n"
        "    encoder = np.repeat(real[:, None], S, axis=1)\n"
        "    cross = np.repeat(real[:, None], T, axis=1) & np.tri(T, S, dtype=bool)\n"
        "    return encoder, np.tri(T, dtype=bool), cross\n"
    ),
}  # fmt: skip
HALF_POINTS = 5
HALF_SLIPS = {"post-norm", "incrociata causale"}

"""es05: risposte giuste, scritte nei modi più diversi, e una consegna a metà."""

from __future__ import annotations

import math

import numpy as np


def frequencies_loop(d):
    found = []
    for j in range(0, d, 2):
        found.append(1 / 10000 ** (j / d))
    return np.array(found)


def frequencies_exp(d):
    """Come si trova scritto in molti programmi: con esponenziale e logaritmo."""
    return np.exp(np.arange(0, d, 2) * (-math.log(10000.0) / d))


def encoding_loops(n, d):
    PE = np.zeros((n, d))
    for p in range(n):
        for j in range(d):
            angle = p / 10000 ** (2 * (j // 2) / d)
            PE[p, j] = math.sin(angle) if j % 2 == 0 else math.cos(angle)
    return PE


def encoding_slices(n, d):
    angles = np.outer(np.arange(n), frequencies_exp(d))
    PE = np.empty((n, d))
    PE[:, 0::2] = np.sin(angles)
    PE[:, 1::2] = np.cos(angles[:, : d // 2])
    return PE


def encoding_stacked(n, d):
    angles = np.arange(n)[:, None] * frequencies_loop(d)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, -1)[:, :d]


def encoding_complex(n, d):
    turning = np.exp(1j * np.arange(n)[:, None] / np.power(10000.0, np.arange(0, d, 2) / d))
    PE = np.zeros((n, d + d % 2))
    PE[:, ::2], PE[:, 1::2] = turning.imag, turning.real
    return PE[:, :d]


def encoding_shifted_cosine(n, d):
    """Il coseno come seno di un angolo più avanti di un quarto di giro."""
    j = np.arange(d)
    return np.sin(np.arange(n)[:, None] / 10000.0 ** ((j - j % 2) / d) + (j % 2) * np.pi / 2)


def final_loop(token_id, position, d):
    components = []
    for j in range(d):
        word = 0.5 * math.sin(0.5 * token_id * (j + 1)) + 0.3 * math.cos(0.3 * token_id * (j + 1))
        angle = position / 10000 ** ((j - j % 2) / d)
        components.append(word + 0.3 * (math.sin(angle), math.cos(angle))[j % 2])
    return np.array(components)


def final_from_the_table(token_id, position, d):
    i = np.arange(1, d + 1)
    x = np.sin(token_id * i * 0.5) * 0.5 + np.cos(token_id * i * 0.3) * 0.3
    return x + 0.3 * encoding_slices(position + 1, d)[position]


def final_twice(token_id, position, d):
    i = np.arange(d)
    turned = np.where(
        i % 2, np.cos(position / 10000 ** ((i - 1) / d)), np.sin(position / 10000 ** (i / d))
    )
    return (5 * np.sin((i + 1) * token_id / 2) + 3 * (np.cos(0.3 * (i + 1) * token_id) + turned)) / 10


def add_loops(X, scale):
    result = np.array(X, dtype=float)
    PE = encoding_loops(X.shape[-2], X.shape[-1])
    for place in np.ndindex(X.shape[:-1]):
        for j in range(X.shape[-1]):
            result[place][j] += scale * PE[place[-1], j]
    return result


def add_recursive(X, scale):
    if X.ndim > 2:
        return np.stack([add_recursive(sentence, scale) for sentence in X])
    return X + encoding_stacked(*X.shape) * scale


def add_expanded(X, scale):
    *lead, n, d = X.shape
    PE = encoding_complex(n, d).reshape((1,) * len(lead) + (n, d))
    return np.add(X, np.multiply(scale, PE))


def rotation_loop(k, d):
    R = np.zeros((d, d))
    for i in range(0, d, 2):
        angle = k / 10000 ** (i / d)
        c, s = math.cos(angle), math.sin(angle)
        R[i : i + 2, i : i + 2] = [[c, s], [-s, c]]
    return R


def rotation_diagonals(k, d):
    angles = np.repeat(k * frequencies_exp(d), 2)
    off = np.where(np.arange(d) % 2 == 0, np.sin(angles), 0.0)[:-1]
    return np.diag(np.cos(angles)) + np.diag(off, 1) - np.diag(off, -1)


def rotation_kron(k, d):
    quarter = np.array([[0.0, 1.0], [-1.0, 0.0]])
    angles = k * frequencies_loop(d)
    return np.kron(np.diag(np.cos(angles)), np.eye(2)) + np.kron(np.diag(np.sin(angles)), quarter)


def rotation_solved(k, d):
    """La matrice che manda le codifiche di molti posti in quelle di k posti più avanti, coppia per coppia."""
    R = np.zeros((d, d))
    for i, w in enumerate(frequencies_exp(d)):
        turning = np.exp(1j * w * k)
        R[2 * i, 2 * i : 2 * i + 2] = turning.real, turning.imag
        R[2 * i + 1, 2 * i : 2 * i + 2] = -turning.imag, turning.real
    return R


RIGHT = {
    "frequencies": [
        frequencies_loop,
        frequencies_exp,
        lambda d: 10000 ** (-2 * np.arange(math.ceil(d / 2)) / d),
        lambda d: np.power(10000.0, -np.arange(0, d, 2) / d),
    ],
    "positional_encoding": [
        encoding_loops,
        encoding_slices,
        encoding_stacked,
        encoding_complex,
        encoding_shifted_cosine,
    ],
    "final_vector": [final_loop, final_from_the_table, final_twice],
    "add_positions": [
        add_loops,
        add_recursive,
        add_expanded,
        lambda X, scale: X + scale * encoding_slices(X.shape[-2], X.shape[-1]),
    ],
    "rotation": [rotation_loop, rotation_diagonals, rotation_kron, rotation_solved],
}

HALF = {
    "add_positions": (
        "def add_positions(X, scale):\n"
        "    PE = positional_encoding(len(X), X.shape[-1])\n"
        "    return X + scale * PE.reshape(len(X), *[1] * (X.ndim - 2), -1)\n"
    ),
    "rotation": (
        "def rotation(k, d):\n"
        "    R = np.zeros((d, d))\n"
        "    for i in range(0, d, 2):\n"
        "        angle = k * 10000 ** (-i / d)\n"
        "        c, s = np.cos(angle), np.sin(angle)\n"
        "        R[i:i + 2, i:i + 2] = [[c, -s], [s, c]]\n"
        "    return R\n"
    ),
}  # fmt: skip
HALF_POINTS = 6
HALF_SLIPS = {"posizioni contate lungo le frasi", "gira all'indietro"}

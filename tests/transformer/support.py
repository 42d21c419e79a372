"""Ciò che serve a più prove: un confronto severo e un oracolo scritto con cicli semplici."""

import math

import numpy as np


def expect_same(actual, expected, tolerance=1e-12, dtype=None):
    """Un ndarray, della stessa forma, con gli stessi valori entro `tolerance`, tutti finiti.

    Prima il tipo, poi la forma, poi i valori: niente broadcasting.
    """
    expected = np.asarray(expected)
    assert type(actual) is np.ndarray, f"atteso un ndarray, arrivato {type(actual)}"
    assert actual.shape == expected.shape, f"forma attesa {expected.shape}, arrivata {actual.shape}"
    if dtype is not None:
        assert actual.dtype == dtype, f"tipo atteso {dtype}, arrivato {actual.dtype}"
    assert np.isfinite(actual).all(), f"valori non finiti: {actual}"
    worst = max((abs(a - b) for a, b in zip(floats(actual), floats(expected), strict=True)), default=0.0)
    assert worst <= tolerance, f"scarto {worst:.3g} > {tolerance:.3g}\nottenuto {actual}\natteso {expected}"


def floats(array):
    return [float(v) for v in np.asarray(array, dtype=np.float64).ravel()]


def loop_softmax_row(scores, allowed):
    """Softmax di una riga con i soli numeri di Python; ciò che non è ammesso non si guarda nemmeno."""
    kept = [s for s, ok in zip(scores, allowed, strict=True) if ok and s != -math.inf]
    if not kept:
        return [0.0] * len(scores)
    highest = max(kept)
    total = math.fsum(math.exp(s - highest) for s in kept)
    return [
        math.exp(s - highest) / total if ok and s != -math.inf else 0.0
        for s, ok in zip(scores, allowed, strict=True)
    ]


def loop_softmax(scores, axis=-1, mask=None):
    """Softmax riga per riga lungo un asse qualsiasi; mask ha la forma di scores o vi si adatta."""
    scores = np.asarray(scores, dtype=np.float64)
    allowed = np.broadcast_to(True if mask is None else mask, scores.shape)
    result = np.zeros(scores.shape)
    rest = scores.shape[:axis] + scores.shape[axis:][1:]
    for index in np.ndindex(rest):
        place = list(index)
        place.insert(axis % scores.ndim, slice(None))
        place = tuple(place)
        result[place] = loop_softmax_row(scores[place].tolist(), allowed[place].tolist())
    return result


def loop_attention(Q, K, V, mask=None, scale=None):
    """Attenzione con soli cicli: (output, weights). Gli assi iniziali sono già tutti uguali."""
    Q, K, V = (np.asarray(a, dtype=np.float64) for a in (Q, K, V))
    (L, d_k), S, d_v = Q.shape[-2:], K.shape[-2], V.shape[-1]
    lead = Q.shape[:-2]
    allowed = np.broadcast_to(True if mask is None else mask, (*lead, L, S))
    weights, output = np.zeros((*lead, L, S)), np.zeros((*lead, L, d_v))
    for b in np.ndindex(lead):
        for i in range(L):
            row = []
            for j in range(S):
                product = math.fsum(float(Q[(*b, i, c)]) * float(K[(*b, j, c)]) for c in range(d_k))
                row.append(product / math.sqrt(d_k) if scale is None else product * scale)
            coefficients = loop_softmax_row(row, allowed[(*b, i)].tolist())
            for j in range(S):
                weights[(*b, i, j)] = coefficients[j]
            for c in range(d_v):
                output[(*b, i, c)] = math.fsum(coefficients[j] * float(V[(*b, j, c)]) for j in range(S))
    return output, weights

"""Le funzioni di es05, giuste e storte: ogni passaggio ha un nome, e un errore tipico ne cambia uno.

Una `family` chiamata senza argomenti dà la funzione giusta; con un cambiamento dà quella sbagliata; con due
cambiamenti dà quella che contiene tutti e due gli errori.
"""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import FINISHES

# --- le frequenze ----------------------------------------------------------------------------------------

BASES = {"paper": 10000.0, "10": 10.0, "1000": 1000.0, "100000": 100000.0}
SIGNS = {"falls": -1.0, "grows": 1.0}
COUNTS = {
    "pairs": lambda d: np.arange((d + 1) // 2),
    "whole pairs": lambda d: np.arange(d // 2),
    "rounded": lambda d: np.arange(round(d / 2)),
    "one more": lambda d: np.arange(d // 2 + 1),
    "dimensions": np.arange,
    "repeated": lambda d: np.arange(d) // 2,
}
EXPONENTS = {
    "2i": lambda i, d: 2 * i / d,
    "i": lambda i, d: i / d,
    "from one": lambda i, d: 2 * (i + 1) / d,
    "no d": lambda i, d: 2.0 * i,
    "whole": lambda i, d: 2 * i // d,
}


def frequency_family(count="pairs", exponent="2i", base="paper", sign="falls", finish="none"):
    """Di quanto gira ogni coppia da un posto al successivo.   d: intero   Restituisce: (⌈d/2⌉,)."""

    def frequencies(d):
        i = COUNTS[count](d)
        result = BASES[base] ** (SIGNS[sign] * EXPONENTS[exponent](i, d))
        return FINISHES[finish](result, (d,))

    return frequencies


def multiplied_below(d):
    """10000 · 2i/d sotto la linea di frazione: la prima coppia divide per zero."""
    with np.errstate(divide="ignore"):
        return 1 / (10000.0 * (2 * COUNTS["pairs"](d) / d))


def multiplied_after(d):
    """1/10000 moltiplicato per 2i/d."""
    return 1 / 10000.0 * (2 * COUNTS["pairs"](d) / d)


def _unbracketed(power):
    return lambda d: np.errstate(divide="ignore")(power)(COUNTS["pairs"](d), d)


# 10000 ** 2 * i / d e simili: senza parentesi l'esponente finisce prima della fine
WITHOUT_BRACKETS = [
    _unbracketed(power)
    for power in (
        lambda i, d: 1 / 10000.0**2 * i / d,
        lambda i, d: 1 / (10000.0**2 * i / d),
        lambda i, d: 1 / 10000.0 ** (2 * i) / d,
        lambda i, d: 1 / (10000.0 ** (2 * i) / d),
    )
]


# --- la codifica -----------------------------------------------------------------------------------------

# l'esponente della dimensione j: 2i/d, dove i è l'indice della sua coppia
POWERS = {
    "2i": lambda j, d: 2 * (j // 2) / d,
    "i": lambda j, d: (j // 2) / d,
    "dimension": lambda j, d: j / d,
    "twice dimension": lambda j, d: 2 * j / d,
    "from one": lambda j, d: 2 * (j // 2 + 1) / d,
    "whole": lambda j, d: 2 * (j // 2) // d,
}
ANGLES = {"radians": lambda angle: angle, "as degrees": np.radians, "in degrees": np.degrees}
STARTS = {"zero": 0, "one": 1}
# dove sta il seno e dove il coseno
WAVES = {
    "right": (np.sin, np.cos),
    "swapped": (np.cos, np.sin),
    "sines": (np.sin, np.sin),
    "no cosines": (np.sin, np.zeros_like),
    "minus sines": (lambda angle: -np.sin(angle), np.cos),
}


def _alternated(j, d):
    return j


def _halves(j, d):
    """Prima tutti i seni e poi tutti i coseni: quale dimensione vi si legge al posto j."""
    sines = (d + 1) // 2
    return np.where(j < sines, 2 * j, 2 * (j - sines) + 1)


LAYOUTS = {"alternated": _alternated, "halves": _halves}
ODDS = {
    "kept": lambda PE: PE,
    "short": lambda PE: PE[:, : PE.shape[1] // 2 * 2],
    "long": lambda PE: PE if PE.shape[1] % 2 == 0 else np.pad(PE, ((0, 0), (0, 1))),
    "zero": lambda PE: PE * (np.arange(PE.shape[1]) < PE.shape[1] // 2 * 2),
    "last zero": lambda PE: PE * (np.arange(PE.shape[1]) < PE.shape[1] - 1),
}
ROWS = {
    "all": lambda PE: PE,
    "first": lambda PE: PE * (np.arange(len(PE)) == 0)[:, None],
    "last zero": lambda PE: PE * (np.arange(len(PE)) < len(PE) - 1)[:, None],
    "last repeated": lambda PE: np.repeat(PE[-1:], len(PE), axis=0),
}


def wave(positions, d, power="2i", base="paper", angle="radians", waves="right", layout="alternated"):
    """(n, d): le onde lette in quelle posizioni."""
    j = LAYOUTS[layout](np.arange(d), d)
    turns = ANGLES[angle](positions[:, None] * BASES[base] ** -POWERS[power](j, d))  # (n, d)
    even, odd = WAVES[waves]
    return np.where(j % 2 == 0, even(turns), odd(turns))


def encoding_family(start="zero", odd="kept", rows="all", finish="none", **slips):
    """La codifica dei primi n posti.   n, d: interi   Restituisce: (n, d)."""

    def positional_encoding(n, d):
        PE = ROWS[rows](ODDS[odd](wave(np.arange(n) + STARTS[start], d, **slips)))
        return FINISHES[finish](PE, (n, d))

    return positional_encoding


def needs_even_d(n, d):
    """La codifica scritta per d pari: con d dispari le forme non combaciano."""
    PE = np.zeros((n, d))
    turns = np.arange(n)[:, None] * frequency_family()(d)
    PE[:, 0::2], PE[:, 1::2] = np.sin(turns), np.cos(turns)
    return PE


def encoding_with(frequencies):
    """La codifica con altre frequenze al posto di quelle giuste."""

    def positional_encoding(n, d):
        with np.errstate(invalid="ignore"):
            turns = np.arange(n)[:, None] * np.repeat(frequencies(d), 2)[:d]
            return np.where(np.arange(d) % 2 == 0, np.sin(turns), np.cos(turns))

    return positional_encoding


# --- un token a un posto ---------------------------------------------------------------------------------

WHICH = {"id": lambda token_id, position: token_id, "position": lambda token_id, position: position}
PLACES = {
    "position": lambda token_id, position: position,
    "one more": lambda token_id, position: position + 1,
    "one less": lambda token_id, position: position - 1,
    "id": lambda token_id, position: token_id,
}
SUMS = {
    "scaled": lambda x, PE: x + 0.3 * PE,
    "no scale": lambda x, PE: x + PE,
    "both scaled": lambda x, PE: 0.3 * (x + PE),
    "other scaled": lambda x, PE: 0.3 * x + PE,
    "paper": lambda x, PE: np.sqrt(len(x)) * x + PE,
    "minus": lambda x, PE: x - 0.3 * PE,
    "no position": lambda x, PE: x,
    "position only": lambda x, PE: 0.3 * PE,
    "first flipped": lambda x, PE: x + 0.3 * np.where(np.arange(len(PE)) == 0, -PE, PE),
}
COUNTED = {"from one": 1, "from zero": 0, "from two": 2}
PARTS = {"right": (0.5, 0.3, 0.5, 0.3), "swapped": (0.3, 0.5, 0.5, 0.3), "crossed": (0.5, 0.3, 0.3, 0.5)}


def embedded(token_id, d, counted="from one", parts="right", angle="radians"):
    """(d,): l'embedding del simulatore, come nell'esercizio 1."""
    a, b, r, s = PARTS[parts]
    n = token_id * (np.arange(d) + COUNTED[counted])
    return a * np.sin(ANGLES[angle](n * r)) + b * np.cos(ANGLES[angle](n * s))


def final_family(
    which="id", place="position", total="scaled", counted="from one", parts="right", embed_angle="radians",
    finish="none", **slips,
):  # fmt: skip
    """Embedding più 0,3 volte la codifica.   token_id, position, d: interi   Restituisce: (d,)."""

    def final_vector(token_id, position, d):
        x = embedded(WHICH[which](token_id, position), d, counted, parts, embed_angle)
        PE = wave(np.array([PLACES[place](token_id, position)]), d, **slips)[0]
        return FINISHES[finish](SUMS[total](x, PE), (token_id, position, d))

    return final_vector


def final_from(row):
    """La stessa somma, con la riga della codifica presa così: row(position, d) -> (d,)."""

    def final_vector(token_id, position, d):
        return embedded(token_id, d) + 0.3 * row(position, d)

    return final_vector


# --- la somma in blocco ----------------------------------------------------------------------------------


def _along_first(X, codes):
    d = X.shape[-1]
    return codes(X.shape[0], d).reshape(X.shape[0], *[1] * (X.ndim - 2), d)


def _going_on(X, codes):
    return codes(X[..., 0].size, X.shape[-1]).reshape(X.shape)


ALONG = {
    "tokens": lambda X, codes: codes(X.shape[-2], X.shape[-1]),
    "first": _along_first,
    "len": lambda X, codes: codes(len(X), X.shape[-1]),
    "going on": _going_on,
    "place zero": lambda X, codes: codes(1, X.shape[-1]),
    "place one": lambda X, codes: codes(2, X.shape[-1])[-1],
    "last place": lambda X, codes: codes(X.shape[-2], X.shape[-1])[-1],
    "plain number": lambda X, codes: np.arange(X.shape[-2])[:, None] * np.ones(X.shape[-1]),
}
BLOCK_SUMS = {
    "scaled": lambda X, PE, scale: X + scale * PE,
    "no scale": lambda X, PE, scale: X + PE,
    "fixed scale": lambda X, PE, scale: X + 0.3 * PE,
    "both scaled": lambda X, PE, scale: scale * (X + PE),
    "other scaled": lambda X, PE, scale: scale * X + PE,
    "minus": lambda X, PE, scale: X - scale * PE,
    "product": lambda X, PE, scale: X * scale * PE,
    "product only": lambda X, PE, scale: X * PE,
    "position only": lambda X, PE, scale: scale * PE + 0 * X,
    "rows only": lambda X, PE, scale: scale * PE,
    "side by side": lambda X, PE, scale: np.concatenate([X, np.broadcast_to(scale * PE, X.shape)], axis=-1),
}


def add_family(along="tokens", total="scaled", start="zero", finish="none", **slips):
    """La codifica sommata a un lotto di frasi.   X: (..., n, d)   scale   Restituisce: (..., n, d)."""
    codes = encoding_family(start, **slips)

    def add_positions(X, scale):
        return FINISHES[finish](BLOCK_SUMS[total](X, ALONG[along](X, codes), scale), (X,))

    return add_positions


def add_into_x(X, scale):
    """La somma scritta dentro X: con X di interi NumPy si ferma."""
    X += scale * encoding_family()(*X.shape[-2:])
    return X


def axes_unpacked(X, scale):
    """Gli assi presi come se fossero sempre tre."""
    _, n, d = X.shape
    return X + scale * encoding_family()(n, d)


def axes_from_the_start(X, scale):
    """Gli assi contati dall'inizio: con tre assi va bene, con due o quattro no."""
    return X + scale * encoding_family()(X.shape[1], X.shape[2])

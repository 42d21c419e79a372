"""Le funzioni di NumPy che si scrivono con le altre, e perciò non hanno bisogno di una derivata propria."""

from __future__ import annotations

import numpy as np


def _split(array, indices_or_sections, axis=0):
    places = np.split(np.arange(array.shape[axis]), indices_or_sections)
    before = (slice(None),) * (axis % array.ndim)
    return [array[(*before, slice(int(p[0]), int(p[-1]) + 1) if p.size else slice(0, 0))] for p in places]


def _dot(a, b):
    if np.ndim(a) > 2 or np.ndim(b) > 2:
        raise TypeError("np.dot: con più di due assi fa un prodotto diverso da @. Scrivi @.")
    return np.multiply(a, b) if 0 in (np.ndim(a), np.ndim(b)) else np.matmul(a, b)


COMPOSED = {
    np.split: _split,
    np.dot: _dot,
    np.outer: lambda a, b: np.reshape(a, (-1, 1)) * np.reshape(b, (1, -1)),
    np.vstack: lambda arrays: np.concatenate([np.atleast_2d(a) for a in arrays], axis=0),
    np.hstack: lambda arrays: np.concatenate(list(arrays), axis=0 if np.ndim(arrays[0]) == 1 else 1),
}

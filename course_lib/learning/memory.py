"""Memoria da riusare: gli array grandi di un passo servono uguali al passo dopo.

Restituirli ogni volta al sistema costa tempo: ogni pagina nuova di memoria va azzerata e ritrovata. E stanno
accostati in blocchi grandi, che il sistema (Linux) può servire a pagine di 2 MB invece che di 4 kB: con le
piccole, per leggere array così il processore ne dovrebbe ritrovare migliaia a ogni passata.
"""

from __future__ import annotations

import contextlib
import math
import mmap
import sys
import threading

import numpy as np

_SMALL = 8192                                        # numeri: sotto, ci pensa già bene NumPy
_PAGE = 1 << 21                                      # byte di una pagina grande
_BLOCK = 16 * _PAGE
_GAP = 64 * 65                                       # byte fra un array e l'altro: non si contendono la cache
_local = threading.local()


class Pool:
    """Gli array già fatti, per forma e tipo, e il blocco in cui mettere i prossimi."""

    def __init__(self):
        self.arrays = {}
        self._block, self._used = b"", 0

    def __len__(self):
        return sum(map(len, self.arrays.values()))

    def take(self, shape, dtype):
        """Un array che non sta usando nessuno, di quelli già fatti o nuovo."""
        arrays = self.arrays.setdefault((shape, dtype), [])
        for array in arrays:
            if sys.getrefcount(array) == _REFERENCES_WHEN_FREE:
                return array
        arrays.append(self._new(shape, dtype))
        return arrays[-1]

    def _new(self, shape, dtype):
        size = math.prod(shape) * dtype.itemsize
        if self._used + size > len(self._block):
            self._block, self._used = _large_pages(max(_BLOCK, -(-size // _PAGE) * _PAGE)), 0
        start, self._used = self._used, -(-(self._used + size + _GAP) // 64) * 64
        return np.ndarray(shape, dtype, buffer=self._block, offset=start)   # finché dura, dura il blocco


def _large_pages(size):
    """size byte, di questo processo soltanto (un figlio ne avrebbe una copia), a pagine grandi se si può."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return mmap.mmap(-1, size)
    block = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with contextlib.suppress(OSError):                                  # un sistema senza pagine grandi
        block.madvise(mmap.MADV_HUGEPAGE)
    return block


@contextlib.contextmanager
def reuse(pool):
    """Finché dura, in questo thread gli array chiesti a `empty` vengono da pool, un Pool.

    Un array torna libero quando nessuno vi si riferisce più: chi lo tiene non lo vedrà mai cambiare.
    """
    before = getattr(_local, "pool", None)
    _local.pool = pool
    try:
        yield
    finally:
        _local.pool = before


def empty(shape, dtype):
    """Un array da riempire, come np.empty. shape: una tupla   dtype: un numpy.dtype."""
    pool = getattr(_local, "pool", None)
    if pool is None or math.prod(shape) < _SMALL:
        return np.empty(shape, dtype)
    return pool.take(shape, dtype)


def spread(column, width):
    """Ogni numero di column, (n,), ripetuto per tutta la riga: (n, width).

    È un prodotto fra matrici, esatto se i numeri sono finiti (c · 1 + c · 0): più svelto del broadcasting di
    (n, 1), che lavora su righe corte.
    """
    pair = np.zeros((2, width), column.dtype)
    pair[0] = 1
    twice = np.repeat(column, 2).reshape(-1, 2)
    return np.matmul(twice, pair, out=empty((len(column), width), column.dtype))


def _references_when_free():
    """Quanti riferimenti conta Python, nel ciclo di `take`, a un array che sta solo nella riserva."""
    arrays = [np.empty(1)]
    for array in arrays:
        return sys.getrefcount(array)


_REFERENCES_WHEN_FREE = _references_when_free()

"""Memoria da riusare: gli array grandi di un passo servono uguali al passo dopo.

Restituirli ogni volta al sistema costa più dei conti: ogni pagina nuova va azzerata e ritrovata.
"""

from __future__ import annotations

import contextlib
import math
import sys
import threading

import numpy as np

_SMALL = 8192                                        # numeri: sotto, ci pensa già bene NumPy
_local = threading.local()


@contextlib.contextmanager
def reuse(pool):
    """Finché dura, in questo thread gli array chiesti a `empty` vengono da pool, un dizionario.

    Un array torna libero quando non lo cita più nessuno: chi lo tiene non se lo vedrà mai cambiare.
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
    arrays = pool.setdefault((shape, dtype), [])
    for array in arrays:
        if sys.getrefcount(array) == _REFERENCES_WHEN_FREE:
            return array
    arrays.append(np.empty(shape, dtype))
    return arrays[-1]


def _references_when_free():
    """Quante citazioni conta Python, nel ciclo di `empty`, di un array che sta solo nella riserva."""
    arrays = [np.empty(1)]
    for array in arrays:
        return sys.getrefcount(array)


_REFERENCES_WHEN_FREE = _references_when_free()

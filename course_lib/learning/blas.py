"""I thread dei prodotti di NumPy: per i modelli del corso uno va più svelto di molti.

NumPy affida i prodotti a OpenBLAS, che se non gli si dice altro usa tutti i core. I nostri array sono
piccoli: dividerli costa più che moltiplicarli, e molto di più se il computer fa anche altro. Chi apre il
corso con `corso apri` ha OPENBLAS_NUM_THREADS=1; chi apre Jupyter da sé no, e quando il corso si carica NumPy
c'è già: perciò lo si chiede a OpenBLAS stesso.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import sys
from pathlib import Path

import numpy as np

# Chi ne ha scritta una ha deciso: non si tocca nulla.
VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_PREFIXES, _SUFFIXES = ("scipy_openblas", "openblas"), ("64_", "_64", "")
_MODULES = ("numpy._core._multiarray_umath", "numpy.core._multiarray_umath")


def one_thread():
    """Chiede un thread solo, da qui in poi in questo processo; lo fa chi comincia un addestramento.

    Restituisce: se i prodotti ne usano uno, per quanto si può sapere.
    """
    if any(os.environ.get(name) for name in VARIABLES):
        return any(os.environ.get(name) == "1" for name in VARIABLES)
    ask, answer = openblas("set_num_threads"), openblas("get_num_threads")
    if ask is None or answer is None:
        return False
    ask(1)
    return answer() == 1


@functools.cache
def openblas(what):
    """Una funzione di OpenBLAS, cercata nella copia che NumPy usa; None se NumPy ne usa un'altra.

    what: "set_num_threads" o "get_num_threads"
    """
    for path in _libraries():
        with contextlib.suppress(OSError):
            library = ctypes.CDLL(str(path))
            for prefix in _PREFIXES:
                for suffix in _SUFFIXES:
                    with contextlib.suppress(AttributeError):
                        return getattr(library, f"{prefix}_{what}{suffix}")
    return None


def _libraries():
    """I file in cui cercare: il modulo di NumPy, che su Linux e macOS porta alla sua copia; poi la copia."""
    modules = [sys.modules[name].__file__ for name in _MODULES if name in sys.modules]
    package = Path(np.__file__).parent
    folders = package.parent / "numpy.libs", package / ".dylibs"
    return [*modules, *(path for folder in folders for path in sorted(folder.glob("*openblas*")))]

"""L'esponenziale più svelto su questo processore.

NumPy calcola 2ˣ più in fretta di eˣ dove ha le istruzioni AVX-512, e molto più adagio dove non le ha. Qui
si sceglie: exponential è l'uno o l'altro, e UNIT è log₂ e oppure 1, così che exponential(UNIT · x) = eˣ. Chi
moltiplica comunque x per un fattore vi mette dentro anche UNIT.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.lib import introspect


def _base_two_is_fast():
    kinds = introspect.opt_func_info(func_name="^exp2$", signature="float32").get("exp2", {})
    return any(kind["current"] in ("AVX512_SKX", "X86_V4") for kind in kinds.values())


if _base_two_is_fast():
    exponential, UNIT = np.exp2, math.log2(math.e)
else:
    exponential, UNIT = np.exp, 1.0

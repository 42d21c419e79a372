"""La funzione di perdita: quanto sorprende il token che è venuto davvero."""

from __future__ import annotations

import numpy as np

from course_lib.learning import fused
from course_lib.learning.autograd import Tensor
from course_lib.transformer.arrays import as_array, as_float, as_ids, expect_axes


def cross_entropy(logits, targets, counted=None):
    """La media di −ln p, con p la probabilità che la softmax dei logit dà al token giusto.

    logits: (..., V), Tensor o numeri   targets: (...) interi fra 0 e V − 1
    counted: (...) bool, quali posizioni contano nella media; se manca, tutte
    Restituisce: un Tensor di forma () se lo sono i logit, se no un numero; chi dà a tutti i V token la stessa
    probabilità ha ln V.
    Solleva ValueError se le forme non combaciano, se un bersaglio non è un ID o se nessuna posizione conta.
    Fonte: Goodfellow et al. 2016, §6.2.1.
    """
    logits = as_array("logits", logits)
    expect_axes("logits", logits, 1, "(..., V)")
    targets = as_ids("targets", targets, logits.shape[-1])
    _expect_shape("targets", targets, logits)
    if counted is not None:
        counted = np.asarray(counted)
        if counted.dtype != np.bool_:
            raise ValueError(f"counted: mi aspettavo valori booleani, è arrivato il tipo {counted.dtype}.")
        _expect_shape("counted", counted, logits)
    if not (targets.size if counted is None else counted.any()):
        raise ValueError("logits: mi aspettavo almeno una posizione da contare.")
    if isinstance(logits, Tensor):
        return fused.cross_entropy(logits, targets, counted)
    return float(fused.cross_entropy(as_float(logits), targets, counted))


def _expect_shape(name, array, logits):
    if array.shape != tuple(logits.shape[:-1]):
        raise ValueError(
            f"{name}: mi aspettavo la forma {tuple(logits.shape[:-1])}, quella dei logit senza V; "
            f"è arrivata {array.shape}."
        )

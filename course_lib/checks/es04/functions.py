"""Le funzioni di es04, giuste e storte: ogni passaggio ha un nome, e un errore tipico ne cambia uno.

Una `family` chiamata senza argomenti dà la funzione giusta; con un cambiamento dà quella sbagliata; con due
cambiamenti dà quella che contiene tutti e due gli errori. Ovunque True = può guardare.
"""

from __future__ import annotations

import math

import numpy as np

from course_lib.checks.common_slips import FINISHES

# --- le maschere -----------------------------------------------------------------------------------------

KINDS = {
    "bool": lambda mask: mask,
    "numbers": lambda mask: mask.astype(float),
    "additive": lambda mask: np.where(mask, 0.0, -np.inf),
}
LAST_KEYS = {
    "end": lambda i, L, S: i + S - L,
    "start": lambda i, L, S: i,
    "swapped": lambda i, L, S: i + L - S,
}
SIDES = {
    "up to": lambda j, last: j <= last,
    "before": lambda j, last: j < last,
    "from": lambda j, last: j >= last,
    "after": lambda j, last: j > last,
}


def causal_family(last="end", side="up to", kind="bool"):
    """La maschera causale allineata alla fine.   L, S: quante query e quante key   Restituisce: (L, S)."""

    def causal_mask(L, S):
        i, j = np.arange(L)[:, None], np.arange(S)  # (L, 1), (S,)
        return KINDS[kind](SIDES[side](j, LAST_KEYS[last](i, L, S)))

    return causal_mask


def shifted_causal(offset):
    """La maschera causale con la frontiera di offset(L, S) posti più avanti."""
    return lambda L, S: np.tri(L, S, S - L + offset(L, S), dtype=bool)


REAL_KEYS = {
    "first": lambda j, n, S: j < n,
    "one more": lambda j, n, S: j <= n,
    "one less": lambda j, n, S: j < n - 1,
    "padding": lambda j, n, S: j >= n,
    "last": lambda j, n, S: j >= S - n,
}


def padding_family(real="first", kind="bool"):
    """Le key vere di ogni frase.   lengths: (B,)   S: quante key   Restituisce: (B, S)."""

    def padding_mask(lengths, S):
        return KINDS[kind](REAL_KEYS[real](np.arange(S), lengths[:, None], S))

    return padding_mask


RULES = {
    "and": lambda causal, padding: causal & padding,
    "or": lambda causal, padding: causal | padding,
    "nand": lambda causal, padding: ~(causal & padding),
    "xor": lambda causal, padding: causal ^ padding,
    "equal": lambda causal, padding: causal == padding,
    "causal": lambda causal, padding: causal & np.ones_like(padding),
    "padding": lambda causal, padding: np.ones_like(causal) & padding,
}
PADDING_AXES = {
    "keys": lambda padding, L: padding[:, None, :],
    "queries": lambda padding, L: padding[:, :, None],
    "both": lambda padding, L: padding[:, None, :] & padding[:, :, None],
    "both, last queries": lambda padding, L: padding[:, None, :] & padding[:, -L:, None],
    "none": lambda padding, L: padding,
}


def combine_family(rule="and", axis="keys", kind="bool"):
    """Causale e riempimento insieme.   causal: (L, S)   padding: (B, S)   Restituisce: (B, L, S)."""

    def combine_masks(causal, padding):
        return KINDS[kind](RULES[rule](causal, PADDING_AXES[axis](padding, len(causal))))

    return combine_masks


def padding_by_slices(lengths, S):
    """Le key vere con una fetta fino a n − 1: con n = 0 la fetta finisce un posto prima della fine."""
    mask = np.zeros((len(lengths), S), dtype=bool)
    for b, n in enumerate(lengths):
        mask[b, : n - 1] = True
    return mask


def only(function, *places):
    """Ciò che resta di un risultato se il ciclo si ferma prima: quei posti, e False o 0 negli altri."""

    def stopped(*args):
        whole = function(*args)
        result = np.zeros_like(whole)
        result[places] = whole[places]
        return result

    return stopped


# --- la softmax e l'attenzione ---------------------------------------------------------------------------


def _forbid(scores, allowed):
    return np.where(allowed, scores, -np.inf)


def _own_causal(scores, allowed):
    L, S = scores.shape[-2:]
    return _forbid(scores, np.tri(L, S, S - L, dtype=bool))


# che cosa si fa dei punteggi vietati; «, nan» lascia che una riga vuota diventi 0/0
MARKS = {
    "forbid": _forbid,
    "nan": _forbid,
    "ignored": lambda scores, allowed: scores,
    "multiplied": lambda scores, allowed: scores * allowed,
    "late": lambda scores, allowed: scores,
    "inverted": lambda scores, allowed: _forbid(scores, ~allowed),
    "inverted, nan": lambda scores, allowed: _forbid(scores, ~allowed),
    "large": lambda scores, allowed: np.where(allowed, scores, -1e9),
    "large added": lambda scores, allowed: scores + np.where(allowed, 0.0, -1e9),
    "small": lambda scores, allowed: np.where(allowed, scores, -100.0),
    "small, cleaned": lambda scores, allowed: np.where(allowed, scores, -100.0),
    "less small, cleaned": lambda scores, allowed: np.where(allowed, scores, -1000.0),
    "least small, cleaned": lambda scores, allowed: np.where(allowed, scores, -10000.0),
    "zero times infinity": lambda scores, allowed: scores + (1.0 - allowed) * -np.inf,
    "zero times infinity, nan": lambda scores, allowed: scores + (1.0 - allowed) * -np.inf,
    "plus infinity": lambda scores, allowed: np.where(allowed, scores, np.inf),
    "exponentials cancelled": lambda scores, allowed: scores,
    "exponentials cancelled, nan": lambda scores, allowed: scores,
    "infinity added": lambda scores, allowed: scores + np.where(allowed, -np.inf, 0.0),
    "own causal": _own_causal,
    "own causal, nan": _own_causal,
}
UNGUARDED = {"infinity added", *(name for name in MARKS if name.endswith("nan"))}
CLEANED = {"late", *(name for name in MARKS if name.endswith("cleaned"))}
OTHER_LARGE = ("large added", "small")
TOO_NEAR = ("small, cleaned", "less small, cleaned", "least small, cleaned")
CANCELLED = ("exponentials cancelled", "exponentials cancelled, nan")
PEAKS = {
    "row": lambda marked, scores, axis: marked.max(axis=axis, keepdims=True),
    "none": lambda marked, scores, axis: 0.0,
    "all": lambda marked, scores, axis: marked.max(),
    "before": lambda marked, scores, axis: scores.max(axis=axis, keepdims=True),
}
AXES = {"keys": -1, "queries": -2, "first": 0}
KEEPS = {"both": "", "neither": "peak total", "total": "peak", "peak": "total"}  # quali assi si perdono
LOST = ("neither", "total", "peak")


def _weights(scores, mask, marks, peak, axis, total, keep="both"):
    allowed = np.broadcast_to(mask, scores.shape)
    guard = marks not in UNGUARDED
    marked = MARKS[marks](scores, allowed)  # (..., L, S)
    highest = PEAKS[peak](marked, scores, AXES[axis])
    if guard:
        highest = np.where(highest == -np.inf, 0.0, highest)
    highest = highest[..., 0] if "peak" in KEEPS[keep] else highest
    exponentials = np.exp(marked - highest)  # vietato: 0
    if marks.startswith("exponentials cancelled"):
        exponentials = exponentials * allowed
    sums = exponentials.sum(axis=AXES[axis], keepdims="total" not in KEEPS[keep])  # (..., L, 1)
    if total == "none":
        return exponentials * allowed if marks in CLEANED else exponentials
    weights = exponentials / (np.where(sums == 0, 1.0, sums) if guard else sums)
    return weights * allowed if marks in CLEANED else weights


def softmax_family(marks="forbid", peak="row", axis="keys", total="sum", keep="both", finish="none"):
    """I coefficienti con la maschera.   scores: (..., L, S)   mask: si adatta   Restituisce: (..., L, S)."""

    def masked_softmax(scores, mask):
        return FINISHES[finish](_weights(scores, mask, marks, peak, axis, total, keep), (scores,))

    return masked_softmax


SCALES = {
    "two": lambda Q, K, V: 2.0,
    "root": lambda Q, K, V: np.sqrt(Q.shape[-1]),
    "none": lambda Q, K, V: 1.0,
    "full": lambda Q, K, V: Q.shape[-1],
    "times": lambda Q, K, V: 1 / np.sqrt(Q.shape[-1]),
    "d_v": lambda Q, K, V: np.sqrt(V.shape[-1]),
    "L": lambda Q, K, V: np.sqrt(Q.shape[-2]),
    "S": lambda Q, K, V: np.sqrt(K.shape[-2]),
    "S itself": lambda Q, K, V: K.shape[-2],
    "first length": lambda Q, K, V: np.sqrt(len(Q)),
    "axis one": lambda Q, K, V: np.sqrt(Q.shape[1]),
    "key axis one": lambda Q, K, V: np.sqrt(K.shape[1]),
}


def without_maximum(exp, guard):
    """La softmax senza massimo; guard: quali righe non si dividono, quelle vietate o quelle di totale 0."""

    def masked_softmax(scores, mask):
        allowed = np.broadcast_to(mask, scores.shape)
        e = np.zeros(scores.shape)
        e[allowed] = [exp(one) for one in scores[allowed]]
        total = e.sum(axis=-1, keepdims=True)
        empty = total == 0 if guard == "total" else ~allowed.any(axis=-1, keepdims=True)
        return np.where(empty, 0.0, e / np.where(empty, 1.0, total))

    return masked_softmax


WITHOUT_MAXIMUM = tuple(
    without_maximum(exp, guard) for exp in (np.exp, math.exp) for guard in ("total", "permitted")
)


def without_exponential(scores, mask):
    """I punteggi permessi divisi per la loro somma."""
    kept = np.where(mask, scores, 0.0)
    total = kept.sum(axis=-1, keepdims=True)
    return kept / np.where(total == 0, 1.0, total)


def attention_family(
    marks="forbid", scale="root", peak="row", axis="keys", total="sum", keep="both", ending="Z", finish="none"
):
    """L'attenzione con maschera.   Q: (..., L, d_k)   K: (..., S, d_k)   V: (..., S, d_v)   Restituisce:
    (..., L, d_v)."""

    def masked_attention(Q, K, V, mask):
        scores = Q @ np.swapaxes(K, -1, -2) / SCALES[scale](Q, K, V)  # (..., L, S)
        weights = _weights(scores, mask, marks, peak, axis, total, keep)  # (..., L, S)
        return FINISHES[finish](weights if ending == "weights" else weights @ V, (Q, K, V))

    return masked_attention


def attention_with(softmax):
    """L'attenzione che passa da una softmax scritta a parte."""

    def masked_attention(Q, K, V, mask):
        return softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]), mask) @ V

    return masked_attention


def scaled_late(Q, K, V, mask):
    """La scala arriva dopo la softmax."""
    return softmax_family()(Q @ np.swapaxes(K, -1, -2), mask) / np.sqrt(Q.shape[-1]) @ V


def all_axes_transposed(Q, K, V, mask):
    """K.T con gli assi iniziali non combacia; senza, la riga vuota dà NaN."""
    return _weights(Q @ K.T / np.sqrt(Q.shape[-1]), mask, "nan", "row", "keys", "sum") @ V

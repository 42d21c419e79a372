"""Le funzioni di es04, giuste e storte: ogni passaggio ha un nome, e un errore tipico ne cambia uno.

Una `family` chiamata senza argomenti dà la funzione giusta; con un cambiamento dà quella sbagliata; con due
cambiamenti dà quella che contiene tutti e due gli errori. Ovunque True = può guardare.
"""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import like_the_inputs, rounding, to_integers

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
    "causal": lambda causal, padding: causal & np.ones_like(padding),
    "padding": lambda causal, padding: np.ones_like(causal) & padding,
}
PADDING_AXES = {
    "keys": lambda padding: padding[:, None, :],
    "queries": lambda padding: padding[:, :, None],
    "none": lambda padding: padding,
}


def combine_family(rule="and", axis="keys", kind="bool"):
    """Causale e riempimento insieme.   causal: (L, S)   padding: (B, S)   Restituisce: (B, L, S)."""

    def combine_masks(causal, padding):
        return KINDS[kind](RULES[rule](causal, PADDING_AXES[axis](padding)))

    return combine_masks


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
    "zero times infinity": lambda scores, allowed: scores + (1.0 - allowed) * -np.inf,
    "infinity added": lambda scores, allowed: scores + np.where(allowed, -np.inf, 0.0),
    "own causal": _own_causal,
    "own causal, nan": _own_causal,
}
UNGUARDED = {"nan", "inverted, nan", "infinity added", "own causal, nan"}
OTHER_LARGE = ("large added", "small")
PEAKS = {
    "row": lambda marked, scores, axis: marked.max(axis=axis, keepdims=True),
    "none": lambda marked, scores, axis: 0.0,
    "all": lambda marked, scores, axis: marked.max(),
    "before": lambda marked, scores, axis: scores.max(axis=axis, keepdims=True),
}
AXES = {"keys": -1, "queries": -2}
FINISHES = {
    "none": lambda result, args: result,
    "integers": lambda result, args: to_integers(result),
    "like inputs": lambda result, args: like_the_inputs(args, result),
    **{f"round {n}": lambda result, args, n=n: rounding(n)(result) for n in (1, 2, 3, 4)},
}


def _weights(scores, mask, marks, peak, axis, total):
    allowed = np.broadcast_to(mask, scores.shape)
    guard = marks not in UNGUARDED
    marked = MARKS[marks](scores, allowed)  # (..., L, S)
    highest = PEAKS[peak](marked, scores, AXES[axis])
    if guard:
        highest = np.where(highest == -np.inf, 0.0, highest)
    exponentials = np.exp(marked - highest)  # vietato: 0
    sums = exponentials.sum(axis=AXES[axis], keepdims=True)  # (..., L, 1)
    if total == "none":
        return exponentials * allowed if marks == "late" else exponentials
    weights = exponentials / (np.where(sums == 0, 1.0, sums) if guard else sums)
    return weights * allowed if marks == "late" else weights


def softmax_family(marks="forbid", peak="row", axis="keys", total="sum", finish="none"):
    """I coefficienti con la maschera.   scores: (..., L, S)   mask: si adatta   Restituisce: (..., L, S)."""

    def masked_softmax(scores, mask):
        return FINISHES[finish](_weights(scores, mask, marks, peak, axis, total), (scores,))

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
}


def attention_family(marks="forbid", scale="root", peak="row", axis="keys", total="sum", finish="none"):
    """L'attenzione con maschera.   Q: (..., L, d_k)   K: (..., S, d_k)   V: (..., S, d_v)   Restituisce:
    (..., L, d_v)."""

    def masked_attention(Q, K, V, mask):
        scores = Q @ np.swapaxes(K, -1, -2) / SCALES[scale](Q, K, V)  # (..., L, S)
        output = _weights(scores, mask, marks, peak, axis, total) @ V  # (..., L, d_v)
        return FINISHES[finish](output, (Q, K, V))

    return masked_attention


def all_axes_transposed(Q, K, V, mask):
    """K.T con gli assi iniziali non combacia; senza, la riga vuota dà NaN."""
    return _weights(Q @ K.T / np.sqrt(Q.shape[-1]), mask, "nan", "row", "keys", "sum") @ V

"""Le funzioni di es06, giuste e storte: ogni passaggio ha un nome, e un errore tipico ne cambia uno.

Una `family` chiamata senza argomenti dà la funzione giusta; con un cambiamento dà quella sbagliata; con due
cambiamenti dà quella che contiene tutti e due gli errori. Ovunque True = può guardare.
"""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import FINISHES
from course_lib.checks.es06.masks import MASKINGS, softmax_along

# --- dividere e riunire ----------------------------------------------------------------------------------


def _apart(x, *sizes):
    """L'ultimo asse in due: (..., L, d) -> (..., L, *sizes)."""
    return x.reshape(*x.shape[:-1], *sizes)


def _split(x, h):
    return np.swapaxes(_apart(x, h, x.shape[-1] // h), -3, -2)


def _reshaped(x, h):
    *lead, L, d = x.shape
    return x.reshape(*lead, h, L, d // h)


def _interleaved(x, h):
    return np.moveaxis(_apart(x, x.shape[-1] // h, h), -1, -3)


def only(function, keep, axis=-3):
    """Ciò che resta di un risultato se si riempie una testa sola: zeri nelle altre."""

    def stopped(*args):
        whole = function(*args)
        places = (..., keep, *[slice(None)] * (-axis - 1))
        result = np.zeros_like(whole)
        result[places] = whole[places]
        return result

    return stopped


def written_for(axes, function):
    """La stessa funzione scritta per quel numero di assi: con un altro si ferma, come «L, d = x.shape»."""

    def stops(x, *rest):
        if x.ndim != axes:
            raise ValueError(f"{axes} assi")
        return function(x, *rest)

    return stops


def some_heads(function, keep):
    """Soltanto le teste di una fetta, come da un ciclo con un giro in meno; senza teste si ferma."""

    return lambda *args: at_least_one(function(*args)[..., keep, :, :])


def at_least_one(Z):
    """Z, se ha almeno una testa; altrimenti ci si ferma, come np.stack su una lista vuota."""
    if not Z.shape[-3]:
        raise ValueError("nessuna testa")
    return Z


SPLITS = {
    "right": _split,
    "reshape": _reshaped,
    "interleaved": _interleaved,
    "reversed": lambda x, h: _split(x, h)[..., ::-1, :, :],
    "repeated": lambda x, h: np.repeat(_split(x, h)[..., :1, :, :], h, axis=-3),
    "last repeated": lambda x, h: np.repeat(_split(x, h)[..., -1:, :, :], h, axis=-3),
    "not moved": lambda x, h: _apart(x, h, x.shape[-1] // h),
    "sizes swapped": lambda x, h: np.swapaxes(_apart(x, x.shape[-1] // h, h), -3, -2),
    "last axes": lambda x, h: np.swapaxes(_apart(x, h, x.shape[-1] // h), -2, -1),
    "heads first": lambda x, h: np.array(np.split(x, h, axis=-1)),
    "first axes": lambda x, h: np.swapaxes(_apart(x, h, x.shape[-1] // h), 0, 1),
    "all axes": lambda x, h: _apart(x, h, x.shape[-1] // h).T,
    "side by side": lambda x, h: np.tile(x[..., None, :, :], (h, 1, 1)),
    "one less": lambda x, h: _split(x, h)[..., :-1],
}


def split_family(split="right"):
    """x: (..., L, d)   n_heads: h   Restituisce: (..., h, L, d/h)."""
    return SPLITS[split]


def _merge(Z):
    return np.swapaxes(Z, -3, -2).reshape(*Z.shape[:-3], Z.shape[-2], -1)


def _merge_interleaved(Z):
    return np.moveaxis(Z, -3, -1).reshape(*Z.shape[:-3], Z.shape[-2], -1)


def _merge_first_axes(Z):
    moved = np.swapaxes(Z, 0, 1)
    return moved.reshape(*moved.shape[:-2], -1)


MERGES = {
    "right": _merge,
    "reshape": lambda Z: Z.reshape(*Z.shape[:-3], Z.shape[-2], -1),
    "interleaved": _merge_interleaved,
    "reversed": lambda Z: _merge(Z[..., ::-1, :, :]),
    "repeated": lambda Z: _merge(np.repeat(Z[..., :1, :, :], Z.shape[-3], axis=-3)),
    "last repeated": lambda Z: _merge(np.repeat(Z[..., -1:, :, :], Z.shape[-3], axis=-3)),
    "first": lambda Z: Z[..., 0, :, :],
    "last": lambda Z: Z[..., -1, :, :],
    "sum": lambda Z: Z.sum(axis=-3),
    "first axis summed": lambda Z: Z.sum(axis=0),
    "mean": lambda Z: Z.mean(axis=-3),
    "rows": lambda Z: Z.reshape(*Z.shape[:-3], -1, Z.shape[-1]),
    "stacked": lambda Z: np.concatenate(list(Z)),
    "not joined": lambda Z: np.swapaxes(Z, -3, -2),
    "first axis": lambda Z: np.concatenate(list(Z), axis=-1),
    "second axis": lambda Z: np.concatenate(list(Z), axis=1),
    "first axes": _merge_first_axes,
    "turned": lambda Z: np.swapaxes(_merge(Z), -1, -2),
    "lead lost": lambda Z: _merge(Z).reshape(-1, Z.shape[-3] * Z.shape[-1]),
}


def merge_family(merge="right"):
    """Z: (..., h, L, d_h)   Restituisce: (..., L, h·d_h)."""
    return MERGES[merge]


# --- l'attenzione ----------------------------------------------------------------------------------------


# per che cosa si dividono i punteggi: X, C, le query e i value divisi in teste, h
SCALES = {
    "d_k": lambda X, C, Q, V, h: np.sqrt(Q.shape[-1]),
    "d_model": lambda X, C, Q, V, h: np.sqrt(X.shape[-1]),
    "all heads": lambda X, C, Q, V, h: np.sqrt(Q.shape[-1] * h),
    "share": lambda X, C, Q, V, h: np.sqrt(X.shape[-1] // h),
    "exact share": lambda X, C, Q, V, h: np.sqrt(X.shape[-1] / h),
    "none": lambda X, C, Q, V, h: 1.0,
    "full": lambda X, C, Q, V, h: Q.shape[-1],
    "half": lambda X, C, Q, V, h: Q.shape[-1] / 2,
    "times": lambda X, C, Q, V, h: 1 / np.sqrt(Q.shape[-1]),
    "d_v": lambda X, C, Q, V, h: np.sqrt(V.shape[-1]),
    "h": lambda X, C, Q, V, h: np.sqrt(h),
    "L": lambda X, C, Q, V, h: np.sqrt(Q.shape[-2]),
    "S": lambda X, C, Q, V, h: np.sqrt(V.shape[-2]),
    "d_context": lambda X, C, Q, V, h: np.sqrt(C.shape[-1]),
}
# da quale sequenza vengono query, key e value
WHO = {
    "right": lambda X, C: (X, C, C),
    "swapped": lambda X, C: (C, X, X),
    "X only": lambda X, C: (X, X, X),
    "C only": lambda X, C: (C, C, C),
    "values from X": lambda X, C: (X, C, X),
    "keys from X": lambda X, C: (X, X, C),
}
WHICH = {
    "right": lambda W_Q, W_K, W_V: (W_Q, W_K, W_V),
    "Q and K swapped": lambda W_Q, W_K, W_V: (W_K, W_Q, W_V),
    "K and V swapped": lambda W_Q, W_K, W_V: (W_Q, W_V, W_K),
    "V with W_K": lambda W_Q, W_K, W_V: (W_Q, W_K, W_K),
    "V with W_Q": lambda W_Q, W_K, W_V: (W_Q, W_K, W_Q),
    "K with W_Q": lambda W_Q, W_K, W_V: (W_Q, W_Q, W_V),
    "all with W_Q": lambda W_Q, W_K, W_V: (W_Q, W_Q, W_Q),
    "V as it is": lambda W_Q, W_K, W_V: (W_Q, W_K, None),
}
OUTS = {
    "W_O": lambda z, W_O: z @ W_O,
    "none": lambda z, W_O: z,
    "turned": lambda z, W_O: z @ W_O.T,
    "left": lambda z, W_O: W_O @ z,
}
def _attend(X, C, Ws, W_O, h, coefficients, split, merge, scale, who, which, out):
    sources = WHO[who](X, C)
    parts = [x if W is None else x @ W for x, W in zip(sources, WHICH[which](*Ws), strict=True)]
    Q, K, V = (SPLITS[split](part, h) for part in parts)  # (..., h, L o S, d_k o d_v)
    scores = Q @ np.swapaxes(K, -1, -2) / SCALES[scale](X, C, Q, V, h)  # (..., h, L, S)
    return OUTS[out](MERGES[merge](coefficients(scores) @ V), W_O)


def multi_family(
    masking="right", split="right", merge="right", scale="d_k", which="right", out="W_O", heads="h",
    finish="none",
):  # fmt: skip
    """X: (B, L, d_model)   W_Q, W_K, W_V, W_O   n_heads   mask: (B, L, L)   Restituisce: (B, L, d_out)."""

    def multi_head(X, W_Q, W_K, W_V, W_O, n_heads, mask):
        h = n_heads if heads == "h" else 1
        result = _attend(X, X, (W_Q, W_K, W_V), W_O, h, lambda s: MASKINGS[masking](s, mask, h), split, merge,
                         scale, "right", which, out)  # fmt: skip
        return FINISHES[finish](result, (X, W_Q, W_V))

    return multi_head


def cross_family(
    who="right", split="right", merge="right", scale="d_k", which="right", out="W_O", heads="h", axis="keys",
    finish="none",
):  # fmt: skip
    """X: (..., L, d_model)   C: (..., S, d_context)   W_…   n_heads   Restituisce: (..., L, d_out)."""

    def coefficients(scores):
        return scores if axis == "none" else softmax_along(AXES[axis], scores, True)

    def cross_attention(X, C, W_Q, W_K, W_V, W_O, n_heads):
        h = n_heads if heads == "h" else 1
        result = _attend(X, C, (W_Q, W_K, W_V), W_O, h, coefficients, split, merge, scale, who, which, out)
        return FINISHES[finish](result, (X, C, W_Q))

    return cross_attention


AXES = {"keys": -1, "queries": -2, "heads": -3}


def scaled_after(X, C, W_Q, W_K, W_V, W_O, n_heads):
    """La scala arriva dopo la softmax: il risultato è quello senza scala, diviso per la radice."""
    return cross_family(scale="none")(X, C, W_Q, W_K, W_V, W_O, n_heads) / np.sqrt(W_Q.shape[-1] // n_heads)


def with_residual(function):
    """Al risultato è sommato X, come farà un blocco del notebook 7."""
    return lambda X, *rest: function(X, *rest) + X

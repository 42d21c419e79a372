"""Le funzioni di es07, giuste e storte: ogni passaggio ha un nome, e un errore tipico ne cambia uno.

Una `family` chiamata senza argomenti dà la funzione giusta; con un cambiamento dà quella sbagliata; con due
cambiamenti dà quella che contiene tutti e due gli errori.
"""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import FINISHES
from course_lib.checks.es04.functions import attention_family

EPS = 1e-5

# --- la LayerNorm ----------------------------------------------------------------------------------------

AXES = {"components": -1, "tokens": -2, "first": 0, "second": 1, "all": None}
CENTRES = {"mean": lambda x, mean: x - mean, "none": lambda x, mean: x}
DIVISORS = {"d": lambda n: n, "d-1": lambda n: n - 1, "sum": lambda n: 1}
ROOTS = {
    "inside": lambda variance, eps: np.sqrt(variance + eps),
    "outside": lambda variance, eps: np.sqrt(variance) + eps,
    "no eps": lambda variance, eps: np.sqrt(variance),
    "eps squared": lambda variance, eps: np.sqrt(variance + eps**2),
    "eps fixed": lambda variance, eps: np.sqrt(variance + EPS),
    "no root": lambda variance, eps: variance + eps,
    "deviation inside": lambda variance, eps: np.sqrt(np.sqrt(variance) + eps),
}
SCALES = {
    "both": lambda n, gamma, beta: n * gamma + beta,
    "no gamma": lambda n, gamma, beta: n + beta,
    "no beta": lambda n, gamma, beta: n * gamma,
    "neither": lambda n, gamma, beta: n,
    "swapped": lambda n, gamma, beta: n * beta + gamma,
    "shifted first": lambda n, gamma, beta: (n + beta) * gamma,
    "divided": lambda n, gamma, beta: n / gamma + beta,
}


def norm_family(axis="components", centre="mean", divisor="d", root="inside", scale="both", finish="none"):
    """LayerNorm.   x: (..., L, d)   gamma, beta: (d,)   eps   Restituisce: (..., L, d)."""

    def layer_norm(x, gamma, beta, eps):
        mean = np.mean(x, axis=AXES[axis], keepdims=True)
        spread = (x - mean) ** 2
        total = np.sum(spread, axis=AXES[axis], keepdims=True)
        count = x.size / total.size
        normal = CENTRES[centre](x, mean) / ROOTS[root](total / DIVISORS[divisor](count), eps)
        return FINISHES[finish](SCALES[scale](normal, gamma, beta), (x, gamma, beta))

    return layer_norm


def lost_axis(mean_kept, variance_kept):
    """La media, o la varianza, senza l'asse di ogni riga."""

    def layer_norm(x, gamma, beta, eps):
        centred = x - np.mean(x, axis=-1, keepdims=mean_kept)
        variance = np.var(x, axis=-1, keepdims=variance_kept)
        return centred / np.sqrt(variance + eps) * gamma + beta

    return layer_norm


def row_by_row(x, gamma, beta, eps):
    """Un ciclo sul primo asse: con tre assi, ogni giro ha davanti una frase intera."""
    rows = [norm_family(axis="all")(row, gamma, beta, eps) for row in x]
    return np.stack(rows)


def mean_distance(x, gamma, beta, eps):
    """Lo scarto medio, in valore assoluto, al posto della deviazione standard."""
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / (np.abs(centred).mean(axis=-1, keepdims=True) + eps) * gamma + beta


# --- la rete feed-forward --------------------------------------------------------------------------------

ACTIVATIONS = {
    "relu": lambda h: np.maximum(h, 0),
    "none": lambda h: h,
    "negatives": lambda h: np.minimum(h, 0),
    "absolute": np.abs,
    "step": lambda h: (h > 0).astype(float),
    "from one": lambda h: np.maximum(h, 1),
    "gelu": lambda h: 0.5 * h * (1 + np.tanh(np.sqrt(2 / np.pi) * (h + 0.044715 * h**3))),
}
BEFORE = {"plain": lambda x: x, "relu": lambda x: np.maximum(x, 0)}
FIRSTS = {
    "right": lambda x, W, b, activation: activation(x @ W + b),
    "no bias": lambda x, W, b, activation: activation(x @ W),
    "bias late": lambda x, W, b, activation: activation(x @ W) + b,
}
SECONDS = {"right": lambda h, W, b: h @ W + b, "no bias": lambda h, W, b: h @ W}
AFTER = {
    "plain": lambda y, x: y,
    "relu": lambda y, x: np.maximum(y, 0),
    "residual": lambda y, x: y + x,
}


def ffn_family(
    before="plain", first="right", activation="relu", second="right", after="plain", finish="none"
):
    """La rete feed-forward.   x: (..., L, d)   Restituisce: (..., L, d)."""

    def feed_forward(x, W_1, b_1, W_2, b_2):
        h = FIRSTS[first](BEFORE[before](x), W_1, b_1, ACTIVATIONS[activation])
        y = AFTER[after](SECONDS[second](h, W_2, b_2), x)
        return FINISHES[finish](y, (x, W_1, b_1, W_2, b_2))

    return feed_forward


# --- il blocco -------------------------------------------------------------------------------------------

MASKS = {
    "given": lambda mask: mask,
    "ignored": np.ones_like,
    "inverted": np.logical_not,
    "own causal": lambda mask: np.tri(mask.shape[-1], dtype=bool),
}
STAGES = {
    "right": ("attention", "ffn"),
    "swapped": ("ffn", "attention"),
    "attention": ("attention",),
    "ffn": ("ffn",),
    "parallel": ("attention", "ffn"),
}
OWN = {"attention": "1", "ffn": "2"}
SETS = {"each": ("1", "2"), "first twice": ("1", "1"), "second twice": ("2", "2"), "swapped": ("2", "1")}
NORMED = {"both": ("1", "2"), "none": (), "first": ("1",), "second": ("2",)}
KEPT = {
    "both": ("attention", "ffn"),
    "none": (),
    "ffn only": ("ffn",),
    "attention only": ("attention",),
    "from start": ("attention", "ffn"),
}
ROLES = {"QKV": "QKV", "KQV": "KQV", "QVK": "QVK", "QKK": "QKK", "QK-": "QK-", "---": "---"}
RAW = {"normed": "", "raw": "KV", "raw value": "V"}  # chi è calcolato dal vettore non normalizzato


def _given_attention(Q, K, V, mask):
    """masked_attention della cella di preparazione: su una riga tutta vietata dà NaN, come la sua."""
    z = attention_family()(Q, K, V, mask)
    return np.where(mask.any(axis=-1)[:, None], z, np.nan)


def _attention(h, raw, mask, p, out, read, roles):
    source = {name: raw if name in RAW[read] else h for name in "QKV"}
    Q, K, V = (source[name] @ p[f"W_{name}"] if name in source else h for name in ROLES[roles])
    z = _given_attention(Q, K, V, mask)
    return z @ p["W_O"] if out == "W_O" else z


def block_family(
    order="pre", residual="both", stages="right", normed="both", sets="each", mask_read="given", out="W_O",
    read="normed", roles="QKV", eps=EPS, scale="both", activation="relu", ending="none", finish="none",
):  # fmt: skip
    """Un blocco pre-norm con una testa.   x: (..., L, d)   mask: (L, L)   p: {nome: array}   -> come x."""

    def block(x, mask, p):
        start, seen = x, MASKS[mask_read](mask)

        def norm(which, v):
            k = SETS[sets][int(which) - 1]
            normalise = norm_family(scale=scale)
            return normalise(v, p[f"gamma_{k}"], p[f"beta_{k}"], eps) if which in NORMED[normed] else v

        def sublayer(stage, h, raw):
            if stage == "attention":
                return _attention(h, raw, seen, p, out, read, roles)
            return ffn_family(activation=activation)(h, *(p[name] for name in ("W_1", "b_1", "W_2", "b_2")))

        for stage in STAGES[stages]:
            entering = start if stages == "parallel" else x
            base = start if residual == "from start" else x
            keeps = stage in KEPT[residual]
            if order == "post":
                y = sublayer(stage, entering, entering)
                x = norm(OWN[stage], base + y if keeps else y)
            elif order == "after":
                y = norm(OWN[stage], sublayer(stage, entering, entering))
                x = base + y if keeps else y
            else:
                h = norm(OWN[stage], entering)
                y = sublayer(stage, h, entering)
                base = h if order == "overwritten" else base
                x = base + y if keeps else y
            if stage == "attention" and out == "on the sum":
                x = x @ p["W_O"]
        if ending == "normed":
            x = norm_family()(x, p["gamma_2"], p["beta_2"], eps)
        return FINISHES[finish](x, (start, *p.values()))

    return block


# --- le maschere delle tre famiglie ----------------------------------------------------------------------

KINDS = {
    "bool": lambda mask: mask,
    "numbers": lambda mask: mask.astype(float),
    "additive": lambda mask: np.where(mask, 0.0, -np.inf),
}
POLARITIES = {"may look": lambda mask: mask, "forbidden": np.logical_not}
READERS = {  # l'encoder: chi legge la frase di partenza, (B, S, S)
    "padding": lambda real, S: np.repeat(real[:, None, :], S, axis=1),
    "full": lambda real, S: np.ones((len(real), S, S), dtype=bool),
    "causal": lambda real, S: real[:, None, :] & np.tri(S, dtype=bool),
    "causal only": lambda real, S: np.repeat(np.tri(S, dtype=bool)[None], len(real), axis=0),
    "rows": lambda real, S: np.repeat(real[:, :, None], S, axis=2),
    "rows and columns": lambda real, S: real[:, :, None] & real[:, None, :],
    "one row": lambda real, S: real[:, None, :],
    "not repeated": lambda real, S: real,
}
WRITERS = {  # il decoder: chi scrive guarda ciò che ha già scritto, (T, T)
    "causal": lambda T: np.tri(T, dtype=bool),
    "full": lambda T: np.ones((T, T), dtype=bool),
    "before": lambda T: np.tri(T, k=-1, dtype=bool),
    "from": lambda T: np.tri(T, dtype=bool).T,
    "one more": lambda T: np.tri(T, k=1, dtype=bool),
}
CROSSES = {  # l'incrociata: chi scrive guarda la frase di partenza, (B, T, S)
    "padding": lambda real, T, S: np.repeat(real[:, None, :], T, axis=1),
    "full": lambda real, T, S: np.ones((len(real), T, S), dtype=bool),
    "causal": lambda real, T, S: real[:, None, :] & np.tri(T, S, dtype=bool),
    "causal only": lambda real, T, S: np.repeat(np.tri(T, S, dtype=bool)[None], len(real), axis=0),
    "swapped": lambda real, T, S: np.repeat(real[:, :, None], T, axis=2),
    "one for all": lambda real, T, S: np.ones((T, S), dtype=bool),
    "one row": lambda real, T, S: real[:, None, :],
    "not repeated": lambda real, T, S: real,
}
CHANGED = {"all": (0, 1, 2), "padding": (0, 2), "decoder": (1,)}  # quali maschere hanno l'errore
LENGTHS = {
    "right": lambda lengths, S: np.arange(S) < lengths[:, None],
    "one more": lambda lengths, S: np.arange(S) <= lengths[:, None],
    "one less": lambda lengths, S: np.arange(S) < lengths[:, None] - 1,
}


def masks_family(
    reader="padding", writer="causal", cross="padding", real="right", polarity="may look", kind="bool",
    changed="all",
):  # fmt: skip
    """Le tre maschere.   lengths: (B,)   S, T: interi   Restituisce: (B, S, S), (T, T), (B, T, S)."""

    def family_masks(lengths, S, T):
        own = LENGTHS[real](lengths, S)  # (B, S)
        three = READERS[reader](own, S), WRITERS[writer](T), CROSSES[cross](own, T, S)
        return tuple(
            KINDS[kind](POLARITIES[polarity](mask)) if place in CHANGED[changed] else mask
            for place, mask in enumerate(three)
        )

    return family_masks


def in_order(*places):
    """Le tre maschere giuste, restituite in un altro ordine."""
    return lambda lengths, S, T: tuple(masks_family()(lengths, S, T)[place] for place in places)

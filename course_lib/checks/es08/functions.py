"""La loss di es08 e il suo gradiente, giusti e storti: un errore tipico cambia un passaggio, che ha un nome.

Una `family` chiamata senza argomenti dà la funzione giusta; con un cambiamento dà quella sbagliata; con due
cambiamenti dà quella che contiene tutti e due gli errori.
"""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import FINISHES

AXES = {"tokens": -1, "positions": 0}
PEAKS = {
    "row": lambda logits, axis: logits.max(axis=axis, keepdims=True),
    "all": lambda logits, axis: logits.max(),
    "none": lambda logits, axis: 0.0,
}
LOGARITHMS = {"e": 1.0, "2": np.log(2.0), "10": np.log(10.0)}


def probabilities(logits, peak="row", axis="tokens"):
    """La softmax.   logits: (T, V)   Restituisce: (T, V)."""
    e = np.exp(logits - PEAKS[peak](logits, AXES[axis]))
    return e / e.sum(axis=AXES[axis], keepdims=True)


def log_probabilities(logits, how="together", peak="row", axis="tokens"):
    """ln p.   how: «together» senza passare dalle probabilità; gli altri modi sono storti."""
    if how == "together":
        shifted = logits - PEAKS[peak](logits, AXES[axis])
        return shifted - np.log(np.exp(shifted).sum(axis=AXES[axis], keepdims=True))
    p = probabilities(logits, peak, axis)
    if how.startswith("plus"):
        return np.log(p + float(how.split()[1]))
    if how.startswith("at least"):
        return np.log(np.maximum(p, float(how.split()[2])))
    return {"two steps": np.log, "no logarithm": lambda p: p, "one minus": lambda p: p - 1}[how](p)


TOUCHED = tuple(f"{kind} 1e-{n}" for kind in ("plus", "at least") for n in (6, 7, 8, 9, 10, 12, 15, 16))


def _picked(table, targets):
    return table[np.arange(len(targets)), targets]  # (T,)


CHOSEN = {
    "its own": _picked,
    "every pair": lambda table, targets: table[:, targets].mean(axis=1),
    "every token": lambda table, targets: table.mean(axis=1),
    "all summed": lambda table, targets: table.sum(axis=1),
}
AVERAGES = {
    "positions": lambda losses, V: losses.mean(),
    "none": lambda losses, V: losses.sum(),
    "tokens": lambda losses, V: losses.sum() / V,
    "whole table": lambda losses, V: losses.mean() / V,
    "each": lambda losses, V: losses,
}


def loss_family(
    how="together", peak="row", axis="tokens", chosen="its own", average="positions", sign="minus", base="e",
    finish="none",
):  # fmt: skip
    """La cross-entropy.   logits: (T, V)   targets: (T,)   Restituisce: un numero."""

    def cross_entropy(logits, targets):
        table = log_probabilities(logits, how, peak, axis) / LOGARITHMS[base]  # (T, V)
        losses = CHOSEN[chosen](table, targets) * (-1 if sign == "minus" else 1)  # (T,)
        return FINISHES[finish](AVERAGES[average](losses, logits.shape[-1]), (logits,))

    return cross_entropy


def log_of_the_mean(logits, targets):
    """Il logaritmo della media delle probabilità, al posto della media dei logaritmi."""
    return -np.log(_picked(probabilities(logits), targets).mean())


def no_softmax(logits, targets):
    """I logit dei token giusti, senza softmax."""
    return -_picked(logits, targets).mean() * 1.0


def per_token(logits, targets):
    """La media lungo le posizioni di −y ln p: un numero per token del vocabolario."""
    y = np.eye(logits.shape[-1])[targets]
    return -(y * log_probabilities(logits)).mean(axis=0)


def first_position(logits, targets):
    """Il ciclo che restituisce al primo giro."""
    return loss_family()(logits[:1], targets[:1])


def last_position(logits, targets):
    """Il totale che a ogni giro è sostituito, poi diviso per N."""
    return loss_family()(logits[-1:], targets[-1:]) / len(targets)


WITHOUT_PEAK = (
    loss_family(how="two steps", peak="none"),
    lambda logits, targets: -_picked(
        logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True)), targets
    ).mean(),
)

LABELS = {
    "one": lambda logits, targets: np.eye(logits.shape[-1])[targets],
    "none": lambda logits, targets: 0.0,
    "shared": lambda logits, targets: np.isin(np.arange(logits.shape[-1]), targets) * 1.0,
    "positions": lambda logits, targets: np.arange(logits.shape[-1]) == np.arange(len(targets))[:, None],
}
SHARES = {
    "positions": lambda logits: len(logits),
    "none": lambda logits: 1,
    "tokens": lambda logits: logits.shape[-1],
    "whole table": lambda logits: logits.size,
}
SIGNS = {"minus": lambda p, y: p - y, "plus": lambda p, y: p + y, "reversed": lambda p, y: y - p}
BEFORE = {
    "softmax": probabilities,
    "logits": lambda logits, peak, axis: logits * 1.0,
    "logarithm": lambda logits, peak, axis: log_probabilities(logits, peak=peak, axis=axis),
}


def gradient_family(
    p="softmax", peak="row", axis="tokens", label="one", sign="minus", average="positions", finish="none"
):
    """Il gradiente della loss rispetto ai logit.   logits: (T, V)   targets: (T,)   Restituisce: (T, V)."""

    def cross_entropy_gradient(logits, targets):
        before = BEFORE[p](logits, peak, axis)
        difference = SIGNS[sign](before, LABELS[label](logits, targets))
        return FINISHES[finish](difference / SHARES[average](logits), (logits,))

    return cross_entropy_gradient


def right_column_only(logits, targets):
    """p − 1 nella colonna del token giusto, 0 nelle altre."""
    y = np.eye(logits.shape[-1])[targets]
    return y * (probabilities(logits) - 1) / len(targets)


def first_row_only(logits, targets):
    """Il ciclo che si ferma al primo giro: le altre righe restano a 0."""
    result = np.zeros(logits.shape)
    result[0] = gradient_family()(logits, targets)[0]
    return result

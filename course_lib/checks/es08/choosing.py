"""Le tre scelte del token di es08, giuste e storte: ogni passaggio ha un nome, come in functions.py."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import FINISHES
from course_lib.checks.es08.functions import PEAKS, probabilities

COUNTS = {
    "k": lambda k, V: k,
    "one more": lambda k, V: min(k + 1, V),
    "one less": lambda k, V: k - 1,
}
ORDERS = {
    "most": lambda p: np.argsort(-p, kind="stable"),
    "least": lambda p: np.argsort(p, kind="stable"),
    "most, last": lambda p: np.argsort(p, kind="stable")[::-1],
    "as written": lambda p: np.arange(len(p)),
}


def _shared(kept):
    with np.errstate(all="ignore"):              # di chi non tiene nulla: 0/0, NaN
        return kept / kept.sum()


TOTALS = {
    "sum": _shared,
    "none": lambda kept: kept,
    "again": lambda kept: np.where(kept > 0, np.exp(kept), 0.0) / np.exp(kept[kept > 0]).sum(),
    "again, all": lambda kept: np.exp(kept) / np.exp(kept).sum(),
}


def _with(p, places, total, finish):
    kept = np.zeros(len(p))
    kept[places] = p[places]
    return FINISHES[finish](TOTALS[total](kept), (p,))


def top_k_family(order="most", count="k", total="sum", finish="none"):
    """I k più probabili.   p: (V,)   k: un intero   Restituisce: (V,)."""

    def keep_top_k(p, k):
        return _with(p, ORDERS[order](p)[: COUNTS[count](k, len(p))], total, finish)

    return keep_top_k


def as_probable_as_the_last(p, k):
    """Una soglia: tutti quelli probabili almeno quanto il k-esimo, pari merito compresi."""
    return _with(p, p >= np.sort(p)[-k], "sum", "none")


def more_probable_than_the_last(p, k):
    """Una soglia stretta: il k-esimo resta fuori."""
    return _with(p, p > np.sort(p)[-k], "sum", "none")


def only_the_kept(p, k):
    """I k più probabili da soli, dal più probabile."""
    kept = np.sort(p)[::-1][:k]
    return kept / kept.sum()


def sorted_top_k(p, k):
    """Rimessi in ordine di probabilità: i posti non sono più gli ID."""
    kept = np.zeros(len(p))
    kept[:k] = np.sort(p)[::-1][:k]
    return kept / kept.sum()


CROSSINGS = {
    "kept": lambda sums, mass: 1 + int(np.sum(sums < mass)),
    "dropped": lambda sums, mass: int(np.sum(sums <= mass)),
    "dropped, one at least": lambda sums, mass: max(1, int(np.sum(sums <= mass))),
    "below": lambda sums, mass: int(np.sum(sums < mass)),
    "below, one at least": lambda sums, mass: max(1, int(np.sum(sums < mass))),
    "one more": lambda sums, mass: 1 + int(np.sum(sums <= mass)),
}


def top_p_family(order="most", crossing="kept", total="sum", finish="none"):
    """I più probabili, finché la somma arriva a mass.   p: (V,)   mass: un numero   Restituisce: (V,)."""

    def keep_top_p(p, mass):
        places = ORDERS[order](p)
        return _with(p, places[: CROSSINGS[crossing](np.cumsum(p[places]), mass)], total, finish)

    return keep_top_p


def each_above(p, mass):
    """Una soglia sulla probabilità di ciascuno."""
    return _with(p, p >= mass, "sum", "none")


def sorted_top_p(p, mass):
    """Rimessi in ordine di probabilità."""
    return np.sort(top_p_family()(p, mass))[::-1]


TEMPERATURES = {
    "divide": lambda logits, tau: logits / tau,
    "multiply": lambda logits, tau: logits * tau,
    "none": lambda logits, tau: logits,
    "root": lambda logits, tau: logits / np.sqrt(tau),
}
PLACES = {
    "above": lambda sums, u: int(np.argmax(sums > u)),
    "at least": lambda sums, u: int(np.argmax(sums >= u)),
    "next": lambda sums, u: int(np.argmax(sums > u)) + 1,
    "before": lambda sums, u: int(np.argmax(sums > u)) - 1,
}
SUMS = {
    "running": np.cumsum,
    "alone": lambda p: p,
    "from the end": lambda p: np.cumsum(p[::-1])[::-1],
}


def sample_family(tau="divide", peak="row", total="sum", sums="running", place="above"):
    """Il token che esce.   logits: (V,)   tau, u: due numeri   Restituisce: un ID."""

    def sample(logits, temperature, u):
        scaled = TEMPERATURES[tau](logits, temperature)
        e = np.exp(scaled - PEAKS[peak](scaled, -1))
        p = e / e.sum() if total == "sum" else e
        return PLACES[place](SUMS[sums](p), u)

    return sample


def _distribution(logits, tau):
    return probabilities(np.asarray(logits)[None] / tau)[0]


def greedy(logits, tau, u):
    """Sempre il più probabile."""
    return int(np.argmax(logits))


def by_rank(logits, tau, u):
    """Il posto nell'elenco ordinato, non l'ID."""
    return int(np.argmax(np.cumsum(np.sort(_distribution(logits, tau))[::-1]) > u))


def by_rank_then_id(logits, tau, u):
    """Scorre dal più probabile al meno probabile."""
    p = _distribution(logits, tau)
    order = np.argsort(-p, kind="stable")
    return int(order[np.argmax(np.cumsum(p[order]) > u)])


def after_the_softmax(logits, tau, u):
    """La temperatura divide le probabilità già fatte."""
    return int(np.argmax(np.cumsum(_distribution(logits, 1.0) / tau) > u))


def by_counting(logits, tau, u):
    """Senza massimo, contando le somme che non superano u."""
    e = np.exp(logits / tau)
    return int(np.sum(np.cumsum(e / e.sum()) <= u))


def compare_then_add(logits, tau, u, last):
    """Il ciclo che prima confronta e poi somma: un posto più avanti; last: che cosa dà se finisce."""
    total = 0.0
    for i, p in enumerate(_distribution(logits, tau)):
        if total > u:
            return i
        total += p
    return last(len(logits))


def from_the_end(logits, tau, u):
    """Scorre dall'ultimo ID al primo."""
    p = _distribution(logits, tau)
    return len(p) - 1 - int(np.argmax(np.cumsum(p[::-1]) > u))

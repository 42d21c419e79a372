"""Riconoscere, dai soli numeri, quale errore tipico è stato fatto."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from course_lib.checks.compare import Difference, compare
from course_lib.checks.exercise import Check, Slip
from course_lib.checks.observe import Observation, observe


@dataclass(frozen=True)
class Diagnosis:
    """Gli errori riconosciuti (uno o due) e se bastano a spiegare tutti i risultati."""

    slips: tuple[Slip, ...]
    complete: bool = True


def difference_from_expected(check: Check, seen: Observation) -> Difference | None:
    """In che cosa il risultato differisce da quello giusto; la chiamata non deve essere fallita."""
    return compare(seen.expected, seen.value, labels=check.results, kinds=check.kinds, low=seen.low)


def recognise(check: Check, seen: Sequence[Observation]) -> Diagnosis | None:
    """L'errore tipico che dà gli stessi risultati, oppure la coppia di errori, oppure uno che non è il solo.

    seen: le chiamate già fatte alla funzione dell'allievo, tutte
    Restituisce None se nessun errore noto spiega i numeri.
    """
    singles = [(slip, function) for slip in check.slips for function in check.wrong_functions(slip)]
    for slip, function in singles:
        if slip.admits is None and _explains(check, function, seen, needed=1, stops=slip.stops):
            return Diagnosis((slip,))
    for slip in check.slips:
        if slip.admits is not None and _admitted(check, slip, seen):
            return Diagnosis((slip,))
    if check.alone:
        return None
    for slips, function in _pairs(check):
        if _explains(check, function, seen, needed=2):
            return Diagnosis(slips)
    for slip, function in singles:
        if slip.admits is None and _explains(check, function, seen, needed=2, everywhere=False):
            return Diagnosis((slip,), complete=False)
    return None


def _admitted(check: Check, slip: Slip, seen: Sequence[Observation]) -> bool:
    """True se quell'errore, che a ogni chiamata può dare altro, può aver dato tutti questi risultati."""
    return all(one.failure is None and slip.admits(one.args, one.value) for one in seen) and any(
        _differ(check, one.expected, one.value, one.low) for one in seen
    )


def _pairs(check: Check) -> Iterator[tuple[tuple[Slip, Slip], Callable]]:
    """Le coppie di errori che cambiano passaggi diversi della stessa funzione."""
    changed = [(slip, v) for slip in check.slips for v in slip.variants if isinstance(v, dict)]
    for (one, first), (other, second) in combinations(changed, 2):
        if one is not other and not first.keys() & second.keys():
            yield (one, other), check.family(**first, **second)


def _explains(
    check: Check,
    function: Callable,
    seen: Sequence[Observation],
    needed: int,
    everywhere: bool = True,
    stops: bool = False,
) -> bool:
    """True se i risultati dell'allievo sono quelli di function.

    needed: in quanti casi, almeno, function deve dare un valore, e sbagliato
    everywhere: se è False si guardano soltanto i casi in cui function sbaglia
    stops: se è True conta anche un caso in cui tutt'e due si fermano con lo stesso errore di Python
    """
    wrong_values = 0
    for one in seen:
        slipped = observe(function, one.args)
        wrong = slipped.failure is not None or _differ(check, one.expected, slipped.value, one.low)
        if not wrong and not everywhere:
            continue
        if not _same_outcome(check, slipped, one):
            return False
        if slipped.failure is None:
            wrong_values += wrong
        elif stops:
            wrong_values += slipped.failure.name == one.failure.name
    return wrong_values >= needed


def _same_outcome(check: Check, slipped: Observation, pupil: Observation) -> bool:
    if slipped.failure is not None or pupil.failure is not None:
        return slipped.failure is not None and pupil.failure is not None
    # con ingressi interi lo stesso errore, scritto in un altro modo, può dare interi: «K @ q» senza scala
    kinds = "iuf" if _holds_reals(slipped.value) else None
    return not _differ(check, slipped.value, pupil.value, pupil.low, kinds)


def _holds_reals(value) -> bool:
    parts = value if type(value) is tuple else (value,)
    return any(np.asarray(one).dtype.kind == "f" for one in parts if type(one) not in (list, dict, str))


def _differ(check: Check, expected, got, low: bool, kinds: str | None = None) -> bool:
    return compare(expected, got, labels=check.results, kinds=kinds or check.kinds, low=low) is not None

"""Proprietà che valgono qualunque siano i numeri."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course_lib.checks.compare import compare
from course_lib.checks.exercise import Property


def _part(value, index: int | None):
    """Il risultato, o quello di posto index se la funzione ne restituisce una tupla."""
    if index is None:
        return value
    return value[index] if type(value) is tuple and index < len(value) else None


input_untouched = Property(
    "ingressi modificati",
    "La tua funzione cambia ciò che ha ricevuto: quale riga ci scrive dentro? Chi chiama potrebbe averne "
    "ancora bisogno.",
    lambda seen: not seen.changed,
)


_COEFFICIENTS = (
    "I coefficienti di una riga si dividono un intero fra tutte le key: quanto fa la somma dei tuoi?"
)


def rows_sum_to_one(index: int | None = None, question: str = _COEFFICIENTS) -> Property:
    """Lungo l'ultimo asse la somma è 1 (index: quale risultato, se sono più d'uno; question: la domanda)."""

    def holds(seen) -> bool:
        weights = _part(seen.value, index)
        if type(weights) is not np.ndarray or weights.dtype.kind not in "iuf" or weights.ndim == 0:
            return True
        sums = np.asarray(weights.sum(axis=-1))
        return compare(np.ones(sums.shape), sums, kinds="iuf", low=seen.low) is None

    return Property(
        "somma diversa da 1",
        question,
        holds,
    )


def dtype_kept(index: int | None = None) -> Property:
    """Il risultato ha il dtype del primo array fra gli ingressi, se è di numeri con la virgola."""

    def holds(seen) -> bool:
        first = next((arg for arg in seen.args if type(arg) is np.ndarray), None)
        result = _part(seen.value, index)
        if first is None or first.dtype.kind != "f" or type(result) is not np.ndarray:
            return True
        return result.dtype == first.dtype

    return Property(
        "precisione cambiata",
        "Gli ingressi e il risultato hanno un dtype diverso: quale passaggio lo cambia?",
        holds,
    )


def unchanged_under(
    name: str, question: str, transform: Callable[..., tuple], expected: Callable
) -> Property:
    """Trasformati gli ingressi, il risultato si trasforma come previsto.

    transform(*args): i nuovi ingressi   expected(value, *args): che cosa deve diventare il risultato value
    """

    def holds(seen) -> bool:
        again = seen.call(*transform(*seen.args))
        if again.failure is not None:
            return False
        return compare(expected(seen.value, *seen.args), again.value, kinds="biuf", low=seen.low) is None

    return Property(name, question, holds)

"""Dove stanno gli esercizi: un modulo ciascuno, importato solo quando serve."""

from __future__ import annotations

import importlib
from pathlib import Path

from course_lib.checks.errors import ErroreEsercizio
from course_lib.checks.exercise import Exercise


def known() -> tuple[str, ...]:
    """Gli esercizi che hanno i loro controlli, in ordine."""
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("es[0-9][0-9]*")))


def exercise(exercise_id: str) -> Exercise:
    """L'esercizio con quel nome, per esempio "es02".

    Solleva ErroreEsercizio (un CorsoError) se non esiste.
    """
    if type(exercise_id) is not str or exercise_id not in known():
        names = ", ".join(known())
        raise ErroreEsercizio(f"Non c'è un esercizio {exercise_id!r}: gli esercizi sono {names}.")
    return importlib.import_module(f"course_lib.checks.{exercise_id}").EXERCISE

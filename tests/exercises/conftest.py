"""Attrezzi per le prove sugli esercizi: le loro celle di prova, e `verifica` in silenzio."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import numpy as np
import pytest

from course_lib.building.rules import HIDDEN, regions, role
from course_lib.building.source import Source, read_source
from course_lib.checks import VerificaFallita, exercise, verifica

SOURCES = Path(__file__).resolve().parents[2] / "sources" / "exercises"


def exercise_source(exercise_id: str) -> Source:
    """La sorgente di un esercizio."""
    return read_source(SOURCES / f"{exercise_id}.md")


def test_cells(exercise_id: str) -> list:
    """Le celle di prova di un esercizio."""
    return [cell for cell in exercise_source(exercise_id).cells if role(cell) == "prova"]


test_cells.__test__ = False


def hidden_inputs(exercise_id: str) -> dict[str, dict]:
    """{nome della funzione: ingressi nascosti}, presi eseguendo i soli blocchi nascosti."""
    source, found = exercise_source(exercise_id), {}
    for cell in test_cells(exercise_id):
        for region in regions(source, cell):
            assert region.kind == HIDDEN

            def record(_, name, nascosti):
                found[name] = nascosti

            names = {name: name for name in exercise(exercise_id).exports}
            exec("\n".join(region.lines), {"np": np, "verifica": record, **names})
    return found


def quietly(*args, **options) -> str:
    """Chiama verifica e restituisce ciò che stampa."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
        verifica(*args, **options)
    return printed.getvalue()


def failure(*args, **options) -> VerificaFallita:
    """Il fallimento di una verifica che deve fallire."""
    with pytest.raises(VerificaFallita) as caught:
        quietly(*args, **options)
    return caught.value


def first_line(*args, **options) -> str:
    """La prima riga del messaggio di una verifica che deve fallire."""
    return failure(*args, **options).messaggio.split("\n")[0]


def softmax(scores):
    """La softmax giusta."""
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def raising(error):
    """Una softmax_row che solleva error."""

    def softmax_row(scores):
        raise error

    return softmax_row


def writes_into_its_input(scores):
    """La softmax giusta, che però scrive nei punteggi ricevuti."""
    scores -= scores.max()
    return softmax(scores)

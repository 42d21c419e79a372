"""Un esercizio dall'inizio alla fine su JupyterHub, con tre utenti veri."""

from __future__ import annotations

import csv

import pytest

from tests.hub import lesson as path


@pytest.fixture(scope="session")
def lesson(people, diary):
    return path.hold(people, diary)


def test_validate_tells_right_from_wrong(lesson):
    assert "Tutte le prove visibili sono superate." in lesson.validated["anna"]
    assert "Questa cella non passa:" in lesson.validated["bruno"]
    assert "verifica(\"es02\", scaled_scores)" in lesson.validated["bruno"]


def test_marks_come_from_the_box(lesson, trial):
    assert "fine 0" in lesson.graded
    assert "senza isolamento" not in lesson.graded
    table = trial.settings.cartella_docente / "registro" / "es02.csv"
    with table.open(encoding="utf-8", newline="") as file:
        rows = {row["identificativo"]: row for row in csv.DictReader(file, delimiter=";")}
    anna, bruno = trial.pupils
    assert (rows[anna]["punti"], rows[bruno]["punti"]) == ("10", "5")

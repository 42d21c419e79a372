"""Un esercizio dall'inizio alla fine su JupyterHub, con tre utenti veri."""

from __future__ import annotations

import csv

import pytest

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("hub")]  # la classe è una: un solo processo


def test_validate_tells_right_from_wrong(lesson):
    assert "Tutte le prove visibili sono superate." in lesson.validated["anna"]
    assert "Questa cella non passa:" in lesson.validated["bruno"]
    assert 'verifica("es02", scaled_scores)' in lesson.validated["bruno"]


def test_marks_come_from_the_box(lesson, trial):
    assert "fine 0" in lesson.graded
    assert "senza isolamento" not in lesson.graded
    table = trial.settings.cartella_docente / "registro" / "es02.csv"
    with table.open(encoding="utf-8", newline="") as file:
        rows = {row["studente"]: row for row in csv.DictReader(file, delimiter=";")}
    anna, bruno = trial.pupils
    assert (rows[anna]["punti"], rows[bruno]["punti"]) == ("10", "5")
    assert f"{anna}   valutato  10 / 10" in lesson.graded
    assert "senza scala" in lesson.graded


def test_formgrader_shows_the_same_gradebook(lesson, trial):
    assert lesson.manage.split()[:4] == ["es02", "None", "released", "2"]
    for pupil, mark in zip(trial.pupils, ("10 / 10", "5 / 10"), strict=True):
        (row,) = [line for line in lesson.marks.split("\n") if line.startswith(pupil)]
        assert mark in row


def test_feedback_comes_back_to_its_owner_in_italian(lesson, trial):
    anna, bruno = trial.pupils
    assert "10 punti su 10" in " ".join(lesson.shown["anna"].split())
    assert "5 punti su 10" in " ".join(lesson.shown["bruno"].split())
    assert "sembra l'errore «senza scala»" in lesson.shown["bruno"]
    assert anna in lesson.shown["anna"]
    assert bruno not in lesson.shown["anna"]


def test_collect_in_formgrader_is_refused_with_a_sentence(lesson, people, trial):
    teacher = people["docente"]
    url = f"{teacher.base}formgrader/api/assignment/es02/collect"
    said = teacher.post(url)
    assert "corso correggi es02 --scambio" in said


def test_work_on_disk_is_never_overwritten(people):
    """Al secondo ingresso la casa non si tocca: ciò che si è scritto resta."""
    (notebook,) = (people["anna"].course / "notebooks").glob("02-*.ipynb")
    notebook.write_bytes(before := notebook.read_bytes() + b"\n")
    readme = people["anna"].course / "LEGGIMI.txt"
    readme.write_text("i miei appunti", encoding="utf-8")
    people["anna"].restart()
    assert notebook.read_bytes() == before
    assert readme.read_text(encoding="utf-8") == "i miei appunti"

"""Correggere di nuovo: il voto che cambia è detto, l'esito rovinato si rifà, ciò che è sul disco si conta."""

from __future__ import annotations

import os

import nbformat
import pytest

from course_lib.grading import pipeline
from course_lib.grading.outcomes import read_record
from course_lib.grading.pipeline import Stopped, grade_class
from course_lib.grading.register import Register
from tests.grading import samples
from tests.grading.classes import LIMITS, results, times_graded

WHEN = 1_732_093_200  # il 20 novembre 2024 alle 10, ora di Roma
pytestmark = pytest.mark.lento


def test_a_mark_that_changes_is_said_and_one_that_does_not_is_not(course):
    folder = course / "due"
    samples.write_all(folder, {"anna": samples.solved(), "bruno": samples.solved()})
    grade_class(course, "es02", folder, limits=LIMITS)
    samples.write_all(folder, {"anna": samples.only(), "bruno": samples.solved(combine=samples.MUTATING)})
    (folder / "es02_bruno.ipynb").write_bytes(b"")
    report = grade_class(course, "es02", folder, limits=LIMITS)
    assert results(report) == {"anna": 0, "bruno": None}
    notes = {o.student: o.notes for o in report.outcomes}
    assert notes["anna"][0] == "Voto cambiato: prima 10, ora 0."
    assert notes["bruno"][0] == "Voto cambiato: prima 10, ora nessun voto."
    report = grade_class(course, "es02", folder, limits=LIMITS, again=True)
    assert not any("Voto cambiato" in note for o in report.outcomes for note in o.notes)


def test_the_page_says_which_hand_in_counted(course):
    folder = course / "tre"
    samples.write_all(folder, {"anna": samples.solved()})
    nbformat.write(samples.only(), folder / "es02_bruno.ipynb")
    (folder / "es02_bruno.ipynb").write_bytes(b"")
    (folder / "Anna").mkdir()
    first = folder / "Anna" / "es02.ipynb"
    nbformat.write(samples.only(), first)
    for i, path in enumerate((first, folder / "es02_anna.ipynb", folder / "es02_bruno.ipynb")):
        os.utime(path, (WHEN + 3_600 * i,) * 2)
    report = grade_class(course, "es02", folder, limits=LIMITS)
    anna, bruno = report.outcomes
    said = "Arrivate 2 consegne: vale l'ultima, del 20/11/2024 alle 11:00:00."
    assert said in anna.notes
    page = anna.feedback.read_text("utf-8")
    assert "vale la consegna del 20/11/2024 alle 11:00:00 (ora di Roma)" in page
    assert said in page
    assert "consegna del 20/11/2024 alle 12:00:00 (ora di Roma)" in bruno.feedback.read_text("utf-8")


def test_a_damaged_outcome_is_graded_again(course):
    folder = course / "una"
    samples.write_all(folder, {"anna": samples.solved()})
    grade_class(course, "es02", folder, limits=LIMITS)
    register = Register(course)
    path = register.outcome("es02", "anna")
    path.write_text("{", "utf-8")
    report = grade_class(course, "es02", folder, limits=LIMITS)
    assert (report.already, results(report)) == (0, {"anna": 10})
    assert [line for line in report.skipped if "è rovinato" in line and str(path) in line]
    assert read_record(path)["punti"] == 10
    assert times_graded(course) == {"anna": 2}


def test_an_early_stop_counts_what_is_on_the_disk(course, monkeypatch):
    folder = course / "due"
    samples.write_all(folder, {"anna": samples.only(), "bruno": samples.only()})
    run = pipeline.Team.run

    def stopped(self, done):
        run(self, lambda _: None)  # chi dirige non ha fatto in tempo a sapere nulla
        raise KeyboardInterrupt

    monkeypatch.setattr(pipeline.Team, "run", stopped)
    with pytest.raises(Stopped, match="corrette finora 2 su 2"):
        grade_class(course, "es02", folder, limits=LIMITS)

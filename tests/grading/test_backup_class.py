"""La copia di una classe vera: fatta mentre si corregge, rimessa, corretta di nuovo con gli stessi voti."""

from __future__ import annotations

import json
import multiprocessing
import shutil
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from course_lib.grading.backup.making import make
from course_lib.grading.backup.restoring import restore
from course_lib.grading.pipeline import grade_class
from course_lib.grading.register import Register
from tests.grading import samples
from tests.grading.classes import EXPECTED, LIMITS, marks, outcomes, pages, results, small_class

pytestmark = pytest.mark.lento


def grade(course: Path) -> None:
    grade_class(course, "es02", course / "arrivi", limits=LIMITS, workers=2)


def in_another_process(course: Path) -> multiprocessing.Process:
    """La correzione in un altro processo, figlio di questo: con lo stesso codice e le stesse impronte."""
    process = multiprocessing.get_context("fork").Process(target=grade, args=(course,))
    process.start()
    return process


def test_a_class_copied_while_it_is_graded_deleted_and_restored(course, tmp_path):
    grade(course)
    swapped = small_class()
    swapped["anna"], swapped["carla"] = swapped["carla"], swapped["anna"]
    swapped["fabio"], swapped["dario"] = swapped["dario"], swapped["fabio"]
    samples.write_all(course / "arrivi", swapped)
    grading, copies = in_another_process(course), []
    while grading.is_alive():
        copies.append(make(course, tmp_path / "copie"))
    grading.join()
    assert grading.exitcode == 0
    assert sum(copy.unfinished > 0 for copy in copies) > 1
    for i, copy in enumerate(copies):
        assert_consistent(copy.path, tmp_path / str(i))
    at_the_end, expected = marks(course), {**EXPECTED, "anna": 0, "carla": 10, "dario": 9, "fabio": 6}
    meanwhile = max(copies, key=lambda copy: copy.unfinished)
    assert_graded_again(course, meanwhile.path, expected, at_the_end)
    assert_nothing_to_grade(course, make(course, tmp_path / "copie").path, expected)


def assert_graded_again(course: Path, copy: Path, expected: dict, at_the_end: list) -> None:
    """Rimessa una copia fatta a metà, ciò che mancava si corregge di nuovo e i voti sono quelli."""
    shutil.rmtree(course / "registro")
    restore(copy, course)
    report = grade_class(course, "es02", course / "arrivi", limits=LIMITS)
    assert results(report) == expected
    assert report.already < len(expected)
    assert marks(course) == at_the_end
    assert Register(course).broken_diary() is None


def assert_nothing_to_grade(course: Path, copy: Path, expected: dict) -> None:
    """Rimessa una copia fatta a correzione finita, tutto è com'era e non c'è nulla da correggere."""
    before = marks(course), pages(course), outcomes(course)
    shutil.rmtree(course / "registro")
    restore(copy, course)
    assert (marks(course), pages(course), outcomes(course)) == before
    report = grade_class(course, "es02", course / "arrivi", limits=LIMITS)
    assert (results(report), report.already) == (expected, len(expected))
    assert Register(course).broken_diary() is None


def assert_consistent(copy: Path, where: Path) -> None:
    """In una copia ogni esito ha nel registro dei voti i suoi punti, prova per prova, e la sua pagina."""
    restore(copy, where)
    register = Register(where)
    assert register.broken_diary() is None
    with Gradebook(f"sqlite:///{where}/registro/gradebook.db") as gradebook:
        found = {
            s.student_id: {g.name: g.auto_score for n in s.notebooks for g in n.grades}
            for s in gradebook.assignment_submissions("es02")
        }
    for path in register.outcomes("es02"):
        record = json.loads(path.read_bytes())
        page = register.feedback("es02", path.stem).read_text("utf-8")
        if record["punti"] is None:
            assert path.stem not in found
            continue
        assert found[path.stem] == {t["name"]: t["points"] * t["passed"] for t in record["prove"]}
        assert f"<strong>{record['punti']:g}</strong> punti su 10" in page
    diary = (where / "registro/diario.jsonl").read_text("utf-8")
    assert all(record["correzione"]["id"] in diary for record in map(json.loads, _texts(register)))


def _texts(register: Register) -> list[bytes]:
    return [path.read_bytes() for path in register.outcomes("es02")]

"""Ogni esercizio per tutto il percorso: una consegna perfetta, una intatta, una riuscita a metà."""

from __future__ import annotations

import shutil

import nbformat
import pytest

from course_lib.checks.registry import known
from course_lib.grading.pipeline import grade_class
from course_lib.project import project_root
from tests.exercises.conftest import answer_id
from tests.exercises.right import answers
from tests.own_model import files_of

pytestmark = pytest.mark.lento


def submission(exercise_id: str, replaced: dict[str, str] | None) -> nbformat.NotebookNode:
    """Il notebook distribuito con le risposte della soluzione, salvo quelle date; con None, com'è."""
    folders = {kind: project_root() / kind / exercise_id for kind in ("exercises", "solutions")}
    given, right = (
        nbformat.read(folders[kind] / f"{exercise_id}.ipynb", as_version=4)
        for kind in ("exercises", "solutions")
    )
    if replaced is None:
        return given
    texts = {cell.id: cell.source for cell in right.cells}
    texts |= {answer_id(name): text for name, text in replaced.items()}
    assert {answer_id(name) for name in replaced} <= {cell.id for cell in given.cells}
    for cell in given.cells:
        if cell.id.endswith("-risposta"):
            cell.source = texts[cell.id]
    return given


@pytest.mark.parametrize("exercise_id", known())
def test_perfect_unchanged_and_half_right_get_their_marks(exercise_id, require, tmp_path):
    require("bwrap")
    for name in ("exercises", "solutions"):
        shutil.copytree(project_root() / name, tmp_path / name)
    arrivals, half = tmp_path / "arrivi", answers(exercise_id)
    arrivals.mkdir()
    for name, replaced in {"perfetta": {}, "intatta": None, "mezza": half.HALF}.items():
        nbformat.write(submission(exercise_id, replaced), arrivals / f"{exercise_id}_{name}.ipynb")
        for file, data in files_of(exercise_id).items():
            (arrivals / file.replace(exercise_id, f"{exercise_id}_{name}")).write_bytes(data)
    report = grade_class(tmp_path, exercise_id, arrivals)
    assert {outcome.student: (str(outcome.verdict), outcome.points) for outcome in report.outcomes} == {
        "perfetta": ("valutato", 10),
        "intatta": ("valutato", 0),
        "mezza": ("valutato", half.HALF_POINTS),
    }

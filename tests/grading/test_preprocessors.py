"""I passi di nbgrader su un notebook messo a mano fra le consegne, senza passare da «corso correggi»."""

from __future__ import annotations

import copy
import shutil
from types import SimpleNamespace

import nbformat
import pytest

from course_lib.grading import single
from course_lib.grading.collection import as_bytes
from course_lib.grading.gradebook import database_url, prepare
from course_lib.grading.preprocessors import Preflight
from course_lib.grading.register import Register, utc_now
from course_lib.grading.store import Submission
from course_lib.project import project_root
from tests.grading import samples

RESOURCES = {"nbgrader": {"assignment": "es02", "student": "anna"}}


@pytest.fixture
def root(tmp_path):
    for name in ("exercises", "solutions"):
        shutil.copytree(project_root() / name / "es02", tmp_path / name / "es02")
    return tmp_path


def prepared(root, notebook) -> nbformat.NotebookNode:
    """Il notebook che «corso correggi» mette fra le consegne per quello dato."""
    url = database_url(root, None)
    prepare(url)
    submission = Submission("anna", "Anna", utc_now(), root / "es02.ipynb", as_bytes(notebook))
    single._prepare(SimpleNamespace(register=Register(root), exercise="es02", url=url), submission)
    return nbformat.read(Register(root).submitted("es02", "anna") / "es02.ipynb", as_version=4)


def test_the_answers_of_who_teaches_are_nobody_s(root):
    """Chi insegna ha risposto in exercises/, come invita a fare la guida: chi toglie le celle ha 0."""
    path = root / "exercises" / "es02" / "es02.ipynb"
    handed, text = nbformat.read(path, as_version=4), nbformat.read(path, as_version=4)
    path.write_bytes(as_bytes(samples.solved()))
    answers = [cell.id for cell in text.cells if cell.id.endswith("-risposta")]
    assert len(answers) > 2
    handed.cells = [cell for cell in handed.cells if cell.id not in answers[1:]]
    stubs = {cell.id: cell.source for cell in text.cells}
    nb, _ = Preflight(root=str(root)).preprocess(copy.deepcopy(handed), copy.deepcopy(RESOURCES))
    assert {cell.id: cell.source for cell in nb.cells} == stubs
    notebook = prepared(root, handed)
    assert {cell.id: cell.source for cell in notebook.cells} == stubs


def course_of(root, notebook) -> dict:
    """Ciò che Preflight scrive di questo notebook, così come sta fra le consegne."""
    nb, _ = Preflight(root=str(root)).preprocess(copy.deepcopy(notebook), copy.deepcopy(RESOURCES))
    return nb.metadata["corso"]


@pytest.mark.parametrize(
    "written", [[], "x", 3, None, {"note": {"a": 1}}, {"note": ["Voto: 10"], "consegnata": "mai"}], ids=str
)
def test_what_a_pupil_writes_in_our_metadata_is_not_ours(root, written):
    notebook = samples.solved()
    notebook.metadata["corso"] = written
    folder = Register(root).submitted("es02", "anna")
    folder.mkdir(parents=True)
    (folder / "es02.ipynb").write_bytes(as_bytes(notebook))
    assert course_of(root, notebook) == {"note": [], "consegnata": ""}


def test_what_we_wrote_is_kept_until_the_notebook_is_touched(root):
    url = database_url(root, None)
    prepare(url)
    register = Register(root)
    submission = Submission("anna", "Anna", utc_now(), root / "es02.ipynb", as_bytes(samples.solved()))
    submission.notes.append("Arrivate 2 consegne.")
    single._prepare(SimpleNamespace(register=register, exercise="es02", url=url), submission)
    path = register.submitted("es02", "anna") / "es02.ipynb"
    course = course_of(root, nbformat.read(path, as_version=4))
    assert course["note"] == ["Arrivate 2 consegne."]
    assert "alle" in course["consegnata"]
    path.write_bytes(path.read_bytes().replace(b"Arrivate 2", b"Voto 10, arrivate 2"))
    assert course_of(root, nbformat.read(path, as_version=4))["note"] == []

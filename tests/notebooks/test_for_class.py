"""Che cosa riceve la classe: dalle sorgenti, e dei notebook le uscite costruite; il resto si rifiuta."""

from __future__ import annotations

import subprocess

import nbformat
import pytest

from course_lib.building import pipeline, stamps
from course_lib.building.for_class import class_texts, exercise_text
from course_lib.project import CorsoError, project_root
from tests.notebooks.texts import saved_by_lab

NOTEBOOK, SOLUTION = "notebooks/99-campione.ipynb", "solutions/es99/es99.ipynb"
RELEASE = "exercises/es99/es99.ipynb"


def change(path, what) -> None:
    """Cambia un notebook sul disco: what riceve il notebook."""
    notebook = nbformat.read(path, as_version=4)
    what(notebook)
    nbformat.write(notebook, path)


def code(notebook) -> list:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def stale(root) -> list[str]:
    """I file di cui la frase del rifiuto dice che non corrispondono."""
    try:
        class_texts(root)
    except CorsoError as error:
        return str(error).split("sorgenti: ")[1].split(". Se hai")[0].split(", ")
    return []


def test_what_was_built_is_what_the_class_gets(corso):
    assert class_texts(corso) == {name: (corso / name).read_text("utf-8") for name in (NOTEBOOK, RELEASE)}
    assert exercise_text(corso, "es99") == (corso / RELEASE).read_text(encoding="utf-8")


def test_the_notebooks_of_the_course_are_already_in_that_form():
    root = project_root()
    found = class_texts(root)
    assert len(found) > 10
    assert [name for name, text in found.items() if (root / name).read_text(encoding="utf-8") != text] == []


@pytest.mark.parametrize("remembered", [True, False])
def test_what_jupyterlab_saves_changes_nothing(corso, remembered):
    before = class_texts(corso)
    if not remembered:
        (corso / stamps.STAMPS).unlink()
    for name in (NOTEBOOK, SOLUTION, RELEASE):
        saved_by_lab(corso / name)
    assert class_texts(corso) == before


def test_running_it_again_in_order_changes_nothing(corso):
    """La vista di un widget, gli indirizzi di memoria, i tempi d'esecuzione: la costruzione li toglie."""
    before = class_texts(corso)

    def run_again(notebook):
        for cell in code(notebook):
            cell.metadata["execution"] = {"iopub.execute_input": "2026-11-20T10:00:00Z"}
            for output in cell.outputs:
                if "0x..." in output.get("text", ""):
                    output.text = output.text.replace("0x...", "0x7f3a5c0d1e80")
            if "IntSlider" in cell.source:
                view = {"application/vnd.jupyter.widget-view+json": {"model_id": "ab"}, "text/plain": "x"}
                cell.outputs = [nbformat.v4.new_output("execute_result", view, execution_count=5)]

    change(corso / NOTEBOOK, run_again)
    assert class_texts(corso) == before


@pytest.mark.parametrize(
    "what",
    [
        lambda notebook: code(notebook)[0].update(source="print('altro')"),
        lambda notebook: notebook.cells[0].update(source="# Un altro titolo"),
        lambda notebook: notebook.cells.pop(),
        lambda notebook: code(notebook)[0].update(execution_count=None, outputs=[]),
        lambda notebook: code(notebook)[0].update(execution_count=27),
        lambda notebook: code(notebook)[0].update(
            outputs=[nbformat.v4.new_output("error", ename="NameError", evalue="x", traceback=["x"])]
        ),
        lambda notebook: code(notebook)[0].update(
            outputs=[nbformat.v4.new_output("stream", name="stderr", text="un avviso")]
        ),
    ],
)
def test_other_cells_or_outputs_are_refused(corso, what):
    change(corso / NOTEBOOK, what)
    assert stale(corso) == [NOTEBOOK]


def test_the_refusal_says_the_quick_way_and_the_slow_one(corso):
    (corso / NOTEBOOK).write_text("{}", encoding="utf-8")
    (corso / SOLUTION).unlink()
    with pytest.raises(CorsoError) as error:
        class_texts(corso)
    assert f"{NOTEBOOK}, {SOLUTION}. Se hai scritto tu" in str(error.value)
    assert "«git restore notebooks solutions»" in str(error.value)
    assert "«python3 corso.py costruisci», che può volere minuti" in str(error.value)


@pytest.mark.parametrize("text", ["rovinato", None])
def test_exercises_are_not_even_read(corso, text):
    before = class_texts(corso)
    (corso / RELEASE).unlink() if text is None else (corso / RELEASE).write_text(text, encoding="utf-8")
    assert class_texts(corso) == before


@pytest.mark.parametrize("remembered", [True, False])
def test_a_source_changed_and_not_built_is_refused(corso, remembered):
    if not remembered:
        (corso / stamps.STAMPS).unlink()
    for name, old, new in (("notebooks/99-campione", "2 + 3", "2 + 4"), ("exercises/es99", "130", "130.0")):
        path = corso / "sources" / f"{name}.md"
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    assert stale(corso) == [NOTEBOOK, SOLUTION]


def test_a_library_changed_after_the_build_is_refused_unless_git_has_it_so(corso, monkeypatch):
    monkeypatch.setattr(pipeline, "files_digest", lambda paths: "un'altra libreria")
    assert stale(corso) == [NOTEBOOK]
    saved_by_lab(corso / NOTEBOOK)
    assert stale(corso) == [NOTEBOOK]
    who = ["-c", "user.name=x", "-c", "user.email=x@x"]
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "x"]):
        subprocess.run(["git", *words], cwd=corso, check=True)
    assert stale(corso) == []
    saved_by_lab(corso / NOTEBOOK)
    assert stale(corso) == []
    (corso / "course_lib").mkdir()
    (corso / "course_lib" / "nuovo.py").write_text("", encoding="utf-8")
    assert stale(corso) == [NOTEBOOK]


def test_only_the_exercises_of_the_course_have_a_text(corso):
    with pytest.raises(CorsoError, match=r"non viene da sources/exercises/es98\.md"):
        exercise_text(corso, "es98")

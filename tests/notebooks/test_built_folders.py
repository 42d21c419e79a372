"""Le cartelle costruite che stanno in git vengono proprio dalle sorgenti, e costruite due volte sono uguali.

Stessa macchina, stessi byte. Altrove: celle, metadati, id e le uscite delle celle «esatto» (le somme in
float32 non sono uguali su ogni processore).
"""

from __future__ import annotations

import shutil

import nbformat
import pytest

from course_lib.building.notebooks import IGNORE_OUTPUT
from course_lib.building.pipeline import build, build_texts, targets
from course_lib.project import project_root

TARGETS = {target.name: target for target in targets(project_root())}
NOTEBOOKS = [name for name, target in TARGETS.items() if target.is_notebook]
EXERCISES = [name for name, target in TARGETS.items() if not target.is_notebook]
BUILD = "rimedio: python3 corso.py costruisci"


def committed(name: str) -> nbformat.NotebookNode:
    return nbformat.read(TARGETS[name].paths()[0], as_version=4)


def skeleton(notebook) -> list:
    """Tutto fuorché le uscite; che una cella mostri un widget si sa soltanto eseguendola."""
    cells = [dict(cell) for cell in notebook.cells]
    for cell in cells:
        cell.pop("outputs", None)
        cell.pop("execution_count", None)
        tags = [tag for tag in cell["metadata"].get("tags", []) if tag != IGNORE_OUTPUT]
        cell["metadata"] = {**cell["metadata"], "tags": tags}
    return [dict(notebook.metadata), notebook.nbformat, notebook.nbformat_minor, *cells]


def test_there_is_something_to_compare():
    assert NOTEBOOKS
    assert EXERCISES


def test_every_built_file_has_its_source():
    root = project_root()
    wanted = {output.as_posix() for target in TARGETS.values() for output in target.outputs}
    folders = ("notebooks", "solutions", "exercises")
    on_disk = {
        path.relative_to(root).as_posix()
        for folder in folders
        for path in (root / folder).rglob("*")
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(root).parts)
    }
    assert on_disk == wanted, BUILD


@pytest.mark.parametrize("name", EXERCISES)
def test_an_exercise_is_what_its_source_gives(name):
    target = TARGETS[name]
    for path, text in zip(target.paths(), build_texts(target, target.read()), strict=True):
        assert path.read_text(encoding="utf-8") == text, BUILD


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_has_the_cells_of_its_source(name):
    from course_lib.building.notebooks import notebook_draft

    assert skeleton(committed(name)) == skeleton(notebook_draft(TARGETS[name].read())), BUILD


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_executed_whole_and_ends_well(name):
    code = [cell for cell in committed(name).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert not [cell.id for cell in code for output in cell.outputs if output.output_type == "error"]
    assert any("esatto" in cell.metadata.get("tags", []) and cell.outputs for cell in code)


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """Due costruzioni di tutto, in due cartelle nuove e con due ordini diversi degli insiemi di Python."""
    roots = []
    with pytest.MonkeyPatch.context() as patch:
        for seed in ("1", "2"):
            root = tmp_path_factory.mktemp(f"fresco-{seed}")
            shutil.copytree(project_root() / "sources", root / "sources")
            patch.setenv("PYTHONHASHSEED", seed)
            build(root, say=lambda line: None)
            roots.append(root)
    return roots


def without_variable_outputs(path) -> str:
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if "variabile" in cell.metadata.get("tags", []):
            cell.outputs = []
    return nbformat.writes(notebook)


@pytest.mark.lento
@pytest.mark.xdist_group("fresh")          # con più processi, le due costruzioni le fa uno solo
@pytest.mark.parametrize("name", TARGETS)
def test_built_twice_no_difference(fresh, name):
    one, two = fresh
    for output in TARGETS[name].outputs:
        if "variabile" in (one / output).read_text(encoding="utf-8"):
            assert without_variable_outputs(one / output) == without_variable_outputs(two / output)
        else:
            assert (one / output).read_bytes() == (two / output).read_bytes()


@pytest.mark.lento
@pytest.mark.xdist_group("fresh")
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_exact_outputs_are_those_in_git(fresh, name):
    new = nbformat.read(fresh[0] / TARGETS[name].outputs[0], as_version=4)
    old = committed(name)
    assert [(cell.id, cell.metadata) for cell in new.cells] == [
        (cell.id, cell.metadata) for cell in old.cells
    ], BUILD
    exact = [
        (a, b) for a, b in zip(new.cells, old.cells, strict=True) if "esatto" in a.metadata.get("tags", [])
    ]
    assert exact
    assert {a.id: a.outputs for a, _ in exact} == {b.id: b.outputs for _, b in exact}, BUILD

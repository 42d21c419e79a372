"""La ricostruzione: della consegna restano le risposte, il resto torna com'era e si dice."""

from __future__ import annotations

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_lib.grading.preflight import MAX_SOURCE, read_notebook, rebuild
from course_lib.grading.verdicts import NotGraded, Verdict


def graded(cell_id: str, source: str, *, solution: bool, grade: bool) -> nbformat.NotebookNode:
    mark = {
        "grade": grade,
        "solution": solution,
        "locked": not solution,
        "grade_id": cell_id,
        "schema_version": 3,
    }
    mark |= {"task": False, "points": 1} if grade else {"task": False}
    return new_code_cell(source, id=cell_id, metadata={"nbgrader": mark})


@pytest.fixture
def release() -> nbformat.NotebookNode:
    return new_notebook(
        cells=[
            new_markdown_cell("# Titolo", id="titolo"),
            new_code_cell("import numpy as np", id="avvio"),
            graded("f-risposta", "# scrivi qui", solution=True, grade=False),
            graded("f-prova", "verifica('es00', f)", solution=False, grade=True),
            graded("g-risposta", "# e qui", solution=True, grade=False),
            graded("g-prova", "verifica('es00', g)", solution=False, grade=True),
        ]
    )


@pytest.fixture
def submitted(release) -> nbformat.NotebookNode:
    copy = nbformat.from_dict(json.loads(nbformat.writes(release)))
    copy.cells[2].source = "f = 1"
    copy.cells[4].source = "g = 2"
    return copy


def sources(notebook: nbformat.NotebookNode) -> list[str]:
    return [cell.source for cell in notebook.cells]


CLEAN = ["# Titolo", "import numpy as np", "f = 1", "verifica('es00', f)", "g = 2", "verifica('es00', g)"]


def test_an_honest_submission_is_rebuilt_without_a_word(submitted, release):
    rebuilt = rebuild(submitted, release)
    assert sources(rebuilt.notebook) == CLEAN
    assert rebuilt.notes == []
    assert rebuilt.suspect is None
    assert not rebuilt.unchanged
    assert release.cells[2].source == "# scrivi qui"  # il testo distribuito non è toccato


def test_an_unchanged_notebook_is_recognised(release):
    assert rebuild(release, release).unchanged


def test_a_changed_test_cell_is_put_back(submitted, release):
    submitted.cells[3].source = "pass"
    rebuilt = rebuild(submitted, release)
    assert sources(rebuilt.notebook) == CLEAN
    assert rebuilt.notes == ["La cella di prova «f-prova» era cambiata: è stata rimessa com'era."]


def test_a_deleted_test_cell_is_put_back(submitted, release):
    del submitted.cells[3]
    rebuilt = rebuild(submitted, release)
    assert sources(rebuilt.notebook) == CLEAN
    assert rebuilt.notes == ["La cella di prova «f-prova» mancava: è stata rimessa."]


def test_a_deleted_answer_counts_as_not_done(submitted, release):
    del submitted.cells[2]
    rebuilt = rebuild(submitted, release)
    assert rebuilt.notebook.cells[2].source == "# scrivi qui"
    assert "Manca la cella di risposta «f-risposta»" in rebuilt.notes[0]


def test_moved_cells_find_their_place(submitted, release):
    submitted.cells.reverse()
    assert sources(rebuild(submitted, release).notebook) == CLEAN


@pytest.mark.parametrize("copies", [["f = 1", "# scrivi qui"], ["# scrivi qui", "f = 1"], ["f = 0", "f = 1"]])
def test_of_a_repeated_answer_the_last_written_counts(submitted, release, copies):
    submitted.cells[2:3] = [graded("f-risposta", source, solution=True, grade=False) for source in copies]
    rebuilt = rebuild(submitted, release)
    assert rebuilt.notebook.cells[2].source == "f = 1"
    assert "presente 2 volte" in rebuilt.notes[0]


def test_stripped_metadata_are_found_by_cell_id(submitted, release):
    for cell in submitted.cells:
        cell.metadata = {}
    assert sources(rebuild(submitted, release).notebook) == CLEAN


def test_no_answer_cell_at_all_is_unreadable(submitted, release):
    for cell in submitted.cells:
        cell.metadata = {}
        cell.id = "x" + cell.id
    with pytest.raises(NotGraded, match="è il file giusto") as caught:
        rebuild(submitted, release)
    assert caught.value.verdict == Verdict.UNREADABLE


def test_added_code_is_left_out_and_said(submitted, release):
    submitted.cells.insert(2, new_code_cell("import os; os._exit(0)"))
    rebuilt = rebuild(submitted, release)
    assert sources(rebuilt.notebook) == CLEAN
    assert "Una cella di codice aggiunta non è stata eseguita" in rebuilt.notes[0]


def test_added_text_and_empty_cells_are_not_worth_a_note(submitted, release):
    submitted.cells += [new_markdown_cell("appunti"), new_code_cell("  ")]
    assert rebuild(submitted, release).notes == []


def test_points_and_outputs_of_the_submission_are_not_trusted(submitted, release):
    submitted.cells[3].metadata.nbgrader.points = 100
    submitted.cells[3].outputs = [nbformat.v4.new_output("stream", text="✓")]
    test = rebuild(submitted, release).notebook.cells[3]
    assert test.metadata.nbgrader.points == 1
    assert test.outputs == []


def test_line_endings_lone_surrogates_and_nuls_are_mended(submitted, release):
    submitted.cells[2].source = "f = 1\r\ns = '\ud800'\0\r"
    assert rebuild(submitted, release).notebook.cells[2].source == "f = 1\ns = ''\n"


def test_a_source_as_list_of_lines_is_joined(submitted, release):
    submitted.cells[2].source = ["f = ", "1"]
    assert rebuild(submitted, release).notebook.cells[2].source == "f = 1"


def test_an_answer_turned_into_text_is_still_an_answer(submitted, release):
    submitted.cells[2].cell_type = "markdown"
    rebuilt = rebuild(submitted, release)
    assert rebuilt.notebook.cells[2].cell_type == "code"
    assert rebuilt.notebook.cells[2].source == "f = 1"


def test_an_endless_answer_is_unreadable(submitted, release):
    submitted.cells[2].source = "#" * (MAX_SOURCE + 1)
    with pytest.raises(NotGraded, match="supera 200\u202f000 caratteri"):
        rebuild(submitted, release)


@pytest.mark.parametrize(
    "source",
    [
        "from course_lib.transformer.attention import softmax",
        "import course_lib.checks.es02 as soluzioni",
        "from course_lib.checks import exercise",
        "from course_lib import transformer",
        "import course_lib.grading",
        "def f():\n    import course_lib.learning",
        "x = (  # non è Python\nimport course_lib.transformer",
        "open('/proc/1/mem')",
        "import ctypes",
        "import corso_box",
    ],
)
def test_reaching_for_the_reference_or_the_machinery_is_suspect(submitted, release, source):
    submitted.cells[2].source = source
    assert "«f»" in rebuild(submitted, release, ("course_lib.figures.attention",)).suspect


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np",
        "from course_lib.checks import verifica",
        "from course_lib.figures.attention import heat_map",
        "from course_lib.figures import attention",
        "import course_lib.figures.attention as fa",
        "# la course_lib è bella",
    ],
)
def test_what_the_box_offers_is_not_suspect(submitted, release, source):
    submitted.cells[2].source = source
    assert rebuild(submitted, release, ("course_lib.figures.attention",)).suspect is None


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "vuoto"),
        (b" \n", "vuoto"),
        (b"ciao", "JSON"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"[]", "non è un notebook"),
        (b"3", "non è un notebook"),
        (b'{"a": 1}', "non è un notebook"),
        (b'{"cells": 3, "nbformat": 4}', "non è un notebook"),
        (b'{"nbformat": 3, "worksheets": 7}', "non è un notebook"),
        (b"[" * 200_000, "JSON"),
        (b"x" * (20 * 2**20 + 1), "20 MB"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_unreadable_files_say_why(raw, said):
    with pytest.raises(NotGraded, match=said) as caught:
        read_notebook(raw, "es00.ipynb")
    assert caught.value.verdict == Verdict.UNREADABLE
    assert "es00.ipynb" in caught.value.message


def test_a_bom_is_taken_off_and_said(submitted, release):
    notebook, notes = read_notebook(b"\xef\xbb\xbf" + nbformat.writes(submitted).encode(), "es00.ipynb")
    assert sources(rebuild(notebook, release).notebook) == CLEAN
    assert notes == ["Tolto il contrassegno BOM in testa al file."]


@pytest.mark.parametrize("damage", ["cells", "metadata", "id", "nbgrader"])
def test_cells_of_any_shape_never_raise(submitted, release, damage):
    raw = json.loads(nbformat.writes(submitted))
    if damage == "cells":
        raw["cells"] += [3, None, "x", [], {}, {"cell_type": "code", "id": 5, "metadata": 3, "source": "x"}]
    else:
        for odd in (3, None, [], {"grade_id": 7}, {"grade_id": ["a"]}):
            cell = dict(raw["cells"][2])
            if damage == "nbgrader":
                cell["metadata"] = {"nbgrader": odd}
            else:
                cell[damage] = odd
            raw["cells"].append(cell)
    notebook, _ = read_notebook(json.dumps(raw).encode(), "es00.ipynb")
    assert sources(rebuild(notebook, release).notebook)[4] == "g = 2"

"""La lettura di un notebook: quanto se ne legge al più, e i formati vecchi, senza guardare le uscite."""

from __future__ import annotations

import json

import nbformat
import pytest

from course_lib.grading.preflight import read_notebook, rebuild
from course_lib.grading.verdicts import NotGraded, Verdict
from tests.grading import samples


def sources(notebook: nbformat.NotebookNode) -> list[str]:
    return [cell.source for cell in notebook.cells]


def rebuilt(raw: bytes) -> tuple[list[str], list[str]]:
    """I testi delle celle ricostruite e le frasi della lettura."""
    notebook, notes = read_notebook(raw, "es02.ipynb")
    return sources(rebuild(notebook, samples.read("exercises")).notebook), notes


def old_format(number: int, cells: list[dict]) -> bytes:
    """Un notebook com'era nel formato 1, 2 o 3."""
    if number == 1:
        return json.dumps({"nbformat": 1, "cells": cells}).encode()
    sheets = [{"metadata": {}, "cells": cells[:3]}, {"cells": cells[3:]}]
    return json.dumps({"nbformat": number, "metadata": {"name": ""}, "worksheets": sheets}).encode()


@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_old_format_is_brought_to_4(number):
    key = "code" if number == 1 else "input"
    cells = [
        {"cell_type": "code", key: cell.source, "metadata": cell.metadata, "outputs": [{"output_type": "x"}]}
        for cell in samples.solved().cells
        if cell.cell_type == "code"
    ]
    cells.append({"cell_type": "heading", "source": "Titolo", "level": 1})
    assert rebuilt(old_format(number, cells)) == (
        sources(samples.solved()),
        [f"Notebook di formato {number} portato al formato 4."],
    )


@pytest.mark.parametrize(
    "content",
    [
        {"nbformat": 3, "worksheets": {}},
        {"nbformat": 3},
        {"nbformat": [4], "cells": {}},
    ],
)
def test_a_format_without_its_cells_is_no_notebook(content):
    with pytest.raises(NotGraded, match="è JSON ma non è un notebook"):
        read_notebook(json.dumps(content).encode(), "es02.ipynb")


def many(item: str, times: int) -> bytes:
    return ('{"nbformat": 4, "cells": [' + ",".join([item] * times) + "]}").encode()


@pytest.mark.parametrize(
    ("item", "times"),
    [("{}", 200_000), (r'{"a\\": [{}]}', 70_000), ("0", 2_000_002), ('"",""', 1_000_001)],
    ids=["celle", "annidate", "numeri", "stringhe"],
)
def test_more_pieces_than_any_notebook_are_refused_before_reading_them(monkeypatch, item, times):
    monkeypatch.setattr(json, "loads", lambda *a, **k: pytest.fail("non va nemmeno letto"))
    with pytest.raises(NotGraded, match="troppi pezzi per un notebook: cancella gli output") as caught:
        read_notebook(many(item, times), "es02.ipynb")
    assert caught.value.verdict == Verdict.UNREADABLE


def test_braces_and_commas_inside_the_text_are_not_pieces():
    notebook = samples.solved()
    notebook.cells[1].outputs = [nbformat.v4.new_output("stream", text='[{,\\"' * 700_000 + "\\")]
    found, _ = rebuilt(nbformat.writes(notebook).encode())
    assert found == sources(samples.solved())


@pytest.mark.parametrize("number", [3, 4])
def test_saved_outputs_are_not_even_looked_at(monkeypatch, number):
    """La conversione e la convalida di nbformat costano minuti su uscite sbagliate ad arte."""
    monkeypatch.setattr(nbformat, "convert", lambda *a, **k: pytest.fail("convertito"))
    cell = {"cell_type": "code", "input": "f = 1", "source": "f = 1", "outputs": [{"text": 5}] * 5_000}
    raw = json.dumps({"nbformat": 4, "cells": [cell]}).encode() if number == 4 else old_format(3, [cell])
    notebook, _ = read_notebook(raw, "es02.ipynb")
    assert notebook.cells == [{"cell_type": "code", "source": "f = 1"}]

"""Ogni genere di consegna malformata: riparata e detta, oppure illeggibile con il motivo."""

from __future__ import annotations

import json
import os

import nbformat
import pytest

from course_lib.grading.collection import collect
from course_lib.grading.preflight import read_notebook, rebuild
from course_lib.grading.verdicts import NotGraded, Verdict
from tests.grading import samples

RIGHT = [cell.source for cell in samples.solved().cells]


def raw_of(notebook: nbformat.NotebookNode) -> bytes:
    return nbformat.writes(notebook).encode()


def notes_of(raw: bytes) -> list[str]:
    """Ripara e ricostruisce: il testo dev'essere quello giusto, cella per cella. Le frasi dette."""
    notebook, notes = read_notebook(raw, "es02.ipynb")
    rebuilt = rebuild(notebook, samples.read("exercises"))
    assert [cell.source for cell in rebuilt.notebook.cells] == RIGHT
    return notes + rebuilt.notes


def test_an_honest_one_needs_no_word():
    assert notes_of(raw_of(samples.solved())) == []


def test_bom_and_utf16_are_converted_and_said():
    assert "BOM" in notes_of(b"\xef\xbb\xbf" + raw_of(samples.solved()))[0]
    assert "UTF-16" in notes_of(nbformat.writes(samples.solved()).encode("utf-16"))[0]


def test_windows_line_endings_are_mended_and_said():
    assert notes_of(raw_of(samples.solved()).replace(b"\n", b"\r\n")) == []  # quelle del JSON non contano
    notebook = samples.solved()
    for cell in notebook.cells:
        cell.source = cell.source.replace("\n", "\r\n")
    (note,) = notes_of(raw_of(notebook))
    assert "fini di riga di Windows" in note


@pytest.mark.parametrize("kernel", ["conda-env-x-py", "ir", "<script>\x1b[2J"])
def test_another_kernel_is_said(kernel):
    notebook = samples.solved()
    notebook.metadata.kernelspec = {"name": kernel, "display_name": "x", "language": "python"}
    (note,) = notes_of(raw_of(notebook))
    assert "la correzione usa Python 3" in note
    assert "\x1b" not in note


@pytest.mark.parametrize(
    "metadata", [{}, {"kernelspec": 3}, {"language_info": None}, {"kernelspec": {"name": 5}}]
)
def test_missing_or_odd_metadata_do_not_matter(metadata):
    content = json.loads(raw_of(samples.solved()))
    content["metadata"] = metadata
    assert notes_of(json.dumps(content).encode()) == []


def test_huge_outputs_are_taken_off_and_said():
    notebook = samples.solved()
    code = next(cell for cell in notebook.cells if cell.cell_type == "code")
    code.outputs = [nbformat.v4.new_output("stream", text="x" * 6_000_000)]
    raw = raw_of(notebook)
    (note,) = notes_of(raw)
    assert f"{len(raw) / 2**20:.1f} MB".replace(".", ",") in note
    code.outputs[0].text = "x" * 21_000_000
    with pytest.raises(NotGraded, match="cancella gli output"):
        read_notebook(raw_of(notebook), "es02.ipynb")


def test_stripped_metadata_are_made_up_for_and_said():
    notebook = samples.solved()
    for cell in notebook.cells:
        cell.metadata = {}
    assert "mancavano i dati di nbgrader" in notes_of(raw_of(notebook))[-1]


def test_cells_made_again_from_nothing_are_known_by_their_function():
    """Come dopo un passaggio che toglie metadati e id (nbformat 4.4)."""
    content = json.loads(raw_of(samples.solved()))
    content["nbformat_minor"] = 4
    for cell in content["cells"]:
        cell["metadata"] = {}
        del cell["id"]
    notes = notes_of(json.dumps(content).encode())
    found = [note for note in notes if "trovata in un'altra cella" in note]
    assert len(found) == 5
    assert "mancavano i dati di nbgrader" in notes[-1]


def test_a_function_written_twice_is_not_guessed():
    notebook = samples.solved()
    answer = next(i for i, cell in enumerate(notebook.cells) if cell.id == "project-risposta")
    source = notebook.cells.pop(answer).source
    notebook.cells += [nbformat.v4.new_code_cell(source), nbformat.v4.new_code_cell(source + "\n# due")]
    rebuilt = rebuild(notebook, samples.read("exercises"))
    assert "Manca la cella di risposta «project-risposta»" in " ".join(rebuilt.notes)


def test_a_repeated_test_cell_is_put_back_once_and_said():
    notebook = samples.solved()
    test = next(cell for cell in notebook.cells if cell.id == "project-prova")
    notebook.cells.append(nbformat.from_dict({**test, "id": "altra", "source": "pass"}))
    (note,) = notes_of(raw_of(notebook))
    assert "«project-prova» c'era 2 volte" in note


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"<!DOCTYPE html><html>", "è una pagina web"),
        (b"\n<html>", "è una pagina web"),
        (b"PK\x03\x04...", "è uno zip con un altro nome"),
        (b'{"cells": [\n<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> x\n]}', "conflitto di git"),
        (raw_of(samples.solved())[:-40], "forse è stato tagliato"),
        (b"print('ciao')", "Consegna il file .ipynb"),
        (b'{"nbformat": 2, "worksheets": "x"}', "non è un notebook Jupyter"),
        (b'"\xe8"', "non è testo UTF-8"),
    ],
)
def test_what_cannot_be_mended_says_what_it_seems_and_what_to_do(raw, said):
    with pytest.raises(NotGraded, match=said) as caught:
        read_notebook(raw, "es02.ipynb")
    assert caught.value.verdict == Verdict.UNREADABLE
    assert caught.value.message.startswith("Il file es02.ipynb ")


@pytest.mark.parametrize(
    "name",
    [
        "Niccolò Però/es02 (1).ipynb",
        "Niccolò Però/es02.ipynb.txt",
        "Niccolò Però/ES02 - Copia.IPYNB",
        "es02   Niccolò Però  .ipynb",
        "Niccolò Però - es02 (2).ipynb",
    ],
)
def test_odd_file_names_are_taken_and_said(tmp_path, name):
    path = tmp_path / "arrivi" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(raw_of(samples.solved()))
    (found,), said = collect(tmp_path / "arrivi", "es02")
    assert (found.student, said) == ("niccolo-pero", [])
    if "(" in name or "Copia" in name or "txt" in name:
        assert "è stato letto come es02.ipynb" in found.notes[0]
    assert notes_of(found.raw) == []


def test_an_own_numpy_beside_the_notebook_is_ignored_and_said_to_both(tmp_path):
    folder = tmp_path / "arrivi" / "Anna Rossi"
    folder.mkdir(parents=True)
    (folder / "es02.ipynb").write_bytes(raw_of(samples.solved()))
    (folder / "numpy.py").write_text("raise SystemExit", encoding="utf-8")
    (found,), said = collect(tmp_path / "arrivi", "es02")
    assert found.notes == ["Accanto al notebook c'erano altri file, ignorati: «numpy.py»."]
    assert said == ["Anna Rossi: «numpy.py» non è uno zip né un notebook: ignorato."]


def test_files_that_only_the_system_writes_are_not_worth_a_word(tmp_path):
    folder = tmp_path / "arrivi" / "Anna Rossi"
    (folder / ".ipynb_checkpoints").mkdir(parents=True)
    for name in (
        "es02.ipynb",
        ".DS_Store",
        "Thumbs.db",
        "desktop.ini",
        ".ipynb_checkpoints/es02-checkpoint.ipynb",
    ):
        (folder / name).write_bytes(raw_of(samples.solved()))
    found, said = collect(tmp_path / "arrivi", "es02")
    assert ([s.notes for s in found], said) == ([[]], [])


def test_a_file_without_permission_stops_nobody(tmp_path):
    if os.geteuid() == 0:
        os.mkfifo(tmp_path / "es02_tubo.ipynb")  # un file speciale: aprirlo non finirebbe mai
    (tmp_path / "es02_anna.ipynb").write_bytes(b"{}")
    found, _ = collect(tmp_path, "es02")
    assert [s.student for s in found] == ["anna"]

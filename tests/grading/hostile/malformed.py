"""Notebook che arrivano rotti: riparati e valutati, o illeggibili con il motivo; mai uno 0."""

from __future__ import annotations

import copy
import io
import zipfile

import nbformat

from tests.grading import samples


def _edited(change) -> bytes:
    notebook = copy.deepcopy(samples.solved())
    return nbformat.writes(change(notebook) or notebook).encode()


def _without_tests(notebook):
    notebook.cells = [c for c in notebook.cells if not c.id.endswith("-prova")]


def _edited_tests(notebook):
    for cell in notebook.cells:
        if cell.id.endswith("-prova"):
            cell.source = "print('superata')"


def _twice(notebook):
    notebook.cells += copy.deepcopy([c for c in notebook.cells if c.id.endswith(("-prova", "-risposta"))])
    for number, cell in enumerate(notebook.cells):
        cell.id = f"c{number}"


def _stripped(notebook):
    for cell in notebook.cells:
        cell.metadata = {}


def _lost(notebook):
    _stripped(notebook)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"c{number}"


def _kernel(notebook):
    notebook.metadata = {"kernelspec": {"name": "conda-env-x-py", "display_name": "x", "language": "R"}}


def _with_injected_test(notebook):
    cell = copy.deepcopy(next(c for c in notebook.cells if c.id.endswith("-prova")))
    cell.id, cell.source = "iniettata", "pass"
    cell.metadata["nbgrader"] |= {"grade_id": "iniettata-prova", "points": 100}
    notebook.cells.append(cell)


def _format_3(place) -> bytes:
    return nbformat.writes(nbformat.convert(samples.solved(), 3), version=3).encode()


def _own_numpy(place) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("es02.ipynb", nbformat.writes(samples.solved()))
        archive.writestr("numpy.py", "raise SystemExit('FINTO')\n")
    return packed.getvalue()


def _case(change):
    return lambda place: _edited(change)


CASES = [
    ("prove-cancellate", _case(_without_tests), ("valutato",), 10),
    ("prove-cambiate", _case(_edited_tests), ("valutato",), 10),
    ("celle-doppie", _case(_twice), ("valutato",), 10),
    ("metadati-tolti", _case(_stripped), ("valutato",), 10),
    ("metadati-e-nomi-tolti", _case(_lost), ("illeggibile", "valutato"), 10),
    ("altro-kernel", _case(_kernel), ("valutato",), 10),
    ("prova-iniettata", _case(_with_injected_test), ("valutato",), 10),
    ("formato-3", _format_3, ("valutato",), 10),
    ("numpy-py-accanto", _own_numpy, ("valutato",), 10),
    ("non-json", lambda place: b"%PDF-1.4 non un notebook", ("illeggibile",), None),
    ("vuoto", lambda place: b"", ("illeggibile",), None),
    ("json-profondo", lambda place: b"[" * 200_000, ("illeggibile",), None),
    ("bom-e-crlf", lambda place: b"\xef\xbb\xbf" + _edited(lambda n: None).replace(b"\n", b"\r\n"),
     ("valutato",), 10),
]  # fmt: skip

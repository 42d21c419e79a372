"""Consegne di es02 per le prove: si parte dalle soluzioni e si cambiano le risposte che servono."""

from __future__ import annotations

import copy
from pathlib import Path

import nbformat

from course_lib.project import project_root

NO_SCALE = "def scaled_scores(q, K):\n    return K @ q\n"
ENDLESS = """
def project(x, W):
    return x @ W

while True:
    try:
        pass
    except BaseException:
        pass
"""
CRASH = "import os\nos._exit(0)"
FORGED = """
import builtins
import numpy as np

np.allclose = np.array_equal = np.isclose = lambda *args, **kwargs: True
np.testing.assert_allclose = np.testing.assert_array_equal = lambda *args, **kwargs: None

class Agreeable(np.ndarray):
    def __eq__(self, other): return np.ones(self.shape, bool)

def anything(*args):
    return np.zeros(3).view(Agreeable)

{name} = anything
"""
PEEK = "seen = []\n\ndef project(x, W):\n    seen.append((x, W))\n    print('SPIA', x, W)\n    return x @ W\n"
PEEK_LATER = "\nprint('SPIA', seen)\nfor pair in seen:\n    print('SPIA', pair)\n"
MUTATING = "def combine(weights, V):\n    V *= 2\n    return weights @ V / 2\n"


def read(kind: str) -> nbformat.NotebookNode:
    return nbformat.read(project_root() / kind / "es02" / "es02.ipynb", as_version=4)


def solved(**answers: str) -> nbformat.NotebookNode:
    """Il notebook distribuito con le risposte giuste, salvo quelle date: project="…" e così via."""
    right = {cell.id: cell.source for cell in read("solutions").cells}
    return _filled({name: right[name] for name in right if name.endswith("-risposta")}, answers)


def only(**answers: str) -> nbformat.NotebookNode:
    """Il notebook distribuito con le sole risposte date."""
    return _filled({}, answers)


def _filled(base: dict[str, str], answers: dict[str, str]) -> nbformat.NotebookNode:
    notebook = copy.deepcopy(read("exercises"))
    for cell in notebook.cells:
        if cell.id.endswith("-risposta"):
            name = cell.id.removesuffix("-risposta").replace("-", "_")
            cell.source = answers.get(name, base.get(cell.id, cell.source))
    return notebook


def eight() -> dict[str, nbformat.NotebookNode]:
    """Le otto consegne del percorso."""
    right = {cell.id: cell.source for cell in read("solutions").cells}
    names = ("project", "scaled_scores", "softmax_row", "combine", "attend")
    return {
        "perfetta": solved(),
        "sbagliata": solved(scaled_scores=NO_SCALE),
        "intatta": only(),
        "infinita": solved(project=ENDLESS),
        "crollata": solved(project=CRASH),
        "falsaria": only(**{name: FORGED.format(name=name) for name in names}),
        "spiona": solved(project=PEEK, attend=right["attend-risposta"] + PEEK_LATER),
        "guastafeste": solved(combine=MUTATING),
    }


def write_all(folder: Path, notebooks: dict[str, nbformat.NotebookNode]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, notebook in notebooks.items():
        nbformat.write(notebook, folder / f"es02_{name}.ipynb")

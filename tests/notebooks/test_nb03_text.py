"""Il notebook 3: le parti, le promesse, i numeri del testo, i gradini che si fermano su un conto storto."""

from __future__ import annotations

import re
from pathlib import Path

import jupytext
import nbformat
import numpy as np
import pytest

import course_lib.transformer as transformer
from course_lib.project import project_root
from course_lib.transformer.attention import Attention, scaled_dot_product_attention, softmax
from tests.notebooks.promises.nb03 import PROMISES
from tests.notebooks.test_nb02_text import run

NAME = "03-formula-e-scala"
SOURCE = Path(__file__).resolve().parents[2] / "sources" / "notebooks" / f"{NAME}.md"
PARTS = [
    "La domanda",
    "Dal foglio alla biblioteca, un gradino alla volta",
    "Prima prevedi",
    "La softmax e la temperatura",
    "Perché proprio la radice",
    "Errori comuni",
    "Che cosa non stiamo dicendo",
    "Errata delle fonti",
    "Tre cose da portare via",
]


@pytest.fixture(scope="module")
def cells():
    return jupytext.read(SOURCE).cells


@pytest.fixture(scope="module")
def prose(cells):
    return "\n\n".join(c.source for c in cells if c.cell_type == "markdown")


@pytest.fixture(scope="module")
def code(cells):
    return [c.source for c in cells if c.cell_type == "code"]


@pytest.fixture(scope="module")
def notebook():
    return nbformat.read(project_root() / "notebooks" / f"{NAME}.ipynb", as_version=4)


@pytest.fixture(scope="module")
def outputs(notebook):
    """Le uscite in parole del notebook costruito."""
    found = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "\n".join(one.get("text") or one.get("data", {}).get("text/plain", "") for one in found)


@pytest.fixture(scope="module")
def built(notebook, outputs):
    """Tutto il testo del notebook costruito: prosa, codice e uscite in parole."""
    text = "\n".join([*(cell.source for cell in notebook.cells), outputs])
    return text.replace("\N{NARROW NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.what)
def test_every_promise_is_kept(promise, built):
    assert [text for text in promise.where if text not in built] == []


def test_parts_in_order_and_four_rungs(prose):
    assert re.findall(r"^## (.+)$", prose, re.M) == PARTS
    rungs = [h.split(":")[0] for h in re.findall(r"^### (.+)$", prose, re.M) if "gradino" in h]
    assert rungs == ["Primo gradino", "Secondo gradino", "Terzo gradino", "Quarto gradino"]
    words = re.findall(r"\w+", re.sub(r"\$\$.*?\$\$|\$[^$\n]*\$|<[^>]+>", " ", prose, flags=re.S))
    assert 2000 <= len(words) <= 3500


def test_every_number_of_the_text_comes_out_of_a_cell(prose, outputs):
    numbers = set(re.findall(r"\d+,\d+", prose.replace("{,}", ",")))
    assert {"54,598", "62,987", "0,867", "0,925", "0,016", "0,117"} <= numbers
    assert sorted(n for n in numbers if n not in outputs) == []


def no_scale(Q, K, V, mask=None, scale=None):
    return scaled_dot_product_attention(Q, K, V, mask, 1.0)


def wrong_axis(Q, K, V, mask=None, scale=None):
    weights = softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(2), axis=-2)
    return Attention(weights @ V, weights)


def a_little_off(Q, K, V, mask=None, scale=None):
    output, weights = scaled_dot_product_attention(Q, K, V, mask, scale)
    return Attention(output, weights + 1e-9)


@pytest.mark.parametrize("wrong", [no_scale, wrong_axis, a_little_off])
def test_the_fourth_rung_stops_on_a_wrong_library(code, monkeypatch, wrong):
    monkeypatch.setattr(transformer, "scaled_dot_product_attention", wrong)
    upto = next(i for i, source in enumerate(code) if "import scaled_dot_product_attention" in source)
    with pytest.raises(AssertionError):
        run(code[: upto + 1])


@pytest.mark.parametrize(
    ("rung", "right", "wrong"),
    [
        ("loop_scores, loop_totals", "math.sqrt(len(key))", "len(key)"),
        ("loop_scores, loop_totals", "for e in exps]", "for e in row]"),
        ("block_scores = Q", "K.T", "(K + 1e-9).T"),
        ("block_scores = Q", "axis=-1", "axis=0"),
        ("page_scores = Qs", "np.swapaxes(Ks, -1, -2)", "np.swapaxes(Ks[::-1], -1, -2)"),
        ("def stable_softmax", "np.exp(scores - highest)", "np.exp2(scores - highest)"),
    ],
)
def test_every_rung_stops_on_a_slip(code, rung, right, wrong):
    upto = next(i for i, source in enumerate(code) if rung in source)
    assert right in code[upto]
    with pytest.raises(AssertionError):
        run([*code[:upto], code[upto].replace(right, wrong)])


def test_the_measure_stops_when_components_are_not_centred(code):
    """Con media 1 la varianza è 3d: la cella della misura se ne accorge."""
    at = next(i for i, source in enumerate(code) if "m = 20_000" in source)
    shifted = code[at].replace("rng.standard_normal((m, d))", "(1 + rng.standard_normal((m, d)))")
    assert shifted != code[at]
    with pytest.raises(AssertionError):
        run([*code[:at], shifted])


def test_the_cells_run_and_leave_nothing(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names, shown = run(code)
    assert list(tmp_path.iterdir()) == []
    assert [round(float(v), 6) for v in names["z"][2]] == [0.787605, 0.212395]
    for said in ("(b) diventano quattro volte", "(a) restano uguali", "(a) quasi uguali", "(c) più di 0,9"):
        assert any(f"Dal conto: {said}" in text for text in shown)

"""Il notebook 4: la scala, i numeri, la sonda; e che cosa succede se la biblioteca è sbagliata."""

import ast
import contextlib
import io
import re
from pathlib import Path

import jupytext
import nbformat
import numpy as np
import pytest

from course_lib import transformer
from course_lib.transformer import examples, masks
from tests.notebooks.promises.nb04 import PROMISES

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "sources" / "notebooks" / "04-maschera-causale.md"
PARTS = [
    "La domanda",
    "Dal foglio alla biblioteca, un gradino alla volta",
    "Prima prevedi",
    "Le maschere, una accanto all'altra",
    "Errori comuni",
    "Che cosa non stiamo dicendo",
    "Errata delle fonti",
    "Tre cose da portare via",
]
RUNGS = ["Primo gradino", "Secondo gradino", "Terzo gradino", "Quarto gradino"]


@pytest.fixture(scope="module")
def prose():
    return "\n\n".join(c.source for c in jupytext.read(SOURCE).cells if c.cell_type == "markdown")


@pytest.fixture(scope="module")
def code():
    return [c.source for c in jupytext.read(SOURCE).cells if c.cell_type == "code"]


def run(code):
    """Esegue le celle in un solo spazio di nomi; restituisce ciò che scrivono e mostrano."""
    names, shown = {}, []
    for source in code:
        tree = ast.parse(source)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, "<cella>", "exec"), names)
            value = eval(compile(ast.Expression(last.value), "<cella>", "eval"), names) if last else None
        shown.append(printed.getvalue() + ("" if value is None else repr(value)))
    return names, shown


def test_parts_are_all_there_in_order(prose):
    assert re.findall(r"^## (.+)$", prose, re.M) == PARTS
    rungs = [h for h in re.findall(r"^### (.+)$", prose, re.M) if "gradino" in h]
    assert [h.split(":")[0] for h in rungs] == RUNGS
    assert re.findall(r"^### (.+)$", prose, re.M)[-2:] == ["Mettiti alla prova", "Riferimenti"]


def test_every_number_of_the_text_comes_out_of_a_cell(prose, code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    everything = "\n".join(run(code)[1])
    numbers = set(re.findall(r"\d+,\d+", prose.replace("{,}", ",")))
    assert {"0,665", "0,867", "0,99", "1,01", "54,598"} <= numbers
    assert sorted(n for n in numbers if n not in everything) == []
    assert list(tmp_path.iterdir()) == []


def test_the_printed_grid_is_that_of_the_document(prose):
    rows = [re.findall(r"\d,\d\d", line) for line in re.findall(r"^\| \*\*[helo]\*\* .*$", prose, re.M)]
    printed = examples.hello().printed
    assert [[float(n.replace(",", ".")) for n in row] for row in rows] == [
        list(printed[i, : i + 1]) for i in range(5)
    ]


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.what)
def test_every_promise_is_kept_in_the_built_notebook(promise):
    notebook = nbformat.read(ROOT / "notebooks" / "04-maschera-causale.ipynb", 4)
    text = str([(c.source, c.get("outputs")) for c in notebook.cells])
    text = text.replace("\\\\", "\\").replace("\u202f", " ")
    assert [piece for piece in promise.where if piece not in text] == []


RIGHT = transformer.scaled_dot_product_attention


def mask_after(Q, K, V, mask=None, scale=None):
    weights = RIGHT(Q, K, V, None, scale).weights
    weights = weights if mask is None else weights * mask
    return transformer.Attention(weights @ V, weights)


def no_mask(Q, K, V, mask=None, scale=None):
    return RIGHT(Q, K, V, None, scale)


def a_small_leak(Q, K, V, mask=None, scale=None):
    output, weights = RIGHT(Q, K, V, mask, scale)
    return transformer.Attention(output + 1e-13 * V.mean(axis=-2, keepdims=True), weights)


@pytest.mark.parametrize("wrong", [mask_after, no_mask, a_small_leak])
def test_the_notebook_breaks_if_the_attention_is_wrong(code, monkeypatch, wrong):
    monkeypatch.setattr(transformer, "scaled_dot_product_attention", wrong)
    with pytest.raises(AssertionError):
        run(code)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda L, S=None: np.tri(L, S or L, dtype=bool),
        lambda L, S=None: np.tri(L, S or L, (S or L) - L - 1, dtype=bool),
        lambda L, S=None: np.triu(np.ones((L, S or L), dtype=bool)),
    ],
    ids=["allineata all'inizio", "senza diagonale", "rovesciata"],
)
def test_the_notebook_breaks_if_the_mask_is_wrong(code, monkeypatch, wrong):
    monkeypatch.setattr(masks, "causal_mask", wrong)
    with pytest.raises((AssertionError, ValueError)):
        run(code)


@pytest.mark.parametrize(
    "wrong", ["hand_weights = [[1, 0, 0], [0.5, 0.5, 0], [0.665, 0.090, 0.244]]", "hand_z = [[1, 0]]"]
)
def test_the_ladder_breaks_if_a_hand_number_is_wrong(code, wrong):
    name = wrong.split(" = ")[0]
    spoiled = [re.sub(rf"^{name} = .*$", wrong, source, flags=re.M) for source in code]
    assert spoiled != code
    with pytest.raises(AssertionError):
        run(spoiled)


def test_predictions_come_before_their_answer(code):
    asked = [i for i, source in enumerate(code) if "prima_prevedi(" in source]
    assert len(asked) >= 2
    for i in asked:
        name = re.search(r"^(\w+) = prima_prevedi\(", code[i], re.M).group(1)
        assert code[i].splitlines()[-1] == name
        assert any(f"{name}.confronta(" in source for source in code[i + 1 :]), name

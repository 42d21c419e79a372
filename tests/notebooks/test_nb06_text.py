"""Il notebook 6: la tabella a mano, e che cosa succede se la biblioteca o un numero sono sbagliati."""

import re

import numpy as np
import pytest

from course_lib.learning import agreement_model
from course_lib.transformer import examples, heads, simulator
from course_lib.transformer.attention import softmax
from tests.notebooks.texts import plain, run, spoiled

NAME = "06-teste-multiple"


def numbers(text):
    return [float(n.replace(",", ".").replace("−", "-")) for n in re.findall(r"−?\d+(?:,\d+)?", text)]


def test_the_hand_table_is_the_softmax_of_its_scores(prose):
    x = examples.chiave_libri_era().x
    out = np.zeros(2)
    for head in (0, 1):
        row = re.search(rf"^\| {head} \| (.*) \| (.*) \| (.*) \|$", plain(prose), re.M)
        scores, weights, z = (numbers(cell) for cell in row.groups())
        right = softmax(np.array(scores))
        np.testing.assert_array_equal(weights, np.round(right, 4))
        np.testing.assert_array_equal(z, np.round(right @ x, 4))
        out += (right @ x)[:: 1 if head == 0 else -1]
    assert f"(**{out[0]:.4f}**; **{out[1]:.4f}**)".replace(".", ",") in plain(prose)


SPLIT, MERGE, CALL = heads.split_heads, heads.merge_heads, heads.MultiHeadAttention.__call__


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("split_heads", lambda x, h: np.reshape(x, (*x.shape[:-2], h, x.shape[-2], -1))),
        ("split_heads", lambda x, h: SPLIT(x, h)[..., ::-1, :, :]),
        ("merge_heads", lambda x: np.reshape(x, (*x.shape[:-3], x.shape[-2], -1))),
        ("merge_heads", lambda x: MERGE(x[..., ::-1, :, :])),
    ],
)
def test_the_notebook_breaks_if_heads_are_split_or_merged_wrong(code, monkeypatch, name, wrong):
    monkeypatch.setattr(heads, name, wrong)
    with pytest.raises(AssertionError):
        run(code)


def without_w_o(self, x, context=None, mask=None):
    output, weights = CALL(self, x, context, mask)
    return heads.Attention(output @ np.linalg.pinv(np.asarray(self.W_O, dtype=float))[:, :2], weights)


def test_the_notebook_breaks_if_w_o_is_forgotten(code, monkeypatch):
    monkeypatch.setattr(heads.MultiHeadAttention, "__call__", without_w_o)
    with pytest.raises(AssertionError):
        run(code)


def test_the_notebook_breaks_if_parameters_grow_with_the_heads(code, monkeypatch):
    right = heads.MultiHeadAttention.n_parameters.fget
    grown = property(lambda self: right(self) * self.n_heads)
    monkeypatch.setattr(heads.MultiHeadAttention, "n_parameters", grown)
    with pytest.raises(AssertionError):
        run(code)


def test_the_notebook_breaks_if_the_simulator_masks(code, monkeypatch):
    """Con la maschera causale le prime righe non cambiano di un fattore: sono vietate."""
    right = simulator.scaled_dot_product_attention
    monkeypatch.setattr(
        simulator,
        "scaled_dot_product_attention",
        lambda Q, K, V: right(Q, K, V, np.tri(len(Q), dtype=bool)),
    )
    with pytest.raises((AssertionError, RuntimeWarning)), np.errstate(all="ignore"):
        run(code)


def test_the_prediction_follows_the_measure_of_the_ablation(code, monkeypatch):
    """Se spegnere una testa non cambiasse nulla, la cella non direbbe più che conta la 1·1."""
    monkeypatch.setattr(agreement_model, "accuracy", lambda trained, sentences, mask=None: 1.0)
    _, shown = run(code)
    assert not any("Dal conto: (b) soltanto la 1·1" in text for text in shown)


@pytest.mark.parametrize(
    "wrong",
    ["hand_z = [[0.7876, 0.2125], [0.2124, 0.7876]]", "hand_out = [0.7876, 0.2124]"],
)
def test_the_ladder_breaks_on_a_wrong_hand_number(code, wrong):
    changed = spoiled(code, wrong)
    with pytest.raises(AssertionError):
        run(changed)

"""Il notebook 6: la tabella a mano, e che cosa succede se la biblioteca o un numero sono sbagliati."""

import re

import numpy as np
import pytest

from course_lib.learning import agreement_model
from course_lib.transformer import examples, heads, simulator
from course_lib.transformer.attention import softmax
from course_lib.widgets.state.heads_model import load, masks_for
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


def in_line(text):
    """Ciò che si può dire delle frasi della prova, guardando le parole."""
    words = [sentence.split() for sentence in text]
    return {(w[1], w[4]) for w in words}, [w[0] for w in words]


def test_the_sentences_of_the_ablation_are_as_the_notebook_tells_them():
    """Coppie mai viste insieme, metà femminili, e un articolo in testa che dice il genere."""
    trained = load()
    seen, _ = in_line(map(str, trained.grammar.sentences("train", 1, opposite=False)))
    sentences = trained.grammar.sentences("test", 1, opposite=False)
    pairs, first = in_line(map(str, sentences))
    assert not pairs & seen
    genders = [sentence.gender for sentence in sentences]
    assert genders.count("f") == genders.count("m") == 1600
    told = {article: {g for a, g in zip(first, genders, strict=True) if a == article} for article in first}
    assert told == {"la": {"f"}, "le": {"f"}, "il": {"m"}, "lo": {"m"}, "i": {"m"}, "gli": {"m"}}


def test_one_head_left_out_and_what_the_rest_answers():
    """Le frasi che cadono, chi le tiene su, e la risposta fissa che resta: come dice il testo."""
    trained = load()
    sentences = trained.grammar.sentences("test", 1, opposite=False)

    def shares(off):
        masks = masks_for(trained.model, 6, off)
        kinds = [("f", "s"), ("m", "s"), ("f", "p"), ("m", "p")]
        groups = [[one for one in sentences if (one.gender, one.number) == kind] for kind in kinds]
        return np.array([agreement_model.accuracy(trained, group, masks) for group in groups])

    first, both = shares([0]), shares([0, 2])
    assert first[0] < 0.1
    assert first[1:].min() > 0.95
    np.testing.assert_array_equal(both[:2], [0, 1])  # al singolare una risposta fissa
    assert both[2] > 0.85
    assert both[3] < 0.15
    np.testing.assert_array_equal(shares([2]), np.ones(4))


def test_era_would_hide_the_components_that_alternate(code):
    space, _ = run(code)
    row = space["in_a_row"][2]  # «era»
    np.testing.assert_allclose(row, row[::-1], rtol=0, atol=1e-12)
    np.testing.assert_allclose(row[[0, 2, 1, 3]], row, rtol=0, atol=1e-12)
    assert np.abs(row[[0, 1, 0, 1]] - row).max() > 0.5  # una testa ripetuta si vedrebbe

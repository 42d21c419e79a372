"""Il notebook 7: che cosa succede se la biblioteca, o un numero fatto a mano, sono sbagliati."""

import re
import sys

import numpy as np
import pytest

from course_lib import transformer
from course_lib.transformer import blocks, model, ops
from tests.notebooks.texts import plain, run, spoiled

NAME = "07-blocco-e-famiglie"
ATTENTION = transformer.scaled_dot_product_attention


def until(code, words):
    """Le celle fino alla prima che contiene quelle parole: il resto non c'entra con la prova."""
    last = next(i for i, cell in enumerate(code) if words in cell)
    return code[: last + 1]


def sample_variance(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True, ddof=1) + eps) + beta


def outside(x, gamma, beta, eps=1e-5):
    return gamma * (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + eps) + beta


def test_the_table_on_paper_says_what_the_cell_checks(prose, code):
    names, _ = run(until(code, "hand = {"))
    table = plain(prose)
    for numbers in names["hand"].values():
        for number in numbers:
            written = f"{abs(number):.4f}".rstrip("0").replace(".", ",")
            assert re.search(rf"\b{written}0*\b", table), number


@pytest.mark.parametrize("wrong", [sample_variance, outside], ids=["d − 1", "ε fuori"])
def test_the_ladder_breaks_if_the_library_normalises_otherwise(code, monkeypatch, wrong):
    monkeypatch.setattr(ops, "layer_norm", wrong)
    with pytest.raises(AssertionError):
        run(until(code, "course_block ="))


def test_the_ladder_breaks_if_the_residual_is_forgotten(code, monkeypatch):
    monkeypatch.setattr(blocks.Block, "_add", lambda self, sublayer, x, output, watch: output)
    with pytest.raises(AssertionError):
        run(until(code, "course_block ="))


def test_the_ladder_breaks_if_the_library_is_post_norm(code, monkeypatch):
    def post(self, x, mask, context=None, context_mask=None, extend=None, watch=None):
        p = self.parameters
        first = self.heads()(x, mask=mask).output + x
        x = blocks.layer_norm(first, p["self.gamma"], p["self.beta"])
        ffn = blocks.feed_forward(x, *(p[f"ffn.{name}"] for name in ("W_1", "b_1", "W_2", "b_2")))
        return blocks.layer_norm(x + ffn, p["ffn.gamma"], p["ffn.beta"])

    monkeypatch.setattr(blocks.Block, "apply", post)
    with pytest.raises(AssertionError):
        run(until(code, "course_block ="))


def test_the_seven_phases_break_without_the_mask_or_the_scale_of_the_embedding(code, monkeypatch):
    cells = until(code, "model = DecoderOnly")
    run(cells)
    with monkeypatch.context() as patch:
        patch.setattr(model, "causal_mask", lambda L, S=None: np.ones((L, L if S is None else S), dtype=bool))
        with pytest.raises(AssertionError):
            run(cells)
    monkeypatch.setattr(ops, "embedding", lambda table, ids, scale, positions: table[ids] + positions)
    with pytest.raises(AssertionError):
        run(cells)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda Q, K, V, mask=None, scale=None: ATTENTION(Q, K, V, mask, scale=1 / 64),
        lambda Q, K, V, mask=None, scale=None: ATTENTION(Q, K, V),
    ],
    ids=["÷ d_k", "senza maschera"],
)
def test_what_pytorch_gave_is_not_what_a_wrong_attention_gives(code, monkeypatch, wrong):
    cells = [code[0], next(cell for cell in code if "stored = {" in cell)]
    run(cells)
    monkeypatch.setattr(transformer, "scaled_dot_product_attention", wrong)
    with pytest.raises(AssertionError):
        run(cells)


def test_what_is_stored_is_what_pytorch_gives(code, require):
    require("torch")
    import torch

    names, _ = run([code[0], next(cell for cell in code if "stored = {" in cell)])
    tensors = [torch.tensor(names[name]) for name in ("Q", "K", "values")]
    for causal, name in ((False, "senza maschera"), (True, "causale")):
        fresh = torch.nn.functional.scaled_dot_product_attention(*tensors, is_causal=causal).numpy()
        np.testing.assert_allclose(fresh[1, 0, :, :3], names["stored"][name], rtol=0, atol=1e-11)


def test_where_pytorch_is_absent_the_notebook_says_so(code, monkeypatch):
    cells = [code[0], *(cell for cell in code if "stored = {" in cell or "import torch" in cell)]
    assert len(cells) == 3
    monkeypatch.setitem(sys.modules, "torch", None)  # così «import torch» solleva ImportError
    _, shown = run(cells)
    assert shown[2] == "PyTorch non è installato qui: vale il risultato conservato.\n"


@pytest.mark.parametrize(
    "wrong",
    ["gradient = softmax(ell) + y", "gradient = softmax(ell)", "ell = np.array([2.0, 0.0, 1.1])"],
)
def test_the_first_gradient_breaks_if_it_is_wrong(code, wrong):
    at = next(i for i, cell in enumerate(code) if "gradient = softmax" in cell)
    asked = next(cell for cell in code if "about_sign = " in cell)
    predict = next(cell for cell in code if "import prima_prevedi" in cell)
    cells = [code[0], predict, asked, code[at]]
    run(cells)
    with pytest.raises(AssertionError):
        run(spoiled(cells, wrong))

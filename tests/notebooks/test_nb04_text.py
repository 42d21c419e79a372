"""Il notebook 4: la griglia stampata, e che cosa succede se la biblioteca o un numero sono sbagliati."""

import re

import numpy as np
import pytest

from course_lib import transformer
from course_lib.transformer import examples, masks
from tests.notebooks.texts import breaks_if, run

NAME = "04-maschera-causale"


def test_the_printed_grid_is_that_of_the_document(prose):
    rows = [re.findall(r"\d,\d\d", line) for line in re.findall(r"^\| \*\*[helo]\*\* .*$", prose, re.M)]
    printed = examples.hello().printed
    assert [[float(n.replace(",", ".")) for n in row] for row in rows] == [
        list(printed[i, : i + 1]) for i in range(5)
    ]


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
    breaks_if(code, wrong)

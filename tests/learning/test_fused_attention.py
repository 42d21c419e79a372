"""L'attenzione fusa è uguale alla sua forma semplice: valore, gradiente, maschere, strisce di query."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.learning import fused
from course_lib.learning.fused_attention import _stripes
from course_lib.transformer import ops as plain
from course_lib.transformer.masks import causal_mask, padding_mask, window_mask
from tests.learning.support import DTYPES, LEADS, expect_close, expect_gradients, expect_like_plain, numbers

MASKS = {
    "nessuna": None,
    "causale": causal_mask(4),
    "una riga vuota": np.array([[True] * 4, [False] * 4, [True, False, True, False], [False, True] * 2]),
    "una per testa": np.random.default_rng(3).random((2, 4, 4)) < 0.6,
    "una per frase": np.random.default_rng(3).random((3, 1, 4, 4)) < 0.6,
    "una colonna": np.array([[True, True, False, True]]),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scale", [1.0, 10.0])
@pytest.mark.parametrize("name", MASKS)
def test_attention(name, scale, dtype):
    """Con scale = 10 i punteggi distano di centinaia: il massimo va tolto riga per riga."""
    Q, K, V = numbers((3, 2, 4, 3), 1, scale), numbers((3, 2, 4, 3), 2, scale), numbers((3, 2, 4, 5), 3)
    expect_like_plain(
        "attention", Q, K, V, dtype=dtype, call=lambda f, *qkv: f(*qkv, MASKS[name]), slack=scale**2
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_hundreds_apart(dtype):
    """Un massimo solo per tutta la matrice manderebbe a zero la prima riga.

    Una query lunga 400 ingrandisce altrettanto l'arrotondamento del gradiente delle key.
    """
    Q = np.array([[[1.0, 0.0], [400.0, 0.0]]])
    K = np.array([[[1.0, 0.0], [0.5, 1.0], [-1.0, 2.0]]])
    V = numbers((1, 3, 2))
    expect_like_plain("attention", Q, K, V, dtype=dtype, call=lambda f, *qkv: f(*qkv, None), slack=20)
    mask = np.array([[True, False, True], [False, True, True]])
    expect_like_plain("attention", Q, K, V, dtype=dtype, call=lambda f, *qkv: f(*qkv, mask), slack=20)


def test_forbidden_scores_may_be_huge():
    Q, K = np.array([[[1e30, 1.0]]], np.float32), np.array([[[1e30, 0.0], [0.0, 2.0]]], np.float32)
    V = np.array([[[5.0], [7.0]]], np.float32)
    with np.errstate(over="ignore"):
        assert fused.attention(Q, K, V, np.array([[False, True]])).tolist() == [[[7.0]]]


def test_attention_in_several_blocks(monkeypatch):
    monkeypatch.setattr("course_lib.learning.fused_attention._NEAR", 40)
    Q, K, V = (numbers((3, 2, 4, 3), i) for i in range(3))
    expect_like_plain("attention", Q, K, V, call=lambda f, *qkv: f(*qkv, MASKS["una per frase"]))


STRIPED = {
    "causale": causal_mask(7),
    "in fondo": causal_mask(7, 9),
    "dall'ultima": np.tril(np.ones((7, 7), bool))[::-1],
    "l'ultima key mai": causal_mask(7) & (np.arange(7) < 5),
    "una striscia vuota": np.arange(7)[:, None] > np.arange(7) + 3,
    "una frase sola": causal_mask(7)[None, None],
    "una colonna": np.arange(7)[None] > 2,
    "a finestra": causal_mask(7) & window_mask(7, 3),     # l'ultima striscia non vede le prime key
    "a caso": np.random.default_rng(6).random((7, 9)) < 0.25,
    "una per testa": np.random.default_rng(7).random((2, 7, 7)) < 0.5,
    "una per frase": causal_mask(7) & padding_mask([7, 2, 5], 7)[:, None, None, :],
}


@pytest.mark.parametrize("near", [1, 10000])
@pytest.mark.parametrize("name", STRIPED)
def test_attention_in_several_stripes(name, near, monkeypatch):
    monkeypatch.setattr("course_lib.learning.fused_attention._STRIPE", 3)
    monkeypatch.setattr("course_lib.learning.fused_attention._NEAR", near)
    S = STRIPED[name].shape[-1]
    Q, K, V = numbers((3, 2, 7, 3), 1), numbers((3, 2, S, 3), 2), numbers((3, 2, S, 4), 3)
    expect_like_plain("attention", Q, K, V, call=lambda f, *qkv: f(*qkv, STRIPED[name]))
    expect_like_plain("attention", Q * 40, K, V, call=lambda f, *qkv: f(*qkv, STRIPED[name]), slack=100)


def test_stripes_skip_what_nobody_sees(monkeypatch):
    monkeypatch.setattr("course_lib.learning.fused_attention._STRIPE", 2)
    assert _stripes(causal_mask(5), 5, 5) == [(slice(4, 5), 5), (slice(2, 4), 4), (slice(0, 2), 2)]
    assert _stripes(None, 5, 5) == _stripes(np.ones((5, 5), bool), 5, 5) == [(slice(0, 5), 5)]


def test_attention_with_axes_that_broadcast():
    Q, K, V = numbers((3, 2, 4, 3), 1), numbers((2, 5, 3), 2), numbers((1, 2, 5, 4), 3)
    expect_like_plain("attention", Q, K, V, call=lambda f, *qkv: f(*qkv, None))


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    st.lists(st.integers(1, 3), max_size=2),
    st.tuples(*[st.integers(1, 4)] * 5),
    st.sampled_from([None, 0.3, 0.9]),
)
def test_attention_of_any_shape(lead, sizes, density):
    h, L, S, d_k, d_v = sizes
    lead = tuple(lead)
    mask = None if density is None else np.random.default_rng(L).random((L, S)) < density
    arrays = [numbers((*lead, h, *tail), i) for i, tail in enumerate([(L, d_k), (S, d_k), (S, d_v)])]
    expect_like_plain("attention", *arrays, call=lambda f, *qkv: f(*qkv, mask))


@pytest.mark.parametrize("lead", LEADS)
def test_heads_split_attend_and_merge(lead):
    """Le tre viste di un array solo, e i loro gradienti in un array solo."""

    def chain(module):
        def run(qkv):
            Q, K, V = module.split_qkv(qkv, 2)
            return module.merge_heads(module.attention(Q, K, V, causal_mask(4)))

        return run

    qkv = numbers((*lead, 4, 12))
    expect_gradients(chain(fused), qkv)
    expect_close(chain(fused)(qkv), chain(plain)(qkv), 1e-12)
    expect_gradients(lambda x: fused.merge_heads(np.exp(fused.split_heads(x, 2))), numbers((*lead, 3, 4)))


@pytest.mark.parametrize("used", [(0,), (1, 2), (2,)])
def test_an_unused_part_of_qkv_has_gradient_zero(used):
    expect_gradients(lambda x: sum(np.exp(fused.split_qkv(x, 2)[i]) for i in used), numbers((2, 3, 12)))


def test_a_part_of_qkv_used_twice():
    def twice(x):
        Q, K, V = fused.split_qkv(x, 2)
        return fused.attention(Q, K, V, None) + fused.attention(Q, V, K, causal_mask(3)) * Q

    expect_gradients(twice, numbers((2, 3, 12)))


def test_heads_are_views():
    qkv = numbers((2, 3, 12))
    assert all(np.shares_memory(part, qkv) for part in fused.split_qkv(qkv, 2))
    z = fused.attention(*fused.split_qkv(qkv, 2), None)
    assert np.shares_memory(fused.merge_heads(z), z)

"""Le maschere, scritte per esteso e confrontate con la loro definizione, cella per cella."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.transformer import scaled_dot_product_attention, softmax
from course_lib.transformer.masks import (
    causal_mask,
    combine,
    padding_mask,
    prefix_mask,
    to_additive,
    window_mask,
)

few = settings(max_examples=40, deadline=None)
sizes = st.integers(0, 6)


def expect_mask(actual, shape, allowed):
    """bool, della forma data, e True proprio dove allowed(indice) è vero."""
    assert type(actual) is np.ndarray
    assert actual.dtype == np.bool_
    assert actual.shape == shape
    for index in np.ndindex(shape):
        assert bool(actual[index]) == allowed(*index), index


def drawn(mask):
    return " ".join("".join(str(int(v)) for v in row) for row in mask)


@pytest.mark.parametrize(
    ("mask", "picture"),
    [
        (causal_mask(3), "100 110 111"),
        (causal_mask(2, 5), "11110 11111"),
        (causal_mask(1, 4), "1111"),
        (window_mask(4, 1), "1000 0100 0010 0001"),
        (window_mask(4, 2), "1100 1110 0111 0011"),
        (prefix_mask(4, 2), "1100 1100 1110 1111"),
        (padding_mask([1, 3, 0], 3), "100 111 000"),
        (combine(causal_mask(4), window_mask(4, 2)), "1000 1100 0110 0011"),
    ],
)
def test_by_hand(mask, picture):
    assert drawn(mask) == picture


@few
@given(L=sizes, more=sizes)
def test_causal(L, more):
    S = L + more
    expect_mask(causal_mask(L, S), (L, S), lambda i, j: j <= i + S - L)
    expect_mask(causal_mask(L), (L, L), lambda i, j: j <= i)


@few
@given(L=sizes, more=sizes)
def test_last_rows_of_a_causal_mask_are_the_causal_mask_of_the_last_queries(L, more):
    assert causal_mask(L, L + more).tolist() == causal_mask(L + more)[more:].tolist()


@few
@given(L=sizes, width=st.integers(1, 8))
def test_window(L, width):
    expect_mask(window_mask(L, width), (L, L), lambda i, j: abs(i - j) < width)


@few
@given(L=sizes, prefix=sizes)
def test_prefix(L, prefix):
    prefix = min(L, prefix)
    expect_mask(prefix_mask(L, prefix), (L, L), lambda i, j: j <= i or j < prefix)


@few
@given(lengths=st.lists(st.integers(0, 5), max_size=4))
def test_padding(lengths):
    expect_mask(padding_mask(lengths, 5), (len(lengths), 5), lambda b, j: j < lengths[b])


def test_padding_serves_every_head_and_query():
    mask = padding_mask([1, 2], 2)[:, None, None, :]
    x = np.ones((2, 3, 2, 4))
    weights = scaled_dot_product_attention(x, x, x, mask).weights
    assert weights[0].tolist() == [[[1, 0], [1, 0]]] * 3
    assert weights[1].tolist() == [[[0.5, 0.5], [0.5, 0.5]]] * 3


@few
@given(seed=st.integers(0, 999))
def test_combine_is_an_and_with_broadcasting(seed):
    rng = np.random.default_rng(seed)
    shapes = (2, 1, 3, 4), (3, 1), (4,)
    masks = [rng.random(shape) < 0.7 for shape in shapes]
    before = [mask.copy() for mask in masks]
    a, b, c = masks
    expect_mask(combine(*masks), (2, 1, 3, 4), lambda n, h, i, j: a[n, h, i, j] and b[i, 0] and c[j])
    for mask, old in zip(masks, before, strict=True):
        assert mask.tobytes() == old.tobytes()


def test_combine_skips_what_forbids_nothing():
    mask = causal_mask(3)
    result = combine(None, mask, None)
    assert result.tolist() == mask.tolist()
    assert result is not mask
    assert combine() is None
    assert combine(None) is None


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_additive(dtype):
    additive = to_additive(np.array([[True, False]]), dtype)
    assert additive.dtype == dtype
    assert additive.tolist() == [[0.0, -np.inf]]


def test_additive_does_what_the_boolean_mask_does():
    rng = np.random.default_rng(0)
    scores, mask = rng.normal(size=(4, 4)), causal_mask(4)
    assert softmax(scores + to_additive(mask)).tolist() == softmax(scores, mask=mask).tolist()


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda: causal_mask(3, 2), "S: mi aspettavo almeno L = 3"),
        (lambda: causal_mask(-1), "L: mi aspettavo un intero da 0 in su, è arrivato -1"),
        (lambda: causal_mask(2.0), r"L: mi aspettavo un numero intero, è arrivato 2\.0"),
        (lambda: window_mask(3, 0), "width: mi aspettavo un intero da 1 in su"),
        (lambda: prefix_mask(3, 4), "prefix: mi aspettavo un intero fra 0 e L = 3"),
        (lambda: padding_mask([2, 4], 3), r"lengths\[1\] vale 4: .* fra 0 e 3"),
        (lambda: padding_mask([-1], 3), r"lengths\[0\] vale -1"),
        (lambda: padding_mask([1.5], 3), "lengths: mi aspettavo numeri interi"),
        (lambda: combine(causal_mask(2), causal_mask(3)), r"masks\[0\] \(2, 2\), masks\[1\] \(3, 3\)"),
        (lambda: combine(causal_mask(2), [[0, 1], [1, 1]]), r"masks\[1\]: mi aspettavo valori booleani"),
        (lambda: to_additive([[1, 0]]), "mask: mi aspettavo valori booleani"),
        (lambda: to_additive([[True]], int), "dtype: mi aspettavo un tipo in virgola mobile"),
    ],
)
def test_refuses(call, part):
    with pytest.raises(ValueError, match=part):
        call()

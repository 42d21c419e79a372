"""Proprietà che valgono per ogni forma, tipo e maschera, confrontate con un oracolo a cicli."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.transformer import scaled_dot_product_attention, softmax
from tests.transformer.support import expect_same, loop_attention, loop_softmax

TOLERANCE = {np.float64: 1e-12, np.float32: 2e-6, np.float16: 2e-3, np.int64: 1e-12}
few = settings(max_examples=60, deadline=None)
seeds = st.integers(0, 2**32 - 1)
dtypes = st.sampled_from(list(TOLERANCE))
lead_shapes = st.lists(st.integers(0, 3), max_size=3).map(tuple)


def random_array(rng, shape, dtype):
    values = rng.normal(size=shape) * 3
    return np.round(values).astype(dtype) if dtype is np.int64 else values.astype(dtype)


def result_type(dtype):
    return np.float64 if dtype is np.int64 else dtype


@few
@given(
    seed=seeds,
    shape=st.lists(st.integers(0, 4), min_size=1, max_size=4).map(tuple),
    dtype=dtypes,
    masked=st.booleans(),
    data=st.data(),
)
def test_softmax_equals_the_loops(seed, shape, dtype, masked, data):
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    rng = np.random.default_rng(seed)
    scores = random_array(rng, shape, dtype)
    mask = rng.random(shape) < 0.6 if masked else None
    before = scores.copy()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        actual = softmax(scores, axis=axis, mask=mask)
    expect_same(actual, loop_softmax(scores, axis, mask), TOLERANCE[dtype], result_type(dtype))
    assert scores.tobytes() == before.tobytes()
    sums = actual.astype(float).sum(axis=axis)
    nonempty = np.ones(shape, bool) if mask is None else mask
    expect_same(np.asarray(sums), nonempty.any(axis=axis).astype(float), 5 * TOLERANCE[dtype])
    if mask is not None:
        assert (actual[~mask] == 0).all()


@few
@given(
    seed=seeds,
    lead=lead_shapes,
    L=st.integers(0, 4),
    S=st.integers(0, 5),
    d_k=st.integers(0, 4),
    d_v=st.integers(0, 3),
    dtype=dtypes,
    masked=st.booleans(),
)
def test_attention_equals_the_loops(seed, lead, L, S, d_k, d_v, dtype, masked):
    rng = np.random.default_rng(seed)
    Q, K, V = (random_array(rng, (*lead, *s), dtype) for s in ((L, d_k), (S, d_k), (S, d_v)))
    mask = rng.random((*lead, L, S)) < 0.6 if masked else None
    before = [a.copy() for a in (Q, K, V)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = scaled_dot_product_attention(Q, K, V, mask)
    output, weights = loop_attention(Q, K, V, mask, scale=None if d_k else 1.0)
    # float16: l'errore viene dal risultato arrotondato a 11 bit, i value arrivano a una decina
    tolerance = TOLERANCE[dtype] * (20 if dtype is not np.float64 else 1)
    expect_same(result.weights, weights, tolerance, result_type(dtype))
    expect_same(result.output, output, tolerance, result_type(dtype))
    for array, old in zip((Q, K, V), before, strict=True):
        assert array.tobytes() == old.tobytes()


@few
@given(seed=seeds, L=st.integers(1, 4), S=st.integers(1, 4))
def test_leading_axes_broadcast(seed, L, S):
    """Un asse lungo 1, o che manca, vale per tutti: lo stesso risultato di quando lo si ripete."""
    rng = np.random.default_rng(seed)
    Q, K, V = rng.normal(size=(2, 1, L, 3)), rng.normal(size=(5, S, 3)), rng.normal(size=(S, 2))
    mask = rng.random((2, 5, 1, S)) < 0.7
    result = scaled_dot_product_attention(Q, K, V, mask)
    full = (
        np.broadcast_to(Q, (2, 5, L, 3)),
        np.broadcast_to(K, (2, 5, S, 3)),
        np.broadcast_to(V, (2, 5, S, 2)),
    )
    output, weights = loop_attention(*full, np.broadcast_to(mask, (2, 5, L, S)))
    expect_same(result.weights, weights)
    expect_same(result.output, output)


@few
@given(seed=seeds, shift=st.floats(-1e6, 1e6))
def test_adding_a_constant_to_a_row_changes_nothing(seed, shift):
    scores = np.random.default_rng(seed).normal(size=(3, 4))
    shifted = scores + np.array([[shift], [0.0], [-shift]])
    # la somma arrotonda i punteggi: 1e6 porta via dieci cifre
    expect_same(softmax(shifted), softmax(scores), 1e-9)


@few
@given(seed=seeds, n=st.integers(1, 5))
def test_permuting_the_tokens_permutes_the_rows(seed, n):
    rng = np.random.default_rng(seed)
    x, order = rng.normal(size=(n, 3)), rng.permutation(n)
    straight = scaled_dot_product_attention(x, x, x)
    permuted = scaled_dot_product_attention(x[order], x[order], x[order])
    expect_same(permuted.output, straight.output[order])
    expect_same(permuted.weights, straight.weights[order][:, order])


@few
@given(seed=seeds, n=st.integers(2, 6))
def test_a_forbidden_key_leaves_no_trace(seed, n):
    """Cambiare key e value di un token vietato non cambia neppure l'ultimo bit."""
    rng = np.random.default_rng(seed)
    Q, K, V = rng.normal(size=(2, 3)), rng.normal(size=(n, 3)), rng.normal(size=(n, 2))
    mask = np.ones((2, n), dtype=bool)
    mask[:, 0] = False
    first = scaled_dot_product_attention(Q, K, V, mask)
    K[0], V[0] = 1e3 * rng.normal(size=3), 1e3 * rng.normal(size=2)
    second = scaled_dot_product_attention(Q, K, V, mask)
    assert first.output.tobytes() == second.output.tobytes()
    assert first.weights.tobytes() == second.weights.tobytes()


@few
@given(seed=seeds)
def test_output_stays_between_the_values(seed):
    rng = np.random.default_rng(seed)
    V = rng.normal(size=(5, 3))
    output = scaled_dot_product_attention(rng.normal(size=(4, 2)), rng.normal(size=(5, 2)), V).output
    assert (output >= V.min(axis=0) - 1e-12).all()
    assert (output <= V.max(axis=0) + 1e-12).all()


def test_half_precision_is_computed_in_single():
    """4096 quote uguali: sommate in float16 si fermerebbero a 2048, e ognuna sarebbe il doppio."""
    expect_same(softmax(np.zeros(4096, np.float16)), np.full(4096, 1 / 4096), 1e-7, np.float16)
    # 300·300·2 non sta in float16; il punteggio diviso per √2 sì, in float32
    Q = np.full((1, 2), 300, np.float16)
    result = scaled_dot_product_attention(Q, np.stack([Q[0], -Q[0]]), np.array([[1], [0]], np.float16))
    expect_same(result.weights, [[1, 0]], 0.0, np.float16)


def test_mixed_types_follow_numpy():
    low, high = np.ones((1, 2), np.float32), np.ones((1, 2))
    assert scaled_dot_product_attention(low, low, high).output.dtype == np.float64
    assert scaled_dot_product_attention(low, low, low).weights.dtype == np.float32
    assert scaled_dot_product_attention(low, low, np.ones((1, 2), int)).output.dtype == np.float64


def test_strange_floating_point_settings_change_nothing():
    with np.errstate(all="raise"):
        expect_same(softmax([0.0, 800.0]), [0.0, 1.0], 1e-300)
        expect_same(
            scaled_dot_product_attention([[40.0]], [[0.0], [40.0]], [[1.0], [0.0]]).output, [[0.0]], 1e-300
        )


@pytest.mark.parametrize(
    "convert", [np.asarray, list, np.asfortranarray, lambda a: np.asarray(a)[::-1][::-1]]
)
def test_any_layout_is_accepted(convert):
    scores = np.arange(6.0).reshape(2, 3)
    expect_same(softmax(convert(scores)), loop_softmax(scores))


def test_read_only_inputs_are_accepted():
    Q = np.arange(6.0).reshape(2, 3)
    Q.setflags(write=False)
    output, weights = loop_attention(Q, Q, Q)
    result = scaled_dot_product_attention(Q, Q, Q)
    expect_same(result.output, output)
    expect_same(result.weights, weights)

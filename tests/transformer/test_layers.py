"""Proiezione, LayerNorm, attivazioni, feed-forward: numeri a mano, cicli, proprietà."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.transformer.blocks import feed_forward, gelu, layer_norm, linear, relu
from tests.transformer.support import expect_same
from tests.transformer.tape import Tape, finite_differences

TOLERANCE = {np.float64: 1e-12, np.float32: 1e-5, np.float16: 1e-2, np.int64: 1e-12}
few = settings(max_examples=50, deadline=None)
seeds = st.integers(0, 2**32 - 1)
dtypes = st.sampled_from(list(TOLERANCE))
leads = st.lists(st.integers(0, 3), max_size=3).map(tuple)


def drawn(seed, *shapes, dtype=np.float64):
    rng = np.random.default_rng(seed)
    arrays = [rng.normal(size=shape) * 2 for shape in shapes]
    return [np.round(a).astype(dtype) if dtype is np.int64 else a.astype(dtype) for a in arrays]


def loop_norm(row, gamma, beta, eps):
    mean = math.fsum(row) / len(row)
    variance = math.fsum((v - mean) ** 2 for v in row) / len(row)
    return [(v - mean) / math.sqrt(variance + eps) * g + b for v, g, b in zip(row, gamma, beta, strict=True)]


def loop_linear(row, W, b):
    columns = zip(W.T, b, strict=True)
    return [math.fsum([*(x * w for x, w in zip(row, column, strict=True)), k]) for column, k in columns]


def loop_gelu(x):
    return 0.5 * x * (1 + math.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def each_row(function, x, width):
    """La funzione applicata a ogni riga di x, con i soli numeri di Python."""
    result = np.zeros((*x.shape[:-1], width))
    for index in np.ndindex(x.shape[:-1]):
        result[index] = function([float(v) for v in x[index]])
    return result


def out(dtype):
    return np.float64 if dtype is np.int64 else dtype


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_layer_norm_by_hand():
    ones, zeros = np.ones(4), np.zeros(4)
    expected = [1.732005, -0.577335, -0.577335, -0.577335]
    expect_same(layer_norm([1, 0, 0, 0], ones, zeros), expected, 5e-7)
    # (1; 3) ha media 2 e varianza 1: con eps = 3 si divide per 2
    expect_same(layer_norm([1.0, 3.0], [10.0, 100.0], [0.5, -1.0], eps=3.0), [-4.5, 49.0], 0.0)


def test_layer_norm_of_equal_components_is_beta():
    expect_same(layer_norm(np.full((2, 3), 7.0), np.ones(3), [1.0, 2.0, 3.0]), [[1, 2, 3]] * 2, 0.0)


@few
@given(seed=seeds, lead=leads, d=st.integers(1, 5), dtype=dtypes)
def test_layer_norm_equals_the_loops(seed, lead, d, dtype):
    x, gamma, beta = drawn(seed, (*lead, d), (d,), (d,), dtype=dtype)
    before = x.tobytes(), gamma.tobytes(), beta.tobytes()
    actual = layer_norm(x, gamma, beta, eps=1e-2)
    expect_same(
        actual, each_row(lambda r: loop_norm(r, gamma, beta, 1e-2), x, d), TOLERANCE[dtype] * 10, out(dtype)
    )
    assert (x.tobytes(), gamma.tobytes(), beta.tobytes()) == before


@few
@given(seed=seeds, d=st.integers(2, 8), shift=st.floats(-100, 100), factor=st.floats(0.5, 50))
def test_layer_norm_forgets_shift_and_scale(seed, d, shift, factor):
    """La varianza cresce come factor²: se eps la segue è vero anche per righe quasi costanti."""
    (x,) = drawn(seed, (3, d))
    normed = layer_norm(x, np.ones(d), np.zeros(d), eps=1e-12)
    expect_same(normed.mean(axis=-1), np.zeros(3), 1e-9)
    moved = layer_norm(x * factor + shift, np.ones(d), np.zeros(d), eps=1e-12 * factor**2)
    expect_same(moved, normed, 1e-6)


@few
@given(seed=seeds, lead=leads, sizes=st.tuples(*[st.integers(0, 4)] * 2), dtype=dtypes, biased=st.booleans())
def test_linear_equals_the_loops(seed, lead, sizes, dtype, biased):
    d, width = sizes
    x, W, b = drawn(seed, (*lead, d), (d, width), (width,), dtype=dtype)
    expected = each_row(lambda r: loop_linear(r, W, b if biased else np.zeros(width)), x, width)
    expect_same(linear(x, W, b if biased else None), expected, TOLERANCE[dtype] * 10, out(dtype))


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_activations(dtype):
    x = np.array([[-3, -1, 0], [1, 2, 5]], dtype=dtype)
    before = x.tobytes()
    expect_same(relu(x), [[0, 0, 0], [1, 2, 5]], 0.0, out(dtype))
    expect_same(gelu(x), each_row(lambda r: [loop_gelu(v) for v in r], x, 3), TOLERANCE[dtype], out(dtype))
    assert x.tobytes() == before


def test_gelu_is_close_to_its_exact_form():
    x = np.linspace(-6, 6, 241)
    exact = np.array([0.5 * v * (1 + math.erf(v / math.sqrt(2))) for v in x.tolist()])
    gap = np.abs(gelu(x) - exact).max()
    assert 4e-4 < gap < 5e-4


def test_gelu_of_huge_numbers():
    expect_same(gelu([1e200, -1e200]), [1e200, 0.0], 0.0)
    expect_same(gelu(np.array([1e30, -1e30], np.float32)), np.array([1e30, 0.0], np.float32), 0.0)


def test_feed_forward_by_hand():
    # (1; −1) W_1 + b_1 = (1·2 − 1·0 − 1; 1·0 − 1·3 + 1) = (1; −2); con relu (1; 0); per W_2 più b_2: 4 + 0,5
    arguments = ([1.0, -1.0], [[2.0, 0.0], [0.0, 3.0]], [-1.0, 1.0], [[4.0], [5.0]], [0.5])
    expect_same(feed_forward(*arguments, activation=relu), [4.5], 0.0)
    expect_same(feed_forward(*arguments), [4 * loop_gelu(1) + 5 * loop_gelu(-2) + 0.5], 1e-15)


@few
@given(seed=seeds, lead=leads)
def test_feed_forward_works_on_one_position_at_a_time(seed, lead):
    x, W_1, b_1, W_2, b_2 = drawn(seed, (*lead, 3), (3, 5), (5,), (5, 2), (2,))

    def by_loops(row):
        return loop_linear([loop_gelu(v) for v in loop_linear(row, W_1, b_1)], W_2, b_2)

    expect_same(feed_forward(x, W_1, b_1, W_2, b_2), each_row(by_loops, x, 2), 1e-11)


GRADIENTS = {
    "layer_norm": (layer_norm, [(2, 3, 4), (4,), (4,)]),
    "linear": (linear, [(2, 3, 4), (4, 2), (2,)]),
    "relu": (relu, [(3, 4)]),
    "gelu": (gelu, [(3, 4)]),
    "feed_forward": (feed_forward, [(2, 3), (3, 4), (4,), (4, 3), (3,)]),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_every_layer_differentiates_as_it_stands(name):
    function, shapes = GRADIENTS[name]
    arrays = drawn(3, *shapes)
    tapes = [Tape(a) for a in arrays]
    result = function(*tapes)
    assert type(result) is Tape
    expect_same(result.data, function(*arrays), 0.0)
    (upstream,) = drawn(4, result.shape)
    result.backward(upstream)
    for which, tape in enumerate(tapes):
        expect_same(tape.grad, finite_differences(function, arrays, which, upstream), 1e-7)


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda: layer_norm([1.0, 2.0], [1.0], [0.0, 0.0]), r"gamma: .* lungo 2 \(d, come in x\), .*\(1,\)"),
        (lambda: layer_norm([1.0, 2.0], [1.0, 1.0], [[0.0, 0.0]]), r"beta: mi aspettavo la forma \(2,\)"),
        (lambda: layer_norm([1.0], [1.0], [0.0], eps=0), "eps positivo, sono arrivati 1 e 0"),
        (lambda: layer_norm(np.ones((2, 0)), [], []), "d almeno 1"),
        (lambda: layer_norm(1.0, [1.0], [0.0]), r"x: mi aspettavo la forma \(..., d\)"),
        (lambda: linear([1.0], [1.0]), r"W: mi aspettavo la forma \(d_in, d_out\)"),
        (lambda: linear([1.0], [[1.0], [2.0]]), r"x: mi aspettavo l'ultimo asse lungo 2 \(d_in"),
        (lambda: linear([1.0], [[1.0, 2.0]], [1.0]), r"b: mi aspettavo l'ultimo asse lungo 2 \(d_out"),
        (lambda: relu(["a"]), "x: mi aspettavo numeri reali"),
        (lambda: gelu([[1.0], [1.0, 2.0]]), "x: .* lunghezza diversa"),
    ],
)
def test_refuses(call, part):
    with pytest.raises(ValueError, match=part):
        call()

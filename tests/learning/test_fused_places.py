"""Un gradiente si scrive al suo posto senza badare a ciò che c'era, e un posto già pieno non si riscrive."""

import numpy as np
import pytest

from course_lib.learning import fused
from course_lib.learning.autograd import Tensor
from course_lib.learning.fused_attention import sums_are_good
from course_lib.transformer import ops as plain
from tests.learning.support import expect_close

IDS = np.array([[2, 0, 2], [5, 2, 1]])
CALLS = {
    "linear": (lambda x, W, b: fused.linear(x, W, b), [(2, 3), (3, 4), (4,)]),
    "layer_norm": (lambda x, g, b: fused.layer_norm(x, g, b), [(2, 5), (5,), (5,)]),
    "norm_linear": (lambda *a: fused.norm_linear(*a), [(2, 5), (5,), (5,), (5, 3), (3,)]),
    "norm_feed_forward": (
        lambda *a: fused.norm_feed_forward(*a),
        [(2, 5), (5,), (5,), (5, 7), (7,), (7, 5), (5,)],
    ),
    "embedding": (lambda table: fused.embedding(table, IDS, 2.0, np.zeros(4)), [(7, 4)]),
    "embedding con molti token": (lambda table: fused.embedding(table, IDS, 2.0, np.zeros(4)), [(600, 4)]),
}


def numbers(shape, seed):
    return np.random.default_rng(seed).normal(size=shape)


def leaves(arrays, with_places):
    """Foglie con un posto per il gradiente, pieno di NaN: chi vi somma, o ne salta una parte, si vede."""
    tensors = [Tensor(array.copy(), requires_grad=True) for array in arrays]
    for tensor in tensors if with_places else ():
        tensor._place = np.full(tensor.shape, np.nan)
    return tensors


@pytest.mark.parametrize("name", CALLS)
def test_what_was_in_the_place_does_not_matter(name):
    call, shapes = CALLS[name]
    arrays = [numbers(shape, i) for i, shape in enumerate(shapes)]
    with_places, without = leaves(arrays, True), leaves(arrays, False)
    for tensors in (with_places, without):
        out = call(*tensors)
        out.backward(numbers(out.shape, 9))
    for ours, expected in zip(with_places, without, strict=True):
        assert ours.grad is ours._place
        expect_close(ours.grad, expected.grad, 1e-12, name)


@pytest.mark.parametrize("name", [name for name in CALLS if name.startswith(("linear", "layer", "norm"))])
def test_a_parameter_used_twice_sums_its_gradients(name):
    """La seconda volta il suo posto è pieno: scrivervi perderebbe il gradiente della prima."""
    call, shapes = CALLS[name]
    arrays = [numbers(shape, i) for i, shape in enumerate(shapes)]
    first, second = numbers(shapes[0], 20), numbers(shapes[0], 21)
    results = []
    for with_places in (True, False):
        parameters = leaves(arrays[1:], with_places)
        out = call(first, *parameters) - call(second, *parameters) * 3.0
        out.backward(numbers(out.shape, 9))
        results.append([p.grad for p in parameters])
    for ours, expected in zip(*results, strict=True):
        expect_close(ours, expected, 1e-12, name)


def test_layer_norm_takes_the_eps_it_is_given():
    x, gamma, beta = numbers((3, 5), 0) * 0.1, numbers(5, 1), numbers(5, 2)
    for eps in (1e-5, 0.5):
        expect_close(fused.layer_norm(x, gamma, beta, eps), plain.layer_norm(x, gamma, beta, eps), 1e-12)


@pytest.mark.parametrize(
    ("totals", "good"),
    [
        ([1.0], True),
        ([1e-24, 1e24], True),
        ([1.0, 1e-26], False),
        ([1e26, 1.0], False),
        ([1.0, 0.0], False),
        ([np.inf, 1.0], False),
        ([np.nan, 1.0], False),
        ([], False),
    ],
)
def test_which_sums_are_good(totals, good):
    """Basta una somma cattiva perché si rifaccia il conto togliendo il massimo."""
    assert sums_are_good(np.array(totals, np.float32)) is good


def test_exponentials_too_small_for_float32_keep_their_digits():
    """Punteggi intorno a −95: e⁻⁹⁵ in float32 ha due cifre; togliendo il massimo ne ha sette."""
    Q, K = np.array([[[1.0]]], np.float32), np.array([[[-95.0], [-95.3], [-96.1]]], np.float32)
    V = np.array([[[1.0], [-2.0], [5.0]]], np.float32)
    exact = plain.attention(*(a.astype(np.float64) for a in (Q, K, V)), None)
    expect_close(fused.attention(Q, K, V, None), exact, 1e-5)

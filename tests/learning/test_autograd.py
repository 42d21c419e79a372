"""Ogni funzione elementare: lo stesso valore di NumPy, e il gradiente delle differenze finite."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes

from course_lib.learning.array_functions import FUNCTIONS
from course_lib.learning.autograd import Tensor
from course_lib.learning.derivatives import UFUNCS
from course_lib.transformer import scaled_dot_product_attention, softmax
from tests.learning.support import expect_close, expect_gradients


def numbers(shape, low=-2.0, high=2.0, seed=4):
    return np.random.default_rng(seed).uniform(low, high, shape)


ONE = [
    "negative", "positive", "absolute", "square", "sqrt", "reciprocal",
    "exp", "expm1", "log", "log1p", "tanh", "sin", "cos",
]  # fmt: skip
TWO = ["add", "subtract", "multiply", "divide", "power", "maximum", "minimum", "logaddexp"]


def test_no_ufunc_is_left_out():
    assert {u.__name__ for u in UFUNCS} == {*ONE, *TWO, "matmul"}


@pytest.mark.parametrize("name", ONE)
def test_function_of_one_array(name):
    positive = name in ("sqrt", "log", "reciprocal", "log1p")
    expect_gradients(getattr(np, name), numbers((2, 3), 0.5 if positive else -2.0))


@pytest.mark.parametrize("name", TWO)
@pytest.mark.parametrize("shapes", [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1), (4, 1, 3)), ((), (2,))])
def test_function_of_two_arrays(name, shapes):
    a, b = (numbers(shape, 0.5, seed=i) for i, shape in enumerate(shapes))
    expect_gradients(getattr(np, name), a, b)


@pytest.mark.parametrize(
    "shapes",
    [
        ((2, 3), (3, 4)),
        ((3,), (3, 4)),
        ((2, 3), (3,)),
        ((3,), (3,)),
        ((5, 2, 3), (3, 4)),
        ((2, 3), (5, 3, 4)),
        ((2, 1, 2, 3), (4, 3, 2)),
        ((3,), (5, 3, 4)),
        ((5, 2, 3), (3,)),
    ],
)
def test_matmul(shapes):
    expect_gradients(np.matmul, numbers(shapes[0]), numbers(shapes[1], seed=9))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=3), st.sampled_from(TWO[:4]))
def test_any_shapes_that_broadcast(shapes, name):
    a, b = (numbers(shape, 0.5, seed=i) for i, shape in enumerate(shapes.input_shapes))
    expect_gradients(getattr(np, name), a, b)


def test_a_tie_is_shared():
    a, b = Tensor([1.0, 2.0], requires_grad=True), Tensor([1.0, 3.0], requires_grad=True)
    np.maximum(a, b).sum().backward()
    assert a.grad.tolist() == [0.5, 0.0]
    assert b.grad.tolist() == [0.5, 1.0]
    row = Tensor([[2.0, 2.0, 1.0]], requires_grad=True)
    row.max(axis=-1).sum().backward()
    assert row.grad.tolist() == [[0.5, 0.5, 0.0]]


AXES = [(None, False), (0, False), (-1, True), ((0, 2), False), ((0, 2), True)]
REDUCTIONS = ["sum", "mean", "max", "min", "var", "std"]


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize(("axis", "keepdims"), AXES)
def test_reductions_as_function_and_as_method(name, axis, keepdims):
    x = numbers((2, 3, 4))
    expect_gradients(lambda a: getattr(np, name)(a, axis=axis, keepdims=keepdims), x)
    by_method = getattr(Tensor(x), name)(axis=axis, keepdims=keepdims)
    expect_close(by_method.data, getattr(x, name)(axis=axis, keepdims=keepdims), 1e-12)


@pytest.mark.parametrize("ufunc", [np.add, np.maximum, np.minimum])
def test_reduce_of_a_ufunc_takes_the_first_axis_by_default(ufunc):
    expect_gradients(ufunc.reduce, numbers((3, 2)))
    expect_gradients(lambda a: ufunc.reduce(a, axis=-1, keepdims=True), numbers((3, 2)))


def test_variance_with_another_divisor():
    expect_gradients(lambda a: np.var(a, axis=0, ddof=1), numbers((4, 2)))
    expect_gradients(lambda a: np.std(a, axis=0, ddof=1), numbers((4, 2)))


SHAPING = {
    "reshape": lambda a: np.reshape(a, (4, 6)),
    "reshape, metodo": lambda a: a.reshape(-1, 3),
    "ravel": np.ravel,
    "swapaxes": lambda a: np.swapaxes(a, 0, -1),
    "transpose": np.transpose,
    "transpose, assi": lambda a: np.transpose(a, (1, 2, 0)),
    "transpose, metodo": lambda a: a.transpose(2, 0, 1),
    "T": lambda a: a.T,
    "expand_dims": lambda a: np.expand_dims(a, 1),
    "squeeze": lambda a: np.squeeze(a[:, :1], 1),
    "broadcast_to": lambda a: np.broadcast_to(a[:, :1], (5, 2, 3, 4)),
    "where": lambda a: np.where(np.arange(4) > 1, a, 0.5),
    "where, altra parte": lambda a: np.where(np.eye(3, 4, dtype=bool), 1.0, a),
    "where, righe": lambda a: np.where(np.ones((5, 1, 3, 1), bool), a[0, 0], a[:, :1]),
    "clip": lambda a: np.clip(a, -1.0, 0.5),
    "tril": np.tril,
    "triu": lambda a: np.triu(a, 1),
    "moveaxis": lambda a: np.moveaxis(a, 0, -1),
    "rollaxis": lambda a: np.rollaxis(a, 2),
    "flip": lambda a: np.flip(a, 1),
    "fliplr": np.fliplr,
    "flipud": np.flipud,
    "roll": lambda a: np.roll(a, 1, axis=2),
    "repeat": lambda a: np.repeat(a, 2, axis=1),
    "tile": lambda a: np.tile(a, (2, 1)),
    "take": lambda a: np.take(a, [0, 2, 2], axis=1),
    "take_along_axis": lambda a: np.take_along_axis(a, np.array([[[1, 1, 0, 3]]] * 2), axis=-1),
    "diagonal": lambda a: np.diagonal(a, axis1=1, axis2=2),
    "atleast_1d": lambda a: np.atleast_1d(a[0, 0, 0]),
    "atleast_2d": lambda a: np.atleast_2d(a[0, 0]),
    "copy": np.copy,
    "concatenate": lambda a: np.concatenate([a, a[:1], np.ones((1, 3, 4))], axis=0),
    "concatenate, ultimo asse": lambda a: np.concatenate([a[..., :1], a], axis=-1),
    "concatenate, tutto": lambda a: np.concatenate([a, a[0]], axis=None),
    "stack": lambda a: np.stack([a[0], a[1]], axis=-1),
    "vstack": lambda a: np.vstack([a[0], a[1, 0]]),
    "hstack": lambda a: np.hstack([a[0], a[1]]),
    "split": lambda a: np.split(a, 2, axis=-1)[1],
    "split, posti": lambda a: np.split(a, [1, 3], axis=2)[1],
    "fetta": lambda a: a[:, 1:, ::2],
    "intero e nuovo asse": lambda a: a[1, None, ..., -1],
    "lista di indici": lambda a: a[:, [0, 2, 0]],
    "maschera": lambda a: a[np.arange(24).reshape(2, 3, 4) % 5 == 0],
    "ciclo che legge": lambda a: sum(row * (i + 1) for i, row in enumerate(a)),
}


@pytest.mark.parametrize("name", SHAPING)
def test_functions_that_move_and_choose(name):
    expect_gradients(SHAPING[name], numbers((2, 3, 4)))


def test_no_function_is_left_out():
    tried = {name.partition(",")[0] for name in SHAPING} | set(REDUCTIONS) | {"einsum", "amax", "amin"}
    names = {f.__name__ for f in FUNCTIONS}
    assert names <= tried, names - tried


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("ij,jk->ik", ((2, 3), (3, 4))),
        ("bhid,bhjd->bhij", ((2, 2, 3, 2), (2, 2, 4, 2))),
        ("...ij,...kj->...ik", ((2, 3, 4), (2, 5, 4))),
        ("...ij,jk->...ik", ((2, 3, 4), (4, 2))),
        ("ij,bjk->bik", ((2, 3), (4, 3, 2))),
        ("...i,...i->...", ((1, 3), (4, 3))),
        ("i,j->ij", ((2,), (3,))),
        ("ij,k->i", ((2, 3), (4,))),
    ],
)
def test_einsum_of_two(subscripts, shapes):
    expect_gradients(
        lambda a, b: np.einsum(subscripts, a, b), numbers(shapes[0]), numbers(shapes[1], seed=9)
    )


@pytest.mark.parametrize("subscripts", ["ijk->kji", "ijk->ik", "...k->...", "i...->...i", "i...k->...k"])
def test_einsum_of_one(subscripts):
    expect_gradients(lambda a: np.einsum(subscripts, a), numbers((2, 3, 4)))


def test_dot_and_outer():
    expect_gradients(np.dot, numbers((2, 3)), numbers((3, 4)))
    expect_gradients(np.outer, numbers(3), numbers(2))
    with pytest.raises(TypeError, match="Scrivi @"):
        np.dot(Tensor(np.ones((2, 2, 2))), Tensor(np.ones((2, 2, 2))))


def test_operators_with_numbers_and_arrays_on_both_sides():
    array = numbers((2, 3), 0.5, seed=3)
    x = numbers((2, 3), 0.5)
    expect_gradients(lambda a: 2 - a / 3 + 1 / a - (-a) ** 2 + array * a - a @ array.T @ array, x)
    expect_gradients(lambda a: array - a + array / a + array @ np.swapaxes(a, 0, 1) @ array, x)
    expect_gradients(lambda a: a**3 + 2.0**a, x)


def test_plain_attention_differentiates_as_it_stands():
    mask = np.array([[True, False, True, True], [False] * 4, [True, True, False, False]])
    Q, K, V = numbers((2, 3, 5)), numbers((4, 5), seed=5), numbers((2, 4, 2), seed=6)
    expect_gradients(lambda *qkv: scaled_dot_product_attention(*qkv, mask=mask).output, Q, K, V)
    expect_gradients(softmax, numbers((2, 3)))


def block_form(Q, K, V, mask):
    """Come la scrive un allievo, senza importare nulla del corso."""
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ V


def test_an_attention_written_by_a_pupil_differentiates_as_it_stands():
    Q, K, V = (numbers((2, 3, 4), seed=i) for i in range(3))
    expect_gradients(lambda *qkv: block_form(*qkv, np.tri(3, dtype=bool)), Q, K, V)

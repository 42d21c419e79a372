"""La stessa funzione, senza una riga in più, si deriva: basta un oggetto che risponda ai protocolli di NumPy.

`Tape` è il più piccolo nastro che serva alla prova: rifiuta di diventare un array e di essere scritto,
e dà array semplici dai confronti. Il gradiente si confronta con le differenze finite.
"""

import numpy as np
import pytest

from course_lib.transformer import scaled_dot_product_attention, softmax
from tests.transformer.support import expect_same


def unbroadcast(grad, shape):
    while grad.ndim > len(shape):
        grad = grad.sum(axis=0)
    for axis, n in enumerate(shape):
        if n == 1 and grad.shape[axis] != 1:
            grad = grad.sum(axis=axis, keepdims=True)
    return grad


def swap(a):
    return np.swapaxes(a, -1, -2)


class Tape:
    """data e la lista (genitore, funzione dal gradiente d'uscita a quello d'ingresso)."""

    def __init__(self, data, parents=()):
        self.data, self.parents, self.grad = np.asarray(data), parents, 0.0

    shape = property(lambda self: self.data.shape)
    ndim = property(lambda self: self.data.ndim)
    dtype = property(lambda self: self.data.dtype)

    def __array__(self, *args, **kwargs):
        raise TypeError("un Tape non si converte in array")

    __float__ = __bool__ = __len__ = __iter__ = __array__
    __setitem__ = __iadd__ = __isub__ = __imul__ = __itruediv__ = __array__

    def astype(self, dtype):
        return Tape(self.data.astype(dtype), [(self, lambda g: g)])

    def __gt__(self, other):
        return self.data > other

    def __lt__(self, other):
        return self.data < other

    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, Tape) else other)

    def __ne__(self, other):
        return self.data != (other.data if isinstance(other, Tape) else other)

    __hash__ = None

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        assert method == "__call__"
        assert not kwargs, "niente out=: una scrittura sul posto"
        return getattr(self, "_" + ufunc.__name__)(*(i if isinstance(i, Tape) else Tape(i) for i in inputs))

    def __array_function__(self, function, types, args, kwargs):
        return getattr(self, "_" + function.__name__)(*args, **kwargs)

    def __matmul__(self, other):
        return np.matmul(self, other)

    def __rmatmul__(self, other):
        return np.matmul(other, self)

    def __truediv__(self, other):
        return np.divide(self, other)

    def __sub__(self, other):
        return np.subtract(self, other)

    def __mul__(self, other):
        return np.multiply(self, other)

    @staticmethod
    def _matmul(a, b):
        return Tape(
            a.data @ b.data,
            [
                (a, lambda g: unbroadcast(g @ swap(b.data), a.shape)),
                (b, lambda g: unbroadcast(swap(a.data) @ g, b.shape)),
            ],
        )

    @staticmethod
    def _divide(a, b):
        return Tape(
            a.data / b.data,
            [
                (a, lambda g: unbroadcast(g / b.data, a.shape)),
                (b, lambda g: unbroadcast(-g * a.data / b.data**2, b.shape)),
            ],
        )

    @staticmethod
    def _multiply(a, b):
        return Tape(
            a.data * b.data,
            [
                (a, lambda g: unbroadcast(g * b.data, a.shape)),
                (b, lambda g: unbroadcast(g * a.data, b.shape)),
            ],
        )

    @staticmethod
    def _subtract(a, b):
        return Tape(
            a.data - b.data, [(a, lambda g: unbroadcast(g, a.shape)), (b, lambda g: unbroadcast(-g, b.shape))]
        )

    @staticmethod
    def _exp(a):
        out = np.exp(a.data)
        return Tape(out, [(a, lambda g: g * out)])

    @staticmethod
    def _swapaxes(a, i, j):
        return Tape(np.swapaxes(a.data, i, j), [(a, lambda g: np.swapaxes(g, i, j))])

    @staticmethod
    def _where(condition, a, b):
        a, b = (v if isinstance(v, Tape) else Tape(v) for v in (a, b))
        return Tape(
            np.where(condition, a.data, b.data),
            [
                (a, lambda g: unbroadcast(np.where(condition, g, 0), a.shape)),
                (b, lambda g: unbroadcast(np.where(condition, 0, g), b.shape)),
            ],
        )

    @staticmethod
    def _max(a, axis, keepdims):
        out = a.data.max(axis=axis, keepdims=keepdims)
        hit = a.data == out
        return Tape(out, [(a, lambda g: g * hit / hit.sum(axis=axis, keepdims=True))])

    @staticmethod
    def _sum(a, axis, keepdims):
        return Tape(a.data.sum(axis=axis, keepdims=keepdims), [(a, lambda g: np.broadcast_to(g, a.shape))])

    def backward(self, grad):
        order, seen = [], set()

        def visit(node):
            if id(node) not in seen:
                seen.add(id(node))
                for parent, _ in node.parents:
                    visit(parent)
                order.append(node)

        visit(self)
        self.grad = grad
        for node in reversed(order):
            for parent, back in node.parents:
                parent.grad = parent.grad + back(node.grad)


def finite_differences(function, arrays, which, upstream, step=1e-6):
    grad = np.zeros(arrays[which].shape)
    for index in np.ndindex(grad.shape):
        values = []
        for sign in (1, -1):
            moved = [a.copy() for a in arrays]
            moved[which][index] += sign * step
            values.append((function(*moved) * upstream).sum())
        grad[index] = (values[0] - values[1]) / (2 * step)
    return grad


MASKS = {
    "senza maschera": None,
    "con maschera": np.array(
        [[True, False, True, True], [True, True, False, True], [False, True, True, True]]
    ),
    "con una riga vuota": np.array([[True] * 4, [False] * 4, [True, False, False, False]]),
}


@pytest.mark.parametrize("name", MASKS)
@pytest.mark.parametrize("which", [0, 1, 2])
def test_attention_differentiates_as_it_stands(name, which):
    rng = np.random.default_rng(7)
    arrays = [rng.normal(size=(2, 3, 5)), rng.normal(size=(4, 5)), rng.normal(size=(2, 4, 2))]
    upstream = rng.normal(size=(2, 3, 2))
    mask = MASKS[name]

    def forward(*inputs):
        return scaled_dot_product_attention(*inputs, mask=mask).output

    tapes = [Tape(a) for a in arrays]
    out = forward(*tapes)
    assert type(out) is Tape
    expect_same(out.data, forward(*arrays), 0.0)
    out.backward(upstream)
    expect_same(tapes[which].grad, finite_differences(forward, arrays, which, upstream), 1e-8)


def test_softmax_differentiates_as_it_stands():
    scores, upstream = (
        np.array([[1.0, -2.0, 0.5], [3.0, 3.0, 0.0]]),
        np.array([[1.0, 0.0, 2.0], [0.0, -1.0, 1.0]]),
    )
    tape = Tape(scores)
    softmax(tape).backward(upstream)
    expect_same(tape.grad, finite_differences(softmax, [scores], 0, upstream), 1e-8)


def test_only_one_argument_may_be_a_tape():
    rng = np.random.default_rng(3)
    Q, K, V = rng.normal(size=(3, 5)), rng.normal(size=(4, 5)), rng.normal(size=(4, 2))
    out = scaled_dot_product_attention(Q, K, Tape(V)).output
    expect_same(out.data, scaled_dot_product_attention(Q, K, V).output, 0.0)


def test_half_precision_tape_keeps_its_type():
    tape = Tape(np.ones((2, 2), np.float16))
    result = scaled_dot_product_attention(tape, tape, tape)
    assert result.output.dtype == np.float16
    assert result.weights.dtype == np.float16


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_tape_is_checked_like_an_array(bad):
    with pytest.raises(ValueError, match=r"scores\[1\]"):
        softmax(Tape(np.array([0.0, bad])))
    with pytest.raises(ValueError, match=r"K\[0, 1\]"):
        scaled_dot_product_attention(np.ones((1, 2)), Tape(np.array([[0.0, bad]])), np.ones((1, 2)))


def test_an_object_with_one_protocol_only_is_converted():
    """Le serie di pandas rispondono a `__array_ufunc__` ma si convertono: si trattano come liste."""

    class Series:
        def __array_ufunc__(self, *args, **kwargs):
            raise AssertionError("non doveva passare di qui")

        def __array__(self, dtype=None, copy=None):
            return np.array([0.0, 0.0])

    expect_same(softmax(Series()), [0.5, 0.5], 0.0)

"""Il più piccolo nastro che serva alle prove: un oggetto che risponde ai protocolli di NumPy e deriva.

`Tape` rifiuta di diventare un array e di essere scritto, e dà array semplici dai confronti.
I gradienti si confrontano con le differenze finite.
"""

import numpy as np


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

    def __rmul__(self, other):
        return np.multiply(other, self)

    def __add__(self, other):
        return np.add(self, other)

    def __radd__(self, other):
        return np.add(other, self)

    def __getitem__(self, index):
        def back(g):
            grad = np.zeros(self.shape)
            np.add.at(grad, index, g)
            return grad

        return Tape(self.data[index], [(self, back)])

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
    def _add(a, b):
        return Tape(
            a.data + b.data, [(a, lambda g: unbroadcast(g, a.shape)), (b, lambda g: unbroadcast(g, b.shape))]
        )

    @staticmethod
    def _maximum(a, b):
        return Tape(
            np.maximum(a.data, b.data),
            [
                (a, lambda g: unbroadcast(g * (a.data > b.data), a.shape)),
                (b, lambda g: unbroadcast(g * (b.data >= a.data), b.shape)),
            ],
        )

    @staticmethod
    def _tanh(a):
        out = np.tanh(a.data)
        return Tape(out, [(a, lambda g: g * (1 - out * out))])

    @staticmethod
    def _sqrt(a):
        out = np.sqrt(a.data)
        return Tape(out, [(a, lambda g: g / (2 * out))])

    @staticmethod
    def _exp(a):
        out = np.exp(a.data)
        return Tape(out, [(a, lambda g: g * out)])

    @staticmethod
    def _swapaxes(a, i, j):
        return Tape(np.swapaxes(a.data, i, j), [(a, lambda g: np.swapaxes(g, i, j))])

    @staticmethod
    def _reshape(a, shape):
        return Tape(np.reshape(a.data, shape), [(a, lambda g: np.reshape(g, a.shape))])

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

    @staticmethod
    def _mean(a, axis, keepdims):
        n = a.shape[axis]
        return Tape(
            a.data.mean(axis=axis, keepdims=keepdims), [(a, lambda g: np.broadcast_to(g / n, a.shape))]
        )

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

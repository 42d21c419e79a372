"""Che cosa un Tensor rifiuta, e con che parole; come si sommano e si cancellano i gradienti."""

import math

import numpy as np
import pytest

from course_lib.learning.autograd import Tensor, record


def tensor(shape=(2, 3), dtype=np.float64):
    return Tensor(np.arange(1, math.prod(shape) + 1, dtype=dtype).reshape(shape), requires_grad=True)


def fill(t):
    out = np.zeros(t.shape)
    for i in range(len(t)):
        out[i] = np.exp(t[i])


def add_in_place(t):
    t += 1


def add_into_array(t):
    array = np.zeros(t.shape)
    array += t


def write_cell(t):
    t[0] = 0.0


REFUSED = {
    "np.asarray": (np.asarray, "np.stack"),
    "np.array di una lista": (lambda t: np.array([t, t]), "np.stack"),
    "float": (lambda t: float(t.sum()), r"\.item\(\)"),
    "int": (lambda t: int(t.sum()), r"\.item\(\)"),
    "math.exp": (lambda t: math.exp(t.sum()), r"np\.exp"),
    "bool": (bool, r"np\.where"),
    "if": (lambda t: 1 if t.sum() else 0, r"np\.where"),
    "t[0] =": (write_cell, "non si scrive"),
    "t +=": (add_in_place, r"a = a \+ b"),
    "array += t": (add_into_array, r"a = a \+ b"),
    "out=": (lambda t: np.exp(t, out=np.zeros((2, 3))), "non si scrive"),
    "out= di una funzione": (lambda t: np.sum(t, out=np.zeros(())), "non si scrive"),
    "np.add.at": (lambda t: np.add.at(np.zeros(3), [0], t), "non si scrive"),
    "ciclo che riempie": (fill, "in blocco"),
    "where=": (lambda t: np.exp(t, where=np.ones((2, 3), bool)), "where"),
    "funzione sconosciuta": (np.linalg.norm, "norm: di questa funzione"),
    "funzione elementare sconosciuta": (np.arctan, "arctan: di questa funzione"),
    "accumulate": (np.add.accumulate, "add.accumulate"),
    "argomento sconosciuto": (lambda t: np.mean(t, where=np.ones((2, 3), bool)), "argomento 'where'"),
    "indice Tensor": (lambda t: t[t], "indice"),
    "condizione Tensor": (lambda t: np.where(t, 1.0, 0.0), "condizione"),
    "astype intero": (lambda t: t.astype(int), "virgola mobile"),
    "Tensor di un Tensor": (Tensor, "già un Tensor"),
    "einsum con lettere ripetute": (lambda t: np.einsum("ii->i", t), "Scrivi il conto con @"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_differentiated_is_refused_with_a_reason(name):
    function, words = REFUSED[name]
    with pytest.raises(TypeError, match=words):
        function(tensor())


def test_filling_single_cells_says_why_too():
    """Di un numero scritto in una cella NumPy dà un errore suo: la nostra spiegazione ne è la causa."""
    with pytest.raises(ValueError, match="array element") as caught:
        np.zeros(3)[0] = tensor().sum()
    assert isinstance(caught.value.__cause__, TypeError)
    assert "gradiente" in str(caught.value.__cause__)


def test_text_is_no_data():
    with pytest.raises(TypeError, match="numeri reali"):
        Tensor(["a"])


def test_comparisons_give_plain_arrays():
    t = tensor()
    for result in (t > 2, t >= t, t == 3, t != 3, np.isfinite(t), t < np.ones(3), np.sign(t)):
        assert type(result) is np.ndarray
    assert (t > 2).tolist() == [[False, False, True], [True, True, True]]
    for function in (np.argmax, np.shape, np.zeros_like, np.allclose):
        plain = function(t, t) if function is np.allclose else function(t)
        assert type(plain) is not Tensor


def test_sum_of_python_starts_from_zero():
    t = tensor()
    sum([t, t, t]).sum().backward()
    assert t.grad.tolist() == [[3.0] * 3] * 2


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_type_is_kept_forward_and_back(dtype):
    t = tensor(dtype=dtype)
    out = (np.exp(t * 0.1) / 2 + t @ t.T.astype(dtype)[:, :1] - np.max(t, axis=-1, keepdims=True)).mean()
    assert out.dtype == dtype
    out.backward()
    assert t.grad.dtype == dtype
    assert Tensor([1, 2]).dtype == np.float64


def test_gradient_returns_in_the_type_of_each_argument():
    t = tensor(dtype=np.float32)
    (t / np.sqrt(np.float64(2)) + t.astype(np.float64)).sum().backward()
    assert t.grad.dtype == np.float32
    assert t.grad[0, 0] == pytest.approx(1 + 1 / math.sqrt(2), abs=1e-6)


def test_an_operation_receives_a_gradient_of_its_own_type():
    """In mezzo c'è un float64; chi scrive un'operazione nuova in float32 riceve lo stesso un float32."""
    seen, x = [], tensor(dtype=np.float32)

    def back(g):
        seen.append(g.dtype)
        return (g * 2,)

    (record(x.data * 2, (x,), back) * np.ones(3)).sum().backward()
    assert seen == [np.float32]


def test_gradients_add_up_over_calls_and_over_uses():
    t = tensor()
    (t * t + t).sum().backward()
    once = t.grad.copy()
    assert once.tolist() == [[3.0, 5.0, 7.0], [9.0, 11.0, 13.0]]
    (t * t + t).sum().backward()
    assert t.grad.tolist() == (2 * once).tolist()


def test_gradients_of_two_leaves_are_not_the_same_array():
    a, b = tensor(), tensor()
    (a + b).sum().backward()
    a.grad += 1
    assert b.grad.tolist() == [[1.0] * 3] * 2


def test_a_diamond_is_walked_once_per_node():
    t = Tensor(2.0, requires_grad=True)
    value = t
    for _ in range(40):                               # 2⁴⁰ cammini: si percorre ogni nodo una volta sola
        value = value + value
    value.backward()
    assert t.grad == 2.0**40


def test_a_long_chain_needs_no_recursion():
    t = Tensor(1.0, requires_grad=True)
    value = t
    for _ in range(5000):
        value = value + 1.0
    value.backward()
    assert t.grad == 1.0


def test_backward_says_what_is_missing():
    with pytest.raises(ValueError, match="requires_grad=True"):
        Tensor([1.0]).backward()
    with pytest.raises(ValueError, match=r"\.sum\(\)"):
        (tensor() * 2).backward()
    with pytest.raises(ValueError, match=r"\(2, 3\)"):
        (tensor() * 2).backward(np.ones(3))
    out = tensor().sum()
    out.backward()
    with pytest.raises(ValueError, match="già stati risaliti"):
        out.backward()
    t = tensor()
    middle = t * 2
    first, second = middle.sum(), middle.mean()
    first.backward()
    with pytest.raises(ValueError, match="già stat"):
        second.backward()


def test_constants_leave_no_trace():
    constant = Tensor([1.0, 2.0])
    out = constant * 2 + 1
    assert not out.requires_grad
    t = tensor((2,))
    (constant * t).sum().backward()
    assert constant.grad is None
    assert t.grad.tolist() == [1.0, 2.0]


def test_data_is_shared_not_copied():
    array = np.ones(3)
    assert Tensor(array).data is array


def test_a_new_operation_is_written_with_record():
    t = tensor((2,))
    cube = record(t.data**3, (t,), lambda g: (3 * g * t.data**2,))
    (cube * 2).sum().backward()
    assert t.grad.tolist() == [6.0, 24.0]


def test_it_reads_like_an_array():
    t = tensor()
    assert (len(t), t.ndim, t.size, t.shape) == (2, 2, 6, (2, 3))
    assert [row.data.tolist() for row in t] == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert t[1, 2].item() == 6.0
    assert repr(Tensor([1.0])) == "Tensor(array([1.]))"


def test_mt_swaps_the_last_two_axes_alone():
    t = tensor((2, 3, 4))
    assert np.array_equal(t.mT.data, np.swapaxes(t.data, -1, -2))
    weights = np.arange(24.0).reshape(2, 4, 3)
    (t.mT * weights).sum().backward()
    assert np.array_equal(t.grad, np.swapaxes(weights, -1, -2))


@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("name", ["var", "std"])
def test_methods_take_ddof_too(name, ddof):
    t, u = tensor((4, 2)), tensor((4, 2))
    getattr(t, name)(axis=0, ddof=ddof).sum().backward()
    getattr(np, name)(u, axis=0, ddof=ddof).sum().backward()
    assert np.array_equal(getattr(t, name)(axis=0, ddof=ddof).data, getattr(t.data, name)(axis=0, ddof=ddof))
    assert np.array_equal(t.grad, u.grad)

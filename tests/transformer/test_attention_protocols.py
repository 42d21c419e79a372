"""La stessa funzione, senza una riga in più, si deriva: basta che gli oggetti parlino come NumPy."""

import numpy as np
import pytest

from course_lib.transformer import scaled_dot_product_attention, softmax
from tests.transformer.support import expect_same
from tests.transformer.tape import Tape, finite_differences

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

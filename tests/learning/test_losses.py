"""L'entropia incrociata: a mano, con cicli, contro la forma semplice e contro PyTorch."""

import math

import numpy as np
import pytest

from course_lib.learning.autograd import Tensor
from course_lib.learning.losses import cross_entropy
from course_lib.transformer import softmax
from tests.learning.support import expect_close, expect_gradients


def loop(logits, targets, counted=None):
    surprises = []
    for index in np.ndindex(targets.shape):
        row = [float(v) for v in logits[index]]
        highest = max(row)
        total = math.fsum(math.exp(v - highest) for v in row)
        if counted is None or counted[index]:
            surprises.append(highest + math.log(total) - row[targets[index]])
    return math.fsum(surprises) / len(surprises)


def test_by_hand():
    assert cross_entropy([[0.0, 0.0, 0.0, 0.0]], [2]) == pytest.approx(math.log(4), abs=1e-12)
    assert cross_entropy([math.log(3), 0.0], 0) == pytest.approx(math.log(4 / 3), abs=1e-12)


def test_gradient_by_hand_is_p_minus_y():
    logits = Tensor([[math.log(3), 0.0]], requires_grad=True)
    cross_entropy(logits, [0]).backward()
    expect_close(logits.grad, [[0.75 - 1, 0.25]], 1e-12)


@pytest.mark.parametrize("scale", [1.0, 500.0])
@pytest.mark.parametrize("lead", [(), (3,), (2, 3)])
def test_against_loops(lead, scale, rng):
    logits, targets = rng.normal(size=(*lead, 5)) * scale, rng.integers(0, 5, lead)
    assert cross_entropy(logits, targets) == pytest.approx(loop(logits, targets), rel=1e-12)
    expect_gradients(lambda x: cross_entropy(x, targets), logits, tolerance=1e-6 if scale == 1 else 1e-4)


def test_rows_hundreds_apart(rng):
    logits = np.array([[900.0, 899.0], [-900.0, -901.0]])
    assert cross_entropy(logits, [0, 1]) == pytest.approx(loop(logits, np.array([0, 1])), abs=1e-12)


def test_only_counted_positions_matter(rng):
    logits, targets = rng.normal(size=(2, 3, 4)), rng.integers(0, 4, (2, 3))
    counted = np.array([[True, False, True], [False, True, False]])
    assert cross_entropy(logits, targets, counted) == pytest.approx(loop(logits, targets, counted), abs=1e-12)
    x = Tensor(logits, requires_grad=True)
    cross_entropy(x, targets, counted).backward()
    assert not x.grad[~counted].any()
    assert x.grad[counted].all()
    expect_gradients(lambda a: cross_entropy(a, targets, counted), logits)


def test_same_as_the_plain_composition(rng):
    logits, targets = rng.normal(size=(4, 6)), rng.integers(0, 6, 4)
    one_hot = np.eye(6)[targets]
    fast, slow = (Tensor(logits, requires_grad=True) for _ in range(2))
    cross_entropy(fast, targets).backward()
    (-np.sum(np.log(softmax(slow)) * one_hot, axis=-1).mean()).backward()
    expect_close(fast.grad, slow.grad, 1e-12)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_equal_to_pytorch(torch, dtype, rng):
    logits, targets = rng.normal(size=(7, 9)).astype(dtype) * 5, rng.integers(0, 9, 7)
    ours = Tensor(logits, requires_grad=True)
    theirs = torch.tensor(logits, requires_grad=True)
    loss = cross_entropy(ours, targets)
    expected = torch.nn.functional.cross_entropy(theirs, torch.tensor(targets))
    loss.backward()
    expected.backward()
    tolerance = 1e-12 if dtype == "float64" else 1e-5
    assert loss.item() == pytest.approx(expected.item(), rel=tolerance)
    expect_close(ours.grad, theirs.grad.numpy(), tolerance)


@pytest.mark.parametrize(
    ("logits", "targets", "counted", "words"),
    [
        (np.zeros((2, 3)), [0, 3], None, r"targets\[1\] vale 3"),
        (np.zeros((2, 3)), [0, -1], None, r"targets\[1\] vale -1"),
        (np.zeros((2, 3)), [0, 1, 2], None, r"targets: mi aspettavo la forma \(2,\)"),
        (np.zeros((2, 3)), [0.0, 1.0], None, "targets: mi aspettavo numeri interi"),
        (np.zeros((2, 3)), [0, 1], [1, 0], "counted: mi aspettavo valori booleani"),
        (np.zeros((2, 3)), [0, 1], [False, False], "almeno una posizione"),
        (np.zeros((0, 3)), np.zeros(0, int), None, "almeno una posizione"),
        (1.0, 0, None, "logits: mi aspettavo la forma"),
    ],
)
def test_errors_name_the_argument(logits, targets, counted, words):
    with pytest.raises(ValueError, match=words):
        cross_entropy(logits, targets, counted)

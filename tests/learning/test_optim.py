"""Gli ottimizzatori, passo per passo: a mano, e uguali a quelli di PyTorch."""

import numpy as np
import pytest

from course_lib.learning import optim
from course_lib.learning.optim import SGD, AdamW
from tests.learning.support import expect_close


def run(optimizer, theta, gradients):
    """I parametri dopo ogni passo."""
    theta, path = theta.copy(), []
    for gradient in gradients:
        before = gradient.copy()
        optimizer.step(theta, gradient)
        assert np.array_equal(gradient, before), "il gradiente è stato modificato"
        path.append(theta.copy())
    return path


def torch_run(torch, make, theta, gradients):
    parameter = torch.tensor(theta, requires_grad=True)
    optimizer, path = make([parameter]), []
    for gradient in gradients:
        parameter.grad = torch.tensor(gradient)
        optimizer.step()
        path.append(parameter.detach().numpy().copy())
    return path


def data(dtype=np.float64, n=50, steps=12):
    rng = np.random.default_rng(6)
    return rng.normal(size=n).astype(dtype), rng.normal(size=(steps, n)).astype(dtype)


def test_sgd_by_hand():
    (theta,) = run(SGD(0.5), np.array([1.0, 2.0]), [np.array([2.0, -2.0])])
    assert theta.tolist() == [0.0, 3.0]
    path = run(SGD(0.5, momentum=0.5), np.array([1.0]), [np.array([2.0]), np.array([2.0])])
    assert [p[0] for p in path] == [0.0, -1.5]       # v = 2, poi 0,5·2 + 2 = 3


def test_adamw_first_step_is_the_sign_of_the_gradient():
    """Al primo passo m̂ = g e v̂ = g²: si scende di η, quale che sia g; prima θ si accorcia di ηλ."""
    optimizer = AdamW(0.1, weight_decay=0.5)
    (theta,) = run(optimizer, np.array([1.0, 2.0]), [np.array([1e-3, -50.0])])
    expect_close(theta, [0.95 - 0.1, 1.9 + 0.1], 1e-5)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"learning_rate": 0.05, "betas": (0.8, 0.95), "eps": 1e-3, "weight_decay": 0.2},
        {"weight_decay": 0.0},
    ],
)
def test_adamw_equals_pytorch_step_by_step(torch, dtype, settings):
    theta, gradients = data(dtype)
    theirs = dict(settings)
    theirs["lr"] = theirs.pop("learning_rate", 1e-3)
    theirs.setdefault("weight_decay", 0.01)
    expected = torch_run(torch, lambda p: torch.optim.AdamW(p, **theirs), theta, gradients)
    for ours, other in zip(run(AdamW(**settings), theta, gradients), expected, strict=True):
        assert ours.dtype == dtype
        expect_close(ours, other, 1e-12 if dtype is np.float64 else 2e-6)


@pytest.mark.parametrize("momentum", [0.0, 0.9])
def test_sgd_equals_pytorch_step_by_step(torch, momentum):
    theta, gradients = data()
    expected = torch_run(torch, lambda p: torch.optim.SGD(p, lr=0.1, momentum=momentum), theta, gradients)
    for ours, other in zip(run(SGD(0.1, momentum), theta, gradients), expected, strict=True):
        expect_close(ours, other, 1e-12)


def test_adamw_in_blocks_is_the_same(monkeypatch):
    theta, gradients = data()
    whole = run(AdamW(), theta, gradients)
    monkeypatch.setattr(optim, "_BLOCK", 7)
    assert np.array_equal(run(AdamW(), theta, gradients)[-1], whole[-1])


@pytest.mark.parametrize("make", [lambda: AdamW(0.1), lambda: SGD(0.1, 0.9), lambda: SGD(0.1)])
def test_it_goes_on_from_a_saved_state(make):
    theta, gradients = data()
    whole = run(make(), theta, gradients)
    first = make()
    middle = run(first, theta, gradients[:5])[-1]
    second = make()
    second.load({name: array.copy() for name, array in first.state().items()})
    assert np.array_equal(run(second, middle, gradients[5:])[-1], whole[-1])


@pytest.mark.parametrize("make", [lambda: AdamW(0.1), lambda: SGD(0.1, 0.9)])
def test_who_goes_on_from_a_state_leaves_it_alone(make):
    theta, gradients = data()
    first, second = make(), make()
    middle = run(first, theta, gradients[:5])[-1]
    second.load(first.state())
    run(second, middle, gradients[5:])
    assert np.array_equal(run(first, middle, gradients[5:])[-1], run(make(), theta, gradients)[-1])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: SGD(0.0), "learning_rate"),
        (lambda: SGD(float("nan")), "learning_rate"),
        (lambda: SGD(0.1, momentum=1.0), "momentum"),
        (lambda: AdamW(-1.0), "learning_rate"),
        (lambda: AdamW(betas=(0.9, 1.0)), "betas"),
        (lambda: AdamW(eps=0.0), "eps"),
        (lambda: AdamW(weight_decay=-0.1), "weight_decay"),
        (lambda: AdamW("0.1"), "learning_rate"),
    ],
)
def test_settings_out_of_range_are_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()

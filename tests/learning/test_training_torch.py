"""Un passo intero del decoder contro PyTorch: logit, loss, gradienti, parametri dopo AdamW."""

import numpy as np
import pytest

from course_lib.learning.optim import AdamW
from course_lib.learning.training import Trainer
from tests.learning.support import expect_close, small_decoder

TOLERANCE = {np.float64: 1e-10, np.float32: 2e-4}
LAYERS = {
    "layer_norm": [6, 6],
    "norm_linear": [6, 6, (6, 5), 5],
    "norm_feed_forward": [6, 6, (6, 9), 9, (9, 6), 6],
}


@pytest.fixture
def peer(torch):
    from benchmarks.peer import TorchDecoder

    return TorchDecoder


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("threads", [1, 2])
def test_three_full_steps_equal_pytorch(torch, peer, dtype, threads, rng):
    model = small_decoder(dtype)
    other = peer(model)
    optimizer = torch.optim.AdamW(list(other.parameters.values()), lr=1e-2, weight_decay=0.01)
    trainer = Trainer(model, AdamW(1e-2), threads)
    for _ in range(3):
        ids = rng.integers(0, 11, (4, 8))
        inputs, targets = ids[:, :-1], ids[:, 1:]
        t_inputs, t_targets = torch.tensor(inputs), torch.tensor(targets)
        expect_close(model(inputs), other(t_inputs).detach().numpy(), TOLERANCE[dtype], "logit")
        theirs = other.step(optimizer, t_inputs, t_targets)
        assert trainer.step(inputs, targets) == pytest.approx(theirs, rel=TOLERANCE[dtype])
        gradient = np.concatenate([p.grad.numpy().ravel() for p in other.parameters.values()])
        expect_close(trainer.gradient, gradient, TOLERANCE[dtype], "gradiente")
    trainer.close()
    for name, array in model.parameters().items():
        expect_close(array, other.parameters[name].detach().numpy(), TOLERANCE[dtype] * 10, name)


def expect_same(torch, rng, ours, theirs, tolerance):
    """Stessa uscita e stessi gradienti. ours, theirs: (ingressi, uscita), Tensor nostri e di PyTorch."""
    (inputs, out), (their_inputs, expected) = ours, theirs
    upstream = rng.normal(size=out.shape).astype(out.dtype)
    out.backward(upstream)
    expected.backward(torch.tensor(upstream))
    expect_close(out.data, expected.detach().numpy(), tolerance)
    for a, b in zip(inputs, their_inputs, strict=True):
        expect_close(a.grad, b.grad.numpy(), tolerance)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("masked", [False, True])
def test_fused_attention_equals_pytorch(torch, dtype, masked, rng):
    from course_lib.learning import fused
    from course_lib.learning.autograd import Tensor

    arrays = [rng.normal(size=(2, 3, n, 4)).astype(dtype) for n in (5, 6, 6)]
    mask = None
    if masked:
        mask = rng.random((5, 6)) < 0.6
        mask[:, 0] = True
    ours = [Tensor(a, requires_grad=True) for a in arrays]
    theirs = [torch.tensor(a, requires_grad=True) for a in arrays]
    out = fused.attention(*ours, mask)
    expected = torch.nn.functional.scaled_dot_product_attention(
        *theirs, attn_mask=None if mask is None else torch.tensor(mask)
    )
    expect_same(torch, rng, (ours, out), (theirs, expected), 1e-12 if dtype is np.float64 else 1e-5)


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("name", LAYERS)
def test_fused_layers_equal_pytorch(torch, dtype, name, rng):
    """LayerNorm, e ciò che la segue, con le funzioni di PyTorch."""
    from course_lib.learning import fused
    from course_lib.learning.autograd import Tensor

    arrays = [rng.normal(size=shape).astype(dtype) for shape in [(4, 3, 6), *LAYERS[name]]]
    ours = [Tensor(a, requires_grad=True) for a in arrays]
    theirs = [torch.tensor(a, requires_grad=True) for a in arrays]
    x, gamma, beta, *more = theirs
    expected = torch.nn.functional.layer_norm(x, (6,), gamma, beta)
    if name == "norm_linear":
        expected = expected @ more[0] + more[1]
    elif name == "norm_feed_forward":
        W_1, b_1, W_2, b_2 = more
        expected = torch.nn.functional.gelu(expected @ W_1 + b_1, approximate="tanh") @ W_2 + b_2
    out = getattr(fused, name)(*ours)
    expect_same(torch, rng, (ours, out), (theirs, expected), 1e-11 if dtype is np.float64 else 1e-5)

"""PyTorch come oracolo indipendente, in doppia e in singola precisione."""

import numpy as np
import pytest

from course_lib.transformer import scaled_dot_product_attention, softmax
from tests.conftest import require
from tests.transformer.support import expect_same

SHAPES = {
    "una testa": ((4, 8), (6, 8), (6, 5)),
    "lotti e teste": ((2, 3, 4, 8), (2, 3, 6, 8), (2, 3, 6, 5)),
    "assi che si adattano": ((2, 1, 4, 8), (1, 3, 6, 8), (1, 3, 6, 5)),
    "una query sola": ((2, 1, 8), (2, 6, 8), (2, 6, 8)),
}
TOLERANCE = {"float64": 1e-12, "float32": 2e-6}


@pytest.fixture(scope="module")
def torch():
    require("torch")
    import torch

    return torch


def arrays(shapes, dtype, seed=11):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape).astype(dtype) for shape in shapes]


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("scale", [None, 0.3])
def test_output_equals_pytorch(torch, name, dtype, masked, scale):
    Q, K, V = arrays(SHAPES[name], dtype)
    mask = None
    if masked:
        mask = np.random.default_rng(5).random((Q.shape[-2], K.shape[-2])) < 0.7
        mask[:, 0] = True  # per PyTorch una riga vuota è NaN: qui non ce ne sono
    theirs = torch.nn.functional.scaled_dot_product_attention(
        *map(torch.from_numpy, (Q, K, V)),
        attn_mask=None if mask is None else torch.from_numpy(mask),
        scale=scale,
    )
    ours = scaled_dot_product_attention(Q, K, V, mask, scale)
    expect_same(ours.output, theirs.numpy(), TOLERANCE[dtype], np.dtype(dtype))


@pytest.mark.parametrize("dtype", TOLERANCE)
@pytest.mark.parametrize("axis", [-1, 0, 1])
def test_softmax_equals_pytorch(torch, dtype, axis):
    (scores,) = arrays([(3, 4, 5)], dtype)
    theirs = torch.softmax(torch.from_numpy(scores * 50), dim=axis).numpy()
    expect_same(softmax(scores * 50, axis=axis), theirs, TOLERANCE[dtype], np.dtype(dtype))


def test_a_torch_tensor_is_accepted_like_any_array(torch):
    Q, K, V = arrays(SHAPES["una testa"], "float64")
    ours = scaled_dot_product_attention(*map(torch.from_numpy, (Q, K, V)))
    expect_same(ours.output, scaled_dot_product_attention(Q, K, V).output, 0.0)

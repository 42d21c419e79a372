"""PyTorch come oracolo indipendente: strati, multi-testa, blocchi interi, un modello intero."""

import math

import numpy as np
import pytest

from course_lib.transformer.blocks import DecoderBlock, EncoderBlock, feed_forward, gelu, layer_norm
from course_lib.transformer.families import DecoderOnly
from course_lib.transformer.heads import MultiHeadAttention
from course_lib.transformer.masks import padding_mask
from course_lib.transformer.positions import sinusoidal_encoding
from tests.conftest import require
from tests.transformer.support import expect_same

D, H, FF = 12, 3, 20
TOLERANCE = {"float64": 1e-12, "float32": 5e-6}
both_types = pytest.mark.parametrize("dtype", TOLERANCE)


@pytest.fixture(scope="module")
def torch():
    require("torch")
    import torch

    torch.backends.mha.set_fastpath_enabled(False)  # la via lenta accetta ogni maschera
    return torch


def drawn(dtype, *shapes, seed=11):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=shape).astype(dtype) for shape in shapes]


def parameters_of(kind, dtype, cross=False):
    layout = kind.layout(D, FF, cross=cross)
    return dict(zip(layout, drawn(dtype, *(s.shape for s in layout.values()), seed=4), strict=True))


def copy(torch, target, *values):
    """Scrive i nostri parametri in un modulo di PyTorch, che li tiene trasposti."""
    value = np.concatenate(values, axis=-1) if len(values) > 1 else values[0]
    with torch.no_grad():
        target.copy_(torch.from_numpy(np.ascontiguousarray(value.T)))


def fill(torch, layer, p, cross=False):
    """I parametri p di un nostro blocco nello strato di PyTorch, con i termini noti dell'attenzione a 0."""
    copy(torch, layer.self_attn.in_proj_weight, p["self.W_QKV"])
    copy(torch, layer.self_attn.out_proj.weight, p["self.W_O"])
    for name, ours in (("linear1", "1"), ("linear2", "2")):
        copy(torch, getattr(layer, name).weight, p[f"ffn.W_{ours}"])
        copy(torch, getattr(layer, name).bias, p[f"ffn.b_{ours}"])
    attentions, norms = [layer.self_attn], ["self", "ffn"]
    if cross:
        copy(torch, layer.multihead_attn.in_proj_weight, *(p[f"cross.W_{name}"] for name in "QKV"))
        copy(torch, layer.multihead_attn.out_proj.weight, p["cross.W_O"])
        attentions, norms = [*attentions, layer.multihead_attn], ["self", "cross", "ffn"]
    for attention in attentions:
        torch.nn.init.zeros_(attention.in_proj_bias)
        torch.nn.init.zeros_(attention.out_proj.bias)
    for i, name in enumerate(norms, 1):
        copy(torch, getattr(layer, f"norm{i}").weight, p[f"{name}.gamma"])
        copy(torch, getattr(layer, f"norm{i}").bias, p[f"{name}.beta"])


def layer_of(torch, dtype, p, cross=False):
    kind = torch.nn.TransformerDecoderLayer if cross else torch.nn.TransformerEncoderLayer
    layer = kind(
        D,
        H,
        FF,
        dropout=0.0,
        activation=lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
        batch_first=True,
        norm_first=True,
        dtype=getattr(torch, dtype),
    )
    fill(torch, layer, p, cross)
    return layer.eval()


def causal(torch, n):
    """Come la vuole nn.Transformer: True = vietato."""
    return torch.ones((n, n), dtype=torch.bool).triu(1)


@both_types
@pytest.mark.parametrize("eps", [1e-5, 0.3])
def test_layer_norm(torch, dtype, eps):
    x, gamma, beta = drawn(dtype, (2, 3, D), (D,), (D,))
    t = [torch.from_numpy(a) for a in (x, gamma, beta)]
    theirs = torch.nn.functional.layer_norm(t[0], (D,), t[1], t[2], eps)
    expect_same(layer_norm(x, gamma, beta, eps), theirs.numpy(), TOLERANCE[dtype], np.dtype(dtype))


@both_types
def test_gelu(torch, dtype):
    x = np.linspace(-8, 8, 101).astype(dtype)
    theirs = torch.nn.functional.gelu(torch.from_numpy(x), approximate="tanh")
    expect_same(gelu(x), theirs.numpy(), TOLERANCE[dtype], np.dtype(dtype))


@both_types
def test_feed_forward(torch, dtype):
    x, W_1, b_1, W_2, b_2 = drawn(dtype, (2, 3, D), (D, FF), (FF,), (FF, D), (D,))
    F = torch.nn.functional
    t = [torch.from_numpy(np.ascontiguousarray(a.T)) for a in (W_1, b_1, W_2, b_2)]
    theirs = F.linear(F.gelu(F.linear(torch.from_numpy(x), t[0], t[1]), approximate="tanh"), t[2], t[3])
    expect_same(feed_forward(x, W_1, b_1, W_2, b_2), theirs.numpy(), TOLERANCE[dtype] * 10, np.dtype(dtype))


@both_types
@pytest.mark.parametrize("masked", [False, True])
def test_multi_head_cross_attention(torch, dtype, masked):
    W_Q, W_K, W_V, W_O = drawn(dtype, (D, D), (5, D), (5, D), (D, D))
    x, context = drawn(dtype, (2, 4, D), (2, 6, 5), seed=2)
    theirs = torch.nn.MultiheadAttention(
        D, H, bias=False, kdim=5, vdim=5, batch_first=True, dtype=getattr(torch, dtype)
    )
    for name, W in (("q", W_Q), ("k", W_K), ("v", W_V)):
        copy(torch, getattr(theirs, f"{name}_proj_weight"), W)
    copy(torch, theirs.out_proj.weight, W_O)
    mask = None
    if masked:
        mask = np.random.default_rng(3).random((2, H, 4, 6)) < 0.6
        mask[..., 0] = True  # per PyTorch una riga vuota è NaN
    with torch.no_grad():
        output, weights = theirs(
            torch.from_numpy(x),
            *[torch.from_numpy(context)] * 2,
            attn_mask=None if mask is None else torch.from_numpy(~mask.reshape(2 * H, 4, 6)),
            average_attn_weights=False,
        )
    ours = MultiHeadAttention(W_Q, W_K, W_V, W_O, H)(x, context, mask)
    expect_same(ours.output, output.numpy(), TOLERANCE[dtype] * 20, np.dtype(dtype))
    expect_same(ours.weights, weights.numpy(), TOLERANCE[dtype], np.dtype(dtype))


@both_types
def test_encoder_block(torch, dtype):
    p = parameters_of(EncoderBlock, dtype)
    (x,) = drawn(dtype, (2, 5, D))
    mask = padding_mask([3, 5], 5)
    with torch.no_grad():
        theirs = layer_of(torch, dtype, p)(torch.from_numpy(x), src_key_padding_mask=torch.from_numpy(~mask))
    ours = EncoderBlock(p, H)(x, mask[:, None, None, :])
    expect_same(ours, theirs.numpy(), TOLERANCE[dtype] * 50, np.dtype(dtype))


@both_types
def test_decoder_block(torch, dtype):
    p = parameters_of(DecoderBlock, dtype)
    (x,) = drawn(dtype, (2, 5, D))
    with torch.no_grad():
        theirs = layer_of(torch, dtype, p)(torch.from_numpy(x), src_mask=causal(torch, 5))
    expect_same(DecoderBlock(p, H)(x), theirs.numpy(), TOLERANCE[dtype] * 50, np.dtype(dtype))


@both_types
def test_decoder_block_with_cross_attention(torch, dtype):
    p = parameters_of(DecoderBlock, dtype, cross=True)
    x, memory = drawn(dtype, (2, 5, D), (2, 4, D))
    allowed = padding_mask([2, 4], 4)
    with torch.no_grad():
        theirs = layer_of(torch, dtype, p, cross=True)(
            *map(torch.from_numpy, (x, memory)),
            tgt_mask=causal(torch, 5),
            memory_key_padding_mask=torch.from_numpy(~allowed),
        )
    ours = DecoderBlock(p, H)(x, memory, context_mask=allowed[:, None, None, :])
    expect_same(ours, theirs.numpy(), TOLERANCE[dtype] * 100, np.dtype(dtype))


@both_types
def test_a_whole_decoder(torch, dtype):
    model = DecoderOnly(10, D, H, 2, d_ff=FF, rng=np.random.default_rng(0), dtype=dtype)
    rng = np.random.default_rng(1)
    p = {n: (a + 0.3 * rng.normal(size=a.shape)).astype(dtype) for n, a in model.parameters().items()}
    model.load(p)
    ids = rng.integers(0, 10, (2, 7))
    own = [{n.split(".", 2)[2]: a for n, a in p.items() if n.startswith(f"decoder.{i}.")} for i in range(2)]
    F = torch.nn.functional
    with torch.no_grad():
        x = F.embedding(torch.from_numpy(ids), torch.from_numpy(p["embedding"])) * math.sqrt(D)
        x = x + torch.from_numpy(sinusoidal_encoding(7, D).astype(dtype))
        for parameters in own:
            x = layer_of(torch, dtype, parameters)(x, src_mask=causal(torch, 7))
        x = F.layer_norm(x, (D,), *(torch.from_numpy(p[f"decoder.{n}"]) for n in ("gamma", "beta")))
        theirs = x @ torch.from_numpy(p["W_out"]) + torch.from_numpy(p["b_out"])
    expect_same(model(ids), theirs.numpy(), TOLERANCE[dtype] * 100, np.dtype(dtype))

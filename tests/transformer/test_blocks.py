"""I blocchi, contro una versione scritta da capo: norma, attenzione a cicli, somma, norma, rete, somma."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.transformer import scaled_dot_product_attention
from course_lib.transformer.blocks import DecoderBlock, EncoderBlock
from course_lib.transformer.masks import causal_mask, padding_mask
from tests.transformer.support import expect_same, loop_attention
from tests.transformer.tape import Tape, finite_differences

few = settings(max_examples=30, deadline=None)
seeds = st.integers(0, 2**32 - 1)


def block_of(kind, seed=0, d=4, h=2, **options):
    """Un blocco i cui parametri sono tutti diversi da 0 e da 1."""
    block = kind.random(d, h, np.random.default_rng(seed), **options)
    rng = np.random.default_rng(seed + 1)
    return kind({name: a + 0.1 * rng.normal(size=a.shape) for name, a in block.parameters.items()}, h)


def norm(x, gamma, beta):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * gamma + beta


def heads(x, context, W_Q, W_K, W_V, W_O, h, mask):
    d = W_Q.shape[1] // h
    outputs = []
    for j in range(h):
        own = slice(j * d, (j + 1) * d)
        outputs.append(loop_attention(x @ W_Q[:, own], context @ W_K[:, own], context @ W_V[:, own], mask)[0])
    return np.concatenate(outputs, -1) @ W_O


def by_hand(block, x, mask=None, context=None, context_mask=None):
    p, h, d = block.parameters, block.n_heads, x.shape[-1]
    n = norm(x, p["self.gamma"], p["self.beta"])
    W_Q, W_K, W_V = np.split(p["self.W_QKV"], [d, 2 * d], axis=1)
    x = x + heads(n, n, W_Q, W_K, W_V, p["self.W_O"], h, mask)
    if context is not None:
        n = norm(x, p["cross.gamma"], p["cross.beta"])
        matrices = [p[f"cross.W_{name}"] for name in "QKVO"]
        x = x + heads(n, context, *matrices, h, context_mask)
    n = norm(x, p["ffn.gamma"], p["ffn.beta"])
    hidden = n @ p["ffn.W_1"] + p["ffn.b_1"]
    hidden = 0.5 * hidden * (1 + np.tanh(np.sqrt(2 / np.pi) * (hidden + 0.044715 * hidden**3)))
    return x + hidden @ p["ffn.W_2"] + p["ffn.b_2"]


@few
@given(seed=seeds, lead=st.lists(st.integers(0, 2), max_size=2).map(tuple), L=st.integers(1, 4))
def test_encoder_block_equals_the_formula(seed, lead, L):
    block = block_of(EncoderBlock, seed % 7)
    x = np.random.default_rng(seed).normal(size=(*lead, L, 4))
    before = x.tobytes()
    expect_same(block(x), by_hand(block, x), 1e-11)
    assert x.tobytes() == before


@few
@given(seed=seeds, lead=st.lists(st.integers(0, 2), max_size=2).map(tuple), L=st.integers(1, 4))
def test_decoder_block_is_causal(seed, lead, L):
    block = block_of(DecoderBlock, seed % 7)
    x = np.random.default_rng(seed).normal(size=(*lead, L, 4))
    expect_same(block(x), by_hand(block, x, causal_mask(L)), 1e-11)


def test_a_mask_is_added_to_the_causal_one():
    block = block_of(DecoderBlock)
    x = np.random.default_rng(0).normal(size=(2, 3, 4))
    allowed = np.array([[True, True, True], [False, True, True], [True, False, True]])
    expect_same(block(x, mask=allowed), by_hand(block, x, np.tri(3, dtype=bool) & allowed), 1e-11)


def test_decoder_block_looks_at_a_context():
    block = block_of(DecoderBlock, cross=True)
    rng = np.random.default_rng(0)
    x, context = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 4))
    allowed = np.broadcast_to(padding_mask([2, 5], 5)[:, None, :], (2, 3, 5))
    expect_same(block(x, context), by_hand(block, x, causal_mask(3), context), 1e-11)
    actual = block(x, context, context_mask=allowed[:, None])
    expect_same(actual, by_hand(block, x, causal_mask(3), context, allowed), 1e-11)


def test_encoder_block_with_padding():
    block = block_of(EncoderBlock)
    x = np.random.default_rng(0).normal(size=(2, 3, 4))
    allowed = padding_mask([1, 3], 3)
    expected = by_hand(block, x, np.broadcast_to(allowed[:, None, :], (2, 3, 3)))
    expect_same(block(x, allowed[:, None, None, :]), expected, 1e-11)


def test_attention_of_a_block_as_multi_head():
    block = block_of(DecoderBlock, cross=True)
    rng = np.random.default_rng(0)
    x, context = rng.normal(size=(3, 4)), rng.normal(size=(2, 4))
    seen = {}
    block(x, context, watch=seen.__setitem__)
    result = block.heads()(seen["self.norm"], mask=causal_mask(3))
    expect_same(result.output, seen["self.output"], 1e-12)
    expect_same(result.weights, seen["self.weights"], 1e-12)
    result = block.heads("cross")(seen["cross.norm"], context)
    expect_same(result.output, seen["cross.output"], 1e-12)
    expect_same(result.weights, seen["cross.weights"], 1e-12)
    assert np.shares_memory(block.heads().W_K, block.parameters["self.W_QKV"])


def test_every_step_can_be_watched():
    block = block_of(DecoderBlock)
    x = np.random.default_rng(0).normal(size=(3, 4))
    steps = []
    output = block(x, watch=lambda name, array: steps.append((name, array)))
    assert [name for name, _ in steps] == [
        "self.weights",
        "self.norm",
        "self.output",
        "self.residual",
        "ffn.norm",
        "ffn.output",
        "ffn.residual",
    ]
    seen = dict(steps)
    assert seen["ffn.residual"] is output
    expect_same(seen["self.residual"], x + seen["self.output"], 0.0)
    expect_same(output, seen["self.residual"] + seen["ffn.output"], 0.0)
    expect_same(output, block(x), 1e-15)  # guardare non cambia nulla


def test_parameters_are_counted():
    d = 8
    without_cross = 2 * 2 * d + 4 * d * d + 2 * 4 * d * d + 4 * d + d
    rng = np.random.default_rng(0)
    assert EncoderBlock.random(d, 2, rng).n_parameters == without_cross
    assert DecoderBlock.random(d, 2, rng).n_parameters == without_cross
    assert DecoderBlock.random(d, 2, rng, cross=True).n_parameters == without_cross + 2 * d + 4 * d * d
    assert EncoderBlock.random(d, 2, rng, d_ff=3).n_parameters == 2 * 2 * d + 4 * d * d + 2 * 3 * d + 3 + d


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_dtype_is_kept(dtype):
    block = EncoderBlock.random(4, 2, np.random.default_rng(0), dtype=dtype)
    x = np.random.default_rng(1).normal(size=(3, 4)).astype(dtype)
    output = block(x)
    assert output.dtype == dtype
    double = EncoderBlock({n: a.astype(float) for n, a in block.parameters.items()}, 2)(x.astype(float))
    expect_same(output, double, {np.float64: 0.0, np.float32: 1e-5, np.float16: 2e-2}[dtype], dtype)


def test_another_attention_gets_heads_and_a_boolean_mask():
    calls = []

    def spy(Q, K, V, mask):
        calls.append((Q.shape, K.shape, V.shape, mask))
        return scaled_dot_product_attention(Q, K, V, mask).output

    x = np.random.default_rng(0).normal(size=(2, 3, 4))
    for kind in (EncoderBlock, DecoderBlock):
        block = block_of(kind)
        expect_same(kind(block.parameters, 2, attention=spy)(x), block(x), 1e-14)
    assert [call[:3] for call in calls] == [((2, 2, 3, 2),) * 3] * 2
    assert [call[3].tolist() for call in calls] == [np.ones((3, 3), bool).tolist(), causal_mask(3).tolist()]
    assert {call[3].dtype for call in calls} == {np.dtype(bool)}


def test_another_attention_may_give_its_weights_too():
    x, seen = np.random.default_rng(0).normal(size=(3, 4)), {}
    block = block_of(DecoderBlock)
    other = DecoderBlock(block.parameters, 2, attention=scaled_dot_product_attention)
    expect_same(other(x, watch=seen.__setitem__), block(x), 1e-14)
    assert seen["self.weights"].shape == (2, 3, 3)


@pytest.mark.parametrize("kind", [EncoderBlock, DecoderBlock])
def test_a_block_differentiates_as_it_stands(kind):
    block = block_of(kind, **({"cross": True} if kind is DecoderBlock else {}))
    names = list(block.parameters)
    rng = np.random.default_rng(1)
    arrays = [rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 2, 4)), *block.parameters.values()]
    upstream = rng.normal(size=(2, 3, 4))

    def forward(x, context, *parameters):
        own = kind(dict(zip(names, parameters, strict=True)), 2)
        return own(x, context) if kind is DecoderBlock else own(x)

    tapes = [Tape(a) for a in arrays]
    forward(*tapes).backward(upstream)
    for which, name in enumerate(["x", "context", *names]):
        if name == "context" and kind is EncoderBlock:
            continue
        expect_same(tapes[which].grad, finite_differences(forward, arrays, which, upstream), 1e-7)


encoder, decoder = block_of(EncoderBlock), block_of(DecoderBlock, cross=True)
x = np.ones((3, 4))


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda: encoder(np.ones((3, 5))), r"x: .* lungo 4 \(d_model\), .*\(3, 5\)"),
        (lambda: encoder(np.ones(4)), r"x: mi aspettavo la forma \(..., L, d_model\)"),
        (lambda: encoder(x, np.ones((3, 3))), "booleani"),
        (lambda: decoder(x), "context: mi aspettavo un contesto"),
        (lambda: block_of(DecoderBlock)(x, x), "context: mi aspettavo nessun contesto"),
        (lambda: decoder(x, np.ones((2, 3))), "context: .* lungo 4"),
        (lambda: EncoderBlock.random(4, 3, np.random.default_rng(0)), "n_heads: mi aspettavo un divisore"),
        (lambda: EncoderBlock.random(4, 2, np.random.default_rng(0), cross=True), "cross: "),
        (lambda: EncoderBlock.random(4, 2, 0), "rng: mi aspettavo numpy.random.default_rng"),
        (lambda: EncoderBlock({}, 2), "parameters: .*ffn.W_1"),
        (lambda: EncoderBlock({**encoder.parameters, "altro": x}, 2), "di troppo altro"),
        (lambda: EncoderBlock({**encoder.parameters, "self.beta": x}, 2), r"self.beta: .*\(4,\), .*\(3, 4\)"),
        (lambda: encoder.heads("cross"), "sublayer: il blocco non ha un'attenzione 'cross'"),
        (
            lambda: EncoderBlock(encoder.parameters, 2, attention=lambda Q, K, V, mask: V[..., :1, :])(x),
            r"attention: mi aspettavo un'uscita .* = \(2, 3, 2\), è arrivata \(2, 1, 2\)",
        ),
        (
            lambda: EncoderBlock(encoder.parameters, 2, attention=lambda Q, K, V, mask: None)(x),
            "attention: .* è arrivata NoneType",
        ),
    ],
)
def test_refuses(call, part):
    with pytest.raises(ValueError, match=part):
        call()

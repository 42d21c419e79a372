"""Ogni operazione fusa è uguale alla sua forma semplice: valore, gradiente, differenze finite."""

import numpy as np
import pytest

from course_lib.learning import fused, fused_layers
from course_lib.learning.autograd import Tensor
from course_lib.transformer import ops as plain
from course_lib.transformer.blocks import DecoderBlock
from course_lib.transformer.layers import gelu as plain_gelu
from course_lib.transformer.masks import causal_mask
from tests.learning.support import (
    DTYPES,
    LEADS,
    TOLERANCE,
    expect_close,
    expect_gradients,
    expect_like_plain,
    leaves_of,
    numbers,
    small_decoder,
)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lead", LEADS)
def test_linear(lead, dtype):
    expect_like_plain("linear", numbers((*lead, 5)), numbers((5, 3)), numbers(3), dtype=dtype)
    expect_like_plain("linear", numbers((*lead, 5)), numbers((5, 3)), dtype=dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lead", LEADS)
def test_layer_norm(lead, dtype):
    x = numbers((*lead, 6)) * 3 + 1
    expect_like_plain("layer_norm", x, numbers(6, 1), numbers(6, 2), dtype=dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lead", [*LEADS, (0,), (2, 0)])
def test_a_norm_and_what_follows(lead, dtype):
    x, norm = numbers((*lead, 6)) * 3 + 1, (numbers(6, 1), numbers(6, 2))
    expect_like_plain("norm_linear", x, *norm, numbers((6, 4), 3), numbers(4, 5), dtype=dtype)
    expect_like_plain("norm_linear", x, *norm, numbers((6, 4), 3), dtype=dtype)
    ffn = numbers((6, 9), 3), numbers(9, 5), numbers((9, 6), 6), numbers(6, 7)
    expect_like_plain("norm_feed_forward", x, *norm, *ffn, dtype=dtype, slack=4)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("block", [5, 32768])
def test_gelu_and_its_slope(block, dtype, monkeypatch):
    monkeypatch.setattr(fused_layers, "_BLOCK", block)
    x = (numbers(13) * 3).astype(dtype)
    before, y, slope = x.copy(), np.empty_like(x), np.empty_like(x)
    fused_layers.gelu(x, y, slope)
    there = Tensor(x, requires_grad=True)
    expected = plain_gelu(there)
    expected.backward(np.ones_like(x))
    expect_close(y, expected.data, TOLERANCE[dtype])
    expect_close(slope, there.grad, TOLERANCE[dtype])
    alone = np.empty_like(x)
    fused_layers.gelu(x, alone)
    assert np.array_equal(alone, y)
    assert np.array_equal(x, before)


def test_gelu_of_very_large_numbers():
    x, y, slope = np.array([-60.0, 0.0, 60.0], np.float32), np.empty(3, np.float32), np.empty(3, np.float32)
    with np.errstate(all="raise", under="ignore"):
        fused_layers.gelu(x, y, slope)
    assert y.tolist() == [0.0, 0.0, 60.0]
    assert slope.tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("V", [7, 600])
def test_embedding(V, dtype):
    ids = np.random.default_rng(1).integers(0, V, (3, 5))
    ids[0] = 2                                       # un token ripetuto: i gradienti si sommano
    positions = numbers((5, 4)).astype(dtype)
    expect_like_plain(
        "embedding", numbers((V, 4)), dtype=dtype, call=lambda f, table: f(table, ids, 2.0, positions)
    )


def test_embedding_of_no_token():
    table = Tensor(numbers((600, 4)), requires_grad=True)
    fused.embedding(table, np.zeros((0, 5), int), 1.0, np.zeros((5, 4))).backward(np.zeros((0, 5, 4)))
    assert not table.grad.any()


@pytest.mark.parametrize("lead", [(), (2, 3)])
def test_rows_in_several_blocks(lead, monkeypatch):
    monkeypatch.setattr(fused_layers, "_WIDE", 7)
    norm = numbers((*lead, 5)), numbers(5, 1), numbers(5, 2)
    expect_like_plain("layer_norm", *norm)
    expect_like_plain("norm_linear", *norm, numbers((5, 2), 3))
    ffn = numbers((5, 3), 3), numbers(3, 5), numbers((3, 5), 6), numbers(5, 7)
    expect_like_plain("norm_feed_forward", *norm, *ffn, slack=4)


@pytest.mark.parametrize(
    ("name", "call", "shapes"),
    [
        ("linear", lambda x, W, b: fused.linear(x, W, b), [(2, 3), (3, 4), (4,)]),
        ("layer_norm", lambda x, g, b: fused.layer_norm(x, g, b), [(2, 5), (5,), (5,)]),
        ("norm_linear", lambda *a: fused.norm_linear(*a), [(2, 5), (5,), (5,), (5, 3), (3,)]),
        ("norm_linear", lambda *a: fused.norm_linear(*a), [(2, 5), (5,), (5,), (5, 3)]),
        (
            "norm_feed_forward",
            lambda *a: fused.norm_feed_forward(*a),
            [(2, 5), (5,), (5,), (5, 3), (3,), (3, 4), (4,)],
        ),
        ("attention", lambda *a: fused.attention(*a, causal_mask(2, 3)), [(1, 2, 2), (1, 3, 2), (1, 3, 4)]),
        ("embedding", lambda t: fused.embedding(t, np.array([[1, 0, 1]]), 1.5, np.ones((3, 2))), [(4, 2)]),
        ("cross_entropy", lambda x: fused.cross_entropy(x, np.array([1, 0])), [(2, 3)]),
    ],
)
def test_gradients_equal_finite_differences(name, call, shapes):
    expect_gradients(call, *(numbers(shape, i) for i, shape in enumerate(shapes)))


@pytest.mark.parametrize("ops", [plain, fused])
@pytest.mark.parametrize("cross", [False, True])
def test_a_whole_block(ops, cross):
    block = DecoderBlock.random(4, 2, np.random.default_rng(5), d_ff=6, cross=cross)
    names = list(block.parameters)

    def run(x, context, *arrays):
        model = DecoderBlock(dict(zip(names, arrays, strict=True)), 2, ops=ops)
        return model(x, context) if cross else model(x) + 0 * context[:, :1]

    expect_gradients(run, numbers((2, 3, 4)), numbers((2, 5, 4), 7), *block.parameters.values())


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_whole_decoder_is_the_same_both_ways(dtype):
    model = small_decoder(dtype)
    ids = np.random.default_rng(2).integers(0, 11, (3, 6))
    grads = {}
    for ops in (plain, fused):
        leaves = leaves_of(model)
        logits = model.using(parameters=leaves, ops=ops)(ids)
        logits.backward(numbers(logits.shape, 3).astype(dtype))
        grads[ops] = {"logits": logits.data} | {name: leaf.grad for name, leaf in leaves.items()}
    for name, ours in grads[fused].items():
        assert ours.dtype == dtype
        expect_close(ours, grads[plain][name], TOLERANCE[dtype], name)
    expect_close(model.using(ops=fused)(ids), model(ids), TOLERANCE[dtype])

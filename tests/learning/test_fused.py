"""Ogni operazione fusa è uguale alla sua forma semplice: valore, gradiente, differenze finite."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.learning import fused, fused_layers
from course_lib.learning.autograd import Tensor
from course_lib.learning.fused_attention import _stripes
from course_lib.transformer import ops as plain
from course_lib.transformer.blocks import DecoderBlock
from course_lib.transformer.layers import gelu as plain_gelu
from course_lib.transformer.masks import causal_mask
from tests.learning.support import expect_close, expect_gradients, leaves_of, small_decoder

TOLERANCE = {np.float64: 1e-11, np.float32: 2e-5}


def numbers(shape, seed=4, scale=1.0):
    return np.random.default_rng(seed).normal(size=shape) * scale


def expect_like_plain(name, *arrays, dtype=np.float64, call=None, slack=1):
    """fused.name e ops.name: stessa uscita e stessi gradienti, per Tensor; stessa uscita per array."""
    call = call or (lambda function, *a: function(*a))
    arrays = [np.asarray(a, dtype) for a in arrays]
    results = {}
    for module in (plain, fused):
        tensors = [Tensor(a.copy(), requires_grad=True) for a in arrays]
        out = call(getattr(module, name), *tensors)
        out.backward(numbers(out.shape, seed=8).astype(dtype))
        results[module] = [out.data, *(t.grad for t in tensors)]
        assert out.dtype == dtype
        for tensor, array in zip(tensors, arrays, strict=True):
            assert np.array_equal(tensor.data, array), "un ingresso è stato modificato"
    for ours, theirs in zip(results[fused], results[plain], strict=True):
        assert ours.dtype == dtype
        expect_close(ours, theirs, TOLERANCE[dtype] * slack, name)
    alone = call(getattr(fused, name), *arrays)
    assert type(alone) is np.ndarray
    expect_close(alone, results[plain][0], TOLERANCE[dtype] * slack, f"{name} senza Tensor")


DTYPES = [np.float64, np.float32]
LEADS = [(), (2,), (2, 3)]


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


MASKS = {
    "nessuna": None,
    "causale": causal_mask(4),
    "una riga vuota": np.array([[True] * 4, [False] * 4, [True, False, True, False], [False, True] * 2]),
    "una per testa": np.random.default_rng(3).random((2, 4, 4)) < 0.6,
    "una per frase": np.random.default_rng(3).random((3, 1, 4, 4)) < 0.6,
    "una colonna": np.array([[True, True, False, True]]),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scale", [1.0, 10.0])
@pytest.mark.parametrize("name", MASKS)
def test_attention(name, scale, dtype):
    """Con scale = 10 i punteggi distano di centinaia: il massimo va tolto riga per riga."""
    Q, K, V = numbers((3, 2, 4, 3), 1, scale), numbers((3, 2, 4, 3), 2, scale), numbers((3, 2, 4, 5), 3)
    expect_like_plain(
        "attention", Q, K, V, dtype=dtype, call=lambda f, *qkv: f(*qkv, MASKS[name]), slack=scale**2
    )


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_hundreds_apart(dtype):
    """Un massimo solo per tutta la matrice manderebbe a zero la prima riga.

    Una query lunga 400 ingrandisce altrettanto l'arrotondamento del gradiente delle key.
    """
    Q = np.array([[[1.0, 0.0], [400.0, 0.0]]])
    K = np.array([[[1.0, 0.0], [0.5, 1.0], [-1.0, 2.0]]])
    V = numbers((1, 3, 2))
    expect_like_plain("attention", Q, K, V, dtype=dtype, call=lambda f, *qkv: f(*qkv, None), slack=20)
    mask = np.array([[True, False, True], [False, True, True]])
    expect_like_plain("attention", Q, K, V, dtype=dtype, call=lambda f, *qkv: f(*qkv, mask), slack=20)


def test_forbidden_scores_may_be_huge():
    Q, K = np.array([[[1e30, 1.0]]], np.float32), np.array([[[1e30, 0.0], [0.0, 2.0]]], np.float32)
    V = np.array([[[5.0], [7.0]]], np.float32)
    with np.errstate(over="ignore"):
        assert fused.attention(Q, K, V, np.array([[False, True]])).tolist() == [[[7.0]]]


def test_attention_in_several_blocks(monkeypatch):
    monkeypatch.setattr("course_lib.learning.fused_attention._NEAR", 40)
    Q, K, V = (numbers((3, 2, 4, 3), i) for i in range(3))
    expect_like_plain("attention", Q, K, V, call=lambda f, *qkv: f(*qkv, MASKS["una per frase"]))


STRIPED = {
    "causale": causal_mask(7),
    "in fondo": causal_mask(7, 9),
    "dall'ultima": np.tril(np.ones((7, 7), bool))[::-1],
    "l'ultima key mai": causal_mask(7) & (np.arange(7) < 5),
    "una striscia vuota": np.arange(7)[:, None] > np.arange(7) + 3,
    "una frase sola": causal_mask(7)[None, None],
    "una colonna": np.arange(7)[None] > 2,
}


@pytest.mark.parametrize("near", [1, 10000])
@pytest.mark.parametrize("name", STRIPED)
def test_attention_in_several_stripes(name, near, monkeypatch):
    monkeypatch.setattr("course_lib.learning.fused_attention._STRIPE", 3)
    monkeypatch.setattr("course_lib.learning.fused_attention._NEAR", near)
    S = STRIPED[name].shape[-1]
    Q, K, V = numbers((3, 2, 7, 3), 1), numbers((3, 2, S, 3), 2), numbers((3, 2, S, 4), 3)
    expect_like_plain("attention", Q, K, V, call=lambda f, *qkv: f(*qkv, STRIPED[name]))
    expect_like_plain("attention", Q * 40, K, V, call=lambda f, *qkv: f(*qkv, STRIPED[name]), slack=100)


def test_stripes_skip_what_nobody_sees(monkeypatch):
    monkeypatch.setattr("course_lib.learning.fused_attention._STRIPE", 2)
    assert _stripes(causal_mask(5), 5, 5) == [(slice(4, 5), 5), (slice(2, 4), 4), (slice(0, 2), 2)]
    assert _stripes(None, 5, 5) == _stripes(np.ones((5, 5), bool), 5, 5) == [(slice(0, 5), 5)]


@pytest.mark.parametrize("lead", [(), (2, 3)])
def test_rows_in_several_blocks(lead, monkeypatch):
    monkeypatch.setattr(fused_layers, "_WIDE", 7)
    norm = numbers((*lead, 5)), numbers(5, 1), numbers(5, 2)
    expect_like_plain("layer_norm", *norm)
    expect_like_plain("norm_linear", *norm, numbers((5, 2), 3))
    ffn = numbers((5, 3), 3), numbers(3, 5), numbers((3, 5), 6), numbers(5, 7)
    expect_like_plain("norm_feed_forward", *norm, *ffn, slack=4)


def test_attention_with_axes_that_broadcast():
    Q, K, V = numbers((3, 2, 4, 3), 1), numbers((2, 5, 3), 2), numbers((1, 2, 5, 4), 3)
    expect_like_plain("attention", Q, K, V, call=lambda f, *qkv: f(*qkv, None))


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    st.lists(st.integers(1, 3), max_size=2),
    st.tuples(*[st.integers(1, 4)] * 5),
    st.sampled_from([None, 0.3, 0.9]),
)
def test_attention_of_any_shape(lead, sizes, density):
    h, L, S, d_k, d_v = sizes
    lead = tuple(lead)
    mask = None if density is None else np.random.default_rng(L).random((L, S)) < density
    arrays = [numbers((*lead, h, *tail), i) for i, tail in enumerate([(L, d_k), (S, d_k), (S, d_v)])]
    expect_like_plain("attention", *arrays, call=lambda f, *qkv: f(*qkv, mask))


@pytest.mark.parametrize("lead", LEADS)
def test_heads_split_attend_and_merge(lead):
    """Le tre viste di un array solo, e i loro gradienti in un array solo."""

    def chain(module):
        def run(qkv):
            Q, K, V = module.split_qkv(qkv, 2)
            return module.merge_heads(module.attention(Q, K, V, causal_mask(4)))

        return run

    qkv = numbers((*lead, 4, 12))
    expect_gradients(chain(fused), qkv)
    expect_close(chain(fused)(qkv), chain(plain)(qkv), 1e-12)
    expect_gradients(lambda x: fused.merge_heads(np.exp(fused.split_heads(x, 2))), numbers((*lead, 3, 4)))


@pytest.mark.parametrize("used", [(0,), (1, 2), (2,)])
def test_an_unused_part_of_qkv_has_gradient_zero(used):
    expect_gradients(lambda x: sum(np.exp(fused.split_qkv(x, 2)[i]) for i in used), numbers((2, 3, 12)))


def test_a_part_of_qkv_used_twice():
    def twice(x):
        Q, K, V = fused.split_qkv(x, 2)
        return fused.attention(Q, K, V, None) + fused.attention(Q, V, K, causal_mask(3)) * Q

    expect_gradients(twice, numbers((2, 3, 12)))


def test_heads_are_views():
    qkv = numbers((2, 3, 12))
    assert all(np.shares_memory(part, qkv) for part in fused.split_qkv(qkv, 2))
    z = fused.attention(*fused.split_qkv(qkv, 2), None)
    assert np.shares_memory(fused.merge_heads(z), z)


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

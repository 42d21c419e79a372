"""Teste: divise e riunite, una alla volta con i cicli, incrociate, con i parametri contati."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.transformer import Attention
from course_lib.transformer.heads import Head, MultiHeadAttention, merge_heads, split_heads
from course_lib.transformer.masks import causal_mask, padding_mask
from tests.transformer.support import expect_same, loop_attention
from tests.transformer.tape import Tape, finite_differences

few = settings(max_examples=40, deadline=None)
seeds = st.integers(0, 2**32 - 1)
leads = st.lists(st.integers(0, 3), max_size=2).map(tuple)


def test_split_by_hand():
    x = np.arange(8).reshape(1, 2, 4)
    expect_same(split_heads(x, 2), [[[[0, 1], [4, 5]], [[2, 3], [6, 7]]]], 0.0, x.dtype)
    expect_same(split_heads(x, 1), x[:, None], 0.0)


@few
@given(lead=leads, L=st.integers(0, 3), h=st.integers(1, 3), d_h=st.integers(0, 3))
def test_splitting_and_merging(lead, L, h, d_h):
    x = np.arange(np.prod([*lead, L, h * d_h], dtype=int)).reshape(*lead, L, h * d_h).astype(np.float32)
    apart = split_heads(x, h)
    assert apart.shape == (*lead, h, L, d_h)
    for index in np.ndindex(apart.shape):
        *rest, j, i, c = index
        assert apart[index] == x[(*rest, i, j * d_h + c)]
    expect_same(merge_heads(apart), x, 0.0, np.float32)


def test_splitting_does_not_copy():
    x = np.zeros((2, 3, 4))
    assert np.shares_memory(split_heads(x, 2), x)


def test_merging_rows_of_different_heads():
    x = np.array([[[1, 2]], [[3, 4]], [[5, 6]]])  # tre teste, una riga, due componenti
    expect_same(merge_heads(x), [[1, 2, 3, 4, 5, 6]], 0.0)


def heads_by_loops(module, x, context, mask):
    """Testa per testa: le colonne di ognuna, l'attenzione con i cicli, le uscite in fila, per W_O."""
    h, outputs, weights = module.n_heads, [], []
    d_k, d_v = module.W_Q.shape[1] // h, module.W_V.shape[1] // h
    for j in range(h):
        Q = x @ module.W_Q[:, j * d_k : (j + 1) * d_k]
        K = context @ module.W_K[:, j * d_k : (j + 1) * d_k]
        V = context @ module.W_V[:, j * d_v : (j + 1) * d_v]
        z, own = loop_attention(Q, K, V, None if mask is None else mask[j])
        outputs.append(z)
        weights.append(own)
    return np.concatenate(outputs, axis=-1) @ module.W_O, np.stack(weights, axis=-3)


@few
@given(seed=seeds, lead=leads, sizes=st.tuples(*[st.integers(1, 3)] * 3), masked=st.booleans())
def test_multi_head_equals_one_head_at_a_time(seed, lead, sizes, masked):
    L, S, h = sizes
    rng = np.random.default_rng(seed)
    d_k, d_v = 2, 3
    shapes = (5, h * d_k), (4, h * d_k), (4, h * d_v), (h * d_v, 6)
    module = MultiHeadAttention(*(rng.normal(size=shape) for shape in shapes), h)
    x, context = rng.normal(size=(*lead, L, 5)), rng.normal(size=(*lead, S, 4))
    mask = rng.random((h, L, S)) < 0.7 if masked else None
    result = module(x, context, mask)
    assert type(result) is Attention
    output, weights = heads_by_loops(module, x, context, mask)
    expect_same(result.output, output)
    expect_same(result.weights, weights)


def test_cross_attention_shapes_of_the_course():
    """Q (2, 3, 4), K (2, 5, 4), V (2, 5, 6): l'uscita è (2, 3, 6)."""
    rng = np.random.default_rng(0)
    module = MultiHeadAttention(np.eye(4), np.eye(4), rng.normal(size=(4, 6)), np.eye(6), 2)
    result = module(rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 4)))
    assert result.output.shape == (2, 3, 6)
    assert result.weights.shape == (2, 2, 3, 5)


def test_without_context_it_looks_at_itself():
    rng = np.random.default_rng(1)
    module, x = MultiHeadAttention.random(6, 3, rng), rng.normal(size=(2, 4, 6))
    expect_same(module(x).output, module(x, x).output, 0.0)


def test_masks_for_sentences_and_for_heads():
    rng = np.random.default_rng(2)
    module, x = MultiHeadAttention.random(4, 2, rng), rng.normal(size=(3, 3, 4))
    weights = module(x, mask=padding_mask([1, 2, 3], 3)[:, None, None, :]).weights
    for sentence, length in enumerate([1, 2, 3]):
        assert (weights[sentence, :, :, length:] == 0).all()
        assert (weights[sentence, :, :, :length] > 0).all()
    one_off = np.ones((2, 3, 3), bool)
    one_off[1] = False  # la seconda testa non guarda nulla: la sua uscita è 0, come se non ci fosse
    alone = MultiHeadAttention(module.W_Q[:, :2], module.W_K[:, :2], module.W_V[:, :2], module.W_O[:2], 1)
    expect_same(module(x, mask=one_off).output, alone(x).output)


def test_parameters_are_counted():
    rng = np.random.default_rng(0)
    assert [MultiHeadAttention.random(12, h, rng).n_parameters for h in (1, 3, 12)] == [4 * 12 * 12] * 3
    assert MultiHeadAttention.random(12, 3, rng, d_context=5).n_parameters == 2 * 12 * 12 + 2 * 5 * 12


def test_random_parameters_follow_their_seed():
    one, two = (MultiHeadAttention.random(8, 2, np.random.default_rng(5), dtype=np.float32) for _ in range(2))
    for name in ("W_Q", "W_K", "W_V", "W_O"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()
        assert getattr(one, name).dtype == np.float32
    assert one(np.zeros((1, 8), np.float32)).output.dtype == np.float32
    assert len({getattr(one, name).tobytes() for name in ("W_Q", "W_K", "W_V", "W_O")}) == 4
    large = MultiHeadAttention.random(100, 2, np.random.default_rng(5), d_context=25)
    assert [large.W_Q.std(), large.W_K.std()] == pytest.approx([1 / 10, 1 / 5], rel=0.05)


def test_single_head():
    rng = np.random.default_rng(3)
    W_Q, W_K, W_V, x = (rng.normal(size=s) for s in ((4, 2), (4, 2), (4, 3), (2, 5, 4)))
    mask = causal_mask(5)
    output, weights = loop_attention(x @ W_Q, x @ W_K, x @ W_V, mask)
    head = Head(W_Q, W_K, W_V)
    expect_same(head.weights(x, mask), weights)
    expect_same(head.output(x, mask), output)
    assert (head.weights(x) > 0).all()  # senza maschera si vede tutto


def test_multi_head_differentiates_as_it_stands():
    rng = np.random.default_rng(4)
    arrays = [rng.normal(size=s) for s in ((2, 3, 4), (4, 4), (4, 4), (4, 4), (4, 4))]
    upstream, mask = rng.normal(size=(2, 3, 4)), causal_mask(3)

    def forward(x, *matrices):
        return MultiHeadAttention(*matrices, 2)(x, mask=mask).output

    tapes = [Tape(a) for a in arrays]
    forward(*tapes).backward(upstream)
    for which, tape in enumerate(tapes):
        expect_same(tape.grad, finite_differences(forward, arrays, which, upstream), 1e-8)


square = np.ones((4, 4))


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda: split_heads(np.ones((2, 3)), 2), r"divisibile in n_heads = 2 teste, .*\(2, 3\)"),
        (lambda: split_heads(np.ones((2, 3)), 0), "n_heads: mi aspettavo un intero da 1 in su"),
        (lambda: split_heads(np.ones(4), 2), r"x: mi aspettavo la forma \(..., L, d\)"),
        (lambda: merge_heads(np.ones((2, 4))), r"x: mi aspettavo la forma \(..., h, L, d_h\)"),
        (lambda: MultiHeadAttention(square, square, square, square, 3), "W_Q: .*n_heads = 3"),
        (lambda: MultiHeadAttention(square, square, square[:, :3], square[:3], 2), "W_V: .*n_heads = 2"),
        (lambda: MultiHeadAttention(square, square[:, :2], square, square, 2), "W_K: .*lungo 4"),
        (lambda: MultiHeadAttention(square, square, square[:2], square, 2), "W_V: .*lungo 4 .*d_context"),
        (lambda: MultiHeadAttention(square, square, square, square[:2], 2), "W_O: .*lungo 4"),
        (lambda: MultiHeadAttention(square, square, square, square[0], 2), "W_O: mi aspettavo una matrice"),
        (lambda: MultiHeadAttention(*[square] * 4, 2)(np.ones((3, 5))), "x: .* l'ultimo asse lungo 4"),
        (lambda: Head(square[0], square, square), "W_Q: mi aspettavo una matrice"),
    ],
)
def test_refuses(call, part):
    with pytest.raises(ValueError, match=part):
        call()

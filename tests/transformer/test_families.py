"""Le tre famiglie: che cosa vede ciascuna, che cosa no, e i parametri che non si copiano."""

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.transformer.blocks import DecoderBlock, EncoderBlock, layer_norm
from course_lib.transformer.families import DecoderOnly, EncoderDecoder, EncoderOnly
from course_lib.transformer.masks import causal_mask, padding_mask, window_mask
from course_lib.transformer.positions import sinusoidal_encoding
from tests.transformer.support import expect_same

few = settings(max_examples=25, deadline=None)
seeds = st.integers(0, 2**32 - 1)
V, D, H = 11, 6, 3


def model_of(kind, seed=0, n_layers=2, **options):
    """Un modello i cui parametri sono tutti diversi da 0 e da 1, e i logit non piccoli."""
    model = kind(V, D, H, n_layers, rng=np.random.default_rng(seed), **options)
    rng = np.random.default_rng(seed + 1)
    model.load(
        {n: a + (0.3 * rng.normal(size=a.shape)).astype(a.dtype) for n, a in model.parameters().items()}
    )
    return model


def some_ids(*shape, seed=0):
    return np.random.default_rng(seed).integers(0, V, shape)


def embed(p, ids):
    return p["embedding"][ids] * np.sqrt(D) + sinusoidal_encoding(ids.shape[-1], D)


def part(p, prefix):
    return {name.removeprefix(prefix): a for name, a in p.items() if name.startswith(prefix)}


def stack(p, name, kind, x, n_layers=2, **options):
    for i in range(n_layers):
        x = kind(part(p, f"{name}.{i}."), H)(x, **options)
    return layer_norm(x, p[f"{name}.gamma"], p[f"{name}.beta"])


@few
@given(seed=seeds, lead=st.lists(st.integers(0, 2), max_size=2).map(tuple), T=st.integers(1, 4))
def test_each_family_is_its_blocks_in_a_row(seed, lead, T):
    ids, other = some_ids(*lead, T, seed=seed), some_ids(*lead, 3, seed=seed + 1)
    model = model_of(EncoderOnly)
    p = model.parameters()
    expect_same(model(ids), stack(p, "encoder", EncoderBlock, embed(p, ids)), 1e-10)
    model = model_of(DecoderOnly)
    p = model.parameters()
    expected = stack(p, "decoder", DecoderBlock, embed(p, ids)) @ p["W_out"] + p["b_out"]
    expect_same(model(ids), expected, 1e-10)
    model = model_of(EncoderDecoder)
    p = model.parameters()
    memory = stack(p, "encoder", EncoderBlock, embed(p, other))
    expected = stack(p, "decoder", DecoderBlock, embed(p, ids), context=memory) @ p["W_out"] + p["b_out"]
    expect_same(model(other, ids), expected, 1e-10)


def test_a_model_without_blocks():
    model = model_of(DecoderOnly, n_layers=0)
    p, ids = model.parameters(), some_ids(4)
    expected = layer_norm(embed(p, ids), p["decoder.gamma"], p["decoder.beta"]) @ p["W_out"] + p["b_out"]
    expect_same(model(ids), expected, 1e-12)


def test_no_tokens_no_rows():
    assert model_of(DecoderOnly)(np.zeros((2, 0), int)).shape == (2, 0, V)


# --- che cosa vede chi -------------------------------------------------------------------------


@pytest.mark.parametrize("changed", range(5))
def test_the_future_leaves_no_trace(changed):
    model, ids = model_of(DecoderOnly), some_ids(2, 5)
    other = ids.copy()
    other[:, changed] = (other[:, changed] + 1) % V
    before, after = model(ids), model(other)
    assert before[:, :changed].tobytes() == after[:, :changed].tobytes()
    assert (np.abs(before - after)[:, changed:].max(axis=-1) > 1e-6).all()


def test_an_encoder_sees_both_sides():
    model, ids = model_of(EncoderOnly), some_ids(5)
    other = ids.copy()
    other[2] = (other[2] + 1) % V
    assert (np.abs(model(ids) - model(other)).max(axis=-1) > 1e-6).all()


def test_a_decoder_sees_the_whole_source_and_the_past_of_the_target():
    model, source, target = model_of(EncoderDecoder), some_ids(4), some_ids(5, seed=1)
    for place in range(4):
        other = source.copy()
        other[place] = (other[place] + 1) % V
        assert (np.abs(model(source, target) - model(other, target)).max(axis=-1) > 1e-6).all()
    other = target.copy()
    other[3] = (other[3] + 1) % V
    before, after = model(source, target), model(source, other)
    assert before[:3].tobytes() == after[:3].tobytes()
    assert (np.abs(before - after)[3:].max(axis=-1) > 1e-6).all()


def test_without_positions_an_encoder_is_equivariant():
    model, ids = model_of(EncoderOnly, positions=False), some_ids(5)
    order = np.array([3, 0, 4, 1, 2])
    expect_same(model(ids[order]), model(ids)[order], 1e-12)
    with_positions = model_of(EncoderOnly)
    assert np.abs(with_positions(ids[order]) - with_positions(ids)[order]).max() > 0.01


def test_without_positions_the_mask_alone_tells_order_to_two_layers():
    """Haviv et al. 2022: uno strato causale vede un insieme, due vedono un ordine."""
    ids = np.array([1, 2, 3, 4])
    swapped = np.array([2, 1, 3, 4])
    one, two = (model_of(DecoderOnly, n_layers=n, positions=False) for n in (1, 2))
    expect_same(one(swapped)[-1], one(ids)[-1], 1e-12)
    assert np.abs(two(swapped)[-1] - two(ids)[-1]).max() > 1e-4


def test_padding_changes_nothing_for_the_true_tokens():
    ids = some_ids(2, 5)
    mask = padding_mask([3, 5], 5)[:, None, None, :]
    expect_same(model_of(EncoderOnly)(ids, mask)[0, :3], model_of(EncoderOnly)(ids[0, :3]), 1e-12)
    model, target = model_of(EncoderDecoder), some_ids(2, 4, seed=3)
    padded = model(ids, target, source_mask=mask, memory_mask=mask)
    expect_same(padded[0], model(ids[0, :3], target[0]), 1e-12)
    expect_same(padded[1], model(ids[1], target[1]), 1e-12)


def test_a_mask_per_layer():
    model, ids = model_of(DecoderOnly), some_ids(5)
    narrow = window_mask(5, 1)
    logits, weights = model(ids, [None, narrow], return_weights=True)
    expect_same(weights[1], np.broadcast_to(np.eye(5), (H, 5, 5)), 0.0)
    assert (weights[0][:, causal_mask(5)] > 0).all()
    assert np.abs(logits - model(ids, [narrow, None])).max() > 1e-6
    expect_same(model(ids, [narrow, narrow]), model(ids, narrow), 0.0)
    expect_same(model(ids, (None, None)), model(ids), 0.0)


def test_a_head_that_sees_nothing_is_a_head_less():
    model, ids = model_of(DecoderOnly, n_layers=1), some_ids(2, 5)
    off = np.ones((H, 5, 5), bool)
    off[1] = False
    parameters = model.parameters()
    W_O = parameters["decoder.0.self.W_O"].copy()
    W_O[2:4] = 0.0  # le righe della seconda testa
    without = model.using(parameters={**parameters, "decoder.0.self.W_O": W_O})
    expect_same(model(ids, off), without(ids), 1e-12)


def test_weights_on_request():
    for kind, allowed in ((DecoderOnly, causal_mask(4)), (EncoderOnly, np.ones((4, 4), bool))):
        model, ids = model_of(kind), some_ids(2, 4)
        result, weights = model(ids, return_weights=True)
        expect_same(result, model(ids), 1e-12)
        assert [w.shape for w in weights] == [(2, H, 4, 4)] * 2
        for w in weights:
            expect_same(w.sum(axis=-1), np.ones((2, H, 4)), 1e-12)
            assert (w[..., allowed] > 0).all()
            assert (w[..., ~allowed] == 0).all()


def test_watching_says_who_and_where():
    names = []
    model_of(EncoderDecoder)(
        some_ids(3), some_ids(2), watch=lambda name, array: names.append((name, array.shape))
    )
    assert len(names) == len(set(names)) == 2 * 7 + 1 + 2 * 11 + 1
    assert ("encoder.1.self.weights", (H, 3, 3)) in names
    assert ("decoder.0.cross.weights", (H, 2, 3)) in names
    assert names[-1] == ("decoder.norm", (2, D))
    watched = []
    model_of(DecoderOnly)(some_ids(2), return_weights=True, watch=lambda name, array: watched.append(name))
    assert "decoder.1.ffn.residual" in watched


# --- l'uso non lascia tracce ---------------------------------------------------------------------


def test_use_is_not_training():
    """Contestualizzare non cambia i parametri: neppure un bit, con nessuna delle tre famiglie."""
    for kind in (EncoderOnly, DecoderOnly, EncoderDecoder):
        model, ids = model_of(kind), some_ids(2, 4)

        def digest(model=model):
            return hashlib.sha256(b"".join(a.tobytes() for a in model.parameters().values())).hexdigest()

        before, inputs = digest(), (ids, ids) if kind is EncoderDecoder else (ids,)
        first, second = model(*inputs), model(*inputs)
        assert digest() == before
        assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize(
    ("ids", "match"),
    [
        ([0, V], rf"ids\[1\] vale {V}: mi aspettavo un intero fra 0 e {V - 1}"),
        ([-1], r"ids\[0\] vale -1"),
        ([0.5], "ids: mi aspettavo numeri interi"),
        (3, r"ids: mi aspettavo la forma \(..., T\)"),
    ],
)
def test_ids_are_checked(ids, match):
    for kind in (EncoderOnly, DecoderOnly):
        with pytest.raises(ValueError, match=match):
            model_of(kind)(ids)
    for which, arguments in (("source", (ids, [0])), ("target", ([0], ids))):
        with pytest.raises(ValueError, match=match.replace("ids", which)):
            model_of(EncoderDecoder)(*arguments)


@pytest.mark.parametrize(
    ("mask", "match"),
    [
        (np.ones((4, 4)), "mask: mi aspettavo valori booleani"),
        (np.ones((5, 5), bool), r"mask: .* = \(2, 3, 4, 4\), è arrivata la forma \(5, 5\)"),
        (np.ones((2, 4, 4), bool), r"mask: .*\(2, 4, 4\)"),
        (np.ones((5, 2, 3, 4, 4), bool), r"mask: .*\(5, 2, 3, 4, 4\)"),
        ([None], "mask: mi aspettavo una maschera per ognuno dei 2 blocchi, sono 1"),
        ([None, np.ones((3, 3), bool)], r"mask: .*\(3, 3\)"),
    ],
)
@pytest.mark.parametrize("kind", [EncoderOnly, DecoderOnly])
def test_masks_are_checked(kind, mask, match):
    with pytest.raises(ValueError, match=match):
        model_of(kind)(some_ids(2, 4), mask)

"""La cache di key e value: a pezzi o tutto insieme, i logit sono gli stessi."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.transformer.cache import KVCache
from course_lib.transformer.families import DecoderOnly, EncoderDecoder
from tests.transformer.support import expect_same
from tests.transformer.tape import Tape

few = settings(max_examples=25, deadline=None)
V, D, H, N = 9, 8, 2, 2
TOLERANCE = {np.float64: 1e-12, np.float32: 1e-5}


def model_of(kind, dtype=np.float64, n_layers=N):
    model = kind(V, D, H, n_layers, rng=np.random.default_rng(0), dtype=dtype)
    parameters = model.parameters()
    rng = np.random.default_rng(1)
    parameters["W_out"] = rng.normal(size=(D, V)).astype(dtype)  # logit grandi, perché uno scarto si veda
    model.load(parameters)
    return model


def in_pieces(call, ids, cuts):
    """I logit di ids, dato al modello un pezzo alla volta con la stessa cache."""
    cache, logits, start = KVCache(), [], 0
    for end in [*cuts, ids.shape[-1]]:
        assert cache.length == start
        logits.append(call(ids[..., start:end], cache))
        start = end
    assert cache.length == ids.shape[-1]
    return np.concatenate(logits, axis=-2)


@few
@given(
    seed=st.integers(0, 2**32 - 1),
    lead=st.lists(st.integers(1, 2), max_size=2).map(tuple),
    T=st.integers(1, 8),
    dtype=st.sampled_from(list(TOLERANCE)),
    data=st.data(),
)
def test_in_pieces_or_all_at_once(seed, lead, T, dtype, data):
    cuts = sorted(data.draw(st.lists(st.integers(0, T), max_size=4)))
    rng = np.random.default_rng(seed)
    ids, source = rng.integers(0, V, (*lead, T)), rng.integers(0, V, (*lead, 3))
    model = model_of(DecoderOnly, dtype)
    pieces = in_pieces(lambda part, cache: model(part, cache=cache), ids, cuts)
    expect_same(pieces, model(ids), TOLERANCE[dtype] * 10, dtype)
    model = model_of(EncoderDecoder, dtype)
    memory = model.encode(source)
    pieces = in_pieces(lambda part, cache: model.decode(part, memory, cache=cache), ids, cuts)
    expect_same(pieces, model(source, ids), TOLERANCE[dtype] * 10, dtype)


def test_one_token_at_a_time_for_a_long_text():
    """Cento posizioni: la memoria cresce più volte, e le posizioni proseguono da dove erano."""
    model, ids = model_of(DecoderOnly, np.float32), np.random.default_rng(0).integers(0, V, (3, 100))
    pieces = in_pieces(lambda part, cache: model(part, cache=cache), ids, range(1, 100))
    expect_same(pieces, model(ids), 1e-5, np.float32)


def test_a_mask_spans_what_came_before():
    model, ids = model_of(DecoderOnly), np.random.default_rng(0).integers(0, V, (2, 6))
    mask = np.random.default_rng(1).random((2, H, 6, 6)) < 0.7
    cache = KVCache()
    first = model(ids[:, :4], mask[:, :, :4, :4], cache)
    rest = model(ids[:, 4:], mask[:, :, 4:], cache)
    expect_same(np.concatenate([first, rest], axis=1), model(ids, mask), 1e-12)


def test_weights_of_the_last_query():
    model, ids = model_of(DecoderOnly), np.arange(6)
    cache = KVCache()
    model(ids[:5], cache=cache)
    _, weights = model(ids[5:], cache=cache, return_weights=True)
    whole = model(ids, return_weights=True)[1]
    for last, full in zip(weights, whole, strict=True):
        expect_same(last, full[:, 5:], 1e-12)


def test_another_attention_uses_the_cache_too():
    shapes = []

    def spy(Q, K, V, mask):
        shapes.append((K.shape, mask.shape))
        return np.zeros((*Q.shape[:-1], V.shape[-1]))

    model, cache = model_of(DecoderOnly).using(attention=spy), KVCache()
    model([1, 2], cache=cache)
    model([3], cache=cache)
    assert shapes == [((H, 2, D // H), (2, 2))] * N + [((H, 3, D // H), (1, 3))] * N


def test_a_call_that_fails_changes_nothing():
    model, ids = model_of(DecoderOnly), np.arange(6)
    cache = KVCache()
    model(ids[:3], cache=cache)

    def broken(Q, K, V, mask):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model.using(attention=broken)(ids[5:], cache=cache)
    with pytest.raises(ValueError, match="ids"):
        model([V], cache=cache)
    assert cache.length == 3
    expect_same(model(ids[3:], cache=cache), model(ids)[3:], 1e-12)


def test_a_cache_is_of_one_batch_and_one_model():
    model, cache = model_of(DecoderOnly), KVCache()
    model(np.zeros((2, 3), int), cache=cache)
    with pytest.raises(ValueError, match=r"cache: contiene un lotto .*\(2, 2\), ne è arrivato uno \(3, 2\)"):
        model(np.zeros((3, 1), int), cache=cache)
    with pytest.raises(ValueError, match="cache: dello strato 2 non contiene nulla"):
        model_of(DecoderOnly, n_layers=3)(np.zeros((2, 1), int), cache=cache)


def test_a_gradient_does_not_go_through_the_cache():
    model = model_of(DecoderOnly)
    tapes = {name: Tape(a) for name, a in model.parameters().items()}
    with pytest.raises(ValueError, match="cache: serve per generare, non per addestrare"):
        model.using(parameters=tapes)([1, 2], cache=KVCache())

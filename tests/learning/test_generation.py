"""La generazione: cache e non cache danno lo stesso; greedy, temperatura, top-k e top-p a mano."""

import numpy as np
import pytest

from course_lib.learning import fused
from course_lib.learning.fast_decoder import FastDecoder, suits
from course_lib.learning.generation import generate, next_probabilities
from course_lib.transformer import ops as plain
from course_lib.transformer.cache import KVCache
from tests.learning.support import expect_close, small_decoder

P = np.array([0.1, 0.4, 0.2, 0.3])
LOGITS = np.log(P)


def sharp_decoder(dtype=np.float32, **options):
    """Un modello con logit ben distanti, perché l'argmax non dipenda dagli arrotondamenti."""
    model = small_decoder(dtype, **options)
    model.parameters()["W_out"][...] *= 100
    return model


@pytest.mark.parametrize("ops", [plain, fused])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_cached_logits_equal_uncached(ops, dtype, rng):
    model = sharp_decoder(dtype).using(ops=ops)
    ids = rng.integers(0, 11, 40)
    whole, cache = model(ids), KVCache()
    pieces = [model(ids[:7], cache=cache), *(model(ids[i : i + 1], cache=cache) for i in range(7, 40))]
    gap = np.abs(np.concatenate(pieces) - whole).max()
    assert gap <= 1e-5
    assert np.abs(whole).max() > 1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("positions", [True, False])
def test_the_fast_decoder_gives_the_logits_of_the_model(dtype, positions, rng):
    model = small_decoder(dtype, positions=positions)
    for array in model.parameters().values():        # anche γ, β e i termini noti lontani da 1 e da 0
        array += rng.normal(size=array.shape) * 0.3
    ids = rng.integers(0, 11, 40)
    fast, whole = FastDecoder(model, 40), model(ids)
    expect_close(model(ids[:7], cache=fast), whole[:7], 1e-5)
    for i in range(7, 40):
        expect_close(fast(int(ids[i])), whole[i], 1e-5 if dtype is np.float32 else 1e-12)


def test_heads_hundreds_apart_in_the_fast_decoder(rng):
    model = small_decoder(np.float64)
    model.parameters()["decoder.0.self.W_QKV"][:, :4] *= 400
    ids = rng.integers(0, 11, 20)
    fast = FastDecoder(model, 20)
    for i, logits in enumerate(model(ids)):
        expect_close(fast(int(ids[i])), logits, 1e-9)


def test_what_the_fast_decoder_cannot_do_the_model_does():
    uniform = small_decoder(np.float32).using(attention=lambda Q, K, V, mask: Q * 0.0)
    assert not suits(uniform)
    assert suits(small_decoder(np.float32))
    assert not suits(small_decoder(np.float16))
    texts = [generate(uniform, [1, 2], 10, temperature=0, cache=cache) for cache in (True, False)]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("options", [{"temperature": 0}, {"temperature": 1.3, "top_k": 5, "top_p": 0.9}])
def test_with_and_without_cache_the_same_text(options):
    texts = [
        generate(sharp_decoder(), [1, 2, 3], 30, cache=cache, rng=np.random.default_rng(5), **options)
        for cache in (True, False)
    ]
    assert texts[0] == texts[1]
    assert len(texts[0]) == 30
    assert all(type(i) is int and 0 <= i < 11 for i in texts[0])


def test_greedy_is_the_argmax_at_every_step():
    model, ids = sharp_decoder(), [4]
    for new in generate(model, ids, 12, temperature=0):
        assert new == int(np.argmax(model(np.array(ids))[-1]))
        ids.append(new)


def test_the_model_and_the_prompt_are_left_as_they_were():
    model, prompt = sharp_decoder(), np.array([1, 2])
    before = {name: a.copy() for name, a in model.parameters().items()}
    generate(model, prompt, 5, rng=np.random.default_rng(0))
    assert model.ops is plain
    assert prompt.tolist() == [1, 2]
    assert all(np.array_equal(a, before[name]) for name, a in model.parameters().items())


def test_same_seed_same_text():
    a, b, c = (generate(sharp_decoder(), [1], 20, rng=np.random.default_rng(s)) for s in (1, 1, 2))
    assert a == b
    assert a != c


def test_sampling_follows_the_probabilities():
    class Fixed:
        """Un modello che dà sempre gli stessi logit."""

        vocabulary_size, ops = 4, fused

        def __call__(self, ids, cache=None):
            return np.tile(LOGITS, (len(ids), 1))

    drawn = np.array(generate(Fixed(), [0], 20_000, rng=np.random.default_rng(7), cache=True))
    frequencies = np.bincount(drawn, minlength=4) / len(drawn)
    assert np.abs(frequencies - P).max() < 4 * np.sqrt(0.25 / len(drawn))
    drawn = generate(Fixed(), [0], 300, rng=np.random.default_rng(7), top_k=2)
    assert set(drawn) == {1, 3}


def close(actual, expected):
    return np.abs(np.asarray(actual) - np.asarray(expected)).max() < 1e-12


def test_temperature_by_hand():
    assert close(next_probabilities(LOGITS), P)
    assert close(next_probabilities(LOGITS, 0.5), P**2 / (P**2).sum())
    assert close(next_probabilities(LOGITS, 2.0), np.sqrt(P) / np.sqrt(P).sum())
    assert close(next_probabilities(LOGITS, 0), [0, 1, 0, 0])
    assert close(next_probabilities(LOGITS + 1e4, 1e-3), [0, 1, 0, 0])


def test_top_k_by_hand():
    assert close(next_probabilities(LOGITS, top_k=1), [0, 1, 0, 0])
    assert close(next_probabilities(LOGITS, top_k=2), [0, 4 / 7, 0, 3 / 7])
    assert close(next_probabilities(LOGITS, top_k=9), P)
    assert close(next_probabilities([1.0, 1.0, 1.0], top_k=2), [0.5, 0.5, 0])


def test_top_p_keeps_the_token_that_crosses():
    assert close(next_probabilities(LOGITS, top_p=0.3), [0, 1, 0, 0])
    assert close(next_probabilities(LOGITS, top_p=0.5), [0, 4 / 7, 0, 3 / 7])
    assert close(next_probabilities(LOGITS, top_p=0.75), [0, 4 / 9, 2 / 9, 3 / 9])
    assert close(next_probabilities(LOGITS, top_p=1.0), P)
    assert close(next_probabilities([0.0, 0.0], top_p=0.5), [1, 0])      # 0,5 raggiunge p: basta


def test_top_k_comes_before_top_p():
    assert close(next_probabilities(LOGITS, top_k=2, top_p=0.5), [0, 1, 0, 0])   # 4/7 supera 0,5


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"temperature": -1.0}, "temperature"),
        ({"temperature": float("nan")}, "temperature"),
        ({"top_k": 0}, "top_k"),
        ({"top_k": 1.5}, "top_k"),
        ({"top_p": 0.0}, "top_p"),
        ({"top_p": 1.1}, "top_p"),
        ({"rng": None}, "rng"),
        ({"rng": np.random}, "rng"),
        ({"n": -1}, "n: "),
        ({"prompt_ids": []}, "prompt_ids"),
        ({"prompt_ids": [[1, 2]]}, "prompt_ids"),
        ({"prompt_ids": [11]}, "prompt_ids"),
    ],
)
def test_errors_name_the_argument(options, words):
    arguments = {"prompt_ids": [1], "n": 2, "rng": np.random.default_rng(0)} | options
    with pytest.raises(ValueError, match=words):
        generate(small_decoder(), **arguments)


def test_nothing_to_generate():
    assert generate(small_decoder(), [1], 0, temperature=0) == []

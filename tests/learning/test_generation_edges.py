"""I casi limite della generazione: numeri estratti agli estremi, e token a pari merito."""

import numpy as np
import pytest

from course_lib.learning.generation import generate, next_probabilities
from course_lib.transformer.families import DecoderOnly
from tests.learning.support import small_decoder


class Drawn(np.random.Generator):
    """Un Generator che estrae sempre lo stesso numero fra 0 e 1."""

    def __init__(self, number):
        super().__init__(np.random.PCG64(0))
        self.number = number

    def random(self):
        return self.number


def always(logits):
    """Un decoder che dà sempre questi logit."""
    model = small_decoder(V=len(logits))
    for name, array in model.parameters().items():
        if name in ("W_out", "b_out"):
            array[...] = logits if name == "b_out" else 0
    return model


@pytest.mark.parametrize("cache", [True, False])
def test_a_token_of_probability_0_is_never_drawn(cache):
    model = always([0.0, 1.0, 3.0, 2.0])
    assert generate(model, [0], 2, top_k=1, rng=Drawn(0.0), cache=cache) == [2, 2]
    assert generate(model, [0], 2, top_k=2, rng=Drawn(0.0), cache=cache) == [2, 2]
    assert generate(model, [0], 2, top_k=2, rng=Drawn(np.nextafter(1, 0)), cache=cache) == [3, 3]


def test_the_largest_number_drawn_gives_a_token():
    """La somma delle probabilità può restare sotto 1 per arrotondamento: si estrae fra 0 e quella somma."""
    largest, below = np.nextafter(1, 0), 0
    for seed in range(20):
        logits = np.random.default_rng(seed).normal(size=50)
        below += np.cumsum(next_probabilities(logits))[-1] <= largest
        assert generate(always(logits), [0], 1, rng=Drawn(largest)) == [49]
    assert below


def test_with_equal_logits_the_smallest_id_comes_first():
    """Con tanti token: un ordinamento non stabile sbaglia soltanto oltre sedici."""
    assert generate(always([1.0, 3.0, 3.0]), [0], 2, temperature=0) == [1, 1]
    logits = np.zeros(100)
    logits[7::3] = 1.0
    best = np.flatnonzero(logits)
    for k in (1, 5, 30):
        assert np.flatnonzero(next_probabilities(logits, top_k=k)).tolist() == best[:k].tolist()
    assert np.flatnonzero(next_probabilities(logits, top_k=31, top_p=0.5)).tolist() == best[:16].tolist()


class Backwards(DecoderOnly):
    """Un decoder a cui qualcuno ha cambiato i logit."""

    def __call__(self, ids, mask=None, cache=None, **options):
        return -super().__call__(ids, mask, cache, **options)


@pytest.mark.parametrize("cache", [True, False])
def test_a_model_of_another_class_answers_for_itself(cache):
    model = Backwards(4, 8, 2, 1, rng=np.random.default_rng(0))
    model.parameters()["b_out"][...] = [10.0, 20.0, 0.0, 30.0]
    assert generate(model, [0], 3, temperature=0, cache=cache) == [2, 2, 2]

"""Argomenti sbagliati al pianterreno: il messaggio è in italiano e nomina l'argomento."""

import numpy as np
import pytest

from course_lib.transformer.attention import scaled_dot_product_attention
from course_lib.transformer.embeddings import Embedding
from course_lib.transformer.families import DecoderOnly, EncoderDecoder
from course_lib.transformer.heads import MultiHeadAttention
from course_lib.transformer.masks import to_additive
from course_lib.transformer.positions import rotation

ROWS = np.eye(2)


def both():
    return EncoderDecoder(11, 8, 2, 1, rng=np.random.default_rng(0))


def decoder():
    return DecoderOnly(11, 8, 2, 2, rng=np.random.default_rng(0))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: scaled_dot_product_attention(ROWS, ROWS, ROWS, scale="2"), "scale"),
        (lambda: rotation(10**400, 4), "k"),
        (lambda: to_additive(ROWS > 0, "pippo"), "dtype"),
        (lambda: to_additive(ROWS > 0, int), "dtype"),
        (lambda: Embedding.random(3, 2, 5), "rng"),
        (lambda: MultiHeadAttention.random(4, 2, 5), "rng"),
        (lambda: both().decode([1], np.zeros(8)), "memory"),
        (lambda: both().decode([1], "x"), "memory"),
        (lambda: decoder().load(3), "parameters"),
        (lambda: decoder().using(parameters=None), "parameters"),
    ],
)
def test_it_is_named(call, words):
    with pytest.raises(ValueError, match=f"^{words}: "):
        call()


def test_a_mask_written_as_nested_lists_is_not_taken_for_one_a_block():
    """Con due blocchi e due token, [[…], […]] può essere una maschera o due: non si indovina."""
    mask = [[True, False], [True, True]]
    with pytest.raises(ValueError, match=r"mask: .*np\.array"):
        decoder()([1, 2], mask)
    one = np.array(mask)
    assert np.array_equal(decoder()([1, 2], one), decoder()([1, 2], [one, None]))


def test_a_memory_may_be_a_list():
    memory = both().encode([1, 2])
    assert np.array_equal(both().decode([3], memory.tolist()), both().decode([3], memory))

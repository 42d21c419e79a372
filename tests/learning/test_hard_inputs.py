"""Ciò che un allievo distratto passa al motore: o funziona, o lo si dice in italiano alla porta."""

import numpy as np
import pytest

from course_lib.learning import fused
from course_lib.learning.agreement import AgreementGrammar
from course_lib.learning.agreement_model import accuracy, attention_of_the_verb, forbid, train_agreement
from course_lib.learning.autograd import Tensor
from course_lib.learning.corpus import book
from course_lib.learning.losses import cross_entropy
from course_lib.learning.recurrent import Elman, train_elman
from course_lib.learning.tale_model import sample, split_text, train_tale, validation_loss
from course_lib.transformer import ops as plain
from course_lib.transformer.families import DecoderOnly, EncoderOnly
from tests.learning.support import numbers, small_decoder


def both_ways(shape, mask):
    """L'attenzione fusa e quella semplice, uscita e gradienti di Q, K e V: due liste di array."""
    *qkv, g = (numbers(shape, i) for i in range(4))
    results = []
    for ops in (fused, plain):
        tensors = [Tensor(a, requires_grad=True) for a in qkv]
        out = ops.attention(*tensors, mask)
        out.backward(g)
        results.append([out.data, *(t.grad for t in tensors)])
    return results


@pytest.mark.parametrize("mask", [np.array([True, False, True]), np.array(True)])
def test_a_mask_with_fewer_than_two_axes(mask):
    results = both_ways((2, 3, 4), mask)
    for ours, theirs in zip(*results, strict=True):
        assert np.allclose(ours, theirs, rtol=0, atol=1e-12)
    assert np.abs(results[1][1]).max() > 1e-3
    model = EncoderOnly(11, 8, 2, 1, rng=np.random.default_rng(0))
    assert np.allclose(model([1, 2, 3], mask), model.using(ops=fused)([1, 2, 3], mask), rtol=0, atol=1e-12)


@pytest.mark.parametrize("L", [63, 64, 65, 127, 128, 129, 200])
def test_stripes_of_queries_that_see_nothing(L):
    """Ogni maschera dà lo stesso della forma semplice, anche se una striscia intera non vede nulla."""
    causal = np.tri(L, dtype=bool)
    first, last, head = causal.copy(), causal.copy(), np.stack([causal, ~causal])
    first[:70], last[-70:] = False, False
    padding = (np.arange(L) < np.array([L, 0])[:, None])[:, None, None, :]
    shapes = [causal[None, None], head, head[None], padding, causal & padding]
    for mask in [causal, first, last, causal & False, *shapes]:
        for ours, theirs in zip(*both_ways((2, 2, L, 4), mask), strict=True):
            assert np.abs(ours - theirs).max() <= 1e-11


@pytest.mark.parametrize("d", [33, 96])
def test_a_constant_row_far_from_zero_is_normalised_to_zero(d):
    x = np.full((3, d), 1e5, np.float32)
    out = fused.layer_norm(x, np.ones(d, np.float32), np.zeros(d, np.float32))
    assert np.abs(out).max() <= 1e-3


def test_cross_entropy_of_logits_thousands_apart():
    """ln(1 + e⁻³), con logit di diecimila: in float32 il massimo non deve mangiarsi il resto."""
    logits = np.array([[1e4, 1e4 - 3, -1e4]], np.float32)
    assert cross_entropy(logits, [0]) == pytest.approx(np.log1p(np.exp(-3.0)), rel=1e-5)


def test_power_zero_has_no_slope():
    x = Tensor([0.0, -2.0, 3.0], requires_grad=True)
    (x**0 + x ** np.array([0.0, 2.0, 1.0])).sum().backward()
    assert x.grad.tolist() == [0.0, -4.0, 1.0]


def test_a_method_that_is_missing_is_told_in_italian():
    with pytest.raises(AttributeError, match=r"np\.argmax\(t\)"):
        Tensor([1.0]).argmax()
    assert not hasattr(Tensor([1.0]), "detach")


@pytest.mark.parametrize("length", [1, 2, 3, 5, 8])
def test_validation_predicts_every_character_once(length):
    class Counting:
        """Un modello che segna quali token ha davanti a ciascuna posizione."""

        def using(self, ops):
            return self

        def __call__(self, ids):
            return np.eye(40)[ids] * 1000.0                             # sicuro che venga lo stesso token

    for n in range(2, 25):
        ids = np.arange(n)
        ids[n // 2] = ids[n // 2 - 1]                                   # uno solo si indovina
        right = np.count_nonzero(ids[1:] == ids[:-1])
        expected = 1000.0 * (1 - right / (n - 1))
        assert validation_loss(Counting(), ids, length) == pytest.approx(expected)


def test_a_forbidden_character_is_never_written_however_hot():
    learned = train_tale(0, text="nel mezzo del cammin " * 30, steps=1)
    written = sample(learned, "n", 60, np.random.default_rng(0), temperature=1e12)
    assert set(written) <= set("nel mezzo del cammin ")
    with pytest.raises(ValueError, match="prompt"):
        sample(learned, "", 3, np.random.default_rng(0))
    with pytest.raises(ValueError, match="n: mi aspettavo"):
        sample(learned, "n", -3, np.random.default_rng(0))


def grammar():
    return AgreementGrammar(0)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: AgreementGrammar("x"), "seed"),
        (lambda: AgreementGrammar(None), "seed"),
        (lambda: train_agreement(-1), "seed"),
        (lambda: train_elman(1.5), "seed"),
        (lambda: train_tale("x"), "seed"),
        (lambda: train_tale(0, steps="x"), "steps"),
        (lambda: grammar().batches("train", 2.5, np.random.default_rng(0)), "size"),
        (lambda: grammar().batches("train", 2, 3), "rng"),
        (lambda: forbid(4, 3), "keys"),
        (lambda: forbid(4, [9]), "keys"),
        (lambda: forbid(4, [-1]), "keys"),
        (lambda: forbid(4, [0], [4]), "queries"),
        (lambda: validation_loss(small_decoder(), [1]), "ids"),
        (lambda: validation_loss(small_decoder(), [1, 2], 0), "length"),
        (lambda: small_elman()([1, 2]), "ids"),
        (lambda: small_elman()(np.zeros((2, 0), int)), "ids"),
        (lambda: Elman(11, 8, rng=np.random.default_rng(0), dtype=int), "dtype"),
        (lambda: DecoderOnly(11, 8, 2, 1, rng=np.random.default_rng(0), dtype="pippo"), "dtype"),
        (lambda: book(None), "path"),
        (lambda: book("a\0b"), "Non trovo"),
        (lambda: book("a" * 5000), "Non riesco a leggere"),
    ],
)
def test_bad_arguments_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def small_elman():
    return Elman(11, 8, rng=np.random.default_rng(0))


def test_a_network_without_attention_cannot_be_forbidden_to_look():
    trained = train_elman(0, steps=1)
    sentences = trained.grammar.sentences("test")[:2]
    assert 0 <= accuracy(trained, sentences) <= 1
    with pytest.raises(ValueError, match="Elman non ne ha"):
        accuracy(trained, sentences, forbid(6, [0]))
    with pytest.raises(ValueError, match="Elman non ne ha"):
        attention_of_the_verb(trained, sentences)


def test_an_attractor_count_in_floating_point():
    assert grammar().sentences("test", 1.0) == grammar().sentences("test", 1)


def test_an_empty_text_has_integer_ids():
    assert split_text("").train.dtype.kind == "i"

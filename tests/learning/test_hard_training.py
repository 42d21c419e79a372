"""Addestrare, salvare, generare, copiare, con argomenti sbagliati o numeri rovinati."""

import copy
import pickle

import numpy as np
import pytest

from course_lib.learning import fused
from course_lib.learning.checkpoints import load_checkpoint, save_checkpoint
from course_lib.learning.generation import generate, next_probabilities
from course_lib.learning.optim import SGD, AdamW
from course_lib.learning.training import Trainer, text_batches, train
from course_lib.transformer.blocks import DecoderBlock
from course_lib.transformer.families import EncoderOnly
from tests.learning.support import TEXT, batches, small_decoder, trained, weights

INPUTS, TARGETS = next(batches())
NOWHERE = np.zeros(TARGETS.shape, bool)


def nan_slope(Q, K, V, mask):
    """Un'attenzione il cui risultato è finito, e il cui gradiente no."""
    return V + 0.0 * np.sqrt(0.0 * V)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_gradient_that_is_not_a_number_changes_nothing(threads):
    model = small_decoder(np.float32, attention=nan_slope)
    before = weights(model)
    with pytest.raises(FloatingPointError, match="il suo gradiente"):
        train(model, batches(), 3, progress=False, threads=threads)
    assert np.array_equal(weights(model), before)


def test_a_large_finite_gradient_is_not_refused():
    model = small_decoder(np.float32)
    trainer = Trainer(model, SGD(1e-30))
    model.parameters()["W_out"][...] *= np.float32(1e22)
    with np.errstate(over="ignore"):
        assert np.isfinite(trainer.step(INPUTS, TARGETS))
        assert np.isinf(trainer.gradient.dot(trainer.gradient))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("batch", "words"),
    [
        (5, "batches"),
        ((INPUTS,), "batches"),
        ((INPUTS, TARGETS, NOWHERE), "almeno una posizione"),
        ((INPUTS, TARGETS[:3]), "targets"),
        ((INPUTS + 0.5, TARGETS), "ids"),
    ],
)
def test_bad_batches(batch, words, threads):
    with pytest.raises(ValueError, match=words):
        train(small_decoder(), [batch], 1, progress=False, threads=threads)


def test_batches_may_be_lists():
    batch = INPUTS.tolist(), TARGETS.tolist()
    losses = [train(small_decoder(), [batch], 1, progress=False, threads=n).loss for n in (1, 2)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-6)


@pytest.mark.parametrize("dtype", [np.float16, int])
def test_parameters_that_cannot_be_trained(dtype):
    model = small_decoder()
    model.load({name: array.astype(dtype) for name, array in model.parameters().items()})
    with pytest.raises(ValueError, match="float32 o float64"):
        train(model, batches(), 1, progress=False)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"optimizer": "adam"}, "optimizer"),
        ({"optimizer": AdamW}, "optimizer"),
        ({"validation": "x"}, "validation"),
        ({"validation": lambda model: None}, "validation"),
        ({"after_step": 3}, "after_step"),
        ({"checkpoint": 5}, "checkpoint"),
        ({"checkpoint": "."}, "cartella"),
        ({"checkpoint": "non-esiste/a.npz"}, "cartella"),
        ({"checkpoint": "a.npz", "rng": 3}, "rng"),
    ],
)
def test_bad_settings(options, words):
    with pytest.raises(ValueError, match=words):
        trained(1, **options)


@pytest.mark.parametrize("bad", ["x", 3, None])
def test_what_is_not_a_model_or_a_row_of_batches(bad):
    with pytest.raises(ValueError, match="model"):
        train(bad, batches(), 1)
    if bad != "x":
        with pytest.raises(ValueError, match="batches"):
            train(small_decoder(), bad, 1)


@pytest.mark.parametrize(
    "change", [{"ids": TEXT[:3]}, {"ids": TEXT / 2}, {"length": 0}, {"size": 0}, {"size": 1.5}, {"rng": None}]
)
def test_text_batches_refuse_at_once(change):
    good = {"ids": TEXT, "length": 5, "size": 2, "rng": np.random.default_rng(0)}
    with pytest.raises(ValueError, match=next(iter(change))):
        text_batches(**(good | change))


@pytest.mark.parametrize("optimizer", [AdamW(), SGD(momentum=0.9)])
def test_an_optimizer_of_another_model_is_refused(optimizer):
    optimizer.step(np.zeros(3), np.ones(3))
    with pytest.raises(ValueError, match="ottimizzatore nuovo"):
        optimizer.step(np.zeros(4), np.ones(4))


@pytest.mark.parametrize("optimizer", [AdamW(), SGD(momentum=0.9)])
def test_what_an_optimizer_remembers_takes_the_type_of_the_model(optimizer):
    optimizer.step(np.zeros(3), np.ones(3))
    theta = np.zeros(3, np.float32)
    optimizer.step(theta, np.ones(3, np.float32))
    assert (theta < 0).all()
    assert {a.dtype for name, a in optimizer.state().items() if name != "t"} == {np.dtype(np.float32)}


@pytest.mark.parametrize(
    "options", [{"betas": 0.9}, {"betas": (0.9,) * 3}, {"weight_decay": np.nan}, {"weight_decay": "x"}]
)
def test_bad_settings_of_adam(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        AdamW(**options)


def test_a_checkpoint_of_another_optimizer_or_generator(tmp_path):
    path, model, sgd = tmp_path / "a.npz", small_decoder(), SGD(momentum=0.5)
    twister = np.random.Generator(np.random.MT19937(4))
    sgd.step(np.zeros(3), np.ones(3))
    save_checkpoint(path, model, sgd, rng=twister)
    expected = twister.random(3)
    with pytest.raises(ValueError, match="altro ottimizzatore"):
        load_checkpoint(path, model, AdamW())
    with pytest.raises(ValueError, match="MT19937"):
        load_checkpoint(path, model, rng=np.random.default_rng(0))
    again = np.random.Generator(np.random.MT19937(0))
    load_checkpoint(path, model, SGD(momentum=0.5), again)
    assert np.array_equal(again.random(3), expected)
    np.save(tmp_path / "solo.npy", np.zeros(3))
    with pytest.raises(ValueError, match="non è un salvataggio"):
        load_checkpoint(tmp_path / "solo.npy", model)


@pytest.mark.parametrize("cache", [True, False])
@pytest.mark.parametrize("temperature", [0, 1.0])
@pytest.mark.filterwarnings("error")
def test_a_ruined_model_does_not_write(cache, temperature):
    for ruin in (np.nan, 1e12):
        model = small_decoder(np.float32)
        model.parameters()["W_out"][...] = np.nan if ruin != ruin else 0
        model.parameters()["decoder.0.self.W_QKV"][...] *= np.float32(ruin * 1e12)
        with pytest.raises(ValueError, match="logit"):
            generate(model, [1, 2], 3, temperature=temperature, cache=cache, rng=np.random.default_rng(0))


@pytest.mark.parametrize("options", [{"temperature": "x"}, {"temperature": None}, {"top_p": "x"}])
def test_bad_settings_of_generation(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        generate(small_decoder(), [1], 1, **({"rng": np.random.default_rng(0)} | options))


@pytest.mark.parametrize("model", ["x", EncoderOnly(11, 8, 2, 1, rng=np.random.default_rng(0))])
def test_who_does_not_write_does_not_generate(model):
    with pytest.raises(ValueError, match="DecoderOnly"):
        generate(model, [1], 1, temperature=0)


@pytest.mark.filterwarnings("error")
def test_logits_and_temperatures_at_the_limits():
    assert next_probabilities([0.0, 1.0, -np.inf], 1e-320).tolist() == [0.0, 1.0, 0.0]
    for logits in ([1.0, np.nan], [1.0, np.inf], [-np.inf, -np.inf]):
        for temperature in (0, 1.0):
            with pytest.raises(ValueError, match="logits"):
                next_probabilities(logits, temperature)


def test_generation_in_half_precision_is_left_to_the_plain_operations(monkeypatch):
    monkeypatch.setattr(fused, "norm_linear", None)                     # in float16 perderebbe cifre
    assert len(generate(small_decoder(np.float16), [1, 2], 3, temperature=0)) == 3


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))])
def test_a_model_can_be_copied(duplicate):
    model = small_decoder(np.float32)
    for one in (model, model.using(ops=fused)):
        twin = duplicate(one)
        assert twin.ops is one.ops
        assert np.array_equal(twin([1, 2, 3]), one([1, 2, 3]))
    before = twin([1, 2, 3])
    train(model, batches(), 2, progress=False)
    assert np.array_equal(twin([1, 2, 3]), before)                      # è un altro modello
    train(twin, batches(), 2, progress=False)
    assert np.array_equal(weights(twin), weights(model))
    block = DecoderBlock.random(8, 2, np.random.default_rng(0))
    x = np.ones((3, 8))
    assert np.array_equal(duplicate(block)(x), block(x))

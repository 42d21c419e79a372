"""L'addestramento: si ripete dal seme, si ferma pulito, si salva e si riprende, dice che cosa non va."""

import itertools
import sys

import numpy as np
import pytest

from course_lib.learning import fused, memory, training
from course_lib.learning.autograd import Tensor
from course_lib.learning.losses import cross_entropy
from course_lib.learning.optim import SGD, AdamW
from course_lib.learning.training import History, Trainer, flatten, text_batches, train
from course_lib.transformer import ops as plain
from tests.learning.support import TEXT, batches, expect_close, leaves_of, small_decoder, trained, weights


def test_it_learns():
    model, history = trained(150)
    assert history.steps == 150
    assert history.loss[0] == pytest.approx(np.log(11), abs=0.3)
    assert history.loss[-1] < 0.5
    assert not history.interrupted
    assert model.ops is plain
    assert all(type(a) is np.ndarray and a.dtype == np.float32 for a in model.parameters().values())
    assert model(TEXT[:6])[-1].argmax() == 6


@pytest.mark.parametrize("threads", [1, 2])
def test_same_seed_same_numbers(threads):
    (a, first), (b, second) = trained(threads=threads), trained(threads=threads)
    assert first.loss == second.loss
    assert np.array_equal(weights(a), weights(b))
    assert not np.array_equal(weights(a), weights(small_decoder(np.float32)))


@pytest.mark.parametrize("size", [1, 4, 5])
def test_two_threads_compute_the_same_gradient(size):
    inputs, targets = next(batches(size=size))
    counted = np.random.default_rng(0).random(targets.shape) < 0.7
    counted[0, 0] = True
    gradients = []
    for threads in (1, 2):
        trainer = Trainer(small_decoder(np.float64), SGD(0.1), threads)
        losses = [trainer.step(inputs, targets), trainer.step(inputs, targets, counted)]
        gradients.append((losses, trainer.gradient.copy(), weights(trainer.model)))
        trainer.close()
    for one, two in zip(*gradients, strict=True):
        expect_close(two, one, 1e-12)


def test_half_a_batch_may_count_for_nothing():
    inputs, targets = next(batches(size=4))
    counted = np.zeros(targets.shape, bool)
    counted[2:] = True
    results = []
    for threads in (1, 2):
        trainer = Trainer(small_decoder(np.float64), SGD(0.1), threads)
        trainer.step(inputs, targets)
        results.append((trainer.step(inputs, targets, counted), weights(trainer.model)))
        trainer.close()
    expect_close(results[1][0], results[0][0], 1e-12)
    expect_close(results[1][1], results[0][1], 1e-12)


def test_gradient_is_that_of_the_plain_model():
    inputs, targets = next(batches())
    model = small_decoder(np.float64)
    leaves = leaves_of(model)
    loss = cross_entropy(model.using(parameters=leaves)(inputs), targets)
    loss.backward()
    trainer = Trainer(model, SGD(0.1))
    assert trainer.step(inputs, targets) == pytest.approx(loss.item(), rel=1e-12)
    expected = np.concatenate([leaf.grad.ravel() for leaf in leaves.values()])
    expect_close(trainer.gradient, expected, 1e-10)


def test_a_parameter_that_is_not_used_does_not_move():
    """Un token che manca dal lotto, e tutta W_QKV se l'attenzione non guarda nulla."""
    blind = small_decoder().using(attention=lambda Q, K, V, mask: Tensor(np.zeros(Q.shape)))
    trainer = Trainer(blind, SGD(0.1))
    trainer.gradient[...] = 7.0          # ciò che resta di un passo precedente
    before = {name: array.copy() for name, array in blind.parameters().items()}
    trainer.step(np.array([[1, 2, 3]]), np.array([[2, 3, 4]]))
    after = blind.parameters()
    assert np.array_equal(after["embedding"][10], before["embedding"][10])
    assert np.array_equal(after["decoder.0.self.W_QKV"], before["decoder.0.self.W_QKV"])
    assert not np.array_equal(after["W_out"], before["W_out"])


def test_an_attention_that_leaves_the_tensors_is_refused():
    """Si addestrerebbe tutto il resto, e chi studia non se ne accorgerebbe."""
    model = small_decoder().using(attention=lambda Q, K, V, mask: V.data)
    with pytest.raises(TypeError, match="per strada ha lasciato i Tensor"):
        Trainer(model, SGD(0.1)).step(np.array([[1, 2, 3]]), np.array([[2, 3, 4]]))


def test_parameters_are_views_of_one_vector():
    model = small_decoder(np.float32)
    before = weights(model).copy()
    trainer = Trainer(model, SGD(0.1))
    assert np.array_equal(trainer.parameters.vector, before)
    assert all(np.shares_memory(a, trainer.parameters.vector) for a in model.parameters().values())
    with pytest.raises(ValueError, match="un tipo solo"):
        flatten({"a": np.ones(2, np.float32), "b": np.ones(2)})


def block_form(Q, K, V, mask):
    """Come la scrive un allievo: np.sqrt porta tutto a float64."""
    scores = np.where(mask, Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ V


def test_an_attention_written_by_a_pupil_trains_like_ours():
    ours, theirs = trained(60), None
    model = small_decoder(np.float32).using(attention=block_form)
    theirs = train(model, batches(), 60, progress=False)
    expect_close(theirs.loss, ours[1].loss, 1e-3)
    assert model.attention is block_form
    assert model.parameters()["W_out"].dtype == np.float32


def test_an_attention_that_fills_an_array_is_told_why():
    def loop(Q, K, V, mask):
        out = np.zeros(Q.shape)
        out[0, 0, 0, 0] = Q[0, 0, 0, 0] * 2
        return out

    with pytest.raises(TypeError, match="in blocco"):
        train(small_decoder().using(attention=loop), batches(), 1, progress=False)

    def wrong(Q, K, V, mask):
        raise ValueError("un errore dell'allievo")

    with pytest.raises(ValueError, match="dell'allievo"):
        train(small_decoder().using(attention=wrong), batches(), 1, progress=False)


@pytest.mark.parametrize("threads", [1, 2])
def test_nan_loss_is_a_clear_error_and_changes_nothing(threads):
    model = small_decoder(np.float32)
    words = r"passo \d+ .*learning_rate = 1e\+30"
    with np.errstate(all="raise"), pytest.raises(FloatingPointError, match=words):
        train(model, batches(), 50, optimizer=SGD(1e30), progress=False, threads=threads)
    healthy = small_decoder(np.float32)
    healthy.parameters()["W_out"][0, 0] = np.nan
    before = weights(healthy).copy()
    with pytest.raises(FloatingPointError, match="Al passo 1 la loss è diventata NaN"):
        train(healthy, batches(), 1, progress=False)
    assert np.array_equal(weights(healthy), before, equal_nan=True)


def test_batches_that_end_too_soon():
    with pytest.raises(ValueError, match="mancavano 3 passi"):
        train(small_decoder(), itertools.islice(batches(), 2), 5, progress=False)


def test_counted_comes_with_the_batch():
    inputs, targets = next(batches())
    counted = np.zeros(targets.shape, bool)
    counted[:, -1] = True
    history = train(small_decoder(), [(inputs, targets, counted)], 1, progress=False)
    expected = cross_entropy(small_decoder()(inputs), targets, counted)
    assert history.loss[0] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(("options", "words"), [({"threads": 3}, "threads"), ({"every": 0}, "every")])
def test_settings_are_checked(options, words):
    with pytest.raises(ValueError, match=words):
        trained(1, **options)


def test_text_batches_are_pieces_of_the_text():
    inputs, targets = next(batches(size=50, length=6))
    assert inputs.shape == targets.shape == (50, 6)
    assert np.array_equal((inputs + 1) % 11, targets)
    exact = next(text_batches(np.arange(7), 6, 3, np.random.default_rng(0)))
    assert exact[1].tolist() == [[1, 2, 3, 4, 5, 6]] * 3
    many = next(text_batches(np.arange(10), 6, 500, np.random.default_rng(0)))[0]
    assert set(many[:, 0].tolist()) == {0, 1, 2, 3}                       # dal primo pezzo all'ultimo
    with pytest.raises(ValueError, match="oltre 6 ID"):
        next(text_batches(np.arange(6), 6, 3, np.random.default_rng(0)))


def test_reused_memory_is_never_taken_from_who_holds_it():
    pool, shape, dtype = memory.Pool(), (100, 100), np.dtype(np.float32)
    with memory.reuse(pool):
        held = memory.empty(shape, dtype)
        view = memory.empty(shape, dtype)[10:20].T    # anche una vista tiene il suo array
        others = [memory.empty(shape, dtype) for _ in range(3)]
        assert not any(np.shares_memory(o, x) for o in others for x in (held, view))
        address = held.ctypes.data
        del held
        assert memory.empty(shape, dtype).ctypes.data == address
        assert len(pool) == 5
    assert memory.empty(shape, dtype).ctypes.data != address
    assert sys.getrefcount(view) < 5


def test_steps_reuse_the_same_memory():
    trainer = Trainer(small_decoder(np.float32, d=64), AdamW())
    counts = []
    for inputs, targets in itertools.islice(batches(size=16, length=16), 4):
        trainer.step(inputs, targets)
        counts.append(len(trainer._first.pool))
    assert counts[0] > 5
    assert counts == [counts[0]] * 4


def test_a_history_starts_empty():
    assert History().steps == 0
    assert training.train(small_decoder(), [], 0, progress=False).loss == []
    assert fused.linear is not plain.linear

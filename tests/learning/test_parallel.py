"""Il secondo processo fa gli stessi conti del secondo thread, e i suoi guai si raccontano in una frase."""

import copy
import os
import pickle
import signal

import numpy as np
import pytest

from course_lib.learning import blas, parallel
from course_lib.learning.checkpoints import load_checkpoint, save_checkpoint
from course_lib.learning.optim import SGD, AdamW
from course_lib.learning.training import Trainer, train
from course_lib.transformer.families import DecoderOnly
from course_lib.transformer.masks import window_mask
from tests.learning.support import batches, small_decoder, trained, weights

pytestmark = pytest.mark.usefixtures("forking")
HERE = os.getpid()


@pytest.fixture
def trainer(request):
    """Un Trainer con due processi; il modello può avere un'attenzione, data come parametro."""
    model = small_decoder().using(attention=getattr(request, "param", None))
    trainer = Trainer(model, SGD(0.1), 2)
    assert type(trainer._second) is parallel.SecondProcess
    yield trainer
    trainer.close()


class Windowed(DecoderOnly):
    """Un modello che si dà da sé una maschera in più."""

    def __call__(self, ids, mask=None, **options):
        return super().__call__(ids, window_mask(np.shape(ids)[-1], 3), **options)


def soft(Q, K, V, mask):
    scores = np.where(mask, Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), -1e9)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ V


def pupils(scale):
    """Una chiusura: ricorda scale, e non si potrebbe spedire con pickle."""
    return lambda Q, K, V, mask: soft(Q * scale, K, V, mask)


def masked_decoder(dtype):
    return Windowed(11, 8, 2, 2, rng=np.random.default_rng(0), dtype=dtype)


MODELS = {
    "nostro": small_decoder,
    "con l'attenzione di un allievo": lambda dtype: small_decoder(dtype).using(attention=pupils(0.5)),
    "con una maschera": masked_decoder,
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize("kind", MODELS)
def test_a_process_and_a_thread_give_the_same_numbers(kind, size, dtype, monkeypatch):
    results = []
    for forking in (True, False):
        monkeypatch.setattr(parallel, "can_fork", lambda forking=forking: forking)
        trainer = Trainer(MODELS[kind](dtype), AdamW(1e-2), 2)
        assert type(trainer._second) is (parallel.SecondProcess if forking else parallel.SecondThread)
        numbers = []
        for step, (inputs, targets) in zip(range(4), batches(size=size), strict=False):
            counted = np.random.default_rng(step).random(targets.shape) < 0.5
            counted[0, 0] = True
            if step == 3:
                counted[-1:] = size == 1             # per due, la seconda metà non conta
            loss = trainer.step(inputs, targets, counted if step else None)
            numbers += [loss, trainer.gradient.copy()]
        trainer.close()
        results.append([*numbers, weights(trainer.model)])
    for one, other in zip(*results, strict=True):
        assert np.array_equal(one, other)
        assert type(one) is type(other) is float or one.dtype == other.dtype == dtype


def test_the_second_half_is_done_by_another_process(trainer):
    def refuse(*arguments):
        raise AssertionError("la seconda metà l'ha fatta il primo processo")

    inputs, targets = next(batches())
    trainer.step(inputs, targets)
    assert np.any(trainer._second.gradient)
    assert trainer._second._process.pid != HERE
    trainer._second.start = refuse
    trainer.step(inputs[:1], targets[:1])            # uno solo non si divide
    with pytest.raises(AssertionError, match="la seconda"):
        trainer.step(inputs, targets)


def test_a_loss_that_is_not_a_number_changes_nothing():
    model = small_decoder()
    model.parameters()["embedding"][10] = np.nan     # lo vede solo la seconda metà
    before, ids = weights(model).copy(), np.array([[1, 2], [2, 3], [1, 2], [10, 3]])
    trainer = Trainer(model, SGD(0.1), 2)
    with pytest.raises(FloatingPointError):
        trainer.step(ids, ids)
    assert np.array_equal(weights(model), before, equal_nan=True)
    assert np.isfinite(trainer.step(ids[:3], ids[:3]))
    trainer.close()


def memory_of(array):
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array.base


def test_after_training_the_parameters_are_ordinary_arrays(tmp_path):
    model, _ = trained(3, threads=2)
    alone = trained(3, threads=2)[0]
    assert all(memory_of(array) is None for array in model.parameters().values())
    parameters = model.parameters()
    for other in (copy.deepcopy(parameters), pickle.loads(pickle.dumps(parameters))):
        assert all(np.array_equal(other[name], array) for name, array in alone.parameters().items())
    save_checkpoint(tmp_path / "m.npz", model)
    load_checkpoint(tmp_path / "m.npz", fresh := small_decoder(np.float32, seed=5))
    assert np.array_equal(weights(fresh), weights(alone))


def test_closing_changes_no_number_and_leaves_other_parameters_alone(trainer):
    trainer.step(*next(batches()))
    before, model = weights(trainer.model).copy(), trainer.model
    assert memory_of(model.parameters()["W_out"]) is not None
    mine = {**model.parameters(), "b_out": np.ones(11)}
    model.load(mine)                                 # nel frattempo qualcuno ne ha messo uno suo
    trainer.close()
    assert model.parameters()["b_out"] is mine["b_out"]
    assert memory_of(model.parameters()["W_out"]) is None
    assert np.array_equal(weights(model)[:-11], before[:-11])
    trainer.close()
    with pytest.raises(RuntimeError, match="chiuso"):
        trainer.step(*next(batches()))


def test_a_bad_token_in_the_second_half_is_told_as_ever(trainer):
    inputs, targets = next(batches())
    wrong = inputs.copy()
    wrong[-1, 0] = 99
    with pytest.raises(ValueError, match="99"):
        trainer.step(wrong, targets)
    assert np.isfinite(trainer.step(inputs, targets))


class Doubled(Exception):
    def __init__(self, word):
        super().__init__(f"{word} {word}")


def failing(make):
    def attend(Q, K, V, mask):
        if os.getpid() != HERE:
            raise make()
        return soft(Q, K, V, mask)

    return attend


class Local(Exception):
    """Fuori da qui non si trova: pickle la rifiuta."""


Local.__qualname__ = "non.si.trova"


@pytest.mark.parametrize(
    ("trainer", "kind", "words"),
    [
        (failing(lambda: KeyError("un nome")), KeyError, "un nome"),
        (failing(lambda: Local("eccomi")), RuntimeError, "secondo processo.*eccomi"),
        (failing(lambda: Doubled("due")), RuntimeError, "Doubled: due due$"),
        (failing(lambda: SystemExit("basta")), SystemExit, "basta"),
    ],
    indirect=["trainer"],
)
def test_an_error_of_the_second_process_arrives_here(trainer, kind, words):
    for _ in range(2):                               # e il processo resta in piedi
        with pytest.raises(kind, match=words) as caught:
            trainer.step(*next(batches()))
        assert caught.type is kind
        assert trainer._second._process.is_alive()


def die():
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("trainer", [failing(die)], indirect=True)
def test_a_process_killed_at_work_is_one_sentence(trainer):
    before = weights(trainer.model).copy()
    for _ in range(2):
        with pytest.raises(RuntimeError, match="si è fermato all'improvviso"):
            trainer.step(*next(batches()))
    assert np.array_equal(weights(trainer.model), before)


def test_a_process_killed_at_rest_is_replaced(trainer):
    process, batch = trainer._second._process, next(batches())
    process.kill()
    process.join()
    with pytest.raises(RuntimeError, match="si è fermato all'improvviso"):
        trainer.step(*batch)
    other = Trainer(small_decoder(), SGD(0.1))
    assert trainer.step(*batch) == pytest.approx(other.step(*batch), rel=1e-12)
    assert trainer._second._process.pid != process.pid


@pytest.mark.parametrize("where", ["qui", "in attesa", "leggendo", "scrivendo"])
def test_an_interrupted_step_leaves_no_answer_for_the_next(where, trainer, monkeypatch):
    stream, second = batches(), trainer._second
    pipe = second._connection
    place, name, before = {
        "qui": (trainer._first, "run", lambda: None),
        "in attesa": (parallel, "_spin", lambda: None),
        "leggendo": (pipe, "recv", lambda: os.read(pipe.fileno(), 2)),
        "scrivendo": (pipe, "send", lambda: os.write(pipe.fileno(), b"\0\0")),
    }[where]

    def interrupt(*arguments):
        monkeypatch.undo()
        before()
        raise KeyboardInterrupt

    monkeypatch.setattr(place, name, interrupt)
    with pytest.raises(KeyboardInterrupt):
        trainer.step(*next(stream))
    inputs, targets = next(stream)
    expected = Trainer(small_decoder(), SGD(0.1))
    assert trainer.step(inputs, targets) == pytest.approx(expected.step(inputs, targets), rel=1e-12)
    assert np.allclose(trainer.gradient, expected.gradient, rtol=1e-10, atol=1e-14)


def test_train_interrupted_by_hand_closes_the_process():
    processes = []

    def attend(Q, K, V, mask):
        if len(processes) == 4:
            raise KeyboardInterrupt
        processes.append(parallel.multiprocessing.active_children())
        return soft(Q, K, V, mask)

    history = train(small_decoder().using(attention=attend), batches(), 9, progress=False, threads=2)
    assert (history.steps, history.interrupted) == (2, True)
    assert len(processes[-1]) == 1
    assert not parallel.multiprocessing.active_children()


def test_refused_a_process_there_is_a_thread(monkeypatch):
    def refuse(process):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(parallel.multiprocessing.get_context("fork").Process, "start", refuse)
    trainer = Trainer(small_decoder(), SGD(0.1), 2)
    assert type(trainer._second) is parallel.SecondThread
    trainer.step(*next(batches()))
    trainer.close()
    assert all(memory_of(array) is None for array in trainer.model.parameters().values())


def test_blas_with_more_threads_is_told_once(monkeypatch, recwarn):
    parallel._warn_about_threads.cache_clear()
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    trained(1, threads=2)
    assert not recwarn
    parallel._warn_about_threads.cache_clear()
    for name in blas.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(blas, "openblas", lambda what: None)      # un'altra libreria: non si sa
    trained(1)
    assert not recwarn
    trained(1, threads=2)
    trained(1, threads=2)
    assert [w.category for w in recwarn] == [RuntimeWarning]
    assert "OPENBLAS_NUM_THREADS=1" in str(recwarn[0].message)

"""L'addestramento che si ferma, si salva e si riprende."""

import itertools
import os
import signal
import threading

import numpy as np
import pytest

from course_lib.learning.checkpoints import load_checkpoint, save_checkpoint
from course_lib.learning.optim import SGD, AdamW
from course_lib.learning.training import text_batches, train
from tests.learning.support import TEXT, batches, expect_close, small_decoder, trained, weights


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupt_lets_the_step_finish(threads):
    def interrupt(step, loss):
        if step == 3:
            os.kill(os.getpid(), signal.SIGINT)

    handler = signal.getsignal(signal.SIGINT)
    model, history = trained(8, after_step=interrupt, threads=threads)
    assert (history.steps, history.interrupted) == (3, True)
    assert signal.getsignal(signal.SIGINT) is handler
    expect_close(weights(model), weights(trained(3, threads=threads)[0]), 0)


def test_interrupt_inside_a_step_waits_for_its_end(monkeypatch):
    class Interrupted(SGD):
        def step(self, theta, gradient):
            os.kill(os.getpid(), signal.SIGINT)
            super().step(theta, gradient)

    model, history = trained(8, optimizer=Interrupted(0.1))
    assert (history.steps, history.interrupted) == (1, True)
    expect_close(weights(model), weights(trained(1, optimizer=SGD(0.1))[0]), 0)


def test_a_second_interrupt_does_not_wait():
    def twice(step, loss):
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError("il secondo Ctrl-C doveva interrompere")

    assert trained(8, after_step=twice)[1].interrupted


def test_keyboard_interrupt_from_the_batches_is_clean_too():
    def some():
        yield from itertools.islice(batches(), 2)
        raise KeyboardInterrupt

    history = train(small_decoder(), some(), 5, progress=False)
    assert (history.steps, history.interrupted) == (2, True)


def test_it_trains_in_another_thread():
    results = []
    thread = threading.Thread(target=lambda: results.append(trained(2)[1].steps))
    thread.start()
    thread.join()
    assert results == [2]


def test_validation_every_so_many_steps_and_at_the_end():
    seen = []

    def validation(model):
        seen.append(weights(model).copy())
        return len(seen)

    _, history = trained(8, validation=validation, every=3)
    assert history.validation == [(3, 1.0), (6, 2.0), (8, 3.0)]
    assert not np.array_equal(seen[0], seen[1])
    _, history = trained(6, validation=lambda model: 0, every=3)
    assert history.validation == [(3, 0.0), (6, 0.0)]                     # alla fine una volta sola


def test_a_saved_training_goes_on_as_if_never_stopped(tmp_path):
    whole, full = trained(10)
    model, optimizer, rng = small_decoder(np.float32), AdamW(3e-3), np.random.default_rng(3)
    path = tmp_path / "salvato.npz"
    train(
        model,
        text_batches(TEXT, 6, 4, rng),
        4,
        optimizer=optimizer,
        progress=False,
        checkpoint=path,
        rng=rng,
        validation=lambda m: 0.5,
    )
    other, fresh, dice = small_decoder(np.float32, seed=99), AdamW(3e-3), np.random.default_rng(0)
    history = load_checkpoint(path, other, fresh, dice)
    assert history.steps == 4
    assert history.validation == [(4, 0.5)]
    rest = text_batches(TEXT, 6, 4, dice)
    after = train(other, rest, 6, optimizer=fresh, progress=False, history=history)
    assert after.loss == full.loss
    assert np.array_equal(weights(other), weights(whole))
    assert [p.name for p in tmp_path.iterdir()] == ["salvato.npz"]


def test_checkpoints_are_written_along_the_way(tmp_path):
    path = tmp_path / "salvato.npz"
    steps = []

    def after(step, loss):
        if path.exists():
            steps.append(load_checkpoint(path, small_decoder(np.float32)).steps)

    trained(5, checkpoint=path, every=2, after_step=after)
    assert steps == [2, 2, 4, 4]
    assert load_checkpoint(path, small_decoder(np.float32)).steps == 5


def test_wrong_files_are_refused(tmp_path):
    model = small_decoder()
    with pytest.raises(ValueError, match="Non trovo"):
        load_checkpoint(tmp_path / "manca.npz", model)
    (tmp_path / "testo.npz").write_text("non sono un archivio", encoding="utf-8")
    with pytest.raises(ValueError, match="non è un salvataggio"):
        load_checkpoint(tmp_path / "testo.npz", model)
    np.savez(tmp_path / "oggetti.npz", parameter=np.array([{}], dtype=object))
    with pytest.raises(ValueError, match="non è un salvataggio"):
        load_checkpoint(tmp_path / "oggetti.npz", model)
    save_checkpoint(tmp_path / "altro.npz", small_decoder(d=4))
    before = weights(model).copy()
    with pytest.raises(ValueError, match="embedding"):
        load_checkpoint(tmp_path / "altro.npz", model)
    assert np.array_equal(weights(model), before)


def test_progress_bar_can_be_turned_off(capsys):
    trained(2)
    assert capsys.readouterr().err == ""
    train(small_decoder(), batches(), 2)
    assert "2/2" in capsys.readouterr().err

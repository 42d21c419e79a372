"""La vita del secondo processo: che cosa eredita, che cosa lascia stare, quando finisce."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import pytest

from course_lib.learning import parallel
from course_lib.learning.optim import SGD
from course_lib.learning.training import Trainer
from tests.conftest import ROOT
from tests.learning.support import batches, small_decoder, trained

pytestmark = pytest.mark.usefixtures("forking")
HERE = os.getpid()
LONG = 30                                            # secondi: oltre, non succederà più


def two():
    return Trainer(small_decoder(), SGD(0.1), 2)


def state(pid):
    """La lettera dello stato di un processo: R corre, S dorme, Z è finito; stringa vuota se non c'è più."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def wait_for(condition):
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, "non è successo"
        time.sleep(0.01)


def test_between_steps_it_sleeps():
    trainer = two()
    trainer.step(*next(batches()))
    wait_for(lambda: state(trainer._second._process.pid) == "S")
    trainer.close()


def test_closing_one_of_two_lets_it_leave_by_itself():
    """Il figlio nato dopo eredita i capi del primo: se non li chiude, il primo non si accorge di nulla."""
    first, later = two(), two()
    first.step(*next(batches()))
    later.step(*next(batches()))
    first.close()
    assert first._second._process.exitcode == 0      # −9 vorrebbe dire che lo si è dovuto uccidere
    later.step(*next(batches()))
    later.close()
    assert later._second._process.exitcode == 0


@pytest.mark.parametrize("stuck", [False, True])
def test_a_process_that_does_not_answer_is_killed(stuck):
    trainer = two()
    trainer.step(*next(batches()))
    process = trainer._second._process
    if stuck:
        os.kill(process.pid, signal.SIGSTOP)
    trainer.close()
    assert process.exitcode == (-signal.SIGKILL if stuck else 0)


def test_a_forgotten_trainer_leaves_no_process():
    trainer = two()
    trainer.step(*next(batches()))
    process, model = trainer._second._process, trainer.model
    del trainer
    gc.collect()
    assert process.exitcode == 0
    assert np.isfinite(model(np.array([1, 2]))).all()


def test_a_child_does_not_close_the_trainers_of_its_father():
    trainer = two()
    trainer.step(*next(batches()))
    child = os.fork()
    if not child:
        code = 1
        try:
            parallel._end(*trainer._second._end.peek()[2])
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert trainer._second._process.is_alive()
    trainer.step(*next(batches()))
    trainer.close()


def test_ctrl_c_does_not_stop_it():
    trainer = two()
    pid = trainer._second._process.pid
    for _ in range(3):
        os.kill(pid, signal.SIGINT)
        trainer.step(*next(batches()))
    assert trainer._second._process.pid == pid
    trainer.close()


def report():
    """Ciò che il secondo processo ha cambiato per sé."""
    return (
        signal.getsignal(signal.SIGINT) == signal.SIG_IGN,
        signal.getsignal(signal.SIGTERM) == signal.SIG_DFL,
        signal.set_wakeup_fd(-1),
        sum(not connection.closed for connection in parallel._open),
        gc.get_freeze_count() > 1000,
        [os.readlink(f"/proc/self/fd/{fd}") for fd in (1, 2)],
    )


def test_it_leaves_alone_what_it_inherits():
    def attend(Q, K, V, mask):
        if os.getpid() != HERE:
            raise KeyError(*report())
        return Q * 1

    bell = os.pipe2(os.O_NONBLOCK)
    before = signal.set_wakeup_fd(bell[1])
    handlers = {n: signal.signal(n, lambda number, frame: None) for n in (signal.SIGINT, signal.SIGTERM)}
    other = two()
    try:
        trainer = Trainer(small_decoder().using(attention=attend), SGD(0.1), 2)
        with pytest.raises(KeyError) as caught:
            trainer.step(*next(batches()))
        trainer.close()
    finally:
        signal.set_wakeup_fd(before)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for end in bell:
            os.close(end)
    other.close()
    assert caught.value.args == (True, True, -1, 0, True, [os.devnull, os.devnull])


def test_it_is_born_undisturbed(monkeypatch, recwarn):
    """Senza Ctrl-C a metà, senza un altro fork insieme, senza l'avviso di Python 3.12 sui thread."""
    seen, kind = [], parallel.multiprocessing.get_context("fork").Process
    start = kind.start

    def watched(process):
        warnings.warn("use of fork() may lead to deadlocks", DeprecationWarning, stacklevel=1)
        blocked = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
        seen.append((blocked, parallel._forking.locked()))
        start(process)

    monkeypatch.setattr(kind, "start", watched)
    two().close()
    assert seen == [(True, True)]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    assert not [w for w in recwarn if w.category is DeprecationWarning]


def test_its_death_is_seen_even_if_someone_keeps_its_pipe_open(monkeypatch):
    kept = []
    with monkeypatch.context() as patch:
        patch.setattr(Connection, "__exit__", lambda pipe, *error: kept.append(pipe))
        trainer = two()
    trainer.step(*next(batches()))
    os.kill(trainer._second._process.pid, signal.SIGKILL)
    with pytest.raises(RuntimeError, match="si è fermato all'improvviso"):
        trainer.step(*next(batches()))
    assert len(kept) == 1
    kept[0].close()
    trainer.close()


def test_it_prints_nothing(capfd):
    def attend(Q, K, V, mask):
        print("riga di", os.getpid())
        print("riga di", os.getpid(), file=sys.stderr)
        os.write(1, f"riga di {os.getpid()}\n".encode())
        return Q * 1

    trainer = Trainer(small_decoder(layers=1).using(attention=attend), SGD(0.1), 2)
    trainer.step(*next(batches()))
    trainer.close()
    out, err = capfd.readouterr()
    assert out.split("\n")[:-1] == [f"riga di {HERE}"] * 2
    assert err == f"riga di {HERE}\n"


def test_it_works_from_another_thread():
    results = []

    def work():
        results.append(trained(3, threads=2)[1].loss)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert results == [trained(3, threads=2)[1].loss]


def test_one_that_cannot_be_replaced_is_the_same_sentence(monkeypatch):
    def refuse(process):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    trainer = two()
    trainer._second.close()                          # come se fosse morto
    with monkeypatch.context() as patch:
        patch.setattr(parallel.multiprocessing.get_context("fork").Process, "start", refuse)
        with pytest.raises(RuntimeError, match="si è fermato all'improvviso"):
            trainer.step(*next(batches()))
    trainer.step(*next(batches()))
    trainer.close()


SCRIPT = """
import atexit, gc, os, signal, sys
from tests.learning.support import batches, small_decoder
from course_lib.learning.optim import SGD
from course_lib.learning.training import Trainer

atexit.register(print, "addio")
trainers = [Trainer(small_decoder(), SGD(0.1), 2) for _ in range(3)]
for trainer in trainers:
    trainer.step(*next(batches()))
inherits = os.fork()                     # un altro figlio, non nostro, con tutti i tubi aperti
if not inherits:
    os.close(1)
    signal.alarm(60)
    signal.pause()
print(*[t._second._process.pid for t in trainers], inherits, flush=True)
"""


@pytest.mark.parametrize("ending", ["", "os.kill(os.getpid(), signal.SIGKILL)", "os._exit(0)", "1 / 0"])
def test_it_ends_with_its_father(ending):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT + ending],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        timeout=LONG,
    )
    first, *rest = done.stdout.decode().splitlines()
    *pids, other = map(int, first.split())
    try:
        assert rest == ([] if "os." in ending else ["addio"])
        wait_for(lambda: all(state(pid) in ("", "Z") for pid in pids))
    finally:
        os.kill(other, signal.SIGKILL)

"""Un lavoratore per core: processi generati dopo le importazioni, una consegna alla volta.

Ciò che vale è l'esito sul disco: se un lavoratore muore dopo averlo scritto la consegna è corretta, se muore
prima la rifà un altro. Muore con chi lo ha generato: una correzione fermata non lascia nessuno al lavoro.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import itertools
import multiprocessing
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait

from traitlets.config import Config

from course_lib.grading import warm
from course_lib.grading.collection import Submission
from course_lib.grading.gradebook import kept_open
from course_lib.grading.limits import Limits
from course_lib.grading.single import Job, give_up, grade_one, make_api

TRIES = 3
MOST = 16  # ciascuno può tenere quattro box, e gli uid riservati sono sessantaquattro
GAVE_UP = (
    f"La correzione di questa consegna si è fermata {TRIES} volte senza arrivare in fondo, forse per poca "
    "memoria: non è colpa di chi l'ha scritta. Alla prossima correzione si riprova."
)
PR_SET_PDEATHSIG = 1


@dataclass
class Worker:
    """Un processo, il filo per parlargli, la consegna che ha in mano e quando deve averla finita."""

    process: multiprocessing.Process
    line: Connection
    slot: int
    task: int | None = None
    stop_at: float = 0.0

    def is_stuck(self) -> bool:
        """Se ha in mano una consegna da troppo tempo."""
        return self.task is not None and time.monotonic() > self.stop_at


class Team:
    """I lavoratori di una classe. `run` distribuisce le consegne e dice quali sono finite."""

    def __init__(self, job: Job, submissions: list[Submission], count: int, finished: Callable) -> None:
        """finished(i) è vero se l'esito della consegna i è già sul disco."""
        self.job, self.submissions, self.count, self.finished = job, submissions, count, finished
        self.context = multiprocessing.get_context("fork")
        self.numbers = itertools.count()
        self.workers: list[Worker] = []
        self.waiting = deque(range(len(submissions)))
        self.tries = [0] * len(submissions)
        limits: Limits = job.config.BoxAndJudge.limits
        self.most = 2 * limits.notebook_seconds + 60  # oltre, il lavoratore è bloccato

    def run(self, done: Callable[[int], None]) -> None:
        """Corregge tutto; done(i) a ogni consegna finita. Alla fine, comunque vada, non resta nessuno."""
        gc.collect()
        gc.freeze()  # così i processi generati non copiano la memoria solo per contarne gli oggetti
        try:
            while self.waiting or any(worker.task is not None for worker in self.workers):
                self._hand_out()
                self._listen(done)
        finally:
            gc.unfreeze()
            self._dismiss()

    def _hand_out(self) -> None:
        for worker in self.workers:
            if worker.task is None and self.waiting and worker.process.is_alive():
                self._give(worker)
        while self.waiting and len(self.workers) < self.count:
            worker = self._hire()
            self.workers.append(worker)
            self._give(worker)

    def _give(self, worker: Worker) -> None:
        worker.task = self.waiting.popleft()
        worker.stop_at = time.monotonic() + self.most
        self.tries[worker.task] += 1
        try:
            worker.line.send(worker.task)
        except OSError:  # è morto mentre aspettava: lo si vedrà fra un momento
            self.tries[worker.task] -= 1

    def _hire(self) -> Worker:
        ours, theirs = self.context.Pipe()
        others = [worker.line for worker in self.workers]
        taken = {worker.slot for worker in self.workers}
        place = next(self.numbers), next(n for n in itertools.count() if n not in taken)
        process = self.context.Process(
            target=_work,
            args=(self.job, self.submissions, theirs, place, os.getpid(), [ours, *others]),
            daemon=True,
        )
        process.start()
        theirs.close()
        return Worker(process, ours, place[1])

    def _listen(self, done: Callable[[int], None]) -> None:
        watched = [w.line for w in self.workers] + [w.process.sentinel for w in self.workers]
        wait(watched, timeout=1.0)
        for worker in list(self.workers):
            if _answered(worker):
                done(worker.task)
                worker.task = None
            elif not worker.process.is_alive() or worker.is_stuck():
                self._bury(worker, done)

    def _bury(self, worker: Worker, done: Callable[[int], None]) -> None:
        """Un lavoratore è morto, o non risponde: la sua consegna è finita, o va rifatta, o si rinuncia."""
        worker.process.kill()
        worker.process.join()
        task, status = worker.task, worker.process.exitcode
        self.workers.remove(worker)
        worker.line.close()
        if task is None:
            return
        submission = self.submissions[task]
        if self.finished(task):
            done(task)
            return
        self.job.fault(submission.student, errore=f"il lavoratore si è fermato (stato {status})")
        if self.tries[task] < TRIES:
            self.waiting.appendleft(task)
            return
        give_up(self.job, submission, GAVE_UP)
        done(task)

    def _dismiss(self) -> None:
        for worker in self.workers:
            worker.process.kill()  # o ha finito, o lo si interrompe: l'esito è già sul disco o non c'è
        for worker in self.workers:
            worker.process.join()
            worker.line.close()
        self.workers.clear()


def _answered(worker: Worker) -> bool:
    try:
        return worker.line.poll() and worker.line.recv() == worker.task
    except (EOFError, OSError):
        return False


def _work(
    job: Job, submissions: list[Submission], line: Connection, place: tuple, parent: int, others: list
) -> None:
    """La vita di un lavoratore: corregge ciò che gli si dà, finché il filo resta aperto.

    place: quanti ne sono nati prima, e il suo posto fra quelli vivi
    """
    number, slot = place
    signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C riguarda chi dirige; ai box non si trasmette
    _die_with(parent)
    stay_on_one_core(slot)
    for connection in others:
        connection.close()
    try:
        config = Config(job.config)
        config.BoxAndJudge.worker = number
        api = make_api(config)
        warm.keep()
        with kept_open(job.url):
            while True:
                task = line.recv()
                grade_one(job, submissions[task], api)
                line.send(task)
    except (EOFError, BrokenPipeError):
        os._exit(0)
    except BaseException as error:
        with contextlib.suppress(OSError):  # se nemmeno il diario si scrive, lo dice chi dirige
            job.fault("", errore=f"lavoratore {number}: {error!r}")
        os._exit(1)


def stay_on_one_core(slot: int) -> None:
    """Il lavoratore, e i box che genera, su un core solo: chi lo riempie non ruba tempo alle altre consegne.

    slot: il posto fra i lavoratori vivi. Il filtro del box vieta di cambiare core.
    """
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[slot % len(cores)]})


def _die_with(parent: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # è morto prima che glielo si potesse legare
        os._exit(0)

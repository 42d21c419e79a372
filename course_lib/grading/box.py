"""Il box visto dal giudice: avvio, celle, chiamate. Ogni attesa ha un termine."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import time

import psutil

from course_lib.grading import memory, sandbox, uids
from course_lib.grading.inside import wire
from course_lib.grading.limits import Limits
from course_lib.grading.verdicts import BoxFailure, Verdict
from course_lib.notation import number
from course_lib.project import CorsoError

TICK = 0.1  # ogni quanto, aspettando, si guarda se un limite è superato
SIGXCPU = -24


class Box:
    """Un box per consegna. Si usa con `with`; all'uscita non ne resta alcun processo."""

    def __init__(
        self,
        isolation: sandbox.Isolation,
        limits: Limits,
        modules: tuple[str, ...] = (),
        preload: tuple[str, ...] = ("numpy",),
        worker: int = 0,
    ) -> None:
        self.isolation, self.limits, self.modules, self.preload = isolation, limits, modules, preload
        self.worker = worker  # solo un suggerimento: da quale uid cominciare a cercarne uno libero
        self.lease: uids.Lease | None = None
        self.ends_at = time.monotonic() + limits.notebook_seconds
        self.process: subprocess.Popen | None = None
        self.running = False
        self.start_error = ""

    def __enter__(self) -> Box:
        self.lease = sandbox.lease_uid(self.isolation, self.worker)
        try:
            self._start()
        except BaseException:
            self.lease.close()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
        self.lease.close()

    def _start(self) -> None:
        if not self.isolation.real:
            sandbox.fill_bare_library(self.modules)
        filter_fd = sandbox.system_call_filter(self.isolation)
        to_read, self.to_pupil = os.pipe()
        self.from_pupil, to_write = os.pipe()
        command = sandbox.box_command(
            self.isolation,
            self.limits,
            self.modules,
            list(self.preload),
            (to_read, to_write),
            self.lease.uid,
            filter_fd,
        )
        self.meter = memory.meter(self.limits, self.isolation.real)
        # anche bwrap parte senza l'ambiente di chi corregge: il suo processo si può leggere da dentro
        env = sandbox.box_environment() if self.isolation.real else sandbox.bare_environment()
        passed = [fd for fd in (to_read, to_write, filter_fd) if fd is not None]
        command = [*self.meter.prefix(), *command]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            pass_fds=passed, bufsize=0, env=env, cwd="/",
        )  # fmt: skip
        for fd in passed:
            os.close(fd)
        self.meter.attach(self.process.pid)
        self.control_in, self.control_out = self.process.stdin.fileno(), self.process.stdout.fileno()
        self.buffers = {self.from_pupil: bytearray(), self.control_out: bytearray()}
        for fd in (self.to_pupil, *self.buffers, self.process.stderr.fileno()):
            os.set_blocking(fd, False)
        try:
            self._receive(
                self.control_out, self.limits.start_seconds
            )  # «ready»: nessun codice d'allievo è girato
        except BoxFailure as failure:
            self.close()
            if time.monotonic() > self.ends_at:
                raise BoxFailure(Verdict.TIMEOUT, failure.message) from None
            raise CorsoError(f"Il box non è partito: {self.start_error or 'nessun messaggio'}.") from None

    def close(self) -> None:
        """Chiude il box e attende che sia davvero finito."""
        if self.process is None:
            return
        _end(self.process)
        self.meter.close()
        for fd in (self.to_pupil, self.from_pupil):
            with contextlib.suppress(OSError):
                os.close(fd)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            stream.close()
        self.process, self.running = None, False

    def begin(self, *, silent: bool) -> None:
        """Comincia una passata: un processo nuovo, senza memoria di quello di prima."""
        fresh = self.process is None
        if fresh:
            self._start()
        try:
            self._fork(silent)
        except BoxFailure:
            if fresh or time.monotonic() > self.ends_at:
                raise
            self.close()  # era morto mentre aspettava, e non per colpa di questa consegna
            self._start()
            self._fork(silent)
        self.meter.forgive()
        self.running = True

    def _fork(self, silent: bool) -> None:
        self._send(self.control_in, wire.pack({"kind": "fork", "silent": silent}), self.limits.start_seconds)
        answer, _ = self._receive(self.control_out, self.limits.start_seconds)
        if answer.get("kind") != "started":
            raise BoxFailure(Verdict.CRASHED, "il codice non risponde più.")

    def end(self) -> None:
        """Chiude la passata: nessun suo processo sopravvive, nessun suo byte resta sul filo."""
        if not self.running:
            return
        self.running = False
        try:
            self._send(self.control_in, wire.pack({"kind": "stop"}), self.limits.start_seconds)
            while (
                self._receive(self.control_out, self.limits.start_seconds, watch=False)[0].get("kind")
                != "ended"
            ):
                pass
        except (BoxFailure, wire.WireError):
            self.close()
            return
        with contextlib.suppress(BlockingIOError):
            while os.read(self.from_pupil, 1 << 16):
                pass
        self.buffers[self.from_pupil].clear()

    def ask(self, header: dict, chunks: list[bytes], seconds: float) -> tuple[dict, bytes]:
        """Una domanda al processo dell'allievo e la risposta. Solleva BoxFailure: la passata è finita."""
        try:
            self._send(self.to_pupil, wire.pack(header, chunks), seconds)
            return self._receive(self.from_pupil, seconds)
        except wire.WireError as error:
            self.end()
            raise BoxFailure(
                Verdict.SUSPECT, f"ha scritto dove passano i risultati della correzione: {error}"
            ) from None
        except BoxFailure:
            self.end()
            raise

    def _send(self, fd: int, data: bytes, seconds: float) -> None:
        view, stop = memoryview(data), self._deadline(seconds)
        while view:
            _, ready, _ = select.select([], [fd], [], TICK)
            if ready:
                try:
                    view = view[os.write(fd, view) :]
                except BrokenPipeError:
                    raise self._died() from None
            self._check(stop, seconds)

    def _receive(self, wanted: int, seconds: float, watch: bool = True) -> tuple[dict, bytes]:
        """Il prossimo messaggio da `wanted`. Se intanto la passata finisce da sola, solleva BoxFailure."""
        stop = self._deadline(seconds)
        sources = [wanted] if wanted == self.control_out else [wanted, self.control_out]
        while True:
            message = _take(self.buffers[wanted])
            if message is not None:
                self._check_memory()
                return message
            if wanted != self.control_out and (ended := _take(self.buffers[self.control_out])) is not None:
                self.running = False
                raise self._too_much() if self.meter.exceeded() else _ended(ended[0].get("status"))
            for fd in select.select(sources, [], [], TICK)[0]:
                part = os.read(fd, 1 << 20)
                if not part:
                    raise self._died()
                self.buffers[fd] += part
            if watch:
                self._check(stop, seconds)
            elif time.monotonic() > stop:
                raise BoxFailure(Verdict.CRASHED, "il codice non risponde più.")

    def _deadline(self, seconds: float) -> float:
        return time.monotonic() + seconds

    def _check(self, stop: float, seconds: float) -> None:
        self._check_memory()  # per prima: una macchina carica si accorge insieme dell'una e dell'altro
        now = time.monotonic()
        if now > self.ends_at:
            raise BoxFailure(
                Verdict.TIMEOUT,
                f"l'intera consegna ha superato {number(self.limits.notebook_seconds)} secondi.",
            )
        if now > stop:
            raise BoxFailure(Verdict.TIMEOUT, f"superati {number(seconds)} secondi.")

    def _check_memory(self) -> None:
        if self.running and self.meter.exceeded():  # la fine di una passata si attende comunque
            raise self._too_much()

    def _too_much(self) -> BoxFailure:
        return BoxFailure(Verdict.MEMORY, f"superati {self.limits.memory // 2**20} MB di memoria.")

    def _died(self) -> BoxFailure:
        """Il capostipite non c'è più: il box è da riavviare."""
        with contextlib.suppress(OSError):
            self.start_error = os.read(self.process.stderr.fileno(), 2_000).decode("utf-8", "replace").strip()
        exceeded = self.meter.exceeded()
        self.close()
        if exceeded:
            return self._too_much()
        return BoxFailure(Verdict.CRASHED, "Python si è fermato da solo.")


def _end(process: subprocess.Popen) -> None:
    """Uccide il capostipite, primo processo del suo spazio: con lui il nucleo finisce tutti gli altri.

    bwrap, che gli è genitore, lo raccoglie ed esce da sé: ucciso prima, lascerebbe un orfano da raccogliere.
    """
    with contextlib.suppress(psutil.Error):
        for child in psutil.Process(process.pid).children():
            with contextlib.suppress(psutil.Error):
                child.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=0.0 if process.poll() is not None else 10)
    process.kill()
    process.wait()


def _take(buffer: bytearray) -> tuple[dict, bytes] | None:
    """Toglie dal buffer un messaggio intero, se c'è. Solleva wire.WireError se non ha il formato giusto."""
    if len(buffer) < wire.FRAME.size:
        return None
    head, size = wire.frame_sizes(bytes(buffer[: wire.FRAME.size]))
    start, end = wire.FRAME.size, wire.FRAME.size + head + size
    if len(buffer) < end:
        return None
    header = wire.unpack_header(bytes(buffer[start : start + head]))
    payload = bytes(buffer[start + head : end])
    del buffer[:end]
    return header, payload


def _ended(status: object) -> BoxFailure:
    if status == SIGXCPU:
        return BoxFailure(Verdict.TIMEOUT, "superato il tempo di calcolo.")
    return BoxFailure(Verdict.CRASHED, "Python si è fermato da solo.")

"""Il secondo lavoratore di un addestramento: un altro processo su Linux, un altro thread altrove.

Due thread di Python non vanno più svelti di uno: un passo è fatto di centinaia di brevi chiamate di NumPy, e
a ognuna si contendono l'interprete (il GIL). Due processi ne hanno uno ciascuno. I parametri e il gradiente
stanno in una memoria che vedono entrambi: in mezzo passano solo il mezzo lotto e la sua parte di loss.
Il secondo processo nasce con fork, copia del primo: conosce già il modello, e l'attenzione di un allievo.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import mmap
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
import warnings
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from course_lib.learning import blas
from course_lib.learning.worker import Worker

_SPIN = 0.002            # secondi: chi aspetta guarda di continuo per così poco, poi dorme
_LOOK = 1.0              # secondi: ogni quanto chi dorme controlla che l'altro ci sia ancora
_PATIENCE = 0.5          # secondi: quanto si aspetta che il secondo processo esca da sé
_open = weakref.WeakSet()                            # i capi di chi comanda: ogni nuovo figlio li eredita
_forking = threading.Lock()


def second_worker(model, parameters):
    """Un SecondProcess dove si può, se no un SecondThread; parameters: un Parameters in memoria comune."""
    _warn_about_threads()
    if can_fork():
        try:
            return SecondProcess(model, parameters)
        except OSError:                              # il sistema non concede altri processi
            pass
    return SecondThread(model, parameters)


def can_fork():
    """Se un secondo processo può nascere con fork: su macOS non è sicuro, su Windows non c'è."""
    return sys.platform == "linux" and not multiprocessing.current_process().daemon


def shared_zeros(size, dtype):
    """Un vettore di `size` zeri che i processi nati dopo vedono e cambiano."""
    return np.frombuffer(mmap.mmap(-1, size * np.dtype(dtype).itemsize), dtype)


class SecondThread:
    """Mezzo lotto in un altro thread. Dopo result() il suo gradiente è in .gradient."""

    def __init__(self, model, parameters):
        self._worker, self._executor = Worker(model, parameters), ThreadPoolExecutor(1)
        self.gradient = self._worker.gradient

    def start(self, inputs, targets, counted, share):
        """Comincia; gli argomenti sono quelli di Worker.run."""
        self._answer = self._executor.submit(self._worker.run, inputs, targets, counted, share)

    def result(self):
        """Aspetta, e restituisce la parte di loss o solleva l'errore."""
        return self._answer.result()

    def close(self):
        """Ferma il thread."""
        self._executor.shutdown()


class SecondProcess:
    """Mezzo lotto in un altro processo. Dopo result() il suo gradiente è in .gradient.

    Solleva RuntimeError se il processo muore; alla richiesta seguente ne nasce un altro.
    """

    def __init__(self, model, parameters):
        self.gradient = shared_zeros(parameters.vector.size, parameters.vector.dtype)
        self._work, self._asked = (model, parameters, self.gradient), 0
        self._fork()

    def _fork(self):
        with _forking:                               # un figlio nato intanto terrebbe aperto `its`
            ours, its = multiprocessing.get_context("fork").Pipe()
            _open.add(ours)
            with its:
                self._process = multiprocessing.get_context("fork").Process(
                    target=_serve, args=(its, os.getpid(), *self._work), daemon=True
                )
                with _quiet_fork():
                    self._process.start()
        self._connection = ours
        self._end = weakref.finalize(self, _end, self._process, ours, os.getpid())

    def start(self, inputs, targets, counted, share):
        """Comincia; gli argomenti sono quelli di Worker.run."""
        if not self._end.alive:
            self._talk(self._fork)
        self._asked += 1
        self._talk(self._connection.send, (self._asked, (inputs, targets, counted, share)))

    def result(self):
        """Aspetta, e restituisce la parte di loss o solleva l'errore."""
        number = None
        while number != self._asked:                 # le risposte a richieste interrotte si saltano
            if not _spin(self._connection):
                while not self._connection.poll(_LOOK) and self._process.is_alive():
                    pass
            number, loss, error = self._talk(self._receive)
        if error is not None:
            raise error
        return loss

    def _receive(self):
        if not self._connection.poll(0):             # chi l'ha atteso ha visto che il processo non c'è più
            raise EOFError
        return self._connection.recv()

    def _talk(self, function, *args):
        """Una lettura o una scrittura; interrotta a metà rende inservibile il tubo, che si chiude."""
        try:
            return function(*args)
        except (EOFError, OSError):
            self._end()
            raise RuntimeError(
                "Il secondo processo dell'addestramento si è fermato all'improvviso (forse per mancanza di "
                "memoria): i parametri sono quelli del passo prima; riprova, o usa threads=1."
            ) from None
        except BaseException:
            self._end()
            raise

    def close(self):
        """Ferma il processo."""
        self._end()


def _end(process, connection, owner):
    """Chiude il tubo, e il secondo processo esce; se tarda lo ferma. Un figlio non lo fa per suo padre."""
    if os.getpid() != owner:
        return
    connection.close()
    try:
        process.join(_PATIENCE)
    finally:
        process.kill()
        process.join()


def _serve(connection, parent, model, parameters, gradient):
    """La vita del secondo processo: risponde finché c'è chi chiede."""
    code = 1
    try:
        _leave_the_rest_alone()
        worker = Worker(model, parameters, zeros=lambda size, dtype: gradient)
        while True:
            if not _spin(connection):
                while not connection.poll(_LOOK):
                    if os.getppid() != parent:
                        raise EOFError
            number, request = connection.recv()
            connection.send((number, *_answer(worker, request)))
    except (EOFError, OSError):
        code = 0                                     # chi comanda ha chiuso, o non c'è più
    finally:
        os._exit(code)                               # nulla di ciò che Python farebbe uscendo è affar suo


def _leave_the_rest_alone():
    """Di ciò che ha ereditato, il secondo processo non tocca nulla: segnali, tubi, uscite, oggetti."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)     # Ctrl-C e Jupyter lo mandano a tutto il gruppo
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.set_wakeup_fd(-1)
    gc.freeze()
    for other in list(_open):
        other.close()
    silence = open(os.devnull, "w", encoding="utf-8")
    for descriptor in (1, 2):
        os.dup2(silence.fileno(), descriptor)
    sys.stdout = sys.stderr = silence


def _answer(worker, request):
    try:
        return worker.run(*request), None
    except BaseException as error:
        return None, _portable(error)


def _portable(error):
    """L'errore stesso, se arriva intero dall'altra parte; se no uno che lo racconta."""
    with contextlib.suppress(Exception):
        copy = pickle.loads(pickle.dumps(error))
        if type(copy) is type(error) and str(copy) == str(error):
            return error
    return RuntimeError(f"Nel secondo processo dell'addestramento: {type(error).__name__}: {error}")


def _spin(connection):
    """Se entro _SPIN secondi arriva qualcosa. Svegliare chi dorme costerebbe più dell'attesa."""
    end = time.monotonic() + _SPIN
    while not connection.poll(0):
        if time.monotonic() > end:
            return False
        os.sched_yield()
    return True


@contextlib.contextmanager
def _quiet_fork():
    """Durante il fork un Ctrl-C aspetta, e Python ≥ 3.12 non avverte che ci sono altri thread (Jupyter).

    I lucchetti che quei thread tenessero resterebbero chiusi nel figlio, che non ne usa: fa solo conti.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@functools.cache
def _warn_about_threads():
    if not blas.one_thread():
        warnings.warn(
            "threads=2: anche i prodotti di NumPy possono usare più thread, e le due metà del lotto si "
            "ostacolano. Avvia Python con OPENBLAS_NUM_THREADS=1.",
            RuntimeWarning,
            stacklevel=4,
        )

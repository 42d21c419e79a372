"""Come si chiede a una prova di finire (Ctrl+C, SIGTERM, il terminale che si chiude), e come si pulisce."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterator

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PAUSE = 1.0  # secondi: chi preme Ctrl+C più volte di seguito chiede una cosa sola


def end_when_asked() -> None:
    """Da qui in poi quei segnali sollevano KeyboardInterrupt; quelli già ignorati (nohup) lo restano."""
    last = -PAUSE

    def ask(number: int, frame: object) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= PAUSE:
            last = now
            raise KeyboardInterrupt

    for number in ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, ask)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Un altro Ctrl+C non ferma a metà le pulizie: resterebbero utenti con la loro password."""
    if threading.current_thread() is not threading.main_thread():  # i segnali arrivano soltanto a quello
        yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

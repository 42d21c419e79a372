"""Un'identità (uid) reale per ogni box, quando si corregge da amministratore.

Due box con lo stesso uid si conterebbero i processi a vicenda e potrebbero mandarsi segnali: ogni uid ha un
lucchetto, che il nucleo apre da solo se chi corregge muore, e non si riusa finché ne vive un processo.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import tempfile
from pathlib import Path

from course_lib.project import CorsoError

FIRST_UID = 64_100  # fuori da quelli delle persone (da 1000) e dei servizi (fino a 999, e dopo 65 000)
POOL = 64


class Lease:
    """Un uid preso in prestito; si restituisce con `close`."""

    def __init__(self, uid: int, lock: int | None = None) -> None:
        self.uid, self._lock = uid, lock

    def close(self) -> None:
        """Restituisce l'uid."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def take(hint: int = 0) -> Lease:
    """Il primo uid libero a partire da FIRST_UID + hint. Solleva CorsoError se sono tutti presi."""
    folder, alive = _lock_folder(), _living_uids()
    for step in range(POOL):
        uid = FIRST_UID + (hint + step) % POOL
        lock = os.open(folder / str(uid), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            continue
        if uid not in alive:
            return Lease(uid, lock)
        os.close(lock)
    raise CorsoError(
        f"I {POOL} utenti riservati alla correzione ({FIRST_UID}–{FIRST_UID + POOL - 1}) sono occupati: "
        "altre correzioni sono in corso su questa macchina. Attendi che finiscano e riprova."
    )


def _lock_folder() -> Path:
    """Una cartella del solo amministratore: in una di tutti, chiunque terrebbe chiusi i lucchetti."""
    for base in (Path("/run"), Path(tempfile.gettempdir())):
        folder = base / "corso-uid"
        with contextlib.suppress(OSError):
            folder.mkdir(mode=0o700, exist_ok=True)
            found = folder.lstat()
            if stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077:
                return folder
    raise CorsoError(
        "Non posso creare la cartella dei lucchetti in /run né fra i file temporanei: "
        "rendi scrivibile una delle due a chi corregge."
    )


def _living_uids() -> set[int]:
    """Gli uid (reali, effettivi, salvati) di ogni processo che si vede."""
    found: set[int] = set()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            status = Path("/proc", pid, "status").read_text("ascii", "replace")
            line = status[status.find("\nUid:") + 5 :].split("\n", 1)[0]
            found.update(map(int, line.split()))
    return found

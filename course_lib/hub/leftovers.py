"""La memoria condivisa che resta di una persona quando il suo server è spento.

Ciò che sta in /dev/shm è memoria, e finito il gruppo di controllo non conta più nei limiti di nessuno: chi
studia, spegnendo e riaccendendo il server, prenderebbe quella di tutti. Con systemd ci pensa RemoveIPC.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

SHARED = Path("/dev/shm")
TABLES, REMOVE = Path("/proc/sysvipc"), {"shm": "-m", "sem": "-s", "msg": "-q"}


def remove_shared_memory(uid: int) -> None:
    """Toglie i file di un utente in /dev/shm e i suoi oggetti IPC. I suoi processi devono essere finiti."""
    remove_files(uid, SHARED)
    for kind, option in REMOVE.items():
        for number in objects_of(TABLES / kind, uid):
            subprocess.run(["ipcrm", option, str(number)], capture_output=True, check=False)


def remove_files(uid: int, *folders: Path) -> None:
    """Toglie ciò che è di un utente in cartelle dove scrivono tutti, senza seguire collegamenti."""
    for folder in folders:
        what = ["-xdev", "-mindepth", "1", "-uid", str(uid), "-delete"]  # prima ciò che sta più in fondo
        subprocess.run(["find", str(folder), *what], capture_output=True, check=False)


def objects_of(table: Path, uid: int) -> list[int]:
    """I numeri degli oggetti di un utente in una tabella del nucleo: shm, sem o msg."""
    try:
        head, *rows = [line.split() for line in table.read_text("ascii").splitlines()]
    except (OSError, ValueError):
        return []
    column = head.index("uid")
    return [int(row[1]) for row in rows if int(row[column]) == uid]

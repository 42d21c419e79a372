"""Gli utenti di sistema di una prova: nascono con una password a caso e si tolgono alla fine."""

from __future__ import annotations

import grp
import os
import pwd
import secrets
import signal
import subprocess
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import psutil

from course_lib.hub.leftovers import remove_files, remove_shared_memory
from course_lib.project import CorsoError

PUBLIC = (Path("/tmp"), Path("/var/tmp"))  # dove chiunque può lasciare qualcosa
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # senza quelle che si confondono


def new_password() -> str:
    """Una password da copiare a mano: dodici segni, circa 59 bit."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(3))


def add_group(name: str) -> None:
    """Crea un gruppo del sistema."""
    _run(["groupadd", name])


def add_user(name: str, homes: Path, password: str, group: str | None = None) -> pwd.struct_passwd:
    """Crea un utente con la casa in `homes`, chiusa agli altri, e la sua password.

    Solleva CorsoError se il sistema non vuole.
    """
    groups = ["--groups", group] if group else []
    _run(["useradd", "--create-home", "--base-dir", str(homes), "--shell", "/bin/bash", *groups, name])
    _run(["chpasswd"], f"{name}:{password}\n")
    user = pwd.getpwnam(name)
    os.chmod(user.pw_dir, 0o700)
    return user


def remove(users: Iterable[str], group: str) -> None:
    """Ferma ciò che quegli utenti hanno in giro e toglie utenti e gruppo; le case restano."""
    for name in users:
        with suppress(KeyError):
            end_processes(uid := pwd.getpwnam(name).pw_uid)
            remove_shared_memory(uid)
            remove_files(uid, *PUBLIC)  # il prossimo utente potrebbe avere lo stesso numero
            subprocess.run(["userdel", name], capture_output=True, check=False)
    with suppress(KeyError):
        grp.getgrnam(group)
        subprocess.run(["groupdel", group], capture_output=True, check=False)


def end_processes(uid: int) -> None:
    """Uccide i processi di un utente; chi ne genera di continuo viene prima fermato."""
    for how in (signal.SIGSTOP, signal.SIGKILL):
        for _ in range(50):
            found = [p for p in psutil.process_iter(["uids", "status"]) if _belongs(p, uid, how)]
            if not found:
                break
            for process in found:
                with suppress(OSError):
                    os.kill(process.pid, how)
            time.sleep(0.02)


def _belongs(process: psutil.Process, uid: int, how: signal.Signals) -> bool:
    uids, status = process.info["uids"], process.info["status"]
    if uids is None or uids.real != uid or status == psutil.STATUS_ZOMBIE:
        return False
    return how == signal.SIGKILL or status != psutil.STATUS_STOPPED


def _run(command: list[str], said: str | None = None) -> None:
    try:
        # in una sessione sua: il Ctrl+C di chi prova non la ferma a metà
        done = subprocess.run(
            command, input=said, capture_output=True, text=True, check=False, start_new_session=True
        )
    except FileNotFoundError:
        raise CorsoError(f"manca il programma {command[0]}: la prova crea utenti, e serve Linux.") from None
    if done.returncode != 0:
        why = (done.stderr.strip().splitlines() or ["nessun messaggio"])[-1]
        raise CorsoError(f"{command[0]} non è riuscito («{why}»): controlla di essere amministratore.")

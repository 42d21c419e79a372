"""Ciò che resta di una prova uccisa di colpo (SIGKILL, la macchina che si spegne), e come si toglie."""

from __future__ import annotations

import grp
import os
import pwd
import re
import shlex
from collections.abc import Iterable
from contextlib import suppress

import psutil

FOLDER = "corso-hub-{}-"  # con il numero del processo che accende la prova
HOME = re.compile(r"(/.*/corso-hub-(\d+)-[^/]+)/case/[^/]+")


def folder_prefix() -> str:
    """Come comincia il nome della cartella di una prova accesa da questo processo."""
    return FOLDER.format(os.getpid())


def leftovers(users: Iterable[pwd.struct_passwd] | None = None) -> str | None:
    """Una frase con i comandi che tolgono ciò che resta di prove il cui processo non c'è più; None se nulla.

    users: gli utenti da guardare; se mancano, quelli della macchina
    """
    found: dict[str, list[str]] = {}
    for user in pwd.getpwall() if users is None else users:
        home = HOME.fullmatch(user.pw_dir)
        if home and not _lives(int(home[2])):
            found.setdefault(home[1], []).append(user.pw_name)
    if not found:
        return None
    names = [name for users in found.values() for name in users]
    commands = "; ".join(command for folder, users in found.items() for command in _commands(folder, users))
    return (
        f"Una prova finita di colpo ha lasciato gli utenti {', '.join(names)}, con la loro password: li "
        f"toglie, da amministratore, «{commands}»."
    )


def _lives(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _commands(folder: str, users: list[str]) -> list[str]:
    commands = [f"pkill -KILL -u {','.join(users)}"]
    if processes := _processes(folder):
        commands.append(f"kill {' '.join(map(str, processes))}")
    commands.append(f"for u in {' '.join(users)}; do userdel -f $u; done")
    for tag in sorted({name.rpartition("-")[2] for name in users}):
        with suppress(KeyError):
            commands.append(f"groupdel {grp.getgrnam(f'classe-{tag}').gr_name}")
    return [*commands, f"rm -rf {shlex.quote(folder)}"]


def _processes(folder: str) -> list[int]:
    """I processi dell'amministratore che lavorano in quella cartella: il proxy, chi chiude gli inattivi."""
    return [
        process.pid
        for process in psutil.process_iter(["cwd", "uids"])
        if (process.info["cwd"] or "").startswith(folder + "/") and process.info["uids"].real == 0
    ]

"""Rieseguire un comando come un utente qualunque, quando le prove girano da amministratore."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

from tests.conftest import AGAIN_AS_USER, ROOT, require, unavailable

UID = 65_001


def run_as_user(command: list[str], home: Path, seconds: float) -> subprocess.CompletedProcess:
    """Il comando, eseguito con Python di questo ambiente da un utente senza privilegi.

    command: gli argomenti di Python   home: una cartella che gli si può regalare
    Se qui un utente non può isolare nulla, la prova è `unavailable`.
    """
    bwrap = require("bwrap")
    if os.geteuid() != 0:
        raise AssertionError("solo l'amministratore può diventare un altro utente")
    os.chown(home, UID, UID)
    inside = [*_reachable(), "--cap-add", "ALL", "--chdir", str(ROOT), "--"]
    become = ["setpriv", "--reuid", str(UID), "--regid", str(UID), "--clear-groups", "--inh-caps=-all",
              "--bounding-set=-all"]  # fmt: skip
    env = {**os.environ, "HOME": str(home), "TMPDIR": str(home), "PYTHONDONTWRITEBYTECODE": "1"}
    env[AGAIN_AS_USER] = "1"
    enter = [bwrap, "--dev-bind", "/", "/", *inside, *become]
    trial = [bwrap, "--unshare-all", "--ro-bind", "/", "/", "true"]
    if subprocess.run([*enter, *trial], capture_output=True, timeout=60).returncode != 0:
        unavailable("su questa macchina un utente non può creare spazi dei nomi: abilita gli user namespace")
    return subprocess.run(
        [*enter, sys.executable, *command], capture_output=True, text=True, timeout=seconds, env=env
    )


def _reachable() -> list[str]:
    """Python e corso possono stare dove solo l'amministratore entra: si mostrano lì, vuoto il resto."""
    options: list[str] = []
    for needed in dict.fromkeys((Path(sys.base_prefix), Path(sys.prefix), ROOT)):
        closed = [p for p in reversed(needed.parents) if not p.stat().st_mode & stat.S_IXOTH]
        if closed:
            options += ["--perms", "0755", "--tmpfs", str(closed[0])]
            below = [p for p in reversed(needed.parents) if p != closed[0] and p.is_relative_to(closed[0])]
            for parent in below:
                options += ["--perms", "0755", "--dir", str(parent)]
            options += ["--ro-bind", str(needed), str(needed)]
    return options

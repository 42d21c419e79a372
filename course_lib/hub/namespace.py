"""Uno spazio di montaggio per la prova: ciò che serve si vede anche da una cartella chiusa, il resto no.

Python e corso di chi prova stanno spesso in una casa chiusa agli altri (0700), e accanto alla biblioteca ci
sono le soluzioni. Nello spazio della prova quelle cartelle appaiono vuote, salvo ciò che serve a JupyterHub e
ai kernel, in sola lettura.
"""

from __future__ import annotations

import shutil
import stat
import sys
from pathlib import Path

from course_lib.project import CorsoError

OF_THE_COURSE = ("course_lib", "deploy", "corso.py")  # il resto del corso non si vede


def enter(root: Path, proxy: str) -> list[str]:
    """Il comando da mettere davanti a un altro perché si esegua nello spazio.

    root: il corso   proxy: il programma del proxy
    Solleva CorsoError se manca bubblewrap.
    """
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise CorsoError("per la prova serve bubblewrap: installalo con «sudo apt install bubblewrap».")
    shown = [Path(sys.base_prefix), Path(sys.prefix), *(root / name for name in OF_THE_COURSE)]
    program = Path(shutil.which(proxy) or proxy).resolve()
    if "node_modules" in program.parts:  # il pacchetto npm intero, con le sue dipendenze
        shown.append(Path(*program.parts[: program.parts.index("node_modules") + 1]))
    hidden = {root, *(place for path in shown if (place := _closed(path)))}
    options = [bwrap, "--dev-bind", "/", "/"]
    for place in _outermost(hidden):
        options += ["--perms", "0755", "--tmpfs", str(place)]
        for path in _outermost(p for p in shown if p.is_relative_to(place)):
            for parent in reversed(path.parents):
                if parent.is_relative_to(place) and parent != place:
                    options += ["--perms", "0755", "--dir", str(parent)]
            options += ["--ro-bind", str(path.resolve()), str(path)]
    return [*options, "--cap-add", "ALL", "--die-with-parent", "--"]


def _closed(path: Path) -> Path | None:
    """La cartella più alta sopra `path` in cui gli altri utenti non entrano."""
    return next((p for p in reversed(path.parents) if not p.stat().st_mode & stat.S_IXOTH), None)


def _outermost(paths) -> list[Path]:
    """Senza quelle che stanno dentro un'altra."""
    found = sorted(set(paths))
    return [p for p in found if not any(q != p and p.is_relative_to(q) for q in found)]

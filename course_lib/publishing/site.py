"""Il sito: Sphinx fa le pagine in una cartella provvisoria, che poi prende il posto di quella buona."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from course_lib.project import CorsoError, pip_install
from course_lib.publishing.draft import PAGES, assemble
from course_lib.publishing.placing import expect_ours, files_in, put_in_place, write_list

NEEDED = ("sphinx", "myst_nb", "pydata_sphinx_theme", "sphinx-mathjax-offline")
LOCK = "requirements-sito.lock"
TROUBLE = re.compile(r"\b(WARNING|ERROR|CRITICAL|[A-Z]\w*Error)\b")  # che cosa non va, senza traceback


def build_site(root: Path, target: Path) -> tuple[int, int]:
    """Scrive il sito in `target`; se qualcosa non va, quello di prima resta.

    root: la cartella del corso   target: dove scriverlo; ciò che lì è d'altri resta
    Restituisce quante pagine ha e quanti byte.
    Solleva CorsoError se manca Sphinx, se la cartella non è di un sito o sta fra le sorgenti, se Sphinx ha un
    avviso.
    """
    expect_sources(root)
    expect_sphinx(root)
    expect_outside_sources(root, target)
    expect_ours(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".sito-", dir=target.parent) as name:
        folder = Path(name)
        assemble(root, folder / "bozza")
        run_sphinx(root, folder)
        made = folder / "sito"
        tidy(made)
        write_list(made)
        names = files_in(made)
        size = sum((made / name).stat().st_size for name in names)
        put_in_place(made, target, folder / "prima")
    return sum(name.endswith(".html") for name in names), size


def expect_sources(root: Path) -> None:
    """Solleva CorsoError se questa è la copia di chi studia, che non ha le pagine del sito."""
    if not (root / PAGES / "conf.py").is_file():
        raise CorsoError(
            f"in {root} non ci sono le pagine del sito (sources/site): chi studia non ne ha bisogno, "
            "il corso si legge con «corso apri»."
        )


def expect_sphinx(root: Path) -> None:
    """Solleva CorsoError, con il comando che lo installa, se manca ciò che serve al sito."""
    if any(importlib.util.find_spec(name) is None for name in NEEDED):
        raise CorsoError(f"per fare le pagine manca Sphinx: installalo con «{install_line(root)}» e riprova.")


def install_line(root: Path) -> str:
    """La riga di comando che installa le librerie del sito e della dispensa."""
    lock = str(root / LOCK)
    return pip_install(f'-r "{lock}"' if " " in lock else f"-r {lock}")


def expect_outside_sources(root: Path, target: Path) -> None:
    """Solleva CorsoError se `target` sta in sources/: le pagine si copierebbero dentro sé stesse."""
    if target.is_relative_to(root / "sources"):
        raise CorsoError(f"{target} sta fra le sorgenti del corso: scegli con --in un altro posto.")


def run_sphinx(root: Path, folder: Path) -> None:
    """Da `bozza` a `sito`, con ogni avviso come errore.

    Solleva CorsoError con i primi avvisi; se Sphinx si è fermato senza darne, con le sue ultime righe.
    """
    words = ["-b", "html", "-q", "-W", "--keep-going", "-d", str(folder / "memoria")]
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *words, str(folder / "bozza"), str(folder / "sito")],
        cwd=root,
        env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"},  # sempre gli stessi byte
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode:
        said = re.sub(r"\x1b\[[\d;]*m", "", done.stderr).replace(f"{folder / 'bozza'}{os.sep}", "")
        told = [line.strip() for line in said.splitlines() if line.strip()]
        lines = [line for line in told if TROUBLE.search(line)][:12] or told[-3:]
        lines = lines or [f"si è fermato senza dire perché (stato {done.returncode})"]
        start = "Sphinx non ha potuto fare le pagine senza avvisi; correggi e riprova:"
        raise CorsoError("\n  ".join([start, *lines]))


def tidy(site: Path) -> None:
    """Toglie ciò che serve soltanto a rifare il sito, o a chi scrive il tema."""
    for path in (site / ".buildinfo", site / "_static" / "webpack-macros.html", *site.rglob("*.map")):
        path.unlink(missing_ok=True)

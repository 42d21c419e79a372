"""La dispensa, dall'inizio alla fine: si scrive in una cartella provvisoria, e arriva intera o non arriva."""

from __future__ import annotations

import importlib.util
import os
import tempfile
from pathlib import Path

from course_lib.project import CorsoError, pip_install
from course_lib.publishing.site import expect_outside_sources, expect_sphinx, install_line

SOURCES = Path("sources") / "handout"


def build_handout(root: Path, target: Path, chromium: str | None) -> int:
    """Scrive la dispensa in `target` e restituisce quante pagine ha; con un errore quella di prima resta.

    root: la cartella del corso   target: il file PDF   chromium: il programma, o None se manca
    Solleva CorsoError se manca ciò che serve, se `target` sta fra le sorgenti, o se la pagina da stampare ha
    un difetto.
    """
    expect_tools(root, chromium)
    expect_outside_sources(root, target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".dispensa-", dir=target.parent) as name:
        folder = Path(name)
        pages, trouble = make(root, folder, chromium)
        if trouble:
            raise CorsoError("la pagina da stampare ha un difetto:\n  " + "\n  ".join(trouble[:12]))
        os.replace(folder / "dispensa.pdf", target)
    return pages


def make(root: Path, folder: Path, chromium: str) -> tuple[int, list[str]]:
    """Fa in `folder` la pagina da stampare, `sito/dispensa.html`, e da lei `dispensa.pdf`.

    Restituisce quante pagine ha, e che cosa la pagina ha chiesto alla rete o non ha potuto fare.
    """
    from course_lib.publishing.handout.chapters import make_chapters
    from course_lib.publishing.handout.finish import finish
    from course_lib.publishing.handout.page import write_page
    from course_lib.publishing.handout.printing import print_page

    page = write_page(make_chapters(root, folder), folder / "sito", root)
    trouble = print_page(page, folder / "stampata.pdf", chromium)
    return finish(folder / "stampata.pdf", folder / "dispensa.pdf"), trouble


def expect_tools(root: Path, chromium: str | None) -> None:
    """Solleva CorsoError, con il rimedio, se mancano le sorgenti, Sphinx, pypdf, playwright o Chromium."""
    if not (root / SOURCES / "conf.py").is_file():
        raise CorsoError(
            f"in {root} non ci sono le pagine della dispensa ({SOURCES.as_posix()}): chi studia non le ha; "
            "chiedi il PDF a chi insegna, o copia il corso intero."
        )
    expect_sphinx(root)
    for module, remedy in {"pypdf": install_line(root), "playwright": pip_install("playwright")}.items():
        if importlib.util.find_spec(module) is None:
            raise CorsoError(f"per la dispensa manca {module}: installalo con «{remedy}» e riprova.")
    if chromium is None:
        raise CorsoError(
            "per la dispensa manca Chromium (va bene anche Chrome), o non è nel PATH: installalo, su Debian "
            "con «apt install chromium», e riprova."
        )

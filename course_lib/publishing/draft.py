"""Mette in una cartella ciò che Sphinx legge: le pagine scritte a mano e quelle che vengono dal corso."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

from course_lib.publishing import live, words
from course_lib.publishing.notebooks import Reading
from course_lib.publishing.reference import reference_pages

PAGES = Path("sources") / "site"
COPIED = ("README.md", "GUIDA.md", "CONTRIBUTING.md", "CITATION.cff", "LICENSE", "LICENSE-testi")
HUB = Path("deploy") / "jupyterhub"


def assemble(root: Path, folder: Path) -> None:
    """Scrive in `folder` ciò che Sphinx legge, con il suo conf.py e ciò che le pagine caricano (MathJax).

    root: la cartella del corso.   folder: una cartella che non c'è ancora.
    """
    shutil.copytree(root / PAGES, folder, ignore=shutil.ignore_patterns("__pycache__"))
    reading = Reading()
    for path in notebooks(root):
        target = folder / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        made = reading.prepared(json.loads(path.read_text(encoding="utf-8")), path.stem)
        target.write_text(json.dumps(made, ensure_ascii=False, indent=1), encoding="utf-8")
    live.write_modules(folder / "_static", reading.states)
    (folder / "_static" / "mathjax").mkdir(parents=True)
    shutil.copyfile(mathjax(), folder / "_static" / "mathjax" / "tex-svg.js")
    for name, text in {**copied(root), **made_pages(root)}.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")


def mathjax() -> Path:
    """MathJax in un file solo, che per le formule non carica altro: lo porta sphinx-mathjax-offline."""
    spec = importlib.util.find_spec("sphinx-mathjax-offline")
    return Path(spec.origin).parent / "static" / "mathjax" / "tex-svg.js"


def notebooks(root: Path) -> list[Path]:
    """I notebook da leggere e gli esercizi di chi studia (mai le soluzioni), in ordine."""
    exercises = (root / "exercises").glob("es[0-9][0-9]/es[0-9][0-9].ipynb")
    return [*sorted((root / "notebooks").glob("*.ipynb")), *sorted(exercises)]


def made_pages(root: Path) -> dict[str, str]:
    """Le pagine che si fanno da ciò che il corso sa già di sé: nome -> testo."""
    lessons = sorted((root / "notebooks").glob("*.ipynb"))
    places = {int(path.name[:2]): f"notebooks/{path.name}" for path in lessons}
    return {"glossario.md": words.glossary_page(places), **reference_pages(root)}


def copied(root: Path) -> dict[str, str]:
    """I testi che si leggono come stanno nel corso, e le guide del server se ci sono: nome -> testo."""
    found = {name: (root / name).read_text(encoding="utf-8") for name in COPIED}
    hub = sorted((root / HUB).glob("*.md"))
    if not hub:
        guide = (root / PAGES / "guide.md").read_text(encoding="utf-8")
        found["guide.md"] = guide.replace("deploy/*/*\n", "")
    return found | {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8") for path in hub}

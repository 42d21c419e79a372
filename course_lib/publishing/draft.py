"""Mette in una cartella ciò che Sphinx legge: le pagine scritte a mano e quelle che vengono dal corso."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

from course_lib.publishing import words
from course_lib.publishing.notebooks import for_reading
from course_lib.publishing.reference import reference_pages

PAGES = Path("sources") / "site"
GUIDES = ("README.md", "GUIDA.md", "CONTRIBUTING.md")


def assemble(root: Path, folder: Path) -> None:
    """Scrive in `folder` ciò che Sphinx legge, con il suo conf.py e ciò che le pagine caricano (MathJax).

    root: la cartella del corso.   folder: una cartella che non c'è ancora.
    """
    shutil.copytree(root / PAGES, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for path in notebooks(root):
        target = folder / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        made = for_reading(json.loads(path.read_text(encoding="utf-8")), path.stem)
        target.write_text(json.dumps(made, ensure_ascii=False, indent=1), encoding="utf-8")
    (folder / "_static" / "mathjax").mkdir(parents=True)
    shutil.copyfile(mathjax(), folder / "_static" / "mathjax" / "tex-svg.js")
    for name, text in {**guides(root), **words.pages(), **reference_pages()}.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")


def mathjax() -> Path:
    """MathJax in un file solo, che disegna le formule senza caricare altro: lo porta sphinx-mathjax-offline."""
    spec = importlib.util.find_spec("sphinx-mathjax-offline")
    return Path(spec.origin).parent / "static" / "mathjax" / "tex-svg.js"


def notebooks(root: Path) -> list[Path]:
    """I notebook da leggere e gli esercizi di chi studia (mai le soluzioni), in ordine."""
    exercises = (root / "exercises").glob("es[0-9][0-9]/es[0-9][0-9].ipynb")
    return [*sorted((root / "notebooks").glob("*.ipynb")), *sorted(exercises)]


def guides(root: Path) -> dict[str, str]:
    """Le guide che stanno in cima al corso: nome della pagina -> testo."""
    return {name: (root / name).read_text(encoding="utf-8") for name in GUIDES}

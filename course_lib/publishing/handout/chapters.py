"""I capitoli della dispensa: Sphinx fa una pagina per ciascuno, e di ogni pagina resta il testo."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import NamedTuple

from bs4 import BeautifulSoup, Tag

from course_lib.publishing.draft import mathjax, notebooks
from course_lib.publishing.handout.book import SOURCES
from course_lib.publishing.notebooks import described, levelled
from course_lib.publishing.site import run_sphinx

OPENING, CLOSING = "apertura", "licenza"


class Chapter(NamedTuple):
    """Un capitolo: la sigla con cui cominciano i suoi nomi, il titolo, il testo.

    part: a quale parte dell'indice appartiene
    """

    key: str
    title: str
    part: str
    body: Tag


def make_chapters(root: Path, folder: Path) -> list[Chapter]:
    """Tutti i capitoli, nell'ordine in cui si stampano; le figure e MathJax restano in `folder/sito`.

    root: la cartella del corso   folder: una cartella vuota
    Solleva CorsoError se Sphinx ha un avviso.
    """
    draft = folder / "bozza"
    shutil.copytree(root / SOURCES, draft, ignore=shutil.ignore_patterns("__pycache__"))
    paths = [path.relative_to(root) for path in notebooks(root)]
    for path in paths:
        (draft / path).parent.mkdir(parents=True, exist_ok=True)
        made = for_printing(json.loads((root / path).read_text(encoding="utf-8")))
        (draft / path).write_text(json.dumps(made, ensure_ascii=False, indent=1), encoding="utf-8")
    run_sphinx(root, folder)
    shutil.copyfile(mathjax(), folder / "sito" / "mathjax.js")
    return in_print_order([Path(OPENING), *paths, Path(CLOSING)], folder / "sito")


def for_printing(notebook: dict) -> dict:
    """Una copia del notebook da dare a Sphinx, con le figure al posto dei widget.

    notebook: il JSON del file
    """
    cells = [described(cell) if "outputs" in cell else cell for cell in notebook["cells"]]
    return {**notebook, "cells": levelled(cells)}


def in_print_order(paths: list[Path], site: Path) -> list[Chapter]:
    """I capitoli: i notebook che sono lezioni, gli esercizi, le pagine da consultare, la licenza."""
    parts: dict[str, list[Chapter]] = {"": [], "I notebook": [], "Gli esercizi": [], "Per consultare": []}
    for path in paths:
        key, part = key_and_part(path.stem)
        parts[part].append(read_chapter(site / path.with_suffix(".html"), key, part))
    return [chapter for found in parts.values() for chapter in found]


def key_and_part(name: str) -> tuple[str, str]:
    """La sigla di un capitolo e la sua parte, dal nome del file senza estensione."""
    if name == OPENING:
        return name, ""
    if re.match(r"es\d\d$", name):
        return name, "Gli esercizi"
    if re.match(r"0[1-8]-", name):
        return f"nb{name[:2]}", "I notebook"
    return (name if name == CLOSING else f"nb{name[:2]}"), "Per consultare"


def read_chapter(page: Path, key: str, part: str) -> Chapter:
    """Il testo di una pagina fatta da Sphinx, senza ciò che le sta attorno."""
    body = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser").select_one("div.body")
    return Chapter(key, body.h1.get_text(" ", strip=True), part, body)

"""La pagina HTML da cui si stampa la dispensa: copertina, indice, capitoli."""

from __future__ import annotations

import shutil
from pathlib import Path

import matplotlib
from bs4 import BeautifulSoup, Tag

from course_lib.publishing.handout.book import SOURCES
from course_lib.publishing.handout.chapters import Chapter
from course_lib.publishing.handout.paper import settle_all
from course_lib.publishing.handout.references import page_number

NEW = BeautifulSoup("", "html.parser").new_tag
MATHJAX = """window.MathJax = {
  tex: { inlineMath: [["\\\\(", "\\\\)"]], displayMath: [["\\\\[", "\\\\]"]], processEnvironments: true },
  options: { enableMenu: false, enableAssistiveMml: false, skipHtmlTags: ["script", "style", "pre", "code"],
             ignoreHtmlClass: "tex2jax_ignore|document", processHtmlClass: "math" },
  svg: { fontCache: "global" },
};"""
HEAD = """<!doctype html>
<html lang="it-IT">
<head>
<meta charset="utf-8">
<title>Chiave di lettura. L'attenzione e i Transformer, fatti a mano</title>
<link rel="stylesheet" href="stampa.css">
<style>
{styles}
</style>
<script>{mathjax}</script>
<script defer src="mathjax.js"></script>
<script defer src="pagine.js"></script>
</head>
<body class="document">
"""


def write_page(chapters: list[Chapter], site: Path, root: Path) -> Path:
    """Scrive in `site` la pagina con tutti i capitoli, e accanto ciò che carica; restituisce dov'è."""
    sources = root / SOURCES
    chapters = settle_all(chapters, site / "_images")
    styles = "\n".join(running_head(chapter) for chapter in chapters)
    parts = [
        HEAD.format(styles=styles, mathjax=MATHJAX),
        (sources / "copertina.html").read_text(encoding="utf-8"),
        str(contents(chapters)),
        *(str(chapter.body) for chapter in chapters),
        "</body>\n</html>\n",
    ]
    for name in ("stampa.css", "pagine.js"):
        shutil.copyfile(sources / name, site / name)
    shutil.copytree(Path(matplotlib.get_data_path()) / "fonts" / "ttf", site / "caratteri")
    page = site / "dispensa.html"
    page.write_text("".join(parts), encoding="utf-8", newline="\n")
    return page


def running_head(chapter: Chapter) -> str:
    """Lo stile che scrive il titolo del capitolo in cima a ogni sua pagina."""
    title = chapter.title.replace("\\", r"\\").replace('"', r"\"")
    return f'@page {chapter.key} {{ @top-right {{ content: "{title}" }} }}'


def contents(chapters: list[Chapter]) -> Tag:
    """L'indice: capitoli e loro parti, ognuno con la sua pagina."""
    nav = NEW("nav", attrs={"id": "indice", "class": "indice"})
    heading = NEW("h1")
    heading.string = "Indice"
    nav.append(heading)
    columns = NEW("div", attrs={"class": "colonne"})
    nav.append(columns)
    part = ""
    for chapter in chapters:
        if chapter.part != part:
            part = chapter.part
            title = NEW("p", attrs={"class": "parte"})
            title.string = part
            columns.append(title)
        columns.append(entry(chapter))
    return nav


def entry(chapter: Chapter) -> Tag:
    """Una voce dell'indice, con le parti del capitolo."""
    block = NEW("div", attrs={"class": "voce"})
    block.append(line(chapter.title, chapter.key, "titolo"))
    if chapter.part:
        for heading in chapter.body.find_all("h2"):
            place = heading.get("id") or heading.find_parent("section")["id"]
            block.append(line(heading.get_text(" ", strip=True), place, "sezione"))
    return block


def line(text: str, target: str, kind: str) -> Tag:
    """Una riga dell'indice: il testo, che porta alla pagina, e il numero della pagina."""
    row = NEW("p", attrs={"class": kind})
    link = NEW("a", attrs={"href": f"#{target}", "class": "testo"})
    link.string = text
    row.append(link)
    row.append(NEW("span", attrs={"class": "puntini"}))
    row.append(page_number(target))
    return row

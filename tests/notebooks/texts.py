"""Un notebook come testo: prosa senza codice né formule, uscite, titoli, collegamenti; e le sue celle."""

from __future__ import annotations

import ast
import contextlib
import io
import re
from functools import cache
from pathlib import Path

import jupytext
import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted((ROOT / "sources" / "notebooks").glob("0[1-8]-*.md"))  # le lezioni; 09 sono le parole
NAMES = [path.stem for path in SOURCES]
SPACES = str.maketrans("\u00a0\u202f\u2009", "   ")


@cache
def source(name: str):
    """La sorgente di un notebook, per esempio source("02-attenzione-a-mano")."""
    return jupytext.read(ROOT / "sources" / "notebooks" / f"{name}.md")


@cache
def built(name: str):
    """Il notebook costruito, con le uscite."""
    return nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)


def saved_by_lab(path: Path) -> None:
    """Salva un notebook come fa JupyterLab appena lo si apre: stesse celle, altri metadati."""
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata.kernelspec.display_name = "Python 3 (ipykernel)"
    notebook.metadata.language_info.version = "3.11.2"
    notebook.metadata.widgets = {
        "application/vnd.jupyter.widget-state+json": {"state": {}, "version_major": 2, "version_minor": 0}
    }
    nbformat.write(notebook, path)


def prose(notebook) -> str:
    """Le celle di testo, una dopo l'altra."""
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def code(notebook) -> list[str]:
    """Le celle di codice."""
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def run(cells: list[str]) -> tuple[dict, list[str]]:
    """Esegue le celle in un solo spazio di nomi; restituisce i nomi e ciò che ciascuna mostra."""
    names, shown = {}, []
    for cell in cells:
        tree = ast.parse(cell)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, "<cella>", "exec"), names)
            value = eval(compile(ast.Expression(last.value), "<cella>", "eval"), names) if last else None
        shown.append(printed.getvalue() + ("" if value is None else repr(value)))
    return names, shown


def spoiled(cells: list[str], assignment: str) -> list[str]:
    """Le celle con un'assegnazione di una riga («nome = valore») cambiata in quella data."""
    name = assignment.split(" = ")[0]
    changed = [re.sub(rf"^{name} = .*$", assignment, cell, flags=re.M) for cell in cells]
    assert changed != cells, f"nessuna cella assegna «{name}»"
    return changed


def breaks_if(cells: list[str], assignment: str) -> None:
    """Pretende che con quell'assegnazione, al posto della loro, le celle si fermino su un assert."""
    changed = spoiled(cells, assignment)
    with pytest.raises(AssertionError):
        run(changed)


def outputs(notebook) -> list[str]:
    """Ciò che le celle scrivono e mostrano, testi alternativi compresi."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            found += [output.get("text", ""), data.get("text/plain", ""), data.get("text/html", "")]
            found += [image.get("alt", "") for image in output.get("metadata", {}).values() if image]
    return found


def plain(text: str) -> str:
    """Un testo con un solo tipo di spazio e la virgola decimale anche nelle formule."""
    return text.translate(SPACES).replace("{,}", ",")


def without_formulas(text: str) -> str:
    """La prosa senza codice, formule, marcatori HTML e indirizzi dei collegamenti."""
    text = re.sub(r"^```.*?^```", " ", text, flags=re.S | re.M)
    return re.sub(r"\$\$.*?\$\$|\$[^$\n]*\$|<[^>]+>|\]\([^)]*\)|`[^`]*`", " ", text, flags=re.S)


def words(text: str) -> list[str]:
    """Le parole della prosa, come le conta un programma di scrittura: né codice, né formule, né tabelle."""
    lines = [line for line in without_formulas(text).splitlines() if not line.startswith("|")]
    return [word for line in lines for word in line.split() if re.search(r"\w", word)]


def headings(text: str) -> list[tuple[int, str]]:
    """I titoli, con il loro livello."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return [(len(marks), title.strip()) for marks, title in re.findall(r"^(#+) (.+)$", text, re.M)]


def links(text: str) -> list[tuple[bool, str]]:
    """(è un'immagine, indirizzo) di ogni collegamento, scritto in Markdown o in HTML."""
    found = [(mark == "!", target) for mark, target in re.findall(r"(!?)\[[^\]]*\]\(([^)\s]+)[^)]*\)", text)]
    for tag, target in re.findall(r"<(a|img)\b[^>]*?(?:href|src)=[\"']([^\"']+)", text):
        found.append((tag == "img", target))
    return found


def anchors(text: str) -> set[str]:
    """Le ancore che Jupyter e GitHub danno ai titoli."""
    jupyter = {title.replace(" ", "-") for _, title in headings(text)}
    github = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for _, title in headings(text)}
    return jupyter | github | set(re.findall(r"\bid=[\"']([^\"']+)", text))


def broken_links(text: str, folder: Path) -> list[str]:
    """I collegamenti che non portano a nulla, visti da un file della cartella folder."""
    broken = []
    for image, target in links(text):
        address, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:|//", target):
            if image:
                broken.append(f"{target} (immagine che non sta nel corso)")
            continue
        file = folder / address if address else None
        if file is not None and not file.exists():
            broken.append(target)
        elif anchor:
            inside = text if file is None else file.read_text(encoding="utf-8")
            if file is not None and file.suffix == ".ipynb":
                inside = prose(nbformat.read(file, as_version=4))
            if anchor not in anchors(inside):
                broken.append(target)
    return broken

"""Legge una sorgente (MyST Markdown) e la riduce a celle semplici, con il numero di riga di ciascuna."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from pathlib import Path

from course_lib.project import CorsoError

HEADER = """\
---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---
"""

FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})\s*(\S*)")


class SourceError(CorsoError):
    """Un errore di chi scrive: una frase in italiano con il file e la cella."""


@dataclass(frozen=True)
class Cell:
    """Una cella come l'ha scritta l'autore."""

    kind: str  # "markdown" oppure "code"
    source: str
    tags: tuple[str, ...]
    line: int  # riga della sorgente da cui comincia, contando da 1


@dataclass(frozen=True)
class Source:
    """Una sorgente intera."""

    name: str  # percorso da mostrare, per esempio sources/exercises/es02.md
    cells: tuple[Cell, ...]

    def error(self, cell: Cell | None, message: str) -> SourceError:
        """L'errore da sollevare: file, poi riga e inizio della cella se c'è, poi che cosa non va."""
        if cell is None:
            return SourceError(f"{self.name}: {message}")
        lines = [line.strip() for line in cell.source.splitlines() if line.strip()]
        first = next((line for line in lines if not line.startswith("### ") or cell.kind == "markdown"), "")
        shown = first if len(first) <= 50 else first[:49] + "…"
        where = f"cella «{shown}»" if shown else "cella senza testo"
        return SourceError(f"{self.name}, riga {cell.line}, {where}: {message}")


def read_source(path: Path, name: str | None = None) -> Source:
    """Legge una sorgente.

    path: il file .md.   name: come chiamarlo negli errori; se manca, il nome del file.
    Solleva SourceError se il file manca, non è in UTF-8, non ha l'intestazione o una cella è scritta male.
    """
    from jupytext.myst import MystMetadataParsingError, myst_to_notebook
    from nbformat import ValidationError

    name = name or path.name
    text = read_text(path, name)
    expect_header(text, name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            notebook = myst_to_notebook(text, add_source_map=True)
    except (MystMetadataParsingError, ValidationError) as error:
        raise unreadable_options(text, name, str(error)) from error
    starts = first_lines(text, notebook.metadata["source_map"])
    cells = (as_cell(raw, line, name) for raw, line in zip(notebook.cells, starts, strict=True))
    source = Source(name, tuple(cells))
    if not source.cells:
        raise SourceError(f"{name}: dopo l'intestazione non c'è nessuna cella.")
    for cell in source.cells:
        expect_no_stray_directive(source, cell)
    return source


def unreadable_options(text: str, name: str, reason: str) -> SourceError:
    """L'errore per le opzioni di una cella che jupytext non accetta, con la riga se si riesce a trovarla."""
    known = re.search(r"at line (\d+)", reason)
    guesses = [
        number
        for number, line in enumerate(text.split("\n"), start=1)
        if line.startswith(":") and not is_tag_line(line)
    ]
    line = int(known.group(1)) if known else (guesses or [None])[0]
    where = f", riga {line}" if line else ""
    return SourceError(
        f"{name}{where}: le opzioni della cella non si leggono; "
        "i tag vanno fra parentesi quadre, ciascuno una volta, come «:tags: [risposta, nome-punteggi]»."
    )


def is_tag_line(line: str) -> bool:
    """True se la riga è fatta come «:tags: [uno, due]», senza ripetizioni."""
    match = re.fullmatch(r":tags:\s*\[([^\]]*)\]\s*", line)
    tags = [tag.strip() for tag in match.group(1).split(",")] if match else []
    return bool(match) and len(set(tags)) == len(tags)


def read_text(path: Path, name: str) -> str:
    """Il testo del file, con righe terminate da \\n; solleva SourceError se non è UTF-8."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise SourceError(f"{name}: il file non esiste.") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SourceError(
            f"{name}, riga {line}: il file non è in UTF-8; salvalo di nuovo in UTF-8."
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def expect_header(text: str, name: str) -> None:
    """Solleva SourceError se manca l'intestazione che dice a JupyterLab che il testo è un notebook."""
    import yaml

    match = re.match(r"---\n(.*?)\n---\n", text, re.DOTALL)
    header = None
    if match:
        try:
            header = yaml.safe_load(match.group(1))
        except yaml.YAMLError:
            header = None
    if (
        not isinstance(header, dict)
        or not isinstance(header.get("jupytext"), dict)
        or (header.get("kernelspec") or {}).get("name") != "python3"
    ):
        raise SourceError(
            f"{name}, riga 1: manca l'intestazione con «jupytext» e «kernelspec: python3»; "
            "copiala da CONTRIBUTING.md («L'intestazione») in cima al file."
        )


def first_lines(text: str, starts: list[int]) -> list[int]:
    """Dalle righe in cui jupytext fa cominciare le celle (da 0) alla prima riga piena (da 1)."""
    lines = text.split("\n")
    shown = []
    for start in starts:
        while start < len(lines) - 1 and (not lines[start].strip() or lines[start].startswith("+++")):
            start += 1
        shown.append(start + 1)
    return shown


def as_cell(raw, line: int, name: str) -> Cell:
    """Da una cella di jupytext a una nostra; solleva SourceError se ha opzioni o tag che non si leggono."""
    cell = Cell(raw.cell_type, raw.source, (), line)
    source = Source(name, (cell,))
    if raw.cell_type not in ("markdown", "code"):
        raise source.error(cell, "le celle «raw» non si usano nel corso.")
    unknown = sorted(set(raw.metadata) - {"tags"})
    if unknown:
        raise source.error(cell, f"l'opzione «{unknown[0]}» non esiste; c'è soltanto «:tags: [...]».")
    return Cell(cell.kind, cell.source, tuple(raw.metadata.get("tags", [])), line)


def expect_no_stray_directive(source: Source, cell: Cell) -> None:
    """Una direttiva scritta male («{code_cell}») resterebbe testo senza che nessuno se ne accorga."""
    if cell.kind != "markdown":
        return
    for line in cell.source.splitlines():
        match = FENCE.match(line)
        if match and match.group(2).startswith("{"):
            raise source.error(
                cell,
                f"la direttiva «{match.group(2)}» non esiste; il codice si apre con ```{{code-cell}}.",
            )

"""Un notebook come lo vuole il sito: una nota in cima, le figure con la loro descrizione, i widget vivi."""

from __future__ import annotations

import re

from course_lib.project import CorsoError
from course_lib.publishing import live

PICTURE = "image/png"
HEADING = re.compile(r"(#+) ")
READ = """:::{note}
Qui il notebook è già eseguito, e i widget si muovono. Per eseguire le celle, cambiarle e rispondere alle
previsioni serve [JupyterLab](../README.md): si apre con `python3 corso.py apri`.
:::"""
WRITE = """:::{{note}}
Qui si legge il testo. Per svolgere l'esercizio serve [JupyterLab](../../README.md): si apre con
`python3 corso.py apri`, e il file è `exercises/{name}/{name}.ipynb`.
:::"""


class Reading:
    """I notebook preparati per il sito, e i widget che vi si aprono.

    states: nome dello stato -> il widget aperto
    """

    def __init__(self):
        self.states = {}

    def prepared(self, notebook: dict, name: str) -> dict:
        """Una copia del notebook da dare a Sphinx.

        notebook: il JSON del file   name: il nome del file, senza .ipynb
        Solleva CorsoError se un widget è chiamato in un modo che fuori dal notebook non si può rifare.
        """
        first, *others = [self._cell(cell, name) for cell in notebook["cells"]]
        title, _, rest = "".join(first["source"]).partition("\n\n")
        first = {**first, "source": f"{title}\n\n{self._note(name)}\n\n{rest}"}
        return {**notebook, "cells": levelled([first, *others])}

    def _note(self, name: str) -> str:
        return WRITE.format(name=name) if name.startswith("es") else READ

    def _cell(self, cell: dict, name: str) -> dict:
        if not any(PICTURE in output.get("data", {}) for output in cell.get("outputs", ())):
            return cell
        cell = described(cell)
        made = _opened("".join(cell["source"]), f"{name}, cella {cell['id']}")
        if made is None:
            return cell
        key = f"{name.split('-')[0]}-{cell['id']}"
        self.states[key] = made
        page = live.place(made, key, f"../_static/{live.FOLDER}")
        output = {"output_type": "display_data", "metadata": {}, "data": {"text/html": page}}
        return {**cell, "outputs": [output, *cell["outputs"]]}


def _opened(source: str, where: str) -> live.CourseWidget | None:
    """Il widget con cui finisce la cella; `where` dice quale cella, se non si può aprire."""
    try:
        return live.opened(source)
    except (SyntaxError, KeyError, ValueError, TypeError) as error:
        raise CorsoError(
            f"{where}: non so aprire il widget nel sito ({type(error).__name__}: {error}). "
            "Nella sua chiamata scrivi soltanto valori, oppure q, k, v e tokens."
        ) from error


def described(cell: dict) -> dict:
    """La cella in cui la figura porta anche per Sphinx la descrizione che ha nel notebook."""
    for output in cell["outputs"]:
        found = output.get("metadata", {}).get(PICTURE, {})
        if "alt" in found:
            return {**cell, "metadata": {**cell["metadata"], "mystnb": {"image": {"alt": found["alt"]}}}}
    return cell


def levelled(cells: list[dict]) -> list[dict]:
    """Le stesse celle, dove nessun titolo scende di due gradini in una volta: Sphinx non lo vuole."""
    level, found = 0, []
    for cell in cells:
        heading = HEADING.match("".join(cell["source"])) if cell["cell_type"] == "markdown" else None
        if heading:
            deep, level = len(heading[1]), min(len(heading[1]), level + 1)
            cell = {**cell, "source": "".join(cell["source"])[deep - level :]}
        found.append(cell)
    return found

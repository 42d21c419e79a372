"""Un notebook come lo vuole il sito: le sue uscite, le figure con la loro descrizione."""

from __future__ import annotations

import re

PICTURE = "image/png"
HEADING = re.compile(r"(#+) ")


def for_reading(notebook: dict, name: str) -> dict:
    """Una copia del notebook in cui ogni figura dice a Sphinx la sua descrizione e la sua larghezza.

    notebook: il JSON del file   name: il nome del file, senza .ipynb
    """
    return {**notebook, "cells": _levelled([_described(cell) for cell in notebook["cells"]])}


def _levelled(cells: list[dict]) -> list[dict]:
    """Le stesse celle, dove nessun titolo scende di due gradini in una volta: Sphinx non lo vuole."""
    level, found = 0, []
    for cell in cells:
        heading = HEADING.match("".join(cell["source"])) if cell["cell_type"] == "markdown" else None
        if heading:
            deep, level = len(heading[1]), min(len(heading[1]), level + 1)
            cell = {**cell, "source": "".join(cell["source"])[deep - level :]}
        found.append(cell)
    return found


def _described(cell: dict) -> dict:
    for output in cell.get("outputs", ()):
        described = output.get("metadata", {}).get(PICTURE, {})
        if "alt" in described:
            return {**cell, "metadata": {**cell["metadata"], "mystnb": {"image": {"alt": described["alt"]}}}}
    return cell

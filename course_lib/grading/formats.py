"""Dal testo di un .ipynb alle celle: quanto se ne legge al più, e i formati vecchi di nbformat.

Una consegna si legge fuori dal box: il costo dev'essere piccolo qualunque cosa contenga. Perciò i pezzi si
contano prima di leggere il JSON, e delle celle si tiene soltanto ciò che serve alla ricostruzione.
"""

from __future__ import annotations

import nbformat
from nbformat import NotebookNode

MOST_GROUPS = 200_000  # dizionari e liste di un file
MOST_ITEMS = 2_000_000  # virgole fuori dalle stringhe, cioè valori
KEPT = ("cell_type", "id", "metadata", "source")
OLD_SOURCE = ("input", "code", "text")  # dove il codice o il testo stavano nei formati 3 e 2, e nell'1


def too_many_pieces(text: str) -> bool:
    """Se un testo JSON contiene più pezzi di qualunque notebook: li conta senza leggerlo."""
    bare = text.replace("\\\\", "").replace('\\"', "")  # ora ogni virgoletta apre o chiude una stringa
    outside = bare.split('"', 2 * MOST_ITEMS)[::2]
    groups = sum(part.count("{") + part.count("[") for part in outside)
    return groups > MOST_GROUPS or sum(part.count(",") for part in outside) > MOST_ITEMS


def as_notebook(content: object) -> tuple[NotebookNode, int | None] | None:
    """Le celle e i metadati di un notebook, e il suo formato se è vecchio; None se non è un notebook.

    content: ciò che era scritto in JSON
    """
    if not isinstance(content, dict):
        return None
    old = content.get("nbformat")
    old = old if isinstance(old, int) and old in (1, 2, 3) else None
    cells = content.get("cells") if old is None else _old_cells(content, old)
    if not isinstance(cells, list):
        return None
    kept = [
        {key: cell[key] for key in KEPT if key in cell} | _old_source(cell, old)
        for cell in cells
        if isinstance(cell, dict)
    ]
    try:
        return nbformat.from_dict({"cells": kept, "metadata": content.get("metadata", {})}), old
    except RecursionError:
        return None


def _old_cells(content: dict, old: int) -> list | None:
    """Le celle dei formati 1, 2 e 3: nell'1 in fila, negli altri dentro fogli di lavoro."""
    sheets = [content] if old == 1 else content.get("worksheets")
    if not isinstance(sheets, list):
        return None
    found = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
    return [cell for cells in found if isinstance(cells, list) for cell in cells]


def _old_source(cell: dict, old: int | None) -> dict:
    key = next((key for key in OLD_SOURCE if key in cell), None) if old else None
    return {"source": cell[key]} if key else {}

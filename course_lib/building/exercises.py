"""Da una sorgente al notebook con le soluzioni, e da questo, con nbgrader, a quello per chi studia."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from course_lib.building.nbgrader_settings import (
    DATABASE,
    RELEASE,
    SOURCE,
    nbgrader_settings,
    prepare_database,
)
from course_lib.building.normalise import new_notebook, notebook_text
from course_lib.building.rules import check_exercise, points, role
from course_lib.building.slugs import cell_ids
from course_lib.building.source import Source, SourceError


def build_solution(source: Source) -> str:
    """Il notebook sorgente di nbgrader, con risposte e prove nascoste, senza uscite: il suo testo JSON.

    Solleva SourceError al primo sbaglio dell'autore.
    """
    from nbformat import v4

    check_exercise(source)
    roles = ["testo" if cell.kind == "markdown" else role(cell) or "codice" for cell in source.cells]
    cells = []
    for cell, cell_id in zip(source.cells, cell_ids(source, roles), strict=True):
        part = role(cell)
        metadata = {"nbgrader": nbgrader_metadata(part, cell_id, cell.kind)}
        if part == "prova":
            metadata["nbgrader"]["points"] = points(source, cell)
        if part:
            metadata["tags"] = [part]
        make = v4.new_markdown_cell if cell.kind == "markdown" else v4.new_code_cell
        cells.append(make(cell.source, id=cell_id, metadata=metadata))
    return notebook_text(new_notebook(cells))


def nbgrader_metadata(part: str | None, cell_id: str, kind: str) -> dict:
    """I metadati di nbgrader: la risposta si può scrivere, la prova ha i punti, il resto è bloccato."""
    return {
        "cell_type": kind,
        "grade": part == "prova",
        "grade_id": cell_id,
        "locked": part != "risposta",
        "schema_version": 3,
        "solution": part == "risposta",
        "task": False,
    }


def build_release(name: str, solution: str) -> str:
    """Il notebook per chi studia, fatto da nbgrader in una cartella e con un registro temporanei.

    name: nome dell'esercizio, per esempio es02.   solution: il testo JSON di build_solution.
    Solleva SourceError se nbgrader non ci riesce.
    """
    with tempfile.TemporaryDirectory(prefix="corso-") as folder:
        root = Path(folder).resolve()
        source = root / SOURCE / name / f"{name}.ipynb"
        source.parent.mkdir(parents=True)
        source.write_bytes(solution.encode("utf-8"))
        result = generate_assignment(root, name)
        release = root / RELEASE / name / f"{name}.ipynb"
        if "KeyboardInterrupt" in (result.get("error") or ""):
            raise KeyboardInterrupt  # nbgrader lo inghiotte
        if not result["success"] or not release.is_file():
            raise SourceError(f"{name}: nbgrader non ha prodotto l'esercizio ({reason(result)}).")
        return normal_release(release.read_text(encoding="utf-8"))


def generate_assignment(root: Path, name: str) -> dict:
    """Chiama nbgrader in questo processo, senza scrivere sul terminale; restituisce il suo resoconto."""
    import logging

    from nbgrader.apps.api import NbGraderAPI

    prepare_database(root / DATABASE)
    config = nbgrader_settings(root)
    config.NbGraderAPI.log_level = logging.ERROR
    api = NbGraderAPI(config=config)
    return api.generate_assignment(name, force=True, create=True)


def reason(result: dict) -> str:
    """La riga del resoconto di nbgrader che dice l'errore, altrimenti l'ultima."""
    lines = [
        line.strip() for line in (result.get("log") or result.get("error") or "").splitlines() if line.strip()
    ]
    named = [line for line in lines if re.match(r"[\w.]*(Error|Exception)\b.*:", line)]
    return (named or lines or ["nessun messaggio"])[0 if named else -1]


def normal_release(text: str) -> str:
    """Il notebook di nbgrader con i metadati del corso e scritto come gli altri."""
    import nbformat

    return notebook_text(new_notebook(nbformat.reads(text, as_version=4).cells))

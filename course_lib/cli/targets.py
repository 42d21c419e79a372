"""Da ciò che una persona scrive («es02», un percorso) all'esercizio e al suo notebook."""

from __future__ import annotations

import re
from pathlib import Path

from course_lib.project import CorsoError, project_root


def exercises_here() -> list[str]:
    """Gli esercizi presenti nel corso, in ordine."""
    folder = project_root() / "exercises"
    return sorted(path.name for path in folder.glob("es[0-9][0-9]") if path.is_dir())


def exercise_name(text: str) -> str:
    """«es02» così com'è scritto, o CorsoError con l'elenco di quelli che ci sono."""
    name = text.strip().lower()
    if name not in exercises_here():
        found = ", ".join(exercises_here()) or "nessuno"
        raise CorsoError(f"Non c'è un esercizio «{text}»; gli esercizi presenti sono: {found}.")
    return name


def exercise_and_notebook(text: str) -> tuple[str, Path]:
    """L'esercizio e il notebook da leggere, da «es02» o da un percorso che finisce in .ipynb."""
    if not text.endswith(".ipynb"):
        name = exercise_name(text)
        return name, project_root() / "exercises" / name / f"{name}.ipynb"
    path = Path(text).resolve()
    match = re.search(r"es\d\d", path.stem.lower()) or re.search(r"es\d\d", path.parent.name.lower())
    if match is None:
        raise CorsoError(
            f"Dal nome {path.name} non capisco quale esercizio è: atteso per esempio «es02.ipynb»."
        )
    return exercise_name(match.group()), path

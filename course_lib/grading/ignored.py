"""I file che accompagnano una consegna e non servono: si ignorano, e lo si dice una volta."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from course_lib.grading import archives, lms_names
from course_lib.grading.outputs import clean_text
from course_lib.grading.store import Submission

UNINTERESTING = re.compile(r"\.ricevuta\.txt$|^\.|^(?:desktop\.ini|thumbs\.db)$|^~\$", re.IGNORECASE)
ONLINE_TEXT = re.compile(r"_assignsubmission_(?!file)", re.IGNORECASE)  # il testo e i commenti di Moodle
HIDDEN_FOLDERS = {".ipynb_checkpoints", "__MACOSX", "__pycache__"}


@dataclass(frozen=True)
class Ignored:
    """File che accompagnano una consegna e non servono, tutti nella stessa cartella."""

    folder: tuple[str, ...]
    names: tuple[str, ...]

    def __str__(self) -> str:
        shown = ", ".join(f"«{clean_text(name, 60)}»" for name in self.names[:3])
        return shown + (f" e altri {len(self.names) - 3}" if len(self.names) > 3 else "")


def say_ignored(files: Ignored, found: list[Submission], skipped: list[str]) -> None:
    """Lo si dice a chi corregge e, se stanno nella cartella di una consegna, anche a chi l'ha fatta."""
    where = archives.shown(files.folder) + ": " if files.folder else ""
    skipped.append(f"{where}{files} non è uno zip né un notebook: ignorato.")
    for submission in found:
        if files.folder and submission.folder == files.folder:
            submission.notes.append(f"Accanto al notebook c'erano altri file, ignorati: {files}.")


def others(place: tuple[str, ...], entries: list[tuple[str, ...]]) -> Iterator[Ignored]:
    """I file di uno zip che non sono né notebook né zip, cartella per cartella."""
    folders: dict[tuple[str, ...], list[str]] = {}
    for parts in entries:
        if not hidden(parts) and not interesting(parts):
            folders.setdefault((*place, *parts[:-1]), []).append(parts[-1])
    yield from (Ignored(folder, tuple(names)) for folder, names in folders.items())


def hidden(parts: tuple[str, ...]) -> bool:
    """Se è un file che scrive il sistema o la piattaforma, da ignorare in silenzio."""
    return bool(
        HIDDEN_FOLDERS & set(parts) or UNINTERESTING.search(parts[-1]) or ONLINE_TEXT.search(parts[0])
    )


def interesting(parts: tuple[str, ...]) -> bool:
    """Se può essere una consegna: un notebook o uno zip."""
    return not hidden(parts) and (lms_names.is_notebook(parts[-1]) or parts[-1].lower().endswith(".zip"))

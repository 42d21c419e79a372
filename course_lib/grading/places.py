"""La cartella delle consegne: se va bene, che cosa c'è dentro, dove sta ogni file."""

from __future__ import annotations

import datetime as dt
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from course_lib.building.nbgrader_settings import REGISTER, RELEASE, SOURCE
from course_lib.grading import archives
from course_lib.grading.lms_names import Owner
from course_lib.grading.manifest import plausible
from course_lib.grading.outputs import clean_text
from course_lib.grading.register import student_id, utc_now
from course_lib.grading.store import Submission
from course_lib.project import CorsoError, reason

OF_THE_COURSE = (REGISTER, SOURCE, RELEASE, "sources", "notebooks", "dist")


@dataclass(frozen=True)
class Place:
    """Dove si è trovato un file: le parti del percorso, il file su disco da cui viene, la sua ora (UTC)."""

    parts: tuple[str, ...]
    path: Path
    arrived: dt.datetime

    @property
    def name(self) -> str:
        """Il nome del file."""
        return self.parts[-1]

    def said(self, sentence: str) -> str:
        """Una frase per chi corregge, preceduta dal percorso."""
        return f"{archives.shown(self.parts)}: {sentence}"


def submission_at(place: Place, owner: Owner) -> Submission:
    """La consegna di questa persona che sta qui, ancora senza byte."""
    return Submission(
        student_id(owner.name),
        owner.name,
        place.arrived,
        place.path.parent / place.name,
        arrived=place.arrived,
        number=owner.number,
        sure=owner.sure,
        folder=place.parts[:-1],
        elsewhere=owner.folder,
    )


def check_folder(root: Path, folder: Path) -> None:
    """Solleva CorsoError se la cartella contiene file del corso, come le soluzioni o i voti."""
    root, here = root.resolve(), folder.resolve()
    inside = next((name for name in OF_THE_COURSE if here.is_relative_to(root / name)), None)
    if inside is None and not root.is_relative_to(here):
        return
    what = "è la cartella del corso" if here == root else "contiene il corso"
    raise CorsoError(
        f"--da vuole una cartella con le sole consegne, e {folder} "
        f"{what if inside is None else f'sta in {inside}/, che è del corso'}: "
        "metti le consegne in una cartella a parte e indica quella."
    )


def files_in(folder: Path) -> tuple[list[Path], list[str]]:
    """Tutti i file di una cartella e delle sue sottocartelle, in ordine, e una frase per quelle chiuse.

    I collegamenti non si seguono: sono fra i file.
    Solleva CorsoError se la cartella stessa manca o non si apre.
    """
    if not folder.is_dir():
        raise CorsoError(f"{folder} non è una cartella: indica con --da quella che contiene le consegne.")
    found, said = [], []

    def closed(error: OSError) -> None:
        parts = Path(error.filename).relative_to(folder).parts
        if not parts:
            raise CorsoError(
                f"{folder} non si apre ({reason(error)}): rendila leggibile e ripeti il comando."
            )
        said.append(
            f"{archives.shown(parts)}: la cartella non si apre ({reason(error)}), e ciò che contiene non è "
            "stato letto: rendila leggibile e ripeti il comando."
        )

    for top, folders, files in os.walk(folder, onerror=closed):
        links = [name for name in folders if os.path.islink(os.path.join(top, name))]
        found += [Path(top, name) for name in (*files, *links)]
    return sorted(found), said


def look(folder: Path, path: Path) -> Place | str:
    """Dove sta un file, o una frase se è un collegamento o non è un file."""
    parts = tuple(clean_text(part, 1_000) for part in path.relative_to(folder).parts)
    try:
        info = path.lstat()
    except OSError:  # non riuscirà nemmeno la lettura, che dirà perché
        return Place(parts, path, utc_now())
    place = Place(parts, path, plausible(dt.datetime.fromtimestamp(info.st_mtime, dt.UTC)) or utc_now())
    if stat.S_ISLNK(info.st_mode):
        return place.said("è un collegamento, e non lo seguo: se porta a una consegna, metti qui il file.")
    return place if stat.S_ISREG(info.st_mode) else place.said("non è un file: ignorato.")

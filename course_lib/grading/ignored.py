"""I file che accompagnano una consegna e non servono: si ignorano, e lo si dice una volta."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from course_lib.grading import archives, lms_names
from course_lib.grading.manifest import date_in_zip
from course_lib.grading.outputs import clean_text
from course_lib.grading.places import Place, submission_at
from course_lib.grading.store import Submission
from course_lib.grading.verdicts import NotGraded, Verdict

UNINTERESTING = re.compile(r"\.ricevuta\.txt$|^\.|^(?:desktop\.ini|thumbs\.db)$|^~\$", re.IGNORECASE)
ONLINE_TEXT = re.compile(r"_assignsubmission_(?!file)", re.IGNORECASE)  # il testo e i commenti di Moodle
HIDDEN_FOLDERS = {".ipynb_checkpoints", "__MACOSX", "__pycache__"}


@dataclass(frozen=True)
class Ignored:
    """File che accompagnano una consegna e non servono, tutti nella stessa cartella: `place`."""

    place: Place
    names: tuple[str, ...]

    @property
    def folder(self) -> tuple[str, ...]:
        """Il percorso della cartella."""
        return self.place.parts

    def __str__(self) -> str:
        return _listed(self.names)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"«{clean_text(name, 60)}»" for name in names[:3])
    return shown + (f" e altri {len(names) - 3}" if len(names) > 3 else "")


def say_ignored(files: Ignored, found: list[Submission], skipped: list[str]) -> None:
    """Lo si dice a chi corregge e, se stanno nella cartella di una consegna, anche a chi l'ha fatta."""
    where = archives.shown(files.folder) + ": " if files.folder else ""
    skipped.append(f"{where}{files} non è uno zip né un notebook: ignorato.")
    for submission in found:
        if files.folder and submission.folder == files.folder:
            submission.notes.append(f"Accanto al notebook c'erano altri file, ignorati: {files}.")


def without_notebook(
    ignored: list[Ignored], found: list[Submission], exercise: str, names: lms_names.Names
) -> Iterator[Submission]:
    """Chi, secondo la piattaforma, ha mandato soltanto file che non servono (un PDF): la consegna manca."""
    there = {(submission.student, submission.number) for submission in found}
    people: dict[tuple[str, str], tuple[Submission, list[str]]] = {}
    for files in ignored:
        for name in files.names:
            place = replace(files.place, parts=(*files.folder, name))
            owner = lms_names.owner(place.parts, names)
            if owner is not None and owner.sure:
                one = submission_at(place, owner)
                people.setdefault((one.student, one.number), (one, []))[1].append(lms_names.pupil_file(name))
    for who, (submission, sent) in people.items():
        if who not in there:
            submission.refused = NotGraded(
                Verdict.MISSING, f"Fra i file arrivati ({_listed(sent)}) manca il notebook {exercise}.ipynb."
            )
            yield submission


def others(place: Place, entries: list[archives.Entry]) -> Iterator[Ignored]:
    """I file di uno zip che non sono né notebook né zip, cartella per cartella."""
    folders: dict[tuple[str, ...], list[archives.Entry]] = {}
    for entry in entries:
        if not hidden(entry.parts) and not interesting(entry.parts):
            folders.setdefault((*place.parts, *entry.parts[:-1]), []).append(entry)
    for parts, files in folders.items():
        arrived = date_in_zip(files[0].info) or place.arrived
        yield Ignored(Place(parts, place.path, arrived), tuple(entry.parts[-1] for entry in files))


def hidden(parts: tuple[str, ...]) -> bool:
    """Se è un file che scrive il sistema o la piattaforma, da ignorare in silenzio."""
    return bool(
        HIDDEN_FOLDERS & set(parts) or UNINTERESTING.search(parts[-1]) or ONLINE_TEXT.search(parts[0])
    )


def interesting(parts: tuple[str, ...]) -> bool:
    """Se può essere una consegna: un notebook o uno zip."""
    return not hidden(parts) and (lms_names.is_notebook(parts[-1]) or parts[-1].lower().endswith(".zip"))

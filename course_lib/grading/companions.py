"""I file che si consegnano con il notebook (i parametri di es08): dove sono, e di quale consegna.

Il loro contenuto qui non si guarda: se ne tengono i byte, al più uno oltre il massimo, per chi giudica.
"""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, replace

from course_lib.checks.errors import ErroreEsercizio
from course_lib.checks.handed import HandedFile, WrongFile
from course_lib.checks.registry import exercise as find_exercise
from course_lib.grading import archives, lms_names
from course_lib.grading.ignored import Ignored
from course_lib.grading.places import Place
from course_lib.grading.register import sha256, student_id
from course_lib.grading.store import Submission


@dataclass(frozen=True)
class Companion:
    """Un file trovato: dov'è, come l'esercizio lo chiama, i byte."""

    place: Place
    name: str
    data: bytes


def files_of(exercise: str) -> tuple[HandedFile, ...]:
    """I file che l'esercizio fa consegnare con il notebook; nessuno, se l'esercizio non si conosce."""
    try:
        return find_exercise(exercise).files
    except ErroreEsercizio:
        return ()


def wanted(name: str, exercise: str) -> HandedFile | None:
    """Quale di quei file è, dal suo nome: «es08 (1).npz» e quello che scrive Moodle contano."""
    name = lms_names.pupil_file(name)
    for file in files_of(exercise):
        stem, dot, suffix = name.rpartition(".")
        own, _, kind = file.name.rpartition(".")
        if dot and suffix.lower() == kind and lms_names.exercise_in(stem) == own:
            return file
    return None


def from_disk(place: Place, file: HandedFile) -> Companion | str:
    """Un file della cartella, o una frase se non si legge."""
    try:
        data = file.read_from(place.path)
    except WrongFile as error:
        return place.said(str(error))
    return Companion(place, file.name, data or b"")


def from_zip(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, file: HandedFile, budget: archives.Budget
) -> bytes:
    """I byte di una voce, al più uno oltre il massimo: di una bomba si decomprime solo l'inizio.

    Solleva archives.Refused se non si legge.
    """
    budget.take(min(info.file_size, file.most + 1))
    try:
        with archive.open(info) as member:
            return member.read(file.most + 1)
    except archives.UNREADABLE:
        raise archives.Refused("è rovinato, o non è lungo quanto dichiara.") from None


def join(companions: Sequence[Companion], found: list[Submission], names: lms_names.Names) -> list[Ignored]:
    """Unisce ogni file alla consegna che gli sta accanto; quelli di cui non si sa restano fra gli ignorati.

    Accanto: nella stessa cartella, o nello stesso zip, e della stessa persona se il nome la dice.
    """
    left = []
    exact_first = sorted(companions, key=lambda one: lms_names.pupil_file(one.place.name) != one.name)
    for one in exact_first:
        folder = one.place.parts[:-1]
        near = [s for s in found if s.folder == folder and s.refused is None and _same(one, s, names)]
        if len({(s.student, s.number) for s in near}) != 1:
            left.append(Ignored(replace(one.place, parts=folder), (one.place.name,)))
            continue
        for submission in near:
            _add(submission, one)
    return left


def _same(one: Companion, submission: Submission, names: lms_names.Names) -> bool:
    stem = one.place.name.rpartition(".")[0]
    owner = lms_names.owner((*one.place.parts[:-1], f"{stem}.ipynb"), names)
    if owner is None or owner.plain:  # il nome di ciò che li contiene tutt'e due non li distingue
        return True
    return student_id(owner.name) == submission.student and owner.number == submission.number


def _add(submission: Submission, one: Companion) -> None:
    kept = submission.files.setdefault(one.name, one.data)
    if kept != one.data:
        submission.notes.append(f"Accanto al notebook c'era più di un {one.name}: ne è stato letto uno solo.")


def take(
    submission: Submission, archive: zipfile.ZipFile, info: zipfile.ZipInfo | None, file: HandedFile,
    budget: archives.Budget, declared: dict[str, str],
) -> None:  # fmt: skip
    """Da uno zip di «corso consegna»: una nota se il file non si legge, o se non è quello del manifesto.

    info: la sua voce, None se non c'è   declared: {nome: impronta}, dal manifesto
    """
    if info is None:
        return
    try:
        data = from_zip(archive, info, file, budget)
    except archives.Refused as refusal:
        submission.notes.append(f"{file.name} {refusal}")
        return
    submission.files[file.name] = data
    if sha256(data) != declared.get(file.name):
        submission.notes.append(
            f"L'impronta di {file.name} non è quella del manifesto: il file è cambiato dopo la ricevuta."
        )

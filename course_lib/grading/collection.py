"""La raccolta: da una cartella di zip, notebook, scarichi di Moodle o Classroom alle consegne."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from course_lib.checks.handed import HandedFile
from course_lib.grading import archives, companions, lms_names
from course_lib.grading.archives import Budget, Refused
from course_lib.grading.companions import Companion
from course_lib.grading.exchange import Exchange
from course_lib.grading.ignored import Ignored, hidden, interesting, others, say_ignored, without_notebook
from course_lib.grading.lms_names import Names, Owner
from course_lib.grading.manifest import MANIFEST, date_in_zip, read_manifest, take_time
from course_lib.grading.namesakes import say_other_folders, tell_namesakes_apart
from course_lib.grading.outputs import clean_text
from course_lib.grading.places import Place, check_folder, files_in, look, submission_at
from course_lib.grading.preflight import MAX_FILE
from course_lib.grading.register import Register, sha256, student_id
from course_lib.grading.rome import Deadline
from course_lib.grading.store import Submission, choose, not_too_many, store, stored
from course_lib.grading.verdicts import NotGraded, Verdict
from course_lib.project import reason

__all__ = ["Collected", "Submission", "as_bytes", "collect", "collect_class", "store"]
SEND_AGAIN = "Se è una consegna, fattela rimandare: fra i voti non compare."


@dataclass
class Collected:
    """Le consegne da correggere, una a persona in ordine di identificativo, e le frasi per chi corregge.

    everything: tutte quelle della cartella, già conservate
    """

    chosen: list[Submission]
    said: list[str] = field(default_factory=list)
    everything: list[Submission] = field(default_factory=list)


def collect_class(
    register: Register, exercise: str, source: Path | Exchange, deadline: Deadline | None = None
) -> Collected:
    """Raccoglie una cartella o lo scambio, conserva ogni consegna, sceglie per ciascuno quella che vale.

    Solleva CorsoError se la cartella non va bene o se registro/nomi.toml è sbagliato.
    """
    if isinstance(source, Path):
        check_folder(register.root, source)
    collected = Collected([], [deadline.said] if deadline is not None and deadline.said else [])
    found: dict[str, list[Submission]] = {}
    if isinstance(source, Exchange):
        submissions, skipped = source.collect(exercise)
    else:
        submissions, skipped = collect(source, exercise, lms_names.names_of(register.folder))
    collected.said += skipped
    for submission in submissions:
        found.setdefault(submission.student, []).append(submission)
    for student in sorted(found):
        kept = not_too_many(found[student], deadline, collected.said)
        for submission in kept:
            path = store(register, exercise, submission)
            if submission.refused is None or submission.data:
                submission.stored, submission.data = path, b""
        collected.everything += kept
        collected.chosen.append(choose(kept, stored(register, exercise, student), deadline))
    return collected


def collect(folder: Path, exercise: str, names: Names | None = None) -> tuple[list[Submission], list[str]]:
    """Le consegne di un esercizio in una cartella (anche nelle sottocartelle), e le frasi sui file saltati.

    Solleva CorsoError se la cartella non c'è.
    """
    names = names or Names(lms_names.BUILT_IN)
    paths, skipped = files_in(folder)
    found, ignored, others = [], [], []
    for path in paths:
        if hidden(path.relative_to(folder).parts):
            continue
        place = look(folder, path)
        for one in [place] if isinstance(place, str) else _from_disk(place, exercise, names):
            groups = {Ignored: ignored, Companion: others, Submission: found}
            groups.get(type(one), skipped).append(one)
    ignored += companions.join(others, found, names)
    for files in ignored:
        say_ignored(files, found, skipped)
    found += without_notebook(ignored, found, exercise, names)
    say_other_folders(found, skipped)
    tell_namesakes_apart(found, skipped)
    return found, skipped


def _from_disk(
    place: Place, exercise: str, names: Names
) -> Iterator[Submission | Ignored | Companion | str]:
    """Un file: che cosa se ne ricava. Se il sistema non lo lascia leggere, le altre consegne vanno avanti."""
    try:
        if lms_names.is_notebook(place.name):
            small = place.path.stat().st_size <= MAX_FILE
            yield _notebook(place, exercise, names, place.path.read_bytes() if small else None)
        elif place.path.suffix.lower() == ".zip":
            yield from _archive(place, place.path, exercise, names, Budget(archives.MAX_CLASS))
        elif file := companions.wanted(place.name, exercise):
            yield companions.from_disk(place, file)
        else:
            yield Ignored(Place(place.parts[:-1], place.path, place.arrived), (place.name,))
    except OSError as error:
        yield _refuse(place, exercise, names, _closed(error), "")


def _closed(error: OSError) -> str:
    return f"non si legge ({reason(error)}): chi corregge lo renda leggibile e ripeta il comando."


def _archive(
    place: Place, source: Path | bytes, exercise: str, names: Names, budget: Budget
) -> Iterator[Submission | Ignored | Companion | str]:
    """Uno zip: quello di «corso consegna», quello di una persona, o lo scarico di una classe intera."""
    try:
        with archives.opened(source) as archive:
            good, bad = archives.entries(archive)
            if any(entry.parts == (MANIFEST,) for entry in good):
                yield _with_bytes(_handed_in(place, archive, good, bad, exercise, names, budget), source)
                return
            yield from (place.said(f"contiene {what}") for what in bad)
            files = {entry.parts: companions.wanted(entry.parts[-1], exercise) for entry in good}
            yield from others(place, [entry for entry in good if not files[entry.parts]])
            for entry in good:
                if files[entry.parts]:
                    yield _companion(place, archive, entry, files[entry.parts], budget)
            wanted = [entry for entry in good if interesting(entry.parts)]
            if not wanted:
                refused = _refuse(place, exercise, names, "nello zip non c'è nessun notebook.")
                yield _with_bytes(refused, source)
            for entry in wanted:
                yield from _entry(place, archive, entry, exercise, names, budget)
    except Refused as refusal:
        yield _with_bytes(_refuse(place, exercise, names, str(refusal)), source)


def _with_bytes(one: Submission | str, source: Path | bytes) -> Submission | str:
    """Anche di uno zip rifiutato si conservano i byte, se non sono più di quanti ne può avere un notebook."""
    if isinstance(one, Submission) and one.refused is not None:
        data = source if isinstance(source, bytes) else b""
        if isinstance(source, Path) and source.stat().st_size <= MAX_FILE:
            data = source.read_bytes()
        one.data = data if len(data) <= MAX_FILE else b""
    return one


def _entry(
    outer: Place,
    archive: zipfile.ZipFile,
    entry: archives.Entry,
    exercise: str,
    names: Names,
    budget: Budget,
) -> Iterator[Submission | Ignored | str]:
    """Un notebook o uno zip dentro uno zip; se non si legge, lo si dice e si passa al prossimo."""
    arrived = None if _by_platform(outer, names) else date_in_zip(entry.info)
    place = Place((*outer.parts, *entry.parts), outer.path, arrived or outer.arrived)
    try:
        if lms_names.is_notebook(place.name):
            other = _another_exercise(place, exercise)
            raw = None if other else archives.read(archive, entry.info, MAX_FILE, budget)
            yield other or _notebook(place, exercise, names, raw)
        else:
            inner = budget.inner()
            raw = archives.read(archive, entry.info, archives.MAX_INNER, budget)
            yield from _archive(place, raw, exercise, names, inner)
    except Refused as refusal:
        yield _refuse(place, exercise, names, str(refusal))


def _companion(
    outer: Place, archive: zipfile.ZipFile, entry: archives.Entry, file: HandedFile, budget: Budget
) -> Companion | str:
    """Un file da consegnare con il notebook, dentro uno zip."""
    place = Place((*outer.parts, *entry.parts), outer.path, outer.arrived)
    try:
        return Companion(place, file.name, companions.from_zip(archive, entry.info, file, budget))
    except Refused as refusal:
        return place.said(str(refusal))


def _by_platform(archive: Place, names: Names) -> bool:
    """Se uno zip l'ha ricevuto la piattaforma: l'ora è la sua, quelle dentro le scrive chi consegna."""
    owner = lms_names.owner(archive.parts, names)
    return owner is not None and owner.sure


def _another_exercise(place: Place, exercise: str) -> str | None:
    """Una frase se il nome del file dice un altro esercizio."""
    said = lms_names.exercise_in(lms_names.pupil_file(lms_names.stem_of(place.name)))
    if said is None or said == exercise:
        return None
    return place.said(f"è di {said}, non di {exercise}.")


def _notebook(place: Place, exercise: str, names: Names, raw: bytes | None) -> Submission | str:
    """Un notebook senza manifesto: l'autore sta nel nome, o in quello della cartella; raw None: è troppo."""
    other = _another_exercise(place, exercise)
    if other:
        return other
    owner = _owner(place, exercise, names)
    if owner is None:
        return place.said(f"non capisco di chi è: rinominalo, per esempio «{exercise}_anna-bianchi.ipynb».")
    submission = submission_at(place, owner)
    original = lms_names.pupil_file(place.name)
    stem = lms_names.stem_of(original)
    if lms_names.bare(stem) != stem or not original.endswith(".ipynb") or lms_names.exercise_in(stem) is None:
        submission.notes.append(
            f"Il file si chiamava «{clean_text(original, 100)}»: è stato letto come {exercise}.ipynb."
        )
    if raw is None:
        submission.refused = NotGraded(
            Verdict.UNREADABLE, f"Il file supera {MAX_FILE // 2**20} MB: cancella gli output e salva."
        )
    else:
        submission.data = raw
    return submission


def _owner(place: Place, exercise: str, names: Names) -> Owner | None:
    """Di chi è un file, se il percorso nomina l'esercizio o se il nome l'ha scritto la piattaforma."""
    owner = lms_names.owner(place.parts, names)
    told = any(lms_names.exercise_in(lms_names.stem_of(part)) == exercise for part in place.parts)
    return owner if owner is not None and (told or owner.sure) else None


def _refuse(
    place: Place, exercise: str, names: Names, why: str, remedy: str = SEND_AGAIN
) -> Submission | str:
    """Ciò che non si legge: se si sa di chi è, *illeggibile* per quella persona; se no, una frase."""
    owner = _owner(place, exercise, names)
    if owner is None:
        return place.said(f"{why} {remedy}".strip())
    submission = submission_at(place, owner)
    submission.refused = NotGraded(Verdict.UNREADABLE, f"{clean_text(place.name, 100)}: {why}")
    return submission


def _handed_in(
    place: Place, archive: zipfile.ZipFile, good: list[archives.Entry], bad: list[str], exercise: str,
    names: Names, budget: Budget,
) -> Submission | str:  # fmt: skip
    """Lo zip di «corso consegna»: vale il nome del manifesto, salvo che la piattaforma ne dica un altro."""
    members = {entry.parts: entry.info for entry in good}
    manifest = read_manifest(archives.read(archive, members[(MANIFEST,)], 100_000, budget))
    if manifest is None:
        return place.said("il manifesto di «corso consegna» non è leggibile.")
    if manifest["esercizio"] != exercise:
        return place.said(f"è una consegna di {clean_text(manifest['esercizio'], 20)}, non di {exercise}.")
    declared = lms_names.Owner(names.same.get(student_id(manifest["nome"]), manifest["nome"]))
    owner = lms_names.owner(place.parts, names)
    if owner is None or not owner.sure:
        owner = replace(declared, folder=lms_names.another_person(declared, owner))
    submission = submission_at(place, owner)
    if set(student_id(owner.name).split("-")) != set(student_id(declared.name).split("-")):
        submission.notes.append(
            f"Il manifesto dice «{declared.name}», la piattaforma «{owner.name}»: vale questa."
        )
    take_time(submission, manifest["quando"])
    wanted = members.pop((f"{exercise}.ipynb",), None)
    files = {file: members.pop((file.name,), None) for file in companions.files_of(exercise)}
    if len(members) > 1 or bad:
        submission.notes.append(f"File ignorati nello zip: {_ignored(members, bad)}.")
    try:
        if wanted is None:
            raise Refused(f"nello zip manca {exercise}.ipynb.")
        submission.data = archives.read(archive, wanted, MAX_FILE, budget)
    except Refused as refusal:
        submission.refused = NotGraded(Verdict.UNREADABLE, f"{clean_text(place.name, 100)}: {refusal}")
        return submission
    if sha256(submission.data) != manifest["sha256"]:
        submission.notes.append("L'impronta non è quella del manifesto: il file è cambiato dopo la ricevuta.")
    for file, info in files.items():
        companions.take(submission, archive, info, file, budget, manifest["altri"])
    return submission


def _ignored(members: dict, bad: list[str]) -> str:
    names = sorted(archives.shown(parts) for parts in members if parts != (MANIFEST,))
    shown = [f"«{name}»" for name in names[:3]] + ([f"e altri {len(names) - 3}"] if len(names) > 3 else [])
    return ", ".join(shown + [what.rstrip(".") for what in bad])


def as_bytes(notebook: dict) -> bytes:
    """Un notebook in byte, nella forma di nbformat."""
    import nbformat

    buffer = io.StringIO()
    nbformat.write(notebook, buffer)
    return buffer.getvalue().encode()

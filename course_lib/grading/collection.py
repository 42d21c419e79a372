"""La raccolta: da una cartella di zip e notebook alle consegne nel registro, ciascuna con impronta e ora."""

from __future__ import annotations

import datetime as dt
import io
import json
import lzma
import re
import struct
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path

from course_lib.grading.handin import MANIFEST
from course_lib.grading.outputs import clean_text
from course_lib.grading.preflight import MAX_FILE
from course_lib.grading.register import Register, sha256, student_id, utc_now, write_atomically
from course_lib.grading.verdicts import NotGraded, Verdict
from course_lib.project import CorsoError

# ciò che la libreria standard solleva leggendo uno zip rovinato o ostile
UNREADABLE_ZIP = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, OSError, ValueError, RuntimeError,
    NotImplementedError, EOFError, KeyError,
)  # fmt: skip
COPY_MARK = re.compile(r"\s*\(\d+\)$| - copia$|-Copy\d+$", re.IGNORECASE)


@dataclass
class Submission:
    """Una consegna raccolta: di chi, quando (UTC), i byte, le note, l'eventuale motivo di rifiuto."""

    student: str
    name: str
    when: dt.datetime
    source: Path
    raw: bytes = b""
    notes: list[str] = field(default_factory=list)
    refused: NotGraded | None = None


def collect(folder: Path, exercise: str) -> tuple[list[Submission], list[str]]:
    """Le consegne di un esercizio in una cartella (anche nelle sottocartelle), e le frasi sui file saltati.

    Solleva CorsoError se la cartella non c'è.
    """
    if not folder.is_dir():
        raise CorsoError(f"{folder} non è una cartella: indica con --da quella che contiene le consegne.")
    found, skipped = [], []
    for path in sorted(folder.rglob("*")):
        if (
            path.is_symlink()
            or not path.is_file()
            or path.name.startswith(".")
            or ".ipynb_checkpoints" in path.parts
        ):
            continue
        if path.suffix not in (".zip", ".ipynb"):
            if not path.name.endswith(".ricevuta.txt"):
                skipped.append(f"{clean_text(path.name, 100)}: non è uno zip né un notebook, saltato.")
            continue
        submission = (
            _from_zip(path, exercise) if path.suffix == ".zip" else _from_notebook(path, folder, exercise)
        )
        if isinstance(submission, str):
            skipped.append(f"{clean_text(path.name, 100)}: {submission}")
        else:
            found.append(_dated(submission))
    return found, skipped


def _dated(submission: Submission) -> Submission:
    """L'ora la dichiara chi consegna: una del futuro vale come quella di raccolta."""
    now = utc_now()
    if submission.when > now:
        submission.notes.append("L'ora di consegna dichiarata è nel futuro: vale quella di raccolta.")
        submission.when = now
    return submission


def _from_notebook(path: Path, folder: Path, exercise: str) -> Submission | str:
    stem = COPY_MARK.sub("", path.stem)
    match = re.fullmatch(rf"{exercise}[ _-]+(.+)|(.+?)[ _-]+{exercise}", stem, re.IGNORECASE)
    if match:
        name = match.group(1) or match.group(2)
    elif stem.lower() == exercise and path.parent != folder:
        name = path.parent.name
    else:
        return f"non capisco di chi è; atteso un nome come «{exercise}_anna-bianchi.ipynb»."
    name = clean_text(name, 100)
    student = student_id(name)
    if not student:
        return f"«{name}» non è un nome utilizzabile."
    when = dt.datetime.fromtimestamp(path.stat().st_mtime, dt.UTC).replace(microsecond=0)
    submission = Submission(student, name, when, path)
    if path.stat().st_size > MAX_FILE:
        submission.refused = NotGraded(Verdict.UNREADABLE, f"Il file supera {MAX_FILE // 2**20} MB.")
    else:
        submission.raw = path.read_bytes()
    return submission


def _from_zip(path: Path, exercise: str) -> Submission | str:
    """Legge dallo zip i soli membri che servono, in memoria e con un tetto: nulla è estratto su disco."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _manifest(archive)
            if manifest is None:
                return "manca il manifesto di «corso consegna», o non è leggibile."
            if manifest["esercizio"] != exercise:
                return f"è una consegna di {manifest['esercizio']}, non di {exercise}."
            submission = Submission(student_id(manifest["nome"]), manifest["nome"], manifest["quando"], path)
            extra = [n for n in archive.namelist() if n not in (MANIFEST, f"{exercise}.ipynb")]
            if extra:
                submission.notes.append(f"File ignorati nello zip: {len(extra)}.")
            submission.raw = _read(archive, f"{exercise}.ipynb", MAX_FILE)
    except UNREADABLE_ZIP:
        return "non è uno zip leggibile, o non contiene il notebook dell'esercizio."
    if sha256(submission.raw) != manifest["sha256"]:
        submission.notes.append("L'impronta non è quella del manifesto: il file è cambiato dopo la ricevuta.")
    return submission


def _read(archive: zipfile.ZipFile, member: str, most: int) -> bytes:
    with archive.open(member) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError("troppo grande")
    return data


def _manifest(archive: zipfile.ZipFile) -> dict | None:
    try:
        manifest = json.loads(_read(archive, MANIFEST, 100_000).decode("utf-8"))
        when = dt.datetime.fromisoformat(manifest["quando"]).astimezone(dt.UTC)
        name, exercise = clean_text(str(manifest["nome"]), 100), str(manifest["esercizio"])[:20]
        digest = str(manifest["file"][0]["sha256"])
    except (KeyError, ValueError, TypeError, IndexError, AttributeError, RecursionError, OverflowError):
        return None
    if not student_id(name):
        return None
    return {"nome": name, "esercizio": exercise, "quando": when, "sha256": digest}


def store(register: Register, exercise: str, submission: Submission) -> Path:
    """Conserva i byte come sono arrivati, in sola lettura, con impronta e ora."""
    digest = sha256(submission.raw)
    folder = register.received(exercise, submission.student)
    path = folder / f"{submission.when:%Y%m%dT%H%M%SZ}-{digest[:16]}.ipynb"
    if not path.exists():
        write_atomically(path, submission.raw, 0o444)
        record = {
            "nome": submission.name,
            "consegnato": submission.when.isoformat(),
            "raccolto": utc_now().isoformat(),
            "file": clean_text(submission.source.name, 200),
            "sha256": digest,
        }
        write_atomically(path.with_suffix(".json"), json.dumps(record, ensure_ascii=False).encode(), 0o444)
    return path


def latest(submissions: list[Submission]) -> list[Submission]:
    """Per ciascuno l'ultima consegna, in ordine di identificativo."""
    newest: dict[str, Submission] = {}
    for submission in sorted(submissions, key=lambda s: s.when):
        newest[submission.student] = submission
    return [newest[student] for student in sorted(newest)]


def as_bytes(notebook: dict) -> bytes:
    """Un notebook in byte, nella forma di nbformat."""
    import nbformat

    buffer = io.StringIO()
    nbformat.write(notebook, buffer)
    return buffer.getvalue().encode()

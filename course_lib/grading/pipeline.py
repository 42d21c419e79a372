"""La correzione di una classe: raccolta, ciò che è già corretto, i lavoratori per il resto, il resoconto."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import TextIO

from nbgrader.api import MissingEntry
from traitlets.config import Config

from course_lib.building.nbgrader_settings import REGISTER
from course_lib.grading import memory, sandbox
from course_lib.grading.class_text import class_text
from course_lib.grading.collection import Submission, collect_class
from course_lib.grading.diary import DIARY
from course_lib.grading.exchange import Exchange
from course_lib.grading.gradebook import database_url, forget, opened, prepare
from course_lib.grading.limits import DEFAULT, Limits
from course_lib.grading.outcomes import (
    Outcome,
    Report,
    class_outcomes,
    class_records,
    damaged,
    read_outcome,
    read_record,
)
from course_lib.grading.register import Register, sha256, write_atomically
from course_lib.grading.rome import deadline_of
from course_lib.grading.settings import grading_settings
from course_lib.grading.single import Job, fingerprint, log_outcome, make_api
from course_lib.grading.verdicts import Verdict
from course_lib.grading.workers import MOST, Team
from course_lib.project import CorsoError, reason

__all__ = ["Outcome", "Report", "class_outcomes", "grade_class", "shared_names"]
PARTS = ("checks", "grading", "learning", "transformer")  # le parti di course_lib che decidono i voti
BUSY_SECONDS = 10  # quanto si attende chi sta ancora correggendo qui


def grade_class(
    root: Path,
    exercise: str,
    source: Path | Exchange,
    *,
    isolated: bool = True,
    accept_suspect: bool = False,
    limits: Limits = DEFAULT,
    workers: int | None = None,
    db: str | None = None,
    deadline: str | None = None,
    again: bool = False,
    feedback: bool = True,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Report:
    """Corregge le consegne di un esercizio che stanno in una cartella; ciò che è già corretto resta.

    root: il corso, con solutions/   source: la cartella, o lo scambio di JupyterHub
    workers: quanti processi; se manca, uno per core
    db: URL del registro dei voti; se manca, sqlite in registro/   deadline: una data, o un file di scadenze
    again: rifà anche ciò che è già corretto   feedback: se scrivere anche le pagine
    progress(fatte, tutte): chiamata all'inizio e a ogni consegna corretta
    Solleva CorsoError se l'esercizio, la cartella, l'isolamento o il database mancano, o se qui si sta già
    correggendo.
    """
    root = root.resolve()
    register = Register(root)
    register.solution(exercise)
    if isolated:
        sandbox.find_isolation()
        sandbox.font_cache()  # la ricordano anche i lavoratori
    due = deadline_of(register.folder, exercise, deadline)
    with only_one(register):
        collected = collect_class(register, exercise, source, due)
        chosen, said = collected.chosen, collected.said + shared_names(collected.everything)
        said += damaged(register, exercise)
        job = prepare_job(register, exercise, isolated, accept_suspect, limits, db, feedback)
        job.stamp["scadenza"] = str(due) if due else None
        in_gradebook = forget_unfinished(job)
        finish_diary(job)
        waiting = [
            s for s in chosen if again or not is_done(job, s, accept_suspect) or _lost(job, s, in_gradebook)
        ]
        for submission in waiting:
            submission.before = read_record(register.outcome(exercise, submission.student)).get("punti")
        run(job, waiting, min(workers or core_count(), MOST), len(chosen), progress)
        memory.clean_up()
        outcomes = [read_outcome(register, exercise, s.student) for s in chosen]
    return Report(exercise, outcomes, said, already=len(chosen) - len(waiting))


def prepare_job(
    register: Register, exercise: str, isolated: bool, accept_suspect: bool, limits: Limits, db: str | None,
    feedback: bool,
) -> Job:  # fmt: skip
    """Impostazioni, registro dei voti e celle dell'esercizio, pronti per i lavoratori."""
    url = database_url(register.root, db)
    config = grading_settings(register.root, url)
    config.Preflight.accept_suspect = accept_suspect
    config.BoxAndJudge.isolated = isolated
    config.BoxAndJudge.limits = limits
    prepare(url)
    ensure_assignment(register, exercise, config)
    packages = ("chiave-di-lettura", "nbgrader", "numpy")
    stamp = {
        "versioni": {name: version(name) for name in packages},
        "soluzioni": sha256(register.solution(exercise).read_bytes())[:16],
        "testo": sha256(class_text(register, exercise))[:16],
        "codice": code_digest(),
        "isolato": isolated,
        "limiti": sha256(repr(limits).encode())[:16],
    }
    return Job(register, exercise, config, stamp, feedback)


def run(
    job: Job, waiting: list[Submission], workers: int, total: int, progress: Callable[[int, int], None]
) -> None:
    """Fa correggere ai lavoratori ciò che manca. Ctrl-C diventa un CorsoError che dice come si riprende."""
    left = len(waiting)
    progress(total - left, total)

    def done(_: int) -> None:
        nonlocal left
        left -= 1
        progress(total - left, total)

    try:
        Team(job, waiting, min(workers, len(waiting)), lambda i: is_done(job, waiting[i], True)).run(done)
    except KeyboardInterrupt:
        missing = sum(not is_done(job, submission, False) for submission in waiting)
        raise Stopped(
            f"fermata: corrette finora {total - missing} su {total}, e non si perdono; "
            "per le altre ripeti lo stesso comando."
        ) from None


class Stopped(CorsoError):
    """Chi corregge ha fermato la correzione."""


def is_done(job: Job, submission: Submission, accept_suspect: bool) -> bool:
    """Se l'esito sul disco è di questi stessi byte, corretti con queste stesse soluzioni e versioni."""
    record = read_record(job.register.outcome(job.exercise, submission.student))
    made = record.get("correzione", {})
    if made.get("impronta") != fingerprint(job, submission) or record.get("guasto"):
        return False
    return record.get("verdetto") != Verdict.SUSPECT or not accept_suspect


def _lost(job: Job, submission: Submission, in_gradebook: set[str]) -> bool:
    """Se all'esito manca il voto nel registro (un altro --db, un registro rifatto) o la pagina."""
    record = read_record(job.register.outcome(job.exercise, submission.student))
    graded = record.get("verdetto") == Verdict.GRADED
    if graded != (submission.student in in_gradebook):
        return True
    return job.feedback and not job.register.feedback(job.exercise, submission.student).is_file()


def finish_diary(job: Job) -> None:
    """Aggiunge al diario la riga degli esiti che una correzione fermata non ha fatto in tempo a scrivere."""
    records = class_records(job.register, job.exercise)
    made = {student: record for student, record in records.items() if record.get("correzione")}
    written = job.register.folder / DIARY
    lines = written.read_text("utf-8", "replace") if made and written.is_file() else ""
    for student, record in made.items():
        if f'"{record["correzione"]["id"]}"' not in lines:
            log_outcome(job, student, record)


def forget_unfinished(job: Job) -> set[str]:
    """Toglie dal registro dei voti ciò che una correzione interrotta vi ha lasciato: sarebbe uno 0.

    Restituisce gli identificativi che vi restano.
    """
    with opened(job.url) as gradebook:
        students = {s.student_id for s in gradebook.assignment_submissions(job.exercise)}
    unfinished = {s for s in students if not job.register.outcome(job.exercise, s).is_file()}
    for student in sorted(unfinished):
        forget(job.url, job.exercise, student)
    return students - unfinished


def shared_names(submissions: list[Submission]) -> list[str]:
    """Una frase per ogni identificativo che riceve consegne con nomi scritti in modi diversi."""
    names: dict[str, set[str]] = {}
    for submission in submissions:
        names.setdefault(submission.student, set()).add(submission.name)
    return [
        f"{student}: consegne con nomi diversi ({', '.join(sorted(found))}); vale l'ultima, o con una "
        "scadenza l'ultima in tempo. Se sono persone diverse, falle consegnare con nomi distinti."
        for student, found in names.items()
        if len(found) > 1
    ]


def ensure_assignment(register: Register, exercise: str, config: Config) -> None:
    """Mette nel registro dei voti le celle dell'esercizio, se mancano o se le soluzioni sono cambiate."""
    digest = sha256(register.solution(exercise).read_bytes())
    mark = register.folder / "esercizi" / f"{exercise}.sha256"
    if mark.is_file() and mark.read_text("utf-8") == digest and _known(config, exercise):
        return
    with_release = Config(config)
    with_release.CourseDirectory.release_directory = f"{REGISTER}/esercizi"
    result = make_api(with_release).generate_assignment(exercise, force=True, create=True)
    if not result["success"]:
        register.log({"errore": "generate_assignment", "esercizio": exercise, "diario": result.get("error")})
        raise CorsoError(
            f"nbgrader non accetta le soluzioni di {exercise}: il perché è in registro/diario.jsonl."
        )
    write_atomically(mark, digest.encode())


def _known(config: Config, exercise: str) -> bool:
    with opened(config.CourseDirectory.db_url) as gradebook:
        try:
            return len(gradebook.find_assignment(exercise).notebooks) > 0
        except MissingEntry:
            return False


def code_digest() -> str:
    """L'impronta del codice che decide i voti: se cambia, si corregge di nuovo."""
    library = Path(__file__).resolve().parents[1]
    files = sorted(p for part in PARTS for p in (library / part).rglob("*.py"))
    return sha256(b"".join(path.read_bytes() for path in files))[:16]


def core_count() -> int:
    """I core che questo processo può usare."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextlib.contextmanager
def only_one(register: Register) -> Iterator[None]:
    """Una correzione alla volta in un registro: il lucchetto lo tengono anche i lavoratori, finché vivono."""
    with _lock_file(register) as lock:
        until = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                if time.monotonic() > until:
                    raise CorsoError(
                        f"In {register.folder} un'altra correzione è in corso: attendi che finisca o fermala."
                    ) from None
                time.sleep(0.1)
        yield


def _lock_file(register: Register) -> TextIO:
    try:
        register.folder.mkdir(parents=True, exist_ok=True)
        if (register.folder / DIARY).exists():  # senza il diario non si comincia
            (register.folder / DIARY).open("ab").close()
        return (register.folder / ".correzione.lucchetto").open("a", encoding="utf-8")
    except OSError as error:
        raise CorsoError(
            f"Nel registro {register.folder} non posso scrivere ({reason(error)}): dev'essere una cartella "
            "tua. Rendila scrivibile, o togli ciò che ne occupa il posto, e ripeti il comando."
        ) from None

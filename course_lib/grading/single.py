"""Una consegna dall'inizio alla fine: ricostruzione, nbgrader con box e giudice, feedback, esito, diario.

L'esito con la sua «correzione» si scrive dopo i voti e la pagina, intero o nulla: finché in registro/esiti/
non c'è, la consegna è da correggere.
"""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
import stat
import uuid
import warnings
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbgrader.apps import NbGraderAPI
from nbgrader.converters import Autograde
from nbgrader.converters.base import BaseConverter
from nbgrader.utils import capture_log, temp_attrs
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

from course_lib.building.nbgrader_settings import own_programs_first
from course_lib.checks import exercise as find_exercise
from course_lib.grading.class_text import class_text
from course_lib.grading.collection import Submission, as_bytes
from course_lib.grading.feedback import points, write_not_graded
from course_lib.grading.gradebook import forget, opened, scrub
from course_lib.grading.outcomes import Outcome, outcome_from
from course_lib.grading.preflight import read_notebook, rebuild
from course_lib.grading.register import Register, sha256, write_atomically
from course_lib.grading.rome import rome_text
from course_lib.grading.verdicts import NotGraded, Verdict

FAULT = (
    "La correzione si è fermata per un guasto del corso, non della consegna: "
    "chi insegna trova il perché in registro/diario.jsonl."
)


@dataclass(frozen=True)
class Job:
    """Ciò che è uguale per tutta la classe.

    stamp: con che cosa si corregge (versioni, soluzioni)   feedback: se scrivere anche le pagine
    """

    register: Register
    exercise: str
    config: Config
    stamp: dict
    feedback: bool = True

    @property
    def url(self) -> str:
        """Dove sta il registro dei voti."""
        return self.config.CourseDirectory.db_url

    def fault(self, student: str, **more: object) -> None:
        """Annota nel diario un guasto nostro, senza password."""
        words = {key: scrub(value, self.url)[:8_000] for key, value in more.items()}
        self.register.log({**words, "studente": student})


class OneSubmission(Autograde):
    """L'Autograde di nbgrader per una consegna preparata da noi: il registro dei voti si apre una volta."""

    def init_assignment(self, assignment_id: str, student_id: str) -> None:
        """Iscrive studente e consegna; il notebook c'è, e nelle soluzioni non ci sono altri file."""
        BaseConverter.init_assignment(self, assignment_id, student_id)
        folder = self._format_source(assignment_id, student_id)
        when = self.coursedir.get_existing_timestamp(folder)
        with opened(self.coursedir.db_url) as gradebook:
            gradebook.update_or_create_student(student_id)
            gradebook.update_or_create_submission(assignment_id, student_id, timestamp=when)


def make_api(config: Config) -> NbGraderAPI:
    """L'interfaccia di nbgrader, in questo processo e senza messaggi in inglese sul terminale."""
    own_programs_first()
    warnings.filterwarnings("ignore", category=SAWarning)  # avvisi interni di nbgrader, nulla da farci
    api = NbGraderAPI(config=config)
    api.log_level = logging.CRITICAL
    api.log.propagate = False
    return api


def grade_one(job: Job, submission: Submission, api: NbGraderAPI) -> Outcome:
    """Corregge una consegna; qualunque cosa contenga, le altre non se ne accorgono."""
    path = job.register.outcome(job.exercise, submission.student)
    path.unlink(missing_ok=True)
    try:
        record = _graded_record(job, submission, api, path)
    except NotGraded as error:
        record = empty_record(error, submission)
        forget(job.url, job.exercise, submission.student)
    except Exception as error:
        job.fault(submission.student, errore=repr(error)[:2_000])
        return give_up(job, submission, FAULT, api)
    return commit(job, submission, record, api)


def give_up(job: Job, submission: Submission, reason: str, api: NbGraderAPI | None = None) -> Outcome:
    """Chiude come interrotta una consegna che non si è potuta correggere per un guasto nostro."""
    record = empty_record(NotGraded(Verdict.CRASHED, reason), submission)
    record["guasto"] = True  # alla prossima correzione si riprova
    with contextlib.suppress(Exception):  # se nemmeno il registro risponde, si toglie al prossimo giro
        forget(job.url, job.exercise, submission.student)
    return commit(job, submission, record, api)


def commit(job: Job, submission: Submission, record: dict, api: NbGraderAPI | None) -> Outcome:
    """La pagina, poi l'esito (da qui la consegna è corretta), poi la riga del diario."""
    record["nome"] = submission.name
    record["consegnata"] = rome_text(submission.when)
    if submission.before not in (None, record["punti"]):
        now = "nessun voto" if record["punti"] is None else points(record["punti"])
        changed = f"Voto cambiato: prima {points(submission.before)}, ora {now}."
        record["note"] = [changed, *record["note"]]
    page = _write_feedback(job, submission.student, record, api) if job.feedback else None
    record["correzione"] = {
        "id": uuid.uuid4().hex,
        "impronta": fingerprint(job, submission),
        "consegnato": submission.when.isoformat(),
        "sha256": sha256(submission.raw),
        **job.stamp,
    }
    job.register.write_outcome(job.exercise, submission.student, record)
    log_outcome(job, submission.student, record)
    outcome = outcome_from(submission.student, record)
    outcome.feedback = page
    return outcome


def fingerprint(job: Job, submission: Submission) -> str:
    """Che cosa si è corretto e con che cosa: se non cambia, rifarlo darebbe lo stesso esito."""
    refused = submission.refused.message if submission.refused else None
    return sha256(json.dumps([submission.digest, refused, job.stamp], sort_keys=True).encode())


def log_outcome(job: Job, student: str, record: dict) -> None:
    """La riga del diario di un esito: chi, che cosa, quando, con quali versioni."""
    done = record["correzione"]
    tests = {test["name"]: test["passed"] for test in record.get("prove", [])}
    job.register.log(
        {
            "esercizio": job.exercise,
            "studente": student,
            "correzione": done["id"],
            "consegnato": done["consegnato"],
            "sha256": done["sha256"],
            "verdetto": record["verdetto"],
            "punti": record["punti"],
            "prove": tests,
            "versioni": done["versioni"],
            "soluzioni": done["soluzioni"],
        }
    )


def _graded_record(job: Job, submission: Submission, api: NbGraderAPI, path: Path) -> dict:
    """L'esito scritto dai passi di nbgrader. Solleva NotGraded se la correzione non è arrivata in fondo."""
    _prepare(job, submission)
    with temp_attrs(api.coursedir, assignment_id=job.exercise, student_id=submission.student):
        converter = OneSubmission(coursedir=api.coursedir, parent=api)
        converter.force = True
        result = capture_log(converter)
    if "KeyboardInterrupt" in (result.get("error") or ""):
        raise KeyboardInterrupt  # nbgrader lo inghiotte
    record = json.loads(path.read_bytes()) if path.is_file() else None
    if record is None or (record["verdetto"] == Verdict.GRADED and not result["success"]):
        job.fault(submission.student, errore="autograde", diario=result.get("error"))
        raise RuntimeError("autograde non è arrivato in fondo")
    return record


def empty_record(error: NotGraded, submission: Submission) -> dict:
    """L'esito di ciò che non si è valutato: voto vuoto, motivo, note."""
    return {
        "verdetto": str(error.verdict), "punti": None, "motivo": error.message, "note": submission.notes,
    }  # fmt: skip


def _prepare(job: Job, submission: Submission) -> None:
    """Scrive in registro/consegne/ il notebook ricostruito. Solleva NotGraded se non si può."""
    if submission.refused is not None:
        raise submission.refused
    register, exercise = job.register, job.exercise
    notebook, notes = read_notebook(submission.raw, submission.source.name)
    release = nbformat.reads(class_text(register, exercise), as_version=4)
    rebuilt = rebuild(notebook, release, find_exercise(exercise).box_modules)
    submission.notes += notes + rebuilt.notes
    if rebuilt.unchanged:
        submission.notes.append("Nessuna risposta è stata modificata rispetto al testo dell'esercizio.")
    course = {"note": submission.notes, "consegnata": rome_text(submission.when)}
    rebuilt.notebook.metadata["corso"] = course
    folder = register.submitted(exercise, submission.student)
    if folder.exists():
        _remove(folder)
    data = as_bytes(rebuilt.notebook)
    write_atomically(register.rebuilt_mark(exercise, submission.student), sha256(data).encode())
    write_atomically(folder / f"{exercise}.ipynb", data)
    _put_files(register.handed(exercise, submission.student), submission.files)
    write_atomically(folder / "timestamp.txt", f"{submission.when:%Y-%m-%d %H:%M:%S} UTC".encode())
    with opened(job.url) as gradebook:
        gradebook.update_or_create_student(submission.student, last_name=submission.name)


def _put_files(folder: Path, files: dict[str, bytes]) -> None:
    """I file consegnati con il notebook, dove li cerca il giudice; quelli di prima si tolgono."""
    if folder.exists():
        _remove(folder)
    for name, content in files.items():
        write_atomically(folder / name, content)


def _remove(folder: Path) -> None:
    """Toglie una cartella anche se i suoi file sono in sola lettura."""
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | stat.S_IWUSR)
    shutil.rmtree(folder)


def _write_feedback(job: Job, student: str, record: dict, api: NbGraderAPI | None) -> Path | None:
    path = job.register.feedback(job.exercise, student)
    path.unlink(missing_ok=True)
    if record["verdetto"] != Verdict.GRADED:
        return write_not_graded(job.register, job.exercise, student, record)
    result = api.generate_feedback(job.exercise, student, force=True)
    if not path.is_file():  # il voto resta: manca solo la pagina, e le altre consegne non se ne accorgono
        job.fault(student, errore="generate_feedback", diario=result.get("error"))
        return None
    return path

"""La correzione di una classe: raccolta, ricostruzione, nbgrader con box e giudice, feedback, diario."""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
import stat
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.apps import NbGraderAPI
from sqlalchemy.exc import SAWarning
from traitlets.config import Config

from course_lib.building.nbgrader_settings import DATABASE, REGISTER, own_programs_first, prepare_database
from course_lib.checks import exercise as find_exercise
from course_lib.grading import sandbox
from course_lib.grading.collection import Submission, as_bytes, collect, latest, store
from course_lib.grading.feedback import write_not_graded
from course_lib.grading.limits import DEFAULT, Limits
from course_lib.grading.preflight import read_notebook, rebuild
from course_lib.grading.register import Register, sha256, write_atomically
from course_lib.grading.settings import grading_settings
from course_lib.grading.verdicts import NotGraded, Verdict
from course_lib.project import CorsoError

FAULT = (
    "La correzione si è fermata per un guasto del corso, non della consegna: "
    "chi insegna trova il perché in registro/diario.jsonl."
)


@dataclass
class Outcome:
    """L'esito di una consegna; points è None se il voto resta vuoto."""

    student: str
    name: str
    verdict: Verdict
    points: float | None
    most: float | None
    reason: str = ""
    notes: list[str] = field(default_factory=list)
    slips: list[str] = field(default_factory=list)
    feedback: Path | None = None


@dataclass
class Report:
    """Gli esiti di una classe e le frasi sui file saltati."""

    exercise: str
    outcomes: list[Outcome]
    skipped: list[str]


def grade_class(
    root: Path,
    exercise: str,
    folder: Path,
    *,
    isolated: bool = True,
    accept_suspect: bool = False,
    limits: Limits = DEFAULT,
    progress: Callable[[list], object] = iter,
) -> Report:
    """Corregge tutte le consegne di un esercizio che stanno in una cartella.

    root: il corso, con solutions/   folder: zip e notebook   progress: avvolge l'elenco (tqdm)
    Solleva CorsoError se l'esercizio non c'è, la cartella non c'è o manca l'isolamento.
    """
    register = Register(root)
    register.solution(exercise)
    if isolated:
        sandbox.find_isolation()
    submissions, skipped = collect(folder, exercise)
    config = grading_settings(root)
    config.Preflight.accept_suspect = accept_suspect
    config.BoxAndJudge.isolated = isolated
    config.BoxAndJudge.limits = limits
    api = make_api(config)
    prepare_database(root / DATABASE)
    ensure_assignment(register, exercise, config)
    forget_unfinished(register, exercise, api)
    for submission in submissions:
        store(register, exercise, submission)
    skipped += shared_names(submissions)
    chosen = progress(latest(submissions))
    return Report(exercise, [grade_one(register, exercise, s, api) for s in chosen], skipped)


def forget_unfinished(register: Register, exercise: str, api: NbGraderAPI) -> None:
    """Toglie dal registro dei voti ciò che una correzione interrotta vi ha lasciato: sarebbe uno 0."""
    with Gradebook(api.coursedir.db_url, api.coursedir.course_id) as gradebook:
        students = [s.student_id for s in gradebook.assignment_submissions(exercise)]
        for student in students:
            if not register.outcome(exercise, student).is_file():
                gradebook.remove_submission(exercise, student)


def shared_names(submissions: list[Submission]) -> list[str]:
    """Una frase per ogni identificativo che riceve consegne con nomi scritti in modi diversi."""
    names: dict[str, set[str]] = {}
    for submission in submissions:
        names.setdefault(submission.student, set()).add(submission.name)
    return [
        f"{student}: consegne con nomi diversi ({', '.join(sorted(found))}); vale l'ultima. "
        "Se sono persone diverse, falle consegnare con nomi distinti."
        for student, found in names.items()
        if len(found) > 1
    ]


def make_api(config: Config) -> NbGraderAPI:
    """L'interfaccia di nbgrader, in questo processo e senza messaggi in inglese sul terminale."""
    own_programs_first()
    warnings.filterwarnings("ignore", category=SAWarning)  # avvisi interni di nbgrader, nulla da farci
    api = NbGraderAPI(config=config)
    api.log_level = logging.CRITICAL
    api.log.propagate = False
    return api


def ensure_assignment(register: Register, exercise: str, config: Config) -> None:
    """Mette nel registro dei voti le celle dell'esercizio, se mancano o se le soluzioni sono cambiate."""
    digest = sha256(register.solution(exercise).read_bytes())
    mark = register.folder / "esercizi" / f"{exercise}.sha256"
    if mark.is_file() and mark.read_text("utf-8") == digest:
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


def grade_one(register: Register, exercise: str, submission: Submission, api: NbGraderAPI) -> Outcome:
    """Una consegna dall'inizio alla fine; qualunque cosa contenga, le altre non se ne accorgono."""
    path = register.outcome(exercise, submission.student)
    path.unlink(missing_ok=True)
    try:
        record = _graded_record(register, exercise, submission, api, path)
    except NotGraded as error:
        record = _empty_record(error, submission)
        _forget(exercise, submission.student, api)
    except Exception as error:
        register.log({"errore": repr(error)[:2_000], "studente": submission.student})
        record = _empty_record(NotGraded(Verdict.CRASHED, FAULT), submission)
        with contextlib.suppress(
            Exception
        ):  # se nemmeno il registro dei voti risponde, lo si ritoglie al prossimo giro
            _forget(exercise, submission.student, api)
    record["nome"] = submission.name
    write_atomically(path, json.dumps(record, ensure_ascii=False, indent=1).encode("utf-8", "replace"))
    outcome = _outcome(submission.student, record)
    outcome.feedback = _write_feedback(register, exercise, submission.student, record, api)
    _log(register, exercise, submission, record)
    return outcome


def _graded_record(
    register: Register, exercise: str, submission: Submission, api: NbGraderAPI, path: Path
) -> dict:
    """L'esito scritto dai passi di nbgrader. Solleva NotGraded se la correzione non è arrivata in fondo."""
    _prepare(register, exercise, submission, api)
    result = api.autograde(exercise, submission.student)
    if "KeyboardInterrupt" in (result.get("error") or ""):
        raise KeyboardInterrupt  # nbgrader lo inghiotte
    record = json.loads(path.read_bytes()) if path.is_file() else None
    if record is None or (record["verdetto"] == Verdict.GRADED and not result["success"]):
        register.log({"errore": "autograde", "studente": submission.student, "diario": result.get("error")})
        raise NotGraded(Verdict.CRASHED, FAULT)
    return record


def _empty_record(error: NotGraded, submission: Submission) -> dict:
    return {
        "verdetto": str(error.verdict), "punti": None, "motivo": error.message, "note": submission.notes,
    }  # fmt: skip


def _prepare(register: Register, exercise: str, submission: Submission, api: NbGraderAPI) -> None:
    """Scrive in registro/consegne/ il notebook ricostruito. Solleva NotGraded se non si può."""
    if submission.refused is not None:
        raise submission.refused
    notebook, notes = read_notebook(submission.raw, submission.source.name)
    release = nbformat.read(register.release(exercise), as_version=4)
    rebuilt = rebuild(notebook, release, find_exercise(exercise).box_modules)
    submission.notes += notes + rebuilt.notes
    if rebuilt.unchanged:
        submission.notes.append("Nessuna risposta è stata modificata rispetto al testo dell'esercizio.")
    rebuilt.notebook.metadata["corso"] = {"note": submission.notes}
    folder = register.submitted(exercise, submission.student)
    if folder.exists():
        _remove(folder)
    write_atomically(folder / f"{exercise}.ipynb", as_bytes(rebuilt.notebook))
    write_atomically(folder / "timestamp.txt", f"{submission.when:%Y-%m-%d %H:%M:%S} UTC".encode())
    with Gradebook(api.coursedir.db_url, api.coursedir.course_id) as gradebook:
        gradebook.update_or_create_student(submission.student, last_name=submission.name)


def _remove(folder: Path) -> None:
    """Toglie una cartella anche se i suoi file sono in sola lettura."""
    for path in folder.rglob("*"):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | stat.S_IWUSR)
    shutil.rmtree(folder)


def _forget(exercise: str, student: str, api: NbGraderAPI) -> None:
    """Nel registro dei voti non resta uno 0 per ciò che non è stato valutato."""
    with Gradebook(api.coursedir.db_url, api.coursedir.course_id) as gradebook:
        with contextlib.suppress(MissingEntry):
            gradebook.remove_submission(exercise, student)


def class_outcomes(register: Register, exercise: str) -> list[Outcome]:
    """Gli esiti di tutta la classe, anche delle correzioni precedenti, in ordine di identificativo."""
    paths = sorted(register.outcome(exercise, "x").parent.glob("*.json"))
    return [_outcome(path.stem, json.loads(path.read_bytes())) for path in paths]


def _outcome(student: str, record: dict) -> Outcome:
    tests = record.get("prove", [])
    return Outcome(
        student=student,
        name=record.get("nome", student),
        verdict=Verdict(record["verdetto"]),
        points=record["punti"],
        most=record.get("massimo"),
        reason=record.get("motivo", ""),
        notes=record.get("note", []),
        slips=[slip for test in tests if test["slip"] for slip in test["slip"].split(" + ")],
    )


def _write_feedback(
    register: Register, exercise: str, student: str, record: dict, api: NbGraderAPI
) -> Path | None:
    path = register.feedback(exercise, student)
    path.unlink(missing_ok=True)
    if record["verdetto"] != Verdict.GRADED:
        return write_not_graded(register, exercise, student, record)
    result = api.generate_feedback(exercise, student, force=True)
    if not path.is_file():  # il voto resta: manca solo la pagina, e le altre consegne non se ne accorgono
        register.log({"errore": "generate_feedback", "studente": student, "diario": result.get("error")})
        return None
    return path


def _log(register: Register, exercise: str, submission: Submission, record: dict) -> None:
    packages = ("chiave-di-lettura", "nbgrader", "numpy")
    register.log(
        {
            "esercizio": exercise,
            "studente": submission.student,
            "consegnato": submission.when.isoformat(),
            "sha256": sha256(submission.raw),
            "verdetto": record["verdetto"],
            "punti": record["punti"],
            "prove": {test["name"]: test["passed"] for test in record.get("prove", [])},
            "versioni": {name: version(name) for name in packages},
            "soluzioni": sha256(register.solution(exercise).read_bytes())[:16],
        }
    )

"""Gli esiti di una classe, come si leggono in registro/esiti/."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from course_lib.grading.feedback import function_of
from course_lib.grading.register import Register
from course_lib.grading.verdicts import Verdict


@dataclass
class Outcome:
    """L'esito di una consegna; points è None se il voto resta vuoto.

    slips: gli errori riconosciuti   failed: le prove non superate in cui non se ne riconosce nessuno
    """

    student: str
    name: str
    verdict: Verdict
    points: float | None
    most: float | None
    reason: str = ""
    notes: list[str] = field(default_factory=list)
    slips: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    feedback: Path | None = None


@dataclass
class Report:
    """Gli esiti di una raccolta, le frasi sui file saltati, quante consegne erano già corrette."""

    exercise: str
    outcomes: list[Outcome]
    skipped: list[str]
    already: int = 0


def read_record(path: Path) -> dict:
    """Un esito scritto in registro/esiti/; {} se manca o è rovinato: quella consegna è da correggere."""
    try:
        record = json.loads(path.read_bytes())
        outcome = outcome_from(path.stem, record)
        sound = sum(test["points"] for test in record.get("prove", [])) == (outcome.most or 0)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return {}
    return record if sound and (outcome.points is not None) == (outcome.verdict == Verdict.GRADED) else {}


def class_records(register: Register, exercise: str) -> dict[str, dict]:
    """Gli esiti di tutta la classe, anche delle correzioni precedenti, in ordine di identificativo.

    Quelli rovinati non ci sono: li dice `damaged`.
    """
    records = {path.stem: read_record(path) for path in register.outcomes(exercise)}
    return {student: record for student, record in records.items() if record}


def damaged(register: Register, exercise: str) -> list[str]:
    """Una frase per ogni esito che non si legge."""
    return [
        f"L'esito {path} è rovinato: la sua consegna, se è in questa cartella, si corregge di nuovo; se no, "
        "quel voto manca dal CSV e dalla pagina della classe."
        for path in register.outcomes(exercise)
        if not read_record(path)
    ]


def class_outcomes(register: Register, exercise: str) -> list[Outcome]:
    """Gli esiti di `class_records`, come oggetti."""
    return [read_outcome(register, exercise, student) for student in class_records(register, exercise)]


def read_outcome(register: Register, exercise: str, student: str) -> Outcome:
    """L'esito di una consegna già corretta, con la sua pagina se c'è."""
    outcome = outcome_from(student, json.loads(register.outcome(exercise, student).read_bytes()))
    page = register.feedback(exercise, student)
    outcome.feedback = page if page.is_file() else None
    return outcome


def outcome_from(student: str, record: dict) -> Outcome:
    """Da un esito scritto in JSON all'oggetto."""
    tests = record.get("prove", [])
    unexplained = [test for test in tests if not test["passed"] and not test["slip"]]
    return Outcome(
        student=student,
        name=record.get("nome", student),
        verdict=Verdict(record["verdetto"]),
        points=None if record["punti"] is None else float(record["punti"]),
        most=None if record["punti"] is None else float(record["massimo"]),
        reason=record.get("motivo", ""),
        notes=list(record.get("note", [])),
        slips=[slip for test in tests if test["slip"] for slip in test["slip"].split(" + ")],
        failed=[function_of(test["name"]) for test in unexplained],
    )

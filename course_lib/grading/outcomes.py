"""Gli esiti di una classe, come si leggono in registro/esiti/."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from course_lib.grading.register import Register
from course_lib.grading.verdicts import Verdict


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
    """Gli esiti di una raccolta, le frasi sui file saltati, quante consegne erano già corrette."""

    exercise: str
    outcomes: list[Outcome]
    skipped: list[str]
    already: int = 0


def class_outcomes(register: Register, exercise: str) -> list[Outcome]:
    """Gli esiti di tutta la classe, anche delle correzioni precedenti, in ordine di identificativo."""
    return [read_outcome(register, exercise, path.stem) for path in register.outcomes(exercise)]


def read_outcome(register: Register, exercise: str, student: str) -> Outcome:
    """L'esito di una consegna già corretta, con la sua pagina se c'è."""
    outcome = outcome_from(student, json.loads(register.outcome(exercise, student).read_bytes()))
    page = register.feedback(exercise, student)
    outcome.feedback = page if page.is_file() else None
    return outcome


def outcome_from(student: str, record: dict) -> Outcome:
    """Da un esito scritto in JSON all'oggetto."""
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

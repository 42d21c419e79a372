"""Il resoconto di una correzione: tabella a schermo e CSV."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from course_lib.grading.feedback import points
from course_lib.grading.outputs import clean_text
from course_lib.grading.pipeline import Outcome, Report
from course_lib.grading.register import write_atomically


def mark(outcome: Outcome) -> str:
    """«7 / 10», o «—» se il voto è vuoto."""
    return "—" if outcome.points is None else f"{points(outcome.points)} / {points(outcome.most)}"


def table(report: Report) -> str:
    """La tabella della classe: chi, verdetto, punti, perché."""
    rows = [("chi", "verdetto", "punti", "")]
    for outcome in report.outcomes:
        why = (
            outcome.reason
            or "; ".join(dict.fromkeys(outcome.slips))
            or (outcome.notes[0] if outcome.notes else "")
        )
        rows.append((outcome.student, str(outcome.verdict), mark(outcome), one_line(why)))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    lines = [
        "  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[3]]).rstrip()
        for row in rows
    ]
    lines.insert(1, "─" * (sum(widths) + 4))
    return "\n".join(lines)


def one_line(text: str) -> str:
    """Un testo di una consegna reso innocuo per un terminale: una riga, senza sequenze di controllo."""
    return " ".join(clean_text(text, 400).split())


def write_csv(exercise: str, outcomes: list[Outcome], path: Path) -> None:
    """Un CSV con ; e virgola decimale; ciò che parrebbe una formula è disinnescato."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=";", lineterminator="\n")
    writer.writerow(
        ["studente", "nome", "esercizio", "verdetto", "punti", "massimo", "errori tipici", "motivo", "note"]
    )
    for o in outcomes:
        values = [
            o.student, o.name, exercise, o.verdict, "" if o.points is None else points(o.points),
            "" if o.most is None else points(o.most), ", ".join(dict.fromkeys(o.slips)), o.reason,
            " ".join(o.notes),
        ]  # fmt: skip
        writer.writerow([_inert(clean_text(str(value))) for value in values])
    write_atomically(path, buffer.getvalue().encode("utf-8-sig"))


def _inert(text: str) -> str:
    return "'" + text if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text

"""Il resoconto di una correzione: tabella a schermo e CSV."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

from course_lib.grading.feedback import points
from course_lib.grading.outcomes import Outcome, Report
from course_lib.grading.outputs import clean_text
from course_lib.grading.register import write_atomically
from course_lib.project import CorsoError, reason

MOST_NAMES = 10  # quanti se ne elencano su una riga

# I segni con cui una cella comincia una formula, anche a larghezza piena, all'inizio o dopo un separatore.
FORMULA = re.compile(r"""(^[\s"']*|[,;|\t]["'\s]*)([=+\-@＝＋－＠−])""")


def mark(outcome: Outcome) -> str:
    """«7 / 10», o «—» se il voto è vuoto."""
    return "—" if outcome.points is None else f"{points(outcome.points)} / {points(outcome.most)}"


def why_not(outcome: Outcome) -> str:
    """Perché il voto manca; se c'è, le prove non superate in cui non si riconosce un errore."""
    return outcome.reason or (f"prove non superate: {', '.join(outcome.failed)}" if outcome.failed else "")


def count(report: Report) -> str:
    """«20 consegne: 16 valutate, 4 senza voto»."""
    total, empty = len(report.outcomes), sum(outcome.points is None for outcome in report.outcomes)
    return (
        f"{total} {'consegna' if total == 1 else 'consegne'}: "
        f"{total - empty} {'valutata' if total - empty == 1 else 'valutate'}, {empty} senza voto"
    )


def table(report: Report) -> str:
    """La tabella della classe: chi, verdetto, punti, perché."""
    rows = [("chi", "verdetto", "punti", "")]
    for outcome in report.outcomes:
        why = [*dict.fromkeys(outcome.slips), *filter(None, [why_not(outcome)]), *outcome.notes]
        rows.append((outcome.student, str(outcome.verdict), mark(outcome), one_line(joined(why))))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    lines = [
        "  ".join([*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[3]]).rstrip()
        for row in rows
    ]
    lines.insert(1, "─" * (sum(widths) + 4))
    return "\n".join(lines)


def joined(sentences: list[str]) -> str:
    """Le frasi su una riga, separate da «;»: il punto resta soltanto all'ultima."""
    return "; ".join([*(sentence.removesuffix(".") for sentence in sentences[:-1]), *sentences[-1:]])


def others_than(report: Report, outcomes: list[Outcome]) -> str:
    """Una riga con chi ha un esito nel registro e nessuna consegna in questa cartella; "" se non c'è."""
    here = {outcome.student for outcome in report.outcomes}
    names = [outcome.student for outcome in outcomes if outcome.student not in here]
    shown = ", ".join(names[:MOST_NAMES])
    if len(names) > MOST_NAMES:
        shown += f" e altri {len(names) - MOST_NAMES}"
    return f"Non in questa cartella, e restano nel registro: {shown}." if names else ""


def one_line(text: str) -> str:
    """Un testo di una consegna reso innocuo per un terminale: una riga, senza sequenze di controllo."""
    return " ".join(clean_text(text, 400).split())


def write_csv(exercise: str, outcomes: list[Outcome], path: Path, *, excel: bool = False) -> None:
    """Un CSV in UTF-8 con ; e virgola decimale; ciò che parrebbe una formula è disinnescato.

    excel: premette il BOM, senza il quale Excel legge male le lettere accentate
    Solleva CorsoError se il file non si può riscrivere.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=";", lineterminator="\n")
    writer.writerow(
        ["studente", "nome", "esercizio", "verdetto", "punti", "massimo", "errori tipici", "motivo", "note"]
    )
    for o in outcomes:
        values = [
            o.student, o.name, exercise, o.verdict, "" if o.points is None else points(o.points),
            "" if o.most is None else points(o.most), ", ".join(dict.fromkeys(o.slips)), why_not(o),
            " ".join(o.notes),
        ]  # fmt: skip
        writer.writerow([inert(str(value)) for value in values])
    try:
        write_atomically(path, buffer.getvalue().encode("utf-8-sig" if excel else "utf-8", "replace"))
    except OSError as error:
        raise CorsoError(
            f"{path} non si può riscrivere ({reason(error)}): se è aperto in un altro programma chiudilo, "
            "poi ripeti il comando. I voti sono già nel registro e non si perdono."
        ) from None


def inert(text: str) -> str:
    """Un testo che nessun foglio di calcolo prende per una formula: un apostrofo davanti, su una riga sola.

    L'apostrofo va anche dopo una virgola, un punto e virgola, una barra: chi apre il file con un altro
    separatore avrebbe lì l'inizio di una cella. Fonte: OWASP, CSV Injection.
    """
    text = " ".join(clean_text(text).split())
    return FORMULA.sub(r"\1'\2", text)

"""Il resoconto di una classe: una pagina sola con voti, prove, errori tipici; da leggere e da stampare."""

from __future__ import annotations

import datetime as dt
import statistics
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import jinja2

from course_lib.checks import exercise as find_exercise
from course_lib.checks.properties import input_untouched
from course_lib.grading.feedback import function_of, points
from course_lib.grading.outcomes import class_records
from course_lib.grading.outputs import clean_text
from course_lib.grading.register import Register, utc_now, write_atomically
from course_lib.grading.rome import rome_text
from course_lib.grading.settings import TEMPLATES
from course_lib.grading.verdicts import Verdict
from course_lib.notation import number

ENOUGH = 0.6  # la sufficienza, in parte del massimo


@dataclass(frozen=True)
class Bar:
    """Una barra di un grafico: etichetta, quanti, lunghezza in centesimi della più lunga, spiegazione."""

    label: str
    count: int
    length: float
    detail: str = ""
    where: str = ""


@dataclass
class Pupil:
    """Una riga della tabella."""

    name: str
    student: str
    verdict: str
    graded: bool
    mark: str
    points: float | None
    passed: dict[str, bool] = field(default_factory=dict)
    slips: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    when: str = ""
    page: str = ""


def write_class_report(register: Register, exercise: str) -> Path:
    """Scrive registro/resoconti/es02.html da tutti gli esiti della classe e ne restituisce il percorso."""
    records = class_records(register, exercise)
    pupils = [_pupil(register, exercise, student, record) for student, record in sorted(records.items())]
    pupils.sort(key=lambda pupil: (pupil.name.casefold(), pupil.student))
    graded = [record for record in records.values() if record["verdetto"] == Verdict.GRADED]
    most = max((float(record["massimo"]) for record in graded), default=10.0)
    loader = jinja2.FileSystemLoader(TEMPLATES)
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    page = environment.get_template("classe.html.j2").render(
        esercizio=exercise,
        titolo=find_exercise(exercise).title,
        quando=rome_text(utc_now(), seconds=False),
        riassunto=_summary(pupils, graded),
        voti=(marks := _marks(graded, most)),
        titolo_voti=_marks_title(graded, most),
        alternativa_voti="; ".join(f"{bar.label}: {bar.count}" for bar in marks if bar.count),
        errori=(slips := _slips(exercise, graded)),
        titolo_errori=_slips_title(slips, len(graded)),
        prove=(tests := _tests(graded)),
        titolo_prove=_tests_title(tests, len(graded)),
        valutati=len(graded),
        allievi=pupils,
        omonimi={name for name, times in Counter(pupil.name for pupil in pupils).items() if times > 1},
    )
    path = register.class_page(exercise)
    write_atomically(path, page.encode("utf-8", "replace"))
    return path


def _pupil(register: Register, exercise: str, student: str, record: dict) -> Pupil:
    graded = record["verdetto"] == Verdict.GRADED
    page = register.feedback(exercise, student)
    reason = (record["motivo"],) if record.get("motivo") else ()
    return Pupil(
        name=record.get("nome") or student,
        student=student,
        verdict=record["verdetto"],
        graded=graded,
        mark=points(record["punti"]) if graded else "—",
        points=record["punti"],
        passed={function_of(test["name"]): bool(test["passed"]) for test in record.get("prove", [])},
        slips=tuple(dict.fromkeys(slip for test in record.get("prove", []) for slip in _slips_of(test))),
        notes=tuple(clean_text(note, 400) for note in (*reason, *record.get("note", []))),
        when=_when(record),
        page=f"../feedback/{student}/{exercise}/{exercise}.html" if page.is_file() else "",
    )


def _when(record: dict) -> str:
    try:
        return rome_text(dt.datetime.fromisoformat(record["correzione"]["consegnato"]), seconds=False)
    except (TypeError, ValueError, KeyError):
        return ""


def _slips_of(test: dict) -> list[str]:
    return test["slip"].split(" + ") if test.get("slip") else []


def _summary(pupils: list[Pupil], graded: list[dict]) -> list[tuple[str, str]]:
    """Le caselle in cima: etichetta e valore."""
    marks = [float(record["punti"]) for record in graded]
    tiles = [("consegne", number(len(pupils))), ("valutate", number(len(graded)))]
    if len(pupils) > len(graded):
        tiles.append(("senza voto", number(len(pupils) - len(graded))))
    if marks:
        tiles += [
            ("media", number(statistics.fmean(marks), 1)),
            ("mediana", points(statistics.median(marks))),
        ]
    return tiles


def _marks(graded: list[dict], most: float) -> list[Bar]:
    """Quanti voti per ogni punto, da 0 al massimo; un voto con i decimali sta nel punto sotto."""
    counts = Counter(int(float(record["punti"])) for record in graded)
    highest = max(counts.values(), default=1)
    return [Bar(number(i), counts[i], counts[i] / highest) for i in range(int(most) + 1)]


def _marks_title(graded: list[dict], most: float) -> str:
    if not graded:
        return "Nessuna consegna è stata valutata"
    good = sum(float(record["punti"]) >= ENOUGH * most for record in graded)
    how_many = "Un voto" if good == 1 else f"{number(good)} voti" if good else "Nessun voto"
    verb = "raggiungono" if good > 1 else "raggiunge"
    return f"{how_many} su {number(len(graded))} {verb} {points(ENOUGH * most)} punti su {points(most)}"


def _slips(exercise: str, graded: list[dict]) -> list[Bar]:
    """Gli errori riconosciuti, dal più frequente: quante persone, in quali funzioni, con quale domanda."""
    people, places = Counter(), {}
    for record in graded:
        people.update({slip for test in record["prove"] for slip in _slips_of(test)})
        for test in record["prove"]:
            for slip in _slips_of(test):
                places.setdefault(slip, []).append(function_of(test["name"]))
    questions = {input_untouched.name: {"": input_untouched.question}}  # questa vale per ogni funzione
    for check in find_exercise(exercise).checks:
        for one in (*check.slips, *check.properties):
            questions.setdefault(one.name, {})[check.name] = one.question
    highest = max(people.values(), default=1)
    ranked = sorted(people.items(), key=lambda item: (-item[1], item[0]))
    return [
        Bar(
            slip,
            n,
            100 * n / highest,
            _question(questions.get(slip, {}), places[slip]),
            ", ".join(dict.fromkeys(places[slip])),
        )
        for slip, n in ranked
    ]


def _question(by_function: dict[str, str], places: list[str]) -> str:
    """La domanda della prima funzione in cui l'errore si è visto: le altre la usano, e rimandano a quella."""
    first = [name for name in by_function if name in places]
    return by_function[first[0]] if first else next(iter(by_function.values()), "")


def _slips_title(slips: list[Bar], graded: int) -> str:
    if not slips:
        return "Nessun errore tipico riconosciuto"
    first = [slip for slip in slips if slip.count == slips[0].count]
    of = f"{number(slips[0].count)} su {number(graded)}"
    if len(first) == 1:
        return f"L'errore più frequente è «{slips[0].label}»: {of}"
    return f"Gli errori più frequenti sono {len(first)}, con {of} ciascuno"


def _tests(graded: list[dict]) -> list[Bar]:
    """Per ogni prova, nell'ordine del testo, quante persone la superano."""
    passed, order = Counter(), {}
    for record in graded:
        for test in record["prove"]:
            order.setdefault(function_of(test["name"]), test["points"])
            passed[function_of(test["name"])] += bool(test["passed"])
    return [
        Bar(
            name,
            passed[name],
            100 * passed[name] / len(graded),
            f"{points(worth)} {'punto' if worth == 1 else 'punti'}",
        )
        for name, worth in order.items()
    ]


def _tests_title(tests: list[Bar], graded: int) -> str:
    if not tests:
        return "Nessuna prova eseguita"
    hardest = min(tests, key=lambda test: test.count)
    if hardest.count == graded:
        return "Tutte le prove sono superate da tutti"
    return (
        f"La prova più difficile è {hardest.label}: la superano {number(hardest.count)} su {number(graded)}"
    )

"""Il percorso intero di un esercizio su JupyterHub: dall'assegnazione al feedback aperto."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import nbformat

from course_lib.cli.tour import FORGOTTEN
from tests.conftest import ROOT
from tests.hub.people import Person

EXERCISE = "es02"
NOTEBOOK = f"exercises/{EXERCISE}/{EXERCISE}.ipynb"


@dataclass
class Lesson:
    """Ciò che è successo: le finestre di «Controlla», l'uscita di `corso correggi`, le pagine, formgrader."""

    validated: dict[str, str] = field(default_factory=dict)
    graded: str = ""
    feedback: dict[str, Path] = field(default_factory=dict)
    shown: dict[str, str] = field(default_factory=dict)
    manage: str = ""
    marks: str = ""


def answers(wrong: bool) -> dict[str, str]:
    """Le risposte di es02, funzione -> codice; wrong: senza la scala."""
    solution = nbformat.read(ROOT / "solutions" / EXERCISE / f"{EXERCISE}.ipynb", as_version=4)
    found = {}
    for cell in solution.cells:
        if cell.id.endswith("-risposta"):
            source = "\n".join(line for line in cell.source.split("\n") if "###" not in line)
            found[re.search(r"def (\w+)\(", source)[1]] = source
    if wrong:
        found["scaled_scores"] = FORGOTTEN
    return found


def hold(people: dict[str, Person], say) -> Lesson:
    """Fa tutto il percorso. say(frase): una riga del diario"""
    lesson, teacher = Lesson(), people["docente"]
    release(teacher)
    say(f"docente assegna {EXERCISE} da formgrader")
    for name, wrong in (("anna", False), ("bruno", True)):
        work(people[name], wrong, lesson, name, say)
    grade(teacher, lesson, say)
    for name in ("anna", "bruno"):
        take_feedback(people[name], lesson, name, say)
    return lesson


def formgrader(teacher: Person):
    """Formgrader nella sua cornice, in JupyterLab."""
    teacher.page.goto(f"{teacher.base}lab/workspaces/voti?reset")
    teacher.page.wait_for_selector(".jp-Launcher")
    teacher.menu("Consegne", "Formgrader")
    frame = teacher.page.frame_locator("iframe.formgrader, .formgrader iframe, iframe")
    frame.locator("h1", has_text="Manage Assignments").wait_for()
    frame.locator("tr", has_text=EXERCISE).first.wait_for()
    return frame


def release(teacher: Person) -> None:
    """Assegna l'esercizio con il pulsante di formgrader."""
    frame = formgrader(teacher)
    row = frame.locator("tr", has_text=EXERCISE).first
    row.locator("td.release a").click()
    frame.get_by_text("Success").first.wait_for()
    teacher.picture("assegnato")


def work(pupil: Person, wrong: bool, lesson: Lesson, name: str, say) -> None:
    """Scarica, risolve, controlla, consegna: tutto dal browser."""
    pupil.press("released", "Scarica")
    pupil.assignments().locator("#fetched_assignments_list .list_item", has_text=EXERCISE).first.wait_for()
    pupil.picture(f"scaricato-{name}")
    say(f"{name} scarica {EXERCISE}")
    pupil.open(NOTEBOOK)
    pupil.write(answers(wrong))
    lesson.validated[name] = pupil.validate()
    pupil.picture(f"risolto-{name}")
    say(f"{name} risolve e controlla: «{' '.join(lesson.validated[name].split())[:60]}…»")
    pupil.press("fetched", "Consegna")
    pupil.assignments().locator("#submitted_assignments_list .list_item", has_text=EXERCISE).first.wait_for()
    pupil.picture(f"consegnato-{name}")
    say(f"{name} consegna")


def grade(teacher: Person, lesson: Lesson, say) -> None:
    """Raccoglie, corregge e pubblica il feedback da un terminale di JupyterLab; poi apre formgrader."""
    out = teacher.trial.home(teacher.name) / "correzione.txt"
    lesson.graded = teacher.terminal(f"corso correggi {EXERCISE} --scambio", out)
    say(
        "docente corregge: corso correggi es02 --scambio\n"
        + re.sub("^", "          | ", lesson.graded, flags=re.M)
    )
    frame = formgrader(teacher)
    lesson.manage = frame.locator("tr", has_text=EXERCISE).first.inner_text()
    teacher.picture("formgrader")
    frame.locator("tr", has_text=EXERCISE).locator("td.num-submissions a").click()
    frame.locator("tr", has_text=teacher.trial.pupils[1]).wait_for()
    lesson.marks = frame.locator("table").first.inner_text()
    teacher.picture("voti")
    say("docente apre formgrader: " + " ".join(lesson.manage.split()))


def take_feedback(pupil: Person, lesson: Lesson, name: str, say) -> None:
    """Scarica il feedback dall'elenco e lo apre."""
    pupil.page.goto(f"{pupil.base}lab/workspaces/feedback?reset")
    pupil.page.wait_for_selector(".jp-Launcher")
    pupil.press("submitted", "Scarica il feedback")
    pupil.assignments().get_by_text("apri la cartella del feedback").first.wait_for()
    pupil.picture(f"feedback-elenco-{name}")
    (page,) = (pupil.course / "exercises" / EXERCISE / "feedback").glob(f"*/{EXERCISE}.html")
    lesson.feedback[name] = page
    shown = pupil.context.new_page()
    shown.goto(f"{pupil.base}files/{page.relative_to(pupil.course).as_posix()}")
    lesson.shown[name] = shown.locator("body").inner_text()
    if len(lesson.shown[name]) > 0:
        from tests.hub.conftest import PICTURES

        if PICTURES:
            shown.screenshot(path=f"{PICTURES}/feedback-{name}.png")
    shown.close()
    say(f"{name} scarica e apre il feedback: «{' '.join(lesson.shown[name].split())[:90]}…»")

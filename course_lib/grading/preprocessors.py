"""I passi di nbgrader sostituiti: ricostruzione, box e giudice, salvataggio dei voti."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_output
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades
from nbgrader.utils import is_grade, is_solution
from traitlets import Bool, Instance, Integer, Unicode

from course_lib.building.rules import TRAINING
from course_lib.checks import exercise as find_exercise
from course_lib.checks.exercise import Exercise
from course_lib.grading import sandbox, warm
from course_lib.grading.class_text import class_text
from course_lib.grading.gradebook import forget, opened
from course_lib.grading.judge import Evaluation, TestResult, evaluate
from course_lib.grading.limits import Limits
from course_lib.grading.outputs import clean_text, error_output
from course_lib.grading.preflight import rebuild
from course_lib.grading.register import Register, sha256
from course_lib.grading.session import Cell
from course_lib.grading.verdicts import NotGraded, Verdict

NOT_RUN = "Cella non eseguita nella correzione: valgono i parametri consegnati con il notebook.\n"


class CourseStep(NbGraderPreprocessor):
    """Base: sa dove sta il corso."""

    root = Unicode("", help="cartella del corso").tag(config=True)

    @property
    def register(self) -> Register:
        """Il registro della classe."""
        return Register(Path(self.root))

    def ours(self, resources: dict) -> bool:
        """Se il notebook l'ha scritto «corso correggi»: in uno messo a mano le note sono di chi consegna."""
        who = resources["nbgrader"]["assignment"], resources["nbgrader"]["student"]
        notebook, mark = self.register.submitted(*who) / f"{who[0]}.ipynb", self.register.rebuilt_mark(*who)
        if not notebook.is_file() or not mark.is_file():
            return False
        return mark.read_text("utf-8") == sha256(notebook.read_bytes())

    def handed(self, exercise: Exercise, resources: dict) -> dict[str, bytes]:
        """I file consegnati con il notebook; per un notebook messo a mano, quelli che gli stanno accanto."""
        who = resources["nbgrader"]["assignment"], resources["nbgrader"]["student"]
        folder = self.register.handed(*who) if self.ours(resources) else self.register.submitted(*who)
        found = {}
        for file in exercise.files:
            path = folder / file.name
            content = file.read_from(path) if path.is_file() and not path.is_symlink() else None
            if content is not None:
                found[file.name] = content
        return found


class Preflight(CourseStep):
    """Al posto di tutta la sanificazione: dalla consegna si tengono le sole risposte."""

    accept_suspect = Bool(False, help="corregge anche le consegne sospette").tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """Ricostruisce il notebook. Solleva NotGraded se è illeggibile o sospetto."""
        name = resources["nbgrader"]["assignment"]
        release = nbformat.reads(class_text(self.register, name), as_version=4)
        try:
            rebuilt = rebuild(nb, release, find_exercise(name).box_modules)
            if rebuilt.suspect and not self.accept_suspect:
                raise NotGraded(Verdict.SUSPECT, f"Da leggere a mano: {rebuilt.suspect}.")
        except NotGraded as error:
            not_graded(self.register, resources, error)
            raise
        course = nb.metadata["corso"] if self.ours(resources) else {}
        notes = [clean_text(note, 400) for note in course.get("note", [])[:50]]
        rebuilt.notebook.metadata["corso"] = {
            "note": list(dict.fromkeys(notes + rebuilt.notes)),
            "consegnata": clean_text(course.get("consegnata"), 60),
        }
        return rebuilt.notebook, resources


class BoxAndJudge(CourseStep):
    """Al posto di Execute: il codice dell'allievo nel box, le prove qui."""

    isolated = Bool(True, help="False: senza bubblewrap, per consegne di cui ci si fida").tag(config=True)
    worker = Integer(0, help="numero del lavoratore, da 0").tag(config=True)
    limits = Instance(Limits, args=()).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """Esegue e giudica; scrive uscite ed esiti nel notebook. Solleva NotGraded se il voto resta vuoto."""
        name = resources["nbgrader"]["assignment"]
        solution = nbformat.read(self.register.solution(name), as_version=4)
        exercise = find_exercise(name)
        try:
            evaluation = self._evaluate(nb, solution, exercise, self.handed(exercise, resources))
        except NotGraded as error:
            not_graded(self.register, resources, error, nb.metadata.get("corso", {}).get("note", []))
            raise
        fill(nb, evaluation)
        results = list(evaluation.results.values())
        record = {
            "verdetto": str(Verdict.GRADED),
            "punti": sum(r.points for r in results if r.passed),
            "massimo": sum(r.points for r in results),
            "prove": [vars(result) for result in results],
            "note": nb.metadata.get("corso", {}).get("note", []),
            "consegnata": nb.metadata.get("corso", {}).get("consegnata", ""),
            "nome": student_name(resources),
        }
        nb.metadata["corso"] = record
        return nb, resources

    def _evaluate(
        self, nb: NotebookNode, solution: NotebookNode, exercise: Exercise, files: dict[str, bytes]
    ) -> Evaluation:
        isolation = sandbox.find_isolation() if self.isolated else sandbox.Isolation("none")
        cells = [
            Cell(
                cell_name(c),
                c.source,
                demo=not is_solution(c) and "preparazione" not in c.metadata.get("tags", []),
            )
            for c in nb.cells
            if c.cell_type == "code" and not is_test(c) and not trains(c)
        ]
        code = [cell for cell in solution.cells if cell.cell_type == "code"]
        setup = [Cell(cell_name(c), c.source) for c in code if "preparazione" in c.metadata.get("tags", [])]
        tests = [
            (Cell(cell_name(c), c.source), float(c.metadata.nbgrader.points)) for c in code if is_test(c)
        ]
        visible, hidden = (
            (isolation, self.limits, exercise.box_modules, preload(some), self.worker)
            for some in (cells, [cell for cell in cells if not cell.demo])
        )
        functions = frozenset(check.name for check in exercise.checks) | set(exercise.functions)
        with warm.boxes(visible, hidden) as (box, hidden_box):
            evaluation = evaluate(box, cells, setup, tests, exercise.exports, functions, hidden_box, files)
            if any(result.failure for result in evaluation.results.values()):
                box.close()
                hidden_box.close()
            return evaluation


def preload(cells: list[Cell]) -> tuple[str, ...]:
    """Che cosa il box importa prima di generare i processi, per non rifarlo a ogni passata."""
    draws = any("matplotlib" in cell.source or "figures" in cell.source for cell in cells)
    return ("numpy", "matplotlib.pyplot") if draws else ("numpy",)


class SaveMarks(CourseStep, SaveAutoGrades):
    """SaveAutoGrades con il commento automatico in italiano; l'esito si scrive per ultimo, dopo i voti."""

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        """Salva i voti, poi l'esito: senza esito la consegna conta come non corretta."""
        self.notebook_id, self.assignment_id, self.student_id = (
            resources["nbgrader"][key] for key in ("notebook", "assignment", "student")
        )
        with opened(resources["nbgrader"]["db_url"]) as self.gradebook:
            nb, resources = NbGraderPreprocessor.preprocess(self, nb, resources)
        save_outcome(self.register, resources, nb.metadata["corso"])
        return nb, resources

    def _add_comment(self, cell: NotebookNode, resources: dict) -> None:
        super()._add_comment(cell, resources)
        comment = self.gradebook.find_comment(
            cell.metadata["nbgrader"]["grade_id"], self.notebook_id, self.assignment_id, self.student_id
        )
        if comment.auto_comment == "No response.":
            comment.auto_comment = "Nessuna risposta."
            self.gradebook.db.commit()


def is_test(cell: NotebookNode) -> bool:
    """Se la cella è una prova automatica."""
    return cell.cell_type == "code" and is_grade(cell) and not is_solution(cell)


def trains(cell: NotebookNode) -> bool:
    """Se la cella addestra: nella correzione non si esegue, valgono i parametri consegnati."""
    return TRAINING in cell.metadata.get("tags", []) and not is_solution(cell) and not is_grade(cell)


def cell_name(cell: NotebookNode) -> str:
    """Il nome stabile di una cella."""
    return cell.metadata.get("nbgrader", {}).get("grade_id") or cell.id


def fill(nb: NotebookNode, evaluation: Evaluation) -> None:
    """Scrive nel notebook le uscite del box e, nelle celle di prova, l'esito del giudice."""
    for cell in nb.cells:
        if cell.cell_type != "code":
            continue
        name = cell_name(cell)
        cell.execution_count = None
        if name in evaluation.results:
            cell.outputs = [_verdict_output(evaluation.results[name])]
        elif trains(cell):
            cell.outputs = [new_output("stream", name="stdout", text=NOT_RUN)]
        else:
            cell.outputs = evaluation.outputs.get(name, [])


def _verdict_output(result: TestResult) -> NotebookNode:
    if result.passed:
        return new_output("stream", name="stdout", text="Prova superata.\n")
    return error_output("Prova non superata", clean_text(result.message, 8_000))


def save_outcome(register: Register, resources: dict, record: dict) -> None:
    """Scrive l'esito in registro/esiti/."""
    register.write_outcome(resources["nbgrader"]["assignment"], resources["nbgrader"]["student"], record)


def student_name(resources: dict) -> str:
    """Il nome scritto nel registro dei voti, o l'identificativo se manca."""
    with opened(resources["nbgrader"]["db_url"]) as gradebook:
        student = gradebook.find_student(resources["nbgrader"]["student"])
        return student.last_name or student.id


def not_graded(register: Register, resources: dict, error: NotGraded, notes: list[str] = ()) -> None:
    """Toglie la consegna dal registro dei voti, dove resterebbe come uno 0, e scrive perché."""
    forget(*(resources["nbgrader"][key] for key in ("db_url", "assignment", "student")))
    record = {"verdetto": str(error.verdict), "punti": None, "motivo": error.message, "note": list(notes)}
    save_outcome(register, resources, record)

"""Il controllo prima di consegnare: le prove visibili, sul computer di chi studia."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbgrader.utils import is_grade, is_solution

from course_lib.building.rules import TRAINING
from course_lib.checks import exercise as find_exercise
from course_lib.grading.cell_errors import NOT_PYTHON, in_answer, in_test, names_in
from course_lib.grading.handin import is_the_text, notebook_bytes, original
from course_lib.grading.preflight import DEFINED, cell_source, read_notebook, rebuild
from course_lib.grading.verdicts import NotGraded
from course_lib.project import CorsoError


@dataclass
class LocalCheck:
    """Che cosa direbbe la correzione delle sole prove visibili."""

    notes: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)  # celle di risposta che si fermano con un errore
    tests: list[tuple[str, float, bool, str]] = field(
        default_factory=list
    )  # nome, punti, superata, messaggio
    suspect: str | None = None
    broken: dict[str, str] = field(default_factory=dict)  # nome -> perché la sua cella non è Python corretto

    @property
    def points(self) -> float:
        """I punti delle prove superate."""
        return sum(points for _, points, passed, _ in self.tests if passed)

    @property
    def most(self) -> float:
        """I punti in palio."""
        return sum(points for _, points, _, _ in self.tests)


def check_notebook(path: Path, exercise: str, root: Path, seconds: int = 20) -> LocalCheck:
    """Ricostruisce il notebook come farebbe la correzione e lo esegue qui.

    path: il file dell'allievo   seconds: tempo massimo di una cella
    Solleva CorsoError se il file manca o non si può leggere.
    """
    raw = notebook_bytes(path)
    modules = find_exercise(exercise).box_modules
    try:
        notebook, notes = read_notebook(raw, path.name)
        rebuilt = rebuild(notebook, original(root, exercise, path), modules)
    except NotGraded as error:
        raise CorsoError(error.message) from None
    check = LocalCheck(notes + rebuilt.notes, suspect=rebuilt.suspect)
    if rebuilt.unchanged and not is_the_text(root, exercise, path):
        check.notes.append("Non hai ancora modificato nessuna cella di risposta.")
    _run(rebuilt.notebook, path.parent, seconds, check)
    added = names_in(_code(notebook)) - names_in(_code(rebuilt.notebook))
    for cell in rebuilt.notebook.cells:
        if cell.cell_type == "code":
            _read_cell(cell, check, added)
    return check


def _code(notebook: NotebookNode) -> list[str]:
    return [cell_source(cell) for cell in notebook.cells if cell.get("cell_type") == "code"]


def _run(notebook: NotebookNode, folder: Path, seconds: int, check: LocalCheck) -> None:
    client = NotebookClient(
        notebook,
        timeout=seconds,
        allow_errors=True,
        interrupt_on_timeout=True,
        kernel_name="python3",
        skip_cells_with_tag=TRAINING,  # come nella correzione: valgono i parametri già nel file
        resources={"metadata": {"path": str(folder)}},
    )
    try:
        client.execute(stderr=subprocess.DEVNULL)  # gli avvisi del kernel non riguardano chi studia
    except CellTimeoutError:
        check.errors.append(f"Una cella non finisce entro {seconds} secondi: c'è un ciclo senza fine?")
    except DeadKernelError:
        check.errors.append(
            "Python si è fermato durante l'esecuzione: memoria esaurita, oppure nel codice c'è exit(), "
            "quit() o os._exit()."
        )


def _read_cell(cell: NotebookNode, check: LocalCheck, added: set[str]) -> None:
    name = cell.metadata.get("nbgrader", {}).get("grade_id") or cell.get("id", "")
    error = next((output for output in cell.outputs if output.output_type == "error"), None)
    if is_grade(cell) and not is_solution(cell):
        ran = cell.execution_count is not None
        message = in_test(error, check.broken, added) if error is not None else ""
        points = float(cell.metadata.nbgrader.points)
        check.tests.append((name, points, ran and error is None, message or ("" if ran else "Non eseguita.")))
    elif error is not None and is_solution(cell):
        said = f"Cella «{name}»: {in_answer(error, cell.source)}"
        check.errors.append(said)
        if error.ename in NOT_PYTHON:
            check.broken |= dict.fromkeys(DEFINED.findall(cell.source), said)

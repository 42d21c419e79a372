"""Il controllo prima di consegnare: le prove visibili, sul computer di chi studia."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbgrader.utils import is_grade, is_solution

from course_lib.building.rules import TRAINING
from course_lib.checks import exercise as find_exercise
from course_lib.grading.handin import notebook_bytes, original
from course_lib.grading.preflight import read_notebook, rebuild
from course_lib.grading.verdicts import NotGraded
from course_lib.project import CorsoError

ANSI = re.compile(r"\x1b\[[0-9;]*m")


@dataclass
class LocalCheck:
    """Che cosa direbbe la correzione delle sole prove visibili."""

    notes: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)  # celle di risposta che si fermano con un errore
    tests: list[tuple[str, float, bool, str]] = field(
        default_factory=list
    )  # nome, punti, superata, messaggio
    suspect: str | None = None

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
    if rebuilt.unchanged:
        check.notes.append("Non hai ancora modificato nessuna cella di risposta.")
    _run(rebuilt.notebook, path.parent, seconds, check)
    for cell in rebuilt.notebook.cells:
        if cell.cell_type == "code":
            _read_cell(cell, check)
    return check


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
            "Python si è fermato durante l'esecuzione (memoria esaurita, o os._exit nel codice)."
        )


def _read_cell(cell: NotebookNode, check: LocalCheck) -> None:
    name = cell.metadata.get("nbgrader", {}).get("grade_id") or cell.get("id", "")
    error = next((output for output in cell.outputs if output.output_type == "error"), None)
    message = "" if error is None else _message(error)
    if is_grade(cell) and not is_solution(cell):
        ran = cell.execution_count is not None
        passed = ran and error is None
        check.tests.append(
            (name, float(cell.metadata.nbgrader.points), passed, message or ("" if ran else "Non eseguita."))
        )
    elif error is not None and is_solution(cell):
        check.errors.append(f"Cella «{name}»: {message}")


def _message(error: NotebookNode) -> str:
    text = ANSI.sub("", error.evalue)
    if error.ename == "KeyboardInterrupt":
        return "Non finisce in tempo: c'è un ciclo senza fine?"
    if error.ename == "VerificaFallita":
        return text
    missing = re.fullmatch(r"name '(\w+)' is not defined", text)
    if error.ename == "NameError" and missing:
        return f"Non trovo «{missing.group(1)}»: l'hai definita, con questo nome, nella sua cella?"
    return f"{error.ename}: {text}" if text else error.ename

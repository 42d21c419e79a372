"""Il giudice: esegue le prove qui, fuori dal box, e chiede al box soltanto valori."""

from __future__ import annotations

import contextlib
import io
import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field

from course_lib.checks.errors import ErroreEsercizio
from course_lib.checks.handed import handed
from course_lib.grading.box import Box
from course_lib.grading.outputs import Page, error_output
from course_lib.grading.session import CallFailed, Cell, Session, run_cell
from course_lib.grading.verdicts import NotGraded
from course_lib.project import CorsoError

HIDDEN = re.compile(r"###\s*(BEGIN|END) HIDDEN TESTS")


@dataclass(frozen=True)
class TestResult:
    """L'esito di una cella di prova; message è quel che chi studia può leggere."""

    name: str
    points: float
    passed: bool
    message: str = ""
    slip: str | None = None
    hidden: bool = False
    failure: str | None = None  # il verdetto di una chiamata non finita

    __test__ = False  # non è una prova di pytest


@dataclass
class Evaluation:
    """Quel che il box ha mostrato (uscite per cella) e quel che il giudice ha deciso (esiti per prova)."""

    outputs: dict[str, list] = field(default_factory=dict)
    results: dict[str, TestResult] = field(default_factory=dict)


def evaluate(
    box: Box,
    cells: list[Cell],
    setup: list[Cell],
    tests: list[tuple[Cell, float]],
    exports: tuple[str, ...],
    functions: frozenset[str] = frozenset(),
    hidden_box: Box | None = None,
    files: Mapping[str, bytes] | None = None,
) -> Evaluation:
    """Le passate e le prove.

    cells: celle per il box   setup, tests: celle del giudice, dalle soluzioni
    exports: i nomi che passano il confine   functions: quelli che valgono solo se sono funzioni
    hidden_box: dove passano le prove nascoste, se non nello stesso box
    files: i file consegnati con il notebook: li leggono le prove, e nel box non entrano
    Solleva NotGraded se non si può valutare, CorsoError se a sbagliare è una prova.

    Le parti visibili di tutte le prove vengono prima, in un processo che non vedrà mai un ingresso nascosto:
    così nulla di ciò che il feedback mostra (l'*ottenuto*) può portarne fuori uno.
    """
    evaluation = Evaluation()
    cells = [cell for cell in _show(box, cells, evaluation) if not cell.demo]
    visible = [(Cell(cell.name, without_hidden(cell.source)), points) for cell, points in tests]
    with handed(files or {}):
        evaluation.results = _run_tests(Session(box, cells, exports, functions), setup, visible, hidden=False)
        passed = [
            (cell, points)
            for cell, points in tests
            if evaluation.results[cell.name].passed and HIDDEN.search(cell.source)
        ]
        if passed:
            session = Session(hidden_box or box, cells, exports, functions)
            evaluation.results |= _run_tests(session, setup, passed, hidden=True)
    return evaluation


def _show(box: Box, cells: list[Cell], evaluation: Evaluation) -> list[Cell]:
    """La passata con le uscite. Restituisce le celle da rieseguire nelle passate delle prove.

    Una cella dimostrativa del testo chiama le funzioni dell'allievo: se una non finisce, non è colpa di una
    cella di risposta. La si toglie, lo si dice al suo posto, e si ricomincia senza.
    """
    while True:
        page = Page()
        box.begin(silent=False)
        for cell in cells:
            try:
                evaluation.outputs[cell.name] = page.clean(run_cell(box, cell))
            except NotGraded as error:
                if not cell.demo:
                    raise
                evaluation.outputs[cell.name] = [error_output("Non eseguita fino in fondo", error.message)]
                cells = [other for other in cells if other is not cell]
                break
        else:
            box.end()
            return cells
        box.end()


def _run_tests(session: Session, setup: list[Cell], tests: list, hidden: bool) -> dict[str, TestResult]:
    session.open()
    names = session.names()
    if session.broken is not None:
        raise session.broken
    space: dict[str, object] = {"__name__": "__main__"}
    for cell in setup:
        _execute(cell, space)
    space.update(names)
    results = {}
    for cell, points in tests:
        results[cell.name] = _judge(cell, points, space, session, hidden)
        if session.broken is not None:
            raise session.broken
    session.box.end()
    return results


def without_hidden(source: str) -> str:
    """Il testo di una prova senza i blocchi nascosti: quel che chi studia ha nel suo notebook."""
    inside, lines = False, []
    for text in source.split("\n"):
        mark = HIDDEN.search(text)
        if mark:
            inside = mark.group(1) == "BEGIN"
        elif not inside:
            lines.append(text)
    return "\n".join(lines)


def _execute(cell: Cell, space: dict) -> None:
    code = compile(cell.source, _file_name(cell), "exec", dont_inherit=True)
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        exec(code, space)  # prova del corso, non codice dell'allievo


def _judge(cell: Cell, points: float, space: dict, session: Session, hidden: bool) -> TestResult:
    """Una cella di prova: tutto o niente."""
    session.failed = None
    try:
        _execute(cell, space)
    except CorsoError:
        raise
    except ErroreEsercizio as error:
        raise CorsoError(f"La prova «{cell.name}» è scritta male: {error}") from None
    except CallFailed as error:
        return _call_failure(cell, points, error, hidden)
    except Exception as error:
        return _failure(cell, points, error, session, hidden)
    if session.failed is not None:
        return _call_failure(cell, points, session.failed, hidden)
    return TestResult(cell.name, points, True)


def _call_failure(cell: Cell, points: float, failed: CallFailed, hidden: bool) -> TestResult:
    message = "In una prova nascosta una chiamata non dà un valore." if hidden else failed.message
    return TestResult(cell.name, points, False, message, hidden=hidden, failure=failed.verdict)


def _failure(cell: Cell, points: float, error: Exception, session: Session, hidden: bool) -> TestResult:
    """Dall'eccezione di una prova alla frase per chi studia; di una prova nascosta si dice solo il titolo."""
    if isinstance(error, NameError) and _frames(error)[-1][0] == _file_name(cell):
        if error.name not in session.exports:
            raise CorsoError(
                f"La prova «{cell.name}» usa il nome «{error.name}», che l'esercizio non esporta."
            )
        message = f"Non trovo «{error.name}»: l'hai definita, con questo nome, nella sua cella?"
        return TestResult(cell.name, points, False, message, hidden=hidden)
    if hidden and not getattr(error, "nascosto", False):
        return TestResult(cell.name, points, False, "Una prova nascosta non è superata.", hidden=True)
    if hasattr(error, "messaggio"):
        return TestResult(cell.name, points, False, str(error.messaggio), error.slip, hidden)
    if isinstance(error, AssertionError):
        message = str(error) or "Una delle uguaglianze richieste non vale."
        return TestResult(cell.name, points, False, message)
    lines = [number for name, number in _frames(error) if name == _file_name(cell)]
    message = (
        f"La prova si è fermata con un errore ({type(error).__name__}) alla riga {lines[-1] if lines else 0}."
    )
    return TestResult(cell.name, points, False, message)


def _file_name(cell: Cell) -> str:
    return f"<prova {cell.name}>"


def _frames(error: BaseException) -> list[tuple[str, int]]:
    frames, trace = [], error.__traceback__
    while trace is not None:
        frames.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    return frames

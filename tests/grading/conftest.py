"""Il box vero per le prove: senza bubblewrap si salta, in CI si fallisce."""

from __future__ import annotations

import pytest

from course_lib.grading import sandbox
from course_lib.grading.box import Box
from course_lib.grading.judge import Evaluation, evaluate
from course_lib.grading.limits import Limits
from course_lib.grading.session import Cell
from tests.grading.classes import course, steady_code, template  # noqa: F401 (sono fixture)
from tests.own_model import sample  # noqa: F401 (è una fixture)

SHORT = Limits(cell_seconds=4, call_seconds=3, notebook_seconds=60)
LONG = Limits(cell_seconds=40)


@pytest.fixture(scope="session")
def isolation(require_bwrap) -> sandbox.Isolation:
    return sandbox.find_isolation()


@pytest.fixture(scope="session")
def require_bwrap(require):
    require("bwrap")


@pytest.fixture
def run_in_box(isolation):
    """Esegue celle in una passata con uscite; restituisce le risposte del box, ancora grezze."""

    def run(*sources: str, limits: Limits = LONG, modules: tuple[str, ...] = ()) -> list[dict]:
        with Box(isolation, limits, modules) as box:
            box.begin(silent=False)
            return [
                box.ask({"kind": "cell", "source": source}, [], limits.cell_seconds)[0] for source in sources
            ]

    return run


@pytest.fixture
def judge(isolation):
    """Giudica: il testo dell'allievo, le prove {nome: testo} da un punto, i nomi esportati."""

    def run(
        pupil: str,
        tests: dict[str, str],
        exports: tuple[str, ...],
        limits: Limits = SHORT,
        functions: frozenset[str] = frozenset(),
    ) -> Evaluation:
        cells = [Cell("risposta", pupil)]
        setup = [Cell("preparazione", "import numpy as np")]
        with Box(isolation, limits) as box:
            return evaluate(
                box, cells, setup, [(Cell(n, s), 1.0) for n, s in tests.items()], exports, functions
            )

    return run

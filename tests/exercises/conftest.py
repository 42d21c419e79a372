"""Attrezzi per le prove sugli esercizi: le loro celle di prova, e `verifica` in silenzio."""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path

import numpy as np
import pytest

from course_lib.building.rules import HIDDEN, TRAINING, regions, role
from course_lib.building.source import Source, read_source
from course_lib.checks import VerificaFallita, exercise, verifica
from course_lib.checks.handed import handed
from tests.own_model import (
    npz,
    parameters,
    sample,  # noqa: F401 (è una fixture)
)

SOURCES = Path(__file__).resolve().parents[2] / "sources" / "exercises"


def exercise_source(exercise_id: str) -> Source:
    """La sorgente di un esercizio."""
    return read_source(SOURCES / f"{exercise_id}.md")


def test_cells(exercise_id: str) -> list:
    """Le celle di prova di un esercizio."""
    return [cell for cell in exercise_source(exercise_id).cells if role(cell) == "prova"]


test_cells.__test__ = False


def solved(exercise_id: str) -> dict:
    """I nomi che un notebook con tutte le soluzioni definisce."""
    space = {"np": np, "verifica": verifica}
    for cell in exercise_source(exercise_id).cells:
        if role(cell) in ("preparazione", "risposta"):
            exec(cell.source, space)
    return space


@pytest.fixture(scope="module")
def solution(request) -> dict:
    """I nomi che definiscono le soluzioni dell'esercizio di cui parla il file di prove (test_esNN.py)."""
    return solved(request.module.__name__.rpartition("test_")[2])


def run_closing(exercise_id: str, space: dict, which: int = -1):
    """Esegue una delle ultime celle di codice in space; restituisce il valore della sua ultima riga."""
    cells = [cell for cell in exercise_source(exercise_id).cells if cell.kind == "code"]
    tree = ast.parse(cells[which].source)
    last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, "cella", "exec"), space)
    return eval(compile(last, "cella", "eval"), space)


def hidden_inputs(exercise_id: str) -> dict[str, dict]:
    """{nome della funzione: ingressi nascosti}, presi eseguendo i soli blocchi nascosti."""
    source, found = exercise_source(exercise_id), {}
    for cell in test_cells(exercise_id):
        for region in regions(source, cell):
            assert region.kind == HIDDEN

            def record(_, name, nascosti):
                found[name] = nascosti

            names = {name: name for name in exercise(exercise_id).exports}
            space = {"np": np, "verifica": record, "verifica_modello": lambda *_, **__: None}
            exec("\n".join(region.lines), {**space, **names})
    return found


def answer_id(name: str) -> str:
    """Il nome della cella in cui si scrive una funzione."""
    return name.strip("_").replace("_", "-") + "-risposta"


def notebook_points(exercise_id: str, kind: str, replaced: dict[str, str] | None = None) -> int:
    """I punti di un notebook costruito, eseguito qui con le sue prove nascoste.

    kind: "solutions", oppure "exercises" per le funzioni ancora vuote
    replaced: {nome della funzione: testo da mettere al posto della sua risposta}
    Le celle dell'addestramento non si eseguono, come nella correzione: i parametri sono quelli di own_model.
    Solleva l'errore di una cella che non sia né risposta né prova: chi studia non ne deve vedere.
    """
    built = {
        where: json.loads(
            (SOURCES.parents[1] / where / exercise_id / f"{exercise_id}.ipynb").read_text(encoding="utf-8")
        )
        for where in ("solutions", kind)
    }
    tests = {cell["id"]: cell for cell in built["solutions"]["cells"] if cell["id"].endswith("-prova")}
    answers = {answer_id(name): text for name, text in (replaced or {}).items()}
    names, total = {"__name__": "__main__"}, 0
    files = {file.name: npz(parameters()) for file in exercise(exercise_id).files}
    for cell in built[kind]["cells"]:
        if cell["cell_type"] != "code" or TRAINING in cell["metadata"].get("tags", []):
            continue
        source = answers.pop(cell["id"], "".join(tests.get(cell["id"], cell)["source"]))
        try:
            with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"), handed(files):
                exec(source, names)
        except AssertionError:
            if cell["id"] not in tests:
                raise
        else:
            total += cell["metadata"]["nbgrader"].get("points", 0) if cell["id"] in tests else 0
    assert not answers, f"{exercise_id} non ha le celle {', '.join(answers)}"
    return total


def quietly(*args, **options) -> str:
    """Chiama verifica e restituisce ciò che stampa."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
        verifica(*args, **options)
    return printed.getvalue()


def failure(*args, **options) -> VerificaFallita:
    """Il fallimento di una verifica che deve fallire."""
    with pytest.raises(VerificaFallita) as caught:
        quietly(*args, **options)
    return caught.value


def first_line(*args, **options) -> str:
    """La prima riga del messaggio di una verifica che deve fallire."""
    return failure(*args, **options).messaggio.split("\n")[0]


def softmax(scores):
    """La softmax giusta."""
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def raising(error):
    """Una softmax_row che solleva error."""

    def softmax_row(scores):
        raise error

    return softmax_row


def writes_into_its_input(scores):
    """La softmax giusta, che però scrive nei punteggi ricevuti."""
    scores -= scores.max()
    return softmax(scores)

"""Che cosa legge chi studia quando la sua funzione si ferma, o quando l'errore sta altrove."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest

from course_lib.checks.errors import VerificaInterrotta
from course_lib.checks.messages import BROKEN_CELL
from tests.exercises.conftest import failure, first_line
from tests.exercises.right import answers


def writes_into(scores):
    counts = np.array([1, 2])
    counts /= 2
    return counts


def infinity_in(scores):
    counts = np.array([1, 2])
    counts[0] = -np.inf
    return counts


ADVISED = {
    "scrive dentro": (writes_into, "di chi è quell'array"),
    "infinito": (infinity_in, "l'infinito non entra: di chi è l'array"),
    "sì e no": (lambda scores: scores if scores > 0 else -scores, "si ragiona cella per cella?"),
    "indice logico": (lambda scores: scores[np.array([True])], "un array logico di un'altra forma"),
    "where": (lambda scores: np.where(scores > 0, scores), "Quale manca?"),
    "forme diverse": (lambda scores: np.array([scores, 1.0]), "cose della stessa forma"),
    "forme che non vanno insieme": (lambda scores: scores + np.ones(99), "due forme non combaciano"),
    "append": (lambda scores: [].append(1).append(2), "o cambia la lista e basta?"),
    "chiave": (lambda scores: {[]: 1}, "può essere soltanto ciò che non cambia"),
    "parentesi": (lambda scores: scores / scores.sum, "mancano le parentesi?"),
    "potenza": (lambda scores: scores ^ 2, "il segno ^ non è la potenza"),
    "chiamare un numero": (lambda scores: len(scores)(3), "manca un segno fra i due?"),
    "math": (lambda scores: math.exp(scores), "un numero alla volta"),
    "nome": (lambda scores: np.esp(scores), "In NumPy questo nome non c'è"),
    "input": (lambda scores: _ask(), "La funzione chiede qualcosa con input()"),
    "altra funzione": (lambda scores: _helper(), "È _helper che non accetta quegli argomenti"),
}


class StdinNotImplementedError(NotImplementedError):
    """Come quella di ipykernel."""


def _ask():
    raise StdinNotImplementedError("raw_input was called, but this frontend does not support input requests.")


def _helper(scores):
    return scores


@pytest.mark.parametrize("case", ADVISED)
def test_a_stopped_function_gets_the_advice_of_its_case(case):
    function, words = ADVISED[case]
    message = failure("es02", function, nome="softmax_row").messaggio
    assert words in message
    assert message.startswith("✗ softmax_row: si è fermata con ")
    assert "sono quelli della scheda" not in message


def test_a_changed_input_is_mentioned_whatever_else_is_wrong():
    def softmax_row(scores):
        scores[0] = -np.inf
        return scores

    assert "La tua funzione cambia ciò che ha ricevuto" in failure("es02", softmax_row).messaggio


def test_its_own_arguments_are_still_said_to_be_those_of_the_sheet():
    def softmax_row(scores):
        return softmax_row()

    assert "sono quelli della scheda: softmax_row(scores)" in failure("es02", softmax_row).messaggio


def test_arguments_in_another_order_are_said_to_be_so():
    line = first_line("es02", lambda W, x: x @ W, nome="project")
    assert line == "✗ project: gli argomenti non sono nell'ordine della scheda."


def cell(text: str) -> dict:
    """I nomi definiti da una cella."""
    space = {"np": np}
    exec(text, space)
    return space


WRONG_SCORES = "def block_scores(Q, K):\n    return Q @ np.swapaxes(K, -1, -2)\n"
ATTENTION = """
def attention(Q, K, V):
    w = softmax(block_scores(Q, K))
    return w @ V, w
"""


def test_the_fault_of_a_called_function_is_not_put_on_the_caller():
    space = cell(WRONG_SCORES + ATTENTION)
    space["softmax"] = answers("es03").RIGHT["softmax"][0]
    failed = failure("es03", space["attention"])
    first = failed.messaggio.split("\n")[0]
    assert first == "✗ attention: chiama block_scores, che non supera ancora le sue prove."
    assert failed.slips == ()


def test_a_wrong_function_that_is_not_called_is_not_blamed():
    space = cell(WRONG_SCORES + "def attention(Q, K, V):\n    return Q, K\n")
    assert "block_scores" not in failure("es03", space["attention"]).messaggio


def test_a_stopped_check_is_one_sentence_and_still_an_interruption():
    def softmax_row(scores):
        raise KeyboardInterrupt

    with pytest.raises(VerificaInterrotta, match=r"^✗ softmax_row: l'hai fermata prima ") as caught:
        failure("es02", softmax_row)
    assert isinstance(caught.value, KeyboardInterrupt)
    assert len(caught.value._render_traceback_()) == 2


@pytest.mark.parametrize(
    ("cells", "said"),
    [(["def f(:"], True), (["x = 1"], False), (["def f(:", "x = 1"], False)],
    ids=["non è Python", "Python", "prima non era Python"],
)
def test_a_cell_that_is_not_python_is_remembered_by_the_next_check(cells, said):
    right = "def project(x, W):\n    return np.asarray(x) @ np.asarray(W)"
    program = f"""
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for text in ["import numpy as np; from course_lib.checks import verifica", {right!r}, *{cells!r}]:
    shell.run_cell(text, store_history=True)
shell.run_cell("verifica('es02', project)", store_history=True)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "✓ project" in ran.stdout
    assert (BROKEN_CELL in ran.stdout) is said

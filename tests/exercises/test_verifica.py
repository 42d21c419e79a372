"""`verifica`: che cosa dice quando la funzione manca, non si chiama, si ferma o restituisce cose strane."""

from __future__ import annotations

import io
import linecache
import pickle

import numpy as np
import pytest

from course_lib.checks import ErroreEsercizio, VerificaFallita, exercise, verifica
from course_lib.checks.errors import PLAIN, RED
from course_lib.project import CorsoError
from tests.exercises.conftest import failure, first_line, quietly, raising, softmax, writes_into_its_input

EXERCISE = exercise("es02")
HIDDEN = {"un titolo": (np.array([0.123456, 0.654321]),)}


class Callable:
    """Un oggetto che si chiama come una funzione, ma non è una funzione."""

    def __call__(self, scores):
        return softmax(scores)


def test_a_missing_function_named_as_text():
    failed = failure("es02", "softmax_row")
    assert failed.messaggio.startswith("✗ softmax_row: questa funzione non c'è.")
    assert "softmax_row(scores)" in failed.messaggio


def test_a_function_named_as_text_is_found_among_the_callers_names(capsys):
    exec("verifica('es02', 'softmax_row')", {"verifica": verifica, "softmax_row": softmax})
    assert capsys.readouterr().out == "✓ softmax_row: 5 prove superate.\n"


def test_the_name_comes_from_nome_then_from_the_function_then_from_the_notebook():
    space = {"verifica": verifica, "np": np}
    exec("softmax_row = lambda s: np.exp(s) / np.exp(s).sum()\nverifica('es02', softmax_row)", space)
    exec("def softmax_row(s): return np.exp(s)\nother = softmax_row", space)
    with pytest.raises(VerificaFallita, match=r"^✗ softmax_row: "):
        exec("verifica('es02', other)", space)
    with pytest.raises(VerificaFallita, match=r"^✗ combine: non accetta"):
        exec("verifica('es02', other, nome='combine')", space)
    with pytest.raises(VerificaFallita, match=r"^✗ project: non è una funzione, è un numero intero"):
        exec("project = 3\nverifica('es02', project)", space)
    with pytest.raises(VerificaFallita, match=r"^✗ project: non è una funzione, è una stringa di testo"):
        exec("project = 'x @ W'\nverifica('es02', project)", space)


def test_an_unknown_exercise_or_function_is_the_authors_error():
    with pytest.raises(CorsoError, match=r"Non c'è un esercizio 'es99': gli esercizi sono .*es02"):
        verifica("es99", softmax)
    with pytest.raises(CorsoError, match="quelle di es02 sono project, scaled_scores"):
        verifica("es02", lambda scores: scores)


def test_a_callable_object_is_as_good_as_a_function():
    assert "✓ softmax_row: 5 prove superate." in quietly("es02", Callable(), nome="softmax_row")


def message_of_cell(text: str) -> str:
    """Il messaggio per la softmax_row scritta in una cella, con le righe che Python sa rileggere."""
    linecache.cache["cella"] = (len(text), None, text.splitlines(True), "cella")
    space = {"np": np}
    exec(compile(text, "cella", "exec"), space)
    return failure("es02", space["softmax_row"]).messaggio


def test_the_line_where_the_pupils_code_stopped_is_shown():
    message = message_of_cell(
        "def helper(s):\n    return s[99]\n\ndef softmax_row(scores):\n    return helper(scores)\n"
    )
    assert message.startswith("✗ softmax_row: si è fermata con IndexError.\n")
    assert "riga 2 della cella, in «helper»: return s[99]" in message
    assert "Python dice: index 99 is out of bounds" in message


def test_a_list_written_in_one_line_is_not_another_function():
    message = message_of_cell("def softmax_row(scores):\n    return [scores[i + 99] for i in range(2)]\n")
    assert "riga 2 della cella, in «softmax_row»: return [scores[i + 99] for i in range(2)]" in message


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("scores[None] @ scores[None]", "contano gli ultimi due"),
        ("math.exp(1000)", "quale conto lo fa crescere tanto?"),
        ("scores[0, 0]", "più indici che assi"),
    ],
)
def test_the_advice_is_about_what_happened(line, advice):
    assert advice in message_of_cell(f"import math\ndef softmax_row(scores):\n    return {line}\n")


def test_an_error_of_numpys_own_is_called_by_its_python_name():
    def only_integers(scores):
        counts = np.array([1, 2])
        counts += 0.5
        return counts

    assert first_line("es02", only_integers, nome="softmax_row").endswith("si è fermata con TypeError.")


def test_an_unwritten_helper_is_named():
    text = "def project(x):\n    raise NotImplementedError()\n\ndef softmax_row(s):\n    return project(s)\n"
    linecache.cache["cella2"] = (len(text), None, text.splitlines(True), "cella2")
    space = {}
    exec(compile(text, "cella2", "exec"), space)
    assert (
        first_line("es02", space["softmax_row"])
        == "✗ softmax_row: chiama project, che non hai ancora scritto."
    )


def test_an_error_without_text_shows_no_line_of_ours():
    class Proxy:
        def __call__(self, *args):
            raise ValueError

    message = failure("es02", Proxy(), nome="softmax_row").messaggio
    assert "riga" not in message
    assert "Python dice" not in message


def test_a_timeout_is_not_swallowed():
    class TempoScaduto(BaseException):
        pass

    with pytest.raises(TempoScaduto):
        verifica("es02", raising(TempoScaduto()), nome="softmax_row")
    with pytest.raises(TempoScaduto):
        verifica("es02", raising(TempoScaduto()), nome="softmax_row", nascosti=HIDDEN)


def test_every_call_gets_fresh_inputs_and_verifica_keeps_no_state():
    inputs = []

    def spy(scores):
        inputs.append(scores.copy())
        result = softmax(scores)
        scores[:] = 7
        return result

    messages = [failure("es02", spy, nome="softmax_row").messaggio for _ in range(2)]
    assert messages[0] == messages[1]
    half = len(inputs) // 2
    for before, after in zip(inputs[:half], inputs[half:], strict=True):
        np.testing.assert_array_equal(before, after)
    assert quietly("es02", softmax, nome="softmax_row").startswith("✓ softmax_row: 5 prove superate.")


def test_the_global_random_state_is_left_alone():
    np.random.seed(5)
    expected = np.random.random()
    np.random.seed(5)
    quietly("es02", softmax, nome="softmax_row")
    assert np.random.random() == expected


def test_hidden_inputs_are_left_as_they_were():
    scores = np.array([1.0, 2.0, 4.0])
    failed = failure("es02", writes_into_its_input, nome="softmax_row", nascosti={"un titolo": (scores,)})
    assert failed.slips == ("ingressi modificati",)
    np.testing.assert_array_equal(scores, [1.0, 2.0, 4.0])


def test_a_hidden_failure_names_the_slip_and_its_question():
    failed = failure("es02", np.exp, nome="softmax_row", nascosti=HIDDEN)
    assert failed.slip == "non divisi per la somma"
    first, question = failed.messaggio.split("\n")
    assert first == "✗ softmax_row, prova nascosta «un titolo»: sembra l'errore «non divisi per la somma»."
    assert question.endswith("?")


def test_only_the_first_hidden_title_that_fails_is_said():
    hidden = {"uno": (np.array([1.0]),), "due": [(np.array([0.0, 2.0]),), (np.array([3.0, 1.0]),)]}
    line = first_line(
        "es02", lambda s: softmax(s) if len(s) == 1 else s * 0 + 7, nome="softmax_row", nascosti=hidden
    )
    assert line == "✗ softmax_row, prova nascosta «due»: non superata."
    line = first_line("es02", lambda s: s * 0 + 7, nome="softmax_row", nascosti=hidden)
    assert line == "✗ softmax_row, prova nascosta «uno»: non superata."


@pytest.mark.parametrize(
    ("hidden", "words"),
    [
        ({}, "nessun ingresso"),
        ([("a",)], "dev'essere un dizionario"),
        ({"a": []}, "nessun ingresso"),
        ({"a": ()}, "«a»: servono gli argomenti di softmax_row"),
        ({"a": (1, 2)}, "«a»: servono gli argomenti di softmax_row"),
        ({"a": [[np.ones(2)]]}, "«a»: servono gli argomenti di softmax_row"),
        ({"a": ("testo",)}, "la soluzione di softmax_row si ferma con"),
    ],
)
def test_unusable_hidden_inputs_are_the_authors_error(hidden, words):
    with pytest.raises(ErroreEsercizio, match=words):
        verifica("es02", softmax, nome="softmax_row", nascosti=hidden)


def test_green_lines_in_the_plain_and_in_the_singular():
    assert quietly("es02", softmax, nome="softmax_row") == "✓ softmax_row: 5 prove superate.\n"
    line = quietly("es02", softmax, nome="softmax_row", nascosti=HIDDEN)
    assert line == "✓ softmax_row: prova nascosta superata.\n"


def test_the_green_line_survives_a_console_that_cannot_write_it():
    console = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", console)
        verifica("es02", softmax, nome="softmax_row")
    console.flush()
    assert console.buffer.getvalue().split() == b"OK softmax_row: 5 prove superate.".split()


def test_in_ipython_only_the_message_is_shown():
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    shell = InteractiveShell()
    shell.user_ns.update(verifica=verifica, np=np)
    with capture_output() as captured:
        shell.run_cell("def softmax_row(scores):\n    return np.exp(scores)")
        result = shell.run_cell("verifica('es02', softmax_row)")
    InteractiveShell.clear_instance()
    message = result.error_in_exec.messaggio
    first, *others = message.split("\n")
    assert captured.stdout.rstrip("\n") == "\n".join([f"{RED}{first}{PLAIN}", *others])
    assert "Traceback" not in captured.stdout + captured.stderr


def test_a_failure_crosses_a_process_border_whole():
    failed = pickle.loads(pickle.dumps(failure("es02", np.exp, nome="softmax_row", nascosti=HIDDEN)))
    assert failed.slip == "non divisi per la somma"
    assert failed.nascosto
    assert isinstance(failed, AssertionError)

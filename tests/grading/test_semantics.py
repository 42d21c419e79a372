"""Ciò che passa fra prova e funzione dell'allievo: la semantica fissata, punto per punto."""

from __future__ import annotations

from collections import namedtuple

import pytest

from course_lib.checks.compare import compare
from course_lib.checks.values import freeze
from course_lib.grading.box import Box
from course_lib.grading.judge import evaluate
from course_lib.grading.session import Cell
from course_lib.grading.verdicts import NotGraded, Verdict
from course_lib.project import CorsoError
from tests.grading.conftest import LONG

PUPIL = """
import numpy as np

def double(x): return np.asarray(x) * 2
def overwrite(x):
    x[0] = 7
    return x
kinds = {"k": KeyError, "v": ValueError, "s": StopIteration, "o": OSError, "u": UnicodeError}
def fails(kind): raise kinds[kind]("x")
def exits(): raise SystemExit
def endless():
    while True: pass
def dies():
    import os; os._exit(0)
def eats(): return np.ones(10**10)
def draws(rng): return rng.normal()
def applies(f, x): return f(x)
def gives_object(): return object()
calls = []
def counts(x):
    calls.append(x)
    return len(calls)
def total(x, *, weight=1): return sum(x) * weight
N = 3
HALF = np.eye(2, dtype=np.float16)
"""
NAMES = (
    "double", "overwrite", "fails", "exits", "endless", "dies", "eats", "draws", "applies", "gives_object",
    "counts", "total", "N", "HALF", "absent",
)  # fmt: skip


@pytest.fixture
def outcome(judge):
    """L'esito di una sola prova sulle funzioni di PUPIL."""

    def run(test: str):
        return judge(PUPIL, {"prova": test}, NAMES).results["prova"]

    return run


def test_a_true_assertion_passes_and_a_false_one_fails(judge):
    results = judge(PUPIL, {"a": "assert N == 3", "b": "assert N == 4"}, NAMES).results
    assert results["a"].passed
    assert not results["b"].passed


def test_values_and_functions_cross(outcome):
    assert outcome(
        "assert N == 3 and type(N) is int\n"
        "assert HALF.dtype == np.float16 and HALF.shape == (2, 2)\n"
        "y = double([1, 2])\n"
        "assert type(y) is np.ndarray and y.tolist() == [2, 4]\n"
        "assert total([1, 2], weight=5) == 15"
    ).passed


def test_globals_and_locals_of_a_test_are_one_mapping(outcome):
    assert outcome("k = 2\ndef f(): return k\nassert [f() * k for _ in range(2)] == [4, 4]").passed


def test_arguments_after_the_call_come_back(outcome):
    assert outcome(
        "x = np.zeros(3)\noverwrite(x)\nassert x[0] == 7\n"
        "z = [1, 2]\noverwrite(z)\nassert z == [7, 2]\n"
        "d = {0: 1}\noverwrite(d)\nassert d == {0: 7}"
    ).passed


def test_read_only_argument_cannot_be_written(outcome):
    assert outcome(
        "x = np.zeros(3)\nx.flags.writeable = False\n"
        "try: overwrite(x)\nexcept ValueError: pass\nelse: raise AssertionError"
    ).passed


def test_generator_advances_for_the_test_too(outcome):
    assert outcome(
        "r, s = np.random.default_rng(3), np.random.default_rng(3)\n"
        "assert draws(r) == s.normal() and r.normal() == s.normal()"
    ).passed


def test_exported_function_can_be_an_argument(outcome):
    assert outcome("assert applies(double, np.ones(2)).tolist() == [2, 2]").passed


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("k", "KeyError"),
        ("v", "ValueError"),
        ("s", "ErroreAllievo"),
        ("o", "ErroreAllievo"),
        ("u", "ErroreAllievo"),
    ],
)
def test_errors_cross_only_when_they_are_exactly_that(outcome, kind, expected):
    test = (
        f"try: fails('{kind}')\nexcept Exception as e: assert type(e).__name__ == '{expected}' and not e.args"
        "\nelse: raise AssertionError"
    )
    assert outcome(test).passed


def test_stop_iteration_does_not_end_a_generator_of_the_test(outcome):
    result = outcome("assert list(fails('s') for _ in range(2)) == []")
    assert not result.passed


def test_system_exit_is_an_error_of_the_pupil(outcome):
    assert not outcome("exits()").passed


@pytest.mark.parametrize(
    ("call", "verdict"),
    [("endless()", Verdict.TIMEOUT), ("dies()", Verdict.CRASHED), ("eats()", Verdict.MEMORY)],
)
def test_a_call_that_does_not_end_fails_its_test_only(judge, call, verdict):
    tests = {"prima": "assert N == 3", "rotta": call, "dopo": "assert double(np.ones(1))[0] == 2"}
    results = judge(PUPIL, tests, NAMES).results
    assert [results[name].passed for name in tests] == [True, False, True]
    assert results["rotta"].failure == verdict


def test_a_test_cannot_swallow_a_call_that_did_not_end(outcome):
    assert not outcome("try: dies()\nexcept Exception: pass").passed
    assert not outcome("try: dies()\nexcept BaseException: pass").passed


def test_a_value_of_another_type_fails_with_a_clear_message(outcome):
    result = outcome("gives_object()")
    assert not result.passed
    assert "«gives_object» restituisce un valore di tipo object" in result.message


def test_a_missing_function_is_named(outcome):
    result = outcome("absent(1)")
    assert not result.passed
    assert "Non trovo «absent»" in result.message


def test_an_unknown_name_is_the_authors_error(judge):
    with pytest.raises(CorsoError, match="helper"):
        judge(PUPIL, {"prova": "helper(1)"}, NAMES)


def test_no_other_name_of_the_pupil_crosses(judge):
    with pytest.raises(CorsoError, match="calls"):
        judge(PUPIL, {"prova": "assert calls == []"}, NAMES)


@pytest.mark.parametrize(
    ("cell", "verdict"),
    [
        ("while True: pass", Verdict.TIMEOUT),
        ("while True:\n    try: pass\n    except BaseException: pass", Verdict.TIMEOUT),
        ("import time; time.sleep(600)", Verdict.TIMEOUT),
        ("import os; os._exit(0)", Verdict.CRASHED),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", Verdict.CRASHED),
        ("x = bytearray(8 * 2**30)", Verdict.MEMORY),
        ("raise MemoryError", Verdict.MEMORY),
    ],
)
def test_a_cell_over_a_limit_leaves_the_mark_empty(judge, cell, verdict):
    with pytest.raises(NotGraded) as caught:
        judge(cell, {"prova": "raise AssertionError('qui non si deve arrivare')"}, ())
    assert caught.value.verdict == verdict


def test_an_ordinary_error_in_a_cell_is_not_a_verdict(judge):
    evaluation = judge("N = 3\n1 / 0\nN = 4", {"prova": "assert N == 3"}, ("N",))
    assert evaluation.results["prova"].passed
    error = evaluation.outputs["risposta"][0]
    assert error.ename == "ZeroDivisionError"
    assert error.traceback[-1] == "riga 2: 1 / 0"


HIDDEN = "assert {visible}\n### BEGIN HIDDEN TESTS\nassert {hidden}, 'SEGRETO'\n### END HIDDEN TESTS"


@pytest.mark.parametrize(("n", "passed"), [(3, True), (4, False), (5, False)])
def test_a_cell_with_a_hidden_block_is_all_or_nothing(judge, n, passed):
    test = HIDDEN.format(visible="f(1) == 3 or N == 5", hidden="f(2) == 3 and N != 5")
    pupil = f"N = {n}\ndef f(x): return 3 if x == 1 else N"
    result = judge(pupil, {"prova": test}, ("f", "N")).results["prova"]
    assert result.passed is passed
    assert "SEGRETO" not in result.message


def test_a_hidden_failure_says_nothing_of_its_input(judge):
    test = "### BEGIN HIDDEN TESTS\nx = 8675309\nassert f(x) == 1, f'con {x} atteso 1'\n### END HIDDEN TESTS"
    result = judge("def f(x): return x", {"prova": test}, ("f",)).results["prova"]
    assert result.message == "Una prova nascosta non è superata."
    assert result.hidden


def test_a_hidden_input_cannot_travel_to_a_visible_message(judge):
    """Chi mette da parte gli argomenti e li restituisce in una prova visibile dopo non li vede stampati."""
    pupil = "seen = []\ndef f(x):\n    seen.append(x)\n    return seen\ndef g(): return seen"
    tests = {
        "prima": "f(0)\n### BEGIN HIDDEN TESTS\nf(8675309)\n### END HIDDEN TESTS",
        "dopo": "assert g() == 'no', f'ottenuto {g()}'",
    }
    results = judge(pupil, tests, ("f", "g")).results
    assert "ottenuto [0]" in results["dopo"].message
    assert "8675309" not in str(results)


@pytest.mark.parametrize(
    "smuggle",
    [
        "class_ = type(str(x), (), {}); return class_()",
        "raise type('E' + str(x), (Exception,), {})(str(x))",
        "raise ValueError(str(x))",
        "import os; os._exit(x % 256)",
    ],
)
def test_names_messages_and_exit_codes_carry_no_input_out(judge, smuggle):
    test = "### BEGIN HIDDEN TESTS\nf(173)\n### END HIDDEN TESTS"
    result = judge(f"def f(x): {smuggle}", {"prova": test}, ("f",)).results["prova"]
    assert not result.passed
    assert "173" not in str(result)


def test_pass_a_never_sees_a_test_input(judge):
    pupil = "seen = []\ndef f(x):\n    seen.append(x)\n    print('visto', x)\n    return x\nprint(seen)"
    evaluation = judge(pupil, {"prova": "assert f(8675309) == 8675309"}, ("f",))
    assert evaluation.results["prova"].passed
    assert evaluation.outputs["risposta"][0].text == "[]\n"
    assert "8675309" not in str(evaluation.outputs)


def test_a_namedtuple_is_not_a_tuple_here_nor_in_the_pupils_notebook(judge):
    """Il tipo si confronta esatto: se sul filo diventasse tupla, il box sarebbe più largo."""
    pupil = "from collections import namedtuple\nPair = namedtuple('Pair', 'a b')\ndef f(): return Pair(1, 2)"
    result = judge(pupil, {"prova": "assert f() == (1, 2)"}, ("f",)).results["prova"]
    assert not result.passed
    assert "di tipo namedtuple" in result.message
    pair = namedtuple("Pair", "a b")(1, 2)
    assert compare((1, 2), freeze(pair)).kind == "tipo"
    assert compare((1, 2), freeze(tuple(pair))) is None


def test_a_module_written_by_a_cell_can_be_imported(isolation):
    cells = [
        Cell("uno", "%%writefile attenzione.py\ndef double(x):\n    return 2 * x\n"),
        Cell("due", "from attenzione import double\nprint(double(21))"),
    ]
    with Box(isolation, LONG) as box:
        tests = [(Cell("prova", "assert double(4) == 8"), 1.0)]
        evaluation = evaluate(box, cells, [], tests, ("double",))
    assert evaluation.results["prova"].passed
    assert evaluation.outputs["due"][0].text == "42\n"


@pytest.mark.parametrize("name", ["numpy", "course_lib", "IPython", "json"])
def test_a_module_written_by_a_cell_covers_no_other(run_in_box, name):
    package = f"import os\nos.mkdir('{name}')\nopen('{name}/__init__.py', 'w').write('FINTO = 1')"
    seen = (
        f"import importlib, sys\nsys.modules.pop('{name}', None)\nfound = importlib.util.find_spec('{name}')"
    )
    shown = run_in_box(package, seen + "\nprint(found.origin)")[1]["outputs"][0]["text"]
    assert "/tmp/lavoro" not in shown

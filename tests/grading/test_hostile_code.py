"""Funzioni e celle scritte per ingannare il giudice, consumarlo, o lasciare tracce fra le passate."""

from __future__ import annotations

import pytest

from course_lib.grading.verdicts import NotGraded, Verdict


def test_forged_comparisons_change_nothing(judge):
    pupil = """
import numpy as np, builtins, ast
np.allclose = np.array_equal = lambda *a, **k: True
np.testing.assert_allclose = np.testing.assert_array_equal = lambda *a, **k: None
class Equal:
    def __eq__(self, other): return True
    def __array__(self, *a, **k): return np.ones(2)
class Array(np.ndarray):
    def __eq__(self, other): return True
def f(): return np.zeros(2)
def g(): return Equal()
def h(): return np.zeros(2).view(Array)
builtins.AssertionError = type("Never", (Exception,), {})
try:
    get_ipython().ast_transformers.append(
        type("Drop", (ast.NodeTransformer,), {"visit_Assert": lambda self, node: ast.Pass()})()
    )
except NameError:
    pass
"""
    tests = {
        "f": "assert np.allclose(f(), np.ones(2))",
        "g": "assert g() == 1",
        "h": "assert (h() == np.ones(2)).all()",
    }
    results = judge(pupil, tests, ("f", "g", "h")).results
    assert not any(result.passed for result in results.values())


def test_writing_on_the_wire_is_suspect(judge):
    pupil = """
import os
def f(x):
    for fd in range(3, 128):
        try: os.write(fd, b"x" * 64)
        except OSError: pass
    return x
"""
    with pytest.raises(NotGraded) as caught:
        judge(pupil, {"prova": "assert f(1) == 1"}, ("f",))
    assert caught.value.verdict == Verdict.SUSPECT


def test_a_cell_that_makes_files_can_run_twice(judge):
    pupil = "import os\nos.mkdir('dati')\nopen('dati/appunti.txt', 'x').close()\nos.chmod('dati', 0)\nN = 3"
    assert judge(pupil, {"prova": "assert N == 3"}, ("N",)).results["prova"].passed


def test_files_of_one_pass_do_not_reach_the_next(judge):
    pupil = """
import pathlib
for place in ("/tmp", "/tmp/mpl", "."):
    try: pathlib.Path(place, "visto").touch(exist_ok=False)
    except FileExistsError: print("GIÀ VISTO")
found = [str(p) for place in ("/tmp", "/tmp/mpl", ".") for p in pathlib.Path(place).glob("visto*")]
def f(): return found
"""
    test = "assert len(f()) == 3\n### BEGIN HIDDEN TESTS\nassert len(f()) == 3\n### END HIDDEN TESTS"
    evaluation = judge(pupil, {"prova": test}, ("f",))
    assert evaluation.results["prova"].passed
    assert evaluation.outputs["risposta"] == []


@pytest.mark.parametrize(
    "value",
    [
        "a = [0] * 300\n    b = [a] * 300\n    return [b] * 100",
        "a = np.zeros(8_000_000)\n    return [a] * 50",
        "a = []\n    a.append(a)\n    return a",
        "return [{(8 * k + j) * (2**61 - 1): None for k in range(2000)} for j in range(4)]",
        "return set(range(10**5))",
        "return 10**4500",
        "return [0] * 300_000",
    ],
)
def test_values_made_to_exhaust_the_judge_fail_their_test_only(judge, value):
    pupil = f"import numpy as np\ndef f():\n    {value}\ndef g(): return 1"
    results = judge(pupil, {"f": "f()", "g": "assert g() == 1"}, ("f", "g")).results
    assert not results["f"].passed
    assert results["g"].passed


@pytest.mark.parametrize(
    "mess",
    [
        "for i in range(3000):\n    os.mkdir('d'); os.chdir('d')",
        "for i in range(5000): os.mkdir(f'/tmp/{i}')",
        "os.mkdir('a'); os.symlink('/usr', 'a/usr'); os.symlink('/usr', 'usr'); os.chmod('a', 0)",
        "os.chmod('/tmp/lavoro', 0)",
        "os.rmdir('/tmp/lavoro'); os.symlink('/usr', '/tmp/lavoro')",
    ],
)
def test_a_messed_up_folder_costs_at_most_a_new_box(judge, mess):
    pupil = f"import os\ntry:\n    {mess.replace(chr(10), chr(10) + '    ')}\nexcept OSError: pass\nN = 3"
    assert judge(pupil, {"prova": "assert N == 3"}, ("N",)).results["prova"].passed


def test_a_name_that_must_be_a_function_is_not_taken_as_a_value(judge):
    """`verifica("es02", project)` con project = "combine" controllerebbe un'altra funzione."""
    tests = {"prova": "assert f == 'g'"}
    assert judge("f = 'g'", tests, ("f",)).results["prova"].passed
    result = judge("f = 'g'", tests, ("f",), functions=frozenset({"f"})).results["prova"]
    assert not result.passed
    assert "Non trovo «f»" in result.message


PATCH = """
import sys
pupil = sys.modules["corso" + "_box.pupil"]
original = pupil._answer
def patched(shell, header, payload, silent):
    if header["kind"] == {kind!r}:
        return {answer!r}, [bytes({size})]
    return original(shell, header, payload, silent)
pupil._answer = patched
def f(x): return x
"""


@pytest.mark.parametrize(
    ("kind", "answer", "size"),
    [
        ("exports", {"kind": "exports", "found": 3}, 0),
        ("exports", {"kind": "altro"}, 0),
        ("call", {"kind": "not-crossing", "type": ["x"]}, 0),
        ("call", {"kind": "value", "value": ["a", "<f8", [0] + [2**23] * 20, 0, True], "after": []}, 0),
        (
            "call",
            {"kind": "value", "value": ["l", [["a", "<f8", [2**20], 0, True]] * 60], "after": []},
            2**23,
        ),
        ("call", {"kind": "value", "value": None, "after": 7}, 0),
        ("call", {"kind": "error", "type": {"a": 1}, "value": None}, 0),
        ("cell", {"kind": "ran", "outputs": 3, "error": None}, 0),
    ],
)
def test_forged_answers_never_pass_and_never_raise(judge, kind, answer, size):
    pupil = PATCH.format(kind=kind, answer=answer, size=size)
    results, verdict = {}, None
    try:
        results = judge(pupil, {"prova": "assert f(5) == 6"}, ("f",)).results
    except NotGraded as error:
        verdict = error.verdict
    assert verdict in (None, Verdict.SUSPECT, Verdict.CRASHED)
    assert not any(result.passed for result in results.values())

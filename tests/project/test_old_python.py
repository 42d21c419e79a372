"""corso.py si lascia leggere da un Python vecchio, e gli dice che serve il 3.11."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys

import pytest

from tests.conftest import ROOT

SOURCE = (ROOT / "corso.py").read_text(encoding="utf-8")

# Tutto ciò che Python 2.7 non sa leggere e che il nostro ast sa riconoscere.
TOO_NEW = (
    ast.JoinedStr,
    ast.NamedExpr,
    ast.AnnAssign,
    ast.Match,
    ast.AsyncFunctionDef,
    ast.AsyncFor,
    ast.AsyncWith,
    ast.Await,
    ast.YieldFrom,
    ast.Nonlocal,
    ast.MatMult,
    ast.Starred,
    ast.TryStar,
)


SIMULATED = "import sys, runpy; sys.version_info = %r; sys.argv = ['corso.py', %r]; runpy.run_path(%r)"


def too_new(tree: ast.AST) -> list[str]:
    """I costrutti troppo nuovi che si trovano in un programma, con la riga."""
    found = []
    for node in ast.walk(tree):
        bad = isinstance(node, TOO_NEW)
        if isinstance(node, ast.FunctionDef):
            every = [*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs]
            bad = bool(node.returns or node.args.kwonlyargs or node.args.posonlyargs)
            bad = bad or any(argument.annotation for argument in every)
        bad = bad or (isinstance(node, ast.Raise) and node.cause is not None)
        bad = bad or (isinstance(node, ast.Dict) and None in node.keys)
        if bad:
            found.append(f"{type(node).__name__}, riga {node.lineno}")
    return found


def test_nothing_too_new_in_it():
    assert too_new(ast.parse(SOURCE, feature_version=(3, 4))) == []


@pytest.mark.parametrize(
    "code",
    [
        "f'{1}'",
        "x: int = 1",
        "def f(a: int): pass",
        "def f(*, a): pass",
        "[*a]",
        "{**a}",
        "(x := 1)",
        "f(*a, *b)",
    ],
)
def test_the_check_sees_what_is_too_new(code):
    assert too_new(ast.parse(code))


def test_version_check_comes_before_every_import_that_may_be_missing():
    body = ast.parse(SOURCE).body
    check = next(
        i for i, node in enumerate(body) if isinstance(node, ast.If) and "version_info" in ast.unparse(node)
    )
    imported = [name.name for node in body[:check] if isinstance(node, ast.Import) for name in node.names]
    assert imported == ["os", "sys"]
    assert not any(isinstance(node, ast.ImportFrom) for node in body[:check])


def assert_asks_for_3_11(done, version):
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("corso: serve Python 3.11 o successivo")
    assert version in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_simulated_old_python_without_a_newer_one_is_told_where_to_get_it(tmp_path):
    code = SIMULATED % ((3, 6, 15), "apri", str(ROOT / "corso.py"))
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
    )
    assert_asks_for_3_11(done, "è il 3.6")
    assert "https://www.python.org/downloads/" in done.stderr


def test_simulated_old_python_beside_a_newer_one_is_told_to_use_it(tmp_path):
    (tmp_path / "python3.11").write_text("")
    code = SIMULATED % ((3, 9, 1), "prova", str(ROOT / "corso.py"))
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
    )
    assert_asks_for_3_11(done, "è il 3.9")
    assert "python3.11 corso.py prova" in done.stderr


def test_real_old_pythons_if_this_machine_has_them():
    """Dove non ce ne sono basta la versione simulata qui sopra."""
    for name in ("python2.7", "python3.6", "python3.8", "python3.10"):
        path = shutil.which(name)
        trial = path and subprocess.run([path, "--version"], capture_output=True)
        if trial and trial.returncode == 0:
            command = [path, str(ROOT / "corso.py"), "apri"]
            assert_asks_for_3_11(subprocess.run(command, capture_output=True, encoding="utf-8"), name[6:])

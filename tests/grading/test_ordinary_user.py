"""Tutto vale anche quando chi corregge è un utente qualunque: le stesse prove, rieseguite da uno."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import pytest

from tests.conftest import administrator_only
from tests.grading.ordinary_user import UID, run_as_user

pytestmark = pytest.mark.lento
AGAIN = ("box", "sandbox", "memory", "semantics", "hostile_code", "between_passes")


@pytest.fixture(scope="module", autouse=True)
def _as_root():
    if os.geteuid() != 0:
        administrator_only("per ripeterle da utente le prove devono cominciare da amministratore")


@pytest.fixture
def home():
    """Non in tmp_path: ogni pytest dell'amministratore che parte ne chiude i genitori agli altri."""
    with tempfile.TemporaryDirectory(prefix="corso-utente-") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def test_the_helper_really_is_somebody_else(home):
    code = "import os; print(os.getresuid(), os.getgroups(), open('/proc/self/status').read())"
    seen = run_as_user(["-c", code], home, 60).stdout
    assert seen.startswith(f"({UID}, {UID}, {UID}) []")
    assert re.search(r"CapEff:\t0+\n", seen)


def test_box_judge_and_hostile_code_as_an_ordinary_user(home):
    files = [f"tests/grading/test_{name}.py" for name in AGAIN]
    done = run_as_user(["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *files], home, 900)
    print(done.stdout[-6_000:])
    assert done.returncode == 0
    assert int(re.search(r"(\d+) passed", done.stdout).group(1)) > 100


def test_the_hostile_class_as_an_ordinary_user(home):
    names = [
        "canarini", "sql-e-cancellazione", "rete", "superstite", "segnali-al-capostipite", "quattro-processi",
        "otto-gigabyte", "ciclo-che-inghiotte", "os-exit", "byte-su-ogni-descrittore", "numpy-sostituito",
        "risposte-riscritte", "file-di-10-gb",
    ]  # fmt: skip
    done = run_as_user(["-m", "tests.grading.hostile", *names], home, 900)
    print(done.stdout)
    assert done.returncode == 0, done.stderr[-2_000:]
    assert "nessuno è riuscito." in done.stdout
    assert "canarini trovati: nessuno" in done.stdout

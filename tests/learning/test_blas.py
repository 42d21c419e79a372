"""I prodotti di NumPy in un thread solo: anche in un Jupyter aperto senza `corso apri`."""

import os
import subprocess
import sys

import pytest

from course_lib.learning import blas
from tests.conftest import ROOT, unavailable

TRAIN = """
import numpy as np
from course_lib.learning import blas
threads = blas.openblas("get_num_threads")
if threads is None:
    raise SystemExit("NumPy non usa OpenBLAS")
blas.openblas("set_num_threads")({start})
from course_lib.learning.agreement_model import train_agreement
before = threads()
train_agreement(0, steps=1, d_model=8)
print(before, threads())
"""


def threads_of_a_training(start=2, **variables):
    """Quanti thread prima e dopo il primo passo, in un Python che riceve queste variabili."""
    environment = {k: v for k, v in os.environ.items() if k not in blas.VARIABLES}
    environment |= {"PYTHONPATH": str(ROOT), **variables}
    command = [sys.executable, "-c", TRAIN.format(start=start)]
    done = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8")
    if "NumPy non usa OpenBLAS" in done.stderr:
        unavailable("questa copia di NumPy non usa OpenBLAS")
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_training_asks_for_one_thread():
    assert threads_of_a_training() == ["2", "1"]


@pytest.mark.parametrize("name", ["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"])
def test_who_decided_otherwise_is_left_alone(name):
    assert threads_of_a_training(**{name: "2"}) == ["2", "2"]


@pytest.mark.parametrize(("value", "one"), [("1", True), ("4", False), ("", None)])
def test_it_says_whether_there_is_one_thread(monkeypatch, value, one):
    for name in blas.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", value)
    asked = []
    monkeypatch.setattr(blas, "openblas", {"set_num_threads": asked.append, "get_num_threads": lambda: 1}.get)
    assert blas.one_thread() is (one is not False)
    assert asked == ([1] if one is None else [])                  # una variabile vuota non decide nulla


def test_another_library_is_not_an_error(monkeypatch):
    for name in blas.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(blas, "_libraries", lambda: ["questa-non-esiste.so"])
    blas.openblas.cache_clear()
    try:
        assert blas.openblas("set_num_threads") is None
        assert not blas.one_thread()
    finally:
        blas.openblas.cache_clear()

"""Le parole dei comandi: che cosa scrivere nel terminale, e perché un file non va."""

from __future__ import annotations

import errno
import importlib.metadata
import os
import subprocess
import sys

import pytest

from course_lib.cli import words


def test_a_command_is_written_so_that_it_works_outside_the_environment(monkeypatch):
    monkeypatch.setattr(os, "name", "posix")
    assert words.command("consegna", "es02", "--nome", "Ada Bo") == (
        'python3 corso.py consegna es02 --nome "Ada Bo"'
    )
    monkeypatch.setattr(os, "name", "nt")
    assert words.command("apri") == "py corso.py apri"


@pytest.mark.parametrize(
    ("pip", "start"), [(True, "{} -m pip install"), (None, "uv pip install --python {}")]
)
def test_libraries_are_installed_in_this_environment(monkeypatch, pip, start):
    monkeypatch.setattr(importlib.metadata, "distributions", lambda name: [name] * bool(pip))
    monkeypatch.setattr(sys, "executable", "/mia cartella/python")
    assert words.pip_install("numpy") == start.format('"/mia cartella/python"') + " numpy"


def test_looking_for_pip_leaves_nbgrader_in_working_order():
    text = "from course_lib.cli import words; words.pip_install(''); import setuptools"
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", text], check=False).returncode == 0


def test_reasons_are_italian_and_an_unknown_one_gives_its_number():
    assert words.reason(FileNotFoundError(errno.ENOENT, "No such file or directory")) == "la cartella non c'è"
    assert words.reason(OSError(9999, "Strange")) == "il sistema dà l'errore 9999"

"""Le prove di un gruppo vanno tutte a un processo: ciò che costruiscono si costruisce una volta sola."""

from __future__ import annotations

import subprocess
import sys

from course_lib.cli.run_tests import pytest_command

SAMPLE = """
import os
import pytest

@pytest.mark.xdist_group("uno")
@pytest.mark.parametrize("k", range(8))
def test_which(k):
    with open("chi.txt", "a", encoding="utf-8") as file:
        file.write(os.environ["PYTEST_XDIST_WORKER"] + "\\n")

@pytest.mark.parametrize("k", range(8))
def test_other(k):
    pass
"""


def test_a_group_stays_in_one_process(tmp_path):
    """pytest 9.2 con pytest-xdist 3.8 non guarda più i gruppi, e non lo dice."""
    (tmp_path / "test_sample.py").write_text(SAMPLE, encoding="utf-8")
    command = [sys.executable, *pytest_command(False, ["-q", "-p", "no:cacheprovider"])[1:]]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout
    who = (tmp_path / "chi.txt").read_text(encoding="utf-8").split()
    assert len(who) == 8
    assert len(set(who)) == 1

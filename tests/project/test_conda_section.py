"""La parte pip di environment.yml, installata davvero come la installa conda: lenta, un ambiente da zero."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.conftest import unavailable
from tests.project.test_dependencies import environment

OFFLINE_SIGNS = ("name resolution", "Failed to establish a new connection", "Network is unreachable")


def pip_section() -> list[str]:
    """Le righe che conda scrive in un file e dà a pip."""
    return next(item["pip"] for item in environment()["dependencies"] if isinstance(item, dict))


@pytest.mark.lento
def test_pip_section_installs_and_the_diagnosis_is_clean(course_copy):
    with tempfile.TemporaryDirectory(prefix="conda-") as folder:
        prefix = Path(folder) / "ambiente"
        subprocess.run([sys.executable, "-m", "venv", str(prefix)], check=True)
        programs = prefix / ("Scripts" if os.name == "nt" else "bin")
        requirements = (
            course_copy / "condaenv.prova.requirements.txt"
        )  # conda lo scrive accanto a environment.yml
        requirements.write_text("\n".join(pip_section()), encoding="utf-8")
        command = [programs / "python", "-m", "pip", "install", "-U", "-r", requirements, "--exists-action=b"]
        try:
            done = subprocess.run(command, cwd=course_copy, capture_output=True, encoding="utf-8")
        finally:
            requirements.unlink()
        if done.returncode and any(sign in done.stdout + done.stderr for sign in OFFLINE_SIGNS):
            unavailable("senza rete: le librerie non si scaricano")
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]

        person = {name: value for name, value in os.environ.items() if name not in ("CI", "PYTHONPATH")}
        diagnosis = subprocess.run(
            [programs / "corso", "diagnosi"], cwd=folder, env=person, capture_output=True, encoding="utf-8"
        )
        assert "FAIL" not in diagnosis.stdout, diagnosis.stdout
        assert diagnosis.stdout.rstrip().endswith("Tutto a posto.")
        assert str(prefix) in diagnosis.stdout
        assert diagnosis.returncode == 0

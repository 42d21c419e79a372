"""`corso prova`: la suite del progetto, tutta o la sua parte veloce."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys

from course_lib.cli.words import pip_install
from course_lib.project import CorsoError, project_root

PASSES_ON = True  # ciò che non conosciamo va a pytest com'è
WORKERS = 2


def add_arguments(parser) -> None:
    """Le opzioni di `corso prova`; ogni altra parola passa a pytest."""
    parser.usage = "corso prova [-h] [--rapida] [argomenti di pytest ...]"
    parser.add_argument("--rapida", action="store_true", help="solo le prove veloci (pochi minuti)")


def run(args) -> int:
    """Esegue pytest nella cartella del corso e restituisce il suo stato d'uscita."""
    root = project_root()
    if not (root / "tests").is_dir():
        raise CorsoError("questa copia del corso non contiene le prove: servono solo a chi lo sviluppa.")
    if importlib.util.find_spec("pytest") is None:
        raise CorsoError(f"manca pytest: scrivi «{pip_install('-r requirements.lock')}» e riprova.")
    return subprocess.call(pytest_command(args.rapida, args.passed_on), cwd=root, env=test_environment())


def pytest_command(quick: bool, passed_on: list[str]) -> list[str]:
    """La riga di comando di pytest; due processi, se chi chiama non ha scelto da sé."""
    command = [sys.executable, "-m", "pytest"]
    if quick:
        command += ["-m", "not lento"]
    if not any(word.startswith(("-n", "--numprocesses", "--pdb", "--co")) for word in passed_on):
        command += ["-n", str(WORKERS), "--dist", "loadgroup"]
    return command + passed_on


def test_environment() -> dict[str, str]:
    """L'ambiente delle prove: matplotlib disegna senza aprire finestre."""
    return {**os.environ, "MPLBACKEND": "agg"}

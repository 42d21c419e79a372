"""Un corso in miniatura: il vero corso.py con biblioteca e `uv` finti, per provare in pochi secondi."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Fa come uv quanto basta a corso.py: crea l'ambiente, «installa» collegando la cartella, fallisce a comando.
FAKE_UV = """#!{python}
import os, pathlib, subprocess, sys, time
here = pathlib.Path(__file__).parent
with open(here / "calls.txt", "a") as calls:
    calls.write(" ".join(sys.argv[1:3]) + "\\n")
says = here / "says.txt"
if sys.argv[1] == "pip" and says.exists():
    print(says.read_text(encoding="utf-8"))
    sys.exit(2)
if sys.argv[1] == "pip" and (here / "slow.txt").exists():
    (here / "started.txt").write_text("")
    time.sleep(60)
if sys.argv[1] == "venv":
    sys.exit(subprocess.call([sys.executable, "-m", "venv", "--without-pip", sys.argv[-1]]))
python = sys.argv[sys.argv.index("--python") + 1]
code = "import sysconfig; print(sysconfig.get_path('purelib'))"
site = pathlib.Path(subprocess.check_output([python, "-I", "-c", code], text=True).strip())
(site / "pip.py").write_text("")
if "-e" in sys.argv:
    (site / "corso.pth").write_text(sys.argv[-1] + "\\n", encoding="utf-8")
"""
STUB_CLI = """
import sys
COMMANDS = {"eco": None}
def main(argv=None):
    words = sys.argv[1:] if argv is None else argv
    print("ECO", words, sys.prefix)
    return 3 if "tre" in words else 0
"""


@dataclass
class MiniCourse:
    """Il corso in miniatura e il modo di avviarlo."""

    folder: Path
    programs: Path
    extra: dict[str, str] = field(default_factory=dict)

    @property
    def venv(self) -> Path:
        return self.folder / ".venv"

    def environment(self) -> dict[str, str]:
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))
        }
        return {**kept, "PATH": f"{self.programs}{os.pathsep}/usr/bin{os.pathsep}/bin", **self.extra}

    def command(self, *words: str) -> list[str]:
        return [sys.executable, str(self.folder / "corso.py"), *words]

    def start(self, *words: str, wrapper: tuple[str, ...] = ()) -> subprocess.CompletedProcess:
        """Avvia corso.py come farebbe una persona, e aspetta."""
        command = [*wrapper, *self.command(*(words or ("eco",)))]
        return subprocess.run(
            command,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )

    def uv_says(self, text: str | None) -> None:
        """Da qui in poi il finto uv fallisce scrivendo `text`; con None torna a riuscire."""
        says = self.programs / "says.txt"
        says.unlink(missing_ok=True)
        if text is not None:
            says.write_text(text, encoding="utf-8")

    def uv_calls(self) -> list[str]:
        """Le chiamate al finto uv dall'ultima volta che lo si è chiesto."""
        calls = self.programs / "calls.txt"
        lines = calls.read_text().splitlines() if calls.exists() else []
        calls.unlink(missing_ok=True)
        return lines


def make_mini_course(folder: Path, programs: Path) -> MiniCourse:
    """Scrive il corso in miniatura in `folder` e il finto uv in `programs`."""
    library = folder / "course_lib" / "cli"
    library.mkdir(parents=True)
    shutil.copy(ROOT / "corso.py", folder)
    (library.parent / "__init__.py").write_text("")
    (library / "__init__.py").write_text(STUB_CLI)
    (library / "__main__.py").write_text("import sys\nfrom course_lib.cli import main\nsys.exit(main())\n")
    (folder / "requirements.lock").write_text("numpy==2.4.6\n")
    (folder / "pyproject.toml").write_text("")
    programs.mkdir()
    uv = programs / "uv"
    uv.write_text(FAKE_UV.format(python=sys.executable), encoding="utf-8")
    uv.chmod(0o755)
    return MiniCourse(folder, programs)


@pytest.fixture
def mini(tmp_path) -> MiniCourse:
    """Un corso in miniatura, in una cartella con spazi e accenti."""
    return make_mini_course(tmp_path / "la cartella è qui", tmp_path / "programmi")

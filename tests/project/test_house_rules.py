"""Regole di ogni file: lunghezza, ruff, codifica, nessun indirizzo di archivi né percorso di una macchina."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, require, unavailable

LONGEST = 300
# Spezzati, perché questo stesso file non li contenga.
ADDRESSES = [
    "py" + "pi.org",
    "python" + "hosted",
    "npm" + "js.",
    "deb" + ".debian.org",
    "conda" + ".anaconda.org",
]
MACHINE_PATHS = re.compile(r"(?<![\w.~-])/(?:work|root|home)/" + r"\w")


def project_files() -> list[Path]:
    """I file del progetto: quelli che git conosce o conoscerebbe."""
    command = [require("git"), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    if listing.returncode != 0:
        unavailable("questa copia del corso non è un deposito git")
    return [ROOT / name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()]


def text_of(path: Path) -> str | None:
    """Il testo di un file, o None se è binario."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def faults(text: str) -> list[str]:
    """Indirizzi di archivi e percorsi di una macchina che compaiono in un testo."""
    return [word for word in ADDRESSES if word in text] + MACHINE_PATHS.findall(text)


def test_a_file_fits_a_sitting():
    files = [ROOT / "corso.py", *(ROOT / "course_lib").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
    long = {
        path.name: n for path in files if (n := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST
    }
    assert long == {}


def test_no_address_and_no_machine_path():
    texts = {path: text for path in project_files() if (text := text_of(path)) is not None}
    assert len(texts) > 20
    assert {str(path): found for path, text in texts.items() if (found := faults(text))} == {}


@pytest.mark.parametrize(
    "text", ["https://" + ADDRESSES[0] + "/simple", "sta in /" + "root/x", "file:///" + "work/main"]
)
def test_the_search_for_addresses_sees_them(text):
    assert faults(text)


def test_lock_files_that_record_addresses_are_absent():
    assert not [name for name in ("uv.lock", "pylock.toml", "poetry.lock") if (ROOT / name).exists()]


def test_ruff_is_clean():
    command = [sys.executable, "-m", "ruff", "check", "--no-cache", "--output-format", "concise", "."]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout


def without_encoding(code: str) -> list[int]:
    """Le righe che aprono, leggono o scrivono testo senza dire la codifica."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.Call) or any(word.arg in ("encoding", None) for word in node.keywords):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        modes = [
            arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
        ]
        text_mode = any(re.fullmatch("[rwax]t?[+]?t?", mode) for mode in modes)
        binary = any(re.fullmatch("[rwax]b?[+]?b?", mode) and "b" in mode for mode in modes)
        plain_open = isinstance(node.func, ast.Name) and name == "open" and not binary
        if plain_open or (name == "open" and text_mode) or (name == "read_text" and not node.args):
            found.append(node.lineno)
        elif name == "write_text" and len(node.args) < 2:
            found.append(node.lineno)
    return found


def test_files_are_opened_with_their_encoding():
    files = [ROOT / "corso.py", *(ROOT / "course_lib").rglob("*.py")]
    assert {path.name: n for path in files if (n := without_encoding(path.read_text(encoding="utf-8")))} == {}


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("p.read_text()", 1),
        ("p.read_text('utf-8') + p.read_text(encoding='utf-8')", 0),
        ("p.write_text(t)", 1),
        ("p.write_text(t, encoding='utf-8')", 0),
        ("open(p)", 1),
        ("open(p, 'w')", 1),
        ("open(p, 'rb') or open(p, 'w', encoding='utf-8')", 0),
        ("p.open('a')", 1),
        ("p.open('wb') or os.open(p, flags)", 0),
    ],
)
def test_the_search_for_encodings_sees_them(code, count):
    assert len(without_encoding(code)) == count


def test_licences_name_their_holder():
    for name in ("LICENSE", "LICENSE-testi"):
        assert "gli autori di Chiave di lettura" in (ROOT / name).read_text(encoding="utf-8")


def test_ci_script_is_valid_bash():
    done = subprocess.run(["bash", "-n", str(ROOT / ".ci" / "run")], capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (0, "")

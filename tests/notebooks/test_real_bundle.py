"""Il pacchetto del corso vero, cercato da capo a fondo: niente prove nascoste, soluzioni, dati d'altri.

La ricerca è scritta qui per conto suo, senza `course_lib.building.leaks`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from course_lib.building.bundle import bundle_files, distribute
from course_lib.project import project_root

FOR_PUPILS = "uesto è il pacchetto per chi studia"


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """Il pacchetto del corso vero, letto dallo zip: percorso -> testo (dei notebook, anche le stringhe)."""
    path, _ = distribute(project_root(), tmp_path_factory.mktemp("pacchetto"))
    texts = {}
    for name, data in contents(path).items():
        text = data.decode("utf-8", "replace" if name.endswith(".npz") else "strict")
        if name.endswith(".ipynb"):
            text += "\n" + "\n".join(strings_of(json.loads(text)))
        texts[name.split("/", 1)[1]] = text
    return texts


def strings_of(value):
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for part in inner for text in strings_of(part)]


def block_lines(kind: str) -> list[str]:
    """Le righe fra BEGIN e END in tutte le sorgenti, lette qui per conto nostro."""
    found = []
    for path in sorted((project_root() / "sources" / "exercises").glob("*.md")):
        for block in re.findall(
            rf"### BEGIN {kind}\n(.*?)### END {kind}", path.read_text(encoding="utf-8"), re.DOTALL
        ):
            found += [line.split("  #")[0].strip() for line in block.splitlines()]
    return [line for line in found if len(line) > 5 and not line.startswith("#")]


def places(texts: dict[str, str], line: str) -> list[str]:
    return [name for name, text in texts.items() if line in text]


def test_no_hidden_line_is_anywhere_in_the_real_bundle(real):
    lines = block_lines("HIDDEN TESTS")
    assert len(lines) > 10
    assert {line: places(real, line) for line in lines if places(real, line)} == {}


def test_no_solution_line_is_in_the_real_bundle_outside_what_the_course_teaches(real):
    lines = block_lines("SOLUTION")
    assert len(lines) >= 5
    taught = ("course_lib/", "notebooks/")
    found = {line: [name for name in places(real, line) if not name.startswith(taught)] for line in lines}
    assert {line: names for line, names in found.items() if names} == {}


def test_no_mark_is_left_in_the_real_bundle(real):
    marks = re.compile(r"^\s*###\s*(BEGIN|END)\b", re.MULTILINE)
    assert [name for name, text in real.items() if marks.search(text)] == []


def test_the_search_finds_what_is_planted(real):
    hidden, solution = block_lines("HIDDEN TESTS")[0], block_lines("SOLUTION")[0]
    planted = {
        **real,
        "exercises/es02/es02.ipynb": real["exercises/es02/es02.ipynb"] + f"\n  {hidden}\n  {solution}",
    }
    assert places(planted, hidden) == ["exercises/es02/es02.ipynb"]
    assert "exercises/es02/es02.ipynb" in places(planted, solution)


def test_nothing_of_the_author_or_of_a_class_is_in_the_real_bundle(real):
    outside = ("solutions/", "sources/", "tests/", "registro/", "benchmarks/", ".git", ".venv")
    assert [name for name in real if name.startswith(outside)] == []
    assert [name for name, text in real.items() if str(project_root()) in text] == []


@pytest.mark.lento
def test_the_unpacked_bundle_works_by_itself(tmp_path):
    path, _ = distribute(project_root(), tmp_path)
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / path.stem

    def run(*words):
        return subprocess.run(
            [sys.executable, *words],
            cwd=folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    # l'installazione di chi sviluppa presterebbe i moduli che mancano: si guarda da dove viene ciascuno
    used = (
        "checks.es02",
        "figures.attention",
        "grading.local_check",
        "grading.handin",
        "cli.open_lab",
        "notation",
    )
    program = (
        f"import importlib, sys; [importlib.import_module('course_lib.' + name) for name in {used}];"
        "ours = [module for name, module in sys.modules.items() if name.startswith('course_lib')];"
        "print(*[module.__file__ for module in ours], sep='\\n')"
    )
    loaded = run("-c", program)
    assert loaded.returncode == 0, loaded.stderr
    files = [Path(line).resolve() for line in loaded.stdout.splitlines()]
    assert len(files) > 10
    assert [file for file in files if not file.is_relative_to(folder.resolve())] == []
    help_text = run("-m", "course_lib.cli", "--help")
    assert help_text.returncode == 0
    assert "controlla" in help_text.stdout
    needs = {"costruisci": "nessuna sorgente", "distribuisci": "nessuna sorgente", "hub": FOR_PUPILS}
    if sys.platform == "linux":
        needs[f"correggi es01 --da {folder / 'notebooks'}"] = FOR_PUPILS
    for words, said in needs.items():  # qui le sorgenti non ci sono, e neppure deploy/ e le soluzioni
        refused = run("-m", "course_lib.cli", *words.split(maxsplit=3))
        assert refused.returncode == 1
        assert said in refused.stderr
        assert len(refused.stderr.splitlines()) == 1


def test_the_readme_of_the_package_says_at_once_which_copy_this_is():
    files = bundle_files(project_root())
    start = files["README.md"].decode("utf-8").split("\n\n")[0]
    assert FOR_PUPILS in start
    named = set(re.findall(r"`([^`]+)`", start))
    assert named & files.keys() == {"LEGGIMI.txt"}  # gli altri qui non ci sono, e lo dice
    assert named == {"LEGGIMI.txt", "GUIDA.md", "CONTRIBUTING.md", "deploy/"}


def test_a_readme_for_pupils_names_commands_that_exist():
    from course_lib.cli import COMMANDS

    text = bundle_files(project_root())["LEGGIMI.txt"].decode("utf-8")
    named = set(re.findall(r"corso\.py (\w+)", text))
    assert {"apri", "controlla", "consegna"} <= named <= set(COMMANDS)

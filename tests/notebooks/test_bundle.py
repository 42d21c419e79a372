"""Il pacchetto per chi studia: che cosa c'è, che cosa non deve esserci, sempre gli stessi byte."""

from __future__ import annotations

import json
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from course_lib.building.bundle import TOP_FILES, distribute
from course_lib.building.leaks import find_leaks, secrets
from course_lib.building.pipeline import targets
from course_lib.building.stamps import digest
from course_lib.project import CorsoError, project_root
from tests.conftest import unavailable
from tests.notebooks.texts import saved_by_lab


@pytest.fixture
def completo(corso):
    """Il corso in miniatura con tutto ciò che un pacchetto contiene, e qualcosa che non deve entrarci."""
    for name in TOP_FILES:
        (corso / name).write_text(f"{name}\n", encoding="utf-8")
    (corso / "pyproject.toml").write_text('[project]\nversion = "1.2.3"\n', encoding="utf-8")
    shutil.copytree(
        project_root() / "course_lib",
        corso / "course_lib",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    for name in (
        "registro/gradebook.db", ".venv/bin/python", "tests/test_x.py", "benchmarks/b.py",
        "CONTRIBUTING.md", "GUIDA.md", "nbgrader_config.py",
        "course_lib/__pycache__/x.cpython-311.pyc", "course_lib/.ipynb_checkpoints/x.py",
        "course_lib/appunti.ipynb", "course_lib/.segreto.py", "notebooks/98-di-qualcun-altro.ipynb",
        "exercises/es99/es99-mio.ipynb", "exercises/es98/es98.ipynb",
    ):  # fmt: skip
        (corso / name).parent.mkdir(parents=True, exist_ok=True)
        (corso / name).write_text("non deve entrare", encoding="utf-8")
    return corso


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_it_holds_what_is_listed_and_nothing_else(completo, tmp_path):
    path, _ = distribute(completo, tmp_path / "fuori")
    assert path.name == "chiave-di-lettura-1.2.3.zip"
    inside = contents(path)
    assert {name.split("/", 1)[0] for name in inside} == {"chiave-di-lettura-1.2.3"}
    names = {name.split("/", 1)[1] for name in inside}
    library = {name for name in names if name.startswith("course_lib/")}
    assert names - library == {
        *TOP_FILES, "LEGGIMI.txt", "notebooks/99-campione.ipynb", "exercises/es99/es99.ipynb",
        "exercises/.originali/es99.ipynb",
    }  # fmt: skip
    assert {
        "course_lib/__init__.py",
        "course_lib/checks/__init__.py",
        "course_lib/cli/__init__.py",
    } <= library
    assert not [name for name in library if "__pycache__" in name or "/." in name or name.endswith(".pyc")]
    assert b"non deve entrare" not in b"".join(inside.values())


def test_every_file_of_the_library_that_git_tracks_is_there():
    """Un tipo di file nuovo in course_lib (.wav) resterebbe fuori e nessuno se ne accorgerebbe."""
    root = project_root()
    done = subprocess.run(
        ["git", "ls-files", "-z", "course_lib"], cwd=root, capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode:
        unavailable("qui il corso non sta in un deposito git")
    tracked = {name for name in done.stdout.split("\0") if name and (root / name).is_file()}
    assert len(tracked) > 20
    from course_lib.building.bundle import library_files

    assert tracked - set(library_files(root)) == set()


def test_same_files_same_bytes(completo, tmp_path):
    first, _ = distribute(completo, tmp_path / "uno")
    again = tmp_path / "copia"
    shutil.copytree(completo, again)
    for path in again.rglob("*.md"):
        path.touch()
    second, _ = distribute(again, tmp_path / "due")
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as archive:
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.namelist() == sorted(archive.namelist())


def test_it_refuses_when_the_built_folders_are_behind(completo, tmp_path):
    source = completo / "sources" / "exercises" / "es99.md"
    source.write_text(
        source.read_text(encoding="utf-8").replace("Scrivi `prod", "Ora scrivi `prod"), encoding="utf-8"
    )
    with pytest.raises(
        CorsoError, match=r"solutions/es99/es99\.ipynb\. Se hai .* «python3 corso\.py costruisci»"
    ):
        distribute(completo, tmp_path / "fuori")
    assert not (tmp_path / "fuori").exists()


def test_who_teaches_leaves_no_trace_in_it(completo, tmp_path):
    """Il file salvato da JupyterLab e le risposte di prova non cambiano un byte del pacchetto."""
    first, _ = distribute(completo, tmp_path / "uno")
    saved_by_lab(completo / "notebooks" / "99-campione.ipynb")
    saved_by_lab(completo / "solutions" / "es99" / "es99.ipynb")
    exercise = completo / "exercises" / "es99" / "es99.ipynb"
    exercise.write_text((completo / "solutions" / "es99" / "es99.ipynb").read_text("utf-8"), "utf-8")
    second, _ = distribute(completo, tmp_path / "due")
    assert first.read_bytes() == second.read_bytes()


def test_after_git_checkout_the_stamps_have_nothing_to_say(completo, tmp_path):
    """Sorgenti provate, costruite e rimesse com'erano: le impronte sono d'altro, i file vanno bene."""
    first, _ = distribute(completo, tmp_path / "uno")
    names = ("sources", "notebooks", "exercises", "solutions")
    for name in names:
        shutil.copytree(completo / name, tmp_path / "git" / name)
    for path in (completo / "sources").rglob("*.md"):
        path.write_text(path.read_text(encoding="utf-8") + "\nUna riga in più.\n", encoding="utf-8")
    stamps = json.loads((completo / ".costruzione" / "impronte.json").read_text(encoding="utf-8"))
    for name, stamp in stamps.items():
        stamp["inputs"]["source"] = digest((completo / name).read_bytes())
        stamp["outputs"] = dict.fromkeys(stamp["outputs"], "d'altro")
    (completo / ".costruzione" / "impronte.json").write_text(json.dumps(stamps), encoding="utf-8")
    for name in names:
        shutil.copytree(tmp_path / "git" / name, completo / name, dirs_exist_ok=True)
    second, _ = distribute(completo, tmp_path / "due")
    assert first.read_bytes() == second.read_bytes()


def test_it_refuses_when_a_file_is_missing(completo, tmp_path):
    (completo / "LICENSE").unlink()
    with pytest.raises(CorsoError, match="manca LICENSE"):
        distribute(completo, tmp_path / "fuori")


def test_a_folder_that_cannot_be_written_is_said_in_a_sentence(completo, tmp_path):
    (tmp_path / "file").write_text("occupato", encoding="utf-8")
    with pytest.raises(CorsoError, match="scegli con --in una cartella"):
        distribute(completo, tmp_path / "file")


HIDDEN_LINE = "assert prodotto([0.125, 64.5], [8, 2]) == 130"
SOLUTION_LINE = "componenti = [a * b for a, b in zip(q, k, strict=True)]"
SOLUTION = f"    {SOLUTION_LINE}\n    return float(sum(componenti))\n"


def as_notebook(text: str) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": text.splitlines(keepends=True)}]})


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("course_lib/checks/es99.py", HIDDEN_LINE, "una prova nascosta di es99"),
        ("course_lib/checks/es99.py", HIDDEN_LINE.replace(", ", ",\n        "), "una prova nascosta di es99"),
        ("README.md", f"Per esempio `{HIDDEN_LINE}`.", "una prova nascosta di es99"),
        ("notebooks/99-campione.ipynb", as_notebook(f"x = 1\n{HIDDEN_LINE}"), "una prova nascosta di es99"),
        (
            "exercises/es99/es99.ipynb",
            as_notebook(f"def prodotto(q, k):\n    {SOLUTION_LINE}"),
            "una soluzione di es99",
        ),
        ("README.md", f"```\n{SOLUTION_LINE}\n```", "una soluzione di es99"),
        ("notebooks/99-campione.ipynb", as_notebook(SOLUTION), "una soluzione di es99"),
        (
            "notebooks/99-campione.ipynb",
            as_notebook("x = 1\n### END HIDDEN TESTS"),
            "un segno ### BEGIN oppure ### END",
        ),
        (
            "course_lib/figures/__init__.py",
            "x = 1\n    ### BEGIN SOLUTION\n",
            "un segno ### BEGIN oppure ### END",
        ),
    ],
)
def test_a_planted_leak_is_found(completo, tmp_path, monkeypatch, name, text, expected):
    from course_lib.building.for_class import class_texts

    built = class_texts(completo)
    if name in built:
        monkeypatch.setattr("course_lib.building.bundle.class_texts", lambda root: built | {name: text})
    else:
        (completo / name).write_text(text, encoding="utf-8")
    with pytest.raises(CorsoError) as error:
        distribute(completo, tmp_path / "fuori")
    assert f"{name}: " in str(error.value)
    assert expected in str(error.value)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "fuori").exists()


def test_a_hidden_line_that_the_exercise_also_shows_is_no_secret(leggi, esercizio):
    shown = "assert prodotto([1, 2], [3, 4]) == 11"
    source = leggi(esercizio.replace("### BEGIN HIDDEN TESTS", f"### BEGIN HIDDEN TESTS\n{shown}", 1))
    hidden = {secret.shown for secret in secrets(source) if secret.kind == "HIDDEN TESTS"}
    assert HIDDEN_LINE in hidden
    assert shown not in hidden


def test_what_the_course_teaches_openly_is_no_leak(completo):
    """Una riga di soluzione può stare nella biblioteca o in un notebook; una riga pubblica ovunque."""
    wanted = [
        secret for target in targets(completo) if not target.is_notebook for secret in secrets(target.read())
    ]
    assert {secret.exercise for secret in wanted} == {"es99"}
    public = "assert prodotto([1, 2], [3, 4]) == 11"
    files = {
        "course_lib/a.py": SOLUTION.encode(),
        "notebooks/a.ipynb": as_notebook(f"{SOLUTION_LINE}\nprint(q)\n{public}").encode(),
        "README.md": f"{public}\nmark = '### BEGIN SOLUTION'".encode(),
    }
    assert find_leaks(files, wanted) == []


def test_the_command(completo, tmp_path, monkeypatch, capsys):
    from course_lib.cli import main

    monkeypatch.setattr("course_lib.project.project_root", lambda start=None: completo)
    assert main(["distribuisci", "--in", str(tmp_path / "qui")]) == 0
    out = capsys.readouterr().out
    assert "chiave-di-lettura-1.2.3.zip" in out
    assert "1 notebook, 1 esercizio" in out
    assert (tmp_path / "qui" / "chiave-di-lettura-1.2.3.zip").is_file()
    assert not (completo / "dist").exists()
    assert main(["distribuisci"]) == 0
    assert (completo / "dist" / "chiave-di-lettura-1.2.3.zip").is_file()

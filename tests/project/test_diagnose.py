"""`corso diagnosi`: ogni riga dice OK quando va e FAIL, col rimedio, quando non va."""

from __future__ import annotations

import importlib.metadata
import sys
import sysconfig
import tempfile
import types
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from course_lib.cli import diagnose
from course_lib.cli.diagnose import FAIL, OK, OPTIONAL, Line


def lock_file(folder: Path, text: str) -> Path:
    (folder / "requirements.lock").write_text(text, encoding="utf-8")
    return folder


def test_table_and_status(monkeypatch, capsys):
    lines = [
        Line(OK, "uno", "visto"),
        Line(OPTIONAL, "due", "manca", "installalo"),
        Line(FAIL, "tre", "no", "rimedia"),
    ]
    monkeypatch.setattr(diagnose, "all_checks", lambda root: iter(lines))
    assert diagnose.run(None) == 1
    out = capsys.readouterr().out
    assert out.splitlines()[0].split() == ["OK", "uno", "visto"]
    assert "→ rimedia" in out
    assert "Da sistemare: 1." in out
    del lines[2]
    assert diagnose.run(None) == 0
    assert capsys.readouterr().out.endswith("Tutto a posto.\n")


def test_every_fail_of_a_bare_folder_has_a_remedy(tmp_path):
    lines = list(diagnose.all_checks(tmp_path))
    assert {line.name for line in lines if line.status == FAIL} >= {"librerie", "notebooks/", "exercises/"}
    assert all(line.remedy for line in lines if line.status != OK)


def test_old_python(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 10, 1, "final", 0))
    assert diagnose.check_python().status == FAIL
    monkeypatch.setattr(sys, "version_info", (3, 12, 1, "final", 0))
    assert (diagnose.check_python().status, "provato" in diagnose.check_python().seen) == (OK, True)


def test_system_python_is_refused_and_conda_accepted(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))
    assert diagnose.check_environment().status == FAIL
    (tmp_path / "conda-meta").mkdir()
    assert diagnose.check_environment().status == OK


def test_locked_versions(tmp_path):
    numpy = importlib.metadata.version("numpy")
    good = f"# nota\n\nnumpy=={numpy}\npywinpty==1 ; sys_platform == 'altro'\n"
    assert diagnose.check_locked(lock_file(tmp_path, good)).seen.startswith("1 ")
    wrong = diagnose.check_locked(lock_file(tmp_path, "numpy==0.1\nnon-esiste==1\n"))
    assert wrong.status == FAIL
    assert f"numpy è {numpy}" in wrong.seen
    assert "non-esiste manca" in wrong.seen
    (tmp_path / "requirements.lock").unlink()
    assert diagnose.check_locked(tmp_path).status == FAIL


def test_difference_between_wanted_and_installed():
    assert diagnose.difference(Requirement("numpy>=1")) == ""
    assert diagnose.difference(Requirement("numpy<1")).startswith("numpy è ")


def test_library_that_does_not_import(monkeypatch):
    assert diagnose.check_course_lib().status == OK
    monkeypatch.setitem(sys.modules, "course_lib.transformer", None)
    assert diagnose.check_course_lib().status == FAIL


def test_lab_without_widgets_or_italian(monkeypatch, tmp_path):
    assert diagnose.check_lab().status == OK
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **chosen: ())
    line = diagnose.check_lab()
    assert line.status == FAIL
    assert all(word in line.seen for word in ("italiana", "jupyterlab-manager", "anywidget"))


def test_kernel_of_another_python(monkeypatch):
    from jupyter_client.kernelspec import KernelSpecManager

    assert diagnose.check_kernel().status == OK
    other = types.SimpleNamespace(argv=["/altro/python"])
    monkeypatch.setattr(KernelSpecManager, "get_kernel_spec", lambda self, name: other)
    assert diagnose.check_kernel().status == FAIL


def test_programs(monkeypatch, tmp_path):
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert diagnose.check_program("alembic").seen == "non è nel PATH"
    program = tmp_path / "alembic"
    program.write_text("#!/bin/sh\necho alembic 9\n", encoding="utf-8")
    program.chmod(0o755)
    assert diagnose.check_program("alembic") == Line(OK, "alembic", "alembic 9")
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(
            sysconfig, "get_path", lambda name: "/altrove"
        )  # nel PATH c'è quello di un altro Python
        assert diagnose.check_program("alembic").seen == f"è quello di {program}"
    program.write_text("#!/nessun/python\n", encoding="utf-8")  # l'ambiente è stato spostato
    assert diagnose.check_program("alembic").status == FAIL
    program.write_text("#!/bin/sh\nexit 4\n", encoding="utf-8")
    assert diagnose.check_program("alembic").status == FAIL


@pytest.mark.parametrize(
    ("has_sources", "remedy"), [(True, "corso.py costruisci"), (False, "scarica di nuovo")]
)
def test_materials(tmp_path, has_sources, remedy):
    if has_sources:
        (tmp_path / "sources").mkdir()
    missing = diagnose.check_materials(tmp_path, "exercises", "*/*.ipynb")
    assert (missing.status, remedy in missing.remedy) == (FAIL, True)
    (tmp_path / "exercises" / "es02").mkdir(parents=True)
    (tmp_path / "exercises" / "es02" / "es02.ipynb").write_text("{}", encoding="utf-8")
    assert diagnose.check_materials(tmp_path, "exercises", "*/*.ipynb") == Line(
        OK, "exercises/", "1 notebook"
    )


def test_folder_that_cannot_be_written(monkeypatch, tmp_path):
    assert diagnose.check_writable(tmp_path).status == OK
    assert list(tmp_path.iterdir()) == []  # la prova di scrittura non lascia nulla

    def refuse(**options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
    line = diagnose.check_writable(tmp_path)
    assert (line.status, line.seen) == (FAIL, f"{tmp_path}: manca il permesso")


def test_full_disk(monkeypatch, tmp_path):
    usage = types.SimpleNamespace(free=499 * 10**6)
    monkeypatch.setattr(diagnose.shutil, "disk_usage", lambda path: usage)
    assert diagnose.check_disk(tmp_path).status == FAIL
    usage.free = 12345 * 10**6
    assert diagnose.check_disk(tmp_path) == Line(OK, "disco", "12\N{NARROW NO-BREAK SPACE}345 MB liberi")


@pytest.mark.parametrize(("ci", "status"), [("true", FAIL), ("", OPTIONAL)])
def test_optional_programs_are_required_in_ci(monkeypatch, ci, status):
    monkeypatch.setenv("CI", ci)
    assert diagnose.check_optional("x", None, "per y", "apt install x").status == status
    assert diagnose.check_optional("x", "/bin/x", "per y", "apt install x").status == OK

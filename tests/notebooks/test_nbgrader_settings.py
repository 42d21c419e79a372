"""Le impostazioni di nbgrader: cartelle, registro, testi italiani dove si possono configurare."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from course_lib.building.nbgrader_settings import nbgrader_settings, own_programs_first, prepare_database
from course_lib.grading.settings import grading_settings
from course_lib.project import project_root


def test_folders(tmp_path):
    from nbgrader.coursedir import CourseDirectory

    course = CourseDirectory(config=nbgrader_settings(tmp_path))
    root = Path(course.root)
    assert root == tmp_path.resolve()
    places = {
        step: Path(course.format_path(getattr(course, f"{step}_directory"), "anna", "es02"))
        .relative_to(root)
        .as_posix()
        for step in ("source", "release", "submitted", "autograded", "feedback")
    }
    assert places == {
        "source": "solutions/anna/es02",
        "release": "exercises/anna/es02",
        "submitted": "registro/consegne/anna/es02",
        "autograded": "registro/corretti/anna/es02",
        "feedback": "registro/feedback/anna/es02",
    }
    assert course.db_url == f"sqlite:///{(root / 'registro' / 'gradebook.db').as_posix()}"


def test_every_setting_is_one_that_nbgrader_knows(tmp_path):
    """Un nome di impostazione sbagliato verrebbe ignorato in silenzio."""
    from nbgrader import coursedir, preprocessors, validator
    from nbgrader.apps.api import NbGraderAPI

    classes = {
        "CourseDirectory": coursedir.CourseDirectory,
        "Validator": validator.Validator,
        "NbGraderAPI": NbGraderAPI,
    }
    for name, section in nbgrader_settings(tmp_path).items():
        known = classes.get(name) or getattr(preprocessors, name)
        for trait in section:
            assert trait in known.class_trait_names(config=True), f"{name}.{trait}"


def test_settings_touch_nothing_on_disk(tmp_path):
    nbgrader_settings(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_texts_are_italian_and_can_be_formatted(tmp_path):
    settings = nbgrader_settings(tmp_path)
    assert "SCRIVI" in settings.ClearSolutions.code_stub["python"]
    assert "SCRIVI" in settings.ClearSolutions.text_stub
    assert "es02-prova" in settings.OverwriteCells.missing_cell_notification.format(cell_id="es02-prova")
    assert settings.Execute.error_on_timeout["traceback"][0].startswith("Tempo scaduto")
    for warning, key in [
        ("changed", "num_changed"),
        ("type_changed", "num_changed"),
        ("failed", "num_failed"),
    ]:
        assert "7" in settings.Validator[f"{warning}_warning"].format(**{key: 7})


def test_the_stub_raises_and_says_why():
    from course_lib.building.nbgrader_settings import CODE_STUB

    with pytest.raises(NotImplementedError, match="manca ancora il tuo codice"):
        exec(CODE_STUB, {})


@pytest.mark.lento
def test_a_prepared_register_is_the_one_nbgrader_would_have_made(tmp_path, monkeypatch):
    import sqlite3

    from nbgrader.api import Gradebook

    own_programs_first()
    Gradebook(f"sqlite:///{(tmp_path / 'suo.db').as_posix()}").close()
    prepare_database(tmp_path / "nostro.db")
    monkeypatch.setenv("PATH", "")  # da qui in poi nbgrader non può chiamare alembic
    with Gradebook(f"sqlite:///{(tmp_path / 'nostro.db').as_posix()}") as gradebook:
        gradebook.update_or_create_assignment("es99")
    prepare_database(tmp_path / "nostro.db")  # non lo tocca più
    versions, tables, kept = [], [], None
    for name in ("suo.db", "nostro.db"):
        database = sqlite3.connect(tmp_path / name)
        versions.append(database.execute("SELECT version_num FROM alembic_version").fetchall())
        tables.append(
            sorted(row[0] for row in database.execute("SELECT sql FROM sqlite_master WHERE name LIKE 'g%'"))
        )
        kept = database.execute("SELECT name FROM assignment").fetchall()
        database.close()
    assert versions[0] == versions[1]
    assert len(versions[0]) == 1
    assert tables[0] == tables[1]
    assert kept == [("es99",)]


@pytest.mark.lento
def test_the_config_file_is_read_from_its_own_folder(tmp_path):
    """`nbgrader` lanciato da un'altra cartella, con --course-dir, trova le cartelle del corso."""
    root = tmp_path / "corso con spazi"
    root.mkdir()
    shutil.copy(project_root() / "nbgrader_config.py", root)
    program = (
        "import json; from nbgrader.apps.nbgraderapp import NbGraderApp; app = NbGraderApp();"
        f"app.initialize(['--course-dir', {str(root)!r}]); course = app.coursedir;"
        "print(json.dumps([course.root, course.submitted_directory, course.db_url,"
        " app.config.Autograde.autograde_preprocessors]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    expected = grading_settings(root)
    assert json.loads(done.stdout.strip().splitlines()[-1]) == [
        str(root),
        "registro/consegne",
        expected.CourseDirectory.db_url,
        expected.Autograde.autograde_preprocessors,
    ]
    assert (root / "registro").is_dir()


def test_the_programs_of_this_python_come_first(monkeypatch):
    import sysconfig

    monkeypatch.setenv("PATH", "/usr/bin")
    own_programs_first()
    own_programs_first()
    import os

    assert os.environ["PATH"].split(os.pathsep) == [sysconfig.get_path("scripts"), "/usr/bin"]
    assert shutil.which("alembic").startswith(sysconfig.get_path("scripts"))

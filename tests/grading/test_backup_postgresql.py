"""La copia quando il registro dei voti non sta in registro/: un PostgreSQL vero, o un altro file sqlite."""

from __future__ import annotations

import shutil

import psycopg
import pytest
from nbgrader.api import Gradebook

from course_lib.grading.backup import elsewhere
from course_lib.grading.backup.making import make
from course_lib.grading.backup.restoring import restore
from course_lib.grading.gradebook import database_url, prepare
from course_lib.project import CorsoError
from tests.grading.backup import samples as backup_samples
from tests.grading.test_postgresql import PASSWORD, address, database, server  # noqa: F401 (sono fixture)


def write_marks(url: str, points: float) -> None:
    """Un esercizio di una prova sola, e il voto di Anna."""
    prepare(url)
    with Gradebook(url) as marks:
        marks.add_assignment("es02")
        marks.add_notebook("es02", "es02")
        marks.add_grade_cell("prova", "es02", "es02", max_score=10, cell_type="code")
        marks.add_student("anna", last_name="Anna D'Amicò")
        marks.add_submission("es02", "anna")
        marks.find_grade("prova", "es02", "es02", "anna").auto_score = points
        marks.db.commit()


def read_marks(url: str) -> dict:
    with Gradebook(url) as marks:
        return {s.student.last_name: s.score for s in marks.assignment_submissions("es02")}


@pytest.fixture
def course(tmp_path):
    root = backup_samples.small_course(tmp_path / "corso")
    (root / "registro/gradebook.db").unlink()
    return root


def new_database(server, name: str) -> str:  # noqa: F811
    with psycopg.connect(
        host=str(server), user="docente", password=PASSWORD, dbname="postgres", autocommit=True
    ) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return address(server, name)


def test_a_postgresql_gradebook_is_copied_in_use_and_put_back_in_an_empty_one(
    course, tmp_path, server, database  # noqa: F811
):  # fmt: skip
    write_marks(database, 7.5)
    with psycopg.connect(
        host=str(server), user="docente", password=PASSWORD, dbname=database.split("/")[3].split("?")[0]
    ) as other:
        other.execute("UPDATE grade SET auto_score = 1")  # chi corregge, e non ha ancora finito
        made = make(course, tmp_path / "copie", db=database)
    assert PASSWORD.encode() not in made.path.read_bytes()
    shutil.rmtree(course / "registro")
    assert "anche un altro registro dei voti" in restore(made.path, course).said[0]
    again = new_database(server, "rimesso")
    restore(made.path, course, db=again, replace=True)
    assert read_marks(again) == {"Anna D'Amicò": 7.5}
    prepare(again)  # è un registro dei voti di questa versione, e ci si può correggere
    before = backup_samples.picture(course)
    with pytest.raises(CorsoError, match=r"contiene già \d+ tabelle, e non le tocco") as caught:
        restore(made.path, course, db=again, replace=True)
    assert PASSWORD not in str(caught.value)
    assert backup_samples.picture(course).keys() - before.keys() == {"registro/.correzione.lucchetto"}


def test_a_database_that_does_not_answer_is_said_without_the_password(course, tmp_path, server):  # noqa: F811
    for url in (address(server, "assente"), address(server, "postgres", "segreta")):
        with pytest.raises(CorsoError, match="non si copia con pg_dump") as caught:
            make(course, tmp_path / "copie", db=url)
        assert "segreta" not in str(caught.value)
        assert PASSWORD not in str(caught.value)
    assert [p.name for p in (tmp_path / "copie").iterdir()] == [".copia.lucchetto"]


def test_without_the_programs_of_postgresql_it_says_what_to_install(course, tmp_path, monkeypatch):
    monkeypatch.setattr(elsewhere.shutil, "which", lambda program: None)
    with pytest.raises(CorsoError, match="apt install postgresql-client"):
        make(course, tmp_path / "copie", db="postgresql://docente@localhost/voti")


def test_another_sqlite_file_is_copied_and_put_back(course, tmp_path):
    url = f"sqlite:///{tmp_path}/altrove/voti.db"
    write_marks(database_url(course, url), 4)
    made = make(course, tmp_path / "copie", db=url)
    shutil.rmtree(tmp_path / "altrove")
    restore(made.path, course, db=url, replace=True)
    assert read_marks(url) == {"Anna D'Amicò": 4}
    with pytest.raises(CorsoError, match=r"voti\.db c'è già e non è vuoto"):
        restore(made.path, tmp_path / "nuovo", db=url)
    assert not (tmp_path / "nuovo").exists()


def test_a_copy_without_such_a_gradebook_says_so(course, tmp_path):
    made = make(course, tmp_path / "copie")
    urls = {"PostgreSQL": "postgresql://docente@localhost/voti", "sqlite": "sqlite:////tmp/v.db"}
    for kind, url in urls.items():
        with pytest.raises(CorsoError, match=f"non c'è un registro dei voti {kind}"):
            restore(made.path, course, db=url, replace=True)

"""Il registro dei voti in un PostgreSQL vero, avviato qui; e che cosa si dice quando un URL non va."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from nbgrader.api import Gradebook
from sqlalchemy.engine import URL

from course_lib import cli
from course_lib.cli import grade
from course_lib.grading import gradebook, pipeline
from course_lib.grading.limits import Limits
from course_lib.grading.pipeline import grade_class
from course_lib.project import CorsoError, project_root
from tests.grading import samples

PASSWORD = "s3gr/eta@%:è"
LIMITS = Limits(cell_seconds=20, call_seconds=10)


def as_unprivileged() -> dict:
    """Con quale utente avviare il server: PostgreSQL non parte da amministratore."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    return {}


@pytest.fixture(scope="module")
def server(require):
    """Un PostgreSQL su un socket in una cartella temporanea: la cartella, dove sta il socket."""
    programs = Path(require("postgresql"))
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))  # corta: il percorso di un socket ha un tetto
    user = as_unprivileged()
    if user:
        os.chown(folder, user["user"], user["group"])
    secret = folder / "password"
    secret.write_text(PASSWORD + "\n", encoding="utf-8")
    secret.chmod(0o644)
    data, environment = folder / "dati", {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}

    def call(program: str, *words: str) -> None:
        done = subprocess.run(
            [str(programs / program), *words], capture_output=True, text=True, cwd=folder, env=environment,
            **user,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr

    call("initdb", "-D", str(data), "-U", "docente", "-A", "scram-sha-256", f"--pwfile={secret}", "--no-sync")
    options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
    # il diario del server in un file: se tenesse la nostra uscita, la chiamata non finirebbe
    call("pg_ctl", "-D", str(data), "-w", "-l", str(folder / "diario"), "-o", options, "start")
    try:
        yield folder
    finally:
        call("pg_ctl", "-D", str(data), "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder)


@pytest.fixture
def database(server, request):
    """L'URL di un database nuovo, con la password."""
    name = f"voti_{abs(hash(request.node.name)) % 10**8}"
    with psycopg.connect(
        host=str(server), user="docente", password=PASSWORD, dbname="postgres", autocommit=True
    ) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return address(server, name)


def address(server: Path, name: str, password: str = PASSWORD) -> str:
    url = URL.create("postgresql", "docente", password, database=name, query={"host": str(server)})
    return url.render_as_string(hide_password=False)


def new_course(folder: Path, works: dict) -> Path:
    for name in ("exercises", "solutions"):
        shutil.copytree(project_root() / name, folder / name)
    samples.write_all(folder / "arrivi", works)
    return folder


@pytest.mark.lento
def test_a_class_is_graded_into_postgresql_and_goes_on(database, require, tmp_path, monkeypatch):
    require("bwrap")
    works = {
        "anna": samples.solved(), "bruno": samples.solved(scaled_scores=samples.NO_SCALE),
        "carla": samples.only(), "dario": samples.solved(project=samples.CRASH),
    }  # fmt: skip
    root = new_course(tmp_path / "corso", works)
    expected = {"anna": 10, "bruno": 5, "carla": 0, "dario": None}
    for already in (0, 4):
        report = grade_class(root, "es02", root / "arrivi", limits=LIMITS, workers=2, db=database)
        assert {o.student: o.points for o in report.outcomes} == expected
        assert report.already == already
    with Gradebook(database) as marks:
        found = {s.student_id: (s.score, s.max_score) for s in marks.assignment_submissions("es02")}
    assert found == {"anna": (10, 10), "bruno": (5, 10), "carla": (0, 10)}
    assert not (root / "registro/gradebook.db").exists()
    page = (root / "registro/feedback/bruno/es02/es02.html").read_text("utf-8")
    assert "<strong>5</strong> punti su 10" in page
    assert_never_written(root, PASSWORD)


def assert_never_written(root: Path, secret: str) -> None:
    files = [path for path in (root / "registro").rglob("*") if path.is_file()]
    assert len(files) > 5
    for path in files:
        data = path.read_bytes()
        for form in (secret, quote(secret, safe=""), secret.encode("unicode_escape").decode()):
            assert form.encode() not in data, path


@pytest.mark.lento
def test_a_fault_of_the_database_is_annotated_without_the_password(database, require, tmp_path, monkeypatch):
    require("bwrap")
    root = new_course(tmp_path / "corso", {"anna": samples.solved()})

    def breaks(job, submission):
        raise RuntimeError(f"guasto di {job.url} con {PASSWORD}")

    monkeypatch.setattr("course_lib.grading.single._prepare", breaks)
    report = grade_class(root, "es02", root / "arrivi", limits=LIMITS, db=database)
    assert report.outcomes[0].points is None
    assert "guasto di ***" in (root / "registro/diario.jsonl").read_text("utf-8")
    assert_never_written(root, PASSWORD)


def said(url: str, tmp_path: Path, capsys, monkeypatch) -> str:
    """Ciò che il comando scrive: una frase su stderr, stato 1, nessun traceback, nessuna password."""
    monkeypatch.setattr(grade, "project_root", lambda: tmp_path)
    (tmp_path / "arrivi").mkdir(exist_ok=True)
    for name in ("exercises", "solutions"):
        if not (tmp_path / name).exists():
            shutil.copytree(project_root() / name, tmp_path / name)
    monkeypatch.setattr(pipeline.sandbox, "find_isolation", lambda: None)
    words = ["correggi", "es02", "--da", str(tmp_path / "arrivi"), "--db", url]
    assert cli.main(words) == 1
    error = capsys.readouterr().err
    assert error.startswith("corso correggi: ")
    assert error.count("\n") == 1
    for secret in ("Traceback", "segreta", PASSWORD, quote(PASSWORD, safe="")):
        assert secret not in error
    return error


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("voti", "vuole l'URL di un database"),
        ("", "vuole l'URL di un database"),
        ("postgresql://u:segreta@h:porta/voti", "vuole l'URL di un database"),
        ("nessuno://u:segreta@h/voti", "«nessuno», un tipo di database che SQLAlchemy non conosce"),
        ("postgresql://u:segreta@127.0.0.1:1/voti", "postgresql://u:***@127.0.0.1:1/voti non si apre"),
        ("mysql://u:segreta@h/voti", "manca la libreria «MySQLdb»"),
        ("sqlite://", "in memoria"),
        (
            "sqlite:////proc/niente/voti.db",
            "Non posso scrivere il registro dei voti in /proc/niente/voti.db (la cartella non c'è):",
        ),
    ],
)
def test_a_wrong_url_gets_one_sentence(url, expected, tmp_path, capsys, monkeypatch):
    assert expected in said(url, tmp_path, capsys, monkeypatch)


def test_a_wrong_password_or_database_gets_one_sentence(server, tmp_path, capsys, monkeypatch):
    error = said(address(server, "postgres", "segreta"), tmp_path, capsys, monkeypatch)
    assert "password authentication failed" in error
    assert 'database "assente" does not exist' in said(
        address(server, "assente"), tmp_path, capsys, monkeypatch
    )


def test_a_database_of_others_is_refused_and_left_as_it_was(database, server):
    with psycopg.connect(
        host=str(server), user="docente", password=PASSWORD, dbname=database.split("/")[3].split("?")[0]
    ) as connection:
        connection.execute("CREATE TABLE clienti (nome text)")
        connection.commit()
        with pytest.raises(CorsoError, match="non è un registro dei voti") as caught:
            gradebook.prepare(gradebook.database_url(Path("/"), database))
        assert PASSWORD not in str(caught.value)
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    assert tables == [("clienti",)]


def test_without_the_driver_it_says_what_to_install(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    error = said("postgresql://u:segreta@h/voti", tmp_path, capsys, monkeypatch)
    assert "manca la libreria «psycopg»" in error
    assert 'pip install "psycopg[binary]"' in error


def test_a_relative_sqlite_path_does_not_follow_nbgrader_around(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert gradebook.database_url(Path("/corso"), "sqlite:///voti.db") == (
        f"sqlite:///{tmp_path}/voti.db?timeout=60"
    )
    assert gradebook.database_url(Path("/corso")) == "sqlite:////corso/registro/gradebook.db?timeout=60"


@pytest.mark.parametrize("text", [PASSWORD, quote(PASSWORD, safe=""), "{url}"])
def test_scrub_takes_out_every_form_of_the_password(text):
    url = URL.create("postgresql", "u", PASSWORD, "h").render_as_string(hide_password=False)
    cleaned = gradebook.scrub("prima " + text.format(url=url) + " dopo", url)
    assert PASSWORD not in cleaned
    assert quote(PASSWORD, safe="") not in cleaned
    assert cleaned.startswith("prima ")
    assert cleaned.endswith(" dopo")

"""Fare una copia: ciò che resta fuori, chi scrive intanto, ciò che si interrompe a metà."""

from __future__ import annotations

import fcntl
import gzip
import os
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from course_lib.grading.backup import checking, contents, databases, rotation
from course_lib.grading.backup.making import make
from course_lib.grading.backup.restoring import restore
from course_lib.grading.register import Register
from course_lib.project import CorsoError
from tests.conftest import ROOT
from tests.grading.backup import samples


def test_links_pipes_and_pits_of_the_exchange_stay_out_and_are_said(course, exchange, copies, tmp_path):
    secret = tmp_path / "segreto"
    secret.mkdir()
    (secret / "voti").write_text("CANARINO", encoding="utf-8")
    inbound = exchange / "corso/inbound"
    (inbound / "file").symlink_to(secret / "voti")
    (inbound / "cartella").symlink_to(secret)
    os.mkfifo(inbound / "tubo")
    plug = socket.socket(socket.AF_UNIX)
    here = os.getcwd()
    os.chdir(inbound)  # il percorso di una presa ha un tetto
    plug.bind("presa")
    os.chdir(here)
    pit = inbound
    for _ in range(60):
        pit = pit / "d"
    pit.mkdir(parents=True)
    odd = Path(os.fsdecode(os.fsencode(inbound) + b"/\xff \n\x1b[31m"))
    odd.write_bytes(b"strano")
    made = make(course, copies, exchange=exchange)
    said = "\n".join(made.said)
    assert [said.count(f"inbound/{name}:") for name in ("file", "cartella", "tubo", "presa")] == [1, 1, 1, 1]
    assert "più di 40 cartelle una nell'altra" in said
    assert "\x1b" not in said
    restore(made.path, course, into=tmp_path / "qui")
    found = samples.picture(tmp_path / "qui")
    assert not [name for name, value in found.items() if value[3] and b"CANARINO" in value[3]]
    assert (tmp_path / "qui/scambio/corso/inbound" / odd.name).read_bytes() == b"strano"
    plug.close()


def test_a_file_swapped_for_a_link_after_it_was_looked_at_is_not_followed(
    course, exchange, copies, tmp_path, monkeypatch
):
    (tmp_path / "segreto").write_text("CANARINO", encoding="utf-8")
    handed = next((exchange / "corso/inbound").iterdir())
    (handed / "es02.ipynb").unlink()
    (handed / "es02.ipynb").symlink_to(tmp_path / "segreto")
    monkeypatch.setattr(contents, "_is_special", lambda *what: False)  # un istante prima era un file
    made = make(course, copies, exchange=exchange)
    assert b"CANARINO" not in gzip.decompress(made.path.read_bytes())
    assert any("es02.ipynb: non si legge" in line for line in made.said)


def test_a_register_on_another_disk_behind_a_link_is_copied(course, copies, tmp_path):
    (course / "registro").rename(tmp_path / "disco")
    (course / "registro").symlink_to(tmp_path / "disco")
    made = make(course, copies)
    assert len(made.index.files("registro")) == 6
    with pytest.raises(CorsoError, match="che è ciò che si copia"):
        make(course, tmp_path / "disco/copie")


def test_a_full_disk_leaves_the_earlier_copies_and_nothing_else(course, copies):
    (course / "registro/grande").write_bytes(os.urandom(200_000))
    made = make(course, copies)
    before = samples.picture(copies)
    code = f"""
import resource, signal, sys
from pathlib import Path
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
from course_lib import cli
from course_lib.cli import back_up
back_up.project_root = lambda: Path({str(course)!r})
sys.exit(cli.main(["copia", "--in", {str(copies)!r}, "--giorni", "1"]))
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout) == (1, "")
    assert "il sistema" in done.stderr
    assert "Traceback" not in done.stderr
    after = samples.picture(copies)
    before.pop("."), after.pop(".")
    assert after == before
    assert made.path.is_file()


def test_what_a_killed_copy_left_is_taken_away_by_the_next(course, copies):
    copies.mkdir()
    (copies / ".copia-abc").write_bytes(b"a meta")
    (copies / "appunti.txt").write_bytes(b"miei")
    made = make(course, copies)
    assert {p.name for p in copies.iterdir()} == {
        ".copia.lucchetto", "appunti.txt", made.path.name, rotation.beside(made.path).name,
    }  # fmt: skip


def test_one_copy_at_a_time_in_a_folder(course, copies):
    make(course, copies)
    with (copies / ".copia.lucchetto").open("a", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(CorsoError, match="un'altra copia è in corso"):
            make(course, copies)
    assert len(rotation.copies(copies)) == 1


def test_the_outcome_that_changes_meanwhile_stays_out(course, copies, tmp_path, monkeypatch):
    register = Register(course)
    register.write_outcome("es02", "bruno", samples.outcome("due"))
    register.write_outcome("es02", "carla", {"verdetto": "valutato", "punti": 1})  # non ancora chiuso
    real = databases.copy_sqlite

    def while_grading(source, target):
        register.write_outcome("es02", "bruno", samples.outcome("tre"))
        register.write_outcome("es02", "dario", samples.outcome("quattro"))
        real(source, target)

    monkeypatch.setattr(databases, "copy_sqlite", while_grading)
    made = make(course, copies)
    restore(made.path, course, into=tmp_path / "qui")
    assert [p.stem for p in Register(tmp_path / "qui").outcomes("es02")] == ["anna"]
    assert made.unfinished == 2


def test_marks_being_written_are_copied_whole(course, copies, tmp_path):
    """Mentre qualcuno scrive nel registro dei voti: vi si trova ciò che era confermato, e nient'altro.

    Ciò che è confermato può stare ancora nel giornale accanto (gradebook.db-wal), che da solo non si copia.
    """
    writer = sqlite3.connect(course / "registro/gradebook.db")
    writer.execute("PRAGMA journal_mode=WAL")
    writer.execute("CREATE TABLE conti (n INTEGER)")
    writer.executemany("INSERT INTO conti VALUES (?)", [(i,) for i in range(100)])
    writer.commit()
    writer.executemany("INSERT INTO conti VALUES (?)", [(i,) for i in range(900)])
    made = make(course, copies)
    writer.close()
    restore(made.path, course, into=tmp_path / "qui")
    assert {p.name for p in (tmp_path / "qui/registro").glob("gradebook*")} == {"gradebook.db"}
    with closing(sqlite3.connect(tmp_path / "qui/registro/gradebook.db")) as copy:
        assert copy.execute("SELECT count(*) FROM conti").fetchone() == (100,)
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_broken_gradebook_is_not_copied_over_good_copies(course, copies):
    good = make(course, copies)
    path = course / "registro/gradebook.db"
    data = bytearray(path.read_bytes())
    data[4096 : 3 * 4096] = os.urandom(2 * 4096)
    path.write_bytes(data)
    with pytest.raises(CorsoError, match=r"registro dei voti .* (è rovinato|non si lascia copiare)"):
        make(course, copies, days=1)
    assert rotation.copies(copies) == [good.path]


def test_without_a_register_there_is_nothing_to_copy(tmp_path, copies):
    with pytest.raises(CorsoError, match="nulla da copiare"):
        make(tmp_path, copies)
    assert not copies.exists()


def test_a_copy_is_reread_before_it_gets_its_name(course, copies, monkeypatch):
    monkeypatch.setattr(checking, "check", lambda file: None)
    with pytest.raises(CorsoError, match="riletta non è quella scritta"):
        make(course, copies)
    assert rotation.copies(copies) == []

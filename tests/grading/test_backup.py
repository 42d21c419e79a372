"""La copia di riserva di una classe: rifà tutto com'era, in un posto vuoto, e non lascia nulla a metà."""

from __future__ import annotations

import datetime as dt
import gzip
import os
import shutil
import socket
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from course_lib import cli
from course_lib.cli import back_up
from course_lib.grading import diary
from course_lib.grading.backup import checking, contents, databases, rotation
from course_lib.grading.backup.making import make
from course_lib.grading.backup.restoring import restore
from course_lib.grading.register import Register
from course_lib.project import CorsoError
from tests.conftest import ROOT, administrator_only
from tests.grading import backup_samples as samples
from tests.grading.ordinary_user import UID, run_as_user


@pytest.fixture
def course(tmp_path) -> Path:
    return samples.small_course(tmp_path / "corso")


@pytest.fixture
def exchange(tmp_path) -> Path:
    return samples.exchange(tmp_path / "scambio")


@pytest.fixture
def copies(tmp_path) -> Path:
    return tmp_path / "copie"


def test_everything_comes_back_as_it_was(course, exchange, copies):
    register, there = samples.picture(course / "registro"), samples.picture(exchange)
    made = make(course, copies, exchange=exchange)
    shutil.rmtree(course / "registro")
    shutil.rmtree(exchange)
    done = restore(made.path, course, exchange=exchange)
    assert samples.picture(course / "registro").keys() == samples.without_passing(register).keys() | {"."}
    assert samples.without_passing(samples.picture(course / "registro")) == samples.without_passing(register)
    assert samples.picture(exchange) == there
    assert (done.said, done.aside, Register(course).broken_diary()) == ([], [], None)


def test_owners_come_back_by_name_to_the_administrator_and_strangers_are_said(course, exchange, copies):
    if os.geteuid() != 0:
        administrator_only("solo l'amministratore può rendere i file ai loro proprietari")
    handed = next((exchange / "corso/inbound").iterdir())
    os.chown(handed, UID, UID)  # un numero che qui non ha nome
    os.chown(handed / "es02.ipynb", 1, 1)  # «daemon», su ogni Debian
    there = samples.picture(exchange)
    made = make(course, copies, exchange=exchange)
    shutil.rmtree(exchange)
    done = restore(made.path, course, exchange=exchange, replace=True)
    assert samples.picture(exchange) == there
    (said,) = [line for line in done.said if "non ci sono gli utenti" in line]
    assert str(UID) in said


@pytest.mark.lento
def test_an_ordinary_user_gets_everything_but_the_owners_and_is_told(course, exchange, copies):
    if os.geteuid() != 0:
        administrator_only("solo l'amministratore può diventare un altro utente")
    made = make(course, copies, exchange=exchange)
    home = Path(os.path.realpath(f"/tmp/copia-{os.getpid()}"))
    home.mkdir()
    try:
        shutil.copy(made.path, home / "copia.tar.gz")
        os.chown(home / "copia.tar.gz", UID, UID)
        words = ["-m", "course_lib.cli", "copia", "--ripristina", str(home / "copia.tar.gz")]
        done = run_as_user([*words, "--in", str(home / "qui")], home, 60)
        assert (done.returncode, done.stderr) == (0, "")
        assert "soltanto l'amministratore può renderli a loro" in done.stdout
        expected = {name: value[:2] for name, value in samples.picture(exchange).items()}
        found = samples.picture(home / "qui/scambio")
        assert {name: value[:2] for name, value in found.items()} == expected
        assert {value[2] for value in found.values()} == {(UID, UID)}
    finally:
        shutil.rmtree(home)


def test_only_the_owner_can_read_a_copy(course, copies):
    made = make(course, copies)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (copies, made.path)}
    assert set(modes.values()) == {0o700, 0o600}
    assert stat.S_IMODE(rotation.beside(made.path).stat().st_mode) == 0o600


def test_the_digest_beside_is_what_sha256sum_wants(course, copies):
    made = make(course, copies)
    done = subprocess.run(
        ["sha256sum", "--check", rotation.beside(made.path).name], cwd=copies, capture_output=True
    )
    assert done.returncode == 0


def test_a_register_that_is_there_is_never_overwritten(course, copies):
    made = make(course, copies)
    before = samples.picture(course / "registro")
    with pytest.raises(CorsoError, match="c'è già e non è vuoto, e non lo sovrascrivo"):
        restore(made.path, course)
    assert samples.picture(course / "registro") == before
    done = restore(made.path, course, replace=True)
    (old,) = done.aside
    assert old.name.startswith("registro-da-parte-")
    kept = samples.picture(old)
    kept.pop(".correzione.lucchetto"), before.pop(".correzione.lucchetto")  # chi scambia lo tiene
    assert kept == before
    assert samples.without_passing(samples.picture(course / "registro")) == samples.without_passing(before)


def test_an_empty_register_or_exchange_is_a_good_place(course, exchange, copies):
    made = make(course, copies, exchange=exchange)
    for folder in (course / "registro", exchange):
        shutil.rmtree(folder)
        folder.mkdir()
    done = restore(made.path, course, exchange=exchange)
    assert done.aside == []
    assert (course / "registro/gradebook.db").is_file()


def test_what_is_not_asked_for_stays_in_the_copy_and_is_said(course, exchange, copies, tmp_path):
    made = make(course, copies, exchange=exchange)
    shutil.rmtree(course / "registro")
    assert "c'è anche lo scambio" in restore(made.path, course).said[0]
    everything = restore(made.path, course, into=tmp_path / "tutto")
    assert {p.name for p in (tmp_path / "tutto").iterdir()} == {"registro", "scambio"}
    assert everything.said == []
    alone = make(course, copies)
    with pytest.raises(CorsoError, match="lo scambio non c'è"):
        restore(alone.path, course, exchange=tmp_path / "altro", replace=True)


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


@pytest.mark.lento
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


def test_two_copies_in_the_same_second_have_two_names(course, copies):
    paths = {make(course, copies).path for _ in range(3)}
    assert len(paths) == 3
    assert set(rotation.copies(copies)) == paths


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


def at(day: str, hour: int = 3) -> Path:
    when = dt.datetime.fromisoformat(f"{day}T{hour:02}:00:00+00:00")
    return Path(f"registro-{when:%Y%m%dT%H%M%SZ}.tar.gz")


def test_the_last_of_each_day_and_of_each_week_are_kept():
    days = [f"2026-11-{day:02}" for day in range(1, 31)]
    found = sorted((at(day, hour) for day in days for hour in (3, 20)), reverse=True)
    gone = set(rotation.superfluous(found, days=3, weeks=4))
    assert [path for path in found if path not in gone] == [
        at("2026-11-30", 20), at("2026-11-29", 20), at("2026-11-28", 20), at("2026-11-22", 20),
        at("2026-11-15", 20),
    ]  # fmt: skip


def test_a_day_ends_at_midnight_in_rome_and_copies_that_stopped_do_not_grow_old():
    found = [at("2020-05-02", 21), at("2020-05-01", 23), at("2020-05-01", 21)]  # 23 UTC: già il 2 a Roma
    assert rotation.superfluous(found, days=2, weeks=0) == [at("2020-05-01", 23)]
    assert rotation.superfluous(found[:1], days=0, weeks=0) == []


def test_rotation_touches_nothing_but_copies(course, copies):
    copies.mkdir()
    old = [copies / name for name in (at("2020-01-01").name, at("2020-01-02").name)]
    others = [copies / name for name in ("registro-20200101.tar.gz", "tesi.tar.gz", f"{old[0].name}.vecchia")]
    for path in [*old, *others]:
        path.write_bytes(b"")
    rotation.beside(old[0]).write_bytes(b"")
    assert make(course, copies).removed == []
    made = make(course, copies, days=1)
    assert set(made.removed) > set(old)
    assert rotation.copies(copies) == [made.path]
    assert all(path.is_file() for path in others)
    assert not rotation.beside(old[0]).exists()


def said(capsys, *words: str) -> tuple[int, str, str]:
    status = cli.main(["copia", *words])
    return status, *capsys.readouterr()


def test_the_command_from_copy_to_restore(course, exchange, copies, capsys, monkeypatch):
    monkeypatch.setattr(back_up, "project_root", lambda: course)
    status, out, err = said(
        capsys, "--in", str(copies), "--scambio", str(exchange), "--giorni", "7", "--settimane", "8"
    )
    assert (status, err) == (0, "")
    (path,) = rotation.copies(copies)
    assert f"Copia: {path} (" in out
    assert "  registro: 6 file, " in out
    assert "  scambio: 2 file, 0,0 MB" in out
    assert out.splitlines()[-1].split(": ")[1] == rotation.beside(path).read_text("utf-8")[:64]
    assert "è intera." in said(capsys, "--verifica", str(path))[1]
    status, out, err = said(capsys, "--ripristina", str(path), "--sostituisci")
    assert (status, err) == (0, "")
    assert f"  registro: {course / 'registro'}\n" in out
    assert "cancellalo quando non ti serve più." in out


SETTINGS = """\
docente = "docente"
cartella_docente = "{course}"
gruppo_studenti = "studenti"
pacchetto = "/tmp/pacchetto.zip"
scambio = "{exchange}"
"""


@pytest.fixture
def on_the_hub(course, exchange, tmp_path, monkeypatch) -> None:
    """Le impostazioni di un server, con questo corso e questo scambio."""
    path = tmp_path / "hub.toml"
    path.write_text(SETTINGS.format(course=course, exchange=exchange), encoding="utf-8")
    monkeypatch.setenv("CORSO_HUB", str(path))


def test_on_a_server_the_settings_say_what_to_copy_and_where_it_goes(
    course, exchange, copies, tmp_path, capsys, on_the_hub
):
    there = samples.picture(exchange)
    assert "  scambio: 2 file" in said(capsys, "--hub", "--in", str(copies))[1]
    (path,) = rotation.copies(copies)
    shutil.rmtree(exchange)
    status, out, _ = said(capsys, "--hub", "--ripristina", str(path), "--sostituisci")
    assert (status, samples.picture(exchange)) == (0, there)
    assert f"  scambio: {exchange}\n" in out
    assert said(capsys, "--hub", "--ripristina", str(path), "--in", str(tmp_path / "qui"))[0] == 0
    assert samples.picture(tmp_path / "qui/scambio") == there


@pytest.mark.lento
def test_reading_is_enough_to_make_a_copy(course, exchange, copies, on_the_hub):
    """Come la esegue il servizio: da amministratore che può leggere tutto, e scrivere soltanto le copie."""
    if os.geteuid() != 0:
        administrator_only("solo l'amministratore può togliersi i permessi")
    for path in [course, *course.rglob("*"), *exchange.rglob("*")]:
        os.chown(path, UID, UID)
        path.chmod(0o700 if path.is_dir() else 0o600)
    for parent in (course.parent, course.parent.parent):
        parent.chmod(0o755)
    few = ["setpriv", "--bounding-set=-all,+dac_read_search", "--inh-caps=-all"]
    command = [*few, sys.executable, "-m", "course_lib.cli", "copia", "--hub", "--in", str(copies)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    refused = subprocess.run([*few, "touch", str(course / "nuovo")], capture_output=True)
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert refused.returncode != 0
    assert (done.returncode, done.stderr) == (0, "")
    assert "  registro: 6 file" in done.stdout
    assert "  scambio: 2 file" in done.stdout


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "manca dove mettere la copia"),
        (["--in", "{corso}/registro/copie"], "La copia non può stare in"),
        (["--in", "{scambio}/copie", "--scambio", "{scambio}"], "La copia non può stare in"),
        (["--in", "{corso}/copie", "--scambio", "{corso}/niente"], "--scambio vuole la cartella"),
        (["--in", "{corso}/copie", "--giorni", "0"], "--giorni vuole un numero da 1 a 9999: «0» non va"),
        (["--in", "{corso}/copie", "--settimane", "due"], "--settimane vuole un numero"),
        (["--in", "{corso}/copie", "--db", "mysql://h/voti"], "So copiare un registro dei voti sqlite o"),
        (["--in", "/proc/copie"], "non posso leggere o scrivere /proc/copie"),
        (["--verifica", "{corso}/niente"], "non è un file: indica una copia"),
        (["--verifica", "{corso}", "--hub"], "con --verifica si indica soltanto il file"),
        (["--verifica", "{corso}", "--db", "x"], "con --verifica si indica soltanto il file"),
        (["--ripristina", "{corso}/niente", "--giorni", "1"], "servono quando si fa una copia"),
        (["--in", "{corso}/copie", "--sostituisci"], "--sostituisci serve soltanto con --ripristina"),
    ],
)
def test_a_wrong_request_gets_one_sentence(course, exchange, words, expected, capsys, monkeypatch):
    monkeypatch.setattr(back_up, "project_root", lambda: course)
    status, out, err = said(capsys, *(word.format(corso=course, scambio=exchange) for word in words))
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert expected in err


def test_without_a_register_there_is_nothing_to_copy(tmp_path, copies):
    with pytest.raises(CorsoError, match="nulla da copiare"):
        make(tmp_path, copies)
    assert not copies.exists()


def test_a_diary_tampered_with_is_copied_as_it_is_and_said(course, copies, tmp_path, capsys, monkeypatch):
    path = course / "registro" / diary.DIARY
    path.write_bytes(path.read_bytes().replace(b'"riga di prova": 1', b'"riga di prova": 9'))
    monkeypatch.setattr(back_up, "project_root", lambda: course)
    assert "Il diario diario.jsonl è stato modificato" in said(capsys, "--in", str(copies))[1]
    done = restore(rotation.copies(copies)[0], course, replace=True)
    assert any("è stato modificato" in line for line in done.said)


def test_a_copy_is_reread_before_it_gets_its_name(course, copies, monkeypatch):
    monkeypatch.setattr(checking, "check", lambda file: None)
    with pytest.raises(CorsoError, match="riletta non è quella scritta"):
        make(course, copies)
    assert rotation.copies(copies) == []

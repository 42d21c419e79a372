"""La copia di riserva di una classe: rifà tutto com'era, in un posto vuoto, e dice ciò che non può."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from course_lib.grading.backup import rotation
from course_lib.grading.backup.making import make
from course_lib.grading.backup.restoring import restore
from course_lib.grading.exchange import Exchange
from course_lib.grading.register import Register
from course_lib.project import CorsoError
from tests.conftest import administrator_only
from tests.grading.backup import samples
from tests.grading.ordinary_user import UID, run_as_user


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


def test_what_was_handed_in_is_still_of_who_handed_it_in(course, exchange, copies):
    """La raccolta dallo scambio sa di chi è una consegna dal proprietario dei file."""
    if os.geteuid() != 0:
        administrator_only("solo l'amministratore può rendere i file ai loro proprietari")
    handed = exchange / "corso/inbound/daemon+es02+2026-11-20 22:50:00 UTC+c2VncmV0bw"
    handed.mkdir()
    (handed / "es02.ipynb").write_bytes(b"D")
    for path in (handed / "es02.ipynb", handed):
        os.chown(path, 1, 1)  # «daemon», su ogni Debian
    made = make(course, copies, exchange=exchange)
    shutil.rmtree(exchange)
    restore(made.path, course, exchange=exchange, replace=True)
    found, _ = Exchange(exchange / "corso").collect("es02")
    assert [(one.student, one.data) for one in found] == [("daemon", b"D")]
    assert found[0].when.isoformat() == "2026-11-20T22:50:00+00:00"


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


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        ("pieno", "pieno non è una cartella vuota, e la copia non si mescola con altro: scegli con --in una"),
        ("pieno/tesi.txt", "tesi.txt non è una cartella vuota"),
        ("corso/registro", "registro, che è il registro di ora: scegli con --in una cartella fuori da lì."),
        ("corso/registro/qui/e/là", "registro, che è il registro di ora"),
        ("corso/registro/vuota", "registro, che è il registro di ora"),
        ("collegata", "registro, che è il registro di ora"),
    ],
)
def test_a_whole_copy_goes_only_into_an_empty_folder(course, copies, tmp_path, where, sentence, replace):
    (tmp_path / "pieno").mkdir()
    (tmp_path / "pieno/tesi.txt").write_text("importante", encoding="utf-8")
    (course / "registro/vuota").mkdir()
    (tmp_path / "collegata").symlink_to(course / "registro/vuota")
    made = make(course, copies)
    before = samples.picture(tmp_path)
    with pytest.raises(CorsoError) as raised:
        restore(made.path, course, into=tmp_path / where, replace=replace)
    assert sentence in str(raised.value)
    assert "\n" not in str(raised.value)
    assert samples.picture(tmp_path) == before


def test_a_folder_that_is_there_and_is_empty_takes_a_whole_copy(course, copies, tmp_path):
    made = make(course, copies)
    (tmp_path / "vuota").mkdir()
    (tmp_path / "altro nome").symlink_to(tmp_path / "vuota")
    restore(made.path, course, into=tmp_path / "altro nome")
    assert (tmp_path / "vuota/registro/gradebook.db").is_file()


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

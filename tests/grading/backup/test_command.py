"""`corso copia`: che cosa dice, che cosa rifiuta, come si usa su un server."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from course_lib import cli
from course_lib.cli import back_up
from course_lib.grading import diary
from course_lib.grading.backup import rotation
from course_lib.grading.backup.restoring import restore
from tests.conftest import ROOT, administrator_only
from tests.grading.backup import samples
from tests.grading.ordinary_user import UID


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
        (["--in", "{corso}/copie", "--settimane", "9" * 5000], "--settimane vuole un numero da 1 a 9999"),
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


@pytest.mark.parametrize("words", [["--in", ""], ["--in", " "], ["--in="], ["--in", "c", "--scambio", ""]])
def test_an_empty_place_is_not_the_folder_one_is_in(course, tmp_path, words, capsys, monkeypatch):
    monkeypatch.setattr(back_up, "project_root", lambda: course)
    (tmp_path / "qui").mkdir()
    monkeypatch.chdir(tmp_path / "qui")
    with pytest.raises(SystemExit) as stopped:
        cli.main(["copia", *words])
    last = capsys.readouterr().err.splitlines()[-1]
    sentence = "vuole un percorso, e qui è vuoto: scrivilo («.» è la cartella in cui sei)."
    assert (stopped.value.code, last.split(" ", 3)[3]) == (2, sentence)
    assert list(tmp_path.joinpath("qui").iterdir()) == []


def test_a_diary_tampered_with_is_copied_as_it_is_and_said(course, copies, tmp_path, capsys, monkeypatch):
    path = course / "registro" / diary.DIARY
    path.write_bytes(path.read_bytes().replace(b'"riga di prova": 1', b'"riga di prova": 9'))
    monkeypatch.setattr(back_up, "project_root", lambda: course)
    assert "Il diario diario.jsonl è stato modificato" in said(capsys, "--in", str(copies))[1]
    done = restore(rotation.copies(copies)[0], course, replace=True)
    assert any("è stato modificato" in line for line in done.said)

"""La consegna e la sua ricevuta: nomi, ore vere negli zip, codice, verifica, 112 consegne in un minuto."""

from __future__ import annotations

import datetime as dt
import errno
import os
import re
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import pytest

from course_lib.cli import main
from course_lib.cli.words import command
from course_lib.grading.collection import collect_class
from course_lib.grading.handin import hand_in
from course_lib.grading.receipts import code_of, read_receipt, receipt_text, verify
from course_lib.grading.register import Register, sha256
from course_lib.project import CorsoError, project_root
from tests.grading import samples

WHEN = dt.datetime(2026, 11, 20, 22, 50, 13, tzinfo=dt.UTC)


@pytest.fixture
def notebook(tmp_path) -> Path:
    path = tmp_path / "lavoro" / "es02.ipynb"
    path.parent.mkdir()
    nbformat.write(samples.solved(), path)
    return path


@pytest.fixture
def handed(notebook, tmp_path):
    return hand_in(notebook, "es02", "Anna Bianchi", tmp_path / "consegne", WHEN, project_root())


def test_the_archive_carries_the_true_time_of_rome(handed):
    with zipfile.ZipFile(handed.archive) as archive:
        assert {info.date_time for info in archive.infolist()} == {(2026, 11, 20, 23, 50, 12)}


def test_same_content_and_time_give_the_same_bytes_and_another_time_others(handed, notebook, tmp_path):
    again = hand_in(notebook, "es02", "Anna Bianchi", tmp_path / "b", WHEN)
    later = hand_in(notebook, "es02", "Anna Bianchi", tmp_path / "b", WHEN + dt.timedelta(minutes=1))
    assert again.archive.read_bytes() == handed.archive.read_bytes()
    assert later.archive.read_bytes() != handed.archive.read_bytes()


def test_two_in_the_same_second_are_two(handed, notebook, tmp_path):
    first = handed.archive.read_bytes()
    same = hand_in(notebook, "es02", "Anna Bianchi", tmp_path / "consegne", WHEN)
    assert same.archive == handed.archive
    notebook.write_bytes(notebook.read_bytes() + b"\n")
    other = hand_in(notebook, "es02", "Anna Bianchi", tmp_path / "consegne", WHEN)
    assert other.archive.name == "es02_anna-bianchi_20261120T225013Z-2.zip"
    assert handed.archive.read_bytes() == first
    assert {read_receipt(r).archive for r in (tmp_path / "consegne").glob("*.ricevuta.txt")} == {
        handed.archive.name,
        other.archive.name,
    }


def test_the_code_is_short_and_follows_from_the_digest(handed):
    receipt = read_receipt(handed.receipt)
    assert re.fullmatch(r"([A-Z2-7]{4}-){3}[A-Z2-7]{4}", receipt.code)
    assert receipt.code == code_of(sha256(handed.archive.read_bytes()))
    assert (receipt.exercise, receipt.name, receipt.when) == ("es02", "Anna Bianchi", "2026-11-20T22:50:13Z")


def test_a_true_receipt_is_verified_from_either_file(handed):
    for path in (handed.receipt, handed.archive):
        same, sentence = verify(path)
        assert same
        assert read_receipt(handed.receipt).code in sentence


def test_a_changed_archive_is_told_apart_from_one_merely_zipped_again(handed, notebook):
    with zipfile.ZipFile(handed.archive, "a") as archive:
        archive.writestr("altro.txt", "x")
    same, sentence = verify(handed.receipt)
    assert not same
    assert "il notebook dentro è identico" in sentence
    with zipfile.ZipFile(handed.archive, "w") as archive:
        archive.writestr("es02.ipynb", b"altro")
    same, sentence = verify(handed.receipt)
    assert not same
    assert "è cambiato dopo" in sentence
    handed.archive.write_bytes(b"no")
    assert verify(handed.receipt)[0] is False


def test_a_tampered_partial_or_missing_receipt_gets_one_sentence(handed, tmp_path):
    text = handed.receipt.read_text("utf-8")
    digest = read_receipt(handed.receipt).digest
    handed.receipt.write_text(text.replace(digest, sha256(b"altro")), "utf-8")
    with pytest.raises(CorsoError, match="è stata modificata"):
        verify(handed.receipt)
    handed.receipt.write_text(text.replace("Codice", "codice"), "utf-8")
    with pytest.raises(CorsoError, match="non è una ricevuta"):
        verify(handed.receipt)
    handed.receipt.write_text(text.replace("\n", "\r\n"), "utf-8")  # salvata da Blocco note
    assert verify(handed.receipt)[0]
    handed.archive.unlink()
    with pytest.raises(CorsoError, match="non trovo es02_anna"):
        verify(handed.receipt)
    with pytest.raises(CorsoError, match="non si legge"):
        verify(tmp_path / "no.ricevuta.txt")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Anna Bianchi", "Bruno Verdi"),
        ("2026-11-20T22:50:13Z", "2026-11-19T22:50:13Z"),
        ("20/11/2026 alle 23:50:13", "19/11/2026 alle 23:50:13"),
        ("es02\n", "es03\n"),
    ],
)
def test_a_receipt_whose_name_or_time_is_not_that_of_the_archive_is_told(handed, old, new):
    text = handed.receipt.read_text("utf-8")
    assert "con lo stesso nome e la stessa ora" in verify(handed.receipt)[1]
    handed.receipt.write_text(text.replace(old, new, 1), "utf-8")
    same, sentence = verify(handed.receipt)
    assert not same
    assert "Nello zip c'è scritto: es02, Anna Bianchi, 20/11/2026 alle 23:50:13." in sentence


def test_without_a_manifest_only_the_file_is_vouched_for(handed, notebook):
    with zipfile.ZipFile(handed.archive, "w") as archive:
        archive.writestr("es02.ipynb", notebook.read_bytes())
    data = handed.archive.read_bytes()
    text = receipt_text("es02", "Chiunque", WHEN, notebook.read_bytes(), data, handed.archive.name)
    handed.receipt.write_text(text, "utf-8")
    same, sentence = verify(handed.receipt)
    assert same
    assert "Di nome e ora non risponde" in sentence


def test_a_receipt_never_leads_out_of_its_folder(handed, tmp_path):
    (tmp_path / "segreto.zip").write_bytes(b"x")
    text = handed.receipt.read_text("utf-8").replace(handed.archive.name, "../segreto.zip")
    handed.receipt.write_text(text, "utf-8")
    with pytest.raises(CorsoError, match="non trovo segreto"):
        verify(handed.receipt)


def test_handing_in_the_untouched_text_is_said(tmp_path):
    path = tmp_path / "es02.ipynb"
    nbformat.write(samples.only(), path)
    prepared = hand_in(path, "es02", "Anna", tmp_path, WHEN, project_root())
    assert "non è cambiata nessuna risposta" in prepared.notes[-1]
    nbformat.write(samples.solved(), path)
    assert hand_in(path, "es02", "Anna", tmp_path / "c", WHEN, project_root()).notes == []


def test_a_notebook_without_answers_is_not_handed_in(tmp_path):
    path = tmp_path / "es02.ipynb"
    nbformat.write(nbformat.v4.new_notebook(), path)
    with pytest.raises(CorsoError, match="Non ho preparato nessuna consegna"):
        hand_in(path, "es02", "Anna", tmp_path / "c", WHEN, project_root())
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize("year", [1970, 2020, 2500])
def test_a_clock_that_is_wrong_is_said_and_breaks_nothing(notebook, tmp_path, year):
    prepared = hand_in(notebook, "es02", "Anna", tmp_path / "c", WHEN.replace(year=year))
    assert "L'orologio di questo computer segna" in prepared.notes[0]
    assert verify(prepared.receipt)[0]


def test_the_command_verifies_and_asks_for_what_is_missing(handed, capfd):
    assert main(["consegna", "--verifica", str(handed.receipt)]) == 0
    assert capfd.readouterr().out.startswith("✓ es02_anna-bianchi_")
    handed.archive.write_bytes(b"x")
    assert main(["consegna", "--verifica", str(handed.receipt)]) == 1
    assert capfd.readouterr().out.startswith("✗ ")
    assert main(["consegna", "es02"]) == 1
    wanted = f"indica l'esercizio e il tuo nome: «{command('consegna', 'es02', '--nome', 'Nome Cognome')}»."
    assert wanted in capfd.readouterr().err


def test_a_full_disk_gets_one_sentence_and_leaves_nothing_behind(notebook, tmp_path, monkeypatch):
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CorsoError, match="non si può scrivere"):
        hand_in(notebook, "es02", "Anna", tmp_path / "c", WHEN)
    assert list((tmp_path / "c").iterdir()) == []


@pytest.mark.lento
def test_112_in_a_minute_give_112_receipts_and_112_stored_files_with_the_same_hashes(tmp_path):
    """Vere chiamate di `corso consegna`, ciascuna nel suo processo, tutte verso la stessa cartella."""
    folder = tmp_path / "arrivi"
    names = [f"Allievo {letter}" for letter in "abcdefgh"]
    works = {}
    for i in range(8):
        path = tmp_path / f"{i}" / "es02.ipynb"
        path.parent.mkdir()
        nbformat.write(samples.solved(project=f"def project(x, W):\n    return x @ W  # {i}\n"), path)
        works[i] = path

    def many_times(i: int) -> None:
        """Quattordici consegne di una persona, con quattordici notebook diversi."""
        code = (
            "import sys\nfrom pathlib import Path\nfrom course_lib.cli import main\n"
            "path = Path(sys.argv[1])\nraw = path.read_bytes()\n"
            "for i in range(14):\n"
            "    path.write_bytes(raw + b'\\n' * i)\n"
            "    if main(['consegna', str(path), '--nome', sys.argv[2], '--in', sys.argv[3]]): sys.exit(1)\n"
        )
        command = [sys.executable, "-c", code, str(works[i]), names[i], str(folder)]
        subprocess.run(
            command, check=True, cwd=project_root(), stdout=subprocess.DEVNULL, env=dict(os.environ)
        )

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(many_times, range(8)))
    receipts = [read_receipt(path) for path in folder.glob("*.ricevuta.txt")]
    assert len(receipts) == 112
    assert all(verify(path)[0] for path in folder.glob("*.ricevuta.txt"))
    register = Register(tmp_path)
    collected = collect_class(register, "es02", folder)
    assert collected.said == []
    assert len(collected.chosen) == 8
    stored = list((register.folder / "ricevuti").rglob("*.ipynb"))
    assert len(stored) == 112
    assert sorted(sha256(path.read_bytes()) for path in stored) == sorted(r.notebook for r in receipts)

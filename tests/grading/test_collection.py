"""Consegna e raccolta: stessi byte, impronte, ore; zip ostili e nomi strani detti uno per uno."""

from __future__ import annotations

import datetime as dt
import json
import os
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from course_lib.grading.collection import Submission, collect, collect_class, store
from course_lib.grading.handin import MANIFEST, hand_in
from course_lib.grading.pipeline import shared_names
from course_lib.grading.register import Register, sha256, student_id, write_atomically
from course_lib.grading.verdicts import Verdict
from course_lib.project import CorsoError

WHEN = dt.datetime(2026, 11, 20, 22, 50, tzinfo=dt.UTC)


@pytest.fixture
def notebook(tmp_path):
    path = tmp_path / "lavoro" / "es02.ipynb"
    path.parent.mkdir()
    nbformat.write(new_notebook(cells=[new_code_cell("x = 1", id="a")]), path)
    return path


@pytest.fixture
def handed(notebook, tmp_path):
    return hand_in(notebook, "es02", "Ànna D'Àmico", tmp_path / "consegne", WHEN)


def test_an_archive_is_named_dated_and_deterministic(handed, notebook, tmp_path):
    assert handed.archive.name == "es02_anna-d-amico_20261120T225000Z.zip"
    again = hand_in(notebook, "es02", "Ànna D'Àmico", tmp_path / "altrove", WHEN)
    assert again.archive.read_bytes() == handed.archive.read_bytes()


def test_the_receipt_gives_rome_time_utc_and_both_digests(handed, notebook):
    text = handed.receipt.read_text("utf-8")
    assert "20/11/2026 alle 23:50:00 (ora di Roma; 2026-11-20T22:50:00Z UTC)" in text
    assert sha256(handed.archive.read_bytes()) in text
    assert sha256(notebook.read_bytes()) in text
    assert "Ànna D'Àmico" in text


def test_what_is_handed_in_is_collected_byte_for_byte(handed, notebook):
    (found,), skipped = collect(handed.archive.parent, "es02")
    assert (found.student, found.name, found.when) == ("anna-d-amico", "Ànna D'Àmico", WHEN)
    assert found.raw == notebook.read_bytes()
    assert found.notes == []
    assert skipped == []


@pytest.mark.parametrize("name", ["", "  ", "…", "漢字"])
def test_a_name_without_letters_is_refused(notebook, tmp_path, name):
    with pytest.raises(CorsoError, match="Anna Bianchi"):
        hand_in(notebook, "es02", name, tmp_path)


def test_a_broken_or_missing_notebook_is_not_handed_in(tmp_path):
    path = tmp_path / "es02.ipynb"
    with pytest.raises(CorsoError, match="Non trovo"):
        hand_in(path, "es02", "Anna", tmp_path)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(CorsoError, match="Non ho preparato nessuna consegna"):
        hand_in(path, "es02", "Anna", tmp_path)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("es02_anna-bianchi.ipynb", "anna-bianchi"),
        ("es02 Anna Bianchi.ipynb", "anna-bianchi"),
        ("Anna Bianchi_es02.ipynb", "anna-bianchi"),
        ("es02_anna (1).ipynb", "anna"),
        ("es02_anna-Copy1.ipynb", "anna"),
        ("Niccolò Però/es02.ipynb", "niccolo-pero"),
        ("Niccolò Però/es02 (2).ipynb", "niccolo-pero"),
    ],
)
def test_loose_notebooks_tell_their_author_by_name_or_folder(notebook, tmp_path, name, student):
    target = tmp_path / "arrivi" / name
    target.parent.mkdir(parents=True)
    target.write_bytes(notebook.read_bytes())
    (found,), _ = collect(tmp_path / "arrivi", "es02")
    assert found.student == student


@pytest.mark.parametrize("name", ["es02.ipynb", "es03_anna.ipynb", "note.txt", "es02_….ipynb"])
def test_other_files_are_skipped_and_named(notebook, tmp_path, name):
    folder = tmp_path / "arrivi"
    folder.mkdir()
    (folder / name).write_bytes(notebook.read_bytes())
    found, (said,) = collect(folder, "es02")
    assert found == []
    assert name in said


def zip_with(path, members: dict[str, bytes]):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def manifest(**changes) -> bytes:
    content = {
        "esercizio": "es02",
        "nome": "Eva",
        "quando": WHEN.isoformat(),
        "file": [{"sha256": sha256(b"{}")}],
    }
    return json.dumps({**content, **changes}).encode()


@pytest.mark.parametrize(
    "members",
    [
        {},
        {MANIFEST: b"[]", "es02.ipynb": b"{}"},
        {MANIFEST: b"\xff", "es02.ipynb": b"{}"},
        {MANIFEST: b"[" * 50_000, "es02.ipynb": b"{}"},
        {MANIFEST: manifest(nome="…"), "es02.ipynb": b"{}"},
        {MANIFEST: manifest(quando="ieri"), "es02.ipynb": b"{}"},
        {MANIFEST: manifest(quando=3), "es02.ipynb": b"{}"},
        {MANIFEST: manifest(file=[]), "es02.ipynb": b"{}"},
        {MANIFEST: manifest(esercizio="es03"), "es03.ipynb": b"{}"},
        {MANIFEST: b" " * 200_000, "es02.ipynb": b"{}"},
    ],
)
def test_odd_archives_are_skipped_with_a_reason(tmp_path, members):
    zip_with(tmp_path / "c.zip", members)
    found, (said,) = collect(tmp_path, "es02")
    assert found == []
    assert said.startswith("c.zip: ")


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({MANIFEST: manifest()}, "manca es02.ipynb"),
        ({MANIFEST: manifest(), "es02.ipynb": b"0" * (25 * 2**20)}, "supera 20 MB"),
    ],
)
def test_an_archive_whose_author_is_known_is_unreadable_for_that_pupil(tmp_path, members, said):
    zip_with(tmp_path / "c.zip", members)
    (found,), skipped = collect(tmp_path, "es02")
    assert (found.student, found.raw, skipped) == ("eva", (tmp_path / "c.zip").read_bytes(), [])
    assert found.refused.verdict == Verdict.UNREADABLE
    assert said in found.refused.message


def test_a_file_that_is_no_archive_is_skipped(tmp_path):
    (tmp_path / "c.zip").write_bytes(b"PK\3\4 no")
    assert collect(tmp_path, "es02")[0] == []


def test_nothing_of_an_archive_reaches_the_disk(tmp_path):
    folder = tmp_path / "arrivi"
    folder.mkdir()
    members = {
        MANIFEST: manifest(),
        "es02.ipynb": b"{}",
        "../fuori.txt": b"x",
        "/tmp/fuori-assoluto.txt": b"x",
        "numpy.py": b"x",
    }
    zip_with(folder / "c.zip", members)
    (found,), _ = collect(folder, "es02")
    assert found.raw == b"{}"
    assert found.notes == [
        "File ignorati nello zip: «numpy.py», 2 voci, ciascuna ha un percorso che esce dallo zip "
        "(assoluto, con «..» o con la lettera di un disco)."
    ]
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["arrivi", "c.zip"]
    assert not os.path.exists("/tmp/fuori-assoluto.txt")


def test_a_notebook_changed_after_its_receipt_is_said(tmp_path):
    zip_with(tmp_path / "c.zip", {MANIFEST: manifest(), "es02.ipynb": b"{ }"})
    (found,), _ = collect(tmp_path, "es02")
    assert "cambiato dopo la ricevuta" in found.notes[0]


def test_a_missing_folder_is_said(tmp_path):
    with pytest.raises(CorsoError, match="non è una cartella"):
        collect(tmp_path / "no", "es02")


def test_the_latest_submission_of_each_counts_and_all_are_kept(notebook, tmp_path):
    folder = tmp_path / "consegne"
    first = hand_in(notebook, "es02", "Anna", folder, WHEN)
    notebook.write_bytes(notebook.read_bytes().replace(b"x = 1", b"x = 2"))
    hand_in(notebook, "es02", "Anna", folder, WHEN + dt.timedelta(hours=1))
    hand_in(notebook, "es02", "Bruno", folder, WHEN)
    found, _ = collect(first.archive.parent, "es02")
    register = Register(tmp_path)
    chosen = collect_class(Register(tmp_path / "altro"), "es02", folder).chosen
    assert [s.student for s in chosen] == ["anna", "bruno"]
    assert b"x = 2" in chosen[0].raw
    paths = [store(register, "es02", submission) for submission in found]
    assert len(set(paths)) == 3
    for submission, path in zip(found, paths, strict=True):
        assert path.read_bytes() == submission.raw
        assert path.stat().st_mode & 0o222 == 0
        assert json.loads(path.with_suffix(".json").read_text("utf-8"))["sha256"] == sha256(submission.raw)


def test_storing_twice_keeps_one(notebook, tmp_path, handed):
    (found,), _ = collect(handed.archive.parent, "es02")
    register = Register(tmp_path)
    assert store(register, "es02", found) == store(register, "es02", found)
    assert len(list(register.received("es02", found.student).iterdir())) == 2


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "voti.csv"
    write_atomically(path, b"prima")
    monkeypatch.setattr(os, "replace", lambda *a: (_ for _ in ()).throw(OSError("disco pieno")))
    with pytest.raises(OSError, match="disco pieno"):
        write_atomically(path, b"dopo")
    assert path.read_bytes() == b"prima"
    assert list(tmp_path.iterdir()) == [path]


def test_student_ids_are_plain_and_short():
    assert student_id("Łukasz  Ünal-Rossi 3°B") == "lukasz-unal-rossi-3b"
    assert student_id("../../etc") == "etc"
    assert len(student_id("a" * 500)) == 60


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_damaged_member_is_skipped(tmp_path, method):
    path = tmp_path / "c.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr(MANIFEST, manifest())
        archive.writestr("es02.ipynb", b"{}" * 5_000)
    raw = path.read_bytes()
    for start in (raw.index(MANIFEST.encode()) + len(MANIFEST), raw.index(b"es02.ipynb") + 10):
        path.write_bytes(raw[:start] + b"\x07\xff\xff" * 8 + raw[start + 24 :])
        found, skipped = collect(tmp_path, "es02")
        told = skipped or [found[0].refused.message]
        assert len(told) == 1
        assert told[0].startswith("c.zip: è rovinato, o non è lungo quanto dichiara.")
        assert [submission.raw for submission in found] in ([], [path.read_bytes()])


def test_a_file_name_that_is_not_utf8_is_collected_and_stored(tmp_path, notebook):
    folder = tmp_path / "arrivi"
    folder.mkdir()
    target = os.path.join(os.fsencode(folder), b"es02_ev\xff.ipynb")
    with open(target, "wb") as file:
        file.write(notebook.read_bytes())
    (found,), _ = collect(folder, "es02")
    assert found.student == "ev"
    assert store(Register(tmp_path), "es02", found).read_bytes() == notebook.read_bytes()


def test_a_time_in_the_future_counts_as_now(tmp_path):
    zip_with(
        tmp_path / "c.zip", {MANIFEST: manifest(quando="9999-01-01T00:00:00+00:00"), "es02.ipynb": b"{}"}
    )
    (found,), _ = collect(tmp_path, "es02")
    assert found.when <= dt.datetime.now(dt.UTC)
    assert "nel futuro" in found.notes[0]


def test_names_that_become_one_id_are_said():
    when = dt.datetime(2026, 11, 1, tzinfo=dt.UTC)
    submissions = [Submission("anna-rossi", name, when, Path("x")) for name in ("Anna Rossi", "ànna-rossì")]
    (said,) = shared_names(submissions)
    assert "anna-rossi" in said
    assert "Anna Rossi" in said
    assert shared_names(submissions[:1] * 2) == []


def test_a_name_with_a_newline_cannot_write_a_line_of_the_receipt(notebook, tmp_path):
    handed = hand_in(notebook, "es02", "Anna\nEsercizio: es99\udcff", tmp_path, WHEN)
    assert "Nome:             Anna Esercizio: es99\n" in handed.text


def test_a_place_that_cannot_be_written_is_said(notebook, tmp_path):
    with pytest.raises(CorsoError, match="indica con --in"):
        hand_in(notebook, "es02", "Anna", notebook, WHEN)

"""L'ora di una consegna: quella della piattaforma vale più di quelle che scrive chi consegna."""

from __future__ import annotations

import datetime as dt
import io
import json
import zipfile

import pytest

from course_lib.grading.collection import collect, collect_class
from course_lib.grading.handin import MANIFEST
from course_lib.grading.register import Register, sha256
from course_lib.grading.rome import ROME, read_deadline

DEADLINE = read_deadline("20/11/2026 23:59")
FOLDER = "Zeno Tardi_1_assignsubmission_file_/"
LATE, EARLY = (2026, 11, 29, 10, 0, 0), (2026, 11, 1, 10, 0, 0)


def zipped(files: dict[str, bytes], date: tuple) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name, date_time=date), data)
    return buffer.getvalue()


def manifest(when: str) -> bytes:
    content = {"esercizio": "es02", "nome": "Zeno Tardi", "quando": when, "file": [{"sha256": sha256(b"{}")}]}
    return json.dumps(content).encode()


def utc(date: tuple) -> dt.datetime:
    return dt.datetime(*date, tzinfo=ROME).astimezone(dt.UTC)


def test_the_hour_of_the_platform_beats_those_inside_the_archive_of_a_pupil(tmp_path):
    deep = zipped({"dentro.zip": zipped({"es02.ipynb": b"{}"}, EARLY)}, EARLY)
    for inner in (zipped({"es02.ipynb": b"{}"}, EARLY), deep):
        (tmp_path / "classe.zip").write_bytes(zipped({FOLDER + "c.zip": inner}, LATE))
        (found,), _ = collect(tmp_path, "es02")
        assert found.when == found.arrived == utc(LATE)


def test_where_the_platform_says_nothing_the_hour_inside_is_all_there_is(tmp_path):
    inner = zipped({"es02.ipynb": b"{}"}, EARLY)
    (tmp_path / "classe.zip").write_bytes(zipped({"es02 - Zeno Tardi.zip": inner}, LATE))
    (found,), _ = collect(tmp_path, "es02")
    assert found.when == utc(EARLY)


def chosen_note(tmp_path, name: str, declared: str, arrived: tuple) -> list[str]:
    inner = zipped({MANIFEST: manifest(declared), "es02.ipynb": b"{}"}, EARLY)
    folder = tmp_path / "arrivi"
    folder.mkdir(exist_ok=True)
    (folder / "classe.zip").write_bytes(zipped({name: inner}, arrived))
    (chosen,) = collect_class(Register(tmp_path), "es02", folder, DEADLINE).chosen
    return chosen.notes


@pytest.mark.parametrize("again", [False, True])
def test_in_time_by_its_own_word_and_late_for_the_platform_is_said(tmp_path, again):
    for _ in range(1 + again):  # anche quando la stessa consegna era già conservata
        notes = chosen_note(tmp_path, FOLDER + "c.zip", "2026-11-10T10:00:00+00:00", LATE)
    (note,) = notes
    assert "del 10/11/2026 alle 11:00:00, in tempo" in note
    assert "arrivata il 29/11/2026 alle 10:00:00, dopo la scadenza" in note
    assert "lo decide chi corregge" in note


@pytest.mark.parametrize(
    ("name", "declared", "arrived"),
    [
        ("es02 - Zeno Tardi.zip", "2026-11-10T10:00:00+00:00", LATE),  # l'ora è di chi ha salvato il file
        (FOLDER + "c.zip", "2026-11-20T22:58:00+00:00", (2026, 11, 21, 0, 4, 0)),  # il tempo di caricarla
        (FOLDER + "c.zip", "2026-11-10T10:00:00+00:00", (2026, 11, 19, 10, 0, 0)),
    ],
)
def test_an_honest_arrival_gets_no_word(tmp_path, name, declared, arrived):
    assert chosen_note(tmp_path, name, declared, arrived) == []

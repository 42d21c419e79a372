"""Le consegne conservate e quella che vale: ripetute, in ritardo, al cambio dell'ora."""

from __future__ import annotations

import datetime as dt
import json
import os
from pathlib import Path

import pytest

from course_lib.grading import collection
from course_lib.grading.collection import collect_class
from course_lib.grading.handin import hand_in
from course_lib.grading.register import Register, sha256
from course_lib.grading.rome import ROME, read_deadline
from course_lib.grading.store import Submission, choose, store, stored
from course_lib.grading.verdicts import NotGraded, Verdict

DEADLINE = read_deadline("20/11/2026 23:59")


def rome(day: int, hour: int, minute: int, month: int = 11, fold: int = 0) -> dt.datetime:
    return dt.datetime(2026, month, day, hour, minute, tzinfo=ROME, fold=fold).astimezone(dt.UTC)


def sent(when: dt.datetime, data: bytes = b"A", **more) -> Submission:
    return Submission("anna", "Anna", when, Path("es02.ipynb"), data, **more)


@pytest.fixture
def register(tmp_path):
    return Register(tmp_path)


def kept(register) -> dict[str, dict]:
    folder = register.received("es02", "anna")
    return {p.stem: json.loads(p.read_bytes()) for p in folder.glob("*.json")}


def test_the_same_bytes_across_the_deadline_are_both_kept_and_the_earlier_counts(register):
    both = [sent(rome(20, 23, 50)), sent(rome(21, 0, 5))]
    for submission in both:
        store(register, "es02", submission)
    records = kept(register)
    assert sorted(r["consegnato"] for r in records.values()) == [
        "2026-11-20T22:50:00+00:00",
        "2026-11-20T23:05:00+00:00",
    ]
    assert {r["ora di Roma"] for r in records.values()} == {
        "20/11/2026 alle 23:50:00",
        "21/11/2026 alle 00:05:00",
    }
    for order in (both, both[::-1]):
        chosen = choose([sent(s.when) for s in order], deadline=DEADLINE)
        assert chosen.when == rome(20, 23, 50)
        assert chosen.notes == [
            "Lo stesso file è arrivato 2 volte: vale la prima ora, 20/11/2026 alle 23:50:00."
        ]


def test_the_earlier_counts_even_when_it_was_collected_another_day(register):
    store(register, "es02", sent(rome(20, 23, 50)))
    chosen = choose([sent(rome(21, 0, 5))], stored(register, "es02", "anna"), DEADLINE)
    assert (chosen.when, chosen.raw) == (rome(20, 23, 50), b"A")


def test_other_bytes_after_the_deadline_are_kept_but_do_not_count(register):
    chosen = choose([sent(rome(20, 23, 50)), sent(rome(21, 0, 5), b"B")], deadline=DEADLINE)
    assert chosen.raw == b"A"
    (note,) = chosen.notes
    assert "Dopo la scadenza (20/11/2026 alle 23:59)" in note
    assert "21/11/2026 alle 00:05:00" in note


def test_of_two_in_time_the_last_counts_and_without_a_deadline_too():
    two = [sent(rome(20, 10, 0)), sent(rome(20, 11, 0), b"B")]
    assert choose(two, deadline=DEADLINE).raw == b"B"
    late = [*two, sent(rome(21, 9, 0), b"C")]
    assert choose(late).raw == b"C"
    assert choose(late, deadline=DEADLINE).raw == b"B"


def test_who_is_only_late_is_graded_and_it_is_said():
    chosen = choose([sent(rome(21, 0, 5)), sent(rome(21, 0, 10))], deadline=DEADLINE)
    assert chosen.when == rome(21, 0, 5)
    assert "Consegnata in ritardo di 6 minuti: 21/11/2026 alle 00:05:00" in chosen.notes[-1]
    assert "20/11/2026 alle 23:59. L'ora è quella del file" in chosen.notes[-1]
    said = choose([sent(rome(21, 0, 5), declared=rome(21, 0, 5))], deadline=DEADLINE).notes[-1]
    assert said.endswith("La scadenza: 20/11/2026 alle 23:59.")


def test_the_last_second_of_the_minute_is_in_time():
    just = rome(20, 23, 59).replace(second=59)
    assert choose([sent(just)], deadline=DEADLINE).notes == []
    assert (
        "in ritardo di 1 minuto" in choose([sent(just + dt.timedelta(seconds=1))], deadline=DEADLINE).notes[0]
    )


def test_when_the_clock_goes_back_the_true_order_counts(register):
    first, second = rome(25, 2, 50, 10, fold=0), rome(25, 2, 10, 10, fold=1)  # 02:50 legale, poi 02:10 solare
    assert first < second
    for submission in (sent(first), sent(second, b"B")):
        store(register, "es02", submission)
    assert choose(stored(register, "es02", "anna")).raw == b"B"
    assert {r["ora di Roma"] for r in kept(register).values()} == {
        "25/10/2026 alle 02:50:00 (ora legale)",
        "25/10/2026 alle 02:10:00 (ora solare)",
    }
    chosen = choose([sent(first), sent(second, b"B")], deadline=read_deadline("25/10/2026 02:05"))
    assert chosen.raw == b"A"  # entro le 02:05 solari c'è solo quella delle 02:50 legali


def test_when_the_clock_goes_forward_a_minute_is_a_minute():
    deadline = read_deadline("29/03/2026 01:59")
    late = sent(dt.datetime(2026, 3, 29, 1, 0, tzinfo=dt.UTC))  # le 03:00, un minuto dopo le 01:59
    assert "in ritardo di 1 minuto: 29/03/2026 alle 03:00:00" in choose([late], deadline=deadline).notes[0]


def test_stored_bytes_are_read_only_and_never_overwritten(register):
    submission = sent(rome(20, 10, 0))
    path = store(register, "es02", submission)
    assert path.stat().st_mode & 0o222 == 0
    assert store(register, "es02", submission) == path
    os.chmod(path, 0o644)
    path.write_bytes(b"cambiato")
    again = store(register, "es02", submission)
    assert again != path
    assert (again.read_bytes(), path.read_bytes()) == (b"A", b"cambiato")
    assert "era stata modificata" in submission.notes[0]


def test_a_record_lost_in_a_crash_is_written_again(register):
    submission = sent(rome(20, 10, 0))
    path = store(register, "es02", submission)
    path.with_suffix(".json").unlink()
    assert stored(register, "es02", "anna") == []
    store(register, "es02", submission)
    assert [s.raw for s in stored(register, "es02", "anna")] == [b"A"]


RUINED = NotGraded(Verdict.UNREADABLE, "è rovinato.")
MISSING = NotGraded(Verdict.MISSING, "manca il notebook es02.ipynb.")


def test_what_could_not_be_read_leaves_a_record_and_no_file(register):
    store(register, "es02", sent(rome(20, 10, 0), b"", refused=RUINED))
    (record,) = kept(register).values()
    assert (record["rifiutata"], record.get("sha256")) == ("è rovinato.", None)
    assert [path.suffix for path in register.received("es02", "anna").iterdir()] == [".json"]


def test_the_bytes_of_a_refused_archive_are_kept_like_the_others(register):
    path = store(register, "es02", sent(rome(20, 10, 0), b"PK no", refused=RUINED))
    assert (path.suffix, path.read_bytes(), path.stat().st_mode & 0o222) == (".zip", b"PK no", 0)
    (record,) = kept(register).values()
    assert (record["rifiutata"], record["sha256"]) == ("è rovinato.", sha256(b"PK no"))
    assert store(register, "es02", sent(rome(20, 10, 0), b"PK no", refused=RUINED)) == path
    assert stored(register, "es02", "anna") == []  # conservata, ma non è un notebook da correggere


def test_a_refused_archive_is_kept_unless_it_is_too_big(tmp_path, register, monkeypatch):
    arrivals = tmp_path / "arrivi"
    arrivals.mkdir()
    (arrivals / "es02_anna.zip").write_bytes(b"PK no")
    (chosen,) = collect_class(register, "es02", arrivals).chosen
    assert (chosen.refused.verdict, chosen.raw, chosen.data) == (Verdict.UNREADABLE, b"PK no", b"")
    assert chosen.stored.is_relative_to(register.received("es02", "anna"))
    monkeypatch.setattr(collection, "MAX_FILE", 4)
    (chosen,) = collect_class(Register(tmp_path / "altro"), "es02", arrivals).chosen
    assert (chosen.raw, chosen.stored) == (b"", None)


def test_what_is_missing_counts_only_when_there_is_nothing_else(register):
    nothing = sent(rome(20, 12, 0), b"", refused=MISSING)
    assert choose([sent(rome(20, 10, 0)), nothing]).raw == b"A"
    assert choose([nothing], [sent(rome(20, 10, 0))]).refused is None
    assert choose([nothing]).refused is MISSING


def test_how_many_arrived_and_which_counts_is_said():
    three = [sent(rome(20, hour, 0), data) for hour, data in ((9, b"A"), (10, b"B"), (11, b"C"))]
    said = "Arrivate 3 consegne: vale l'ultima, del 20/11/2026 alle 11:00:00."
    assert choose(three).notes == [said]
    again = [sent(rome(20, hour, 0), data) for hour, data in ((9, b"A"), (10, b"B"), (11, b"C"))]
    chosen = choose(again[2:], [*again[:2], sent(rome(20, 11, 0), b"C")])  # la stessa, già conservata
    assert chosen.notes == [said]
    more = [sent(rome(20, 9, 0)), sent(rome(20, 10, 0), b"B"), sent(rome(21, 9, 0), b"C")]
    assert choose(more, deadline=DEADLINE).notes[0] == (
        "Arrivate 2 consegne entro la scadenza: vale l'ultima, del 20/11/2026 alle 10:00:00."
    )


def test_declared_and_arrival_times_are_both_kept(tmp_path, register):
    notebook = tmp_path / "es02.ipynb"
    notebook.write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}', "utf-8")
    archive = hand_in(notebook, "es02", "Anna", tmp_path / "arrivi", rome(20, 23, 50)).archive
    os.utime(archive, (rome(22, 9, 0).timestamp(),) * 2)
    (chosen,) = collect_class(register, "es02", tmp_path / "arrivi", DEADLINE).chosen
    assert chosen.when == rome(20, 23, 50)
    (record,) = kept(register).values()
    assert record["dichiarato"] == "2026-11-20T22:50:00+00:00"
    assert record["ora del file"] == "2026-11-22T08:00:00+00:00"
    assert record["sha256"] == sha256(notebook.read_bytes())


@pytest.mark.parametrize(
    ("when", "said"),
    [
        (dt.datetime(2099, 1, 1, tzinfo=dt.UTC), "nel futuro"),
        (dt.datetime(1980, 1, 1, tzinfo=dt.UTC), "prima del 2024"),
    ],
)
def test_an_impossible_declared_time_is_said_and_the_file_counts(tmp_path, register, when, said):
    notebook = tmp_path / "es02.ipynb"
    notebook.write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}', "utf-8")
    archive = hand_in(notebook, "es02", "Anna", tmp_path / "arrivi", when).archive
    os.utime(archive, (rome(20, 9, 0).timestamp(),) * 2)
    (chosen,) = collect_class(register, "es02", tmp_path / "arrivi").chosen
    assert chosen.when == rome(20, 9, 0)
    assert said in chosen.notes[0]
    (record,) = kept(register).values()
    assert record["dichiarato"] == when.isoformat()


def test_the_sentence_on_the_change_of_hour_comes_with_the_collection(tmp_path, register):
    (tmp_path / "arrivi").mkdir()
    collected = collect_class(register, "es02", tmp_path / "arrivi", read_deadline("25/10/2026 02:30"))
    assert collected.chosen == []
    assert "capita due volte" in collected.said[0]


def test_beyond_fifty_of_one_person_the_latest_in_time_are_kept_and_it_is_said(tmp_path, register):
    folder = tmp_path / "arrivi"
    hours = [rome(20, 10, minute) for minute in range(40)] + [rome(22, 10, minute) for minute in range(15)]
    for i, when in enumerate(hours):
        path = folder / str(i) / "es02 - Anna.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(b"%d" % i)
        os.utime(path, (when.timestamp(), when.timestamp()))
    (folder / "es02 - Bruno.ipynb").write_bytes(b"b")
    collected = collect_class(register, "es02", folder, DEADLINE)
    (said,) = collected.said
    assert said.startswith("anna: 55 consegne della stessa persona, più di 50: le 5 meno recenti")
    assert [(s.student, s.raw) for s in collected.chosen] == [("anna", b"39"), ("bruno", b"b")]
    names = {path.read_bytes() for path in register.received("es02", "anna").glob("*.ipynb")}
    assert names == {b"%d" % i for i in range(55) if i not in range(40, 45)}
    assert len(collected.everything) == 51

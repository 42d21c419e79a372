"""Le scadenze e l'ora di Roma, anche nelle due notti in cui cambia l'ora."""

from __future__ import annotations

import datetime as dt

import pytest

from course_lib.grading.rome import deadline_of, how_late, read_deadline, rome_text
from course_lib.project import CorsoError


def utc(*parts: int) -> dt.datetime:
    return dt.datetime(*parts, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("20/11/2026 23:59", utc(2026, 11, 20, 22, 59)),
        (" 20/11/2026 alle 23.59 ", utc(2026, 11, 20, 22, 59)),
        ("2026-11-20 23:59", utc(2026, 11, 20, 22, 59)),
        ("20/11/2026", utc(2026, 11, 20, 22, 59)),
        ("1/7/2026 08:05", utc(2026, 7, 1, 6, 5)),
    ],
)
def test_a_deadline_is_read_as_rome_time_and_its_minute_counts_whole(text, until):
    deadline = read_deadline(text)
    assert deadline.until.replace(second=0, microsecond=0) == until
    assert deadline.said == ""
    assert deadline.late_by(until + dt.timedelta(seconds=59)) is None
    assert deadline.late_by(until + dt.timedelta(seconds=60)) is not None


@pytest.mark.parametrize(
    "text", ["domani", "31/02/2026 10:00", "20/11/2026 25:00", "20/11/26", "", "0/0/0000"]
)
def test_what_is_no_deadline_gets_one_sentence(text):
    with pytest.raises(CorsoError, match="20/11/2026 23:59"):
        read_deadline(text)


def test_a_time_that_happens_twice_is_said_and_the_second_counts():
    deadline = read_deadline("25/10/2026 02:30")
    assert deadline.until.replace(second=0, microsecond=0) == utc(2026, 10, 25, 1, 30)
    assert "capita due volte" in deadline.said
    assert str(deadline) == "25/10/2026 alle 02:30 (ora solare)"
    assert deadline.late_by(utc(2026, 10, 25, 0, 45)) is None  # le 02:45 della prima volta
    assert deadline.late_by(utc(2026, 10, 25, 1, 45)) is not None  # le 02:45 della seconda


def test_a_time_that_does_not_exist_is_said_and_moved_an_hour_on():
    deadline = read_deadline("29/03/2026 02:30")
    assert deadline.until.replace(second=0, microsecond=0) == utc(2026, 3, 29, 1, 30)
    assert "non esiste" in deadline.said
    assert "03:30" in deadline.said
    assert str(deadline) == "29/03/2026 alle 03:30"


def test_the_repeated_hour_says_which_one_it_is():
    assert rome_text(utc(2026, 10, 25, 0, 30)) == "25/10/2026 alle 02:30:00 (ora legale)"
    assert rome_text(utc(2026, 10, 25, 1, 30)) == "25/10/2026 alle 02:30:00 (ora solare)"
    assert rome_text(utc(2026, 10, 25, 2, 30)) == "25/10/2026 alle 03:30:00"
    assert rome_text(utc(2026, 3, 29, 0, 59, 59)) == "29/03/2026 alle 01:59:59"
    assert rome_text(utc(2026, 3, 29, 1, 0)) == "29/03/2026 alle 03:00:00"


def test_deadlines_are_kept_in_the_register_or_in_a_file(tmp_path):
    assert deadline_of(tmp_path, "es02") is None
    (tmp_path / "scadenze.toml").write_text(
        'es02 = "20/11/2026 23:59"\nes03 = 2026-12-01 10:00:00\n', "utf-8"
    )
    assert str(deadline_of(tmp_path, "es02")) == "20/11/2026 alle 23:59"
    assert str(deadline_of(tmp_path, "es03")) == "01/12/2026 alle 10:00"
    assert deadline_of(tmp_path, "es04") is None
    assert str(deadline_of(tmp_path, "es02", "21/11/2026 12:00")) == "21/11/2026 alle 12:00"
    other = tmp_path / "altre.toml"
    other.write_text('es02 = "22/11/2026 12:00"', "utf-8")
    assert str(deadline_of(tmp_path, "es02", str(other))) == "22/11/2026 alle 12:00"


def test_a_file_given_for_the_deadline_must_have_the_exercise(tmp_path):
    path = tmp_path / "altre.toml"
    path.write_text('es03 = "20/11/2026 23:59"\nes04 = "27/11/2026 23:59"\n', "utf-8")
    with pytest.raises(CorsoError, match=r"non c'è es02: c'è es03, es04\. Aggiungi la riga es02 ="):
        deadline_of(tmp_path, "es02", str(path))
    path.rename(tmp_path / "scadenze.toml")  # nel registro, chi non c'è non ha scadenza
    assert deadline_of(tmp_path, "es02") is None


def test_a_file_of_deadlines_that_is_missing_or_wrong_is_said(tmp_path):
    with pytest.raises(CorsoError, match="Non trovo il file delle scadenze"):
        deadline_of(tmp_path, "es02", str(tmp_path / "no.toml"))
    (tmp_path / "scadenze.toml").write_text("es02: 20/11", "utf-8")
    with pytest.raises(CorsoError, match="con le virgolette"):
        deadline_of(tmp_path, "es02")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "1 minuto"),
        (360, "6 minuti"),
        (7500, "2 ore e 5 minuti"),
        (90_000, "1 giorno e 1 ora"),
        (3600, "1 ora"),
    ],
)
def test_a_delay_is_said_in_words(seconds, words):
    assert how_late(dt.timedelta(seconds=seconds)) == words

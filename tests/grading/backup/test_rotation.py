"""Quali copie restano in una cartella, e come si chiamano."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from course_lib.grading.backup import rotation
from course_lib.grading.backup.making import make


def test_two_copies_in_the_same_second_have_two_names(course, copies):
    paths = {make(course, copies).path for _ in range(3)}
    assert len(paths) == 3
    assert set(rotation.copies(copies)) == paths


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

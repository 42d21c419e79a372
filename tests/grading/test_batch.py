"""Una classe in parallelo: stessi voti in ogni ordine e con quanti lavoratori si vuole."""

from __future__ import annotations

import concurrent.futures
import json
import multiprocessing
import os
import random
import shutil

import pytest

from course_lib.grading import pipeline, workers
from course_lib.grading.box import Box
from course_lib.grading.limits import Limits
from course_lib.grading.pipeline import grade_class
from course_lib.project import CorsoError
from tests.grading import samples
from tests.grading.classes import EXPECTED, LIMITS, marks, outcomes, pages, results, times_graded

pytestmark = pytest.mark.lento


def test_any_order_and_any_number_of_workers_give_the_same_bytes(course, tmp_path, monkeypatch):
    choose = pipeline.collect_class
    seen = []
    for count, seed in ((1, 1), (2, 2), (4, 3)):
        root = tmp_path / f"con-{count}" / "corso"
        shutil.copytree(course, root)

        def shuffled(*args, seed=seed):
            collected = choose(*args)
            random.Random(seed).shuffle(collected.chosen)
            return collected

        monkeypatch.setattr(pipeline, "collect_class", shuffled)
        report = grade_class(root, "es02", root / "arrivi", limits=LIMITS, workers=count)
        assert results(report) == EXPECTED
        seen.append((marks(root), pages(root), outcomes(root)))
        assert len(marks(root)) == 5 * 10  # cinque prove e cinque risposte a testa, tranne chi non ha voto
        assert len(pages(root)) == 6
    assert seen[0] == seen[1] == seen[2]


def test_what_is_graded_is_not_graded_again(course):
    first = grade_class(course, "es02", course / "arrivi", limits=LIMITS)
    before = outcomes(course), marks(course)
    second = grade_class(course, "es02", course / "arrivi", limits=LIMITS)
    assert (first.already, second.already) == (0, 6)
    assert [vars(o) for o in second.outcomes] == [vars(o) for o in first.outcomes]
    assert times_graded(course) == dict.fromkeys(EXPECTED, 1)
    samples.write_all(course / "arrivi", {"carla": samples.solved()})  # consegna di nuovo
    third = grade_class(course, "es02", course / "arrivi", limits=LIMITS)
    assert results(third) == {**EXPECTED, "carla": 10}
    assert times_graded(course) == {**dict.fromkeys(EXPECTED, 1), "carla": 2}
    fourth = grade_class(course, "es02", course / "arrivi", limits=LIMITS, again=True)
    assert results(fourth) == results(third)
    assert times_graded(course) == {**dict.fromkeys(EXPECTED, 2), "carla": 3}
    assert len(before[0]) == 6


@pytest.mark.parametrize("change", ["soluzioni", "limiti", "codice", "registro dei voti", "pagina"])
def test_what_decides_the_mark_makes_it_graded_again(course, change, monkeypatch):
    samples.write_all(course / "una", {"anna": samples.solved()})
    grade_class(course, "es02", course / "una", limits=LIMITS)
    limits = LIMITS
    if change == "soluzioni":
        path = course / "solutions/es02/es02.ipynb"
        path.write_bytes(path.read_bytes() + b"\n")
    elif change == "limiti":
        limits = Limits(cell_seconds=19)
    elif change == "codice":
        monkeypatch.setattr(pipeline, "code_digest", lambda: "un altro")
    elif change == "registro dei voti":
        (course / "registro/gradebook.db").unlink()
    else:
        (course / "registro/feedback/anna/es02/es02.html").unlink()
    report = grade_class(course, "es02", course / "una", limits=limits)
    assert (report.already, results(report)) == (0, {"anna": 10})
    assert times_graded(course) == {"anna": 2}
    assert [row[4] for row in marks(course) if len(row) == 6].count(0) == 0


def test_two_runs_in_the_same_register_do_not_meet(course, monkeypatch):
    monkeypatch.setattr(pipeline, "BUSY_SECONDS", 0.2)
    with pipeline.only_one(pipeline.Register(course)), pytest.raises(CorsoError, match="un'altra correzione"):
        grade_class(course, "es02", course / "arrivi", limits=LIMITS)


def test_progress_is_told_from_the_start_to_the_end(course):
    told = []
    samples.write_all(course / "due", {"anna": samples.only(), "bruno": samples.only()})
    grade_class(course, "es02", course / "due", limits=LIMITS, progress=lambda *now: told.append(now))
    assert told == [(0, 2), (1, 2), (2, 2)]
    told.clear()
    grade_class(course, "es02", course / "due", limits=LIMITS, progress=lambda *now: told.append(now))
    assert told == [(2, 2)]


def test_each_worker_stays_on_its_core_and_so_do_its_boxes(isolation):
    """Chi riempie di processi il suo core non toglie tempo a chi è corretto sull'altro."""
    cores = sorted(os.sched_getaffinity(0))
    seen = []
    for slot in (0, 1):
        with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
            seen.append(pool.submit(_cores_in_a_box, isolation, slot).result())
    assert seen == [[cores[0]], [cores[1 % len(cores)]]]


def _cores_in_a_box(isolation, slot):
    workers.stay_on_one_core(slot)
    with Box(isolation, Limits(cell_seconds=30)) as box:
        box.begin(silent=False)
        source = "import os\nprint(sorted(os.sched_getaffinity(0)))"
        answer, _ = box.ask({"kind": "cell", "source": source}, [], 30)
        return json.loads(answer["outputs"][0]["text"])

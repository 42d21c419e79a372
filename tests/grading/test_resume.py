"""Un lavoratore ucciso o bloccato, una correzione fermata: nulla perso, nulla due volte, e si riprende."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from course_lib.grading import pipeline, single, workers
from course_lib.grading.pipeline import grade_class
from course_lib.project import project_root
from tests.grading import samples
from tests.grading.classes import EXPECTED, LIMITS, marks, results, small_class, times_graded

pytestmark = pytest.mark.lento


def kill_on(monkeypatch, student: str, folder: Path, times: int, where: str = "_prepare") -> None:
    """Il lavoratore che arriva a questa persona muore, le prime `times` volte, nel mezzo o dopo l'esito."""
    folder.mkdir()
    original = getattr(single, where)

    def deadly(job, who, *rest):
        result = original(job, who, *rest)
        name = who if isinstance(who, str) else who.student
        if name == student and len(list(folder.iterdir())) < times:
            (folder / str(len(list(folder.iterdir())))).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    monkeypatch.setattr(single, where, deadly)


@pytest.mark.parametrize(
    ("where", "count"), [("_prepare", 1), ("_write_feedback", 2), ("log_outcome", 1)]
)
def test_a_killed_worker_loses_nothing_and_repeats_nothing(course, tmp_path, monkeypatch, where, count):
    """Ucciso all'inizio, dopo i voti e prima dell'esito, dopo l'esito."""
    three = {name: small_class()[name] for name in ("anna", "bruno", "carla")}
    samples.write_all(course / "tre", three)
    kill_on(monkeypatch, "bruno", tmp_path / "morti", 1, where)
    report = grade_class(course, "es02", course / "tre", limits=LIMITS, workers=count)
    assert len(list((tmp_path / "morti").iterdir())) == 1
    assert results(report) == {name: EXPECTED[name] for name in three}
    assert times_graded(course) == dict.fromkeys(three, 1)


def test_killed_between_outcome_and_diary_the_line_is_added_once(course, tmp_path, monkeypatch):
    samples.write_all(course / "una", {"bruno": samples.solved()})
    grade_class(course, "es02", course / "una", limits=LIMITS)
    path = course / "registro/diario.jsonl"
    kept = [line for line in path.read_text("utf-8").splitlines(True) if "bruno" not in line]
    path.write_text("".join(kept), "utf-8")
    for _ in range(2):
        assert grade_class(course, "es02", course / "una", limits=LIMITS).already == 1
        assert times_graded(course) == {"bruno": 1}


def test_one_that_kills_every_worker_is_given_up_and_tried_at_the_next_run(course, tmp_path, monkeypatch):
    kill_on(monkeypatch, "bruno", tmp_path / "morti", workers.TRIES)
    report = grade_class(course, "es02", course / "arrivi", limits=LIMITS, workers=2)
    assert results(report) == {**EXPECTED, "bruno": None}
    (bruno,) = [o for o in report.outcomes if o.student == "bruno"]
    assert str(bruno.verdict) == "interrotto"
    assert "si è fermata 3 volte" in bruno.reason
    assert "questo non è uno zero" in bruno.feedback.read_text("utf-8")
    assert "bruno" not in {row[0] for row in marks(course)}
    again = grade_class(course, "es02", course / "arrivi", limits=LIMITS, workers=2)
    assert (again.already, results(again)) == (5, EXPECTED)


def test_a_worker_that_hangs_is_replaced(course, tmp_path, monkeypatch):
    samples.write_all(course / "una", {"anna": samples.solved(), "bruno": samples.solved()})
    original, mark = single._prepare, tmp_path / "bloccato"

    def hangs(job, submission):
        if submission.student == "anna" and not mark.exists():
            mark.touch()
            time.sleep(600)
        original(job, submission)

    monkeypatch.setattr(single, "_prepare", hangs)
    real = workers.Team.__init__

    def impatient(self, *args):
        real(self, *args)
        self.most = 25

    monkeypatch.setattr(workers.Team, "__init__", impatient)
    report = grade_class(course, "es02", course / "una", limits=LIMITS, workers=2)
    assert mark.exists()
    assert results(report) == {"anna": 10, "bruno": 10}


SCRIPT = """
import sys
sys.path.insert(0, {project!r})
from pathlib import Path
from course_lib import cli
from course_lib.cli import grade
grade.project_root = lambda: Path({root!r})
from course_lib.grading import pipeline, workers
pipeline.code_digest = lambda: "prova"
done = workers.Team._listen
def told(self, finished):
    done(self, lambda i: (finished(i), print("fatta", flush=True)))
workers.Team._listen = told
sys.exit(cli.main(["correggi", "es02", "--da", {folder!r}, "--lavoratori", "2"]))
"""


def start_command(root: Path) -> subprocess.Popen:
    script = SCRIPT.format(project=str(project_root()), root=str(root), folder=str(root / "arrivi"))
    return subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        encoding="utf-8", start_new_session=True,
    )  # fmt: skip


def living(session: int) -> list[int]:
    """I processi ancora vivi di una sessione."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text("ascii", "replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_goes_on_where_it_was(course, how):
    process = start_command(course)
    assert process.stdout.readline() == "fatta\n"
    if how == signal.SIGKILL:
        process.kill()  # muore chi dirige; i lavoratori se ne accorgono da soli
    else:
        os.killpg(process.pid, signal.SIGINT)  # come Ctrl-C: a tutto il gruppo
    _, error = process.communicate(timeout=60)
    until = time.monotonic() + 30
    while living(process.pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert living(process.pid) == []
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert re.fullmatch(
            r"corso correggi: fermata: corrette finora [1-5] su 6, e non si perdono; "
            r"per le altre ripeti lo stesso comando\.\n", error,
        )  # fmt: skip
    finished = set(times_graded(course))
    assert 1 <= len(finished) < 6
    records = [path.read_text("utf-8") for path in (course / "registro/esiti/es02").glob("*.json")]
    on_disk = [record for record in records if '"correzione"' in record]  # gli altri erano a metà
    report = pipeline.grade_class(course, "es02", course / "arrivi")
    assert results(report) == EXPECTED
    assert report.already == len(on_disk)
    assert times_graded(course) == dict.fromkeys(EXPECTED, 1)

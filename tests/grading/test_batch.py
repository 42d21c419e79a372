"""Una classe in parallelo: stessi voti in ogni ordine e con quanti lavoratori si vuole, e si riprende."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from course_lib.grading import pipeline, single, workers
from course_lib.grading.limits import Limits
from course_lib.grading.pipeline import grade_class
from course_lib.project import CorsoError, project_root
from tests.grading import samples

pytestmark = pytest.mark.lento
LIMITS = Limits(cell_seconds=20, call_seconds=10)
WEIGHTED_BY_SCORES = "def combine(weights, V):\n    return V.mean(axis=0)\n"


def small_class() -> dict:
    """Sei consegne oneste, una che si ferma da sola, una che non si legge."""
    return {
        "anna": samples.solved(),
        "bruno": samples.solved(scaled_scores=samples.NO_SCALE),
        "carla": samples.only(),
        "dario": samples.solved(combine=WEIGHTED_BY_SCORES),
        "elena": samples.solved(project=samples.CRASH),
        "fabio": samples.solved(combine=samples.MUTATING),
    }


EXPECTED = {"anna": 10, "bruno": 5, "carla": 0, "dario": 6, "elena": None, "fabio": 9}


@pytest.fixture(autouse=True)
def steady_code(monkeypatch):
    """Mentre si provano, i file della correzione possono cambiare: qui la loro impronta resta una."""
    monkeypatch.setattr(pipeline, "code_digest", lambda: "prova")


@pytest.fixture(scope="session")
def template(require_bwrap, tmp_path_factory) -> Path:
    """Un corso in cui l'esercizio è già nel registro dei voti: generarlo costa secondi."""
    root = tmp_path_factory.mktemp("modello") / "corso"
    for name in ("exercises", "solutions"):
        shutil.copytree(project_root() / name, root / name)
    (root / "vuota").mkdir()
    grade_class(root, "es02", root / "vuota", limits=LIMITS)
    return root


@pytest.fixture
def course(template, tmp_path) -> Path:
    """Un corso nuovo con le sei consegne in «arrivi»."""
    root = tmp_path / "corso"
    shutil.copytree(template, root)
    samples.write_all(root / "arrivi", small_class())
    return root


def marks(root: Path) -> list[tuple]:
    """Ogni riga del registro dei voti: consegna, cella, punti, commento."""
    rows = []
    with Gradebook(f"sqlite:///{root}/registro/gradebook.db") as gradebook:
        for submission in gradebook.assignment_submissions("es02"):
            for notebook in submission.notebooks:
                who = (submission.student_id, submission.timestamp, notebook.late_submission_penalty)
                rows += [(*who, g.name, g.auto_score, g.needs_manual_grade) for g in notebook.grades]
                rows += [(*who, c.name, c.auto_comment) for c in notebook.comments]
    return sorted(rows, key=repr)


def pages(root: Path) -> dict[str, bytes]:
    folder = root / "registro/feedback"
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*.html")}


def outcomes(root: Path) -> dict[str, dict]:
    """Gli esiti, senza l'unica cosa che cambia ogni volta: il loro numero."""
    found = {}
    for path in (root / "registro/esiti/es02").glob("*.json"):
        record = json.loads(path.read_bytes())
        record["correzione"].pop("id")
        found[path.stem] = record
    return found


def graded_lines(root: Path) -> list[dict]:
    lines = (root / "registro/diario.jsonl").read_text("utf-8").splitlines()
    return [record for record in map(json.loads, lines) if "verdetto" in record]


def times_graded(root: Path) -> Counter:
    return Counter(record["studente"] for record in graded_lines(root))


def results(report) -> dict:
    return {o.student: o.points for o in report.outcomes}


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
            r"corso correggi: fermata: [1-5] consegne su 6 sono corrette e restano tali; "
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

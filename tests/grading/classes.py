"""Una classe piccola per le prove in parallelo, e ciò che resta: voti, pagine, esiti, diario."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import pytest
from nbgrader.api import Gradebook

from course_lib.grading import pipeline
from course_lib.grading.limits import Limits
from course_lib.grading.pipeline import grade_class
from course_lib.project import project_root
from tests.grading import samples

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


@pytest.fixture
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
def course(template, tmp_path, steady_code) -> Path:
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

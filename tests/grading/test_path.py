"""Il percorso intero su parti vere: otto consegne di es02, box, giudice, nbgrader, feedback."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import nbformat
import pytest
from nbconvert import HTMLExporter
from nbgrader.api import Gradebook

from course_lib.grading import single
from course_lib.grading.feedback import points
from course_lib.grading.judge import HIDDEN
from course_lib.grading.limits import Limits
from course_lib.grading.pipeline import class_outcomes, grade_class
from course_lib.grading.register import Register
from course_lib.grading.report import table, write_csv
from course_lib.grading.settings import grading_settings
from course_lib.project import project_root
from tests.grading import samples

pytestmark = pytest.mark.lento
LIMITS = Limits(cell_seconds=4, call_seconds=2)
EXPECTED = {
    "crollata": ("interrotto", None),
    "falsaria": ("valutato", 0),
    "guastafeste": ("valutato", 9),
    "infinita": ("tempo scaduto", None),
    "intatta": ("valutato", 0),
    "perfetta": ("valutato", 10),
    "sbagliata": ("valutato", 5),
    "spiona": ("valutato", 10),
}


def new_course(folder: Path) -> Path:
    for name in ("exercises", "solutions"):
        shutil.copytree(project_root() / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def graded(require, tmp_path_factory):
    """La classe corretta una volta: la cartella del corso e il resoconto."""
    require("bwrap")
    root = new_course(tmp_path_factory.mktemp("classe"))
    samples.write_all(root / "arrivi", samples.eight())
    return root, grade_class(root, "es02", root / "arrivi", limits=LIMITS)


def test_verdicts_and_marks(graded):
    _, report = graded
    assert {o.student: (str(o.verdict), o.points) for o in report.outcomes} == EXPECTED


def test_the_gradebook_agrees_and_holds_no_zero_for_what_was_not_graded(graded):
    root, _ = graded
    with Gradebook(f"sqlite:///{root}/registro/gradebook.db") as gradebook:
        marks = {s.student_id: s.score for s in gradebook.assignment_submissions("es02")}
        assert gradebook.find_assignment("es02").max_score == 10
    assert marks == {name: mark for name, (_, mark) in EXPECTED.items() if mark is not None}


def test_the_scale_forgotten_is_named(graded):
    _, report = graded
    slips = {o.student: o.slips for o in report.outcomes}
    assert slips["sbagliata"] == ["senza scala", "senza scala"]
    assert slips["guastafeste"] == ["ingressi modificati"]


def written_files(root: Path) -> list[Path]:
    """Ciò che la correzione scrive e una persona può leggere: tutto il registro, salvo la base di dati."""
    files = [p for p in (root / "registro").rglob("*") if p.is_file()]
    return [p for p in files if p.suffix != ".db"]


def hidden_texts() -> set[str]:
    """Le righe dei blocchi nascosti, e i loro semi."""
    found: set[str] = set()
    for cell in samples.read("solutions").cells:
        inside = False
        for line in cell.source.split("\n"):
            mark = HIDDEN.search(line)
            if mark:
                inside = mark.group(1) == "BEGIN"
            elif inside and len(line.strip()) > 4:
                found.add(line.strip())
                found.update(re.findall(r"default_rng\((\d+)\)", line))
    return found


def test_no_hidden_text_is_in_anything_that_was_written(graded):
    root, _ = graded
    secrets = hidden_texts()
    assert len(secrets) > 20
    files = written_files(root)
    assert {p.suffix for p in files} >= {".html", ".ipynb", ".json", ".jsonl"}
    for path in files:
        text = path.read_text("utf-8")
        assert not [secret for secret in secrets if secret in text], path


def test_the_one_who_peeks_sees_nothing(graded):
    root, _ = graded
    notebook = nbformat.read(root / "registro/corretti/spiona/es02/es02.ipynb", as_version=4)
    printed = "".join(o.get("text", "") for c in notebook.cells for o in c.get("outputs", []))
    assert "SPIA []" in printed  # la cella che stampa è girata, e non aveva visto ingressi
    assert "SPIA [(" not in printed
    page = (root / "registro/feedback/spiona/es02/es02.html").read_text("utf-8")
    assert "array([1, 2])" not in page


def test_feedback_is_one_italian_page_with_nothing_to_download(graded):
    _, report = graded
    for outcome in report.outcomes:
        page = outcome.feedback.read_text("utf-8")
        assert '<html lang="it">' in page
        assert not re.search(r"<script|<link|<iframe|src=\"(?!data:image/png)|url\(", page)
        assert not re.search(r"\b(Score|Student|Comments?|Traceback|No response|Test cell)\b", page)
        if outcome.points is not None:
            assert f"<strong>{points(outcome.points)}</strong> punti su 10" in page
        else:
            assert "questo non è uno zero" in page


def test_feedback_stays_inside_its_own_folder(graded):
    root, report = graded
    for outcome in report.outcomes:
        assert outcome.feedback == root / "registro/feedback" / outcome.student / "es02" / "es02.html"


def test_the_diary_says_what_was_graded_with_what(graded):
    root, _ = graded
    lines = (root / "registro/diario.jsonl").read_text("utf-8").splitlines()
    records = {r["studente"]: r for r in map(json.loads, lines)}
    assert set(records) == set(EXPECTED)
    assert all(re.fullmatch(r"[0-9a-f]{64}", r["sha256"]) for r in records.values())
    assert records["perfetta"]["versioni"].keys() == {"chiave-di-lettura", "nbgrader", "numpy"}


def test_table_and_csv_show_an_empty_mark_as_empty(graded, tmp_path):
    root, report = graded
    lines = table(report).splitlines()
    assert any(re.match(r"infinita\s+tempo scaduto\s+—", line) for line in lines)
    write_csv("es02", class_outcomes(Register(root), "es02"), tmp_path / "v.csv")
    rows = [line.split(";") for line in (tmp_path / "v.csv").read_text("utf-8-sig").splitlines()]
    assert {row[0]: row[4] for row in rows[1:]} == {
        name: "" if mark is None else str(mark) for name, (_, mark) in EXPECTED.items()
    }


def test_graded_again_in_another_order_the_marks_are_the_same(graded, tmp_path):
    root = new_course(tmp_path / "corso")
    chosen = {name: samples.eight()[name] for name in ("sbagliata", "crollata", "perfetta")}
    samples.write_all(
        tmp_path / "arrivi", {f"{9 - i}-{name}": nb for i, (name, nb) in enumerate(chosen.items())}
    )
    for _ in range(2):
        report = grade_class(root, "es02", tmp_path / "arrivi", limits=LIMITS)
        marks = {o.student[2:]: (str(o.verdict), o.points) for o in report.outcomes}
        assert marks == {name: EXPECTED[name] for name in chosen}


def test_a_mark_becomes_empty_when_the_new_submission_cannot_be_graded(require, tmp_path):
    require("bwrap")
    root = new_course(tmp_path / "corso")
    for work, expected in (
        (samples.solved(), ("valutato", 10)),
        (samples.solved(project=samples.CRASH), ("interrotto", None)),
    ):
        samples.write_all(tmp_path / "arrivi", {"anna": work})
        (outcome,) = grade_class(root, "es02", tmp_path / "arrivi", limits=LIMITS).outcomes
        assert (str(outcome.verdict), outcome.points) == expected
    with Gradebook(f"sqlite:///{root}/registro/gradebook.db") as gradebook:
        assert gradebook.assignment_submissions("es02") == []
    assert not (root / "registro/corretti/anna/es02").exists()


def test_an_endless_function_costs_its_tests_only(require, tmp_path):
    """La cella dimostrativa del testo chiama la funzione e non finisce: non è una cella dell'allievo."""
    require("bwrap")
    root = new_course(tmp_path / "corso")
    endless = "def combine(weights, V):\n    while True:\n        pass\n"
    samples.write_all(tmp_path / "arrivi", {"anna": samples.solved(combine=endless)})
    (outcome,) = grade_class(root, "es02", tmp_path / "arrivi", limits=LIMITS).outcomes
    assert (str(outcome.verdict), outcome.points) == ("valutato", 6)
    page = outcome.feedback.read_text("utf-8")
    assert "Non eseguita fino in fondo" in page
    assert "superati 2 secondi" in page


def test_the_csv_holds_the_whole_class_after_a_second_collection(require, tmp_path):
    require("bwrap")
    root = new_course(tmp_path / "corso")
    for name in ("anna", "bruno"):
        samples.write_all(tmp_path / name, {name: samples.only()})
        grade_class(root, "es02", tmp_path / name, limits=LIMITS)
    assert [o.student for o in class_outcomes(Register(root), "es02")] == ["anna", "bruno"]


def test_formgrader_finds_its_own_pages_and_our_feedback(tmp_path):
    config = grading_settings(new_course(tmp_path / "corso"))
    ours = HTMLExporter(config=config, template_name="feedback")
    assert "Prova per prova" in ours.environment.loader.get_source(ours.environment, ours.template_file)[0]
    theirs = HTMLExporter(config=config, template_name="formgrade")
    assert theirs.environment.get_template(theirs.template_file) is not None


def test_a_fault_of_ours_touches_one_submission_and_leaves_no_zero(require, tmp_path, monkeypatch):
    require("bwrap")
    root = new_course(tmp_path / "corso")
    samples.write_all(tmp_path / "arrivi", dict.fromkeys(("anna", "bruno", "carla"), samples.only()))
    prepare = single._prepare

    def breaks(job, submission):
        prepare(job, submission)
        if submission.student == "bruno":
            raise OSError("disco guasto")

    monkeypatch.setattr(single, "_prepare", breaks)
    outcomes = grade_class(root, "es02", tmp_path / "arrivi", limits=LIMITS).outcomes
    assert [(o.student, o.points) for o in outcomes] == [("anna", 0), ("bruno", None), ("carla", 0)]
    assert "guasto del corso" in outcomes[1].reason
    assert "disco guasto" in (root / "registro/diario.jsonl").read_text("utf-8")


def test_what_an_interrupted_run_left_is_taken_out_of_the_gradebook(require, tmp_path):
    require("bwrap")
    root = new_course(tmp_path / "corso")
    samples.write_all(tmp_path / "anna", {"anna": samples.only()})
    grade_class(root, "es02", tmp_path / "anna", limits=LIMITS)
    (root / "registro/esiti/es02/anna.json").unlink()  # come se fosse stata fermata prima della fine
    samples.write_all(tmp_path / "bruno", {"bruno": samples.only()})
    grade_class(root, "es02", tmp_path / "bruno", limits=LIMITS)
    with Gradebook(f"sqlite:///{root}/registro/gradebook.db") as gradebook:
        assert [s.student_id for s in gradebook.assignment_submissions("es02")] == ["bruno"]

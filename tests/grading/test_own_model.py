"""L'attenzione nel modello per tutto il percorso: consegna, box, giudice, voti e pagine."""

from __future__ import annotations

import datetime as dt
import json

import nbformat
import numpy as np
import pytest

from course_lib.grading.box import Box
from course_lib.grading.handin import hand_in
from course_lib.grading.judge import evaluate
from course_lib.grading.limits import Limits
from course_lib.grading.local_check import check_notebook
from course_lib.grading.pipeline import code_digest, grade_class
from course_lib.grading.preflight import rebuild
from course_lib.grading.preprocessors import NOT_RUN, BoxAndJudge, trains
from course_lib.grading.register import Register, sha256, write_atomically
from course_lib.grading.session import Cell
from tests.grading import own_model_course
from tests.own_model import ATTENTION, NO_MASK, NO_SCALE, npz, parameters, parameters_without_mask

DOUBLE = "def double(x):\n    return 2 * x\n"
ASK = 'from course_lib.checks import verifica_modello\nverifica_modello("es97", masked_attention'
TESTS = [
    (Cell("prova", f"{ASK})\n### BEGIN HIDDEN TESTS\n{ASK}, nascosti={{'a': 5}})\n### END HIDDEN TESTS"), 1.0)
]
# Le librerie hanno file .npz loro, e possono stare sotto /tmp se è lì il corso.
LOOKS = """
import os

def masked_attention(Q, K, V, mask):
    walked = [found for top in ("/tmp", "/corso") for found in os.walk(top)]
    names = [name for folder, _, files in walked if "site-packages" not in folder for name in files]
    if any(name.endswith(".npz") for name in names) or "wire.py" not in names:
        raise ValueError
    raise IndexError
"""

pytestmark = pytest.mark.usefixtures("sample")


@pytest.fixture
def result(isolation):
    """L'esito della prova nel modello: il testo dell'allievo, i file consegnati."""

    def run(pupil: str, files: dict[str, bytes], limits: Limits = Limits(cell_seconds=40)):  # noqa: B008
        with Box(isolation, limits) as box:
            done = evaluate(box, [Cell("risposta", pupil)], [], TESTS, ("masked_attention",), files=files)
        return done.results["prova"]

    return run


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Un corso con es97 soltanto."""
    root = tmp_path_factory.mktemp("modello")
    own_model_course.build(root)
    return root


def test_the_judge_calls_the_pupil_s_attention_with_the_parameters_handed_in(result):
    assert result(ATTENTION, {"es08.npz": npz(parameters())}).passed


def test_a_file_on_the_judge_s_disk_does_not_count(result, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "es08.npz").write_bytes(npz(parameters()))
    assert "manca es08.npz" in result(ATTENTION, {}).message


@pytest.mark.parametrize(
    ("pupil", "arrays", "slip"),
    [
        (NO_SCALE, parameters, "numeri diversi dalla formula"),
        (NO_MASK, parameters_without_mask, "maschera ignorata"),
        (ATTENTION, None, "parametri non addestrati"),
    ],
    ids=["senza scala", "senza maschera", "non addestrati"],
)
def test_the_slips_are_named_through_the_wire_too(result, pupil, arrays, slip):
    got = result(pupil, {"es08.npz": npz(arrays() if arrays else None)})
    assert not got.passed
    assert got.slip == slip
    assert not got.hidden


def test_the_file_does_not_enter_the_box(result):
    got = result(LOOKS, {"es08.npz": npz(parameters())})
    assert "IndexError" in got.message


def test_a_call_without_end_fails_that_test_alone(result):
    endless = "def masked_attention(Q, K, V, mask):\n    while True: pass"
    got = result(endless, {"es08.npz": npz(parameters())}, Limits(cell_seconds=40, call_seconds=1))
    assert not got.passed
    assert str(got.failure) == "tempo scaduto"


def test_what_crosses_the_wire_cannot_lie(result):
    liar = (
        "import numpy as np\nclass Liar(np.ndarray):\n    pass\n"
        "def masked_attention(Q, K, V, mask):\n    return np.zeros(V.shape).view(Liar)"
    )
    got = result(liar, {"es08.npz": npz(parameters())})
    assert "restituisce un valore di un tipo non previsto" in got.message


@pytest.mark.lento
def test_a_class_gets_its_marks(require_bwrap, built, tmp_path):
    work, arrivals = tmp_path / "lavoro", tmp_path / "arrivi"
    for name, (answers, model) in CLASS.items():
        folder = work / name
        folder.mkdir(parents=True)
        (folder / "es97.ipynb").write_bytes(own_model_course.answered(built, **answers))
        if model is not None:
            (folder / "es08.npz").write_bytes(model())
        hand_in(
            folder / "es97.ipynb", "es97", name, arrivals, dt.datetime(2026, 11, 20, tzinfo=dt.UTC), built
        )
    report = grade_class(built, "es97", arrivals)
    marks = {outcome.student: (str(outcome.verdict), outcome.points) for outcome in report.outcomes}
    assert marks == {name: ("valutato", points) for name, points in EXPECTED.items()}
    register = Register(built)
    page = register.feedback("es97", "anna").read_text("utf-8")
    assert NOT_RUN.strip() in page
    assert page.count("addestramento eseguito") == 1  # nel testo della cella
    assert "2718281828459045" not in page
    assert "manca es08.npz" in register.feedback("es97", "bruno").read_text("utf-8")
    assert "oggetti di Python" in register.feedback("es97", "fabio").read_text("utf-8")
    assert "Non trovo «masked_attention»" in register.feedback("es97", "gaia").read_text("utf-8")
    record = json.loads(register.outcome("es97", "dario").read_bytes())
    assert {test["name"]: test["slip"] for test in record["prove"] if not test["passed"]} == {
        "masked-attention-prova": "maschera ignorata"
    }
    assert not list(register.feedback("es97", "anna").parent.glob("*.npz"))
    again = grade_class(built, "es97", arrivals)
    assert again.already == len(CLASS)


def right(**answers: str) -> dict[str, str]:
    return {"double": DOUBLE, "masked_attention": ATTENTION} | answers


CLASS = {
    "anna": (right(), lambda: npz(parameters())),
    "bruno": (right(), None),
    "carla": ({}, lambda: npz(parameters())),
    "dario": (right(masked_attention=NO_MASK), lambda: npz(parameters_without_mask())),
    "elena": (right(double="def double(x):\n    return x\n"), lambda: npz(parameters())),
    "gaia": (right(masked_attention="masked_attention = 3\n"), lambda: npz(parameters())),
    "fabio": (right(), lambda: npz(b_out=np.array([print] * 105, dtype=object))),
}
EXPECTED = {"anna": 10, "bruno": 7, "carla": 0, "dario": 7, "elena": 4, "fabio": 7, "gaia": 7}


@pytest.mark.lento
def test_the_check_before_handing_in_reads_the_file_and_does_not_train(built, tmp_path):
    path = tmp_path / "es97.ipynb"
    peek = 'def double(x):\n    assert open("es08.npz", "rb").read(2) == b"PK"\n    return 2 * x\n'
    path.write_bytes(own_model_course.answered(built, double=peek))
    (tmp_path / "es08.npz").write_bytes(npz())
    check = check_notebook(path, "es97", built)
    assert [passed for _, _, passed, _ in check.tests] == [True, True, True, False]
    assert not (tmp_path / "addestrato.txt").exists()


@pytest.mark.parametrize("ours", [True, False], ids=["preparata dal corso", "messa a mano"])
def test_the_judge_reads_the_file_where_the_submission_comes_from(sample, tmp_path, ours):
    register = Register(tmp_path)
    who = ("es97", "anna")
    notebook = register.submitted(*who) / "es97.ipynb"
    for path, data in (
        (notebook, b"{}"),
        (notebook.with_name("es08.npz"), b"a mano"),
        (register.handed(*who) / "es08.npz", b"consegnato"),
        (register.handed(*who) / "altro.npz", b"altro"),
    ):
        write_atomically(path, data)
    if ours:
        write_atomically(register.rebuilt_mark(*who), sha256(b"{}").encode())
    step = BoxAndJudge(root=str(tmp_path))
    resources = {"nbgrader": {"assignment": "es97", "student": "anna"}}
    assert step.handed(sample, resources) == {"es08.npz": b"consegnato" if ours else b"a mano"}


def test_a_link_put_by_hand_is_not_followed(sample, tmp_path):
    folder = Register(tmp_path).submitted("es97", "anna")
    folder.mkdir(parents=True)
    (tmp_path / "segreto").write_bytes(b"segreto")
    (folder / "es08.npz").symlink_to(tmp_path / "segreto")
    resources = {"nbgrader": {"assignment": "es97", "student": "anna"}}
    assert BoxAndJudge(root=str(tmp_path)).handed(sample, resources) == {}


def test_the_training_cell_is_locked_and_keeps_its_tag(built):
    for kind in ("solutions", "exercises"):
        notebook = nbformat.read(built / kind / "es97" / "es97.ipynb", as_version=4)
        (cell,) = (cell for cell in notebook.cells if cell.metadata.get("tags") == ["addestramento"])
        assert trains(cell)
        assert cell.metadata.nbgrader["locked"]
        assert not cell.metadata.nbgrader["grade"]
        assert not cell.metadata.nbgrader["solution"]
    answer = next(cell for cell in notebook.cells if cell.id == "double-risposta")
    answer.metadata.tags = ["addestramento"]
    assert not trains(answer)


def test_an_answer_may_import_the_two_checks_and_nothing_else_of_the_course(built):
    release = nbformat.read(built / "exercises" / "es97" / "es97.ipynb", as_version=4)
    for module, suspect in (
        ("checks import verifica, verifica_modello", False),
        ("learning.losses import cross_entropy", True),
        ("transformer.attention import scaled_dot_product_attention", True),
        ("learning.autograd import Tensor", True),
    ):
        text = f"from course_lib.{module}\n{ATTENTION}"
        submitted = nbformat.reads(
            own_model_course.answered(built, masked_attention=text).decode(), as_version=4
        )
        assert bool(rebuild(submitted, release).suspect) == suspect


def test_the_code_that_decides_the_marks_includes_the_model(monkeypatch):
    before = code_digest()
    monkeypatch.setattr("course_lib.grading.pipeline.PARTS", ("checks", "grading", "transformer"))
    assert code_digest() != before

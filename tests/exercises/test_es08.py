"""Ciò che vale soltanto per es08: errori promessi, conti su carta, oracoli, le due celle dell'addestramento.

Che ogni errore sia riconosciuto e ogni risposta giusta passi lo prova test_slips.py, per tutti gli esercizi.
"""

from __future__ import annotations

import ast

import nbformat
import numpy as np
import pytest

from course_lib.building.rules import TRAINING, role
from course_lib.checks import VerificaFallita, exercise, verifica_modello
from course_lib.checks.handed import handed
from course_lib.checks.own_model import SEED
from course_lib.grading.preflight import rebuild
from course_lib.learning.agreement_model import train_agreement
from course_lib.learning.autograd import Tensor
from course_lib.learning.generation import next_probabilities
from course_lib.learning.losses import cross_entropy
from tests.conftest import ROOT
from tests.exercises.conftest import answer_id, exercise_source, failure, solved
from tests.exercises.right.es08 import HALF
from tests.own_model import npz, parameters

EXERCISE = exercise("es08")
REFERENCE = {check.name: check.reference for check in EXERCISE.checks}


def training_cells() -> list[str]:
    return [cell.source for cell in exercise_source("es08").cells if role(cell) == TRAINING]


def test_the_slips_that_the_course_promises_are_there():
    names = {check.name: {slip.name for slip in check.slips} for check in EXERCISE.checks}
    assert {"logaritmo di 0", "media sull'asse sbagliato"} <= names["cross_entropy"]
    assert {"p + y", "non diviso per le posizioni"} <= names["cross_entropy_gradient"]
    assert "uno di troppo" in names["keep_top_k"]
    assert "escluso quello che raggiunge la somma" in names["keep_top_p"]
    assert "temperatura moltiplicata" in names["sample"]


def test_the_paper_cases():
    cases = {check.name: check.inputs()[0] for check in EXERCISE.checks}
    results = {name: REFERENCE[name](*case) for name, case in cases.items()}
    assert results["cross_entropy"] == pytest.approx(-np.log(0.6 * 0.25) / 2)
    assert results["cross_entropy_gradient"] == pytest.approx(
        np.array([[0.1, -0.2, 0.1], [0.25, 0.125, -0.375]])
    )
    for name in ("keep_top_k", "keep_top_p"):
        assert results[name] == pytest.approx([0, 2 / 3, 1 / 3, 0])
    p = cases["keep_top_p"][0]
    assert [np.count_nonzero(REFERENCE["keep_top_p"](p, mass)) for mass in (5 / 8, 3 / 4, 1 / 2)] == [2, 2, 1]
    assert REFERENCE["keep_top_k"](p, 3) == pytest.approx([1 / 7, 4 / 7, 2 / 7, 0])
    logits, tau, u = cases["sample"]
    assert [REFERENCE["sample"](logits, tau, each) for each in (u, 0.45, 0)] == [1, 2, 0]


def test_the_loss_is_the_librarys_and_the_gradient_is_its_slope():
    rng = np.random.default_rng(5)
    logits, targets = rng.normal(size=(6, 4)), rng.integers(0, 4, size=6)
    assert REFERENCE["cross_entropy"](logits, targets) == pytest.approx(cross_entropy(logits, targets))
    tensor = Tensor(logits, requires_grad=True)
    cross_entropy(tensor, targets).backward()
    gradient = REFERENCE["cross_entropy_gradient"](logits, targets)
    assert gradient == pytest.approx(tensor.grad)
    for place in np.ndindex(logits.shape):
        up, down = logits.copy(), logits.copy()
        up[place] += 1e-5
        down[place] -= 1e-5
        slope = (REFERENCE["cross_entropy"](up, targets) - REFERENCE["cross_entropy"](down, targets)) / 2e-5
        assert gradient[place] == pytest.approx(slope, abs=1e-9)


def test_the_choices_are_the_librarys():
    rng = np.random.default_rng(6)
    logits = rng.normal(size=9)
    p = next_probabilities(logits)
    for k in range(1, 10):
        assert REFERENCE["keep_top_k"](p, k) == pytest.approx(next_probabilities(logits, top_k=k))
    for mass in (0.1, 0.4, 0.7, 0.95, 1.0):
        assert REFERENCE["keep_top_p"](p, mass) == pytest.approx(next_probabilities(logits, top_p=mass))
    for tau in (0.5, 1.0, 3.0):
        us = (np.arange(4000) + 0.5) / 4000
        drawn = np.bincount([REFERENCE["sample"](logits, tau, u) for u in us], minlength=9) / 4000
        assert drawn == pytest.approx(next_probabilities(logits, tau), abs=1 / 2000)


def test_a_high_accuracy_is_not_enough():
    """Senza scala il modello indovina come prima, con gli stessi parametri; la formula però è un'altra."""
    space = {"np": np}
    exec(HALF["masked_attention"], space)
    with handed({"es08.npz": npz(parameters())}), pytest.raises(VerificaFallita) as caught:
        verifica_modello("es08", space["masked_attention"])
    assert caught.value.slip == "numeri diversi dalla formula"


def test_the_solution_is_differentiable_as_it_stands():
    ours = train_agreement(0, steps=5)
    yours = train_agreement(0, steps=5, attention=solved("es08")["masked_attention"])
    assert np.abs(np.subtract(ours.history.loss, yours.history.loss)).max() < 1e-5


@pytest.mark.parametrize(
    ("name", "source", "module"),
    [
        (
            "cross_entropy",
            "from course_lib.learning.losses import cross_entropy",
            "course_lib.learning.losses.cross_entropy",
        ),
        ("sample", "import course_lib.learning.generation as g", "course_lib.learning.generation"),
        (
            "masked_attention",
            "from course_lib.transformer import scaled_dot_product_attention as masked_attention",
            "course_lib.transformer.scaled_dot_product_attention",
        ),
    ],
)
def test_an_answer_that_imports_the_course_s_own_is_refused_with_the_reason(name, source, module):
    release = nbformat.read(ROOT / "exercises" / "es08" / "es08.ipynb", as_version=4)
    submitted = nbformat.read(ROOT / "exercises" / "es08" / "es08.ipynb", as_version=4)
    (cell,) = [cell for cell in submitted.cells if cell.id == answer_id(name)]
    assert rebuild(submitted, release, EXERCISE.box_modules).suspect is None
    cell.source = source + "\n" + cell.source
    written = answer_id(name).removesuffix("-risposta")
    reason = rebuild(submitted, release, EXERCISE.box_modules).suspect
    assert reason == f"la risposta «{written}» importa {module}, che l'esercizio non prevede"
    text = "\n".join(cell.source for cell in exercise_source("es08").cells)
    assert "una risposta che importa da `course_lib` le funzioni del corso non si corregge da sola" in text


def until(mass, p, arrived):
    """Gli ID presi finché arrived non dice di fermarsi, senza quello che fa arrivare."""
    sums = np.cumsum(np.sort(p)[::-1])
    return np.argsort(-p, kind="stable")[: np.sum(~arrived(sums, mass))]


def kept(p, ids):
    result = np.zeros(len(p))
    result[ids] = p[ids]
    with np.errstate(all="ignore"):
        return result / result.sum()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda p, mass: kept(p, until(mass, p, np.greater_equal)),
        lambda p, mass: kept(p, until(mass, p, np.greater)),
        lambda p, mass: kept(p, until(mass, p, np.greater_equal) if p.max() < mass else p.argmax()),
    ],
)
def test_forgetting_the_token_that_arrives_is_one_slip(wrong):
    shown = failure("es08", wrong, nome="keep_top_p")
    assert shown.slips == ("escluso quello che raggiunge la somma",)
    assert "non è il solo" not in shown.messaggio


def test_an_integer_that_happens_to_match_is_not_a_diagnosis():
    def peak_divided_alone(logits, tau, u):
        e = np.exp(logits - logits.max() / tau)
        return int(np.argmax(np.cumsum(e / e.sum()) > u))

    shown = failure("es08", peak_divided_alone, nome="sample")
    assert "radice" not in shown.messaggio


# --- le celle dell'addestramento -------------------------------------------------------------------------


def test_the_text_trains_with_the_seed_of_the_judge():
    (call,) = [
        node
        for node in ast.walk(ast.parse(training_cells()[0]))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "train_agreement"
    ]
    assert call.args[0].value == SEED
    assert [(each.arg, each.value.id) for each in call.keywords] == [("attention", "masked_attention")]


def nothing_yet(*args):
    raise NotImplementedError


def test_before_the_answers_the_two_cells_say_what_they_wait_for(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    space = {"np": np, **dict.fromkeys(EXERCISE.exports, nothing_yet)}
    exec(training_cells()[0], space)
    assert capsys.readouterr().out.startswith("L'addestramento aspetta masked_attention")
    assert list(tmp_path.iterdir()) == []
    exec(training_cells()[1], space)
    assert capsys.readouterr().out.startswith("Per scrivere servono l'addestramento e le funzioni 3, 4 e 5")


@pytest.mark.parametrize(
    ("attention", "said"),
    [
        (lambda Q, K, V, mask: V.data * 1.0, "per strada ha lasciato i Tensor"),
        (lambda Q, K, V, mask: Q @ K.missing, "(AttributeError)"),
        (lambda Q, K, V, mask: np.zeros(3), "per strada ha lasciato i Tensor"),
    ],
)
def test_what_stops_the_training_is_told_in_a_sentence(monkeypatch, tmp_path, capsys, attention, said):
    """Nessuna traccia di Python; e il file di prima non resta a fare le veci del nuovo."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "es08.npz").write_bytes(b"di prima")
    space = {"np": np, "trained": "di prima", "masked_attention": attention}
    exec(training_cells()[0], space)
    printed = capsys.readouterr().out
    assert printed.startswith("L'addestramento si è fermato (")
    assert said in printed
    assert space["trained"] is None
    assert list(tmp_path.iterdir()) == []
    exec(training_cells()[1], space)
    assert capsys.readouterr().out.startswith("Per scrivere servono l'addestramento")


@pytest.mark.lento
def test_the_two_cells_write_the_file_and_sentences_that_agree(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    space = solved("es08")
    exec(training_cells()[0], space)
    said = capsys.readouterr().out
    assert "genere giusto su 1600 frasi mai viste: 1,000" in said
    assert "senza guardare il soggetto e il suo articolo:  0,500" in said
    assert space["picture"].png.startswith(b"\x89PNG")
    verifica_modello("es08", space["masked_attention"])
    with np.load("es08.npz") as file:
        shapes = {name: file[name].shape for name in file.files}
    assert shapes == {name: array.shape for name, array in parameters().items()}
    capsys.readouterr()
    exec(training_cells()[1], space)
    written = capsys.readouterr().out.splitlines()
    adjectives = written[0].split(": ")[1].split(", ")
    assert len(adjectives) >= 8
    assert all(word.endswith("a") for word in adjectives)
    cold = [line.split() for line in written[written.index("temperatura 0,5") + 1 :][:3]]
    assert all(line[:2] == ["la", "chiave"] and line[5] == "era" and line[6].endswith("a") for line in cold)
    monkeypatch.setitem(space, "keep_top_p", lambda p, mass: None)
    exec(training_cells()[1].partition("\n\ntry:")[2].join(["try:", ""]), space)
    assert capsys.readouterr().out.startswith("Una tua funzione si ferma, o restituisce altro (TypeError)")

"""es03: gli errori tipici per nome, le risposte giuste, i messaggi, la cella finale."""

from __future__ import annotations

import ast
import math
import re

import numpy as np
import pytest

from course_lib.building.rules import points, role
from course_lib.checks import exercise, verifica
from course_lib.transformer.attention import scaled_dot_product_attention, softmax
from tests.exercises.conftest import exercise_source, failure, first_line, hidden_inputs, quietly, test_cells
from tests.exercises.right.es03 import HALF, HALF_POINTS, RIGHT

EXERCISE = exercise("es03")
HIDDEN = hidden_inputs("es03")
WRONG = [(c, slip, wrong) for c in EXERCISE.checks for slip in c.slips for wrong in c.wrong_functions(slip)]


def label(value):
    return getattr(value, "name", None)


@pytest.mark.parametrize(("check", "slip", "function"), WRONG, ids=label)
def test_every_slip_is_named_on_visible_and_hidden_inputs(check, slip, function):
    assert failure("es03", function, nome=check.name).slips == (slip.name,)
    assert failure("es03", function, nome=check.name, nascosti=HIDDEN[check.name]).slips == (slip.name,)


@pytest.mark.parametrize(
    ("check", "function"), [(c, f) for c in EXERCISE.checks for f in [c.reference, *RIGHT[c.name]]], ids=label
)
def test_every_right_answer_passes(check, function):
    assert quietly("es03", function, nome=check.name).startswith("✓")
    assert quietly("es03", function, nome=check.name, nascosti=HIDDEN[check.name]).startswith("✓")


def test_the_slips_that_the_course_promises_are_there():
    names = {check.name: {slip.name for slip in check.slips} for check in EXERCISE.checks}
    scale, lost = "scala dalla lunghezza sbagliata", {"tutti gli assi rovesciati", "una sola frase"}
    one = {"massimo non sottratto", "un massimo solo per tutte le righe", "softmax sul primo asse"}
    assert one <= names["softmax"]
    assert {"QᵀK al posto di QKᵀ", scale, *lost} <= names["block_scores"]
    assert {"QᵀK al posto di QKᵀ", scale, *lost, *one} <= names["attention"]


@pytest.mark.parametrize("check", EXERCISE.checks, ids=label)
def test_an_empty_function_has_its_own_message(check):
    def stub(*args):
        raise NotImplementedError

    line = first_line("es03", stub, nome=check.name)
    assert line == f"✗ {check.name}: non hai ancora scritto questa funzione."


# come li scriverebbe chi studia
NATURAL = {
    "massimo non sottratto": "lambda s: np.exp(s) / np.exp(s).sum(axis=-1, keepdims=True)",
    "massimo non sottratto (math)": (
        "lambda s: np.array([naive(row) for row in s.reshape(-1, s.shape[-1])]).reshape(s.shape)"
    ),
    "un massimo solo per tutte le righe": (
        "lambda s: np.exp(s - s.max()) / np.exp(s - s.max()).sum(axis=-1, keepdims=True)"
    ),
    "un totale solo per tutte le righe": "lambda s: np.exp(s - s.max()) / np.sum(np.exp(s - s.max()))",
    "softmax sul primo asse": "lambda s: np.exp(s - s.max(axis=0)) / np.exp(s - s.max(axis=0)).sum(axis=0)",
}


@pytest.mark.parametrize("name", NATURAL)
def test_a_slip_as_pupils_write_it_is_named(name):
    def naive(row):
        exponentials = [math.exp(s) for s in row]
        return [e / sum(exponentials) for e in exponentials]

    failed = failure("es03", eval(NATURAL[name], {"np": np, "naive": naive}), nome="softmax")
    assert failed.slips == (name.split(" (")[0],)


# scritture che prima restavano senza nome
UNNAMED_BEFORE = [
    (
        "block_scores",
        lambda Q, K: Q @ np.swapaxes(K, -1, -2) / len(K) ** 0.5,
        "scala dalla lunghezza sbagliata",
    ),
    (
        "block_scores",
        lambda Q, K: Q @ np.swapaxes(K, -1, -2) / Q.shape[-1] ** 1 / 2,
        "esponente senza parentesi",
    ),
    (
        "block_scores",
        lambda Q, K: Q @ np.swapaxes(K, -1, -2) / (Q.shape[-1] ** 1 / 2),
        "esponente senza parentesi",
    ),
    ("block_scores", lambda Q, K: np.dot(Q, K.T) / math.sqrt(Q.shape[-1]), "frasi mescolate"),
    (
        "at_temperature",
        lambda s, tau: np.exp(s / tau - (s / tau).max()) / np.exp(s / tau - (s / tau).max()).sum(),
        "un totale solo per tutte le righe",
    ),
]


@pytest.mark.parametrize(("name", "function", "slip"), UNNAMED_BEFORE)
def test_a_slip_that_trying_found_is_named(name, function, slip):
    assert failure("es03", function, nome=name).slips == (slip,)


@pytest.mark.parametrize(
    ("name", "function", "said"),
    [
        ("block_scores", lambda Q, K: Q @ np.swapaxes(K, 1, 2), "L'asse che hai indicato qui non c'è"),
        ("softmax", lambda s: np.exp(s - max(s)) / sum(np.exp(s - max(s))), "Un confronto fra array"),
        ("attention", lambda Q, K, V: scaled_dot_product_attention(Q, K, V)[0], "separati da una virgola"),
        ("attention", lambda Q, K, V: list(scaled_dot_product_attention(Q, K, V)), "separati da una virgola"),
    ],
)
def test_the_advice_fits_what_went_wrong(name, function, said):
    message = failure("es03", function, nome=name).messaggio
    assert said in message
    assert "due forme non combaciano" not in message


def test_one_maximum_is_invisible_when_rows_are_near():
    """È il motivo per cui gli ingressi hanno righe lontanissime: vicine, lo sbaglio non si vede."""
    one = EXERCISE.check("softmax").family(highest="all")
    near = np.random.default_rng(0).normal(size=(4, 5)) * 20
    np.testing.assert_allclose(one(near), softmax(near), rtol=1e-9)
    with np.errstate(all="ignore"):
        assert np.isnan(one(np.array([[0.0, 1.0], [1000.0, 1001.0]]))).any()


def test_shapes_come_before_values():
    message = failure("es03", lambda Q, K: K @ Q.T, nome="block_scores").messaggio
    assert "forma attesa (2, 3), forma ottenuta (3, 2)" in message


def test_the_paper_cases_come_out_exact():
    def first(name):
        check = EXERCISE.check(name)
        return check.reference(*check.inputs()[0])

    e = [math.exp(-2), math.exp(-1), 1]
    np.testing.assert_allclose(first("softmax"), [part / sum(e) for part in e], rtol=1e-12)
    np.testing.assert_allclose(first("at_temperature"), [0.25, 0.75], rtol=1e-12)
    np.testing.assert_allclose(first("block_scores"), [[2, 2, 1], [2, 3, 0]], rtol=1e-12)
    output, weights = first("attention")
    np.testing.assert_allclose(weights, [[1 / 3] * 3, [0.5, 0.25, 0.25]], rtol=1e-12)
    np.testing.assert_allclose(output, [[2, 4], [2.5, 3]], rtol=1e-12)


def test_the_reference_is_the_librarys_attention():
    rng = np.random.default_rng(8)
    Q, K, V = (rng.normal(size=shape) for shape in ((2, 3, 4, 5), (2, 3, 6, 5), (2, 3, 6, 2)))
    for mine, theirs in zip(
        EXERCISE.check("attention").reference(Q, K, V), scaled_dot_product_attention(Q, K, V), strict=True
    ):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12)


def test_lengths_tell_slips_apart():
    hidden = [
        one for given in HIDDEN["attention"].values() for one in (given if type(given) is list else [given])
    ]
    for cases in (EXERCISE.check("attention").inputs(), hidden):
        assert max(len({Q.shape[-2], K.shape[-2], Q.shape[-1], V.shape[-1]}) for Q, K, V in cases) == 4


@pytest.mark.parametrize(("check", "slip"), [(c, s) for c in EXERCISE.checks for s in c.slips], ids=label)
def test_no_question_gives_the_answer_away(check, slip):
    assert "?" in slip.question
    assert not re.search(r"@|np\.|\.sum|sqrt|exp\(|\*\*|axis=|keepdims|swapaxes", slip.question)
    assert not re.search(r"\bpes[oi]\b", slip.question)


def solved():
    space = {"np": np, "verifica": verifica}
    for cell in exercise_source("es03").cells:
        if role(cell) == "risposta":
            exec(cell.source, space)
    return space


def test_half_right_earns_what_it_says():
    space, source = solved(), exercise_source("es03")
    for text in HALF.values():
        exec(text, space)
    earned = 0
    for cell in test_cells("es03"):
        name = re.match(r'verifica\("es03", (\w+)\)', cell.source)[1]
        if name in HALF:
            failure("es03", space[name], nome=name)
        else:
            assert quietly("es03", space[name], nome=name, nascosti=HIDDEN[name]).startswith("✓")
            earned += points(source, cell)
    assert earned == HALF_POINTS


def run_closing(space):
    cell = [cell for cell in exercise_source("es03").cells if cell.kind == "code"][-1]
    tree = ast.parse(cell.source)
    last = ast.Expression(tree.body.pop().value)
    exec(compile(tree, "cella", "exec"), space)
    return eval(compile(last, "cella", "eval"), space)


@pytest.mark.parametrize(
    "attention",
    [None, lambda *args: None, lambda *args: 1 / 0, lambda *args: (1, 2), lambda *args: (np.ones(2),) * 2],
)
def test_the_closing_cell_waits_for_unfinished_functions(attention, capsys):
    space = {"np": np} | ({"attention": attention} if attention else {})
    assert run_closing(space) is None
    assert capsys.readouterr().out.startswith("La mappa aspetta le tue funzioni: per ora")


def test_the_closing_cell_draws_both_sentences_of_one_call():
    space = solved()
    assert repr(run_closing(space)).startswith("Con τ = 1 «arrugginita» guarda soprattutto «chiave»")
    assert repr(space["draw_map"](1)).startswith("Con τ = 1 «arrugginiti» guarda soprattutto «libri»")
    assert "«arrugginita» guarda soprattutto «chiave»" in repr(space["draw_map"](0, tau=0.001))
    assert "«arrugginita» guarda tutti quasi allo stesso modo" in repr(space["draw_map"](0, tau=100))

"""es03: gli errori tipici per nome, le risposte giuste, i messaggi, la cella finale."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from course_lib.checks import exercise
from course_lib.transformer.attention import scaled_dot_product_attention, softmax
from tests.exercises.conftest import (
    failure,
    hidden_inputs,
    run_closing,
    solved,
)

EXERCISE = exercise("es03")
HIDDEN = hidden_inputs("es03")


def test_the_slips_that_the_course_promises_are_there():
    names = {check.name: {slip.name for slip in check.slips} for check in EXERCISE.checks}
    scale, lost = "scala da una dimensione sbagliata", {"tutti gli assi rovesciati", "una sola frase"}
    one = {"massimo non sottratto", "un massimo solo per tutte le righe", "softmax sul primo asse"}
    assert one <= names["softmax"]
    assert {"QᵀK al posto di QKᵀ", scale, *lost} <= names["block_scores"]
    assert {"QᵀK al posto di QKᵀ", scale, *lost, *one} <= names["attention"]


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
        "scala da una dimensione sbagliata",
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


@pytest.mark.parametrize(
    "attention",
    [None, lambda *args: None, lambda *args: 1 / 0, lambda *args: (1, 2), lambda *args: (np.ones(2),) * 2],
)
def test_the_closing_cell_waits_for_unfinished_functions(attention, capsys):
    space = {"np": np} | ({"attention": attention} if attention else {})
    assert run_closing("es03", space) is None
    assert capsys.readouterr().out.startswith("La mappa aspetta le tue funzioni: per ora")


def test_the_closing_cell_draws_both_sentences_of_one_call():
    space = solved("es03")
    assert repr(run_closing("es03", space)).startswith("Con τ = 1 «arrugginita» guarda soprattutto «chiave»")
    assert repr(space["draw_map"](1)).startswith("Con τ = 1 «arrugginiti» guarda soprattutto «libri»")
    assert "«arrugginita» guarda soprattutto «chiave»" in repr(space["draw_map"](0, tau=0.001))
    assert "«arrugginita» guarda tutti quasi allo stesso modo" in repr(space["draw_map"](0, tau=100))
    numbers = [re.sub(r"[^\d,\n]+", " ", repr(space["draw_map"](which)).split("↓")[1]) for which in (0, 1)]
    assert numbers[0] == numbers[1]        # «i nomi cambiano, i numeri no»


def test_the_map_follows_the_sentences_and_says_what_it_wants(capsys):
    space = solved("es03")
    run_closing("es03", space)
    draw_map = space["draw_map"]
    space["SENTENCES"][1] = "La chiave era accanto ai libri nuovi"
    assert draw_map(1) is None
    assert "manca il vettore di «nuovi»" in capsys.readouterr().out
    space["VECTORS"]["nuovi"] = (-1, 1, 0, 1)
    assert repr(draw_map(1)).startswith("Con τ = 1 «nuovi» guarda soprattutto «libri»")
    space["SENTENCES"][1] = "La chiave era"
    assert draw_map(0) is None
    assert "i token di queste sono 7 e 3." in capsys.readouterr().out
    for wrong in ((2, 1.0), (0, 0), (0, -1), (0, "alta")):
        assert draw_map(*wrong) is None
        assert capsys.readouterr().out.startswith("Mi aspettavo la frase 0 o la 1")


@pytest.mark.parametrize(
    ("attention", "reason"),
    [
        (lambda Q, K, V: (K @ np.swapaxes(Q, -1, -2) @ V, K @ np.swapaxes(Q, -1, -2)), "non hanno somma 1"),
        (lambda Q, K, V: scaled_dot_product_attention(Q, K, V)[0], "non restituisce i due array"),
        (lambda Q, K, V: Q @ K, "si ferma con ValueError"),
    ],
)
def test_the_closing_cell_says_what_is_wrong(attention, reason, capsys):
    assert run_closing("es03", {"np": np, "attention": attention}) is None
    assert reason in capsys.readouterr().out


# scritture trovate da chi ha provato l'esercizio senza averlo mai visto
def _half_filled(Q, K):
    if Q.ndim > 2:
        return np.array([_half_filled(q, k) for q, k in zip(Q, K, strict=True)])
    out = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            out[i, j] = Q[i] @ K[j] / math.sqrt(Q.shape[1])
        return out


def _one_list(Q, K):
    if Q.ndim > 2:
        return np.array([_one_list(q, k) for q, k in zip(Q, K, strict=True)])
    out = [[0.0] * len(K)] * len(Q)
    for i in range(len(Q)):
        for j in range(len(K)):
            out[i][j] = Q[i] @ K[j] / math.sqrt(Q.shape[1])
    return np.array(out)


def _products(Q, K):
    return Q @ np.swapaxes(K, -1, -2)


def _row_by_row(scores):
    return np.array([np.exp(row - np.max(row)) / np.sum(np.exp(row - np.max(row))) for row in scores])


def _range_too_short(Q, K):
    scores = _products(Q, K) / math.sqrt(Q.shape[-1])
    out = np.zeros(scores.shape)
    for i in range(Q.shape[-2] - 1):
        out[..., i, :] = scores[..., i, :]
    return out


def _keys_combined(Q, K, V):
    weights = softmax(_products(Q, K) / math.sqrt(Q.shape[-1]))
    return weights @ K, weights


BLIND = [
    ("softmax", _row_by_row, "scritta per una tabella"),
    ("block_scores", _range_too_short, "manca l'ultimo giro"),
    ("attention", _keys_combined, "combinate le key"),
    ("softmax", lambda s: np.exp(s - 1000) / np.exp(s - 1000).sum(axis=-1, keepdims=True),
     "un altro numero al posto del massimo"),
    ("softmax", lambda s: softmax(np.clip(s, -700, 700)), "punteggi tagliati"),
    ("at_temperature", lambda s, tau: softmax(s / 2), "temperatura fissa"),
    ("block_scores", lambda Q, K: _products(Q, K) / math.sqrt(K.shape[1]),
     "scala da una dimensione sbagliata"),
    ("block_scores", lambda Q, K: _products(Q, K) / 2, "scala fissa"),
    ("block_scores", _half_filled, "return dentro il ciclo"),
    ("block_scores", _one_list, "una riga sola ripetuta"),
    ("attention", lambda Q, K, V: (_products(Q, K) / math.sqrt(Q.shape[-1]) @ V,
                                   _products(Q, K) / math.sqrt(Q.shape[-1])), "softmax dimenticata"),
    ("attention", lambda Q, K, V: (np.dot(softmax(_products(Q, K) / math.sqrt(Q.shape[-1])), V),
                                   softmax(_products(Q, K) / math.sqrt(Q.shape[-1]))), "frasi mescolate"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "function", "slip"), BLIND)
def test_a_slip_that_a_blind_solver_made_is_named(name, function, slip):
    assert failure("es03", function, nome=name).slips == (slip,)


def test_the_visible_cases_see_what_they_let_through():
    def powers(scores, tau):
        weights = softmax(scores) ** (1 / tau)
        return weights / weights.sum(axis=-1, keepdims=True)

    def zeroed(scores):
        weights = softmax(scores)
        return np.where(weights < 1e-3, 0.0, weights)

    def three_axes(Q, K, V):
        if Q.ndim > 3:
            raise ValueError
        return tuple(scaled_dot_product_attention(Q, K, V))

    for name, wrong in (("at_temperature", powers), ("softmax", zeroed), ("attention", three_axes)):
        failure("es03", wrong, nome=name)

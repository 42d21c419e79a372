"""Ciò che vale soltanto per es05: errori promessi, conti su carta, la rotazione, le lancette alla fine.

Che ogni errore sia riconosciuto e ogni risposta giusta passi lo prova test_slips.py, per tutti gli esercizi.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from course_lib.checks import exercise, verifica
from course_lib.transformer import examples, positions
from course_lib.transformer.embeddings import simulator_embedding
from tests.exercises.conftest import failure, hidden_inputs, quietly, run_closing

EXERCISE = exercise("es05")
HIDDEN = hidden_inputs("es05")


def test_the_slips_that_the_course_promises_are_there():
    names = {check.name: {slip.name for slip in check.slips} for check in EXERCISE.checks}
    assert {"i al posto di 2i", "d dispari non previsto"} <= names["frequencies"]
    assert {
        "seni e coseni in due metà",
        "i al posto di 2i",
        "posti contati da 1",
        "gradi al posto dei radianti",
        "d dispari non previsto",
    } <= names["positional_encoding"]
    assert {"segno del seno", "posto preso dall'ID"} <= names["final_vector"]
    assert "posizioni contate lungo le frasi" in names["add_positions"]
    assert "gira all'indietro" in names["rotation"]


def test_the_reference_is_the_librarys():
    references = {check.name: check.reference for check in EXERCISE.checks}
    for d in (1, 2, 5, 8):
        encoding = positions.sinusoidal_encoding(9, d)
        np.testing.assert_allclose(references["positional_encoding"](9, d), encoding, rtol=0, atol=1e-14)
        expected = simulator_embedding(13, d) + 0.3 * encoding[6]
        np.testing.assert_allclose(references["final_vector"](13, 6, d), expected, rtol=0, atol=1e-14)
        assert len(references["frequencies"](d)) == math.ceil(d / 2)
    for k, d in ((1, 2), (-4, 6), (30, 8)):
        R = positions.rotation(k, d)
        np.testing.assert_allclose(references["rotation"](k, d), R, rtol=0, atol=1e-14)
    X = np.random.default_rng(2).normal(size=(2, 3, 4))
    expected = X + 1.5 * positions.sinusoidal_encoding(3, 4)
    np.testing.assert_allclose(references["add_positions"](X, 1.5), expected, rtol=0, atol=1e-14)


def test_the_paper_cases():
    """Con i numeri scritti nella scheda, fino alle cifre che la scheda dà."""
    s, c = math.sin(1), math.cos(1)
    shown = {
        "frequencies": [1, 0.01],
        "positional_encoding": [[0, 1, 0, 1], [s, c, math.sin(0.01), math.cos(0.01)]],
        "final_vector": examples.regola().rows["finale, posizione 2"].right,
        "add_positions": [
            [[1, 2.5], [3 + s / 2, c / 2], [1 + math.sin(2) / 2, 2 + math.cos(2) / 2]],
            [[0, 0.5], [s / 2, c / 2], [math.sin(2) / 2, 1 + math.cos(2) / 2]],
        ],
        "rotation": [[c, s], [-s, c]],
    }
    for name, expected in shown.items():
        check = EXERCISE.check(name)
        np.testing.assert_allclose(check.reference(*check.inputs()[0]), expected, rtol=0, atol=1e-11)


def test_lengths_tell_slips_apart():
    """Frasi, token e dimensioni sono almeno una volta tutti diversi, e una volta le frasi quanti i token."""
    for cases in (EXERCISE.check("add_positions").inputs(), every(HIDDEN["add_positions"])):
        shapes = [X.shape for X, _ in cases]
        assert any(len(shape) == 3 and len(set(shape)) == 3 for shape in shapes)
        assert any(len(shape) == 3 and shape[0] == shape[1] for shape in shapes)
        assert any(shape[0] == 1 for shape in shapes)
    for cases in (EXERCISE.check("final_vector").inputs(), every(HIDDEN["final_vector"])):
        assert sum(token_id != position for token_id, position, _ in cases) >= 3


def every(hidden):
    return [case for given in hidden.values() for case in (given if type(given) is list else [given])]


@pytest.mark.parametrize(
    ("name", "wrong", "rule"),
    [
        (
            "rotation",
            lambda k, d: np.eye(d) * (1.0 + k),
            "Moltiplica la tua matrice per la codifica del posto 3: ottieni quella del posto 3 + k?",
        ),
        (
            "add_positions",
            lambda X, scale: X + scale * np.arange(X.size).reshape(X.shape),
            "Il token che sta al posto 1 riceve la stessa codifica in ogni frase: è così nel tuo risultato?",
        ),
    ],
)
def test_an_unknown_error_still_gets_the_question_of_a_property(name, wrong, rule):
    failed = failure("es05", wrong, nome=name)
    assert failed.slip is None
    assert failed.messaggio.split("\n")[-1] == rule


def test_writing_into_the_sentences_is_told():
    def writes(X, scale):
        right = EXERCISE.check("add_positions").reference(X, scale)
        if X.dtype.kind == "f":
            X[...] = right
        return right

    assert failure("es05", writes, nome="add_positions").slip == "ingressi modificati"


def embedding(token_id, d):
    factor = np.arange(d) + 1
    return 0.5 * np.sin(0.5 * token_id * factor) + 0.3 * np.cos(0.3 * token_id * factor)


def encoding(n, d):
    return EXERCISE.check("positional_encoding").reference(n, d)


def into_a_copy(X, scale):
    result = X.copy()
    result += scale * encoding(*X.shape[-2:])
    return result


def three_axes(X, scale):
    _, n, d = X.shape
    return X + scale * encoding(n, d)


def test_whole_numbers_that_are_right_pass():
    def running_product(d):
        found = [1]
        while len(found) < (d + 1) // 2:
            found.append(found[-1] / 10000 ** (2 / d))
        return np.array(found)

    quietly("es05", running_product, nome="frequencies")


@pytest.mark.parametrize(
    ("name", "wrong", "slip"),
    [
        ("frequencies", lambda d: 10000.0**-2 * np.arange((d + 1) // 2) / d, "parentesi dell'esponente"),
        (
            "positional_encoding",
            lambda n, d: np.array(
                [
                    [(np.cos if j % 2 else np.sin)(p / 10000 ** (2 * (j // 2)) / d) for j in range(d)]
                    for p in range(n)
                ]
            ),
            "parentesi dell'esponente",
        ),
        (
            "final_vector",
            lambda token_id, position, d: embedding(token_id, d) + 0.3 * encoding(position, d)[position - 1],
            "un posto di meno",
        ),
        (
            "final_vector",
            lambda token_id, position, d: embedding(token_id, d) + 0.3 * encoding(9, d)[position - 1],
            "un posto di meno",
        ),
        ("add_positions", into_a_copy, "somma scritta in X"),
        ("add_positions", three_axes, "assi contati dall'inizio"),
        ("frequencies", lambda d: 10.000 ** (-np.arange(0, d, 2) / d), "un'altra base"),
        ("positional_encoding", lambda n, d: np.array([list(encoding(n, d)[-1])] * n), "righe tutte uguali"),
        (
            "final_vector",
            lambda token_id, position, d: embedding(position, d) + 0.3 * encoding(token_id + 1, d)[token_id],
            "ID e posto scambiati",
        ),
        ("rotation", lambda k, d: EXERCISE.check("rotation").reference(abs(k), d), "k negativo non previsto"),
    ],
)
def test_slips_as_a_pupil_writes_them(name, wrong, slip):
    assert failure("es05", wrong, nome=name).slip == slip


# --- la cella finale -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("functions", "begins"),
    [
        ({}, "Le lancette aspettano le funzioni 1, 2 e 5: scrivile, ed esegui le loro celle."),
        (
            {"positional_encoding": lambda n, d: np.zeros((n, d)), "rotation": lambda k, d: None},
            "Le lancette non si possono disegnare: una tua funzione si ferma, o restituisce altro (",
        ),
        (
            {"positional_encoding": lambda n, d: None, "rotation": lambda k, d: 1 / 0},
            "Le lancette non si possono disegnare: una tua funzione si ferma, o restituisce altro (",
        ),
    ],
)
def test_the_closing_cell_waits_for_unfinished_functions(functions, begins, capsys):
    assert run_closing("es05", {"np": np, "verifica": verifica, **functions}) is None
    said = capsys.readouterr().out
    assert said.startswith(begins)


def test_the_closing_cell_draws_the_hands_and_finds_a_wrong_rotation(solution, capsys):
    space = dict(solution)
    shown = repr(run_closing("es05", space))
    assert shown.startswith("La rotazione di 3 posti ritrova ogni lancetta: scarto 0,000.\nposto 3: (0,141; ")
    assert repr(space["draw_clocks"](k=44, d=4)).startswith("La rotazione di 44 posti ritrova ogni lancetta")
    assert space["draw_clocks"](d=5) is None
    assert "d pari" in capsys.readouterr().out
    for asked in ({"k": -2}, {"d": 512}, {"n": 0}, {"k": 1.5}):
        assert space["draw_clocks"](**asked) is None
        assert "k da 0 a 1000" in capsys.readouterr().out
    assert repr(space["draw_clocks"](k=1)).startswith("La rotazione di 1 posto ritrova")
    from_one = {**space, "positional_encoding": lambda n, d: encoding(n + 1, d)[1:]}
    assert repr(run_closing("es05", from_one)).startswith("Al posto 0 le tue lancette non segnano")
    space["rotation"] = lambda k, d: np.eye(d)
    assert repr(space["draw_clocks"]()).startswith("La rotazione di 3 posti non ritrova le lancette: scarto ")

"""Dagli ID ai vettori: la tabella e la formula del simulatore."""

import math

import numpy as np
import pytest

from course_lib.transformer.embeddings import Embedding, simulator_embedding
from tests.transformer.support import expect_same


def test_rows_of_the_table():
    table = np.arange(8.0).reshape(4, 2)
    embedding = Embedding(table)
    expect_same(embedding([3, 0, 3]), [[6, 7], [0, 1], [6, 7]], 0.0)
    expect_same(embedding(2), [4, 5], 0.0)
    assert embedding([[0], [1]]).shape == (2, 1, 2)
    assert embedding([]).shape == (0, 2)
    assert embedding.table is table
    assert embedding.n_parameters == 8


def test_a_row_is_a_one_hot_product():
    embedding = Embedding.random(5, 3, np.random.default_rng(0))
    ids = [4, 1]
    expect_same(embedding(ids), np.eye(5)[ids] @ embedding.table, 0.0)


def test_random_table_follows_its_seed():
    one, two = (Embedding.random(400, 25, np.random.default_rng(9), np.float32) for _ in range(2))
    assert one.table.tobytes() == two.table.tobytes()
    assert one.table.dtype == np.float32
    assert one.table.std() == pytest.approx(1 / 5, rel=0.03)  # 10 000 componenti di varianza 1/d


@pytest.mark.parametrize(
    ("ids", "part"),
    [
        ([0, -1], r"ids\[1\] vale -1: mi aspettavo un intero fra 0 e 3"),
        ([[0], [4]], r"ids\[1, 0\] vale 4"),
        (7, "ids vale 7"),
        ([0.0], "ids: mi aspettavo numeri interi, è arrivato un array di tipo float64"),
        ([True], "ids: mi aspettavo numeri interi, è arrivato un array di tipo bool"),
    ],
)
def test_ids_outside_the_vocabulary_are_refused(ids, part):
    with pytest.raises(ValueError, match=part):
        Embedding(np.zeros((4, 2)))(ids)


def test_a_table_has_two_axes():
    with pytest.raises(ValueError, match=r"table: mi aspettavo la forma \(V, d\), .*\(3,\)"):
        Embedding(np.zeros(3))


def test_the_word_regola():
    expect_same(simulator_embedding(4, 4), [0.5633560, -0.5996194, -0.4087353, 0.5209288], 5e-8)


def test_simulator_formula_for_many_ids():
    ids = np.array([[0, 7, 32], [1, 2, 3]])

    def component(t, i):
        return 0.5 * math.sin(t * (i + 1) * 0.5) + 0.3 * math.cos(t * (i + 1) * 0.3)

    expected = [[[component(t, i) for i in range(8)] for t in row] for row in ids.tolist()]
    expect_same(simulator_embedding(ids, 8), expected, 1e-12, np.float64)
    expect_same(simulator_embedding(0, 3), [0.3, 0.3, 0.3], 0.0)
    assert simulator_embedding([], 3).shape == (0, 3)


@pytest.mark.parametrize(("token_id", "d"), [(-1, 4), (0.5, 4), (1, 0), (1, 2.0)])
def test_simulator_refuses(token_id, d):
    with pytest.raises(ValueError, match="mi aspettavo"):
        simulator_embedding(token_id, d)

"""Numeri che si possono rifare su un foglio, o con la sola libreria standard."""

import math
import warnings

import numpy as np
import pytest

from course_lib.transformer import Attention, scaled_dot_product_attention, softmax
from course_lib.transformer.examples import chiave_libri_era, with_fourth_candidate
from tests.transformer.support import expect_same, loop_attention

E = math.e


@pytest.fixture(autouse=True)
def _no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


# (punteggi, tipo, maschera, coefficienti attesi, tolleranza); gli attesi sono frazioni di potenze di e
SOFTMAX_BY_HAND = {
    "due punteggi uguali": ([5.0, 5.0], float, None, [0.5, 0.5], 1e-15),
    "logaritmi di 1, 2 e 5": ([0.0, math.log(2), math.log(5)], float, None, [1 / 8, 2 / 8, 5 / 8], 1e-15),
    "ogni riga per conto suo": (
        [[1, 2], [3, 5]],
        int,
        None,
        [[1 / (1 + E), E / (1 + E)], [1 / (1 + E**2), E**2 / (1 + E**2)]],
        1e-15,
    ),
    "interi grandissimi": (
        [1000, 1001, 1002],
        int,
        None,
        [1 / (1 + E + E * E), E / (1 + E + E * E), E * E / (1 + E + E * E)],
        1e-15,
    ),
    "righe lontane centinaia di unità": (
        [[900.0, 900.0], [-900.0, -900.0]],
        float,
        None,
        [[0.5, 0.5], [0.5, 0.5]],
        1e-15,
    ),
    "True vuol dire che si può guardare": ([0, 0, 0], int, [True, True, False], [0.5, 0.5, 0.0], 1e-15),
    "la maschera viene prima della somma": (
        [0.0, math.log(2), math.log(3)],
        float,
        [True, True, False],
        [1 / 3, 2 / 3, 0.0],
        1e-15,
    ),
    "una riga che non può guardare nulla": (
        [[0.0, 1.0], [3.0, 2.0]],
        float,
        [[False, False], [True, True]],
        [[0, 0], [E / (1 + E), 1 / (1 + E)]],
        1e-15,
    ),
    "mezza precisione con la maschera": (
        [1.0, 2.0, 3.0],
        np.float16,
        [True, True, False],
        [1 / (1 + E), E / (1 + E), 0.0],
        3e-4,
    ),
    "una riga di −∞ conta come vuota": ([-math.inf, -math.inf], float, None, [0.0, 0.0], 0.0),
    "un −∞ solo è come vietato": ([-math.inf, 0.0, 0.0], float, None, [0.0, 0.5, 0.5], 1e-15),
    "un punteggio vietato può essere qualunque cosa": (
        [math.nan, math.inf, 1.0, 1.0],
        float,
        [False, False, True, True],
        [0, 0, 0.5, 0.5],
        1e-15,
    ),
    "gli estremi del tipo": ([1.7e308, -1.7e308], float, None, [1.0, 0.0], 0.0),
}


@pytest.mark.parametrize("name", SOFTMAX_BY_HAND)
def test_softmax_by_hand(name):
    scores, dtype, mask, expected, tolerance = SOFTMAX_BY_HAND[name]
    actual = softmax(np.array(scores, dtype=dtype), mask=None if mask is None else np.array(mask))
    expect_same(actual, expected, tolerance, np.float64 if dtype is int else dtype)


def test_softmax_along_columns():
    expect_same(
        softmax([[1, 2], [3, 5]], axis=0),
        [[1 / (1 + E**2), 1 / (1 + E**3)], [E**2 / (1 + E**2), E**3 / (1 + E**3)]],
        1e-15,
    )


def test_a_row_with_nothing_allowed_gives_output_zero():
    Q, K, V = np.ones((2, 3)), np.ones((4, 3)), np.arange(8.0).reshape(4, 2)
    mask = np.array([[False] * 4, [False, True, True, False]])
    output, weights = scaled_dot_product_attention(Q, K, V, mask)
    expect_same(weights, [[0, 0, 0, 0], [0, 0.5, 0.5, 0]], 0.0)
    expect_same(output, [[0, 0], [3, 4]], 0.0)


def test_scale_replaces_the_root():
    Q, K, V = [[2.0]], [[1.0], [0.0]], [[1.0], [0.0]]
    expect_same(scaled_dot_product_attention(Q, K, V, scale=0.5).output, [[E / (1 + E)]], 1e-15)
    expect_same(scaled_dot_product_attention(Q, K, V, scale=0).output, [[0.5]], 1e-15)


def test_the_root_is_that_of_d_k():
    # d_k = 4, d_v = 1, L = 1, S = 2: solo √4 dà punteggi (1; 0)
    Q, K = [[1.0, 1.0, 0.0, 0.0]], [[1.0, 1.0, 5.0, 5.0], [0.0, 0.0, 5.0, 5.0]]
    expect_same(scaled_dot_product_attention(Q, K, [[1.0], [0.0]]).output, [[E / (1 + E)]], 1e-15)


def test_result_is_a_named_pair():
    result = scaled_dot_product_attention([[1.0]], [[1.0]], [[7.0]])
    assert type(result) is Attention
    assert result._fields == ("output", "weights")
    output, weights = result
    assert output is result.output
    assert weights is result.weights


@pytest.mark.parametrize("make", [chiave_libri_era, with_fourth_candidate])
def test_example_is_consistent(make):
    example = make()
    n = len(example.tokens)
    expect_same(example.x @ example.W_Q, example.q, 0.0)
    expect_same(example.x @ example.W_K, example.k, 0.0)
    expect_same(example.x @ example.W_V, example.v, 0.0)
    expect_same(example.q @ example.k.T / math.sqrt(2), example.scores, 0.0)
    output, weights = loop_attention(example.q, example.k, example.v)  # il solito conto, con i cicli
    expect_same(weights, example.weights, 1e-12)
    expect_same(output, example.output, 1e-12)
    assert example.weights.shape == (n, n)
    result = scaled_dot_product_attention(example.q, example.k, example.v)
    expect_same(result.weights, example.weights, 1e-12)
    expect_same(result.output, example.output, 1e-12)


def test_example_has_the_numbers_of_the_document():
    example = chiave_libri_era()
    assert example.tokens == ("chiave", "libri", "era")
    expect_same(example.q[2], [math.sqrt(2), 0], 0.0)
    expect_same(example.k, [[2, 0], [0, 0], [1, 0]], 0.0)
    expect_same(example.v, [[1, 0], [0, 1], [0.5, 0.5]], 0.0)
    expect_same(example.scores, [[4, 0, 2], [0, 0, 0], [2, 0, 1]], 0.0)
    expect_same(example.weights[2], [0.665241, 0.090031, 0.244728], 5e-7)
    expect_same(example.output[2], [0.787605, 0.212395], 5e-7)


def test_fourth_candidate_lowers_every_coefficient_by_one_factor():
    three, four = chiave_libri_era().weights[2], with_fourth_candidate().weights[2]
    factor = (E**2 + 2 + E - 1) / (E**2 + 2 + E)
    expect_same(four[:3], three * factor, 1e-12)
    expect_same(four[3:], [1 / (E**2 + 2 + E)], 1e-12)


def test_examples_are_fresh_copies():
    chiave_libri_era().x[0, 0] = 99.0
    expect_same(chiave_libri_era().x, [[1, 0], [0, 1], [0.5, 0.5]], 0.0)


def test_axis_belongs_to_the_scores_even_if_the_mask_has_more_axes():
    scores = np.array([[0.0, 5.0], [0.0, 5.0], [0.0, 5.0]])
    mask = np.ones((4, 3, 2), dtype=bool)
    mask[1, 0] = False
    actual = softmax(scores, axis=0, mask=mask)
    third, half = np.full((3, 2), 1 / 3), np.array([[0.0, 0.0], [0.5, 0.5], [0.5, 0.5]])
    expect_same(actual, [third, half, third, third], 1e-15)

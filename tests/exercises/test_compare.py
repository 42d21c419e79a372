"""Il confronto: tipo esatto, forma, tipo dei numeri, valori, valori finiti."""

from __future__ import annotations

import numpy as np
import pytest

from course_lib.checks.compare import compare
from course_lib.checks.values import freeze

ROW = np.array([0.25, 0.75])


def kind(expected, got, **options):
    """Il tipo della differenza fra expected e got fotografato, o None."""
    difference = compare(expected, freeze(got), **options)
    return difference and difference.kind


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (ROW, np.array([0.25, 0.75 + 1e-12])),
        (ROW, np.array([0.25, 0.75], dtype=np.longdouble)),
        (0.5, 0.5),
        (0.5, np.float64(0.5)),
        (0.5, np.float32(0.5)),
        (2.0, 2),
        (2.0, np.int64(2)),
        (0.5, np.array(0.5)),
        (3, np.uint8(3)),
        (True, np.bool_(True)),
        (np.array([1, 2]), np.array([1, 2], dtype=np.uint8)),
        (np.array([True, False]), np.array([True, False])),
        (np.zeros((0, 3)), np.zeros((0, 3))),
        (["la", "chiave"], ["la", "chiave"]),
        ({("l", "a"): 2, "b": [1, 2]}, {"b": [1, 2], ("l", "a"): 2}),
        ([1, 2], [np.int64(1), 2]),
        ((ROW, 1.0), (ROW.copy(), np.float64(1.0))),
        (np.array([np.nan, np.inf]), np.array([np.nan, np.inf])),
        (np.float64(1e240), 1e240 * (1 + 1e-9)),
    ],
)
def test_the_same_value_in_any_exact_form_is_equal(expected, got):
    assert kind(expected, got) is None


@pytest.mark.parametrize(
    ("expected", "got", "wanted"),
    [
        (ROW, None, "nulla"),
        (ROW, [0.25, 0.75], "tipo"),
        (ROW, (0.25, 0.75), "tipo"),
        (ROW, "[0.25 0.75]", "tipo"),
        (ROW, ROW.view(np.matrix), "tipo"),
        (ROW, np.ma.array([0.25, 0.75]), "tipo"),
        (ROW, True, "tipo"),
        (ROW, 0.25, "forma"),
        (ROW, ROW[None, :], "forma"),
        (ROW, ROW[:, None], "forma"),
        (np.ones((1, 3)), np.zeros((0, 3)), "forma"),
        (np.ones((2, 3)), np.ones(3), "forma"),
        (0.5, np.array([0.5]), "forma"),
        (ROW, np.array([0.25, 0.75], dtype=object), "dtype"),
        (ROW, np.array(["0.25", "0.75"]), "dtype"),
        (ROW, np.array([True, True]), "dtype"),
        (np.array([1.0, 2.0]), np.array([1, 2]), "dtype"),
        (np.array([1.0, 2.0]), np.array([1 + 0j, 2]), "dtype"),
        (ROW, ROW.astype(np.float32), "dtype"),
        (1.0, True, "dtype"),
        (1.0, np.bool_(True), "dtype"),
        (3, 3.0, "dtype"),
        (1, True, "dtype"),
        (True, 1, "dtype"),
        (1.5, "1.5", "tipo"),
        (ROW, np.array([0.25, 0.7501]), "valori"),
        (ROW, np.array([0.25, 0.750001]), "valori"),
        (ROW, np.array([np.nan, 0.75]), "non finito"),
        (ROW, np.array([0.25, np.inf]), "non finito"),
        (0.5, np.nan, "non finito"),
        (np.array([np.inf]), np.array([3.0]), "valori"),
        (np.array([np.inf]), np.array([-np.inf]), "valori"),
        ("la", "La", "valori"),
        (["la"], ("la",), "tipo"),
        (["la", "chiave"], ["la"], "lunghezza"),
        ({"a": 1}, {"b": 1}, "lunghezza"),
        ({"a": 1}, {"a": 2}, "valori"),
        ((ROW, ROW), (ROW, ROW[::-1].copy()), "valori"),
        ((ROW, ROW), ROW, "tipo"),
        ((ROW, ROW), (ROW,), "lunghezza"),
    ],
)
def test_each_difference_has_its_kind(expected, got, wanted):
    assert kind(expected, got) == wanted


def test_low_precision_widens_the_tolerance_and_only_when_the_inputs_have_it():
    rough = (ROW * (1 + 1e-5)).astype(np.float32)
    assert kind(ROW, rough) == "dtype"
    assert kind(ROW, rough, low=True) is None
    assert kind(ROW, (ROW * 1.01).astype(np.float32), low=True) == "valori"


def test_integers_pass_where_the_exercise_allows_them():
    assert kind(np.array([1.0, 2.0]), np.array([1, 2]), kinds="iuf") is None
    assert kind(np.array([1.5, 2.0]), np.array([1, 2]), kinds="iuf") == "valori"


def test_a_small_entry_is_not_hidden_by_a_large_one():
    assert kind(np.array([1e6, 1.0]), np.array([1e6, 1.0 + 1e-4])) == "valori"


def test_a_tuple_of_results_says_which_one_differs():
    difference = compare((ROW, ROW), (ROW, 2 * ROW), labels=("z", "weights"))
    assert difference.label == "weights"
    np.testing.assert_array_equal(difference.got, 2 * ROW)

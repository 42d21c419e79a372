"""I casi incontrati sul campo: ogni riga di dati/numeric.json sta per un'intera specie di errori."""

import importlib
import json
import warnings
from pathlib import Path

import numpy as np
import pytest

CASES = json.loads((Path(__file__).parent / "dati" / "numeric.json").read_text(encoding="utf-8"))
NUMBERS = {"-inf": -np.inf, "inf": np.inf, "nan": np.nan}
ARRAYS = {"scores", "mask", "x", "gamma", "beta", "Q", "K", "V"}


def with_numbers(value):
    """Le stringhe "-inf", "inf" e "nan" come numeri, a qualunque profondità."""
    if isinstance(value, list):
        return [with_numbers(v) for v in value]
    return NUMBERS.get(value, value) if isinstance(value, str) else value


def arguments(case):
    """Gli argomenti della chiamata; dtype non è un argomento, è il tipo a cui convertire gli altri array."""
    given = {name: with_numbers(value) for name, value in case["args"].items() if name != "dtype"}
    dtype = case["args"].get("dtype")
    return {
        name: np.array(value, dtype=None if name == "mask" else dtype) if name in ARRAYS else value
        for name, value in given.items()
    }


def call(case):
    module, _, name = f"course_lib.{case['call']}".rpartition(".")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return getattr(importlib.import_module(module), name)(**arguments(case))


def test_all_cases_are_here():
    assert len(CASES) == 15
    assert len({case["id"] for case in CASES}) == 15


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case):
    if "raises" in case:
        assert case["raises"] == "ValueError"
        with pytest.raises(ValueError, match=r"mi aspettavo|dev'essere"):
            call(case)
        return
    actual, expected = np.asarray(call(case), dtype=float), np.array(case["expect"], dtype=float)
    assert actual.shape == expected.shape
    assert np.abs(actual - expected).max() <= case.get("tolerance", 1e-6), actual


def test_dtype_of_a_case_is_kept():
    case = next(case for case in CASES if case["id"] == "mezza-precisione")
    assert call(case).dtype == np.float16

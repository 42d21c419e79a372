"""L'esponenziale è lo stesso nei due modi, anche in quello che questo processore non sceglierebbe."""

import importlib.util
import math

import numpy as np
import pytest
from numpy.lib import introspect

from course_lib.learning import exponentials


@pytest.mark.parametrize(
    ("found", "function"),
    [
        ({"exp2": {"f": {"current": "AVX512_SKX", "available": ""}}}, np.exp2),
        ({"exp2": {"f": {"current": "X86_V4", "available": ""}}}, np.exp2),
        ({"exp2": {"f": {"current": "baseline(X86_V2)", "available": ""}}}, np.exp),
        ({}, np.exp),
    ],
)
def test_both_ways_are_the_exponential(found, function, monkeypatch):
    monkeypatch.setattr(introspect, "opt_func_info", lambda **_: found)
    spec = importlib.util.spec_from_file_location("esponenziali", exponentials.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.exponential is function
    for x in (-3.0, 0.0, 0.7, 5.0):
        assert module.exponential(module.UNIT * x) == pytest.approx(math.exp(x), rel=1e-14)

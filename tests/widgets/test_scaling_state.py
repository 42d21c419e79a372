"""Perché √d: lo stato contro gli stessi vettori, estratti in un colpo solo e moltiplicati con cicli."""

from __future__ import annotations

import json
import math
import statistics

import numpy as np
import pytest

from course_lib.widgets import RootOfD
from course_lib.widgets.scaling import READY
from course_lib.widgets.state import scaling as states


def streams(seed):
    return [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(3)]


def dots(d, seed):
    """I prodotti, sommati componente per componente con la somma esatta di Python."""
    rng_q, rng_k, _ = streams(seed)
    Q, K = (rng.standard_normal((d, states.PAIRS), dtype=np.float32) for rng in (rng_q, rng_k))
    pairs = zip(Q.T.tolist(), K.T.tolist(), strict=True)
    return [math.fsum(a * b for a, b in zip(q, k, strict=True)) for q, k in pairs]


@pytest.mark.parametrize(("d", "seed"), [(2, states.SEED), (12, 5), (64, states.SEED)])
def test_measured_numbers_against_loops(d, seed):
    found, right = states.state(d, seed), dots(d, seed)
    plain, scaled = found["plain"], found["scaled"]
    assert plain["mean"] == pytest.approx(statistics.fmean(right), abs=1e-5)
    assert plain["variance"] == pytest.approx(statistics.variance(right), rel=1e-5)
    assert scaled["variance"] == pytest.approx(plain["variance"] / d)
    assert scaled["mean"] == pytest.approx(plain["mean"] / math.sqrt(d))
    for way, values in (("plain", right), ("scaled", [v / math.sqrt(d) for v in right])):
        part = found[way]
        step = 2 * part["half"] / len(part["counts"])
        inside = [math.floor((v + part["half"]) / step) for v in values if abs(v) < part["half"]]
        mine = [inside.count(k) for k in range(len(part["counts"]))]
        unlike = sum(abs(a - b) for a, b in zip(mine, part["counts"], strict=True))
        assert unlike <= 4                                               # qualcuno sta sul filo fra due barre
        assert part["outside"] == states.PAIRS - sum(part["counts"]) == len(values) - len(inside)


@pytest.mark.parametrize(("d", "seed"), [(2, 7), (512, 7)])
def test_largest_coefficient_against_loops(d, seed):
    found = states.state(d, seed)
    size = (d, states.QUERIES, 1 + states.KEYS)
    both = streams(seed)[2].standard_normal(size, dtype=np.float32).astype(float)
    for way, root in (("plain", 1.0), ("scaled", math.sqrt(d))):
        tops = []
        for r in range(states.QUERIES):
            scores = [float(both[:, r, 0] @ both[:, r, 1 + s]) / root for s in range(states.KEYS)]
            exponentials = [math.exp(s - max(scores)) for s in scores]
            tops.append(max(exponentials) / math.fsum(exponentials))
        assert found["here"][way] == pytest.approx(statistics.fmean(tops), abs=1e-5)
        error = statistics.stdev(tops) / math.sqrt(len(tops))
        assert found["here"][f"{way}_error"] == pytest.approx(error, abs=1e-5)
        assert found["largest"][way][found["dimensions"].index(d)] == found["here"][way]


@pytest.mark.parametrize("d", [2, 16, 512])
@pytest.mark.parametrize("seed", [states.SEED, 11, 12])
def test_variance_is_d_within_its_standard_error(d, seed):
    found = states.state(d, seed)
    for part, expected in ((found["plain"], d), (found["scaled"], 1)):
        assert part["expected"] == expected
        assert part["variance_error"] == pytest.approx(expected * math.sqrt((2 + 6 / d) / states.PAIRS))
        assert abs(part["variance"] - expected) < 4 * part["variance_error"]
        assert abs(part["mean"]) < 4 * part["mean_error"]
        assert part["off"] == pytest.approx(abs(part["variance"] - expected) / part["variance_error"])


def test_the_standard_error_is_what_the_variance_does_over_many_samples():
    measured = [float(states._products(seed, (2,))[0].var(ddof=1)) for seed in range(300)]
    assert statistics.stdev(measured) == pytest.approx(2 * math.sqrt((2 + 6 / 2) / states.PAIRS), rel=0.15)


def test_the_curve_rises_to_one_and_with_the_root_stays():
    found = states.state(512)
    rising, flat = found["largest"]["plain"], found["largest"]["scaled"]
    assert rising[0] < 0.5
    assert rising[-1] > 0.9
    assert max(flat) - min(flat) < 0.1
    assert min(rising + flat) > found["uniform"] == 1 / 8
    assert found["trend"] == {"plain": 0, "scaled": 1}


def test_same_seed_same_numbers_and_the_curve_does_not_depend_on_d():
    a, b = states.state(4, 3), states.state(512, 3)
    assert states.state(4, 3) == a
    assert a["largest"] == b["largest"]
    assert states.state(4, 4)["plain"] != a["plain"]
    between = states.state(50, 3)
    assert between["dimensions"] == sorted([*states.DIMENSIONS, 50])
    place = between["dimensions"].index(50)
    values = between["largest"]["plain"]
    assert values[:place] + values[place + 1 :] == pytest.approx(a["largest"]["plain"])


@pytest.mark.parametrize("d", [1, 513, 0, -2, 2.5, "64", None, True, math.nan])
def test_bad_d_gets_one_sentence(d):
    with pytest.raises(ValueError, match=r"^d: mi aspettavo un numero intero fra 2 e 512"):
        states.state(d)


@pytest.mark.parametrize("seed", [-1, 2**32, "a", None, True])
def test_bad_seed_gets_one_sentence(seed):
    with pytest.raises(ValueError, match=r"^seme: mi aspettavo"):
        states.state(64, seed)


def test_presets_are_fresh_states_and_small():
    widget = RootOfD()
    assert sorted(one["state"]["d"] for one in widget.presets) == list(READY)
    assert widget.presets[0]["state"] == widget.state == states.state(64)
    for one in widget.presets:
        assert one["state"] == states.state(one["state"]["d"])
    assert len(json.dumps(widget.presets, ensure_ascii=False, allow_nan=False).encode()) <= 60_000


def test_requests_and_their_problems():
    widget = RootOfD()
    widget.request = {"serial": 1, "d": 32, "seed": 9}
    assert widget.state == states.state(32, 9)
    widget.request = {"serial": 2, "d": 1000, "seed": 9}
    assert "fra 2 e 512" in widget.answer["problem"]
    assert widget.state["d"] == 32


def test_fallback_says_the_numbers_of_three_dimensions():
    picture = RootOfD().fallback()
    for d in (4, 64, 512):
        assert states.state(d)["finding"] in picture.summary
        assert states.state(d)["finding"] in picture.alt
    assert picture.png.startswith(b"\x89PNG")

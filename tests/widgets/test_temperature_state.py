"""Softmax e temperatura: lo stato contro l'aritmetica decimale e cicli scritti a mano."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.widgets import SoftmaxTemperature
from course_lib.widgets.state import temperature as states
from course_lib.widgets.temperature import SHIFTS, TEMPERATURES

S0 = [0.665240955775, 0.090030573170, 0.244728471055]     # e²/(e²+1+e), 1/(…), e/(…): documento S0
LOGITS = st.lists(st.integers(-60, 60).map(lambda n: n / 10), min_size=3, max_size=8)


def exact(logits, temperature=1.0, shift=0.0):
    """I coefficienti con l'aritmetica decimale: nessun traboccamento, nessun massimo da togliere."""
    powers = [((Decimal(x) + Decimal(shift)) / Decimal(temperature)).exp() for x in logits]
    return [float(p / sum(powers)) for p in powers]


def test_numbers_of_s0():
    found = states.state([2, 0, 1])
    assert found["weights"] == pytest.approx(S0, abs=1e-12)
    assert found["entropy"] == pytest.approx(-sum(p * math.log2(p) for p in S0), abs=1e-9)
    assert found["entropy_max"] == pytest.approx(1.584962500721156)
    assert found["ways"]["stable"]["texts"] == ["1", "0,135", "0,368"]
    assert found["ways"]["float64"]["texts"] == ["7,389", "1", "2,718"]
    assert found["ways"]["float64"]["total"] == "11,107"
    assert found["most"] == [0]


@given(LOGITS, st.sampled_from([0.1, 0.3, 1.0, 2.5, 5.0]), st.sampled_from([0.0, 1.0, -1000.0, 1000.0]))
def test_every_step_against_decimal_arithmetic(logits, temperature, shift):
    found = states.state(logits, temperature, shift)
    right = exact(logits, temperature, shift)
    assert found["weights"] == pytest.approx(right, abs=1e-11)
    assert found["scaled"] == pytest.approx([(x + shift) / temperature for x in logits])
    assert found["reduced"] == pytest.approx([(x - max(logits)) / temperature for x in logits], abs=1e-9)
    assert max(found["reduced"]) == 0
    assert sum(found["weights"]) == pytest.approx(1)
    assert found["entropy"] == pytest.approx(-sum(p * math.log2(p) for p in right if p > 0), abs=1e-9)
    assert -1e-12 <= found["entropy"] <= found["entropy_max"] + 1e-9
    assert found["largest"] == max(found["weights"])
    json.dumps(found, allow_nan=False)


@given(LOGITS)
def test_warmer_is_flatter(logits):
    tops = [states.state(logits, t)["largest"] for t in (0.1, 0.5, 1.0, 2.0, 5.0)]
    assert all(a >= b - 1e-12 for a, b in pairwise(tops))


def test_the_input_is_not_modified_and_a_shift_is_not_in_the_logits():
    logits = np.array([2.0, 0.0, 1.0])
    found = states.state(logits, shift=100)
    assert logits.tolist() == [2.0, 0.0, 1.0] == found["logits"]
    assert found["shifted"] == [102.0, 100.0, 101.0]
    assert any("+100 a tutti i logit: i coefficienti non cambiano" in line for line in found["notes"])
    assert not any("non cambiano" in line for line in states.state(logits)["notes"])


@pytest.mark.parametrize(
    ("kind", "top", "ok"),
    [("float32", 88.7, True), ("float32", 88.8, False), ("float64", 709.7, True), ("float64", 709.8, False)],
)
def test_the_direct_formula_overflows_at_the_limit_of_its_type(kind, top, ok):
    way = states.state([top, 0, 0])["ways"][kind]
    assert way["ok"] is ok
    assert (way["weights"][0] is None) is not ok
    assert way["verdict"] == ("regge: coefficienti giusti" if ok else "trabocca: ∞ ÷ ∞ non è un numero")


def test_what_the_direct_formula_gives_when_it_overflows_or_vanishes():
    some = states.state([800, 0, 1])["ways"]
    assert some["float64"]["texts"] == ["∞", "1", "2,718"]
    assert some["float64"]["weights"] == [None, 0.0, 0.0]        # ∞/∞ non è un numero, 1/∞ è 0
    assert some["float64"]["sum"] is None
    assert some["stable"]["weights"] == pytest.approx([1.0, 0.0, 0.0], abs=1e-12)
    gone = states.state([2, 0, 1], shift=-1000)["ways"]
    for kind in ("float32", "float64"):
        assert gone[kind]["exponentials"] == [0.0, 0.0, 0.0]
        assert gone[kind]["weights"] == [None, None, None]
        assert "0 ÷ 0" in gone[kind]["verdict"]
    assert gone["stable"]["weights"] == pytest.approx(S0, abs=1e-12)
    total = states.state([88.7, 88.7, 88.7])["ways"]["float32"]
    assert (total["ok"], total["weights"]) == (False, [0.0, 0.0, 0.0])
    assert "la somma trabocca" in total["verdict"]


def test_the_direct_formula_can_lose_digits_without_overflowing():
    way = states.state([2, 0, 1], shift=-103)["ways"]["float32"]         # esponenziali sotto 1e−43
    right = exact([2, 0, 1])
    error = max(abs(a - b) for a, b in zip(way["weights"], right, strict=True))
    assert error > 0.001
    assert "perde cifre" in way["verdict"]
    assert states.short(error) in way["verdict"]


def test_the_two_limits_in_words():
    alone = states.state([2, 0, 1], names="abc")["notes"]
    tied = states.state([1, 1, 0, 0], names="abcd")["notes"]
    assert "«a» tende a 1" in alone[0]
    assert "1 ÷ 3 = 0,333" in alone[1]
    assert "i 2 logit più grandi, alla pari, tendono a 0,500" in tied[0]
    equal = states.state([1, 1, 1])
    assert "Coefficienti uguali, 0,333" in equal["finding"]
    assert equal["entropy"] == pytest.approx(equal["entropy_max"])


def test_span_holds_the_logits_and_stays_while_they_move():
    assert states.state([2, 0, 1])["span"] == [-5.0, 5.0]
    assert states.state([1000, 1001, 1002])["span"] == [996.0, 1006.0]
    assert states.state([0, 0, 4], span=[-7, 7])["span"] == [-7.0, 7.0]
    low, high = states.state([0, 0, 90])["span"]
    assert low <= 0
    assert high >= 90


@pytest.mark.parametrize(
    ("logits", "options", "word"),
    [
        ([1, 2], {}, "da 3 a 8"),
        ([1] * 9, {}, "da 3 a 8"),
        ("abc", {}, "testo"),
        (["a", "b", "c"], {}, "numeri"),
        (None, {}, "numeri"),
        ([1, 2, math.nan], {}, "fra"),
        ([1, 2, math.inf], {}, "fra"),
        ([1, 2, 3], {"temperature": 0}, "τ"),
        ([1, 2, 3], {"temperature": 5.1}, "τ"),
        ([1, 2, 3], {"temperature": "1"}, "τ"),
        ([1, 2, 3], {"temperature": math.nan}, "τ"),
        ([1, 2, 3], {"shift": 1e9}, "c:"),
        ([1, 2, 3], {"names": ["a"]}, "3 nomi"),
    ],
)
def test_bad_input_gets_one_sentence(logits, options, word):
    with pytest.raises(ValueError, match=word) as caught:
        states.state(logits, **options)
    assert "\n" not in str(caught.value)


def test_presets_are_fresh_states_and_cover_every_button_without_a_kernel():
    widget = SoftmaxTemperature()
    named = [one for one in widget.presets if one["name"]]
    assert [one["state"]["logits"] for one in named] == [[2, 0, 1], [1000, 1001, 1002], [1, 1, 1]]
    for one in widget.presets:
        s = one["state"]
        assert s == states.state(s["logits"], s["temperature"], s["shift"], s["names"])
    for one in named:
        same = [p["state"] for p in widget.presets if p["state"]["logits"] == one["state"]["logits"]]
        places = [(s["temperature"], s["shift"]) for s in same]
        assert len(places) == len(set(places))
        assert {(t, 0.0) for t in TEMPERATURES} | {(1.0, c) for c in SHIFTS} <= set(places)
    assert len(json.dumps(widget.presets, ensure_ascii=False).encode()) <= 60_000


def test_the_kernel_answers_with_one_candidate_more_or_less():
    widget = SoftmaxTemperature()
    wish = {"logits": [2, 0, 1], "names": ["chiave", "libri", "era"], "temperature": 1, "span": [-5, 5]}
    more = widget.answer_to({**wish, "count": 4})
    assert more["names"] == ["chiave", "libri", "era", "accanto"]
    assert more["logits"] == [2, 0, 1, 0]
    assert more["weights"] == pytest.approx(exact([2, 0, 1, 0]))
    all_names = widget.answer_to({**wish, "count": 8})["names"]
    assert len(set(all_names)) == 8
    fewer = widget.answer_to({**wish, "logits": [2, 0, 1, 4], "names": list("abcd"), "count": 3})
    assert fewer["logits"] == [2, 0, 1]
    for count in (2, 9):
        with pytest.raises(ValueError, match="da 3 a 8"):
            widget.answer_to({**wish, "count": count})


def test_a_bad_request_leaves_the_state_and_says_why():
    widget = SoftmaxTemperature()
    before = widget.state
    widget.request = {"serial": 1, "logits": ["x"] * 3, "names": list("abc"), "temperature": 1}
    assert widget.answer["problem"].startswith("logits: mi aspettavo")
    assert widget.state == before


def test_fallback_says_the_numbers_of_three_temperatures():
    picture = SoftmaxTemperature().fallback()
    for t in (0.5, 1, 2):
        assert f"{max(exact([2, 0, 1], t)):.3f}".replace(".", ",") in picture.summary
    assert "τ = 0,5" in picture.alt
    assert picture.png.startswith(b"\x89PNG")

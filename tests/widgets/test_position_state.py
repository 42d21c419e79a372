"""Lo stato della Posizione: seni e coseni uno per uno, distanze, scambi, «regola» e i suoi errori."""

import json
import math

import numpy as np
import pytest

from course_lib.transformer.examples import regola
from course_lib.transformer.simulator import compare
from course_lib.transformer.simulator import state as simulator
from course_lib.widgets.position import PositionClock
from course_lib.widgets.state.position import presets, state
from course_lib.widgets.state.position_regola import regola_table
from course_lib.widgets.state.position_swap import swaps


@pytest.mark.parametrize(("d", "base"), [(2, 1e4), (5, 10.0), (8, 100.0), (16, 1e4), (3, 1.0)])
def test_every_number_against_sines_and_cosines(d, base):
    found = state(d, base)
    for p in range(24):
        for dim in range(d):
            angle = p / base ** (2 * (dim // 2) / d)
            expected = math.cos(angle) if dim % 2 else math.sin(angle)
            assert found["encoding"][p][dim] == pytest.approx(expected, abs=1e-6)
            assert found["angles"][p][dim // 2] == pytest.approx(angle, abs=1e-6)
            assert found["turns"][p][dim // 2] == pytest.approx(angle / (2 * math.pi), abs=1e-6)
    for k, place in enumerate(found["waves"]["positions"]):
        assert place == pytest.approx(k / 4)
        assert found["waves"]["values"][0][k] == pytest.approx(math.sin(place), abs=6e-4)
        assert found["waves"]["values"][1][k] == pytest.approx(math.cos(place), abs=6e-4)
    assert [pair["dims"] for pair in found["pairs"]][-1] == ([d - 1] if d % 2 else [d - 2, d - 1])
    assert len(found["pairs"]) == (d + 1) // 2


@pytest.mark.parametrize(("d", "base"), [(4, 1e4), (5, 10.0)])
def test_the_dot_product_depends_on_the_distance_only_if_d_is_even(d, base):
    found = state(d, base)
    frequencies = [base ** (-2 * i / d) for i in range(d // 2)]
    for k in range(24):
        values = [found["dots"][p][p + k] for p in range(24 - k)]
        assert found["least"][k] == pytest.approx(min(values), abs=2e-6)
        assert found["most"][k] == pytest.approx(max(values), abs=2e-6)
        if d % 2 == 0:
            expected = sum(math.cos(k * frequency) for frequency in frequencies)
            assert max(values) == pytest.approx(expected, abs=2e-6)
            assert max(values) - min(values) < 2e-6
    assert found["even"] is (d % 2 == 0)
    if d % 2:
        assert max(m - least for m, least in zip(found["most"], found["least"], strict=True)) > 0.5
    assert found["questions"]["distance"]["right"] == d % 2


def test_the_words_say_what_the_numbers_say():
    found = state(8)
    assert found["findings"]["waves"] == "La prima lancetta gira 1000 volte più in fretta dell'ultima"
    assert [pair["frequency"] for pair in found["pairs"]] == pytest.approx([1, 0.1, 0.01, 0.001])
    assert found["pairs"][1]["says"] == "0,100 rad per posto, un giro ogni 63 posti"
    assert found["pairs"][0]["says"] == "1,000 rad per posto, un giro ogni 6,3 posti"
    assert state(2)["questions"]["waves"] is None
    assert state(4, 1)["questions"]["waves"]["right"] == 2
    assert state(4)["questions"]["waves"]["right"] == 0


def attend(ids, d, positions):
    """Le z, con cicli semplici: embedding del simulatore, 0,3 × PE, Q = K = V."""
    x = []
    for p, token in enumerate(ids):
        row = []
        for i in range(d):
            value = 0.5 * math.sin(0.5 * token * (i + 1)) + 0.3 * math.cos(0.3 * token * (i + 1))
            angle = p / 10000 ** (2 * (i // 2) / d)
            row.append(value + (0.3 * (math.cos(angle) if i % 2 else math.sin(angle)) if positions else 0))
        x.append(row)
    z = []
    for q in x:
        exps = [math.exp(sum(a * b for a, b in zip(q, k, strict=True)) / math.sqrt(d)) for k in x]
        z.append([sum(e * v[c] for e, v in zip(exps, x, strict=True)) / sum(exps) for c in range(d)])
    return z


@pytest.mark.parametrize("positions", [False, True])
def test_swapped_words_against_plain_loops(positions):
    ids = simulator("Il gatto mangia il topo")["ids"]
    found = swaps("Il gatto mangia il topo", 4, 1e4)
    key = "on" if positions else "off"
    before = attend(ids, 4, positions)
    assert np.allclose(found["output"][key], before, atol=6e-5)
    assert [one["at"] for one in found["swaps"]] == [[a, b] for a in range(5) for b in range(a + 1, 5)]
    for one in found["swaps"]:
        a, b = one["at"]
        order = [b if p == a else a if p == b else p for p in range(5)]
        after = attend([ids[p] for p in order], 4, positions)
        assert np.allclose(one[key]["output"], after, atol=6e-5)
        change = [max(abs(after[order[p]][c] - before[p][c]) for c in range(4)) for p in range(5)]
        assert one[key]["change"] == pytest.approx(change, abs=1e-9)
        assert one["moved"] == order
        assert all(one["off"]["same"])  # senza posizioni le z si permutano, e basta
        assert one["off"]["question"]["right"] == 0
        assert not one["on"]["same"][a]
        assert one["on"]["question"]["right"] == 1


def test_the_swap_agrees_with_the_simulator():
    both = compare("Il gatto mangia il topo", "Il topo mangia il gatto", 4, positions=False)
    assert np.allclose(both["reordered"], 0)
    one = next(one for one in swaps("Il gatto mangia il topo", 4, 1e4)["swaps"] if one["at"] == [1, 4])
    assert one["tokens"] == ["Il", "topo", "mangia", "il", "gatto"]
    assert one["off"]["finding"].startswith("Senza posizioni le z si scambiano e basta")
    assert one["on"]["finding"].startswith("Con le posizioni le z cambiano, fino a ")
    same = next(one for one in swaps("Il gatto mangia il topo", 4, 1e4)["swaps"] if one["at"] == [0, 3])
    assert "le due parole sono la stessa" in same["on"]["finding"]


def test_regola_has_the_right_values_and_marks_the_printed_slips():
    places, example = regola_table(24)["places"], regola()
    for position in (2, 4):
        names = ["0,5·sin", "0,3·cos", "embedding", f"PE({position})"]
        for i, name in enumerate([*names, None, f"finale, posizione {position}"]):
            if name:
                assert places[position]["values"][i] == pytest.approx(example.rows[name].right, abs=1e-6)
    assert [round(v, 3) for v in places[2]["values"][4]] == [0.273, -0.125, 0.006, 0.3]
    assert places[2]["wrong"][3] == [True, False, False, False]
    assert places[2]["printed"][3][0] == -0.909
    assert places[4]["wrong"][3] == [False] * 4
    assert "PE(2): un segno: sin 2 è positivo" in places[2]["notes"]
    assert places[7]["printed"][3:] == [[None] * 4] * 3
    seven = [math.sin(7), math.cos(7), math.sin(0.07), math.cos(0.07)]
    assert places[7]["values"][3] == pytest.approx(seven, abs=1e-6)
    embedding = places[7]["values"][2]
    final = [e + 0.3 * s for e, s in zip(embedding, seven, strict=True)]
    assert places[7]["values"][5] == pytest.approx(final, abs=2e-6)
    question = regola_table(24)["question"]
    assert question["options"][question["right"]] == ("positivo" if math.sin(2) > 0 else "negativo")


def test_states_and_presets_cross_as_json_and_stay_light():
    widget = PositionClock()
    for value in (widget.state, widget.presets, widget.options):
        json.dumps(value, allow_nan=False)
    assert len(json.dumps(widget.presets)) < 300_000
    assert widget.state == widget.presets[0]["state"]
    assert [one["state"]["d"] for one in presets()] == [8, 2, 4, 16, 8, 8, 5]


def test_the_kernel_changes_what_it_is_asked_and_keeps_the_rest():
    widget = PositionClock()
    found = widget.answer_to({"d": 6})
    assert (found["d"], found["base"], found["name"]) == (6, 10000, "")
    assert widget.answer_to({"base": "12,5"})["base"] == 12.5
    assert widget.answer_to({"base": "10 000"})["base"] == 10000
    assert widget.answer_to({"sentence": " שלום 🗝️ mondo "})["swap"]["tokens"] == ["שלום", "🗝️", "mondo"]


@pytest.mark.parametrize(
    ("request_", "word"),
    [
        ({"d": 1}, "fra 2 e 16"),
        ({"d": 17}, "fra 2 e 16"),
        ({"d": "otto"}, "'otto'"),
        ({"d": 2.5}, "2.5"),
        ({"base": "abc"}, "abc"),
        ({"base": ""}, "base"),
        ({"base": 0}, "da 1 a"),
        ({"base": "9" * 400}, "base"),
        ({"sentence": ""}, "vuota"),
        ({"sentence": "   "}, "vuota"),
        ({"sentence": None}, "vuota"),
        ({"sentence": "a" * 10_000}, "10\u202f000 caratteri"),
        ({"sentence": "sola"}, "1 parola:"),
        ({"sentence": "una due tre quattro cinque sei sette"}, "7 parole"),
    ],
)
def test_a_bad_request_gets_a_sentence_and_loses_nothing(request_, word):
    widget = PositionClock()
    before = widget.state
    widget.request = {**request_, "serial": 1}
    assert widget.state == before
    assert word in widget.answer["problem"]
    assert "guasto" not in widget.answer["problem"]


@pytest.mark.parametrize(
    "arguments",
    [
        *({"n": 0}, {"n": 25}, {"n": True}, {"d": 1}, {"base": "x"}, {"at": 24}),
        *({"view": "mappa"}, {"sentence": "x"}),
    ],
)
def test_bad_arguments(arguments):
    with pytest.raises(ValueError, match=r"mi aspettavo|La frase ha"):
        PositionClock(**arguments)


def test_the_fallback_shows_the_map_and_the_waves():
    data, metadata = PositionClock()._repr_mimebundle_()
    assert "Posto 4: PE = (−0,757; −0,654; 0,389; 0,921; " in data["text/plain"]
    assert "Coppia 1: 0,100 rad per posto" in data["text/plain"]
    assert metadata["image/png"]["alt"] == data["text/plain"]
    assert metadata["image/png"]["width"] <= 850
    for options in ({"n": 1, "d": 3}, {"n": 24, "d": 16}):
        assert PositionClock(**options).fallback().png

"""Le scene dei notebook 3 e 4: ogni numero scritto viene dallo stato che la scena mostra."""

from __future__ import annotations

import numpy as np
import pytest

from course_lib.notation import number
from course_lib.transformer.masks import causal_mask, combine, window_mask
from course_lib.widgets.scenes import by_hand, matrix
from course_lib.widgets.scenes.stages import opened
from course_lib.widgets.state import scaling
from course_lib.widgets.state import temperature as temperatures
from course_lib.widgets.temperature import SoftmaxTemperature
from tests.widgets.scene_numbers import long_ones, signed_numbers_in, spoken, state_of, written

SCENES = {scene.key: scene for scene in matrix.SCENES}
LENS, USUAL = state_of("lens"), SoftmaxTemperature(predict=False).state
LOW, HIGH, MOVED, BIG = (state_of(f"temperature_{name}") for name in ("low", "high", "shifted", "big"))
SCALING, MOST = state_of("scaling_some"), state_of("scaling_most")
OPEN, CAUSAL, PADDED = state_of("masks_none"), state_of("masks"), state_of("masks_padding")
TWO, WINDOW, BEFORE = state_of("masks_two"), state_of("masks_window"), state_of("masks_before")
N = len(CAUSAL["rows"])


def forbidden(state):
    return sum(row.count(False) for row in state["allowed"])


def window_cells(n):
    """Quante celle lascia la finestra causale di 2 su n token, contate sulla maschera."""
    return int(combine(causal_mask(n), window_mask(n, 2)).sum())


def limit(way):
    """L'esponente oltre il quale una via diretta trabocca, come lo scrive il widget."""
    return BIG["ways"][way]["detail"].rpartition(" ")[2]


# i numeri della risposta, calcolati
ANSWERS = {
    "tutte-le-coppie": {number(np.size(LENS["dots"])), number((2 * 3) ** 2), number(2 * 3)},
    "trabocca": {limit("float64")},
    "mille-in-piu": written(MOVED["weights"][0]) | {number(MOVED["shift"])},
    "togli-il-massimo": {number(value) for value in BIG["reduced"]} | written(*BIG["weights"])
    | {number(max(BIG["ways"]["stable"]["exponentials"]))},
    "temperatura-bassa": written(LOW["weights"][0]) | {number(value) for value in LOW["scaled"]}
    | {number(LOW["temperature"]), number(USUAL["entropy"], 2), number(LOW["entropy"], 2)},
    "temperatura-alta": written(*HIGH["weights"])
    | {number(HIGH["entropy"], 2), number(HIGH["entropy_max"], 2)},
    "varianza": {number(SCALING["plain"]["variance"], 1), number(SCALING["d"]), number(SCALING["root"]),
                 number(SCALING["plain"]["variance_error"], 1), number(SCALING["scaled"]["variance"], 3)},
    "senza-radice": written(MOST["here"]["plain"], MOST["here"]["plain_error"], MOST["here"]["scaled"])
    | {number(MOST["d"]), "0,9"},
    "sbirciare": written(sum(OPEN["weights"][2][3:]), *OPEN["weights"][2][3:]),
    "causale": {number(forbidden(CAUSAL)), number(N * N), number(round(CAUSAL["sums"][4], 12))},
    "dopo-la-softmax": written(CAUSAL["late_sums"][0], CAUSAL["missing"][0])
    | {"1", number(sum(CAUSAL["wrong"])), number(N)},
    "due-l": written(CAUSAL["weights"][4][2], CAUSAL["weights"][3][2]),
    "in-parallelo": {number(N - 1)},
    "riempimento": {number(forbidden(PADDED))},
    "due-query": {number(sum(row)) for row in TWO["allowed"]},
    "finestra": {number(window_cells(N)), "2", number(N), "1", "1000", number(window_cells(1000)),
                 number(int(causal_mask(1000).sum()))},
    "senza-diagonale": {number(BEFORE["sums"][0])},
}  # fmt: skip

# gli altri numeri che si leggono: quelli calcolati, e quelli offerti come scelta o come sbaglio
MORE = {
    "trabocca": {number(logit) for logit in BIG["logits"]} | {limit("float32")},
    "mille-in-piu": {number(value) for value in MOVED["shifted"]} | {"−1000", "100"},
    "togli-il-massimo": {number(logit) for logit in BIG["logits"]},
    "temperatura-bassa": written(USUAL["weights"][0], USUAL["weights"][1], LOW["weights"][1])
    | {number(temperatures.state([2, 0, 1], 0.1)["weights"][0], 3), "0,1"},
    "senza-radice": written(MOST["uniform"]),
    "due-l": written(1 + CAUSAL["weights"][2][2]),
    "riempimento": {number(N * N)},
    "due-query": {"".join("1" if may else "0" for may in row) for row in TWO["allowed"]},
    "finestra": {number(N * N)},
}  # fmt: skip
OFFERED = {
    "tutte-le-coppie": {"1000", "2000"}, "togli-il-massimo": {"3000"}, "varianza": {"4096"},
    "senza-radice": {"0,35"}, "due-query": {"10000", "11000"}, "finestra": {"10"},
}  # fmt: skip


def test_the_tables_name_the_scenes():
    assert set(ANSWERS) == set(SCENES)
    assert set(MORE) | set(OFFERED) <= set(SCENES)


@pytest.mark.parametrize("key", SCENES)
def test_the_numbers_of_the_answer_are_those_of_the_state(key):
    assert signed_numbers_in(SCENES[key].answer) == ANSWERS[key]


@pytest.mark.parametrize("key", SCENES)
def test_the_other_numbers_are_computed_or_offered(key):
    found = long_ones(signed_numbers_in(spoken(SCENES[key])))
    assert found - ANSWERS[key] - MORE.get(key, set()) == OFFERED.get(key, set())


def variance_of_products(d):
    """La varianza di q·k su tutte le coppie di vettori di d componenti −1 o 1, contata."""
    vectors = np.array(np.meshgrid(*[[-1, 1]] * d)).reshape(d, -1).T
    return (vectors @ vectors.T).var()


FACTS = {
    "the row of era and the shapes":
        LENS["scores"][2] == pytest.approx([2, 0, 1]) and np.shape(LENS["V"]) == (3, 2),
    "the pairs of a thousand and of two thousand tokens":
        1000**2 == 10**6 and 2000**2 == 4 * 10**6,
    "both direct ways overflow":
        [BIG["ways"][way]["weights"] for way in ("float64", "float32")] == [[None] * 3] * 2,
    "a thousand more changes nothing":
        pytest.approx(by_hand.ERA) == MOVED["weights"] and pytest.approx(by_hand.ERA) == USUAL["weights"],
    "the same row, in another order":
        sorted(BIG["weights"]) == pytest.approx(sorted(USUAL["weights"])),
    "tau 0,5 doubles the scores":
        LOW["weights"] == pytest.approx(LENS["weights"][0]) and LOW["temperature"] == 0.5,
    "hot keeps the order":
        [*np.argsort(HIGH["weights"])] == [*np.argsort(USUAL["weights"])] and HIGH["temperature"] == 5,
    "libri shrinks most, in proportion":
        np.argmin(np.divide(LOW["weights"], USUAL["weights"])) == 1,
    "the variance counted on the blackboard":
        [variance_of_products(d) for d in (1, 2)] == [1, 2],
    "without the root one key takes nearly all, at d = 2 nearly nothing changes":
        MOST["here"]["plain"] > 0.9 and MOST["largest"]["plain"][0] - MOST["largest"]["scaled"][0] < 0.1,
    "l3 comes before l4 and o, and nothing is forbidden":
        OPEN["rows"][2:] == ["l₃", "l₄", "o"] and not OPEN["masked"],
    "what is forbidden is above the diagonal":
        all(CAUSAL["allowed"][i][j] == (j <= i) for i in range(N) for j in range(N)),
    "each row sums to 1, that of h was a fifth each":
        CAUSAL["sums"] == pytest.approx([1] * N) and CAUSAL["open"][0] == pytest.approx([0.2] * N),
    "the last row loses nothing, the others less and less":
        CAUSAL["wrong"] == [True] * 4 + [False] and sorted(CAUSAL["missing"])[::-1] == CAUSAL["missing"],
    "the two l are equal where both are allowed":
        all(CAUSAL["weights"][i][2] == pytest.approx(CAUSAL["weights"][i][3]) for i in (3, 4)),
    "row 4 is row 3 divided by 1,364":
        np.divide(CAUSAL["weights"][2][:3], CAUSAL["weights"][3][:3]) == pytest.approx(1.3639, abs=1e-4),
    "padding forbids two columns":
        all(row == [True] * 3 + [False] * 2 for row in PADDED["allowed"]),
    "the two queries are the last two rows":
        TWO["allowed"] == CAUSAL["allowed"][-2:] and len(TWO["columns"]) == 5,
    "the window leaves 1, then 2 a row":
        [sum(row) for row in WINDOW["allowed"]] == [1, 2, 2, 2, 2] and window_cells(N) == 2 * N - 1,
    "without the diagonal h has nobody, e only h":
        BEFORE["blocked"] == [0] and BEFORE["weights"][1][0] == 1 and sum(BEFORE["allowed"][1]) == 1,
}  # fmt: skip


@pytest.mark.parametrize("name", FACTS)
def test_what_the_words_say_is_true(name):
    assert FACTS[name]


@pytest.mark.parametrize(("key", "row", "column"), [
    ("sbirciare", "l₃", "l₄"), ("causale", "h", "h"), ("dopo-la-softmax", "h", "h"), ("due-l", "o", "l₃"),
    ("riempimento", "l₃", "l₄"), ("due-query", "l₄", "l₄"), ("finestra", "o", "l₄"),
    ("senza-diagonale", "h", "h")])  # fmt: skip
def test_the_ring_is_on_the_cell(key, row, column):
    scene = SCENES[key]
    state, local = state_of(scene.stage), {**scene.before, **scene.after}
    assert (state["rows"][local["i"]], state["columns"][local["j"]]) == (row, column)


@pytest.mark.parametrize(("stage", "name", "stops"), [
    ("temperature_low", "temperature", [tenths / 10 for tenths in range(1, 51)]),
    ("temperature_high", "temperature", [tenths / 10 for tenths in range(1, 51)]),
    ("scaling_some", "d", scaling.DIMENSIONS), ("scaling_most", "d", scaling.DIMENSIONS)])  # fmt: skip
def test_the_slider_has_every_stop_without_a_kernel(stage, name, stops):
    widget = opened(stage)
    widget.close()
    assert {one["state"][name] for one in widget.presets} == set(stops)
    assert widget.presets[0]["state"] == widget.state

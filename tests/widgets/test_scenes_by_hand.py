"""Le scene dei notebook 1 e 2: ogni numero scritto viene dallo stato che la scena mostra."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from course_lib.learning.corpus import tale
from course_lib.notation import number
from course_lib.transformer import examples
from course_lib.widgets.scenes import by_hand
from course_lib.widgets.simulator import Simulator
from tests.widgets.scene_numbers import long_ones, signed_numbers_in, spoken, state_of, written

SCENES = {scene.key: scene for scene in by_hand.SCENES}
LENS, FOUR, OTHER = state_of("lens"), state_of("four"), state_of("lens_other_value")
FIRST, PAIR, TURNED = state_of("sentence")["sides"][0], state_of("two_sentences"), state_of("turned")
VOCABULARY = state_of("simulator")["vocabulary"]
REGOLA = state_of("simulator")["sides"][0]
PLACES = {name: FIRST["tokens"].index(name) for name in ("chiave", "libri", "era")}
WEIGHTS, EXPONENTIALS, TOTAL = LENS["weights"][2], LENS["exponentials"][2], LENS["totals"][2]
Z, OTHER_Z = LENS["outputs"][2], OTHER["outputs"][2]
ROUNDED_Z = np.array([round(w, 3) for w in WEIGHTS]) @ np.array(LENS["V"])
FOUR_WAY = FOUR["ways"]["float64"]


def first_different():
    """Il posto della prima parola diversa, partendo dal fondo."""
    return max(PAIR["changed"][0])


def rows_of_the_tale():
    """Quante finestre di 5 caratteri sono possibili, e quante il racconto ne tocca."""
    text = tale()
    return len(set(text)), len(set(text)) ** 5, len({text[i : i + 5] for i in range(len(text) - 4)})


# i numeri della risposta, calcolati
ANSWERS = {
    "quale-parola": written(PLACES["chiave"], PLACES["libri"]),
    "ultime-parole": written(first_different(), first_different() + 1, len(FIRST["tokens"]) - 1),
    "tabella": written(len(VOCABULARY), len(VOCABULARY) ** 5, 5, 50_000)
    | {number(50_000**5 / 10**23, 1), "10"},
    "id-o-posto": written(*sorted(TURNED["sides"][0]["ids"]), 1),
    "dall-id-al-vettore": written(REGOLA["embedding"][4][0], REGOLA["sines"][4][0], REGOLA["cosines"][4][0])
    | {"0,5", "0,3", number(0.5 + 0.3)},
    "righe-spostate": written(*REGOLA["embedding"][4][:4]),
    "parola-nuova": written(len(VOCABULARY), len(VOCABULARY) + 1),
    "chi-guarda-era": written(*WEIGHTS) | {number(round(LENS["sums"][2], 12), 0)},
    "prodotti": {number(LENS["dots"][2][0], 3), "0", number(LENS["K"][0][0])},
    "diviso-radice": {number(LENS["dots"][2][0], 3), *(number(s) for s in LENS["scores"][2])},
    "esponenziale": written(EXPONENTIALS[0], EXPONENTIALS[2]) | {number(EXPONENTIALS[1]), "0"},
    "quota": written(EXPONENTIALS[0], TOTAL, *WEIGHTS) | {"1"},
    "combina": written(*Z, WEIGHTS[1]),
    "che-cosa-dice": written(*Z, *OTHER_Z, OTHER["weights"][2][0]),
    "quarta-candidata": written(FOUR["weights"][0], FOUR["weights"][3], TOTAL, sum(FOUR_WAY["exponentials"])),
    "libri-guarda": written(LENS["weights"][1][0]) | {number(s) for s in LENS["scores"][1]}
    | {number(e) for e in LENS["exponentials"][1]},
}  # fmt: skip

# gli altri numeri che si leggono: quelli calcolati, e quelli offerti come scelta o come sbaglio
MORE = {
    "tabella": {number(value) for value in rows_of_the_tale()} | {number(33**5 / 10**6, 0)},
    "dall-id-al-vettore": {
        number(round(REGOLA["sines"][4][0], 3) + round(REGOLA["cosines"][4][0], 3), 3),
        number(0.5 * math.sin(math.radians(2)) + 0.3 * math.cos(math.radians(1.2)), 3),
        number(math.degrees(2), 0), number(math.degrees(1.2), 0), number(0.3 * 4 * 1),
    },
    "righe-spostate": {number(4 * len(TURNED["sides"][0]["tokens"]))},
    "chi-guarda-era": written(LENS["weights"][0][2]),
    "prodotti": {number(LENS["Q"][2][0], 3)},
    "quota": written(LENS["weights"][0][0], EXPONENTIALS[2])
    | {number(TOTAL, 0), number(EXPONENTIALS[0], 1)},
    "combina": written(WEIGHTS[0], WEIGHTS[2]) | {number(value, 4) for value in ROUNDED_Z}
    | {number(LENS["V"][2][0])},
    "quarta-candidata": written(*FOUR["weights"], EXPONENTIALS[0], WEIGHTS[0])
    | {number(sum(W.size for W in examples.chiave_libri_era()[1:][1:4]))},
}  # fmt: skip
OFFERED = {"tabella": {"165"}, "che-cosa-dice": {"66,5"}}


def test_the_tables_name_the_scenes():
    assert set(ANSWERS) == set(SCENES)
    assert set(MORE) | set(OFFERED) <= set(SCENES)


@pytest.mark.parametrize("key", SCENES)
def test_the_numbers_of_the_answer_are_those_of_the_state(key):
    assert signed_numbers_in(SCENES[key].answer) == ANSWERS[key]


@pytest.mark.parametrize("key", SCENES)
def test_the_other_numbers_are_computed_or_offered(key):
    offered = OFFERED.get(key, set())
    found = long_ones(signed_numbers_in(spoken(SCENES[key])))
    assert found - ANSWERS[key] - MORE.get(key, set()) == offered


FACTS = {
    "chiave is four places before era, libri just before":
        PLACES["era"] - PLACES["chiave"] == 4 and PLACES["libri"] == PLACES["era"] - 1,
    "the last four words are equal":
        FIRST["tokens"][-4:] == PAIR["sides"][1]["tokens"][-4:] and len(PAIR["sides"][0]["tokens"]) == 6,
    "the first different word is at the place of chiave":
        [PAIR["sides"][k]["tokens"][first_different()] for k in (0, 1)] == ["chiave", "gatto"],
    "the order of magnitude of the larger table":
        f"{50_000**5:.1e}" == "3.1e+23",
    "regola moves from 1 to 3, the IDs are the same":
        TURNED["match"][1] == 3 and Counter(TURNED["sides"][0]["ids"]) == Counter(TURNED["sides"][1]["ids"]),
    "the ring is on regola in both":
        [TURNED["sides"][k]["tokens"][place] for k, place in enumerate((1, 3))] == ["regola"] * 2,
    "the rows of the two tables are the same":
        sorted(TURNED["sides"][0]["embedding"]) == sorted(TURNED["sides"][1]["embedding"]),
    "both addends are positive":
        min(REGOLA["sines"][4][0], REGOLA["cosines"][4][0]) > 0,
    "chiave takes more than half, nobody nothing":
        WEIGHTS[0] > 0.5 > max(WEIGHTS[1:]) and min(WEIGHTS) > 0,
    "about two thirds, and the map is not symmetric":
        abs(WEIGHTS[0] - 2 / 3) < 0.01 and abs(LENS["weights"][0][2] - WEIGHTS[0]) > 0.1,
    "z is nearest to the value of chiave":
        min(range(3), key=lambda j: math.dist(Z, LENS["V"][j])) == 0,
    "another value of chiave moves z alone":
        OTHER["weights"] == LENS["weights"] and OTHER_Z != Z and OTHER["V"][1:] == LENS["V"][1:],
    "with a fourth candidate all go down":
        all(new < old for new, old in zip(FOUR["weights"], WEIGHTS, strict=False)),
    "the old scores stay, the new one is 0":
        FOUR["logits"][:3] == pytest.approx(LENS["scores"][2]) and FOUR["logits"][3] == 0,
}  # fmt: skip


@pytest.mark.parametrize("name", FACTS)
def test_what_the_words_say_is_true(name):
    assert FACTS[name]


def test_a_new_word_takes_the_next_number():
    state = Simulator().answer_to({"sentence": "Una chiave arrugginita"})
    assert state["sides"][0]["ids"] == [0, 33, 34]


@pytest.mark.parametrize(("key", "place"), [("quale-parola", "chiave"), ("id-o-posto", "regola"),
    ("dall-id-al-vettore", "regola"), ("righe-spostate", "regola"), ("ultime-parole", "chiave")])  # fmt: skip
def test_the_ring_is_on_the_word(key, place):
    scene = SCENES[key]
    assert state_of(scene.stage)["sides"][0]["tokens"][scene.before["i"]] == place


@pytest.mark.parametrize(("key", "cell", "step"), [
    ("chi-guarda-era", ("era", "chiave"), 0), ("prodotti", ("era", "chiave"), 2),
    ("diviso-radice", ("era", "chiave"), 3), ("esponenziale", ("era", "libri"), 5),
    ("quota", ("era", "chiave"), 6), ("libri-guarda", ("libri", "chiave"), 6)])  # fmt: skip
def test_the_lens_opens_on_the_cell_and_on_the_step(key, cell, step):
    local = {"i": 2, "j": 0, **SCENES[key].before, **SCENES[key].after}
    assert (LENS["rows"][local["i"]], LENS["columns"][local["j"]]) == cell
    assert local["step"] == step

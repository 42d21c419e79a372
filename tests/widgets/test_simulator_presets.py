"""Gli esempi impacchettati del Simulatore, ciò che non va, la figura di riserva."""

import json

import pytest

from course_lib.figures.simulator import four_phases
from course_lib.notation import number
from course_lib.transformer.sentences import IN
from course_lib.widgets.simulator import Simulator
from course_lib.widgets.state import simulator_scenes as scenes
from course_lib.widgets.state.simulator import CHOICES, packed, state, unpacked

ALL = (scenes.opening(), *scenes.SCENES)


# --- impacchettare --------------------------------------------------------------------------------


def same_shown(found, whole):
    """Vero se, scritti con tre cifre, i numeri sono gli stessi, e tutto il resto è uguale."""
    if isinstance(whole, dict):
        return found.keys() == whole.keys() and all(same_shown(found[k], whole[k]) for k in whole)
    if isinstance(whole, (list, tuple)):
        return len(found) == len(whole) and all(map(same_shown, found, whole))
    if isinstance(whole, float):
        return number(found, 3) == number(whole, 3) and abs(found - whole) < 6e-5
    return found == whole


@pytest.mark.parametrize("scene", ALL, ids=lambda scene: scene.name)
def test_unpacking_gives_the_states_back(scene):
    preset = packed(scene)
    assert json.loads(json.dumps(preset, allow_nan=False)) == json.loads(json.dumps(preset))
    for d, positions in CHOICES:
        assert same_shown(unpacked(preset, d, positions), scene.state(d, positions))


def test_the_presets_are_small():
    widget = Simulator()
    text = json.dumps(widget.presets, ensure_ascii=False, separators=(",", ":"))
    assert len(text.encode()) <= 300_000
    assert [preset["name"] for preset in widget.presets] == [scene.name for scene in ALL]


# --- ciò che non va -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "says"),
    [("", "La frase è vuota"), (" \n", "La frase è vuota"), (None, "La frase è vuota"),
     ("a" * 10_000, "La frase ha 10\u202f000 caratteri"), ("a " * 25, "La frase ha 25 parole e segni")],
)  # fmt: skip
def test_bad_sentences_are_explained(sentence, says):
    with pytest.raises(ValueError, match=says):
        Simulator().answer_to({"sentence": sentence, "second": "", "d": 4, "positions": True})
    if sentence and sentence.strip():
        with pytest.raises(ValueError, match=says):
            Simulator().answer_to({"sentence": IN, "second": sentence, "d": 4, "positions": True})


@pytest.mark.parametrize("sentence", ["😀 👨‍👩‍👧 😀", "שלום עולם", "a " * 24, "e\u0301 é", "123 !"])
def test_odd_sentences_are_shown(sentence):
    found = Simulator().answer_to({"sentence": sentence, "second": " ", "d": 8, "positions": False})
    assert len(found["sides"]) == 1
    json.dumps(found, allow_nan=False)
    assert found["findings"][0]


def test_own_words_are_told_from_those_of_the_vocabulary():
    side = state("La chiave apre la porta")["sides"][0]
    assert side["ids"] == [3, 33, 34, 3, 35]
    assert side["fresh"] == [False, True, True, False, True]
    assert state("chiave", "porta chiave")["sides"][1]["ids"] == [34, 33]  # un vocabolario solo per le due


@pytest.mark.parametrize(
    ("options", "says"),
    [({"d": 9}, "d: mi aspettavo"), ({"phases": (1, 5)}, "phases: mi aspettavo"), ({"phases": 3}, "phases"),
     ({"phases": (1, 2), "phase": 3}, "phase: mi aspettavo una fra le fasi aperte"),
     ({"experiment": 6}, "experiment: mi aspettavo"), ({"experiment": "boh"}, "experiment: mi aspettavo"),
     ({"sentence": "  "}, "La frase è vuota")],
)  # fmt: skip
def test_bad_arguments_are_explained(options, says):
    with pytest.raises(ValueError, match=says):
        Simulator(**options)


def test_the_constructor_opens_where_it_is_told():
    widget = Simulator(experiment="La posizione", positions=True, d=6, phase=3)
    assert widget.state["sentences"] == ["Il gatto dorme sul divano", "Sul divano dorme il gatto"]
    assert (widget.options["example"], widget.options["d"], widget.options["phase"]) == (3, 6, 3)
    assert widget.options["positions"] is True
    own = Simulator("La chiave apre", phases=(1, 2))
    assert own.presets[0]["same"]["sentences"] == ["La chiave apre"]
    assert own.options["phases"] == [1, 2]


def test_the_fallback_says_the_phases_in_words():
    whole = Simulator().fallback()
    most = "vecchia guarda soprattutto vecchia: 0,315"
    for text in ("Una 0, vecchia 1", "Embedding di Una: (0,300; 0,300", most):
        assert text in whole.summary
    closed = Simulator(phases=(1, 2)).fallback()
    assert "0,315" not in closed.summary
    assert closed.png != whole.png
    (side,) = Simulator().state["sides"]
    flat = {**Simulator().state, "sides": [{**side, "weights": [[1 / 7] * 7] * 7}]}
    assert four_phases(flat, (1, 2), {"3": 5, "4": 6}).png == closed.png  # chiusa vuol dire che non c'è
    assert four_phases(flat).png != whole.png

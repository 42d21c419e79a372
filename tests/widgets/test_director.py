"""La Regia in Python: le richieste arrivano al widget della scena, e la risposta torna alla pagina."""

from __future__ import annotations

import pytest

from course_lib.widgets import Director
from course_lib.widgets.scenes import SCENES
from course_lib.widgets.scenes.scene import Scene

SCENE = Scene(
    key="prova", notebook=6, title="Prova", minutes=2, stage="simulator",
    question="Che cosa si vede?", answer="Questo.", notes=("Una nota.",), slips="Uno sbaglio.",
)  # fmt: skip
TRAINING = Scene(**{**vars(SCENE), "key": "passi", "stage": "training"})


@pytest.fixture
def director():
    made = Director([SCENE, TRAINING])
    yield made
    made.close()


def ask(director, inner, scene="prova", fresh=False):
    serial = director.request.get("serial", 0) + 1
    director.request = {"scene": scene, "inner": inner, "fresh": fresh, "serial": serial}
    return director.reply


def test_a_sentence_of_the_class_is_answered(director):
    reply = ask(director, {"serial": 7, "sentence": "il gatto guarda il mare"})
    assert reply["scene"] == "prova"
    assert reply["changes"]["answer"] == {"serial": 7, "problem": ""}
    assert reply["changes"]["state"]["sides"][0]["tokens"][:2] == ["il", "gatto"]


def test_bad_input_is_one_sentence_and_the_picture_stays(director):
    changes = ask(director, {"serial": 8, "sentence": "   "})["changes"]
    assert changes["answer"]["problem"].endswith(".")
    assert "state" not in changes


@pytest.mark.parametrize("request_", [{}, {"scene": "altra"}, {"scene": None, "inner": {"serial": 1}}])
def test_a_request_for_no_scene_is_ignored(director, request_):
    director.request = {"serial": 3, **request_}
    assert director.reply == {}


@pytest.mark.parametrize("inner", [None, {}, {"serial": 1, "sentence": 5}, {"serial": 2, "d": "molti"}])
def test_an_odd_request_breaks_nothing(director, inner):
    changes = ask(director, inner)["changes"]
    assert "Traceback" not in str(changes)
    assert ask(director, {"serial": 9, "sentence": "una prova"})["changes"]["answer"]["problem"] == ""


def test_a_scene_begun_again_forgets_what_was_done(director):
    first = ask(director, {"serial": 1, "do": "step"}, "passi")["changes"]["state"]
    second = ask(director, {"serial": 2, "do": "step"}, "passi")["changes"]["state"]
    again = ask(director, {"serial": 3, "do": "step"}, "passi", fresh=True)["changes"]["state"]
    assert [one["steps"] for one in (first, second, again)] == [1, 2, 1]


def test_what_a_running_training_shows_reaches_the_page(director):
    seen = []
    director.observe(lambda change: seen.append(change["new"]["changes"]), names="reply")
    ask(director, {"serial": 1, "do": "start"}, "passi")
    widget = director._inner["passi"]
    stop = widget._stop
    ask(director, {"serial": 2, "do": "pause"}, "passi")
    assert stop.is_set()
    widget.state = {**widget.state, "steps": 99}             # come fa il thread, fuori da una richiesta
    assert seen[-1] == {"state": widget.state}


def test_a_scene_left_is_closed_and_its_training_stops(director):
    ask(director, {"serial": 1, "do": "start"}, "passi")
    stop = director._inner["passi"]._stop
    director.request = {"scene": "passi", "leave": True, "serial": 99}
    assert stop.is_set()
    assert "passi" not in director._inner


def test_a_reply_says_which_visit_had_asked(director):
    inner = {"serial": 1, "sentence": "il mare"}
    director.request = {"scene": "prova", "visit": 0.5, "inner": inner, "serial": 1}
    assert director.reply["visit"] == 0.5


def test_a_training_in_another_scene_does_not_slip_into_an_answer(director):
    ask(director, {"serial": 1, "do": "pause"}, "passi")
    ask(director, {"serial": 2, "sentence": "il mare"})
    training, simulator = director._inner["passi"], director._inner["prova"]
    answer = simulator.answer_to

    def slow(request):
        training.state = {**training.state, "steps": 99}     # come fa il thread, intanto
        return answer(request)

    simulator.answer_to = slow
    seen = []
    director.observe(lambda change: seen.append(change["new"]), names="reply")
    ask(director, {"serial": 3, "sentence": "il gatto guarda il mare"})
    assert [one["scene"] for one in seen] == ["passi", "prova"]
    assert "sides" in seen[1]["changes"]["state"]


def test_no_scene_is_an_error():
    with pytest.raises(ValueError, match="almeno una scena"):
        Director([])


def test_the_static_picture_says_every_scene():
    picture = Director().fallback()
    assert all(scene.title in picture.summary and scene.question in picture.summary for scene in SCENES)
    assert "scheda" in picture.alt

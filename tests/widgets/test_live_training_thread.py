"""L'Addestramento dal vivo come widget: il thread, i disegni al secondo, le richieste, il salvataggio."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from course_lib.widgets import LiveTraining
from course_lib.widgets import live_training as widget_module
from course_lib.widgets.frame import FAULT
from course_lib.widgets.state import live_training as live
from tests.widgets.small_models import after


def test_the_stored_training_is_the_one_this_code_does():
    stored, run = widget_module.stored(), after(20)
    np.testing.assert_allclose(stored["losses"][:20], run.losses, atol=2e-3)
    for kept, made in zip(stored["moments"], run.moments, strict=False):
        np.testing.assert_allclose(kept["maps"][0][-1], made["maps"][0][-1], atol=2e-2)
        assert kept["step"] == made["step"]
    assert (stored["status"], stored["steps"], len(stored["moments"])) == (live.DONE, 300, 31)
    assert set(stored) == set(live.state(run))
    assert widget_module.FILE.stat().st_size < 100_000


def test_the_figure_tells_the_start_the_middle_and_the_end():
    moments = widget_module.stored()["moments"]
    picture = LiveTraining().fallback()
    assert all(moments[k]["sentence"] in picture.summary for k in (0, 15, 30))
    assert "ln V = 4,654" in picture.summary
    assert picture.png == LiveTraining().fallback().png
    own = LiveTraining(seed=1)
    own._run = after(12, seed=1, steps=12)
    own.state = own._now()
    assert "Passo 12: " in own.fallback().summary


def ended(thread):
    """Aspetta la fine di un thread, per quanto lenta sia la macchina."""
    thread.join(timeout=120)
    return not thread.is_alive()


def working():
    return [thread for thread in threading.enumerate() if thread.name == "addestramento"]


def test_start_works_in_a_thread_until_paused():
    widget = LiveTraining(steps_per_second=1000)
    moved = threading.Event()
    widget.observe(lambda change: moved.set() if change["new"]["steps"] > 1 else None, "state")
    started = widget.answer_to({"do": "start"})
    assert started["status"] == live.RUNNING
    (thread,) = working()
    widget.answer_to({"do": "start"})
    assert working() == [thread]  # avviare due volte non ne fa due
    assert moved.wait(120)
    paused = widget.answer_to({"do": "pause"})
    assert ended(thread)
    assert paused["status"] == live.READY
    assert {**live.state(widget._run), "fresh": False} == paused
    assert widget.answer_to({"do": "step"})["steps"] == paused["steps"] + 1


def test_it_stops_by_itself_at_the_end_and_then_refuses_to_start():
    widget = LiveTraining(steps_per_second=1000)
    widget._run.total = 5
    widget.answer_to({"do": "start"})
    for thread in working():
        assert ended(thread)
    assert (widget.state["status"], widget.state["steps"]) == (live.DONE, 5)
    for do in ("start", "step"):
        with pytest.raises(ValueError, match="premi Da capo"):
            widget.answer_to({"do": do})
    again = widget.answer_to({"do": "reset"})
    assert (again["status"], again["steps"], len(again["moments"])) == (live.READY, 0, 1)


def test_a_divergence_in_the_thread_reaches_the_state():
    widget = LiveTraining(steps_per_second=1000, rate=1000.0)
    widget.answer_to({"do": "start"})
    for thread in working():
        assert ended(thread)
    assert widget.state["status"] == live.DIVERGED
    assert "troppo alto" in widget.state["trouble"]
    with pytest.raises(ValueError, match="troppo alto"):
        widget.answer_to({"do": "start"})


def test_repaints_are_at_least_a_quarter_of_a_second_apart():
    widget, now, painted = LiveTraining(steps_per_second=1000), [0.0], []

    def clock():
        now[0] += 0.03
        return now[0]

    widget._clock, widget._run.total = clock, 40
    widget.observe(lambda change: painted.append(now[0]), "state")
    widget.answer_to({"do": "start"})
    for thread in working():
        assert ended(thread)
    gaps = np.diff(painted)[:-1]  # l'ultimo, alla fine, non aspetta
    assert len(gaps) > 5
    assert gaps.min() >= 0.2
    assert widget.state["steps"] == 40


def test_closing_the_widget_stops_its_thread():
    widget = LiveTraining(steps_per_second=1000)
    widget.answer_to({"do": "start"})
    (thread,) = working()
    widget.close()
    assert ended(thread)
    assert len(widget._run.losses) < widget._run.total


def test_a_request_that_pauses_is_what_a_closed_view_sends():
    widget = LiveTraining(steps_per_second=1000)
    widget.request = {"serial": 1, "do": "start"}
    (thread,) = working()
    widget.request = {"serial": 2, "do": "pause"}
    assert widget.answer == {"serial": 2, "problem": ""}
    assert ended(thread)


def test_two_widgets_do_not_disturb_one_another():
    alone = after(6, seed=2).losses
    first, second = LiveTraining(2), LiveTraining(2, heads=4)
    for _ in range(6):
        first.state = first.answer_to({"do": "step"})
        second.state = second.answer_to({"do": "step"})
    np.testing.assert_allclose(first.state["losses"], alone, atol=1e-4)
    assert second.state["losses"] != first.state["losses"]
    assert second.state["heads"] == 4


def test_begin_brings_back_what_it_opened_with():
    widget = LiveTraining(heads=4, rate=0.01)
    opened = widget.state
    for request in ({"do": "step"}, {"do": "rate", "value": 0.1}, {"do": "heads", "value": 1}):
        assert not widget.answer_to(request)["fresh"]
    assert opened["fresh"]
    assert widget.answer_to({"do": "begin"}) == opened


def test_rate_changes_on_the_way_and_heads_start_again():
    widget = LiveTraining()
    widget.answer_to({"do": "step"})
    found = widget.answer_to({"do": "rate", "value": 0.01})
    assert (found["rate"], found["steps"]) == (0.01, 1)
    assert widget._run.optimizer.learning_rate == 0.01
    found = widget.answer_to({"do": "heads", "value": 8})
    assert (found["heads"], found["rate"], found["steps"]) == (8, 0.01, 0)
    assert len(found["moments"][0]["maps"]) == 9


@pytest.mark.parametrize(
    "request_",
    [
        {"do": "rate", "value": 0}, {"do": "rate", "value": -1}, {"do": "rate", "value": "tanto"},
        {"do": "rate", "value": float("inf")}, {"do": "rate", "value": None}, {"do": "heads", "value": 3},
        {"do": "heads", "value": True}, {"do": "heads", "value": "due"},
    ],
)  # fmt: skip
def test_numbers_that_do_not_work_get_a_sentence(request_):
    widget = LiveTraining()
    before = widget.state
    widget.request = {"serial": 1, **request_}
    assert "mi aspettavo" in widget.answer["problem"]
    assert widget.state == before


@pytest.mark.parametrize(
    "change", [{"heads": 3}, {"rate": 0}, {"steps_per_second": 0}, {"steps_per_second": "x"}]
)
def test_wrong_arguments_get_a_sentence(change):
    with pytest.raises(ValueError, match="mi aspettavo"):
        LiveTraining(**change)


def test_a_fault_in_the_thread_is_told_and_not_lost(monkeypatch):
    widget = LiveTraining(steps_per_second=1000)

    def fail():
        raise KeyError("x")

    monkeypatch.setattr(widget._run, "step", fail)
    widget.answer_to({"do": "start"})
    for thread in working():
        assert ended(thread)
    assert widget.problem.startswith(FAULT[:20])
    assert widget.answer_to({"do": "pause"})["status"] == live.READY

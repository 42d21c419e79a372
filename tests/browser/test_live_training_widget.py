"""L'Addestramento dal vivo nel browser: curve, mappe e frasi dello stato, i comandi, il thread."""

from __future__ import annotations

import json
import threading

import pytest

from course_lib.notation import number
from course_lib.widgets import LiveTraining
from course_lib.widgets.state import live_training as live
from tests.browser.widget_page import press_keys, say

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]


@pytest.fixture
def training(plain):
    """Il widget come si apre, col kernel e senza previsioni."""
    page, widget = plain().kernel(), LiveTraining(predict=False, steps_per_second=1000)
    yield page, widget, page.add(widget)
    widget.close()


def control(element, name):
    return element.locator(f"[data-control='{name}']")


def counter(element, text):
    """Aspetta che il contatore dica così."""
    element.get_by_text(f"{text} · seme 0", exact=True).wait_for()


def push(page, widget, key="widget"):
    """Ciò che il thread ha messo nello stato arriva alla pagina, come fa Jupyter."""
    sent = json.dumps({"state": widget.state})
    page.page.evaluate("([key, text]) => window.fromKernel[key](text)", [key, sent])


def shown(element):
    """I testi delle celle della mappa, per posto."""
    script = "nodes => nodes.map(n => [n.dataset.cell, n.querySelector('text')?.textContent])"
    return dict(element.locator("[data-cell]").evaluate_all(script))


def expected(m, head=0):
    return {
        f"{i},{j}": None if value is None else number(value, 3)
        for i, row in enumerate(m["maps"][head])
        for j, value in enumerate(row)
    }


def matches(element, m, head=0):
    """La pagina mostra questo momento."""
    assert shown(element) == expected(m, head)
    assert element.locator("[data-sample]").text_content() == m["sample"]
    bars = element.locator("[data-bar]").evaluate_all(
        "nodes => nodes.map(n => [...n.querySelectorAll('text')].map(t => t.firstChild.textContent))"
    )
    assert bars == [[word, number(p, 3)] for word, p in m["next"]]
    measure = element.locator("[data-measure='loss di validazione']")
    assert measure.text_content() == number(m["validation"], 3)
    assert element.locator(".cdl-finding").inner_text() == m["finding"]


def points(element, name):
    """Quanti vertici ha una curva."""
    return element.locator(f"[data-curve='{name}']").get_attribute("d").replace("M", "L").count("L")


def working():
    return [thread for thread in threading.enumerate() if thread.name == "addestramento"]


def test_it_opens_before_the_first_step(training):
    _, widget, element = training
    matches(element, widget.state["moments"][0])
    assert say(element) == widget.state["moments"][0]["sentence"]
    assert f"ln V = {number(widget.state['uniform'], 2)}" in element.locator("[data-plane]").text_content()
    assert element.locator("[data-sum]").all_text_contents() == ["1,000"] * 6
    counter(element, "passo 0 di 300, pronto")


def test_the_ready_example_is_scrubbed_by_keyboard_and_by_slider(training):
    page, widget, element = training
    control(element, "example").select_option(label="già calcolato")
    ready = widget.presets[0]["state"]
    counter(element, "passo 300 di 300, finito")
    assert (points(element, "loss"), points(element, "validation")) == (300, 31)
    element.locator(".cdl-stage").focus()
    for keys, k in (("End", 30), ("ArrowLeft b", 28), ("Home", 0), ("ArrowRight", 1), ("Escape", 30)):
        press_keys(page, *keys.split())
        matches(element, ready["moments"][k])
        assert say(element) == ready["moments"][k]["sentence"]
    control(element, "moment").fill("10")
    matches(element, ready["moments"][10])
    assert control(element, "moment").get_attribute("aria-valuetext") == "dopo 100 passi"
    control(element, "head").select_option(label="testa 2")
    matches(element, ready["moments"][10], head=2)
    element.locator(".cdl-stage").focus()
    press_keys(page, "ArrowUp")
    matches(element, ready["moments"][10], head=1)
    control(element, "example").select_option(label="dal vivo")
    matches(element, widget.state["moments"][0], head=1)


def test_steps_one_at_a_time_rate_heads_and_from_the_start(training):
    page, widget, element = training
    control(element, "step").click()
    counter(element, "passo 1 di 300, pronto")
    element.locator(".cdl-stage").focus()
    press_keys(page, "n")
    counter(element, "passo 2 di 300, pronto")
    assert points(element, "loss") == 2
    control(element, "rate").select_option(label="0,01")
    page.page.wait_for_timeout(0)
    element.locator(".cdl:not([data-waiting])").wait_for()
    assert widget._run.optimizer.learning_rate == 0.01
    control(element, "heads").select_option(label="4")
    counter(element, "passo 0 di 300, pronto")
    assert control(element, "head").locator("option").all_text_contents() == [
        "media delle teste", "testa 1", "testa 2", "testa 3", "testa 4",
    ]  # fmt: skip
    press_keys(page, "Tab")
    control(element, "step").click()
    counter(element, "passo 1 di 300, pronto")
    control(element, "reset").click()
    counter(element, "passo 0 di 300, pronto")
    assert widget.state["heads"] == 4
    element.get_by_role("button", name="Ripristina").click()
    element.locator("[data-control='head'] option").nth(3).wait_for(state="detached")
    assert (widget.state["heads"], widget.state["rate"]) == (2, 0.003)


def test_it_runs_pauses_and_ends_in_a_thread(training):
    page, widget, element = training
    widget._run.total = 60
    element.locator(".cdl-stage").focus()
    press_keys(page, " ")
    element.get_by_role("button", name="Pausa").wait_for()
    (thread,) = working()
    press_keys(page, " ")
    element.get_by_role("button", name="Avvia").wait_for()
    thread.join(120)
    assert not thread.is_alive()
    control(element, "run").click()
    element.get_by_role("button", name="Pausa").wait_for()
    for thread in working():
        thread.join(120)
    push(page, widget)
    counter(element, "passo 60 di 60, finito")
    matches(element, widget.state["moments"][-1])
    control(element, "run").click()
    element.locator(".cdl-problem").get_by_text("premi Da capo").wait_for()


def test_while_it_runs_the_sentence_changes_every_fifty_steps(training):
    page, widget, element = training
    run = live.Run(0)
    heard = []
    for k in range(61):
        if k % 20 == 0:
            widget.state = {**live.state(run, running=True), "fresh": False}
            push(page, widget)
            heard.append(say(element).split(":")[0])
            matches(element, run.moments[-1])
        run.step()
    assert heard == ["Passo 0", "Passo 0", "Passo 0", "Passo 50"]


def test_a_rate_too_high_ends_with_a_sentence(training):
    _, widget, element = training
    control(element, "rate").select_option(label="1000")
    element.locator(".cdl:not([data-waiting])").wait_for()
    while not widget.state["trouble"]:
        control(element, "step").click()
        element.locator(".cdl:not([data-waiting])").wait_for()
    trouble = widget.state["trouble"]
    assert "troppo alto" in trouble
    assert element.locator(".cdl-problem").inner_text() == trouble
    assert say(element) == trouble
    assert "NaN" not in element.locator("[data-plane]").inner_html()


def test_closing_the_view_stops_the_thread(training):
    page, widget, element = training
    control(element, "run").click()
    element.get_by_role("button", name="Pausa").wait_for()
    (thread,) = working()
    page.page.evaluate("window.cleanUps.widget()")
    page.page.wait_for_timeout(0)
    thread.join(120)
    assert not thread.is_alive()
    assert len(widget._run.losses) < 300


def test_closing_one_of_two_views_leaves_the_thread_to_the_other(training):
    page, widget, element = training
    other = page.view("widget", "altra")
    control(element, "run").click()
    other.get_by_role("button", name="Pausa").wait_for()
    page.page.evaluate("window.cleanUps.widget()")
    page.page.wait_for_timeout(0)
    assert widget._stop is not None
    control(other, "run").click()
    other.get_by_role("button", name="Avvia").wait_for()
    control(other, "run").click()
    other.get_by_role("button", name="Pausa").wait_for()
    (thread,) = working()
    page.page.evaluate("window.cleanUps.altra()")
    page.page.wait_for_timeout(0)
    thread.join(120)
    assert not thread.is_alive()


def test_prediction_comes_before_the_training_and_before_the_example(plain):
    page, widget = plain().kernel(), LiveTraining()
    element = page.add(widget)
    assert control(element, "run").is_disabled()
    control(element, "example").select_option(label="già calcolato")
    ready = widget.presets[0]["state"]
    assert say(element) == "Prima di cominciare, prevedi."
    matches(element, ready["moments"][0])
    assert (points(element, "loss"), points(element, "validation")) == (0, 1)
    assert not [m for m in ready["moments"][1:] if m["sample"] in element.inner_html()]
    element.locator(".cdl-stage").focus()
    press_keys(page, "End", "n", " ")
    matches(element, ready["moments"][0])
    element.locator("[data-choice='1']").click()
    matches(element, ready["moments"][-1])
    assert say(element).startswith("Avevi previsto «chiave». Passo 300")
    element.get_by_role("button", name="Ripristina").click()
    assert element.locator(".cdl-question").is_visible()
    element.locator(".cdl-stage").focus()
    press_keys(page, str(1 + ready["moments"][-1]["most"]))
    control(element, "example").select_option(label="già calcolato")
    assert say(element).startswith("Hai previsto bene. ")


def test_without_a_kernel_the_silence_is_explained_and_the_example_stays(plain):
    page, widget = plain(), LiveTraining(predict=False)
    page.page.clock.install()
    element = page.add(widget)
    control(element, "example").select_option(label="già calcolato")
    control(element, "run").click()
    page.page.clock.run_for(5000)
    assert "Il kernel non risponde" in element.locator(".cdl-problem").inner_text()
    matches(element, widget.presets[0]["state"]["moments"][-1])


def test_two_side_by_side_are_independent(plain):
    page = plain().kernel()
    first, second = LiveTraining(predict=False), LiveTraining(predict=False, heads=4)
    one, two = page.add(first, "uno"), page.add(second, "due")
    before = two.inner_html()
    control(one, "step").click()
    counter(one, "passo 1 di 300, pronto")
    assert two.inner_html() == before
    assert (first.state["steps"], second.state["steps"]) == (1, 0)
    control(two, "step").click()
    counter(two, "passo 1 di 300, pronto")
    assert first.state["steps"] == 1

"""Softmax e temperatura nel browser: numeri uguali allo stato, cursori, previsioni, e senza kernel."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from course_lib.notation import number
from course_lib.widgets import SoftmaxTemperature
from course_lib.widgets.state import temperature as states
from tests.browser.widget_page import copied_rows, press, say

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]


def opened(plain, *, kernel=True, key="widget", page=None, **options):
    """Un widget in una pagina: (pagina, elemento, widget)."""
    page = page or (plain().kernel() if kernel else plain())
    widget = SoftmaxTemperature(**options)
    return page, page.add(widget, key), widget


def numbers(element, name):
    return element.locator(f"[data-number^='{name}']").all_text_contents()


def weights(element):
    return element.locator("[data-bar] text[data-value]").all_text_contents()


def same_as(element, found):
    """La pagina mostra i numeri di questo stato, quelli della formula stabile."""
    expect(element.locator("[data-bar='0'] text[data-value]")).to_have_text(number(found["weights"][0], 3))
    assert weights(element) == [number(w, 3) for w in found["weights"]]
    assert numbers(element, "logit") == [number(x) for x in found["shifted"]]
    assert numbers(element, "scaled") == [number(x) for x in found["scaled"]]
    assert numbers(element, "reduced") == [number(x) for x in found["reduced"]]
    assert numbers(element, "exponential") == found["ways"]["stable"]["texts"]
    assert numbers(element, "total") == [found["ways"]["stable"]["total"]]
    assert element.locator("[data-value='entropy']").text_content() == number(found["entropy"], 2)
    assert element.locator(".cdl-finding").inner_text() == found["finding"]


def test_it_opens_on_the_scores_of_era(plain):
    _, element, widget = opened(plain)
    assert widget.state["logits"] == [2, 0, 1]
    same_as(element, widget.state)
    assert say(element) == states.sentence(widget.state, 0) + "."
    assert element.locator("[data-note]").count() == 0                   # i limiti direbbero già la risposta


def test_prediction_on_the_temperature_then_on_c(plain):
    _, element, _ = opened(plain)
    question = element.locator(".cdl-question")
    assert "da τ = 1 a τ = 2" in question.inner_text()
    question.get_by_role("button", name="cresce").click()
    warm = states.state([2, 0, 1], 2.0, names=["chiave", "libri", "era"])
    same_as(element, warm)
    assert say(element).startswith("Avevi previsto: cresce. Il coefficiente più grande diminuisce: da 0,665 ")
    assert element.locator("[data-mark]").count() == 3                   # i coefficienti di prima, segnati
    assert element.locator("[data-note]").count() == 2
    assert "c = +1000" in question.inner_text()
    press(element, "2")
    expect(question).to_have_count(0)
    assert say(element).startswith("Hai previsto bene. Il coefficiente più grande resta com'è: da 0,506 a ")
    assert "i coefficienti non cambiano" in element.locator("[data-note]").last.text_content()
    assert numbers(element, "logit") == ["1002", "1000", "1001"]


def test_what_was_changed_without_a_prediction_stays_covered(plain):
    page, element, _ = opened(plain, kernel=False)
    press(element, "ArrowDown")
    element.locator("[data-control='temperature']").fill("5")
    question = element.locator(".cdl-question")
    assert "da τ = 1 a τ = 5" in question.inner_text()
    assert weights(element) == ["?"] * 3
    hot = states.state([2, 0, 1], 5.0)
    hidden = [*(number(w, 3) for w in hot["weights"]), *hot["ways"]["stable"]["texts"][1:]]
    hidden.append(number(hot["entropy"], 2))
    page_text, copied = element.inner_html(), copied_rows(element)
    assert not [text for text in hidden if text in page_text]
    assert not [w for w in hot["weights"] if json.dumps(w)[2:10] in copied]
    assert copied.count("?") > 10
    page.page.evaluate("() => { window.sent = []; window.toKernel = (...all) => window.sent.push(all); }")
    press(element, "Enter", "ArrowRight", "c")                           # non si fissano, non si cambia altro
    assert element.locator("[data-mark]").count() == 0
    assert page.page.evaluate("window.sent") == []
    assert numbers(element, "logit") == ["2", "0", "1"]
    press(element, "3")
    assert weights(element) == [number(w, 3) for w in hot["weights"]]
    assert say(element).startswith("Hai previsto bene. Il coefficiente più grande diminuisce")
    assert page.page.evaluate("document.activeElement.className") == "cdl-stage"
    assert json.dumps(hot["weights"][0])[2:10] in copied_rows(element)


def test_predictions_can_be_switched_off(plain):
    _, element, _ = opened(plain, predict=False)
    assert element.locator(".cdl-question").count() == 0
    element.locator("[data-control='temperature']").fill("0.5")
    same_as(element, states.state([2, 0, 1], 0.5, names=["chiave", "libri", "era"]))
    element.locator("[data-control='predict']").check()
    assert element.locator(".cdl-question").count() == 1
    assert weights(element)[0] != "?"                                    # ciò che si vedeva resta scoperto


def test_a_logit_moves_with_the_mouse_and_with_the_keys(plain):
    page, element, widget = opened(plain, predict=False)
    box = element.locator("[data-slider='1'] line").bounding_box()
    y = box["y"] + box["height"] / 2
    page.page.mouse.move(box["x"] + box["width"] / 2, y)
    page.page.mouse.down()
    for part in (0.6, 0.7, 0.8, 0.9, 1.0):
        page.page.mouse.move(box["x"] + part * box["width"], y)
    page.page.mouse.up()
    page.page.mouse.move(box["x"], y)                                    # lasciato: non segue più
    expect(element.locator("[data-number='logit1']")).to_have_text("5")
    same_as(element, states.state([2, 5, 1], names=["chiave", "libri", "era"]))
    press(element, "ArrowLeft", "ArrowLeft", "PageDown")
    expect(element.locator("[data-number='logit1']")).to_have_text("3,8")
    press(element, "End", "ArrowRight")
    expect(element.locator("[data-number='logit2']")).to_have_text("1,1")
    press(element, "Home", *["PageUp"] * 9)
    expect(element.locator("[data-number='logit0']")).to_have_text("5")
    same_as(element, states.state([5, 3.8, 1.1], names=["chiave", "libri", "era"]))
    assert widget.state["logits"] == [5, 3.8, 1.1]
    assert element.locator("select").evaluate("s => s.selectedOptions[0].textContent") == "logit scelti da te"


def test_temperature_c_and_ways_with_the_keys(plain):
    _, element, _ = opened(plain, predict=False)
    names = ["chiave", "libri", "era"]
    press(element, "+", "+", "-")
    expect(element.locator("output").first).to_have_text("1,1")
    same_as(element, states.state([2, 0, 1], 1.1, names=names))
    press(element, "-", "c", "c")
    expect(element.locator("[data-number='logit0']")).to_have_text("102")
    found = states.state([2, 0, 1], 1.0, 100, names)
    same_as(element, found)
    press(element, "m")
    assert numbers(element, "exponential") == found["ways"]["float64"]["texts"]
    assert numbers(element, "reduced") == []
    press(element, "m")
    assert numbers(element, "exponential") == ["∞"] * 3
    assert weights(element) == ["non è un numero"] * 3
    assert "trabocca" in element.locator("[data-way='float32']").text_content()
    assert say(element).endswith("esponenziale ∞; coefficiente non è un numero.")
    assert element.locator("[data-value='entropy']").text_content() == "–"
    said = element.locator(".cdl-finding").inner_text()
    assert said == "Formula diretta in float32: trabocca: ∞ ÷ ∞ non è un numero"
    element.locator("[data-way='stable']").click()
    same_as(element, found)


def test_examples_candidates_pin_and_reset(plain):
    _, element, widget = opened(plain, predict=False)
    element.locator("select").select_option(label="1000; 1001; 1002")
    big = next(one["state"] for one in widget.presets if one["name"].startswith("1000"))
    same_as(element, big)
    assert say(element).startswith("Numeri grandi: la formula diretta trabocca.")
    element.get_by_role("button", name="Fissa").click()
    assert element.locator("[data-mark]").count() == 3
    press(element, "Escape")
    assert element.locator("[data-mark]").count() == 0
    press(element, "Enter")
    more = element.get_by_role("button", name="Un candidato in più")
    for n in range(4, 9):
        more.click()
        expect(element.locator("[data-row]")).to_have_count(n)
    assert element.locator("[data-mark]").count() == 0                   # di un'altra lunghezza
    assert more.is_disabled()
    eight = [1000, 1001, 1002, *[1001] * 5]
    same_as(element, states.state(eight, names=list("abcdefgh"), span=[996, 1006]))
    element.get_by_role("button", name="Un candidato in meno").click()
    expect(element.locator("[data-row]")).to_have_count(7)
    element.locator("[data-control='shift-1000']").click()
    expect(element.locator("[data-number='logit0']")).to_have_text("0")
    element.get_by_role("button", name="Ripristina").click()
    same_as(element, widget.presets[0]["state"])
    assert element.locator("[data-control='shift0']").get_attribute("aria-pressed") == "true"


def test_without_a_kernel_the_ready_states_remain_and_own_words_say_why(plain):
    page, element, _ = opened(plain, kernel=False, predict=False)
    page.page.clock.install()
    press(element, "ArrowRight")
    page.page.clock.run_for(4200)
    assert "Il kernel non risponde" in element.locator(".cdl-problem").inner_text()
    assert "I cursori dei logit sono chiusi" in say(element)
    names = ["chiave", "libri", "era"]
    same_as(element, states.state([2, 0, 1], names=names))
    assert element.get_by_role("button", name="Un candidato in più").is_disabled()
    press(element, "ArrowRight")                                         # chiuso: non si muove e non aspetta
    assert element.locator(".cdl").get_attribute("data-waiting") is None
    element.locator("[data-control='temperature']").fill("1.8")
    same_as(element, states.state([2, 0, 1], 2.0, names=names))
    element.locator("[data-control='shift100']").click()
    same_as(element, states.state([2, 0, 1], 2.0, 100, names))
    element.locator("select").select_option(label="logit uguali")
    assert weights(element) == ["0,333"] * 3


def test_without_a_kernel_a_prediction_that_cannot_be_shown_is_asked_again(plain):
    page, element, _ = opened(plain, kernel=False)
    page.page.clock.install()
    element.locator("select").select_option(label="1000; 1001; 1002")
    press(element, "3", "2")                                             # con τ = 2 quel c non è pronto
    assert element.locator(".cdl-question").count() == 0
    page.page.clock.run_for(4200)
    assert "c = +1000" in element.locator(".cdl-question").inner_text()
    press(element, "2")                                                  # ora si va dov'è pronto
    assert numbers(element, "logit") == ["2000", "2001", "2002"]
    assert say(element).startswith("Hai previsto bene. Il coefficiente più grande resta com'è: da 0,665 a ")
    assert element.locator(".cdl-question").count() == 0


def test_one_request_at_a_time_and_the_last_wins(plain):
    page, element, _ = opened(plain, kernel=False, predict=False)
    page.page.evaluate("""() => { window.sent = [];
        window.toKernel = (key, text) => window.sent.push(JSON.parse(text).request); }""")
    page.page.clock.install()
    reply = """state => { const last = window.sent[window.sent.length - 1];
        const answer = { serial: last.serial, problem: '' };
        window.fromKernel.widget(JSON.stringify({ state, answer })); }"""
    press(element, *["ArrowRight"] * 6)
    sent = page.page.evaluate("window.sent.map(one => one.logits[0])")
    assert sent == [2.1]                                                 # le altre aspettano la risposta
    names = ["chiave", "libri", "era"]
    page.page.evaluate(reply, states.state([2.1, 0, 1], names=names))
    page.page.clock.run_for(60)
    assert page.page.evaluate("window.sent.map(one => one.logits[0])") == [2.1, 2.6]
    page.page.evaluate(reply, states.state([2.6, 0, 1], names=names))
    page.page.clock.run_for(60)
    assert page.page.evaluate("window.sent.length") == 2
    same_as(element, states.state([2.6, 0, 1], names=names))


def test_two_at_a_time_do_not_disturb_one_another(plain):
    page, first, _ = opened(plain, predict=False)
    _, second, other = opened(plain, page=page, key="due", predict=False)
    before = second.locator(".cdl-stage").inner_html()
    press(first, "ArrowRight", "c")
    expect(first.locator("[data-number='logit0']")).to_have_text("3,1")
    assert second.locator(".cdl-stage").inner_html() == before
    assert other.request == {}


def test_bad_numbers_from_the_page_get_a_sentence(plain):
    page, element, widget = opened(plain, predict=False)
    bad = {"serial": 7, "logits": ["🙂"] * 3, "names": list("abc"), "temperature": 1}
    sent = ["widget", json.dumps({"request": bad})]
    page.page.evaluate("([key, text]) => window.toKernel(key, text)", sent)
    assert widget.answer["problem"].startswith("logits: mi aspettavo da 3 a 8 numeri")
    same_as(element, widget.presets[0]["state"])

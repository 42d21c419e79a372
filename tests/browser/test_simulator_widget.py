"""Il Simulatore nel browser: le quattro fasi, la previsione, le fasi chiuse."""

from __future__ import annotations

import pytest

from course_lib.notation import number
from course_lib.transformer.sentences import IN
from course_lib.widgets import Simulator
from course_lib.widgets.state import simulator_scenes as scenes
from course_lib.widgets.state.simulator import state
from tests.browser.simulator_page import cells, control, opened, state_of, texts, written
from tests.browser.widget_page import finding, press_keys, say

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]


# --- le quattro fasi ------------------------------------------------------------------------------


def test_phase_one_shows_seats_and_ids(plain):
    page, element = opened(plain)
    state = scenes.opening().state()
    for i, (token, token_id) in enumerate(zip(IN.split(), range(7), strict=True)):
        shown = texts(element, f'[data-token="0,{i}"]')
        assert [shown[0], shown[1], shown[3]] == [f"posto {i}", token, f"ID {token_id}"]
    assert finding(element) == state["findings"][0]
    assert say(element) == "«Una», posto 0, ID 0."
    press_keys(page, "ArrowRight", "ArrowRight")
    assert say(element) == "«legge», posto 2, ID 2."
    press_keys(page, "End")
    assert say(element) == "«silenzio», posto 6, ID 6."
    element.locator('[data-token="0,4"]').click()
    assert say(element) == "«regola», posto 4, ID 4."
    assert f"Vocabolario: {len(state['vocabulary'])} voci" in element.inner_text()


def test_phase_two_shows_signed_embeddings_and_how_one_is_made(plain):
    page, element = opened(plain)
    press_keys(page, "2", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight")
    side = scenes.opening().state()["sides"][0]
    assert cells(element, "svg") == written([row[:4] for row in side["embedding"]], signed=True)
    assert say(element) == "regola, ID 4, dimensione 2: −0,140 + (−0,269) = −0,409."
    parts = ["0,5·sin(4·3·0,5) = −0,140", "0,3·cos(4·3·0,3) = −0,269"]
    assert texts(element, '[data-recipe="0"]')[2:4] == parts
    element.locator('[data-cell="0,3"]').click()
    assert say(element).startswith("Una, ID 0, dimensione 3: ")


def test_phase_three_adds_the_codes(plain):
    page, element = opened(plain)
    press_keys(page, "3", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown")
    side = scenes.opening().state()["sides"][0]
    for n, values in enumerate(([row[:4] for row in side["embedding"]], side["added"], side["final"])):
        assert cells(element, f'[data-matrix="0,{n}"]') == written(values, signed=True)
    assert {"+", "="} <= set(element.locator("svg text").all_text_contents())
    assert say(element) == "regola, posto 4, dimensione 0: 0,563 + 0,3 × (−0,757) = +0,336."
    assert element.locator("[data-wave]").count() == 4
    assert element.locator(".cdl-drop").count() == 7  # una linea tratteggiata per parola
    assert element.locator(".cdl-drop-on").count() == 1
    control(element, "positions").click()
    assert finding(element) == "Posizioni spente: non si somma nulla"
    assert say(element) == "regola, posto 4, dimensione 0: 0,563 + 0 = +0,563."
    assert set(cells(element, '[data-matrix="0,1"]').values()) == {"0,000"}
    control(element, "d").fill("3")  # da qui i numeri sono quelli già calcolati
    control(element, "positions").click()
    assert cells(element, '[data-matrix="0,2"]') == written(state(IN, d=3)["sides"][0]["final"], signed=True)


def test_phase_four_draws_lines_as_thick_as_the_coefficients(plain):
    page, element = opened(plain, Simulator(predict=False, phase=4))
    side = scenes.opening().state()["sides"][0]
    assert cells(element, '[data-coefficients="0"]') == written(side["weights"])
    assert texts(element, '[data-coefficients="0"]').count("1,000") == 7
    script = """nodes => nodes.map(n => [n.dataset.link,
        Number(n.querySelector('path, circle').getAttribute('stroke-width'))])"""
    widths = dict(element.locator("[data-table] [data-link]").evaluate_all(script))
    assert len(widths) == 49
    for i, row in enumerate(side["weights"]):
        for j, weight in enumerate(row):
            assert widths[f"{i},{j}"] == pytest.approx(0.5 + 7.5 * weight, abs=1e-3)
    assert "scelta del corso" in element.inner_text()
    press_keys(page, "ArrowDown", "ArrowDown", "ArrowRight")
    weight, score = number(side["weights"][1][1], 3), number(side["scores"][1][1], 3)
    assert say(element) == f"vecchia → vecchia: punteggio {score}; coefficiente {weight}."
    numbers = texts(element, '[data-table="0"] [data-link]')
    assert sorted(numbers) == sorted(number(v, 2) for v in side["weights"][1])
    control(element, "loops").click()
    assert element.locator("[data-table] [data-link]").count() == 42
    assert "Gli anelli sono nascosti" in say(element)


def test_pin_and_release(plain):
    page, element = opened(plain, Simulator(predict=False, phase=4))
    press_keys(page, "ArrowRight", "Enter", "ArrowDown")
    assert say(element).endswith("Fissato: Una.")
    assert "vecchia → Una" in say(element)
    on = element.locator("[data-seat] .cdl-seat-on")
    assert on.locator("xpath=..").get_attribute("data-seat") == "0"
    press_keys(page, "Escape")
    assert on.count() == 0
    element.locator('[data-seat="3"]').click()
    assert say(element).startswith("la → la: ")


def test_every_phase_by_button_and_by_key(plain):
    page, element = opened(plain, Simulator(predict=False))
    findings = scenes.opening().state()["findings"]
    for k in (3, 1, 2, 0):
        control(element, f"phase-{k}").click()
        assert finding(element) == findings[k]
        assert control(element, f"phase-{k}").get_attribute("aria-checked") == "true"
    element.locator(".cdl-stage").focus()
    press_keys(page, "n", "n")
    assert finding(element) == findings[2]
    press_keys(page, "b")
    assert finding(element) == findings[1]
    press_keys(page, "b", "b")
    assert finding(element) == findings[0]


def test_a_walk_with_the_keyboard_alone(plain):
    page = plain()
    element = page.add(Simulator())
    reached = []
    while not reached or reached[-1] != "cdl-stage":
        press_keys(page, "Tab")
        reached.append(page.page.evaluate(
            "(node => node.dataset.control || node.className)(document.activeElement)"
        ))  # fmt: skip
        assert len(reached) <= 9
    assert reached[:2] == ["phase-0", "example-0"]
    assert {"d", "positions", "predict", "text-0", "text-1", "own"} <= set(reached)
    press_keys(page, "ArrowRight")
    assert say(element) == "«vecchia», posto 1, ID 1."
    press_keys(page, "2", "ArrowRight")
    assert say(element) == "vecchia, ID 1, dimensione 1: 0,421 + 0,248 = +0,668."
    press_keys(page, "n", "End")
    assert say(element) == "vecchia, posto 1, dimensione 3: 0,563 + 0,3 × 1,000 = +0,863."
    press_keys(page, "n", "ArrowRight")
    assert say(element) == "I coefficienti sono coperti: scegli la tua previsione."
    right, side = scenes.opening().state()["question"]["right"], scenes.opening().state()["sides"][0]
    press_keys(page, str(right + 1))
    assert say(element).startswith("Hai previsto bene. ")
    press_keys(page, "Home", "Enter", "ArrowDown")
    assert say(element).endswith(f"coefficiente {number(side['weights'][2][0], 3)}. Fissato: vecchia.")
    press_keys(page, "Escape", "?")
    assert element.locator(".cdl-help").is_visible()
    press_keys(page, "Escape", "Tab")
    assert page.page.evaluate("document.activeElement.textContent") == "Ripristina"
    press_keys(page, "Enter")
    assert finding(element) == scenes.opening().state()["findings"][0]


# --- Prima prevedi --------------------------------------------------------------------------------


def test_nothing_can_be_read_before_the_prediction(plain):
    page, element = opened(plain)
    press_keys(page, "4")
    state = scenes.opening().state()
    html = element.inner_html()
    hidden = {number(v, 3) for row in state["sides"][0]["weights"] for v in row}
    assert not [v for v in hidden if v in html]
    assert state["findings"][3] not in html
    assert state["seen"] not in html
    assert element.locator("[data-table] [data-link]").count() == 0
    element.get_by_role("button", name="Copia CSV").click()
    element.get_by_text("Copiato: ").wait_for()
    assert say(element) == "I coefficienti sono coperti: scegli la tua previsione."
    press_keys(page, "ArrowRight", "Enter")
    assert say(element) == "I coefficienti sono coperti: scegli la tua previsione."
    element.locator(".cdl-stage").focus()
    press_keys(page, str(state["question"]["right"] + 1))
    assert say(element).startswith("Hai previsto bene. ")
    assert finding(element) == state["findings"][3]
    control(element, "d").fill("8")
    assert element.locator(".cdl-question").count() == 0  # la stessa previsione non si chiede due volte


def test_a_wrong_prediction_by_mouse_and_none_when_switched_off(plain):
    _, element = opened(plain, Simulator(experiment=3, phase=4))
    element.locator("[data-choice='1']").click()
    assert say(element).startswith("Avevi previsto: no, qualcuno cambia. ")
    control(element, "positions").click()
    assert element.locator(".cdl-question").count() == 1  # con le posizioni la domanda è un'altra
    control(element, "predict").click()
    assert element.locator(".cdl-question").count() == 0
    assert finding(element) == state_of("La posizione", positions=True)["findings"][3]


# --- fasi chiuse ----------------------------------------------------------------------------------


def test_closed_phases_say_where_they_open(plain):
    page, element = opened(plain, Simulator(phases=(1, 2)))
    assert control(element, "phase-2").inner_text() == "3 · Posizione (chiusa fino al notebook 5)"
    press_keys(page, "4")
    assert say(element).startswith("La fase 4 resta chiusa fino al notebook 6. ")
    assert element.locator("[data-table]").count() == 0
    control(element, "phase-2").click()
    assert say(element).startswith("La fase 3 resta chiusa fino al notebook 5. ")
    assert control(element, "phase-0").get_attribute("aria-checked") == "true"
    element.locator(".cdl-stage").focus()
    press_keys(page, "n", "n")
    assert finding(element) == scenes.opening().state()["findings"][1]
    assert not control(element, "positions").is_visible()

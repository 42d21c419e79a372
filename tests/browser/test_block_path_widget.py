"""Il Percorso nel browser: numeri uguali a quelli dello stato, coperti finché non si prevede."""

from __future__ import annotations

import json
import re

import pytest

from course_lib.notation import number
from course_lib.widgets import BlockPath
from course_lib.widgets.state.block_path import COSINE, NORM, OTHER, OUT, SENTENCE, STATIONS, unpacked
from tests.browser.test_widget_contract import CUT, OVERLAPS
from tests.browser.widget_page import COPY, finding, press, say

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

NUMBERS = """element => [...element.querySelectorAll('[data-station]')].map(row =>
  [...row.querySelectorAll('[data-component], [data-stat]')].map(node => node.textContent))"""
ROADS = "nodes => nodes.map(node => node.dataset.residual)"
CHOSEN = "node => node.selectedOptions[0].textContent"
LONG = "Un gatto grigio dorme piano accanto alla vecchia porta della cucina buia"
WITHOUT = "[data-curve='senza residui']"


def opened(plain, kernel=False, **options):
    page = plain().kernel() if kernel else plain()
    return page, page.add(BlockPath(**options))


def expected(found, norm, residuals, depth, token):
    """I numeri di tutte le tappe, come li scrive il corso."""
    numbers, index = unpacked(found, norm, residuals)
    rows = [numbers[place][token] for place in index[depth - 1]]
    # le otto componenti con il segno, poi norma, media e deviazione standard
    return [[number(v, 3, sign=c < 8) for c, v in enumerate(row[:-1])] for row in rows]


def cosine(found, norm, residuals, depth, token):
    numbers, index = unpacked(found, norm, residuals)
    return numbers[index[depth - 1][OUT]][token][COSINE]


def test_nothing_covered_can_be_read_before_the_answer(plain):
    page, element = opened(plain)
    shown = element.evaluate(NUMBERS)
    assert shown[0] == expected(BlockPath().state, "pre", True, 1, 5)[0]
    assert {text for row in shown[1:] for text in row} == {"?"}
    assert "2,828" not in element.inner_html()
    assert say(element) == "«era», blocco 1, LayerNorm: prima di vederne i numeri, prevedi."
    assert finding(element) == "«era» attraversa 1 blocco: che cosa ne verrà?"
    press(element, "n", "n")                       # non si avanza senza aver risposto
    assert say(element).startswith("«era», blocco 1, LayerNorm: prima")
    page.page.evaluate(COPY)
    element.get_by_role("button", name="Copia CSV").click()
    lines = page.page.evaluate("window.copied").splitlines()
    assert len(lines) == 1 + 12 * 8
    assert lines[1].startswith("era;1;entra nel blocco;0,041;")
    assert all(line.endswith(";?" * 12) for line in lines[2:])
    press(element, "2")
    assert say(element).startswith(
        "Avevi previsto «le stesse di prima». «era», blocco 1, LayerNorm: "
        "norma 2,828; media 0,000; deviazione standard 1,000; coseno"
    )
    assert element.evaluate(NUMBERS) == expected(BlockPath().state, "pre", True, 1, 5)
    element.get_by_role("button", name="Copia CSV").click()
    assert "?" not in page.page.evaluate("window.copied")


def test_in_a_deeper_block_even_what_enters_is_covered(plain):
    _, element = opened(plain, norm="post", depth=3)
    assert {text for row in element.evaluate(NUMBERS) for text in row} == {"?"}
    assert element.locator("[data-curve]").count() == 0
    press(element, "1")
    assert say(element).startswith("Hai previsto bene. «era», blocco 3, LayerNorm: ")
    assert element.locator("[data-curve='con i residui']").count() == 2


def test_without_residuals_the_question_comes_before_the_curve(plain):
    _, element = opened(plain)
    press(element, "1")
    assert "senza residui" not in finding(element)
    assert element.locator(WITHOUT).count() == 0
    element.locator("[data-control='residuals']").uncheck()
    assert {text for row in element.evaluate(NUMBERS)[1:] for text in row} == {"?"}
    assert "Senza residui, dopo 6 blocchi" in element.locator(".cdl-question").inner_text()
    assert element.locator(WITHOUT).count() == 0
    element.locator("[data-choice='2']").click()
    found = BlockPath().state
    ends = [number(cosine(found, "pre", way, 6, 5), 3) for way in (False, True)]
    said = "senza residui {}; con i residui {}".format(*ends)
    assert finding(element) == f"Dopo 6 blocchi, coseno fra «era» e il suo vettore di partenza: {said}"
    assert say(element).startswith("Hai previsto bene. «era», blocco 6, niente somma: ")
    assert element.locator(WITHOUT).count() == 2


def test_the_page_shows_the_state_in_every_way_at_every_depth(plain):
    _, element = opened(plain, predict=False)
    found = BlockPath().state
    for norm in ("pre", "post"):
        element.locator("[data-control='norm']").select_option(norm)
        for residuals in (True, False):
            element.locator("[data-control='residuals']").set_checked(residuals)
            for depth, token in ((1, 0), (2, 5), (7, 3), (12, 1)):
                element.locator("[data-control='depth']").fill(str(depth))
                element.locator(f"[data-token='{token}']").click()
                assert element.evaluate(NUMBERS) == expected(found, norm, residuals, depth, token)
                own = number(cosine(found, norm, residuals, depth, token), 3)
                assert f"{'con i' if residuals else 'senza'} residui {own}" in finding(element)
                assert element.evaluate(OVERLAPS) == []
                assert element.evaluate(CUT) == []


def test_the_curves_pass_through_the_numbers(plain):
    _, element = opened(plain, predict=False, depth=9)
    found = BlockPath().state
    script = "(node) => node.getAttribute('d')"
    points = {}
    for what in ("norm", "cosine"):
        for name in ("con i residui", "senza residui"):
            d = element.locator(f"[data-plot='{what}'] [data-curve='{name}']").evaluate(script)
            points[what, name] = [float(y) for y in re.findall(r"[ML] [\d.]+ ([\d.]+)", d)]
    for name, way in (("con i residui", True), ("senza residui", False)):
        numbers, index = unpacked(found, "pre", way)
        places = [0, *(own[OUT] for own in index)]
        for what, column, low, span in (("norm", NORM, 0.0, 2.0), ("cosine", COSINE, -1.0, 2.0)):
            foot = 200 + 112 if what == "norm" else 384 + 112
            expected_y = [foot - 112 * (numbers[p][5][column] - low) / span for p in places]
            assert points[what, name] == pytest.approx(expected_y, abs=0.01)
    here = float(element.locator("[data-here='cosine']").get_attribute("cy"))
    assert here == pytest.approx(points["cosine", "con i residui"][9], abs=0.01)


def test_a_walk_with_the_keyboard_alone(plain):
    page, element = opened(plain, predict=False)
    for _ in range(10):                                  # bottoni, comandi, frase, poi la figura
        page.page.keyboard.press("Tab")
    assert page.page.evaluate("document.activeElement.className") == "cdl-stage"
    keys = page.page.keyboard
    keys.press("n")                                      # dall'ultima tappa si ricomincia dall'entrata
    assert say(element).startswith("«era», blocco 1, entra nel blocco: norma 1,251; ")
    assert {text for row in element.evaluate(NUMBERS)[1:] for text in row} == {"…"}
    assert element.locator(".cdl-controls .cdl-note").inner_text() == "tappa 0 di 7"
    for k, station in enumerate(STATIONS["pre"][1:], start=1):
        keys.press("n")
        assert say(element).startswith(f"«era», blocco 1, {station.name}: ")
        lit = element.locator("[data-lit]").get_attribute("data-phase")
        assert lit == str(station.phase)
        assert element.evaluate(NUMBERS)[k][0] != "…"
    keys.press("b")
    assert say(element).startswith("«era», blocco 1, somma residua: ")
    keys.press("ArrowDown")                              # più in là il vettore non è ancora arrivato
    assert say(element).startswith("«era», blocco 1, somma residua: ")
    for _ in range(8):
        keys.press("ArrowUp")
    assert say(element).startswith("«era», blocco 1, entra nel blocco: ")
    assert element.locator("[data-lit]").get_attribute("data-phase") == "3"
    walk = {"Home": "La", "ArrowRight": "chiave", "ArrowLeft": "La", "End": "era"}
    for key, name in walk.items():
        keys.press(key)
        assert say(element).startswith(f"«{name}», ")
    keys.press("-")
    assert "blocco 1," in say(element)
    for _ in range(13):
        keys.press("+")
    assert "blocco 12," in say(element)
    assert element.locator("[data-control='depth']").input_value() == "12"
    press(element, "Enter", "ArrowLeft")
    assert say(element).endswith("Fissata la curva di «era».")
    assert element.locator("[data-curve='fissato']").count() == 4
    keys.press("Escape")
    assert element.locator("[data-curve='fissato']").count() == 0


def test_the_mouse_alone(plain):
    _, element = opened(plain, predict=False)
    element.locator("[data-control='next']").dblclick()
    assert say(element).startswith("«era», blocco 1, LayerNorm: ")
    element.locator("[data-control='back']").click()
    assert say(element).startswith("«era», blocco 1, entra nel blocco: ")
    element.locator("[data-station='5']").click()        # non ancora raggiunta
    assert say(element).startswith("«era», blocco 1, entra nel blocco: ")
    element.locator("[data-control='back']").click()     # dall'entrata all'ultima
    element.locator("[data-station='5']").click()
    assert say(element).startswith("«era», blocco 1, feed-forward: ")
    assert element.locator("[data-lit]").get_attribute("data-phase") == "6"
    element.locator("[data-token='2']").click()
    assert say(element).startswith("«accanto», blocco 1, feed-forward: ")
    assert element.locator("[data-residual]").evaluate_all(ROADS) == ["open"] * 2
    element.locator("[data-control='residuals']").uncheck()
    assert element.locator("[data-residual]").evaluate_all(ROADS) == ["cut"] * 2
    element.locator("[data-control='norm']").select_option("post")
    element.get_by_role("button", name="Ripristina").click()
    assert element.locator("[data-station]").count() == 8
    assert element.locator("[data-residual]").evaluate_all(ROADS) == ["open"] * 2


def test_an_own_sentence_comes_from_the_kernel_and_keeps_the_choices(plain):
    page, element = opened(plain, kernel=True, predict=False, depth=4, residuals=False)
    element.locator("[data-control='own']").fill("Il gatto nero dorme sul divano")
    element.locator("[data-control='send']").click()
    element.locator("[data-token='5']", has_text="divano").wait_for()
    found = page.widgets["widget"].state
    assert found["sentence"] == "Il gatto nero dorme sul divano"
    assert element.evaluate(NUMBERS) == expected(found, "pre", False, 4, 5)
    element.get_by_role("button", name="Ripristina").click()
    assert element.evaluate(NUMBERS) == expected(BlockPath().state, "pre", False, 4, 5)
    assert element.locator("[data-control='sentence']").evaluate(CHOSEN) == SENTENCE
    element.locator("[data-control='sentence']").select_option(OTHER)
    assert element.locator("[data-token]").count() == 3
    assert say(element).startswith("«era», blocco 4, ")
    element.locator("[data-control='sentence']").select_option(SENTENCE)
    assert element.locator("[data-token]").count() == 6
    assert element.evaluate(NUMBERS) == expected(BlockPath().state, "pre", False, 4, 5)


def test_new_options_from_python_reopen_it_as_they_say(plain):
    page, element = opened(plain, predict=False)
    press(element, "+", "b")
    options = {"token": 2, "residuals": False, "norm": "post", "depth": 5, "predict": False}
    page.page.evaluate("text => window.fromKernel.widget(text)", json.dumps({"options": options}))
    assert element.evaluate(NUMBERS) == expected(BlockPath().state, "post", False, 5, 2)
    assert element.locator("[data-control='norm']").input_value() == "post"
    assert element.locator("[data-control='depth']").input_value() == "5"


@pytest.mark.parametrize(
    ("text", "says"),
    [("", "vuota"), ("   ", "vuota"), ("a " * 5000, "caratteri"), ("a b c d e f g h i l m n o", "al più 12")],
)
def test_a_bad_sentence_is_answered_and_nothing_is_lost(plain, text, says):
    _, element = opened(plain, kernel=True, predict=False)
    before = element.evaluate(NUMBERS)
    element.locator("[data-control='own']").fill(text)
    element.locator("[data-control='own']").press("Enter")
    element.locator(".cdl-problem", has_text=says).wait_for()
    assert element.evaluate(NUMBERS) == before
    element.locator("[data-control='own']").fill("🙂 שלום e poi")
    element.locator("[data-control='own']").press("Enter")
    element.locator("[data-token='0']", has_text="🙂").wait_for()
    assert not element.locator(".cdl-problem").is_visible()
    assert element.locator("[data-token]").count() == 4


def test_without_a_kernel_the_ready_sentences_stay_and_a_sentence_says_why(plain):
    page = plain()
    page.page.clock.install()
    element = page.add(BlockPath(predict=False))
    element.locator("[data-control='own']").fill("Una frase mia")
    element.locator("[data-control='send']").click()
    page.page.clock.fast_forward(5000)
    assert "Il kernel non risponde" in element.locator(".cdl-problem").inner_text()
    element.locator("[data-control='sentence']").select_option(OTHER)
    assert not element.locator(".cdl-problem").is_visible()
    other = BlockPath().presets[0]["state"]
    assert element.evaluate(NUMBERS) == expected(other, "pre", True, 1, 2)


def test_two_side_by_side_do_not_disturb_one_another(plain):
    page = plain()
    first = page.add(BlockPath(predict=False), "uno")
    second = page.add(BlockPath(OTHER, predict=False, seed=3), "due")
    before = second.evaluate(NUMBERS)
    first.locator("[data-control='residuals']").uncheck()
    first.locator("[data-control='sentence']").select_option(OTHER)
    press(first, "+", "ArrowLeft", "n")
    assert second.evaluate(NUMBERS) == before
    assert before == expected(BlockPath(OTHER, seed=3).state, "pre", True, 1, 2)
    assert second.locator("[data-control='residuals']").is_checked()


def test_a_long_sentence_fits(plain):
    _, element = opened(plain, predict=False, depth=12, sentence=LONG)
    assert element.locator("[data-token]").count() == 12
    assert element.evaluate(OVERLAPS) == []
    assert element.evaluate(CUT) == []


def test_the_csv_is_the_whole_way(plain):
    page, element = opened(plain, predict=False, norm="post", residuals=False, token=1)
    page.page.evaluate(COPY)
    element.get_by_role("button", name="Copia CSV").click()
    lines = [line.split(";") for line in page.page.evaluate("window.copied").splitlines()]
    numbers, index = unpacked(BlockPath().state, "post", False)
    assert lines[0][:4] == ["token", "blocco", "tappa", "componente 1"]
    read = [[float(cell.replace(",", ".")) for cell in line[3:]] for line in lines[1:]]
    assert read == [numbers[place][1].tolist() for own in index for place in own]
    assert lines[3][:3] == ["chiave", "1", "niente somma"]

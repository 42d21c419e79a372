"""La Posizione nel browser: numeri dello stato nelle quattro viste, previsioni, tasti, mouse, kernel muto."""

from __future__ import annotations

import pytest

from course_lib.notation import number
from course_lib.widgets import PositionClock
from tests.browser.widget_page import COPY, finding, press_keys, say

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

WAVES, DISTANCE, SWAP, REGOLA = range(4)
CELLS = """nodes => Object.fromEntries(
  nodes.map(n => [n.dataset.cell, n.querySelector('text')?.textContent]))"""
HANDS = """nodes => nodes.map(n =>
  [n.x2.baseVal.value - n.x1.baseVal.value, n.y1.baseVal.value - n.y2.baseVal.value])"""


@pytest.fixture
def clock(plain):
    """La Posizione come si apre, collegata al kernel."""
    page = plain().kernel()
    return page, page.add(PositionClock())


def cells(element, matrix=0):
    """I testi delle celle di una matrice della figura, per posto."""
    groups = element.locator("svg g:has(> g[data-cell])")
    return groups.nth(matrix).locator("> [data-cell]").evaluate_all(CELLS)


def show(element, view):
    element.locator(f"[data-control='view-{view}']").click()
    element.locator(".cdl-stage").focus()


def table(values, digits=2, sign=True):
    return {
        f"{i},{j}": number(value, digits, sign=sign)
        for i, row in enumerate(values)
        for j, value in enumerate(row)
    }


def csv(page, element):
    page.page.evaluate(COPY)
    element.get_by_role("button", name="Copia CSV").click()
    return [line.split(";") for line in page.page.evaluate("window.copied").splitlines()]


def test_waves_hands_and_numbers_are_those_of_the_state(plain):
    page, widget = plain(), PositionClock(predict=False)
    element, state = page.add(widget), widget.state
    assert cells(element) == table(state["encoding"][:12])
    hands = element.locator("[data-hand]").evaluate_all(HANDS)
    assert len(hands) == 4
    for i, (right, up) in enumerate(hands):
        long = (right**2 + up**2) ** 0.5
        assert (right / long, up / long) == pytest.approx(state["encoding"][4][2 * i : 2 * i + 2], abs=1e-3)
    element.locator(".cdl-stage").focus()
    press_keys(page, "ArrowDown", "ArrowRight", "ArrowRight")
    turns = number(state["turns"][5][1], 3)
    assert say(element) == (
        f"posto 5, dimensione 2: sin di 0,500 = 0,479; la lancetta della coppia 1 ha fatto {turns} giri."
    )
    points = element.locator("[data-wave='0']").get_attribute("points").split()
    heights = [float(point.split(",")[1]) for point in points]
    middle, reach = (max(heights) + min(heights)) / 2, (max(heights) - min(heights)) / 2
    assert len(points) == 45  # da 0 a 11, quattro letture per posto
    for k in (0, 7, 20, 44):
        expected = state["waves"]["values"][0][k]
        assert (middle - heights[k]) / reach == pytest.approx(expected, abs=0.02)


def test_nothing_covered_can_be_read_before_the_answer(clock):
    page, element = clock
    assert element.locator("[data-hand], [data-wave], [data-read]").count() == 0
    assert "rad per posto" not in element.locator("svg").text_content()
    assert csv(page, element)[0] == ["posto", *(f"PE {dim}" for dim in range(8))]
    element.locator("[data-choice='0']").click()
    assert say(element).startswith("Hai previsto bene. posto 4, ")
    assert csv(page, element)[0][-1] == "giri, coppia 3"
    show(element, DISTANCE)
    assert set(cells(element).values()) == {"?"}
    assert element.locator("[data-curve], [data-dot]").count() == 0
    assert {row[3] for row in csv(page, element)[1:]} == {"?"}
    element.locator("[data-choice='1']").click()
    assert say(element).startswith("Avevi previsto: anche da dove stanno; viene: soltanto dalla distanza. ")
    show(element, SWAP)
    assert set(cells(element, 1).values()) == {"?"}
    assert element.locator("[data-sum]").all_text_contents() == ["?"] * 5
    assert element.locator("[data-thread][stroke-dasharray]").count() == 0
    assert {value for row in csv(page, element)[1:] for value in row[11:]} == {"?"}
    show(element, REGOLA)
    assert "?" not in cells(element).values()  # al posto 4 non c'è nulla da prevedere
    press_keys(page, "ArrowUp", "ArrowUp")
    assert {cells(element)[f"{i},0"] for i in (3, 4, 5)} == {cells(element, 1)["3,0"]} == {"?"}
    assert element.locator("[data-wrong^='3'], [data-wrong^='5']").count() == 0
    assert "sin 2 è positivo" not in element.locator(".cdl").inner_text()
    assert csv(page, element)[13] == ["PE(2)", "0", "?", "?", "?"]
    element.locator(".cdl-stage").focus()
    press_keys(page, "1")
    assert cells(element)["3,0"] == "+0,909"


@pytest.mark.parametrize(("d", "base"), [(8, 1e4), (5, 10)])
def test_distances_are_those_of_the_state(plain, d, base):
    page, widget = plain(), PositionClock(d=d, base=base, view="distanza", predict=False)
    element, state = page.add(widget), widget.state
    assert cells(element) == table([row[:12] for row in state["dots"][:12]])
    assert element.locator("[data-curve]").count() == (1 if d % 2 == 0 else 2)
    element.locator("[data-cell='3,9']").click()
    value = number(state["dots"][3][9], 3)
    assert say(element).startswith(f"posti 3 e 9, distanza 6: prodotto scalare {value}; a questa distanza ")
    if d % 2:
        assert say(element).endswith(
            f"va da {number(state['least'][6], 3)} a {number(state['most'][6], 3)} secondo il posto."
        )
    place = "nodes => nodes.map(n => [n.cx.baseVal.value, n.cy.baseVal.value])"
    points = element.locator("[data-dot='point']").evaluate_all(place)
    here = element.locator("[data-dot='here']").evaluate_all(place)[0]
    assert any(point == pytest.approx(here, abs=0.01) for point in points)


def test_swapped_rows_are_those_of_the_state(plain):
    page, widget = plain(), PositionClock(d=4, view="scambio", predict=False)
    element, swap = page.add(widget), widget.state["swap"]
    one = next(one for one in swap["swaps"] if one["at"] == [1, 4])
    assert cells(element) == table(swap["output"]["off"])
    assert cells(element, 1) == table(one["off"]["output"])
    assert element.locator("[data-sum]").all_text_contents() == ["uguale"] * 5
    element.locator("[data-control='pe']").check()
    assert cells(element, 1) == table(one["on"]["output"])
    changes = [number(one["on"]["change"][one["moved"][i]], 3) for i in range(5)]
    assert element.locator("[data-sum]").all_text_contents() == changes
    assert element.locator("[data-thread][stroke-dasharray]").count() == 5
    assert finding(element) == one["on"]["finding"] + "."
    element.locator(".cdl-stage").focus()
    # mangia; topo risale a il, poi salta a gatto
    press_keys(page, "p", "ArrowDown", "ArrowLeft", "ArrowLeft")
    assert say(element).startswith("gatto ↔ mangia, senza le posizioni: «gatto» va dal posto 1 al posto 2 e ")
    element.locator("[data-cell='3,0']").first.click()
    assert say(element).startswith("gatto ↔ il, senza le posizioni")
    assert csv(page, element)[2][:3] == ["gatto", "1", "3"]


def test_regola_at_any_place(plain):
    page, widget = plain(), PositionClock(view="regola", predict=False)
    element, places = page.add(widget), widget.options["regola"]["places"]
    element.locator(".cdl-stage").focus()
    for at, keys in ((4, ()), (2, ("ArrowUp", "ArrowUp")), (11, ("End",)), (0, ("Home",))):
        press_keys(page, *keys)
        assert cells(element) == table(places[at]["values"], 3)
        shown = {k: v for k, v in cells(element, 1).items() if v != "–"}
        printed = [(i, j, v) for i, row in enumerate(places[at]["printed"]) for j, v in enumerate(row)]
        assert shown == {f"{i},{j}": number(v, 3, sign=True) for i, j, v in printed if v is not None}
        wrong = [f"{i},{j}" for i, row in enumerate(places[at]["wrong"]) for j, bad in enumerate(row) if bad]
        marked = element.locator("[data-wrong]").evaluate_all("nodes => nodes.map(n => n.dataset.wrong)")
        assert marked == wrong
    element.locator("[data-control='p']").fill("2")
    assert finding(element).startswith("Al posto 2 il documento stampa 13 numeri non giusti")
    assert say(element).endswith("PE 0,909, 0,3 × PE 0,273, somma 0,836; il documento stampa 0,290.")


def test_a_walk_with_the_keyboard_alone(clock):
    page, element = clock
    press_keys(page, "Tab", "End")
    assert element.locator(f"[data-control='view-{REGOLA}']").get_attribute("aria-checked") == "true"
    press_keys(page, "Home", "Tab")
    names = []
    for _ in range(6):
        names.append(page.page.evaluate("document.activeElement.dataset.control"))
        press_keys(page, "Tab")
    assert names == ["predict", "p", "n", "d", "base", "preset"]
    assert page.page.evaluate("document.activeElement.className") == "cdl-stage"
    press_keys(page, "1", "Home")
    assert say(element).startswith("posto 0, ")
    press_keys(page, "Enter", "ArrowDown", "ArrowDown")
    dot = number(page.widgets["widget"].state["dots"][0][2], 3)
    assert say(element).endswith(f"Fissato il posto 0: distanza 2, prodotto scalare {dot}.")
    assert element.locator("[data-hand='0 fissata']").count() == 1
    press_keys(page, "Escape", "End")
    assert say(element).startswith("posto 11, ")
    assert "Fissato" not in say(element)
    press_keys(page, "?")
    assert element.locator(".cdl-help").is_visible()
    press_keys(page, "Escape", "Shift+Tab", "Shift+Tab", "Shift+Tab", "ArrowRight")  # d da 8 a 9
    page.page.wait_for_function("document.querySelector('[data-for=d] output').textContent === '9'")
    assert page.widgets["widget"].state["d"] == 9
    assert element.locator("[data-control='preset']").input_value() == "-1"
    press_keys(page, "Tab", "Control+a", "1", "0", "Enter")
    page.page.wait_for_function("document.querySelector('.cdl-stage svg').textContent.includes('0,599 rad')")
    press_keys(page, "Shift+Tab", "Shift+Tab", "Home")
    assert element.locator("[data-for='n'] output").text_content() == "1"
    assert say(element).startswith("posto 0, ")
    press_keys(page, "Tab", "Tab", "Tab", "Tab", "Tab")
    assert page.page.evaluate("document.activeElement.textContent") == "Ripristina"
    press_keys(page, "Enter")
    assert say(element).startswith("posto 4, dimensione 0: prima di vedere")
    assert element.locator("[data-for='d'] output").text_content() == "8"


def test_bad_input_gets_a_sentence_and_what_was_written_stays(clock):
    page, element = clock
    show(element, SWAP)
    problem = element.locator(".cdl-problem")
    for text, word in (("", "vuota"), ("   ", "vuota"), ("parola " * 1500, "caratteri"), ("🗝️", "1 parola")):
        element.locator("[data-control='sentence']").fill(text)
        element.locator("[data-control='sentence']").dispatch_event("change")
        page.page.wait_for_function(f"document.querySelector('.cdl-problem').textContent.includes('{word}')")
        assert element.locator("[data-control='sentence']").input_value() == text
    element.locator("[data-control='base']").fill("dieci")
    element.locator("[data-control='base']").press("Enter")
    page.page.wait_for_function("document.querySelector('.cdl-problem').textContent.includes('dieci')")
    element.locator("[data-control='sentence']").fill("שלום 🗝️ mondo")
    element.locator("[data-control='sentence']").press("Enter")
    problem.wait_for(state="hidden")
    assert page.widgets["widget"].state["swap"]["tokens"] == ["שלום", "🗝️", "mondo"]
    assert say(element).startswith("🗝️ ↔ mondo, ")


def test_without_a_kernel_the_examples_stay(plain):
    page = plain()
    page.page.clock.install()
    element = page.add(PositionClock(predict=False))
    element.locator("[data-control='preset']").select_option("5")
    before = cells(element)
    assert "0,316 rad" in element.locator("svg").text_content()
    element.locator("[data-control='base']").fill("77")
    element.locator("[data-control='base']").press("Enter")
    page.page.clock.fast_forward(5000)
    assert "Il kernel non risponde" in element.locator(".cdl-problem").inner_text()
    assert cells(element) == before
    element.locator("[data-control='preset']").select_option("1")
    assert not element.locator(".cdl-problem").is_visible()
    assert "Una coppia sola" in finding(element)


def test_mouse_limits_and_two_side_by_side(plain):
    page = plain()
    first, second = page.add(PositionClock(predict=False), "uno"), page.add(PositionClock(n=24, d=16), "due")
    first.locator("[data-cell='7,3']").click()
    assert say(first).startswith("posto 7, dimensione 3: cos di 0,700")
    first.locator("[data-pair='0'] .cdl-cell").nth(2).click(force=True)
    assert say(first).startswith("posto 2, dimensione 0: ")
    assert say(second).startswith("posto 4, dimensione 0: ")
    assert set(cells(second).values()) == {None}
    first.locator("[data-control='n']").fill("1")
    assert cells(first) == table(page.widgets["uno"].state["encoding"][:1])
    for view in (DISTANCE, SWAP, REGOLA, WAVES):
        show(first, view)
    ids = page.page.evaluate("[...document.querySelectorAll('[id]')].map(node => node.id)")
    assert len(ids) == len(set(ids))

"""La Lente nel browser: numeri uguali a quelli dello stato, tutto con la tastiera, tutto con il mouse."""

from __future__ import annotations

import numpy as np
import pytest

from course_lib.notation import number
from course_lib.transformer.masks import causal_mask
from course_lib.widgets import CellLens
from tests.browser.widget_page import press_keys, say

FIXED_AND_HERE = ("[data-ring] rect:not([stroke-dasharray])", "[data-ring] rect[stroke-dasharray]")
pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]


@pytest.fixture
def lens(plain):
    """La Lente come si apre."""
    page = plain()
    return page, page.add(CellLens())


def cells(element, attribute="data-cell"):
    """I testi delle celle, per posto."""
    script = "(nodes, name) => nodes.map(n => [n.getAttribute(name), n.querySelector('text')?.textContent])"
    return dict(element.locator(f"[{attribute}]").evaluate_all(script, attribute))


def test_it_opens_on_the_worked_cell_and_hides_the_rows_not_yet_seen(lens):
    _, element = lens
    assert say(element) == "era → chiave: q·k = 2,83; ÷√2 = 2,00; coefficiente 0,665."
    shown = cells(element)
    assert [shown[f"2,{j}"] for j in range(3)] == ["0,665", "0,090", "0,245"]
    assert {shown[f"{i},{j}"] for i in (0, 1) for j in range(3)} == {"?"}
    assert "0,867" not in element.inner_html()  # coperto vuol dire che nella pagina non c'è


def test_the_reckoning_begins_with_its_query_and_its_key(lens):
    _, element = lens
    assert element.get_by_text("q di era = (1,414; 0); k di chiave = (2; 0)").is_visible()
    stray = """element => [...element.querySelectorAll('svg, svg g')].flatMap(node => [...node.childNodes])
        .filter(node => node.nodeType === Node.TEXT_NODE).map(node => node.textContent)"""
    assert element.evaluate(stray) == []  # uno scritto fuori da <text> non si vede


def test_a_walk_with_the_keyboard_alone(lens):
    page, element = lens
    press_keys(page, "Tab", "Tab", "Tab", "Tab")  # Indietro, Avanti, Prima prevedi, la figura
    assert page.page.evaluate("document.activeElement.className") == "cdl-stage"
    press_keys(page, "ArrowRight")
    assert say(element).startswith("era → libri: ")
    press_keys(page, "End")
    assert say(element).startswith("era → era: q·k = 1,41; ÷√2 = 1,00; coefficiente 0,245")
    press_keys(page, "Home", "n")
    assert "Passo 1, prodotti: 1,414 × 2 = 2,828; 0 × 0 = 0." in say(element)
    press_keys(page, "n", "n")
    assert "Passo 3, ÷ √d_k: 2,828 ÷ √2 = 2." in say(element)
    press_keys(page, "b")
    assert "Passo 2, somma, q·k: 2,828 + 0 = 2,828." in say(element)
    press_keys(page, "ArrowUp")
    assert say(element) == "libri → chiave: prima di vedere i coefficienti, prevedi."
    press_keys(page, "4")
    assert say(element).startswith("Hai previsto bene. libri → chiave: q·k = 0,00")
    press_keys(page, "Enter", "ArrowRight")
    assert say(element).endswith("Il conto è fissato su libri → chiave. Passo 2, somma, q·k: 0 + 0 = 0.")
    rings = [element.locator(name).first.bounding_box() for name in FIXED_AND_HERE]
    assert rings[0]["x"] + rings[0]["width"] <= rings[1]["x"] + 4
    press_keys(page, "Escape", "ArrowUp", "ArrowUp")
    assert say(element).startswith("Il risultato: uno z per ciascuno dei 3 token")
    press_keys(page, "ArrowRight", "ArrowRight")
    assert say(element) == "Q: le query, una per riga, 2 componenti ciascuna."
    press_keys(page, "ArrowDown", "?")
    assert element.locator(".cdl-help").is_visible()
    press_keys(page, "Escape")
    assert not element.locator(".cdl-help").is_visible()
    assert page.page.evaluate("document.activeElement.className") == "cdl-stage"
    press_keys(page, "Tab")  # la domanda della riga «chiave», poi la fila dei bottoni
    assert page.page.evaluate("document.activeElement.dataset.choice") == "0"
    press_keys(page, "Enter")
    assert say(element).startswith("Hai previsto bene. chiave → ")
    press_keys(page, "Tab")
    assert page.page.evaluate("document.activeElement.textContent") == "Ripristina"
    press_keys(page, "ArrowLeft", "Home", "Enter")
    assert say(element) == "era → chiave: q·k = 2,83; ÷√2 = 2,00; coefficiente 0,665."


def test_a_walk_with_the_mouse(lens):
    _, element = lens
    element.locator("[data-cell='0,2']").click()
    element.get_by_role("button", name="2 · libri").click()
    assert say(element).startswith("Avevi previsto: libri. chiave → era: ")
    assert cells(element)["0,0"] == "0,867"
    element.get_by_role("button", name="Avanti").click()
    assert "Passo 1" in say(element)
    element.get_by_role("button", name="Indietro").click()
    assert "Passo" not in say(element)
    element.locator("[data-symbol='K']").click()
    assert say(element).startswith("K: le key")
    assert cells(element)["0,0"] == "+2,000"
    element.locator("[data-symbol='K']").click()
    element.locator("[data-control='predict']").uncheck()
    assert "?" not in cells(element).values()
    element.get_by_role("button", name="Aiuto").click()
    assert element.locator(".cdl-help").is_visible()


@pytest.mark.parametrize("n", [6, 12])
def test_numbers_on_the_page_are_those_of_the_state(plain, n):
    rng, page = np.random.default_rng(n), plain()
    names = [f"t{i}" for i in range(n)]
    widget = CellLens(*rng.normal(size=(3, n, 4)), names, mask=causal_mask(n), predict=False)
    element, state = page.add(widget), widget.state
    shown = cells(element)
    for i in range(n):
        for j in range(n):
            assert shown[f"{i},{j}"] == (number(state["weights"][i][j], 3) if j <= i else None)
    for symbol, name in (("Q", "Q"), ("V", "V"), ("√d_k", "scores"), ("Z", "outputs")):
        element.locator(f"[data-symbol='{symbol}']").click()
        expected = {
            f"{i},{j}": number(value, 3, sign=True)
            for i, row in enumerate(state[name])
            for j, value in enumerate(row)
        }
        assert cells(element) == expected
    element.locator("[data-symbol='M']").click()
    assert cells(element)["0,1"] == "−∞"
    text = element.locator("[data-step='6']").text_content()
    assert number(state["totals"][n - 1], 3) in text


def test_two_side_by_side_do_not_touch_each_other(plain):
    page = plain()
    first, second = page.add(CellLens(), "uno"), page.add(CellLens(at=(0, 1)), "due")
    first.locator(".cdl-stage").focus()
    press_keys(page, "ArrowRight", "n")
    assert say(first).startswith("era → libri")
    assert say(second).startswith("chiave → libri")
    ids = page.page.evaluate("[...document.querySelectorAll('[id]')].map(node => node.id)")
    assert len(ids) == len(set(ids))


def test_more_than_twelve_tokens_show_colours_and_the_question_takes_the_place_of_the_ring(plain):
    rng, page = np.random.default_rng(5), plain()
    widget = CellLens(*rng.normal(size=(3, 24, 2)), [f"t{i}" for i in range(24)])
    element = page.add(widget)
    assert set(cells(element).values()) == {None}
    element.locator(".cdl-stage").focus()
    press_keys(page, "ArrowUp")
    best = widget.state["most"][22][0]
    press_keys(page, *["ArrowRight"] * best, "1")
    assert say(element).startswith("Hai previsto bene. ")


def test_nothing_is_left_when_the_view_goes(lens):
    page, element = lens
    page.page.evaluate("window.cleanUps.widget()")
    assert element.inner_html() == ""


def test_save_and_copy(lens):
    page, element = lens
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for kind in ("PNG", "SVG"):
        with page.page.expect_download() as waiting:
            element.get_by_role("button", name=f"Salva {kind}").click()
        assert waiting.value.suggested_filename == f"lente-sulla-cella.{kind.lower()}"
    text = waiting.value.path().read_text(encoding="utf-8")
    assert "0,665" in text
    assert "var(" not in text
    element.get_by_role("button", name="Copia CSV").click()
    element.get_by_text("Copiato: 9 righe con le intestazioni").wait_for()

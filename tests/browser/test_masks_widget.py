"""Le Maschere nel browser: i numeri dello stato, le previsioni, il disegno a mano, un giro di soli tasti."""

from __future__ import annotations

import numpy as np
import pytest

from course_lib.notation import number
from course_lib.widgets import MaskBoard
from tests.browser.widget_page import COPY, press_keys, say

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

CELLS = """(nodes) => Object.fromEntries(nodes.map(n => [n.closest('[data-panel]').dataset.panel + ' '
  + n.dataset.cell, n.querySelector('text')?.textContent]))"""



@pytest.fixture
def board(plain):
    """Le Maschere come si aprono, collegate al kernel."""
    page = plain().kernel()
    return page, page.add(MaskBoard())


def cells(element, panel):
    """I testi di una delle tre matrici, per posto."""
    found = element.locator("[data-cell]").evaluate_all(CELLS)
    return {name.split()[1]: text for name, text in found.items() if name[0] == str(panel)}


def sums(element):
    return element.locator("[data-panel='2'] [data-sum]").all_text_contents()


def active(page):
    script = "(({ className, dataset, textContent }) => className || dataset.control || textContent)"
    return page.page.evaluate(f"{script}(document.activeElement)")


def test_nothing_covered_can_be_read_before_the_answer(board):
    page, element = board
    assert set(cells(element, 1).values()) == set(cells(element, 2).values()) == set(sums(element)) == {"?"}
    assert cells(element, 0)["1,1"] == "+0,28"
    assert "−∞" not in element.locator("[data-cell]").all_text_contents()
    assert "url(" not in element.locator("[data-panel='1']").inner_html()  # nemmeno il tratteggio
    assert "0,43" not in element.inner_html()
    assert element.locator("[data-strip]").count() == 0
    assert say(element) == "l₃ → h: prima di vedere, prevedi."
    page.page.evaluate(COPY)
    element.get_by_role("button", name="Copia CSV").click()
    lines = page.page.evaluate("window.copied").splitlines()
    assert lines[0] == "chi guarda;chi è guardato;punteggio;può guardare;coefficiente;Σ della riga"
    assert lines[7] == "e;e;0,28;?;?;?"
    element.locator("[data-choice='1']").click()
    element.get_by_role("button", name="Copia CSV").click()
    assert page.page.evaluate("window.copied").splitlines()[7].startswith("e;e;0,28;sì;0,569")


@pytest.mark.parametrize("late", [False, True])
def test_the_numbers_on_the_page_are_those_of_every_ready_mask(plain, late):
    page, widget = plain(), MaskBoard(predict=False)
    element = page.add(widget)
    if late:
        element.locator("[data-control='late']").check()
    for k, one in enumerate(widget.presets):
        element.locator(f"[data-control='mask-{k}']").click()
        state = one["state"]
        names = ("open", "late", "late_sums") if late else ("scores", "weights", "sums")
        first, last, total = (state[name] for name in names)
        shown, shown_sums = [cells(element, panel) for panel in range(3)], sums(element)
        yes, no = ("1", "0") if late else ("0", "−∞")
        for i, row in enumerate(state["allowed"]):
            for j, may in enumerate(row):
                place = f"{i},{j}"
                assert shown[0][place] == number(first[i][j], 2, sign=not late)
                assert shown[1][place] == (yes if may else no)
                assert shown[2][place] == (number(last[i][j], 2) if may else "0")
            wrong = " ≠ 1" if late and state["wrong"][i] else ""
            assert shown_sums[i] == number(total[i], 2) + wrong
        assert number(total[-1], 3) in element.locator("[data-strip-sum]").last.text_content()


def test_every_cell_has_its_sentence(board):
    page, element = board
    press_keys(page, *["Tab"] * 4, "2")
    state = page.widgets["widget"].state
    for i in range(5):
        for j in range(i, 5, 2):
            element.locator(f"[data-panel='0'] [data-cell='{i},{j}']").click()
            assert say(element) == state["sentences"][i][j] + "."


def test_a_walk_with_the_keyboard_alone(board):
    """Maschere pronte, ordine sbagliato, figura, previsioni, disegno, aiuto, bottoni: senza mai il mouse."""
    page, element = board
    press_keys(page, "Tab")
    assert page.page.evaluate("document.activeElement.textContent") == "Causale"
    press_keys(page, "ArrowLeft")
    assert element.locator("[data-control='mask-0']").get_attribute("aria-checked") == "true"
    assert "Tutti guardano tutti" in element.locator(".cdl-finding").inner_text()
    press_keys(page, "End")
    assert element.locator("[data-control='mask-7']").get_attribute("aria-checked") == "true"
    press_keys(page, "Home", "ArrowRight", "Tab")
    assert active(page) == "late"
    press_keys(page, "Space")
    assert element.locator("[data-control='late']").is_checked()
    press_keys(page, "Space", "Tab")
    assert active(page) == "predict"
    press_keys(page, "Tab")
    assert active(page) == "cdl-stage"
    press_keys(page, "1")  # la previsione sbagliata
    assert say(element).startswith("Avevi previsto: h, e; viene: h, e, l₃. l₃ → h: ")
    press_keys(page, "ArrowRight", "ArrowUp")
    assert say(element) == "e → e: punteggio 0,28; può guardare; coefficiente 0,570."
    press_keys(page, "End")
    assert say(element).startswith("e → o: punteggio 0,00; vietato")
    press_keys(page, "Enter", "ArrowDown", "Home")
    assert say(element).endswith("coefficiente 0,313. La riga di e è fissata.")
    assert element.locator("[data-strip]").count() == 2
    press_keys(page, "Escape")
    assert element.locator("[data-strip]").count() == 1
    press_keys(page, "d")
    assert say(element) == "l₃ → h: prima di vedere, prevedi."
    press_keys(page, "2")
    assert say(element).startswith("Hai previsto bene. l₃ → h: ")
    assert sums(element) == ["0,20 ≠ 1", "0,44 ≠ 1", "0,60 ≠ 1", "0,81 ≠ 1", "1,00"]
    press_keys(page, "d", "End", "Space")  # l₃ ora guarda anche «o»: risponde il kernel
    page.page.wait_for_function("document.querySelector('.cdl-finding').textContent.includes('disegnata')")
    assert say(element) == page.widgets["widget"].state["sentences"][2][4] + "."
    assert cells(element, 1)["2,4"] == "0"
    press_keys(page, "?")
    assert element.locator(".cdl-help").is_visible()
    press_keys(page, "Escape")
    assert active(page) == "cdl-stage"
    press_keys(page, "Tab")
    assert active(page) == "Ripristina"
    press_keys(page, "ArrowRight", "ArrowRight", "ArrowRight")
    assert active(page) == "Copia CSV"
    press_keys(page, "ArrowRight", "ArrowRight", "Enter")  # di nuovo Ripristina
    assert say(element) == "l₃ → h: prima di vedere, prevedi."
    assert set(cells(element, 1).values()) == {"?"}
    press_keys(page, "Shift+Tab")  # la domanda si raggiunge anche coi suoi bottoni
    assert page.page.evaluate("document.activeElement.dataset.choice") == "3"
    press_keys(page, "Enter")
    assert say(element).startswith("Avevi previsto: tutti; ")


def test_a_walk_with_the_mouse(board):
    page, element = board
    element.locator("[data-choice='1']").click()
    assert say(element).startswith("Hai previsto bene. ")
    element.locator("[data-panel='1'] [data-cell='0,1']").click()
    page.page.wait_for_function("document.querySelector('.cdl-finding').textContent.includes('disegnata')")
    assert cells(element, 2)["0,0"] == cells(element, 2)["0,1"] == "0,50"
    element.locator("[data-panel='1'] [data-cell='0,1']").click()
    element.locator("[data-panel='1'] [data-cell='0,0']").click()
    page.page.wait_for_function("document.querySelector('.cdl-finding').textContent.includes('convenzione')")
    assert sums(element)[0] == "0,00"
    assert "0 ÷ 0" in element.locator("[data-strip='0']").text_content()
    element.locator("[data-control='mask-1']").click()
    element.locator("[data-control='predict']").uncheck()
    element.locator("[data-control='late']").check()
    assert element.locator(".cdl-finding").inner_text().startswith("Ordine sbagliato: 4 righe su 5")
    colour = "(node) => getComputedStyle(node).fill"
    wrong, right = (element.locator(f"[data-sum='{i}']").evaluate(colour) for i in (0, 4))
    assert wrong == "rgb(154, 21, 37)" != right
    assert element.locator("[data-missing]").count() == 1


def test_without_a_kernel_the_ready_masks_stay_and_a_sentence_says_why(plain):
    page = plain()
    page.page.clock.install()
    element = page.add(MaskBoard(predict=False))
    element.locator("[data-control='mask-2']").click()
    before = cells(element, 1)
    element.locator(".cdl-stage").focus()
    press_keys(page, "Space")
    page.page.clock.fast_forward(5000)
    assert "Il kernel non risponde" in element.locator(".cdl-problem").inner_text()
    assert cells(element, 1) == before
    press_keys(page, "ArrowUp")
    element.locator("[data-control='mask-3']").click()
    assert not element.locator(".cdl-problem").is_visible()
    assert cells(element, 1)["0,2"] == "−∞"


def test_many_tokens_enlarge_one_matrix_at_a_time(plain):
    rng, page = np.random.default_rng(3), plain()
    scores = rng.normal(size=(12, 12))
    element = page.add(MaskBoard(scores, [f"t{i}" for i in range(12)], predict=False))
    assert cells(element, 2)["11,0"] == number(page.widgets["widget"].state["weights"][11][0], 2)
    assert cells(element, 0)["0,0"] is None
    element.locator(".cdl-stage").focus()
    press_keys(page, "n")
    assert cells(element, 0)["3,4"] == number(scores[3, 4], 2, sign=True)
    press_keys(page, "n")
    assert cells(element, 1)["3,4"] == "−∞"
    element.locator("[data-panel='2'] [data-cell='5,5']").click()
    assert cells(element, 2)["5,5"] not in (None, "")
    names = [f"t{i}" for i in range(24)]
    big = page.add(MaskBoard(rng.normal(size=(24, 24)), names, predict=False), "grande")
    assert set(cells(big, 2).values()) == {None}


def test_two_side_by_side_and_odd_names_do_not_touch_each_other(plain):
    page = plain()
    names = ["שלום", "🗝️", "parola molto, molto lunga"]
    first = page.add(MaskBoard(predict=False), "uno")
    second = page.add(MaskBoard(np.zeros((3, 3)), names, predict=False), "due")
    first.locator(".cdl-stage").focus()
    press_keys(page, "ArrowUp", "d")
    assert say(first).startswith("l₄ → h: ")
    assert "parola molto, molto lunga → \u2068שלום\u2069: punteggio 0,00" in say(second)  # isolata
    assert not second.locator("[data-control='late']").is_checked()
    ids = page.page.evaluate("[...document.querySelectorAll('[id]')].map(node => node.id)")
    assert len(ids) == len(set(ids))


def test_where_there_is_little_room_one_matrix_is_large(plain):
    page = plain(width=640)
    element = page.add(MaskBoard(predict=False))
    assert element.locator(".cdl-stage > svg").get_attribute("viewBox").startswith("0 0 640 ")
    page.page.set_viewport_size({"width": 1060, "height": 800})
    page.page.wait_for_function("document.querySelector('.cdl-stage > svg').viewBox.baseVal.width === 1000")

"""I widget in pagine e con parole fuori dal comune: alto contrasto, stampa, larghezze, altre scritture."""

from __future__ import annotations

import re

import pytest

import course_lib.widgets as widgets
from tests.browser.test_widgets_under_stress import FIELDS, HOLD, control, settled
from tests.browser.widget_page import press, say

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

# Il contrasto fra due colori calcolati dal browser. Fonte: WCAG 2.2.
CONTRAST = """(a, b) => { const light = color => color.match(/[\\d.]+/g).slice(0, 3).map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, k) => sum + c * [0.2126, 0.7152, 0.0722][k], 0);
  const [low, high] = [light(a), light(b)].sort((x, y) => x - y); return (high + 0.05) / (low + 0.05); }"""
# Le scritte senza un loro colore stanno sullo sfondo del widget, o in un riquadro pieno: si vedono?
FAINT = f"""element => {{ const contrast = {CONTRAST};
  const back = getComputedStyle(element.querySelector('.cdl')).backgroundColor;
  const texts = [...element.querySelectorAll('.cdl-stage svg text:not([fill])')];
  const under = text => (text.style.fill === 'var(--paper)' ?
    getComputedStyle(text.previousElementSibling).fill : back);
  return texts.map(text => [text.textContent, contrast(getComputedStyle(text).fill, under(text))])
    .filter(([text, found]) => text.trim() && found < 4.5); }}"""
PRESSED = """element => { const look = node => node && getComputedStyle(node).backgroundColor;
  const on = element.querySelector('button[aria-checked="true"], button[aria-pressed="true"]');
  return on ? look(on) !== look(element.querySelector('.cdl-bar button')) : true; }"""
WIDE = "element => element.querySelector('.cdl-stage svg').getAttribute('viewBox')"
STRANGE = {
    "vuota": "", "spazi": "   ", "lunga": "parola " * 1400, "un pezzo solo": "a" * 10_000,
    "emoji": "👩\u200d👧 🏳️\u200d🌈", "codice": "<img src=x onerror=alert(1)> <b>la</b>",
    "a destra": "שלום la مرحبا", "rovesciata": "\u202ela era",
    "accenti": "e\u0300 a" + "\u0301" * 40, "righe": "il gatto\ndorme\n\n\tsul divano",
}  # fmt: skip
MORE = {"PositionClock": ("sentence", None), "GenerationDesk": ("text", "restart")}
VIEW = {"PositionClock": {"view": "scambio"}}
# L'ordine in cui si vedono due parole di una scritta.
ORDER = """(node, words) => { const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const text = walker.nextNode(), range = document.createRange();
  return words.map(word => { const at = text.data.indexOf(word); range.setStart(text, at);
    range.setEnd(text, at + word.length); return range.getBoundingClientRect().left; }); }"""


@pytest.mark.parametrize("name", widgets.__all__)
def test_high_contrast_print_reduced_motion_and_another_width(plain, name):
    page = plain().kernel()
    element = page.add(getattr(widgets, name)(predict=False))
    wide = element.evaluate(WIDE)
    assert element.evaluate(FAINT) == []
    for scheme in ("light", "dark"):  # il tema di Jupyter resta chiaro
        page.page.emulate_media(forced_colors="active", color_scheme=scheme)
        assert element.evaluate(FAINT) == []
        assert element.evaluate(PRESSED)
    page.page.emulate_media(forced_colors="none", reduced_motion="reduce")
    moving = "node => parseFloat(getComputedStyle(node).transitionDuration)"
    element.locator(".cdl").evaluate("node => { node.dataset.waiting = 'true'; }")
    assert element.locator(".cdl-stage").evaluate(moving) == 0
    element.locator(".cdl").evaluate("node => { delete node.dataset.waiting; }")
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.page.evaluate(HOLD, [key, 60])
    for width in (420, 1060):
        page.page.set_viewport_size({"width": width, "height": 800})
        page.page.wait_for_timeout(100)
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    assert element.evaluate(WIDE) == wide
    assert element.locator(".cdl-stage").evaluate("node => node === document.activeElement")
    settled(element)


@pytest.mark.parametrize("name", widgets.__all__)
def test_on_paper_the_dark_theme_is_dark_ink_and_nothing_is_cut(plain, name):
    page = plain(theme="dark", width=420)
    element = page.add(getattr(widgets, name)(predict=False))
    assert element.evaluate(FAINT) == []
    page.page.emulate_media(media="print")
    back = "node => getComputedStyle(node).backgroundColor"
    assert element.locator(".cdl").evaluate(back) == "rgb(255, 255, 255)"
    assert element.evaluate(FAINT) == []
    assert not element.get_by_role("button").first.is_visible()
    assert element.locator(".cdl-stage").evaluate("node => node.scrollWidth - node.clientWidth") <= 1


@pytest.mark.parametrize("name", [*FIELDS, *MORE])
def test_whatever_is_written_is_shown_or_refused_with_a_sentence(plain, name):
    page = plain().kernel()
    element = page.add(getattr(widgets, name)(predict=False, **VIEW.get(name, {})))
    field, button = (FIELDS | MORE)[name]
    for kind, text in STRANGE.items():
        control(element, field).focus()
        control(element, field).evaluate("node => node.select()")
        page.page.keyboard.press("Delete")
        page.page.keyboard.insert_text(text)
        typed = control(element, field).input_value()
        page.page.keyboard.press("Tab") if button is None else control(element, button).click()
        page.page.wait_for_timeout(150)
        assert element.locator(".cdl:not([data-waiting])").count() == 1, kind
        refused = element.locator(".cdl-problem").inner_text()
        assert "guasto" not in refused, kind
        assert len(refused) < 500, kind
        assert not refused or control(element, field).input_value() == typed, kind
        assert element.locator(".cdl-stage img, .cdl-stage b").count() == 0
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 1060


def test_words_of_a_right_to_left_script_do_not_turn_the_sentence_around(plain):
    page = plain().kernel()
    element = page.add(widgets.Simulator("שלום עולם 3", phase=4, predict=False))
    press(element, "ArrowRight", "ArrowRight")
    said = say(element)
    assert re.sub("[\u2068\u2069]", "", said).startswith("שלום → עולם: punteggio")
    first, second, last = element.locator(".cdl-say").evaluate(ORDER, ["שלום", "עולם", "punteggio"])
    assert first < second < last
    for name in ("text-0", "text-1"):
        assert control(element, name).evaluate("node => getComputedStyle(node).unicodeBidi") == "plaintext"


def test_a_new_view_shows_the_sentence_written_in_the_other(plain):
    """Anche un notebook riaperto con lo stato dei widget."""
    page = plain().kernel()
    for name, words in (("Simulator", "la luna era nuova"), ("BlockPath", "la luna nuova")):
        element = page.add(getattr(widgets, name)(predict=False), name)
        field, button = FIELDS[name]
        control(element, field).fill(words)
        control(element, button).click()
        element.locator("svg text").get_by_text("luna", exact=True).first.wait_for()
        new = page.view(name, f"{name}-nuova")
        assert new.locator("svg text").get_by_text("luna", exact=True).count() >= 1
        assert say(new) == say(element)

"""Teste nel browser: i numeri dello stato, tutto con il mouse e con la tastiera, nulla di svelato prima."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

from course_lib.notation import number
from course_lib.widgets import HeadAtlas
from tests.browser.widget_page import press_keys, say

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

ONE_ONE, ONE_TWO, MEAN_ONE, TWO_ONE, TWO_TWO = range(5)
LUMINANCE = """([name, theme]) => {
  const root = document.querySelector(`${name} .cdl`);
  const light = (color) => color.match(/[\\d.]+/g).slice(0, 3).map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  return [...root.querySelectorAll('[data-head] line')].map((line) => light(getComputedStyle(line).stroke))
    .concat(light(getComputedStyle(root).backgroundColor));
}"""


@pytest.fixture(scope="module")
def state():
    return HeadAtlas().state


@pytest.fixture
def heads(plain):
    page = plain()
    return page, page.add(HeadAtlas())


def texts(element, attribute):
    text = "(n.querySelector('text') ?? n).textContent"
    script = f"(nodes, name) => nodes.map(n => [n.getAttribute(name), {text}])"
    return dict(element.locator(f"[{attribute}]").evaluate_all(script, attribute))


def links(element):
    """I legami disegnati: per nome, lo spessore, il tratteggio, l'opacità."""
    script = """nodes => nodes.map(n => { const own = (name) => n.firstChild.getAttribute(name);
      const seen = n.getAttribute('opacity');
      return [n.dataset.link, [Number(own('stroke-width')), own('stroke-dasharray'), seen]]; })"""
    return dict(element.locator("[data-link]").evaluate_all(script))


def answers(element):
    return list(texts(element, "data-value").values())


def map_of(state, key, entry):
    return state["maps"][state["variants"][key]["maps"][entry]]


def test_the_numbers_on_the_page_are_those_of_the_state(heads, state):
    page, element = heads
    element.locator(".cdl-stage").focus()
    for entry in range(len(state["entries"])):
        values, shown = map_of(state, "", entry), texts(element, "data-cell")
        for i, j in itertools.product(range(6), range(6)):
            expected = "" if values[i][j] is None else number(values[i][j], 3)
            assert shown[f"{i},{j}"] == expected
        name = state["entries"][entry]["name"]
        for j in range(6):
            assert texts(element, "data-weight")[f"{name}:{j}"] == number(values[5][j], 3)
        press_keys(page, "n")
    assert answers(element) == [number(p, 3) for p in state["variants"][""]["p"]]
    assert all(text in element.locator("svg").first.text_content() for text in state["notes"])


def test_line_width_depends_on_the_coefficient_alone(heads, state):
    page, element = heads
    element.locator("[data-head='0']").click()
    alone = links(element)
    assert alone["1·1:5,0"][0] == pytest.approx(0.5 + 7.5 * map_of(state, "", ONE_ONE)[5][0])
    assert alone["1·1:5,0"][2] == "1"
    assert alone["1·1:1,0"][2] == "0.18"
    press_keys(page, "t", "n", "t", "n", "n", "t")
    together = links(element)
    assert together["1·1:5,0"] == alone["1·1:5,0"]
    dashes = {name.split(":")[0]: dash for name, (_, dash, _) in together.items()}
    assert len(dashes) == len(set(dashes.values())) == 3
    assert {name.split(":")[1][0] for name in together} == {"5"}  # con più teste, la sola parola scelta


def test_threshold_hides_links_and_nothing_else(heads, state):
    _, element = heads
    flat = [v for row in map_of(state, "", ONE_ONE) for v in row if v is not None]
    before = texts(element, "data-cell")
    for threshold in (0.05, 0.3, 0.0):
        element.locator("[data-control='threshold']").fill(str(threshold))
        weak = sum(v < threshold for v in flat)
        assert len(links(element)) == len(flat) - weak
        said = f"Legami: {weak} sotto la soglia" if weak else "Legami"
        assert element.get_by_text(said).count() >= 1
    assert texts(element, "data-cell") == before


def test_hover_and_several_pins(heads, state):
    page, element = heads
    element.locator("[data-query='3']").hover()
    assert say(element).startswith("testa 1·1: ai → la, ")
    element.locator("[data-key='2']").hover()
    assert say(element).startswith("testa 1·1: era → accanto, ")
    element.locator("[data-cell='4,1']").hover()
    value = number(map_of(state, "", ONE_ONE)[4][1], 3)
    assert say(element).startswith(f"testa 1·1: libri → chiave, coefficiente {value}")
    page.page.mouse.move(5, 5)
    assert say(element).startswith("testa 1·1: era → la, ")
    element.locator("[data-query='1']").click()
    element.locator("[data-query='4']").click()
    assert say(element).endswith("Fissate: chiave, libri.")
    press_keys(page, "ArrowUp", "Enter", "ArrowDown", "ArrowDown")
    page.page.mouse.move(5, 5)
    assert say(element).endswith("Fissate: chiave, ai, libri.")
    solid = {name.split(":")[1][0] for name, (_, _, opacity) in links(element).items() if opacity == "1"}
    assert solid == {"1", "3", "4", "5"}
    press_keys(page, "Escape")
    assert "Fissate" not in say(element)


def test_ablation_is_predicted_before_it_is_read(heads, state):
    page, element = heads
    element.locator(".cdl-stage").focus()
    press_keys(page, "s")
    variant = state["variants"]["0"]
    assert element.locator(".cdl-question").inner_text().startswith(f"Prima prevedi. {variant['ask']}")
    hidden = [number(p, 3) for p in variant["p"][:2]]
    for text in (element.inner_html(), csv_of(page, element)):
        assert not [value for value in (*hidden, "la risposta passa") if value in text]
    assert answers(element)[0].endswith(" → ?")
    element.locator(".cdl-stage").focus()
    press_keys(page, "1")
    assert say(element).startswith(f"Avevi previsto -a. {variant['effect']}")
    pairs = zip(state["variants"][""]["p"], variant["p"], strict=True)
    assert answers(element) == [f"{number(a, 3)} → {number(b, 3)}" for a, b in pairs]
    assert all(line in element.locator("svg").first.text_content() for line in variant["score"])
    assert element.locator("[data-head='0']").get_by_text("spenta").count() == 1
    press_keys(page, "n", "n", "n", "s")
    element.locator("[data-choice='1']").click()
    assert say(element).startswith("Hai previsto bene. Senza le teste 1·1 e 2·1, ")
    values = map_of(state, "0,2", MEAN_ONE)
    element.locator("[data-head='2']").click()
    assert texts(element, "data-cell")["5,2"] == number(values[5][2], 3)


def csv_of(page, element):
    page.page.evaluate("""() => { window.copied = null;
      if (navigator.clipboard) navigator.clipboard.writeText = (text) => { window.copied = text; };
      document.execCommand = () => { window.copied = document.activeElement.value; return true; }; }""")
    element.get_by_role("button", name="Copia CSV").click()
    page.page.wait_for_function("window.copied")
    return page.page.evaluate("window.copied")


def test_without_prediction_mouse_switches_off_and_forbids(plain, state):
    page = plain()
    element = page.add(HeadAtlas(predict=False))
    element.locator("[data-head='3']").click()
    off = element.locator("[data-control='off']")
    assert off.inner_text() == "Spegni 2·1"
    off.click()
    assert element.locator(".cdl-finding").inner_text() == state["variants"]["2"]["effect"]
    assert (off.inner_text(), off.get_attribute("aria-pressed")) == ("Riaccendi 2·1", "true")
    element.locator("[data-control='forbid']").select_option(label="«la» e «chiave»")
    assert element.locator(".cdl-finding").inner_text() == state["variants"]["v0,1"]["effect"]
    assert say(element).startswith(state["variants"]["v0,1"]["effect"])
    assert texts(element, "data-cell")["5,0"] == ""
    assert number(state["variants"]["v0,1"]["p"][1], 15).rstrip("0")[:12] in csv_of(page, element)
    element.locator("[data-control='forbid']").select_option(index=0)
    assert answers(element) == [number(p, 3) for p in state["variants"][""]["p"]]
    element.locator("[data-head='2']").click()
    assert off.is_disabled()


def test_hold_a_head_with_its_button(heads):
    _, element = heads
    hold = element.locator("[data-control='hold']")
    hold.click()
    element.locator("[data-head='4']").click()
    assert {name.split(":")[0] for name in links(element)} == {"1·1", "2·2"}
    element.locator("[data-head='0']").click()
    assert hold.inner_text() == "Lascia 1·1"
    hold.click()
    element.locator("[data-head='4']").click()
    assert {name.split(":")[0] for name in links(element)} == {"2·2"}


def test_sentences_without_the_kernel_and_back(heads):
    _, element = heads
    presets = HeadAtlas().presets
    select = element.locator("[data-control='sentence']")
    for k in (5, 2):
        select.select_option(index=k)
        state = presets[k]["state"]
        assert answers(element) == [number(p, 3) for p in state["variants"][""]["p"]]
        assert len(texts(element, "data-query")) == len(state["rows"])
        assert presets[k]["note"] in element.locator("svg").first.text_content()
    element.locator("[data-control='own']").fill("le monete erano")
    element.locator("[data-control='try']").click()
    assert element.locator(".cdl").get_attribute("data-waiting") == "true"
    element.get_by_text("Il kernel non risponde").wait_for()
    assert len(texts(element, "data-query")) == 3
    element.get_by_role("button", name="Ripristina").click()
    assert select.evaluate("node => node.selectedIndex") == 0
    assert not element.get_by_text("Il kernel non risponde").is_visible()


def test_a_sentence_of_ones_own(plain):
    page = plain().kernel()
    element = page.add(HeadAtlas())
    own = element.locator("[data-control='own']")
    bad = (("", "La frase è vuota"), ("la casa era", "non conoscono «casa»"), ("  ", "vuota"),
           ("la " * 3334, "10 002 caratteri"), ("🔑 era", "«🔑»"),
           ("המפתח era", "non conoscono"))  # fmt: skip
    for text, says in bad:
        own.fill(text)
        own.press("Enter")
        element.locator(".cdl-problem").get_by_text(says).wait_for()
        assert len(texts(element, "data-query")) == 6
    own.fill("Le monete sopra i libri erano nuove.")
    element.locator("[data-control='try']").click()
    element.locator("[data-query='5']").get_by_text("erano").wait_for()
    expected = HeadAtlas("le monete sopra i libri erano").state
    assert answers(element) == [number(p, 3) for p in expected["variants"][""]["p"]]
    assert not element.locator(".cdl-problem").is_visible()
    select = element.locator("[data-control='sentence']")
    assert select.evaluate("node => node.selectedOptions[0].textContent") == "le monete sopra i libri erano"
    element.locator(".cdl-stage").focus()
    press_keys(page, "s", "2")
    assert expected["variants"]["0"]["effect"] in say(element)
    element.get_by_role("button", name="Ripristina").click()
    assert select.evaluate("node => node.selectedIndex") == 0
    assert say(element).startswith("testa 1·1: era → la, ")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_colour_of_every_head_stands_out(plain, theme):
    page = plain(theme=theme)
    page.add(HeadAtlas(weights=np.full((2, 4, 2, 2), 0.5), tokens="ab"), "otto")
    *heads, paper = page.page.evaluate(LUMINANCE, ["#otto", theme])
    assert len(heads) == 8
    contrasts = [(max(paper, one) + 0.05) / (min(paper, one) + 0.05) for one in heads]
    assert min(contrasts) >= 3


def test_arrays_of_any_shape_and_two_side_by_side(plain):
    page = plain()
    weights = np.random.default_rng(2).dirichlet(np.ones(20), size=(3, 2, 14))
    first = page.add(HeadAtlas(weights=weights, tokens=[f"q{k}" for k in range(14)],
                               columns=[f"k{k}" for k in range(20)]), "uno")  # fmt: skip
    second = page.add(HeadAtlas(), "due")
    before = say(second)
    assert first.locator("[data-control='off'], [data-control='sentence'], .cdl-question").count() == 0
    assert first.locator("[data-cell] text").count() == 0  # molti token: soltanto i colori
    first.locator(".cdl-stage").focus()
    press_keys(page, "n", "End", "s")
    assert say(first) == f"testa 1·2: q13 → k19, coefficiente {number(round(weights[0, 1, 13, 19], 4), 3)}."
    assert say(second) == before
    assert not re.search("undefined|NaN", first.inner_text())
    first.get_by_role("button", name="Ripristina").click()
    assert say(first).startswith("testa 1·1")

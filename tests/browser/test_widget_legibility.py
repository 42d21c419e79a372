"""Ciò che si vede si legge: scritte di 13 pixel, numeri che stanno nelle celle, la cella in vista."""

from __future__ import annotations

import pytest

import course_lib.widgets as widgets
from tests.browser.widget_page import finding, press, say

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

LEAST = 13 - 0.05  # pixel
NAMES = sorted(widgets.CATALOGUE)
# Un apice e un pedice di una formula sono più piccoli: si guarda la scritta intera.
SMALL = """(element, least) => [...element.querySelectorAll('.cdl-stage svg text')].map(t => {
    const svg = t.ownerSVGElement, scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    return [t.textContent, parseFloat(getComputedStyle(t).fontSize) * scale]; })
  .filter(([text, size]) => text.trim() && size < least)"""
TIGHT = """element => [...element.querySelectorAll('.cdl-stage [data-cell]')].flatMap(cell => {
    const text = cell.querySelector('text'), box = cell.querySelector('rect').getBoundingClientRect();
    return text && text.getBoundingClientRect().width > box.width - 2 ? [text.textContent] : []; })"""
SEEN = """element => { const stage = element.querySelector('.cdl-stage').getBoundingClientRect();
    const ring = element.querySelector('.cdl-ring-out').getBoundingClientRect();
    return ring.left >= stage.left - 1 && ring.right <= stage.right + 1; }"""
CLIPBOARD = """() => { window.ClipboardItem = class { constructor(parts) { this.parts = parts; } };
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { write: async ([item]) => {
        window.put = Object.fromEntries(await Promise.all(Object.entries(item.parts).map(
          async ([type, blob]) => [type, await blob.text()]))); } } }); }"""


@pytest.mark.parametrize("width", [1000, 420])
@pytest.mark.parametrize("name", NAMES)
def test_every_text_is_large_enough(plain, name, width):
    page = plain(width=width)
    element = page.add(getattr(widgets, name)())
    assert element.evaluate(SMALL, LEAST) == []
    assert element.evaluate(TIGHT) == []
    assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    outside = """element => { const edge = element.querySelector('.cdl').getBoundingClientRect().right;
        return [...element.querySelectorAll('button, label, select, input')]
          .filter(node => node.getBoundingClientRect().right > edge).map(node => node.outerHTML); }"""
    assert element.evaluate(outside) == []


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("Simulator", {"experiment": 5, "phase": 4}),
        ("Simulator", {"experiment": 4, "phase": 3}),
        ("Simulator", {"sentence": "una due tre quattro cinque sei sette otto", "phase": 4}),
        ("PositionClock", {"view": "distanza"}),
        ("PositionClock", {"view": "scambio"}),
        ("PositionClock", {"view": "scambio", "d": 10}),
        ("MaskBoard", {"preset": "2 query, 5 key"}),
    ],
)
def test_numbers_have_room_in_their_cells(plain, name, options):
    element = plain(width=1000).add(getattr(widgets, name)(predict=False, **options))
    assert element.locator("[data-cell]").count() > 4
    assert element.evaluate(TIGHT) == []
    assert element.evaluate(SMALL, LEAST) == []


@pytest.mark.parametrize("name", ["MaskBoard", "CellLens", "PositionClock", "HeadAtlas"])
def test_where_it_scrolls_the_chosen_cell_comes_into_view(plain, name):
    element = plain(width=420).add(getattr(widgets, name)(predict=False))
    press(element, "End")
    assert element.evaluate(SEEN)
    press(element, "Home")
    assert element.evaluate(SEEN)


def test_rows_of_choices_say_what_they_choose(plain):
    element = plain().add(widgets.Simulator())
    shown = "node => JSON.parse(getComputedStyle(node, '::before').content)"
    groups = element.get_by_role("radiogroup")
    assert [groups.nth(k).evaluate(shown) for k in range(groups.count())] == ["Fase", "Esempi"]


def test_copy_also_fills_the_cells_of_a_spreadsheet(plain):
    page = plain()
    element = page.add(widgets.CellLens(predict=False))
    page.page.evaluate(CLIPBOARD)
    element.get_by_role("button", name="Copia CSV").click()
    element.get_by_text("Copiato: ").wait_for()
    put = page.page.evaluate("window.put")
    script = """text => [...new DOMParser().parseFromString(text, 'text/html').querySelectorAll('tr')]
        .map(row => [...row.cells].map(cell => cell.textContent))"""
    table = page.page.evaluate(script, put["text/html"])
    assert table == [line.split(";") for line in put["text/plain"].splitlines()]
    assert table[7][:3] == ["era", "chiave", "2,8284271247461903"]


def test_a_saved_picture_says_what_it_shows(plain):
    page = plain()
    element = page.add(widgets.CellLens(predict=False))
    with page.page.expect_download() as waiting:
        element.get_by_role("button", name="Salva SVG").click()
    text = waiting.value.path().read_text(encoding="utf-8")
    assert f"{finding(element)}. {say(element)}" in text


def test_where_there_is_no_room_beside_the_lens_puts_the_reckoning_below(plain):
    wide, narrow = (plain(width=width).add(widgets.CellLens(predict=False)) for width in (1000, 420))
    place = """element => { const at = name => element.querySelector(name).getBoundingClientRect();
        const [map, sum] = [at('[data-cell="2,2"]'), at('[data-ledger]')];
        return [sum.left > map.right, sum.top > map.bottom]; }"""
    assert wide.evaluate(place) == [True, False]
    assert narrow.evaluate(place) == [False, True]

"""Ciò che si vede si legge: scritte di 13 pixel, numeri che stanno nelle celle, la cella in vista."""

from __future__ import annotations

import numpy as np
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
# Scritte che escono dal disegno, o che stanno una sull'altra (quelle inclinate si guardano a occhio).
CROSSED = """element => [...element.querySelectorAll('.cdl-stage > svg')].flatMap(svg => {
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')].filter(t => t.textContent.trim())
      .map(t => [t.textContent, t.getBoundingClientRect(), t.hasAttribute('transform')]);
    const outside = texts.filter(([, b]) => b.left < frame.left - 1 || b.right > frame.right + 1
      || b.bottom > frame.bottom + 1);
    const flat = texts.filter(([,, turned]) => !turned);
    const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
    return [...outside.map(([text]) => text), ...flat.flatMap(([text, a], k) =>
      flat.slice(k + 1).filter(([, b]) => over(a, b)).map(([other]) => `${text} | ${other}`))]; })"""
# Quanto la cornice copre del numero della sua cella, in pixel.
COVERED = """element => [...element.querySelectorAll('.cdl-stage [data-ring]')].flatMap(ring => {
    const edge = ring.lastElementChild, thick = parseFloat(getComputedStyle(edge).strokeWidth);
    const box = edge.getBoundingClientRect(), scale = box.width / edge.width.baseVal.value;
    const free = [box.left + scale * thick / 2, box.right - scale * thick / 2];
    return [...element.querySelectorAll('[data-cell] text')].map(t => t.getBoundingClientRect())
      .filter(t => t.left > box.left - 9 && t.right < box.right + 9)
      .filter(t => t.top > box.top && t.bottom < box.bottom)
      .map(t => Math.max(free[0] - t.left, t.right - free[1])); })"""
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


LONG = ["straordinariamente", "precipitevolissimevolmente", "elettroencefalogramma"]
CROWDED = [
    *[("Simulator", {"sentence": "io", "d": 2, "phase": phase}) for phase in (1, 2, 3, 4)],
    *[("Simulator", {"sentence": "io tu", "d": 2, "phase": phase}) for phase in (2, 4)],
    *[("Simulator", {"sentence": "io tu", "second": "tu io", "d": 2, "phase": phase}) for phase in (2, 3, 4)],
    ("Simulator", {"experiment": 5, "phase": 2}),
    ("MaskBoard", {"scores": [[1.0]], "rows": ["io"]}),
    ("MaskBoard", {"scores": [[1.0]], "rows": LONG[1:2]}),
    ("MaskBoard", {"scores": np.eye(3), "rows": LONG}),
    ("MaskBoard", {"scores": np.eye(12), "rows": [f"parola{k}" for k in range(12)]}),
    ("HeadAtlas", {"weights": np.ones((1, 1, 1, 1)), "tokens": ["chiave"]}),
    ("HeadAtlas", {"weights": np.ones((2, 4, 1, 1)), "tokens": ["io"]}),
    ("HeadAtlas", {"weights": np.full((2, 4, 2, 2), 0.5), "tokens": "ab"}),
    ("PositionClock", {"n": 1, "d": 2}),
    ("PositionClock", {"n": 24, "d": 16}),
    ("BlockPath", {"sentence": "io", "depth": 12}),
]


@pytest.mark.parametrize("width", [1000, 420])
@pytest.mark.parametrize("name", NAMES)
def test_no_label_is_cut_or_covers_another(plain, name, width):
    assert plain(width=width).add(getattr(widgets, name)()).evaluate(CROSSED) == []


@pytest.mark.parametrize(("name", "options"), CROWDED)
def test_no_label_is_cut_or_covers_another_with_few_tokens_or_long_names(plain, name, options):
    assert plain(width=1000).add(getattr(widgets, name)(predict=False, **options)).evaluate(CROSSED) == []


def test_the_title_of_a_narrow_map_is_whole(plain):
    element = plain(width=1000).add(widgets.HeadAtlas(weights=np.ones((1, 2, 1, 1)), tokens=["io"]))
    press(element, "n", "n")
    assert element.get_by_text("Coefficienti α: media dello strato 1").count() == 1
    assert element.evaluate(CROSSED) == []


def test_the_names_of_columns_can_be_told_apart(plain):
    names = [f"parola{k}" for k in range(12)]
    element = plain(width=1000).add(widgets.MaskBoard(np.eye(12), names, predict=False))
    shown = element.locator("[data-panel='2'] text").all_text_contents()
    assert all(shown.count(name) == 2 for name in names)  # una riga e una colonna


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("Simulator", {"experiment": 4, "phase": 3}),
        ("MaskBoard", {"scores": [[1.0]], "rows": ["chiave"]}),
        ("HeadAtlas", {}),
        ("PositionClock", {"view": "distanza"}),
    ],
)
def test_the_ring_does_not_cover_the_number(plain, name, options):
    element = plain(width=1000).add(getattr(widgets, name)(predict=False, **options))
    covered = element.evaluate(COVERED)
    assert covered
    assert max(covered) < 1.5


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

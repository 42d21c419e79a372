"""I widget nelle pagine: quelli delle celle, nello stato delle celle, vivi senza kernel, nei due temi."""

from __future__ import annotations

import ast
import json

import pytest

from course_lib.publishing import live
from course_lib.widgets import CATALOGUE
from tests.conftest import ROOT

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]


def widget_cells() -> dict[str, list[dict]]:
    """Notebook -> le celle che finiscono con un widget, trovate qui per conto nostro."""
    calls, found = tuple(f"{name}(" for name in CATALOGUE), {}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        codes = [cell for cell in cells if cell["cell_type"] == "code"]
        found[path.stem] = [cell for cell in codes if cell["source"][-1].startswith(calls)]
    return {name: cells for name, cells in found.items() if cells}


CELLS = widget_cells()
ALL = [(name, k) for name, cells in CELLS.items() for k in range(len(cells))]
KEYS = ("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft", "n")
SHOWN = "(root) => root.querySelector('.cdl-stage').innerHTML + root.querySelector('.cdl-say').textContent"


def test_every_notebook_but_the_last_has_a_widget():
    assert [name[:2] for name in CELLS] == [f"0{n}" for n in range(1, 9)]


@pytest.mark.parametrize(("name", "k"), ALL)
def test_the_widget_opens_in_the_state_of_its_cell(name, k):
    """Il riassunto del widget aperto per il sito è quello che il notebook ha conservato."""
    cell = CELLS[name][k]
    stored = "".join(cell["outputs"][-1]["data"]["text/plain"])
    made = live.opened("".join(cell["source"]))
    assert repr(made) == stored
    assert made.options.get("predict", True) is True


def test_a_widget_opened_otherwise_is_told_apart():
    stored = "".join(CELLS["05-posizione"][1]["outputs"][-1]["data"]["text/plain"])
    assert repr(live.opened("Simulator(experiment=2, phases=(1, 2, 3), phase=3)")) != stored


def test_pages_have_as_many_widgets_as_their_cells(visits):
    found = {name: seen.seen["widgets"] for name, seen in visits.items() if seen.seen["widgets"]}
    assert found == {f"notebooks/{name}.html": len(cells) for name, cells in CELLS.items()}


@pytest.mark.parametrize("name", CELLS)
def test_a_key_changes_the_drawing_and_the_picture_gives_way(page, name):
    one = page(f"notebooks/{name}.html")
    for k in range(len(CELLS[name])):
        widget = one.locator(".cdl").nth(k)
        picture = one.locator(".cdl-lives").nth(k).locator("img")
        assert picture.count() == 1
        assert not picture.is_visible()
        before = widget.evaluate(SHOWN)
        widget.locator(".cdl-stage").focus()
        drawn = set()
        for key in KEYS:
            one.keyboard.press(key)
            drawn.add(widget.evaluate(SHOWN))
        assert drawn - {before}


def test_on_paper_the_picture_comes_back(page):
    one = page("notebooks/02-attenzione-a-mano.html")
    one.emulate_media(media="print")
    assert not one.locator(".cdl").is_visible()
    assert one.locator(".cdl-lives img").is_visible()


def test_without_scripts_the_picture_stays(page):
    one = page("notebooks/02-attenzione-a-mano.html", java_script_enabled=False)
    assert one.locator(".cdl").count() == 0
    assert one.get_by_alt_text("chiave", exact=False).first.is_visible()


def test_the_switch_of_the_page_reaches_the_widget(page):
    one = page("notebooks/03-formula-e-scala.html", color_scheme="light")
    widgets = one.locator(".cdl")
    assert widgets.first.get_attribute("data-theme") == "light"
    one.evaluate("document.documentElement.dataset.theme = 'dark'")
    one.wait_for_timeout(100)
    assert [widgets.nth(k).get_attribute("data-theme") for k in range(2)] == ["dark", "dark"]


def test_what_needs_python_says_so_at_once_in_one_sentence(page):
    one = page("notebooks/06-teste-multiple.html")
    widget = one.locator(".cdl").first
    field = widget.locator("input[type=text]").first
    field.fill("il gatto dorme sul divano")
    field.press("Enter")
    problem = widget.locator(".cdl-problem")
    problem.wait_for(timeout=2000)
    assert "non c'è Python" in problem.inner_text()
    assert problem.inner_text().count(".") == 2
    assert one.locator(".cdl").nth(1).locator(".cdl-problem").is_hidden()


def test_the_sliders_computed_beforehand_need_no_python(page):
    one = page("notebooks/03-formula-e-scala.html")
    for widget in (one.locator(".cdl").nth(k) for k in range(2)):
        before = widget.evaluate(SHOWN)
        widget.locator("input[type=range]").first.focus()
        one.keyboard.press("ArrowRight")
        assert widget.locator(".cdl-problem").is_hidden()
        assert widget.evaluate(SHOWN) != before


@pytest.mark.parametrize("source", ["1 + 1", "", "chiave_libri_era()", "print(Simulator)"])
def test_a_cell_that_ends_with_something_else_has_no_widget(source):
    ast.parse(source)
    assert live.opened(source) is None

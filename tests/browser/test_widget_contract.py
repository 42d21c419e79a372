"""Ciò che vale per ogni widget: accessibile, nei due temi, piccolo, due alla volta, nulla di tagliato."""

from __future__ import annotations

import json
import re

import pytest

import course_lib.widgets as widgets
from course_lib.widgets.assets import HERE

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

NAMES = sorted(name for name, module in widgets.CATALOGUE.items() if (HERE / f"{module}.py").is_file())
GRAVE = ("serious", "critical")
OVERLAPS = """element => {
  const texts = [...element.querySelectorAll('svg text')].filter(t => t.textContent.trim()
    && !t.closest('[transform]'));
  const boxes = texts.map(t => [t.textContent, t.getBoundingClientRect()]);
  const clash = [];
  boxes.forEach(([a, p], i) => boxes.slice(i + 1).forEach(([b, q]) => {
    const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
    const tall = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
    if (wide > 3 && tall > 5) clash.push(`${a} | ${b}`);
  }));
  return clash;
}"""
CUT = """element => {
  const svg = element.querySelector('.cdl-stage svg'), frame = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter(t => t.textContent.trim()).filter(t => {
    const box = t.getBoundingClientRect();
    return box.left < frame.left - 1 || box.right > frame.right + 1
      || box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
  }).map(t => t.textContent);
}"""
SMALL = """element => [...element.querySelectorAll('svg text')].filter(t => t.textContent.trim() &&
  parseFloat(getComputedStyle(t).fontSize) < 12).map(t => t.textContent)"""


@pytest.fixture(scope="module")
def made():
    """Un esemplare di ogni widget, quello senza argomenti."""
    return {name: getattr(widgets, name)() for name in NAMES}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_no_grave_violation_no_overlap_no_cut_label(plain, require, made, name, theme):
    page = plain(theme=theme)
    element = page.add(made[name])
    assert element.locator(".cdl").get_attribute("data-theme") == theme
    page.page.add_script_tag(path=require("axe"))
    found = page.page.evaluate("axe.run(document.querySelector('.cdl'))")
    grave = [(v["id"], v["nodes"][0]["html"][:200]) for v in found["violations"] if v["impact"] in GRAVE]
    assert grave == []
    assert len(found["passes"]) > 10
    assert element.evaluate(OVERLAPS) == []
    assert element.evaluate(CUT) == []
    assert element.evaluate(SMALL) == []


@pytest.mark.parametrize("name", NAMES)
def test_module_is_small_and_state_is_json(made, name):
    widget = made[name]
    assert len(widget._esm.encode()) <= 40 * 1024
    assert "import " not in "".join(line for line in widget._esm.splitlines() if line.startswith("import"))
    for value in (widget.state, widget.presets, widget.options):
        json.dumps(value, allow_nan=False)
    assert all(rule.strip().startswith((".cdl", "@media", "--", "}")) for rule in _selectors(widget._css))


def _selectors(css):
    """I selettori di un foglio di stile, uno per volta."""
    heads = [part.rsplit("}", 1)[-1] for part in css.split("{")[:-1]]
    return [one for head in heads for one in head.split(",") if one.strip()]


@pytest.mark.parametrize("name", NAMES)
def test_fallback_has_words_and_a_picture_with_an_alt(made, name):
    data, metadata = made[name]._repr_mimebundle_()
    assert "," in data["text/plain"]
    assert len(data["text/plain"]) > 40
    assert len(metadata["image/png"]["alt"]) > 40
    assert "object at 0x" not in data["text/plain"]


@pytest.mark.parametrize("name", NAMES)
def test_two_at_a_time_and_nothing_left_behind(plain, made, name):
    page = plain()
    first, second = page.add(made[name], "uno"), page.add(getattr(widgets, name)(), "due")
    ids = page.page.evaluate("[...document.querySelectorAll('[id]')].map(node => node.id)")
    assert len(ids) == len(set(ids))
    before = second.locator(".cdl-say").inner_text()
    first.locator(".cdl-stage").focus()
    for key in ("ArrowRight", "ArrowDown", "n", "Enter"):
        page.page.keyboard.press(key)
    assert second.locator(".cdl-say").inner_text() == before
    page.page.evaluate("window.cleanUps.uno()")
    assert first.inner_html() == ""
    assert second.locator(".cdl-stage svg").count() >= 1


@pytest.mark.parametrize("name", NAMES)
def test_one_stop_for_the_picture_help_and_reset(plain, made, name):
    page = plain()
    element = page.add(made[name])
    assert element.locator(".cdl-stage [tabindex='0'], .cdl-stage button").count() == 0
    assert element.locator(".cdl-bar button[tabindex='0']").count() == 1
    start = element.locator(".cdl-say").inner_text()
    element.locator(".cdl-stage").focus()
    page.page.keyboard.press("?")
    assert element.locator(".cdl-help").is_visible()
    page.page.keyboard.press("Escape")
    assert not element.locator(".cdl-help").is_visible()
    for key in ("ArrowRight", "ArrowDown", "End"):
        page.page.keyboard.press(key)
    element.get_by_role("button", name="Ripristina").click()
    assert element.locator(".cdl-say").inner_text() == start
    said = element.locator(".cdl").inner_text()
    assert not [word for word in ("undefined", "NaN", "[object", "null") if word in said]
    assert not re.search(r"\d\.\d", said)


@pytest.mark.parametrize("name", NAMES)
def test_narrow_page_does_not_scroll_sideways(plain, made, name):
    page = plain(width=530, zoom=2.0)
    page.add(made[name])
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 530


@pytest.mark.parametrize("name", NAMES)
def test_save_and_copy(plain, made, name):
    page = plain()
    element = page.add(made[name])
    for kind in ("PNG", "SVG"):
        with page.page.expect_download() as waiting:
            element.get_by_role("button", name=f"Salva {kind}").click()
        path = waiting.value.path()
        assert path.stat().st_size > 1000
    text = path.read_text(encoding="utf-8")
    assert "var(" not in text
    element.get_by_role("button", name="Copia CSV").click()
    element.get_by_text("Copiato: ").wait_for()

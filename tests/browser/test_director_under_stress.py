"""La Regia maltrattata: tasti a raffica, fermo immagine, note ricaricate, schermo che cambia."""

from __future__ import annotations

import pytest

from course_lib.widgets.scenes import SCENES
from tests.browser.director_page import DirectorPage

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

VEILED = next(k for k, scene in enumerate(SCENES) if scene.cover == "picture")
MASKS = next(k for k, scene in enumerate(SCENES) if scene.stage == "masks")
TYPED = next(k for k, scene in enumerate(SCENES) if scene.stage == "heads")


def notes_of(page):
    with page.context.expect_page() as found:
        page.press("p")
    found.value.on("pageerror", lambda error: page.errors.append(str(error)))
    return found.value


def test_a_covered_question_stays_on_a_frozen_screen(opened):
    page = opened(VEILED)
    page.press("g")
    assert page.page.locator(".cdr-curtain").is_visible()
    assert page.text("curtain") == SCENES[VEILED].question


def test_a_frozen_screen_keeps_sliders_menus_and_hatches(opened):
    page = opened(MASKS)
    if SCENES[MASKS].cover:
        page.press("r")
    page.page.evaluate("""() => {
        for (const one of document.querySelectorAll('.cdr-scene select')) one.selectedIndex = one.length - 1;
        for (const one of document.querySelectorAll('.cdr-scene input')) {
          if (one.type === 'checkbox') one.checked = !one.checked;
          else one.value = one.type === 'range' ? one.max : 'una frase'; } }""")
    values = """[...document.querySelectorAll('.cdr-stage > :not([hidden]) :is(input, select)')]
        .map((one) => [one.value, one.checked])"""
    before = page.page.evaluate(values)
    assert before
    page.press("g")
    assert page.page.evaluate(values) == before
    # ciò a cui un disegno rimanda (tratteggi, frecce) deve essere il suo: da nascosto non si disegna
    lost = page.page.evaluate("""() => [...document.querySelectorAll('.cdr-stage [id]')].filter((one) =>
        one.closest('.cdr-box').hidden && one === document.getElementById(one.id)).map((one) => one.id)""")
    assert lost == []


def test_a_frozen_screen_does_not_move_by_the_index_either(opened):
    page = opened(VEILED)
    page.press("i", "Escape", "i", "g")
    if page.page.locator(".cdr-list").is_visible():
        page.page.locator(".cdr-list button").nth(5).click()
    assert page.text("title") == SCENES[VEILED].title
    assert page.at == VEILED + 1
    page.press("g", "PageDown")
    assert page.page.locator(".cdr-scene .cdl-stage").is_visible()


def test_a_list_left_open_closes_when_the_scene_changes(opened):
    page = opened()
    page.press("i", "PageDown", "PageDown")
    assert not page.page.locator(".cdr-list").is_visible()


def test_the_remote_goes_on_while_a_field_has_the_focus(opened):
    page = opened(TYPED)
    if SCENES[TYPED].cover:
        page.press("r")
    page.page.locator(".cdr-scene input[type=text]").first.focus()
    page.press("PageDown")
    assert page.at == TYPED + 2
    page.press("PageUp")
    page.page.locator(".cdr-scene select:visible").first.focus()
    page.press("PageDown")
    assert page.at == TYPED + 2


def test_notes_reloaded_or_sent_elsewhere_are_no_harm(opened):
    page = opened(VEILED)
    notes = notes_of(page)
    notes.reload()                                           # da file:// non è più nostra
    page.press("PageDown", "PageDown")
    assert page.at == VEILED + 2
    notes = notes_of(page)
    assert notes.locator("h1").inner_text() == f"{VEILED + 2} · {SCENES[VEILED + 1].title}"
    notes.goto("data:text/html,altro")
    page.press("PageUp")
    assert page.at == VEILED + 1
    assert page.text("told") == f"Scena {VEILED + 1} di {len(SCENES)}."
    again = notes_of(page)
    assert again.locator("h1").inner_text() == f"{VEILED + 1} · {SCENES[VEILED].title}"


def test_keys_in_the_notes_are_the_same_and_those_of_the_browser_stay_its_own(opened):
    page = opened(VEILED)
    notes = notes_of(page)
    notes.evaluate("""() => { window.kept = 0;
        for (const more of [{ ctrlKey: true }, { metaKey: true }, { repeat: true }])
          for (const key of ['r', 'PageDown'])
            document.body.dispatchEvent(
              new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more })); }""")
    assert page.at == VEILED + 1
    assert page.text("curtain") == SCENES[VEILED].question
    assert page.page.locator(".cdr-curtain").is_visible()
    notes.keyboard.press("g")
    assert page.text("told").startswith("Fermo")
    notes.keyboard.press("g")
    assert page.text("told").startswith("Ripreso")


def test_notes_close_with_their_page_and_a_blocked_window_is_said(opened):
    page = opened(VEILED)
    notes = notes_of(page)
    with notes.expect_event("close"):
        page.page.reload()
    page.page.wait_for_selector(".cdr-scene .cdl", state="attached")
    page.page.evaluate("() => { window.open = () => null; }")
    page.press("p")
    assert "qui sotto" in page.text("told")
    assert SCENES[VEILED].slips in page.text("below")
    page.press("p")
    assert not page.page.locator(".cdr-below").is_visible()
    assert "qui sotto" not in page.text("told")


def test_the_screen_is_filled_again_when_only_its_height_changes(opened):
    page = opened(VEILED, width=1366, height=900)
    page.page.set_viewport_size({"width": 1366, "height": 600})
    bottom = "document.querySelector('.cdr').getBoundingClientRect().bottom"
    page.page.wait_for_function(f"{bottom} <= innerHeight")
    page.page.set_viewport_size({"width": 1366, "height": 1000})
    page.page.wait_for_function(f"{bottom} > 950")


def test_a_browser_that_refuses_the_address_still_changes_scene(opened):
    page = opened(VEILED)
    page.page.evaluate("""() => { history.replaceState =
        () => { throw new DOMException('troppe', 'SecurityError'); }; }""")
    page.press("PageDown", "PageDown")
    assert page.at == VEILED + 2
    assert page.text("told") == f"Scena {VEILED + 2} di {len(SCENES)}."


def test_an_address_typed_by_hand_goes_to_its_scene(opened):
    page = opened()
    page.page.evaluate("location.hash = '#scena-5'")
    page.page.wait_for_function("document.querySelector('.cdr-place').textContent.startsWith('scena 5 ')")
    for odd in ("#scena-x", "#scena-1e9", "#altro", "#scena--3"):
        page.page.evaluate("(odd) => { location.hash = odd; }", odd)
    assert page.at == 5


@pytest.mark.parametrize(("hash_", "at"), [
    ("#scena-0", 1), ("#scena-999", len(SCENES)), ("#scena-x", 1), ("#scena-1e9", 1),
    ("#scena-" + "9" * 400, len(SCENES)),
])  # fmt: skip
def test_an_odd_address_opens_a_scene(browser, file, hash_, at):
    page = DirectorPage(browser, file, hash_=hash_)
    assert page.at == at
    assert page.errors == []
    page.close()


MASH = """async (keys) => {
  let seed = 1;
  const drawn = (n) => { seed = (seed * 48271) % 2147483647; return seed % n; };
  for (let k = 0; k < 600; k += 1) {
    const at = document.activeElement || document.body;
    const key = keys[drawn(keys.length)];
    at.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    if (k % 7 === 0) {
      const buttons = [...document.querySelectorAll('.cdr button:not([data-do=full]):not([data-do=notes])')];
      buttons[drawn(buttons.length)].click();
    }
    if (k % 3 === 0) await 0;
    if (k % 40 === 0) await new Promise(requestAnimationFrame);
  }
}"""


def test_keys_and_clicks_at_random_break_nothing(opened):
    page = opened()
    page.page.evaluate("() => { window.open = () => null; }")
    named = ["PageDown", "PageUp", "ArrowUp", "ArrowLeft", "Enter", "Escape", "End"]
    page.page.evaluate(MASH, [*named, *"rgzipn?+1 "])
    if page.page.locator(".cdr").get_attribute("data-frozen") == "true":
        page.press("g")
    page.press("Escape", "z")
    assert page.at >= 1
    assert page.page.locator(".cdr-box").count() == 1
    assert page.page.locator(".cdr-scene .cdl").count() == 1


COUNTED = """() => {
  window.counts = { listeners: 0, observers: 0 };
  const [add, remove] = [window.addEventListener, window.removeEventListener];
  window.addEventListener = (...all) => { counts.listeners += 1; return add.apply(window, all); };
  window.removeEventListener = (...all) => { counts.listeners -= 1; return remove.apply(window, all); };
  for (const name of ['MutationObserver', 'ResizeObserver', 'IntersectionObserver']) {
    const Old = window[name];
    window[name] = class extends Old {
      observe(...all) { if (!this.on) counts.observers += 1; this.on = true; super.observe(...all); }
      disconnect() { if (this.on) counts.observers -= 1; this.on = false; super.disconnect(); }
    };
  }
}"""


def test_scenes_left_leave_nothing_behind(opened):
    page = opened()
    page.page.evaluate(COUNTED)
    page.press("z")
    one_round = """async () => { for (let k = 0; k < 140; k += 1) {
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true, cancelable: true }));
      await new Promise((done) => setTimeout(done)); }
      document.querySelector('[data-do=index]').click();
      document.querySelector('.cdr-list button').click();
      await new Promise((done) => setTimeout(done));
      return { ...counts }; }"""
    first = page.page.evaluate(one_round)
    second = page.page.evaluate(one_round)
    assert second == first


def test_the_printed_page_is_the_scene_on_white(opened):
    page = opened(VEILED, scheme="dark")
    page.press("r")
    page.page.emulate_media(media="print", color_scheme="dark")
    look = page.page.evaluate("""() => {
        const of = (name) => getComputedStyle(document.querySelector(name));
        return [of('.cdr').backgroundColor, of('.cdr-foot').display, of('.cdr-stage').overflow]; }""")
    assert look == ["rgb(255, 255, 255)", "none", "visible"]

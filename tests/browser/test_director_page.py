"""La Regia in un file, aperta con `file://` e la rete spenta: ogni scena, ogni tasto, ogni schermo."""

from __future__ import annotations

import re

import pytest

from course_lib.widgets.scenes import SCENES
from tests.browser.director_page import CUT, IN_SIGHT, TOUCHING, TYPE

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

GRAVE = ("serious", "critical")
VIOLATIONS = {"resultTypes": ["violations"]}                 # il resto soltanto contato: si fa prima
COVERED = next(k for k, scene in enumerate(SCENES) if scene.cover == "numbers")
VEILED = next(k for k, scene in enumerate(SCENES) if scene.cover == "picture")
PRESSES = len(SCENES) - 1 + sum(bool(scene.cover) for scene in SCENES)


def test_page_down_alone_reaches_every_scene_and_reveals_it(opened):
    page = opened()
    seen = []
    for _ in range(PRESSES + 1):
        asked = page.page.locator(".cdr-asked:visible, .cdr-curtain p:visible").all_inner_texts()
        seen.append((page.at, page.text("title"), [text for text in asked if text]))
        page.press("PageDown")
    assert page.text("told") == "Era l'ultima scena."
    assert [number for number, _, _ in seen] == [
        k for k, scene in enumerate(SCENES, 1) for _ in range(1 + bool(scene.cover))
    ]
    assert list(dict.fromkeys(title for _, title, _ in seen)) == [scene.title for scene in SCENES]
    for k, scene in enumerate(SCENES, 1):
        shown = [asked for number, _, asked in seen if number == k]
        assert shown == [[scene.question], [scene.answer]][: 1 + bool(scene.cover)]


def test_page_up_goes_back_to_a_scene_already_revealed(opened):
    page = opened(VEILED)
    page.press("PageDown", "PageDown", "PageUp")
    assert page.at == VEILED + 1
    assert page.text("asked") == SCENES[VEILED].answer
    first = opened()
    first.press("PageUp")
    assert first.text("told") == "Questa è la prima scena."


def test_numbers_stay_covered_even_when_the_picture_is_drawn_again(opened):
    page = opened(COVERED)
    stage = page.page.locator(".cdr-scene .cdl-stage")
    assert not re.search(r"\d,\d", stage.inner_text())
    stage.focus()
    page.press("ArrowUp", "ArrowLeft", "ArrowDown")
    assert not re.search(r"\d,\d", page.page.locator(".cdr-scene").inner_text())
    page.press("r")
    assert re.search(r"\d", stage.inner_text())
    assert "··" not in page.page.locator(".cdr-scene").inner_text()
    page.press("r")
    assert not re.search(r"\d,\d", stage.inner_text())


@pytest.mark.parametrize(("key", "gone", "kept"), [
    ("esponenziale", ("0 ÷ √2 = 0", "può guardare"), ("maschera", "4")),       # i numeri dei passi sono nomi
    ("id-o-posto", ("ID 4", "ID 31"), ("posto 3", "regola")),
    ("togli-il-massimo", ("e⁰ = 1",), ("✓ regge sempre",)),
    ("spegni-la-1-1", ("100,0",), ("2·1", "media 2"))])  # fmt: skip
def test_what_is_covered_does_not_tell_the_answer(opened, key, gone, kept):
    page = opened([scene.key for scene in SCENES].index(key))
    seen = page.page.locator(".cdr-scene").inner_text()
    texts = page.page.locator(".cdr-scene svg text").all_text_contents()
    assert [text for text in gone if text in seen] == []
    assert [text for text in kept if text not in texts] == []


def test_the_first_scene_of_the_sum_does_not_give_it_away(opened):
    page = opened([scene.key for scene in SCENES].index("chi-guarda-era"))
    page.press("r")
    seen = page.page.locator(".cdr-scene").inner_text()
    assert "era → chiave: coefficiente 0,665." in seen
    assert not re.search(r"2,83|11,107|7,389", seen)
    page.press("b")
    assert "passo 7 di 7" in page.page.locator(".cdr-scene").inner_text()
    page.press("n", "n")
    assert "passo 2 di 7" in page.page.locator(".cdr-scene").inner_text()


def test_the_notes_count_the_minutes_of_the_scenes_shown(opened):
    page = opened(VEILED + 7)
    with page.context.expect_page() as found:
        page.press("p")
    first = SCENES[VEILED + 7].minutes
    head = found.value.locator("header")
    assert head.inner_text().endswith(f"passati 0 min; per le scene mostrate se ne prevedono {first} min")
    page.press("PageDown", "PageDown")
    assert head.inner_text().endswith(f"{first + SCENES[VEILED + 8].minutes} min")


def test_a_veiled_picture_cannot_be_seen_nor_heard(opened):
    page = opened(VEILED)
    assert not page.page.locator(".cdr-box").is_visible()
    assert page.text("curtain") == SCENES[VEILED].question
    page.press("r")
    assert page.page.locator(".cdr-scene .cdl-stage svg").is_visible()
    assert not page.page.locator(".cdr-curtain").is_visible()


def test_a_scene_is_begun_again_and_the_keys_of_its_widget_work(opened):
    lens = next(k for k, scene in enumerate(SCENES) if scene.stage == "lens" and scene.cover)
    page = opened(lens)
    page.press("r")
    page.page.locator(".cdr-scene .cdl-stage").focus()
    before = page.page.locator(".cdr-scene .cdl-stage").inner_text()
    page.press("ArrowUp", "ArrowUp", "n")
    assert page.page.locator(".cdr-scene .cdl-stage").inner_text() != before
    page.press("z", "r")
    assert page.page.locator(".cdr-scene .cdl-stage").inner_text() == before


def test_the_index_jumps_and_escape_closes_it(opened):
    page = opened()
    page.press("i")
    assert page.page.locator(".cdr-list li").count() == len(SCENES)
    page.press("Escape")
    assert not page.page.locator(".cdr-list").is_visible()
    page.press("i", "ArrowDown", "ArrowDown", "ArrowUp", "Enter")    # con la sola tastiera
    assert page.at == 2
    page.press("i", "Home", "ArrowUp", "Enter")
    assert page.at == 1
    page.press("i", "End", "ArrowDown", "Enter")
    assert page.at == len(SCENES)
    page.press("i")
    page.page.locator(".cdr-list button").nth(len(SCENES) - 1).click()
    assert page.at == len(SCENES)
    page.page.reload()
    page.page.wait_for_selector(".cdr-scene .cdl", state="attached")
    assert page.at == len(SCENES)                            # dopo un riavvio si riprende di lì


def test_frozen_the_screen_stays_and_the_notes_go_on(opened):
    page = opened(COVERED)
    with page.context.expect_page() as found:
        page.press("p")
    notes = found.value
    assert notes.locator("h1").inner_text() == f"{COVERED + 1} · {SCENES[COVERED].title}"
    assert SCENES[COVERED].slips in notes.locator("main").inner_text()
    page.press("r", "g")
    still = page.page.locator(".cdr-stage").inner_text()
    notes.get_by_role("button", name="Avanti").click()
    assert notes.locator("h1").inner_text() == f"{COVERED + 2} · {SCENES[COVERED + 1].title}"
    page.press("PageDown", "r", "z")
    assert page.page.locator(".cdr-stage").inner_text() == still
    assert page.at == COVERED + 1
    page.press("g")
    assert page.at == COVERED + 3                            # la scena a cui le note erano arrivate
    notes.keyboard.press("PageUp")
    assert page.at == COVERED + 2


def test_letters_typed_in_a_field_are_letters_and_without_python_the_reason_is_said(opened):
    where = next(k for k, scene in enumerate(SCENES) if scene.stage == "heads")
    page = opened(where)
    if SCENES[where].cover:
        page.press("r")
    field = page.page.locator(".cdr-scene input[type=text]").first
    field.fill("")
    field.press_sequentially("rifgzp la chiave")
    assert field.input_value() == "rifgzp la chiave"
    assert page.at == where + 1
    field.press("Enter")
    page.page.wait_for_selector(".cdr-scene .cdl-problem:not([hidden])")
    problem = page.page.locator(".cdr-scene .cdl-problem")
    assert "In questo file non c'è Python" in problem.inner_text()
    page.page.wait_for_function(IN_SIGHT, arg=[".cdr-scene .cdl-problem", ".cdr-stage"])


def test_keys_held_down_or_with_control_do_nothing(opened):
    page = opened()
    page.page.keyboard.down("PageDown")
    for _ in range(5):
        page.page.keyboard.down("PageDown")                  # un tasto tenuto: il browser lo ripete
    page.page.keyboard.up("PageDown")
    assert page.at <= 2
    before = page.at
    page.press("Control+PageDown", "Control+i", "Alt+r")
    assert page.at == before


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1280, 720), (1366, 768), (1920, 1080)])
def test_type_can_be_read_from_the_back_of_the_room(opened, width, height):
    page = opened(width=width, height=height)
    small = set()
    for _ in range(PRESSES + 1):
        page.page.wait_for_function("!document.querySelector('.cdr-box').getAnimations().length")
        small |= {(page.at, *one) for one in page.page.evaluate(TYPE) if one[0] < 20}
        page.press("PageDown")
    assert small == set()


@pytest.mark.parametrize("width", [1024, 1366])
def test_no_two_writings_of_a_picture_touch(opened, width):
    page = opened(width=width, height=768)
    touching = {}
    for k, scene in enumerate(SCENES, 1):
        page.go_to(k)
        if scene.cover:
            page.press("r")
        touching[scene.key] = page.page.evaluate(TOUCHING)
    assert {key: found for key, found in touching.items() if found} == {}


def test_a_veiled_scene_shows_its_whole_question_on_an_old_projector(opened):
    page = opened(width=1024, height=768)
    hidden = []
    for _ in range(PRESSES + 1):
        veiled = page.page.locator(".cdr-curtain p").is_visible()
        if veiled and not page.page.evaluate(IN_SIGHT, [".cdr-curtain p", ".cdr-stage"]):
            hidden.append(page.text("title"))
        page.press("PageDown")
    assert hidden == []


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (1366, 768)])
def test_what_a_scene_speaks_of_is_in_sight_once_revealed(opened, width, height):
    unseen = []
    for k, scene in enumerate(SCENES):
        if scene.look:
            page = opened(k, width=width, height=height)
            page.press("r")
            if not page.page.evaluate(IN_SIGHT, [f".cdr-scene {scene.look}", ".cdr-stage"]):
                unseen.append(scene.key)
    assert unseen == []


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1024, 768)])
def test_on_a_phone_or_an_old_projector_the_page_does_not_overflow(opened, width, height):
    page = opened(width=width, height=height)
    for _ in range(PRESSES + 1):
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.page.locator(".cdr-foot button").first.is_visible()
        page.press("PageDown")


def test_on_an_old_projector_no_picture_is_cut_at_its_sides(opened):
    """Nessuna scorre di lato, fuorché una griglia di otto colonne; nessuna scritta è tagliata."""
    page = opened(width=1024, height=768)
    hidden = {}
    for k, scene in enumerate(SCENES, 1):
        page.go_to(k)
        if scene.cover:
            page.press("r")
        hidden[scene.key] = page.page.evaluate(CUT)
    assert hidden.pop("esperimento-5")[0] > 0
    assert {key: found for key, found in hidden.items() if found != [0, []]} == {}


# Fra un tema e l'altro cambiano soltanto i colori.
@pytest.mark.parametrize(("scheme", "only"), [
    ("light", {}), ("dark", {"runOnly": {"type": "rule", "values": ["color-contrast"]}})])  # fmt: skip
def test_no_grave_violation_in_any_scene(opened, require, scheme, only):
    page = opened(scheme=scheme)
    page.page.add_script_tag(path=require("axe"))
    grave = []
    for _ in range(PRESSES + 1):
        result = page.page.evaluate("(only) => axe.run(document, only)", {**VIOLATIONS, **only})
        bad = [v for v in result["violations"] if v["impact"] in GRAVE]
        grave += [(page.at, v["id"], v["nodes"][0]["html"][:160]) for v in bad]
        page.press("PageDown")
    assert grave == []
    assert len(result["passes"]) > (0 if only else 10)


def test_without_javascript_a_sentence_says_why(browser, file):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert "JavaScript" in page.locator("body").inner_text()
    context.close()

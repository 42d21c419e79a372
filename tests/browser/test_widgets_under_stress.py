"""I widget messi alla prova: un kernel lento, muto o guasto, viste chiuse a metà, tasti tenuti premuti."""

from __future__ import annotations

import pytest

import course_lib.widgets as widgets
from tests.browser.widget_page import finding, press, say

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

SILENCE = "Il kernel non risponde"
HOLD = """([key, times]) => { const stage = document.querySelector('.cdl-stage'); stage.focus();
  for (let k = 0; k < times; k += 1) stage.dispatchEvent(new KeyboardEvent('keydown',
    { key, bubbles: true, cancelable: true, repeat: k > 0 })); }"""
SENTENCES = {
    "HeadAtlas": ("le monete sopra i libri erano", "la chiave sopra i bauli era"),
    "Simulator": ("il gatto dorme accanto alla porta", "la luna era nuova"),
    "BlockPath": ("il gatto dorme accanto alla porta", "la luna era nuova"),
}
FIELDS = {"HeadAtlas": ("own", "try"), "Simulator": ("text-0", "own"), "BlockPath": ("own", "send")}


def control(element, name):
    return element.locator(f"[data-control='{name}']").first


def write(name):
    """Come si chiede la frase k."""
    field, button = FIELDS[name]

    def ask(element, k):
        control(element, field).fill(SENTENCES[name][k])
        control(element, button).click()

    return ask


# Come ogni widget chiede qualcosa al kernel, la prima volta e la seconda.
ASK = {name: write(name) for name in FIELDS} | {
    "SoftmaxTemperature": lambda element, k: press(element, "ArrowRight"),
    "RootOfD": lambda element, k: press(element, "r"),
    "MaskBoard": lambda element, k: press(element, *(("ArrowRight", " ") if k else ("Home", " "))),
    "PositionClock": lambda element, k: control(element, "d").fill(str(6 + 4 * k)),
    "GenerationDesk": lambda element, k: press(element, "End", "ArrowRight"),
    "LiveTraining": lambda element, k: press(element, "n"),
}
NAMES = sorted(ASK)


def made(name, **options):
    """Il widget, che si stanca di aspettare dopo mezzo secondo."""
    widget = getattr(widgets, name)(predict=False, **options)
    assert "PATIENCE=4000" in widget._esm
    widget._esm = widget._esm.replace("PATIENCE=4000", "PATIENCE=500")
    return widget


@pytest.fixture
def slow(plain):
    """Una pagina con un widget e un kernel che risponde soltanto quando glielo si dice."""

    def show(name, **options):
        page = plain().kernel(held=True)
        return page, page.add(made(name, **options))

    return show


def ask(page, element, name, k=0):
    """Chiede, e aspetta che la richiesta sia partita."""
    before = len(page.held)
    ASK[name](element, k)
    for _ in range(50):
        if len(page.held) > before:
            return
        page.page.wait_for_timeout(20)
    raise AssertionError("nessuna richiesta")


def settled(element):
    """Nulla si aspetta e nulla è andato storto."""
    element.locator(".cdl:not([data-waiting])").wait_for()
    assert not element.locator(".cdl-problem").is_visible()


def same_as_new(page, element):
    """Ciò che si vede è lo stato del modello: una vista nuova dice lo stesso."""
    new = page.view("widget", "nuova")
    for one in (element, new):
        if "√" not in one.locator(".cdl-title").inner_text():  # là Inizio e Fine cambiano d
            press(one, "Home", "End")
    assert (finding(element), say(element)) == (finding(new), say(new))
    page.page.evaluate("window.cleanUps.nuova()")


@pytest.mark.parametrize("name", NAMES)
def test_silence_is_said_and_an_answer_is_welcome_late_twice_and_in_any_order(slow, name):
    page, element = slow(name)
    shown = finding(element)
    ask(page, element, name)
    element.get_by_text(SILENCE).first.wait_for()
    assert finding(element) == shown
    late = page.held[0]
    page.answer()
    element.locator(".cdl-problem").wait_for(state="hidden")
    settled(element)
    same_as_new(page, element)
    ask(page, element, name, 1)
    if name not in ("SoftmaxTemperature", "RootOfD", "GenerationDesk"):  # una sola in volo
        ask(page, element, name)
        page.answer(1)
    page.answer()
    page._to_kernel(*late)
    page.page.wait_for_timeout(60)
    settled(element)
    same_as_new(page, element)


@pytest.mark.parametrize("name", NAMES)
def test_a_fault_is_said_changes_nothing_and_is_forgotten(slow, name):
    page, element = slow(name)
    widget, shown = page.widgets["widget"], finding(element)
    works, widget.answer_to = widget.answer_to, lambda request: 1 / 0
    ask(page, element, name)
    page.answer()
    element.locator(".cdl-problem").get_by_text("guasto del widget").wait_for()
    assert finding(element) == shown
    assert element.locator(".cdl:not([data-waiting])").count() == 1
    widget.answer_to = works
    ask(page, element, name, 1)
    page.answer()
    element.locator(".cdl-problem").wait_for(state="hidden")
    settled(element)
    same_as_new(page, element)


@pytest.mark.parametrize("name", NAMES)
def test_a_view_may_go_while_it_waits_and_its_twin_goes_on(slow, name):
    page, element = slow(name)
    twin = page.view("widget", "gemella")
    ask(page, element, name)
    page.page.evaluate("window.cleanUps.widget()")
    page.answer()
    page.page.wait_for_timeout(700)  # più della pazienza
    assert element.inner_html() == ""
    settled(twin)
    if name == "GenerationDesk":  # il passo che si guarda è della vista
        press(twin, "Home")
    asked = len(page.held)
    ASK[name](twin, 1)
    page.page.wait_for_timeout(60)
    for _ in range(len(page.held) - asked):
        page.answer()
    settled(twin)
    same_as_new(page, twin)


@pytest.mark.parametrize(
    ("name", "first", "second", "found"),
    [
        ("MaskBoard", lambda e: press(e, "Home", " "), lambda e: press(e, "ArrowRight", " "),
         lambda state: state["allowed"][-1] == [False, False, True, True, True]),
        ("PositionClock", lambda e: control(e, "d").fill("6"), lambda e: control(e, "base").fill("50"),
         lambda state: (state["d"], state["base"]) == (6, 50.0)),
        ("Simulator", lambda e: control(e, "d").fill("6"), lambda e: control(e, "positions").click(),
         lambda state: (state["d"], state["positions"]) == (6, False)),
    ],
)  # fmt: skip
def test_what_was_asked_and_has_not_come_yet_is_not_lost(slow, name, first, second, found):
    page, element = slow(name)
    if name == "Simulator":
        ask(page, element, name)
        page.answer()
        settled(element)
    for change in (first, second):
        change(element)
        element.page.keyboard.press("Tab")
        page.page.wait_for_timeout(60)
    while page.held:
        page.answer()
    page.page.wait_for_timeout(60)
    assert found(page.widgets["widget"].state)
    settled(element)


@pytest.mark.parametrize(
    ("name", "key", "most", "found"),
    [
        ("SoftmaxTemperature", "ArrowRight", 4, "logit 5;"),
        ("RootOfD", "ArrowRight", 4, "d = 512"),
        ("MaskBoard", " ", 1, "o → h: punteggio 0,00; vietato"),
        ("LiveTraining", " ", 1, "loss"),
        ("GenerationDesk", "ArrowRight", 2, "Estratto"),
    ],
)
def test_a_key_held_down_ends_where_it_leads_with_few_requests(plain, name, key, most, found):
    page = plain().kernel()
    element = page.add(made(name))
    widget, requests = page.widgets["widget"], []
    widget.observe(requests.append, "request")
    press(element, "Home")
    page.page.evaluate(HOLD, [key, 200])
    page.page.wait_for_timeout(400)
    assert 1 <= len(requests) <= most
    assert found in say(element)
    assert name != "LiveTraining" or widget.state["status"] == "in corso"
    widget.close()

"""La Generazione nel browser: numeri uguali a quelli dello stato, ogni comando, rami, esempi senza kernel."""

from __future__ import annotations

import pytest

from course_lib.notation import number
from course_lib.widgets import GenerationDesk
from tests.browser.widget_page import press_keys, say

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]
BARS = "nodes => nodes.map(n => [...n.querySelectorAll('text')].map(t => t.firstChild.textContent))"


@pytest.fixture
def desk(plain):
    """Il banco come si apre, col kernel e senza previsioni."""
    page, widget = plain().kernel(), GenerationDesk(predict=False)
    return page, widget, page.add(widget)


def control(element, name):
    return element.locator(f"[data-control='{name}']")


def at_step(element, k, of):
    """Aspetta che il contatore dica «passo k di of»."""
    element.get_by_text(f"passo {k} di {of}", exact=True).wait_for()


def table(element):
    """Nome e probabilità di ogni barra."""
    return [tuple(row) for row in element.locator("[data-bar]").evaluate_all(BARS)]


def texts(element, attribute):
    return element.locator(f"[{attribute}]").all_text_contents()


def cut_at(element, kept):
    """Aspetta la linea del taglio: è orizzontale, e per il browser una linea senza altezza non si vede."""
    element.locator(f"[data-cut='{kept}']").wait_for(state="attached")


def expected(moment):
    return [(c["name"], number(c["before"], 3)) for c in moment["candidates"]]


def written(element):
    return element.locator("[data-text]").text_content()


def test_it_opens_on_a_first_step_already_drawn(desk):
    _, widget, element = desk
    m = widget.state["moments"][0]
    assert table(element) == expected(m)
    assert say(element) == m["sentence"]
    assert element.locator(".cdl-finding").inner_text() == m["finding"]
    assert written(element) == f"La chiave {m['drawn']['name']}"
    assert element.locator("[data-u]").text_content() == f"u = {number(m['dart'], 3)}"
    cells = element.locator("[data-weight] text").all_text_contents()
    assert cells == [number(v, 3) for row in m["weights"][1] for v in row]
    assert texts(element, "data-sum") == ["1,000"] * 4
    assert element.locator("[data-cut]").count() == 0
    assert control(element, "seed").input_value() == str(widget.state["seed"])


def test_a_walk_with_the_keyboard_alone(desk):
    page, widget, element = desk
    element.locator(".cdl-stage").focus()
    for k in range(2, 5):
        press_keys(page, "n" if k % 2 else "ArrowRight")
        at_step(element, k, k)
    assert say(element) == widget.state["moments"][3]["sentence"]
    press_keys(page, "b", "ArrowLeft")
    at_step(element, 2, 4)
    assert table(element) == expected(widget.state["moments"][1])
    press_keys(page, "Home")
    at_step(element, 1, 4)
    press_keys(page, "End", "ArrowLeft", "ArrowDown", "ArrowDown", "ArrowUp")
    c = widget.state["moments"][2]["candidates"][0]
    assert f"Candidato: «{c['name']}», {number(c['before'], 3)}" in say(element)
    press_keys(page, "ArrowDown", "Escape")
    assert "Candidato" not in say(element)
    drawn = widget.state["moments"][2]["drawn"]["rank"]
    press_keys(page, *["ArrowDown"] * (2 if drawn == 1 else 1), "Enter")
    at_step(element, 3, 3)
    assert say(element).startswith("Messo da te: «")
    assert widget.state["branch"] == 1
    assert control(element, "branch").is_visible()
    assert element.locator("[data-history]").get_by_text("tu", exact=True).count() == 1


def test_a_walk_with_the_mouse(desk):
    _, widget, element = desk
    assert control(element, "force").is_disabled()
    control(element, "next").click()
    at_step(element, 2, 2)
    first = [m["drawn"]["name"] for m in widget.state["moments"]]
    control(element, "back").click()
    at_step(element, 1, 2)
    other = next(k for k, c in enumerate(widget.state["moments"][0]["candidates"]) if c["name"] != first[0])
    element.locator(f"[data-bar='{other}']").click()
    control(element, "force").click()
    at_step(element, 1, 1)
    assert written(element).endswith(widget.state["moments"][0]["candidates"][other]["name"])
    control(element, "branch").select_option("0")
    at_step(element, 2, 2)
    assert written(element) == "La chiave " + "".join(first).replace("␣", " ")
    element.locator("[data-step='1']").click()
    at_step(element, 1, 2)
    control(element, "layer").select_option("0")
    cells = element.locator("[data-weight] text").all_text_contents()
    assert cells == [number(v, 3) for row in widget.state["moments"][0]["weights"][0] for v in row]
    control(element, "text").fill("Il maestro ")
    control(element, "seed").fill("9")
    control(element, "seed").press("Enter")
    element.locator("[data-text]").get_by_text("Il maestro").wait_for()
    assert (widget.state["prompt"], widget.state["seed"]) == ("Il maestro ", 9)
    assert not control(element, "branch").is_visible()
    control(element, "top_k").fill("quattro")
    element.get_by_role("button", name="Ripristina").click()
    element.locator("[data-text]").get_by_text("La chiave").wait_for()
    assert (widget.state["prompt"], widget.state["seed"], widget.state["fresh"]) == ("La chiave ", 6, True)
    fields = [control(element, name).input_value() for name in ("text", "seed", "top_k")]
    assert fields == ["La chiave ", "6", ""]


def test_cuts_are_drawn_where_the_state_says(desk):
    _, widget, element = desk
    control(element, "top_k").fill("3")
    control(element, "top_k").press("Tab")
    cut_at(element, 3)
    m = widget.state["moments"][0]
    after = [number(c["after"], 3) if c["kept"] else "0" for c in m["candidates"]]
    assert texts(element, "data-after") == after
    line = element.locator("[data-cut]").bounding_box()["y"]
    tops = [element.locator(f"[data-bar='{k}']").bounding_box()["y"] for k in (2, 3)]
    assert tops[0] < line < tops[1] + 4
    control(element, "top_k").fill("")
    control(element, "top_p").fill("0,5")
    control(element, "top_p").press("Tab")
    element.locator("[data-reached]").first.wait_for()
    m = widget.state["moments"][0]
    assert widget.state["settings"] == {"greedy": False, "temperature": 1.0, "top_k": None, "top_p": 0.5}
    assert texts(element, "data-reached") == [number(c["reached"], 3) for c in m["candidates"]]
    cut_at(element, m["kept"])
    control(element, "temperature").focus()
    control(element, "temperature").press("ArrowRight")
    element.get_by_text("probabilità con τ = 1,1").wait_for()
    control(element, "way").select_option(label="greedy")
    cut_at(element, 1)
    assert say(element).startswith("Scelto: «")
    assert control(element, "top_p").is_disabled()
    assert element.locator("[data-u]").count() == 0


def test_it_writes_by_itself_until_stopped(desk):
    page, widget, element = desk
    page.page.clock.install()
    element.locator(".cdl-stage").focus()
    press_keys(page, " ")
    assert control(element, "play").inner_text() == "Ferma"
    for k in (2, 3):
        page.page.clock.run_for(1000)
        at_step(element, k, k)
    control(element, "play").click()
    page.page.clock.run_for(5000)
    at_step(element, 3, 3)
    assert (control(element, "play").inner_text(), len(widget.state["moments"])) == ("Scrivi", 3)


def test_long_contexts_show_colours_only_and_say_what_is_not_read(desk):
    page, widget, element = desk
    element.locator(".cdl-stage").focus()
    for k in range(2, 18):
        press_keys(page, "n")
        at_step(element, k, k)
    m = widget.state["moments"][-1]
    assert element.locator("[data-weight] text").count() == 0
    assert element.locator("[data-weight]").count() == 4 * 24
    assert f"i {m['unread']} prima non li vede più" in element.locator("[data-last-row]").text_content()
    titles = element.locator("[data-weight] title").all_text_contents()
    assert titles == [number(v, 3) for row in m["weights"][1] for v in row]
    assert element.locator("[data-history] [data-step]").count() == 10


def test_prediction_comes_before_anything_is_shown(plain):
    page, widget = plain().kernel(), GenerationDesk()
    element = page.add(widget)
    element.locator(".cdl-stage").focus()
    press_keys(page, "n")
    element.get_by_text("Prima prevedi. Quale token").wait_for()
    m = widget.state["moments"][1]
    hidden = element.inner_html()
    public = {number(v, 3) for row in m["weights"][1] for v in row}
    public.add(number(widget.state["moments"][0]["drawn"]["before"], 3))
    secret = {number(c["before"], 3) for c in m["candidates"]} - public
    assert len(secret) > 3
    assert not [text for text in secret if f">{text}<" in hidden]
    assert element.locator("[data-bar], [data-drawn], [data-u]").count() == 0
    assert number(m["dart"], 3) not in hidden
    assert "Estratto" not in say(element)
    assert written(element) == f"La chiave {widget.state['moments'][0]['drawn']['name']}?"
    press_keys(page, "n", "ArrowDown", "Enter")  # finché non si prevede non si va avanti, ma indietro sì
    press_keys(page, "ArrowLeft")
    assert table(element) == expected(widget.state["moments"][0])
    press_keys(page, "ArrowRight")
    assert element.locator("[data-bar]").count() == 0
    assert len(widget.state["moments"]) == 2
    options = [name.split(" · ")[1] for name in element.locator("[data-choice]").all_inner_texts()]
    assert options == [*(c["name"] for c in m["choices"]), "un altro"]
    wrong = next(c for c in m["choices"] if c["token"] != m["drawn"]["token"])
    press_keys(page, str(1 + options.index(wrong["name"])))
    assert say(element).startswith(f"Avevi previsto «{wrong['name']}», che ha probabilità ")
    assert table(element) == expected(m)
    press_keys(page, "n")
    element.get_by_text("Prima prevedi. Quale token").wait_for()
    m = widget.state["moments"][2]
    names = [c["token"] for c in m["choices"]]
    right = names.index(m["drawn"]["token"]) if m["drawn"]["token"] in names else len(names)
    element.locator(f"[data-choice='{right}']").click()
    assert say(element).startswith("Hai previsto bene. ")
    control(element, "predict").uncheck()
    press_keys(page, "Tab")
    control(element, "next").click()
    at_step(element, 4, 4)
    assert element.locator(".cdl-question").count() == 0


def test_without_a_kernel_the_examples_move_and_the_silence_is_explained(plain):
    page, widget = plain(), GenerationDesk(predict=False)
    page.page.clock.install()
    element = page.add(widget)
    for k, preset in enumerate(widget.presets):
        control(element, "example").select_option(label=preset["name"])
        element.locator(".cdl-stage").focus()
        for m in preset["state"]["moments"]:
            assert table(element) == expected(m)
            assert say(element) == m["sentence"]
            if m is not preset["state"]["moments"][-1]:
                press_keys(page, "n")
        at_step(element, 5, 5)
        assert control(element, "way").input_value() == ("1" if k == 0 else "0")
    press_keys(page, "n")
    page.page.clock.run_for(5000)
    assert "Il kernel non risponde" in element.locator(".cdl-problem").inner_text()
    at_step(element, 5, 5)
    assert table(element) == expected(widget.presets[3]["state"]["moments"][4])


def test_going_on_from_an_example_with_the_kernel(desk):
    page, widget, element = desk
    control(element, "example").select_option(label="top-k = 3")
    element.locator(".cdl-stage").focus()
    press_keys(page, "End", "n")
    at_step(element, 6, 6)
    ready = widget.presets[2]["state"]["moments"]
    assert [m["drawn"] for m in widget.state["moments"][:5]] == [m["drawn"] for m in ready]
    assert control(element, "example").input_value() == "0"
    assert control(element, "top_k").input_value() == "3"


@pytest.mark.parametrize("text", ["", "   ", "a" * 10_000, "ciao 😀", "שלום"])
def test_bad_input_gets_a_sentence_and_loses_nothing(desk, text):
    _, _, element = desk
    control(element, "next").click()
    at_step(element, 2, 2)
    before = written(element)
    control(element, "text").fill(text)
    control(element, "restart").click()
    element.locator(".cdl-problem").wait_for()
    assert len(element.locator(".cdl-problem").inner_text()) > 30
    assert written(element) == before
    assert control(element, "text").input_value() == text
    control(element, "top_k").fill("-2")
    control(element, "top_k").press("Tab")
    element.locator(".cdl-problem").get_by_text("top-k").wait_for()
    assert written(element) == before


def test_two_side_by_side_are_independent(plain):
    page = plain().kernel()
    first, second = GenerationDesk(predict=False), GenerationDesk(predict=False, temperature=0, prompt="Il ")
    one, two = page.add(first, "uno"), page.add(second, "due")
    before = two.inner_html()
    control(one, "top_k").fill("1")
    control(one, "top_k").press("Tab")
    cut_at(one, 1)
    assert two.inner_html() == before
    assert len(second.state["moments"]) == 1

"""Il Simulatore nel browser: gli esempi senza kernel, le frasi di chi legge, due alla volta."""

from __future__ import annotations

import pytest

from course_lib.notation import number
from course_lib.transformer.sentences import IN
from course_lib.widgets import Simulator
from course_lib.widgets.state import simulator_scenes as scenes
from tests.browser.simulator_page import cells, control, opened, state_of, texts, written
from tests.browser.widget_page import finding, press_keys, say

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]
OWN = "La chiave apre la porta"


# --- esempi, d e posizioni senza kernel -----------------------------------------------------------


def test_every_scene_works_without_a_kernel(plain):
    _, element = opened(plain, Simulator(predict=False, phase=4))
    for k, scene in enumerate(scenes.SCENES):
        control(element, f"example-{k + 1}").click()
        for d, positions in ((scene.d, scene.positions), (7, not scene.positions)):
            control(element, "d").fill(str(d))
            if control(element, "positions").is_checked() != positions:
                control(element, "positions").click()
            state = scene.state(d, positions)
            assert finding(element) == state["findings"][3]
            assert state["seen"] in element.locator(".cdl-seen").inner_text()
            for n, side in enumerate(state["sides"]):
                assert cells(element, f'[data-coefficients="{n}"]') == written(side["weights"])
        assert control(element, "text-0").input_value() == scene.sentences[0]
        assert scene.note in element.inner_text()


def test_two_sentences_are_compared_place_by_place(plain):
    page, element = opened(plain, Simulator(experiment=1, predict=False))
    state = state_of("Il contesto")
    assert element.locator(".cdl-differ").count() == 2
    assert element.locator(".cdl-differs").all_text_contents() == ["≠", "≠"]
    press_keys(page, "4", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown")
    gap = state["gap"][4][0]
    assert say(element).endswith(f"Seconda − prima: {number(gap, 3, sign=True)}.")
    assert "Nell'altra frase: regola → Una" in say(element)
    control(element, "gaps").click()
    assert cells(element, '[data-coefficients="1"]') == written(state["gap"], signed=True)
    element.locator(".cdl-stage").focus()
    press_keys(page, "s")
    assert say(element).startswith("regola → Una")
    assert say(element).endswith(f"Seconda − prima: {number(gap, 3, sign=True)}.")


def test_the_focus_follows_the_word_when_the_order_changes(plain):
    page, element = opened(plain, Simulator(experiment=3, predict=False, phase=4))
    state = state_of("La posizione")
    press_keys(page, "ArrowRight", "ArrowDown")
    script = "nodes => nodes.map(n => n.closest('[data-seat]').dataset.seat)"
    assert element.locator("[data-seat] .cdl-seat-on").evaluate_all(script) == ["1", "4"]
    assert say(element).endswith("Seconda − prima: 0,000.")
    control(element, "positions").click()
    on = state_of("La posizione", positions=True)
    assert finding(element) == on["findings"][3] != state["findings"][3]
    assert say(element).endswith(f"Seconda − prima: {number(on['gap'][1][0], 3, sign=True)}.")


def test_equal_tokens_are_said_to_have_equal_rows(plain):
    _, element = opened(plain, Simulator("il gatto e il cane", positions=False, predict=False, phase=3))
    assert "«il», nei posti 0 e 3, ha righe uguali" in finding(element)
    shown = cells(element, '[data-matrix="0,2"]')
    assert [shown[f"0,{c}"] for c in range(4)] == [shown[f"3,{c}"] for c in range(4)]
    control(element, "positions").click()
    assert "«il», nei posti 0 e 3, ha righe diverse" in finding(element)
    control(element, "phase-3").click()
    control(element, "positions").click()
    assert "righe uguali" in finding(element)


# --- frasi di chi legge ---------------------------------------------------------------------------


def test_own_sentences_go_to_the_kernel(plain):
    page = plain().kernel()
    element = page.add(Simulator(predict=False))
    control(element, "text-0").fill(OWN)
    control(element, "own").click()
    element.locator(".cdl-finding", has_text="«La» sta nei posti 0 e 3").wait_for()
    assert texts(element, '[data-token="0,1"]')[3] == "ID 33"
    element.locator('[data-token="0,1"]').click()
    assert say(element) == "«chiave», posto 1, ID 33, parola nuova in coda al vocabolario."
    control(element, "text-1").fill("La porta apre la chiave")
    control(element, "text-1").press("Enter")
    element.locator('[data-token="1,0"]').wait_for()
    control(element, "d").fill("6")
    page.page.wait_for_function("document.querySelector('strong').textContent === '6'")
    control(element, "phase-3").click()
    control(element, "positions").click()
    element.locator(".cdl-finding", has_text="in un altro ordine").wait_for()
    request = {"sentence": OWN, "second": "La porta apre la chiave", "d": 6, "positions": False}
    state = Simulator().answer_to(request)
    for n in (0, 1):
        assert cells(element, f'[data-coefficients="{n}"]') == written(state["sides"][n]["weights"])
    element.get_by_role("button", name="Ripristina").click()
    assert say(element) == "«Una», posto 0, ID 0."
    assert control(element, "text-0").input_value() == IN


def test_bad_sentences_get_a_sentence_and_lose_nothing(plain):
    page = plain().kernel()
    element = page.add(Simulator(experiment=2))
    for text, says in (
        ("   ", "La frase è vuota"),
        ("a" * 10_000, "La frase ha 10\u202f000 caratteri"),
        ("a " * 25, "La frase ha 25 parole e segni: il simulatore ne mostra al più 24"),
    ):
        control(element, "text-0").fill(text)
        control(element, "own").click()
        element.locator(".cdl-problem", has_text=says).wait_for()
        assert texts(element, '[data-token="0,0"]')[1] == "Dice"
        assert control(element, "text-0").input_value() == text


def test_odd_sentences_are_drawn_in_every_phase(plain):
    page = plain().kernel()
    element = page.add(Simulator(predict=False))
    for text in ("😀 👨‍👩‍👧 😀", "שלום עולם", "a " * 24):
        control(element, "phase-0").click()
        control(element, "text-0").fill(text)
        control(element, "own").click()
        n = len(Simulator().answer_to({"sentence": text})["sides"][0]["tokens"])
        page.page.wait_for_function(f"document.querySelectorAll('[data-token]').length === {n}")
        for k in (1, 2, 3):
            control(element, f"phase-{k}").click()
            assert element.locator(".cdl-stage svg [data-cell]").count() >= 2 * n
        assert element.locator("[data-link]").count() == n * n


def test_a_silent_kernel_is_said_and_the_scene_stays(plain):
    _, element = opened(plain)
    control(element, "example-2").click()
    control(element, "text-0").fill(OWN)
    control(element, "own").click()
    element.locator(".cdl-problem", has_text="Il kernel non risponde").wait_for(timeout=8000)
    assert texts(element, '[data-token="0,0"]')[1] == "Dice"
    control(element, "example-1").click()
    assert not element.locator(".cdl-problem").is_visible()


# --- due alla volta, copiare ----------------------------------------------------------------------


def test_two_instances_do_not_disturb_each_other(plain):
    page = plain()
    first, second = page.add(Simulator(), "uno"), page.add(Simulator(experiment=3, phase=3), "due")
    before = second.inner_text()
    first.locator(".cdl-stage").focus()
    press_keys(page, "4", "1", "ArrowRight", "Enter")
    control(first, "d").fill("8")
    assert second.inner_text() == before


def test_csv_has_the_numbers_of_the_state(plain):
    page, element = opened(plain, Simulator(predict=False, phase=4))
    copying = "document.execCommand = () => { window.copied = document.activeElement.value; return true; }"
    page.page.evaluate(copying)

    def copied(rows):
        element.get_by_role("button", name="Copia CSV").click()
        element.get_by_text(f"Copiato: {rows} righe").wait_for()
        lines = [line.split(";") for line in page.page.evaluate("window.copied").split("\n") if line]
        numbers = [[cell.replace(",", ".") for cell in line[5:] if cell[-1].isdigit()] for line in lines[1:]]
        return lines[0], [list(map(float, line)) for line in numbers]

    side = scenes.opening().state()["sides"][0]
    head, rows = copied(49)
    assert head[5:] == ["chi è guardato", "punteggio", "coefficiente"]
    pairs = [(i, j) for i in range(7) for j in range(7)]
    assert rows == [[side["scores"][i][j], side["weights"][i][j]] for i, j in pairs]
    control(element, "phase-2").click()
    head, rows = copied(28)
    assert head[5:] == ["embedding", "0,3 × PE", "finale"]
    names = ("embedding", "added", "final")
    assert rows == [[side[name][i][c] for name in names] for i in range(7) for c in range(4)]

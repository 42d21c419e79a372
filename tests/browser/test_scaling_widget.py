"""Perché √d nel browser: numeri uguali allo stato, d, campione, previsioni, e che cosa resta senza kernel."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import expect

from course_lib.notation import number
from course_lib.widgets import RootOfD
from course_lib.widgets.state import scaling as states
from tests.browser.widget_page import copied_rows, press, say

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]


def opened(plain, *, kernel=True, key="widget", page=None, **options):
    page = page or (plain().kernel() if kernel else plain())
    widget = RootOfD(**options)
    return page, page.add(widget, key), widget


def stats(element, way):
    return " ".join(element.locator(f"[data-stats='{way}']").text_content().split())


def about(value, like=None):
    size = value if like is None else like
    return number(value, 3 if size < 1 else 2 if size < 10 else 1 if size < 100 else 0)


def same_as(element, found):
    """La pagina mostra i numeri di questo stato; le barre sono alte come i conteggi."""
    expect(element.locator("[data-panel='0'] text")).to_have_text(f"q·k, con d = {found['d']}")
    for way, expected in (("plain", found["d"]), ("scaled", 1)):
        part = found[way]
        variance, error = about(part["variance"]), about(part["variance_error"], part["variance"])
        mean = number(part["mean"], 2)
        assert stats(element, way) == f"varianza {variance} (attesa {expected} ± {error}); media {mean}"
        tall = element.locator(f"[data-bell='{way}'] [data-bin]").evaluate_all(
            "bars => bars.map(bar => Number(bar.getAttribute('height')))"
        )
        scale = max(tall) / max(part["counts"])
        assert tall == pytest.approx([count * scale for count in part["counts"]], abs=1e-6)
    assert element.locator("[data-seed]").inner_text() == f"seme {found['seed']}, 4000 coppie"
    assert element.locator(".cdl-finding").inner_text() == found["finding"]


def here(element):
    return [element.locator(f"[data-here='{way}']").text_content() for way in ("plain", "scaled")]


def test_it_opens_with_the_curve_covered_and_two_predictions_uncover_it(plain):
    _, element, widget = opened(plain, kernel=False)
    found = widget.state
    same_as(element, found)
    assert element.locator("[data-curve]").count() == 0
    hidden = [number(found["here"][way], 3) for way in ("plain", "scaled")]
    press(element, "ArrowDown", "ArrowDown")
    assert say(element) == "La curva del coefficiente più grande: prima di vederla, prevedi."
    assert not [text for text in hidden if text in element.inner_html()]
    assert "?;?" in copied_rows(element)
    element.get_by_role("button", name="si avvicina a 1/8").click()
    assert say(element).startswith("Avevi previsto: si avvicina a 1/8. ")
    assert element.locator("[data-curve]").count() == 1
    assert hidden[1] not in element.inner_html()
    assert str(found["largest"]["scaled"][0]).replace(".", ",") not in copied_rows(element)
    press(element, "2")
    assert say(element) == f"Hai previsto bene. {found['sentences'][2]}."
    assert element.locator(".cdl-question").count() == 0
    assert here(element) == hidden
    assert str(found["largest"]["scaled"][0]).replace(".", ",") in copied_rows(element)


def test_predictions_can_be_switched_off(plain):
    _, element, _ = opened(plain, kernel=False)
    element.locator("[data-control='predict']").uncheck()
    assert element.locator(".cdl-question").count() == 0
    assert element.locator("[data-curve]").count() == 2


def test_the_curve_passes_through_the_numbers_of_the_state(plain):
    _, element, widget = opened(plain, kernel=False, predict=False)
    ys, largest = {}, widget.state["largest"]
    for way in ("plain", "scaled"):
        path = element.locator(f"[data-curve='{way}']").get_attribute("d").replace("M", "L").split("L")[1:]
        points = [tuple(float(v) for v in point.split()) for point in path]
        assert len(points) == len(widget.state["dimensions"])
        doubles = [points[states.DIMENSIONS.index(2**k)][0] for k in range(1, 10)]
        assert [b - a for a, b in pairwise(doubles)] == pytest.approx([50] * 8, abs=0.02)   # l'asse è dei log
        ys[way] = [y for _, y in points]
    tall = (ys["plain"][0] - ys["plain"][-1]) / (largest["plain"][-1] - largest["plain"][0])
    for way in ("plain", "scaled"):
        expected = [ys["plain"][0] - tall * (value - largest["plain"][0]) for value in largest[way]]
        assert ys[way] == pytest.approx(expected, abs=0.05)


def test_d_moves_with_slider_keys_and_clicks(plain):
    page, element, widget = opened(plain, predict=False)
    element.locator("[data-control='d']").focus()
    page.page.keyboard.press("ArrowRight")                               # 64 → 96, dal kernel
    same_as(element, states.state(96))
    assert widget.state["d"] == 96
    press(element, "ArrowRight")
    same_as(element, states.state(128))
    press(element, "End")
    same_as(element, states.state(512))
    press(element, "Home")
    same_as(element, states.state(2))
    assert here(element) == [number(states.state(2)["here"][way], 3) for way in ("plain", "scaled")]
    element.locator("[data-d='16']").click()
    same_as(element, states.state(16))
    assert say(element) == states.state(16)["sentences"][2] + "."
    assert element.locator("output").inner_text() == "16"


def test_a_new_sample_has_another_seed_and_reset_goes_back(plain):
    _, element, widget = opened(plain, predict=False)
    element.get_by_role("button", name="Nuovo campione").click()
    same_as(element, states.state(64, states.SEED + 1))
    press(element, "r")
    same_as(element, states.state(64, states.SEED + 2))
    press(element, "ArrowRight")
    same_as(element, states.state(96, states.SEED + 2))
    element.get_by_role("button", name="Ripristina").click()
    same_as(element, widget.presets[0]["state"])
    element.get_by_role("button", name="Nuovo campione").click()
    same_as(element, states.state(64, states.SEED + 1))


def test_sentences_panels_and_pin(plain):
    _, element, widget = opened(plain, kernel=False, predict=False)
    assert say(element) == widget.state["sentences"][0] + "."
    press(element, "ArrowDown")
    assert say(element) == widget.state["sentences"][1] + "."
    element.locator("[data-panel='2']").click()
    assert say(element) == widget.state["sentences"][2] + "."
    press(element, "Enter", "End")
    assert say(element).endswith(f"Fissato d = 64: varianza {number(widget.state['plain']['variance'], 1)}.")
    markers = element.locator("[data-marker]")
    assert sorted(markers.evaluate_all("all => all.map(one => one.dataset.marker)")) == ["512", "64"]
    press(element, "Escape")
    assert markers.count() == 1


def test_without_a_kernel_the_ready_states_remain_and_own_words_say_why(plain):
    page, element, _ = opened(plain, kernel=False, predict=False)
    page.page.clock.install()
    press(element, "r")
    page.page.clock.run_for(4200)
    assert "Il kernel non risponde" in element.locator(".cdl-problem").inner_text()
    assert say(element).endswith("un campione nuovo non si può avere.")
    assert element.get_by_role("button", name="Nuovo campione").is_disabled()
    same_as(element, states.state(64))
    press(element, "ArrowRight")                                         # 96 non c'è: il prossimo è 128
    same_as(element, states.state(128))
    press(element, "ArrowLeft", "ArrowLeft")
    same_as(element, states.state(32))
    press(element, "End", "ArrowRight")
    same_as(element, states.state(512))


def test_two_at_a_time_do_not_disturb_one_another(plain):
    page, first, _ = opened(plain, predict=False)
    _, second, other = opened(plain, page=page, key="due", predict=False)
    before = second.locator(".cdl-stage").inner_html()
    press(first, "ArrowRight", "Enter")
    same_as(first, states.state(96))
    assert second.locator(".cdl-stage").inner_html() == before
    assert other.request == {}

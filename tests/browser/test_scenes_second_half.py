"""Le scene dei notebook 5–8 da un proiettore di 1366 × 768: la risposta si vede senza scorrere."""

from __future__ import annotations

import re

import pytest

from course_lib.widgets.scenes import model, place_and_heads
from course_lib.widgets.scenes.page import page as made_page

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

SCENES = (*place_and_heads.SCENES, *model.SCENES)
PLACES = {scene.key: k for k, scene in enumerate(SCENES, start=1)}
DECIMAL = re.compile(r"\d+,\d+")
SAID = [scene.key for scene in SCENES if DECIMAL.search(scene.answer) and scene.key != "esperimento-4"]
IN_VIEW = """() => {
  const { top, bottom } = document.querySelector('.cdr-stage').getBoundingClientRect();
  const seen = (box) => box.top > top - 1 && box.bottom < bottom;
  return [...document.querySelectorAll('.cdr-box .cdl-finding, .cdr-box .cdl-say, .cdr-box svg text')]
    .filter((node) => seen(node.getBoundingClientRect())).map((node) => node.textContent).join(' ');
}"""


@pytest.fixture(scope="module")
def projector(browser, tmp_path_factory):
    """Una funzione: apre la scena di quel nome, già rivelata."""
    path = tmp_path_factory.mktemp("regia") / "regia.html"
    path.write_text(made_page(SCENES), encoding="utf-8")
    tab = browser.new_page(viewport={"width": 1366, "height": 768})
    faults = []
    tab.on("pageerror", lambda error: faults.append(str(error)))

    def show(key):
        tab.goto("about:blank")
        tab.goto(f"{path.as_uri()}#scena-{PLACES[key]}")
        tab.locator(".cdr-box svg").first.wait_for(state="attached")
        tab.keyboard.press("r")
        assert faults == []
        return tab

    yield show
    tab.close()


def shortened(text):
    """Un numero con tre cifre come lo si scrive con due, sulle linee del tavolo."""
    return f"{float(text.replace(',', '.')):.2f}".replace(".", ",")


@pytest.mark.parametrize("key", SAID)
def test_a_number_of_the_answer_is_in_view(projector, key):
    seen = set(DECIMAL.findall(projector(key).evaluate(IN_VIEW)))
    scene = SCENES[PLACES[key] - 1]
    said = DECIMAL.findall(scene.answer)
    if scene.after.get("lit"):
        said = [*said, *map(shortened, said)]
    assert seen & set(said), said


def test_a_scene_can_do_without_the_map_of_the_phases_or_the_coefficients(projector):
    assert projector("sette-fasi").locator("[data-phase]").count() == 8
    assert projector("residuo").locator("[data-phase]").count() == 0
    assert projector("residuo").locator("[data-station]").count() == 8
    assert projector("top-k").locator("[data-last-row]").count() == 0
    assert projector("top-k").locator("[data-bar]").count() == 10


@pytest.mark.parametrize("key", [scene.key for scene in SCENES if scene.top])
def test_the_answer_of_a_scene_of_heads_is_in_view(projector, key):
    assert {"-a", "-o", "-e", "-i"} <= set(projector(key).evaluate(IN_VIEW).split())

"""I comandi dei widget usati davvero in JupyterLab, col kernel vero: si legge ciò che calcola lo stato."""

from __future__ import annotations

import nbformat
import pytest

import course_lib.widgets as widgets
from course_lib.notation import number
from course_lib.widgets.state import live_training as live
from tests.browser.jupyter import NAMES, api, arrow_changes_the_sentence, notebook
from tests.browser.widget_page import finding, press, say

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

COMMANDS = "comandi.ipynb"
TITLES = {
    "Simulator": "Simulatore", "CellLens": "Lente sulla cella", "SoftmaxTemperature": "Softmax e temperatura",
    "RootOfD": "Perché √d", "MaskBoard": "Maschere", "HeadAtlas": "Teste", "PositionClock": "Posizione",
    "GenerationDesk": "Generazione", "LiveTraining": "Addestramento dal vivo",
    "BlockPath": "Percorso nel blocco",
}  # fmt: skip
OWN = "il gatto dorme accanto alla porta"
QUICK = {"LiveTraining": "steps_per_second=1000, "}
OVERFLOW = """node => { const frame = node.getBoundingClientRect();
  return [...node.querySelectorAll("button, select, input, h3, .cdl-say")].filter(one => one.offsetParent &&
    one.getBoundingClientRect().right > frame.right + 1)
    .map(one => one.dataset.control || one.textContent); }"""
WIDER = "node => (out => out.scrollWidth - out.clientWidth)(node.closest('.jp-OutputArea-output'))"


def asked(name, **request):
    """Lo stato che lo stesso widget, qui, dà alla stessa richiesta: con la sua funzione di stato."""
    widget = getattr(widgets, name)(predict=False)
    widget.request = {**request, "serial": 1}
    assert widget.answer["problem"] == ""
    return widget.state


def control(element, name):
    return element.locator(f"[data-control='{name}']")


def shows(element, selector, text):
    """Aspetta che `selector` dica proprio `text`."""
    element.locator(selector).get_by_text(text, exact=True).wait_for()


def simulator(element):
    control(element, "text-0").fill(OWN)
    control(element, "own").click()
    control(element, "phase-3").click()
    found = asked("Simulator", sentence=OWN, d=4, positions=True)
    shows(element, ".cdl-finding", found["findings"][3])
    press(element, "ArrowRight", "ArrowRight")
    side = found["sides"][0]
    where = f"{side['tokens'][0]} → {side['tokens'][1]}"
    weight, score = number(side["weights"][0][1], 3), number(side["scores"][0][1], 3)
    assert say(element).startswith(f"{where}: punteggio {score}; coefficiente {weight}")


def lens(element):
    state = widgets.CellLens().state
    element.locator("[data-cell='0,1']").first.click()
    assert say(element).startswith(state["sentences"][0][1])
    press(element, "ArrowDown")
    assert say(element).startswith(state["sentences"][1][1])


def temperature(element):
    first = widgets.SoftmaxTemperature().state
    control(element, "temperature").fill("0.7")
    request = {name: first[name] for name in ("logits", "names", "shift", "span")}
    found = asked("SoftmaxTemperature", **request, temperature=0.7)
    shows(element, ".cdl-finding", found["finding"])
    press(element, "Home", "ArrowRight")
    logits = [first["logits"][0] + 0.1, *first["logits"][1:]]
    found = asked("SoftmaxTemperature", **{**request, "logits": logits}, temperature=0.7)
    shows(element, ".cdl-finding", found["finding"])


def root_of_d(element):
    control(element, "resample").click()
    shows(element, ".cdl-finding", asked("RootOfD", d=64, seed=2)["finding"])
    press(element, "ArrowRight")
    shows(element, ".cdl-finding", asked("RootOfD", d=96, seed=2)["finding"])


def masks(element):
    press(element, "Home", " ")
    allowed = [list(row) for row in widgets.MaskBoard().state["allowed"]]
    allowed[-1][0] = not allowed[-1][0]
    found = asked("MaskBoard", allowed=allowed)
    shows(element, ".cdl-finding", f"{found['note']}. {found['finding']}.")
    assert say(element) == f"{found['sentences'][-1][0]}."
    control(element, "mask-0").click()
    shows(element, ".cdl-finding", "{note}. {finding}.".format(**widgets.MaskBoard().presets[0]["state"]))


def heads(element):
    control(element, "own").fill("le monete sopra i libri erano")
    control(element, "try").click()
    found = asked("HeadAtlas", sentence="le monete sopra i libri erano")
    control(element, "off").click()
    shows(element, ".cdl-finding", found["variants"]["0"]["effect"])
    press(element, "s")
    assert found["variants"]["0"]["effect"] not in finding(element)


def position(element):
    control(element, "d").first.fill("6")
    state = asked("PositionClock", d=6, base=10000.0, sentence="Il gatto mangia il topo")
    shows(element, ".cdl-finding", f"{state['findings']['waves']}.")
    arrow_changes_the_sentence(element)


def generation(element):
    control(element, "next").click()
    state = asked("GenerationDesk", do="step")
    shows(element, ".cdl-finding", state["moments"][1]["finding"])
    assert say(element) == state["moments"][1]["sentence"]
    press(element, "ArrowLeft")
    assert say(element) == state["moments"][0]["sentence"]


def training(element):
    run = live.Run(0)
    for _ in range(10):
        run.step()
    for k in range(10):
        control(element, "step").click() if k % 2 else press(element, "n")
        element.get_by_text(f"passo {k + 1} di 300, pronto · seme 0", exact=True).wait_for()
    assert finding(element) == run.moments[-1]["finding"]
    control(element, "run").click()
    element.get_by_role("button", name="Pausa").wait_for()
    press(element, " ")
    element.get_by_role("button", name="Avvia").wait_for()
    element.get_by_text("pronto · seme 0").wait_for()


def block_path(element):
    control(element, "own").fill(OWN)
    control(element, "send").click()
    fresh = widgets.BlockPath(OWN, predict=False)
    name = fresh.state["tokens"][-1]
    element.locator(".cdl-finding").get_by_text(f"coseno fra «{name}»").wait_for()
    way = fresh.state["ways"]["pre"]["with"]
    place = way["index"][0][fresh.state["out"]]
    cosine = int(way["places"][place][-1].split()[-1]) / fresh.state["unit"]
    assert f"con i residui {number(cosine, 3)}" in finding(element)
    press(element, "n")


USED = {
    "Simulator": simulator, "CellLens": lens, "SoftmaxTemperature": temperature, "RootOfD": root_of_d,
    "MaskBoard": masks, "HeadAtlas": heads, "PositionClock": position, "GenerationDesk": generation,
    "LiveTraining": training, "BlockPath": block_path,
}  # fmt: skip


@pytest.fixture(scope="module")
def commands(server):
    """Un notebook con ogni widget due volte, senza previsioni."""
    calls = [f"{name}({QUICK.get(name, '')}predict=False)" for name in NAMES for _ in range(2)]
    nbformat.write(notebook(calls), server.course / "notebooks" / COMMANDS)
    return COMMANDS


def test_every_control_reaches_the_kernel_and_its_twin_does_not_move(open_in, commands):
    jupyter = open_in(file=commands)
    jupyter.run_all(2 * len(NAMES))
    for name in NAMES:
        first, twin = (jupyter.page.locator(f".cdl[data-widget='{TITLES[name]}']").nth(k) for k in (0, 1))
        first.scroll_into_view_if_needed()
        before = twin.inner_html()
        USED[name](first)
        assert twin.inner_html() == before, name
        assert not first.locator(".cdl-problem").is_visible(), name
    assert jupyter.ours() == []


def test_at_twice_the_size_nothing_sticks_out(open_in, commands):
    jupyter = open_in(file=commands)
    jupyter.run_all(2 * len(NAMES))
    jupyter.page.set_viewport_size({"width": 700, "height": 500})
    for name in NAMES:
        element = jupyter.page.locator(f".cdl[data-widget='{TITLES[name]}']").first
        element.scroll_into_view_if_needed()
        assert element.evaluate(OVERFLOW) == [], name
        assert element.evaluate(WIDER) <= 1, name
        button = element.get_by_role("button", name="Aiuto")
        button.click()
        assert element.locator(".cdl-help").is_visible()
        button.click()
    assert jupyter.ours() == []


def test_after_a_restart_the_silence_is_said_and_nothing_is_lost(server, open_in, commands):
    jupyter = open_in(file=commands)
    jupyter.run_all(2 * len(NAMES))
    kernel = api(server, "kernels")[0]["id"]
    api(server, f"kernels/{kernel}/restart", "POST")
    jupyter.wait_for(2 * len(NAMES))
    element = jupyter.page.locator(f".cdl[data-widget='{TITLES['RootOfD']}']").first
    element.scroll_into_view_if_needed()
    element.locator(".cdl-stage svg").wait_for()
    shown = element.locator(".cdl-finding").text_content()
    control(element, "resample").click()
    element.locator(".cdl-problem").get_by_text("Il kernel non risponde").wait_for()
    assert element.locator(".cdl-finding").text_content() == shown
    assert jupyter.ours() == []


def test_two_notebooks_in_one_lab_are_apart(server, open_in, commands):
    """Le stesse viste in due schede: stessa pagina, due kernel."""
    names = ("Simulator", "MaskBoard", "GenerationDesk")
    calls = [f"{name}(predict=False)" for name in names]
    for file in ("uno.ipynb", "due.ipynb"):
        nbformat.write(notebook(calls), server.course / "notebooks" / file)
    jupyter = open_in(file="uno.ipynb")
    jupyter.run_all(len(names))
    jupyter.page.locator(".jp-DirListing-item").filter(has_text="due.ipynb").dblclick()
    panels = jupyter.page.locator(".jp-NotebookPanel")
    panels.nth(1).wait_for()
    jupyter.page.wait_for_timeout(3000)
    jupyter.wait_until_ready()
    jupyter.menu("Esegui", "Esegui Tutte le Celle")
    jupyter.wait_for(2 * len(names))
    jupyter.page.wait_for_timeout(1000)
    assert len(api(server, "kernels")) == 2
    for here, there in ((1, 0), (0, 1)):
        jupyter.page.get_by_role("tab", name=("uno", "due")[here] + ".ipynb").click()
        before = panels.nth(there).locator(".cdl").evaluate_all("nodes => nodes.map(node => node.innerHTML)")
        assert len(before) == len(names)
        for name in names:
            element = panels.nth(here).locator(f".cdl[data-widget='{TITLES[name]}']")
            element.scroll_into_view_if_needed()
            USED[name](element)
        after = panels.nth(there).locator(".cdl").evaluate_all("nodes => nodes.map(node => node.innerHTML)")
        assert after == before
    ids = jupyter.page.locator(".cdl [id]").evaluate_all("nodes => nodes.map(node => node.id)")
    assert len(ids) == len(set(ids)) > 2 * len(names)
    assert jupyter.ours() == []

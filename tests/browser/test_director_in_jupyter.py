"""`corso regia` davvero: JupyterLab aperto sulla Regia, con un kernel dietro; poi senza."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys

import pytest

from course_lib.widgets.scenes import SCENES
from tests.browser.conftest import LabServer
from tests.browser.test_lab_italian import note_outside

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

GRAVE = ("serious", "critical")
NOT_OURS = ("favicon", "Failed to load resource", "ResizeObserver", "WebSocket", "kernel")
OWN = next(k for k, scene in enumerate(SCENES) if scene.stage == "heads")


@pytest.fixture(scope="module")
def regia(lab_course):
    """Un `corso regia` solo per il modulo."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    lab = LabServer(lab_course, port, "regia")
    lab.course = lab_course
    yield lab
    assert lab.close() == 0


@pytest.fixture
def page(browser, regia):
    """JupyterLab appena aperto sull'indirizzo che il comando ha stampato."""
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    opened = context.new_page()
    opened.outside, opened.faults = [], []
    opened.on("request", lambda request: note_outside(opened.outside, request.url))
    opened.on("pageerror", lambda error: opened.faults.append(str(error)))
    opened.on("console", lambda m: opened.faults.append(m.text) if m.type == "error" else None)
    opened.goto(regia.url)
    opened.locator(".cdr-tab .cdr:visible").wait_for(timeout=120_000)
    opened.wait_for_function("document.activeElement.closest('.cdr-tab .cdr')", timeout=30_000)
    yield opened
    context.close()
    assert [fault for fault in opened.faults if not any(word in fault for word in NOT_OURS)] == []
    assert opened.outside == []


def part(page, name):
    return page.locator(f".cdr:visible .cdr-{name}").inner_text()


def to_scene(page, k):
    page.locator(".cdr:visible").focus()
    page.keyboard.press("i")
    page.locator(".cdr:visible .cdr-list button").nth(k).click()
    page.locator(".cdr:visible .cdr-scene .cdl").wait_for(state="attached")
    if SCENES[k].cover:
        page.locator(".cdr:visible").focus()
        page.keyboard.press("r")


def try_sentence(page, text):
    field = page.locator(".cdr:visible .cdr-scene input[type=text]").first
    field.fill(text)
    field.press("Enter")


def test_the_director_has_its_own_tab_and_the_keys_at_once(page):
    assert part(page, "title") == SCENES[0].title
    assert page.locator(".cdr-tab:visible").count() == 1     # in vista c'è una scheda sola
    assert page.locator(".jp-Notebook:visible").count() == 0
    page.keyboard.press("PageDown")
    page.keyboard.press("PageDown")
    assert part(page, "title") in [scene.title for scene in SCENES[:3]]
    assert part(page, "place").split()[1] in ("2", "3")
    assert page.locator(".cdr-foot button:visible").first.bounding_box()["y"] < 768


def test_a_sentence_of_the_class_goes_to_the_kernel_and_back(page):
    to_scene(page, OWN)
    try_sentence(page, "il chiodo accanto alle lettere era")
    page.locator(".cdr:visible .cdr-scene .cdl-stage", has_text="lettere").wait_for(timeout=30_000)
    try_sentence(page, "un asino che vola")
    problem = page.locator(".cdr:visible .cdr-scene .cdl-problem:not([hidden])")
    problem.wait_for(timeout=30_000)
    assert "Traceback" not in problem.inner_text()
    assert "lettere" in page.locator(".cdr:visible .cdr-scene .cdl-stage").inner_text()


def test_frozen_by_a_key_and_taken_up_again_by_a_key(page):
    page.keyboard.press("PageDown")
    page.keyboard.press("g")
    assert part(page, "told").startswith("Fermo")
    page.keyboard.press("g")
    assert part(page, "told").startswith("Ripreso")
    page.keyboard.press("PageDown")
    assert part(page, "place").startswith("scena 2 ")


def test_the_page_loaded_again_is_the_director_alone_at_the_same_scene(page):
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    for _ in range(3):
        page.keyboard.press("PageDown")
    here = part(page, "place")
    assert not here.startswith("scena 1 ")
    page.reload()
    page.locator(".cdr-tab .cdr:visible").wait_for(timeout=120_000)
    page.wait_for_function("document.activeElement.closest('.cdr-tab .cdr')", timeout=30_000)
    assert part(page, "place") == here
    assert asked == []                                       # «vuoi uscire senza salvare?»
    assert page.locator(".jp-Notebook:visible").count() == 0
    to_scene(page, OWN)
    try_sentence(page, "il chiodo accanto alle lettere era")
    page.locator(".cdr:visible .cdr-scene .cdl-stage", has_text="lettere").wait_for(timeout=30_000)


def test_while_the_kernel_is_busy_the_scene_says_so_and_stays(page):
    to_scene(page, OWN)
    page.evaluate("""() => { // un kernel occupato: le richieste partono e nessuno risponde
        WebSocket.prototype.send = () => {}; }""")
    before = page.locator(".cdr:visible .cdr-scene .cdl-stage").inner_text()
    try_sentence(page, "il chiodo accanto alle lettere era")
    problem = page.locator(".cdr:visible .cdr-scene .cdl-problem:not([hidden])")
    problem.wait_for(timeout=30_000)
    assert "kernel" in problem.inner_text()
    assert problem.inner_text().endswith("per il resto ricarica la pagina.")
    assert page.locator(".cdr:visible .cdr-scene .cdl-stage").inner_text() == before


def grave(page):
    """Le violazioni serie che axe-core trova nella Regia, com'è adesso."""
    found = page.evaluate(
        "axe.run(document.querySelector('.cdr-tab .cdr'), { resultTypes: ['violations'] })"
    )
    assert len(found["passes"]) > 5
    return [(v["id"], v["nodes"][0]["html"][:160]) for v in found["violations"] if v["impact"] in GRAVE]


def test_with_the_kernel_killed_every_scene_is_still_there(page, regia, require):
    page.keyboard.press("PageDown")
    children = subprocess.run(["pgrep", "-P", str(regia.process.pid)], capture_output=True, text=True)
    for child in children.stdout.split():
        subprocess.run(["kill", "-9", child], check=True)
    page.add_script_tag(path=require("axe"))
    seen, faults = [], []
    while part(page, "told") != "Era l'ultima scena.":
        seen.append(part(page, "title"))
        faults += grave(page)
        page.keyboard.press("PageDown")
        page.locator(".cdr:visible .cdr-scene .cdl").wait_for(state="attached")
    assert list(dict.fromkeys(seen)) == [scene.title for scene in SCENES]
    assert faults == []
    to_scene(page, OWN)
    before = page.locator(".cdr:visible .cdr-scene .cdl-stage").inner_text()
    try_sentence(page, "il chiodo accanto alle lettere era")
    problem = page.locator(".cdr:visible .cdr-scene .cdl-problem:not([hidden])")
    problem.wait_for(timeout=30_000)
    assert "kernel" in problem.inner_text()
    assert page.locator(".cdr:visible .cdr-scene .cdl-stage").inner_text() == before
    assert "Traceback" not in page.locator("body").inner_text()


def test_a_port_taken_at_the_last_moment_is_not_the_end(regia):
    script = "import sys; from course_lib import cli; from course_lib.cli import open_lab\n"
    script += "open_lab.is_free = lambda port: True; sys.exit(cli.main(sys.argv[1:]))"
    taken = re.search(r":(\d+)/", regia.url)[1]
    words = [sys.executable, "-c", script, "regia", "--no-browser", "--porta", taken]
    second = subprocess.Popen(words, cwd=regia.course, stdout=subprocess.PIPE, encoding="utf-8")
    said = second.stdout.readline()
    second.terminate()
    second.communicate(timeout=60)
    found = re.search(r"http://localhost:(\d+)/lab\?token=", said)
    assert found, said
    assert found[1] != taken


def test_its_files_stay_in_the_course_folder(regia):
    folder = regia.course / ".corso" / "regia"
    notebook = json.loads((folder / "notebook" / "Regia.ipynb").read_text(encoding="utf-8"))
    assert [cell["cell_type"] for cell in notebook["cells"]] == ["code"]
    assert not (regia.course / "notebooks" / "Regia.ipynb").exists()

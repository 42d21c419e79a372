"""`corso apri`, guardato nel browser: menu in italiano, notebook aperto, nessuna richiesta in rete."""

from __future__ import annotations

import json
import socket

import pytest

from tests.browser.conftest import LabServer

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

MENUS = ["File", "Modifica", "Visualizza", "Esegui", "Kernel"]
IN_THE_FILE_MENU = ["Nuovo", "Apri recenti", "Rinomina Notebook…", "Stampa…"]


def taken_port() -> socket.socket:
    """Una porta occupata."""
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    taken.listen()
    return taken


@pytest.fixture(scope="module")
def lab(lab_course):
    with taken_port() as taken:
        server = LabServer(lab_course, taken.getsockname()[1])
        server.asked_port = taken.getsockname()[1]
        yield server
        server.close()


@pytest.fixture(scope="module")
def page(lab, browser):
    page = browser.new_page(viewport={"width": 1280, "height": 800}, locale="en-US")
    page.outside = []
    page.on("request", lambda request: note_outside(page.outside, request.url))
    page.goto(lab.url)
    page.wait_for_selector(".jp-Notebook .jp-MarkdownCell h1", timeout=90_000)
    page.wait_for_selector(".lm-MenuBar-itemLabel:has-text('Modifica')", timeout=90_000)
    yield page
    page.close()


def note_outside(outside, url):
    """Prende nota delle richieste che non vanno a questa macchina."""
    if url.startswith(("http", "ws")) and "//localhost:" not in url:
        outside.append(url)


def test_taken_port_gives_the_next_one(lab):
    assert f"localhost:{lab.asked_port}/" not in lab.url
    assert int(lab.url.split(":")[2].split("/")[0]) > lab.asked_port


def test_menus_are_italian(page):
    labels = page.locator(".lm-MenuBar-itemLabel").all_inner_texts()
    assert labels[:5] == MENUS
    assert labels[-2:] == ["Impostazioni", "Aiuto"]
    page.locator(".lm-MenuBar-item").first.click()
    page.wait_for_selector(".lm-Menu-itemLabel:has-text('Nuovo')")
    items = page.locator(".lm-Menu-itemLabel").all_inner_texts()
    page.keyboard.press("Escape")
    assert [text for text in IN_THE_FILE_MENU if text not in items] == []


def test_no_pop_up_and_no_request_outside(page):
    page.wait_for_timeout(2000)
    assert page.locator(".jp-Dialog").count() == 0
    assert page.locator(".jp-toast, .Toastify__toast").count() == 0
    assert page.outside == []


def test_first_notebook_is_open_and_rendered(page, lab_course):
    first = sorted((lab_course / "notebooks").glob("*.ipynb"))[0]
    cells = json.loads(first.read_text(encoding="utf-8"))["cells"]
    title = next(line for line in "".join(cells[0]["source"]).splitlines() if line.startswith("# "))
    assert page.locator(".lm-TabBar-tab.jp-mod-current").first.inner_text().strip() == first.name
    assert page.locator(".jp-Notebook h1").first.inner_text().rstrip("¶").strip() == title.removeprefix("# ")


def test_widget_state_is_saved_by_default(page):
    address = "/lab/api/settings/@jupyter-widgets/jupyterlab-manager:plugin"
    settings = page.evaluate("url => fetch(url).then(answer => answer.json())", address)
    assert settings["schema"]["properties"]["saveState"]["default"] is True


def test_control_c_closes_it_and_no_english_was_printed(lab, page):
    page.goto("about:blank")
    assert lab.close() == 0
    printed = "".join(lab.printed)
    assert printed.splitlines()[-1] == "JupyterLab è chiuso."
    assert printed.splitlines()[2:4] == ["", "Chiudo: può volerci mezzo minuto…"]
    assert len(printed.splitlines()) == 5

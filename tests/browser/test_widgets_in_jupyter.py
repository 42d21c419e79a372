"""I widget dove si usano: JupyterLab e Notebook veri, con il kernel, senza rete, e riaprendo il notebook."""

from __future__ import annotations

import contextlib
import copy
import itertools
import json
import os
import socket
import subprocess
import sys
import urllib.request

import nbformat
import pytest

import course_lib.widgets as widgets
from course_lib.widgets import CATALOGUE
from course_lib.widgets.assets import HERE
from tests.browser.conftest import LabServer
from tests.browser.test_lab_italian import note_outside

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

NAMES = [name for name, module in CATALOGUE.items() if (HERE / f"{module}.py").is_file()]
FILE = "prova-widget.ipynb"
PICTURE = ".jp-RenderedImage img"  # JupyterLab 4.6 non legge l'alt dei metadati; nbconvert sì
WORKSPACES = itertools.count()
VIEW = "application/vnd.jupyter.widget-view+json"
# Ciò che JupyterLab scrive da sé nella console, con o senza widget.
NOT_OURS = ("favicon", "Failed to load resource", "ResizeObserver")


def notebook(names):
    """Un notebook con un widget per cella, mai eseguito."""
    cells = [
        nbformat.v4.new_code_cell(f"from course_lib.widgets import {n}\n{n}()", id=f"cella-{i}")
        for i, n in enumerate(names)
    ]
    spec = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return nbformat.v4.new_notebook(cells=cells, metadata=spec)


@pytest.fixture(scope="module")
def server(lab_course):
    nbformat.write(notebook(NAMES), lab_course / "notebooks" / FILE)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    lab = LabServer(lab_course, port)
    lab.course = lab_course
    yield lab
    assert lab.close() == 0  # con un notebook aperto e un kernel acceso


class Jupyter:
    """Una pagina di JupyterLab («lab») o di Notebook («notebooks») aperta su un file."""

    def __init__(self, browser, server, place, file=FILE):
        self.page = browser.new_page(viewport={"width": 1400, "height": 1000})
        self.outside, self.errors = [], []
        self.page.on("request", lambda request: note_outside(self.outside, request.url))
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        if place == "lab/tree":  # altrimenti riaprirebbe anche i notebook di prima
            place = f"lab/workspaces/prova-{next(WORKSPACES)}/tree"
        root = server.url.split("/lab")[0]
        token = server.url.partition("?")[2]
        self.page.goto(f"{root}/{place}/notebooks/{file}?{token}")
        self.page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=90_000)

    def run_all(self, count):
        """Esegue tutte le celle dal menu, e aspetta che i widget si vedano."""
        self.wait_until_ready()
        self.errors.clear()  # quelli con cui Jupyter si è aperto non sono dei widget
        self.menu("Esegui", "Esegui Tutte le Celle")
        self.wait_for(count)

    def wait_until_ready(self):
        """Aspetta il kernel: mentre si collega dice «idle» anche prima del tempo, e non esegue nulla."""
        still = 0
        while still < 6:
            self.page.wait_for_timeout(500)
            ready = self.page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']").count()
            still = still + 1 if ready else 0

    def menu(self, *items):
        """Sceglie una voce dei menu, un livello alla volta."""
        self.page.locator(f".lm-MenuBar-item:has-text('{items[0]}')").first.click()
        for item in items[1:]:
            self.page.locator(f".lm-Menu-item:has(.lm-Menu-itemLabel:text-is('{item}'))").first.click()

    def theme(self):
        """I temi con cui sono disegnati i widget della pagina."""
        return set(self.page.locator(".cdl").evaluate_all("nodes => nodes.map(node => node.dataset.theme)"))

    def wait_for(self, count):
        """Aspetta `count` widget disegnati."""
        drawn = "count => document.querySelectorAll('.cdl-stage svg').length >= count"
        self.page.wait_for_function(drawn, arg=count, timeout=90_000)

    def ours(self):
        """Gli errori della console che non sono di Jupyter."""
        return [text for text in self.errors if not any(word in text for word in NOT_OURS)]


@pytest.fixture
def open_in(browser, server):
    """Apre un file in «lab/tree» o in «notebooks»; alla fine chiude le pagine e spegne i kernel."""
    opened = []

    def make(place="lab/tree", file=FILE):
        opened.append(Jupyter(browser, server, place, file))
        return opened[-1]

    yield make
    for jupyter in opened:
        jupyter.page.close()
    assert [jupyter.outside for jupyter in opened if jupyter.outside] == []
    shut_down(server)


def api(server, path, method="GET"):
    """Una richiesta all'API del server."""
    root, _, token = server.url.partition("?")
    address = f"{root.split('/lab')[0]}/api/{path}"
    request = urllib.request.Request(
        address, method=method, headers={"Authorization": f"token {token.removeprefix('token=')}"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read() or b"null")


def shut_down(server):
    for session in api(server, "sessions"):
        api(server, f"sessions/{session['id']}", "DELETE")


def saved(server, jupyter, file=FILE):
    """Salva con Ctrl+S e restituisce il notebook scritto, con lo stato dei widget."""
    jupyter.page.locator(".jp-Notebook .jp-InputArea-editor").first.click()
    jupyter.page.keyboard.press("Control+s")
    path = server.course / "notebooks" / file
    for _ in range(100):
        with contextlib.suppress(nbformat.reader.NotJSONError):  # lo sta scrivendo
            found = nbformat.read(path, as_version=4)
            if "widgets" in found.metadata:
                return found
        jupyter.page.wait_for_timeout(100)
    raise AssertionError("lo stato dei widget non è stato salvato")


def write(server, found, file, *, trusted):
    """Scrive un notebook, firmato oppure no."""
    path = server.course / "notebooks" / file
    found = copy.deepcopy(found)
    found.cells.append(nbformat.v4.new_markdown_cell(file, id="in-fondo"))  # un'altra firma
    nbformat.write(found, path)
    if trusted:
        env = {**os.environ, "JUPYTER_CONFIG_DIR": str(server.course / ".corso/lab")}
        subprocess.run([sys.executable, "-m", "jupyter", "trust", str(path)], check=True, env=env, timeout=60)
    return file


@pytest.mark.parametrize("place", ["lab/tree", "notebooks"])
def test_every_widget_is_drawn_and_its_keys_stay_its_own(open_in, place):
    jupyter = open_in(place)
    jupyter.run_all(len(NAMES))
    page = jupyter.page
    cells = page.locator(".jp-Notebook .jp-CodeCell").count()
    for widget in page.locator(".cdl").all():
        widget.scroll_into_view_if_needed()
        widget.locator(".cdl-stage").focus()
        for key in ("a", "b", "n", "ArrowRight", "End", "Escape"):
            page.keyboard.press(key)
        assert widget.locator(".cdl-stage").evaluate("node => node === document.activeElement")
        assert widget.locator(".cdl-say").inner_text()
    assert page.locator(".jp-Notebook .jp-CodeCell").count() == cells
    assert jupyter.ours() == []


def test_themes_restart_and_reopening(server, open_in):
    jupyter = open_in()
    jupyter.run_all(len(NAMES))
    assert jupyter.theme() == {"light"}
    jupyter.menu("Impostazioni", "Tema", "JupyterLab Scuro")
    jupyter.page.wait_for_function("() => document.body.dataset.jpThemeLight === 'false'")
    jupyter.page.wait_for_timeout(200)
    assert jupyter.theme() == {"dark"}
    jupyter.menu("Impostazioni", "Tema", "JupyterLab Chiaro")
    found = saved(server, jupyter)
    for cell in found.cells:
        assert VIEW in cell.outputs[-1].data
        assert cell.outputs[-1].metadata["image/png"]["alt"]

    kernel = api(server, "kernels")[0]["id"]
    api(server, f"kernels/{kernel}/restart", "POST")
    jupyter.wait_for(len(NAMES))
    first = jupyter.page.locator(".cdl").first
    first.locator(".cdl-stage").focus()
    before = first.locator(".cdl-say").inner_text()
    jupyter.page.keyboard.press("ArrowRight")
    assert first.locator(".cdl-say").inner_text() != before
    jupyter.page.close()
    shut_down(server)

    untrusted = open_in(file=write(server, found, "non-fidato.ipynb", trusted=False)).page
    shown = "([picture, count]) => document.querySelectorAll(picture).length === count"
    untrusted.wait_for_function(shown, arg=[PICTURE, len(NAMES)], timeout=60_000)
    assert untrusted.locator(".cdl").count() == 0

    trusted = open_in(file=write(server, found, "fidato.ipynb", trusted=True))
    trusted.wait_for(len(NAMES))
    first = trusted.page.locator(".cdl").first
    first.locator(".cdl-stage").focus()
    before = first.locator(".cdl-say").inner_text()
    trusted.page.keyboard.press("ArrowRight")
    assert first.locator(".cdl-say").inner_text() != before
    assert trusted.ours() == []


def test_committed_notebooks_show_the_picture_before_they_are_run(server, open_in):
    """Un notebook del corso non porta viste: chi lo apre vede la figura, fidato o no."""
    found = notebook(NAMES[:1])
    data, metadata = getattr(widgets, NAMES[0])()._repr_mimebundle_()
    del data[VIEW]
    found.cells[0].outputs = [nbformat.v4.new_output("display_data", data=data, metadata=metadata)]
    for trusted in (True, False):
        page = open_in(file=write(server, found, f"figura-{trusted}.ipynb", trusted=trusted)).page
        page.wait_for_selector(PICTURE)
        assert "model not found" not in page.locator(".jp-Notebook").inner_text()

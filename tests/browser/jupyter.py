"""JupyterLab e Notebook veri, con un notebook di prova aperto: come si avviano, si guardano, si premono."""

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

from course_lib.widgets import CATALOGUE
from course_lib.widgets.assets import HERE
from tests.browser.conftest import LabServer
from tests.browser.test_lab_italian import note_outside
from tests.browser.widget_page import press, say

NAMES = [name for name, module in CATALOGUE.items() if (HERE / f"{module}.py").is_file()]
FILE = "prova-widget.ipynb"
PICTURE = ".jp-RenderedImage img"  # JupyterLab 4.6 non legge l'alt dei metadati; nbconvert sì
WORKSPACES = itertools.count()
VIEW = "application/vnd.jupyter.widget-view+json"
# Ciò che JupyterLab scrive da sé nella console, con o senza widget.
NOT_OURS = ("favicon", "Failed to load resource", "ResizeObserver")


def notebook(calls):
    """Un notebook con un widget per cella, mai eseguito. calls: «Nome» o «Nome(argomenti)»"""
    cells = [
        nbformat.v4.new_code_cell(
            f"from course_lib.widgets import {call.partition('(')[0]}\n{call}" + "()" * ("(" not in call),
            id=f"cella-{i}",
        )
        for i, call in enumerate(calls)
    ]
    spec = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return nbformat.v4.new_notebook(cells=cells, metadata=spec)


def lab_with_widgets(lab_course):
    """Un Lab solo per il modulo, con un notebook che ha tutti i widget."""
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


def opener(browser, server):
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


def arrow_changes_the_sentence(element):
    """Preme una freccia nella figura, e il widget dice altro."""
    element.locator(".cdl-stage").focus()
    before = say(element)
    press(element, "ArrowRight")
    assert say(element) != before

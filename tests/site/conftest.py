"""Il sito, fatto una volta sola, e ogni sua pagina visitata una volta sola con Chromium."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT, require
from tests.site.visits import CONTRAST, Visit, visit

REFERENCE = ("riferimento/index.html", "riferimento/transformer.html")
EXERCISES = ("exercises/es02/es02.html", "exercises/es08/es08.html")


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Path:
    """La cartella del sito, fatta con il comando vero: ogni avviso di Sphinx è un errore."""
    require("sphinx")
    from course_lib.cli import main

    target = tmp_path_factory.mktemp("sito è qui") / "sito"
    assert main(["sito", "--in", str(target)]) == 0
    assert target.parent != ROOT
    return target


@pytest.fixture(scope="session")
def address(site) -> Iterator[str]:
    """L'indirizzo del sito su un server di questa macchina."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def pages(site) -> list[str]:
    """I nomi delle pagine, in ordine."""
    return sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))


@pytest.fixture(scope="session")
def visits(browser, address, pages) -> dict[str, Visit]:
    """Che cosa si è visto in ogni pagina: nome -> Visit."""
    axe = Path(require("axe")).read_text(encoding="utf-8")
    return {name: visit(browser, address, name, axe, themes_for(name)) for name in pages}


def themes_for(name: str) -> dict[str, dict]:
    """In quali temi axe guarda una pagina. Le più lunghe sono tutte fatte allo stesso modo: ne basta una.

    Nel tema scuro cambiano soltanto i colori: si guarda il contrasto.
    """
    if name == "genindex.html" or (name.startswith("riferimento/") and name not in REFERENCE):
        return {}
    if name.startswith("exercises/") and name not in EXERCISES:
        return {"light": {}}
    return {"light": {}, "dark": CONTRAST}


@pytest.fixture
def page(browser, address) -> Iterator:
    """Apre una pagina del sito; alla fine la chiude."""
    opened = []

    def make(name, **options):
        opened.append(browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options}))
        one = opened[-1].new_page()
        one.goto(name if "://" in name else address + name)
        return one

    yield make
    for context in opened:
        context.close()

"""Chromium di Debian guidato da playwright, e JupyterLab avviato come fa `corso apri`."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import CHROMIUM_FLAGS as CHROMIUM_FLAGS


class LabServer:
    """`corso apri` (o `corso regia`) in una copia del corso: l'indirizzo che stampa, e come si chiude."""

    def __init__(self, course: Path, port: int, command: str = "apri"):
        words = [command, "--no-browser", "--porta", str(port)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "course_lib.cli", *words],
            cwd=course,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        self.printed: list[str] = []
        for line in self.process.stdout:
            self.printed.append(line)
            if line.startswith("Per chiuderlo"):
                break
        found = re.search(r"http://\S+", "".join(self.printed))
        assert found, f"`corso {command}` si è fermato ({self.process.wait()}): {''.join(self.printed)}"
        self.url = found.group()

    def close(self) -> int:
        """Preme Ctrl+C e restituisce lo stato d'uscita; `printed` riceve il resto di ciò che ha stampato."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.printed += self.process.communicate(timeout=60)[0].splitlines(keepends=True)
        return self.process.returncode


@pytest.fixture(scope="module")
def lab_course(course_copy) -> Path:
    """Una copia del corso in cui JupyterLab può scrivere, con le impostazioni di chi non l'ha mai aperto."""
    shutil.rmtree(course_copy / ".corso", ignore_errors=True)
    return course_copy


@pytest.fixture(scope="module")
def server(lab_course) -> Iterator:
    """Un Lab solo per il modulo, con un notebook che ha tutti i widget."""
    from tests.browser.jupyter import lab_with_widgets

    yield from lab_with_widgets(lab_course)


@pytest.fixture
def open_in(browser, server) -> Iterator:
    """Apre un notebook in JupyterLab o in Notebook; alla fine lo chiude, e nulla è uscito dalla macchina."""
    from tests.browser.jupyter import opener

    yield from opener(browser, server)


def close_clean(pages: list) -> None:
    """Chiude le pagine aperte: nessuna ha avuto errori, nessuna ha chiesto qualcosa fuori."""
    for page in pages:
        page.close()
    assert [page.errors for page in pages if page.errors] == []
    assert [page.outside for page in pages if page.outside] == []


@pytest.fixture
def plain(browser) -> Iterator:
    """Apre pagine con un widget dentro; alla fine nessun errore nella console, nessuna richiesta fuori."""
    from tests.browser.plain_page import PlainPage

    opened = []

    def make(**options):
        opened.append(PlainPage(browser, **options))
        return opened[-1]

    yield make
    close_clean(opened)


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    """Il file della Regia, in una cartella con uno spazio e un accento."""
    from course_lib.widgets.scenes import SCENES
    from course_lib.widgets.scenes.page import page

    path = tmp_path_factory.mktemp("chiavetta è qui") / "regia.html"
    path.write_text(page(SCENES), encoding="utf-8")
    return path


@pytest.fixture
def opened(browser, file) -> Iterator:
    """Apre il file della Regia alla scena k (da 0); alla fine nessun errore, e nulla chiesto alla rete."""
    from tests.browser.director_page import DirectorPage

    pages = []

    def make(k=None, **options):
        hash_ = "" if k is None else f"#scena-{k + 1}"
        pages.append(DirectorPage(browser, file, hash_=hash_, **options))
        return pages[-1]

    yield make
    close_clean(pages)

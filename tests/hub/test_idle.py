"""Il server di chi non lo usa si chiude da solo; il lavoro resta sul disco."""

from __future__ import annotations

import time

import pytest

from tests.conftest import ROOT
from tests.hub.conftest import PORT, require_hub
from tests.hub.people import Person

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("hub")]  # la classe è una: un solo processo


def test_an_idle_server_ends_and_the_work_stays(browser, diary):
    proxy = require_hub()
    from course_lib.hub.trial import running_trial

    with running_trial(ROOT, proxy, PORT + 5, checked=False, inattivo_secondi=6) as trial:
        anna = Person(browser, trial, trial.pupils[0])
        anna.ask()
        anna.arrive()
        anna.run("open('notebooks/appunti.txt', 'w').write('li ritrovo')")
        anna.page.goto("about:blank")
        note = anna.course / "notebooks" / "appunti.txt"
        ended = wait_for_end(trial, anna.name)
        diary(f"anna non tocca nulla: il suo server si chiude dopo {ended:.0f} s, e il file resta")
        assert note.read_text(encoding="utf-8") == "li ritrovo"
        anna.start()
        assert anna.status(anna.base + "api/contents/notebooks/appunti.txt") == 200
        assert note.read_text(encoding="utf-8") == "li ritrovo"
        anna.context.close()


def wait_for_end(trial, user: str, most: float = 60) -> float:
    """Aspetta che di quell'utente non ci siano più processi; restituisce dopo quanti secondi."""
    import psutil

    start = time.monotonic()
    while time.monotonic() - start < most:
        if not any(process.info["username"] == user for process in psutil.process_iter(["username"])):
            return time.monotonic() - start
        time.sleep(0.5)
    raise AssertionError(f"dopo {most} s {user} ha ancora processi")

"""Una classe su JupyterHub con tre utenti veri, accesa una volta per tutte le prove di questa cartella.

CORSO_HUB_DIARIO=FILE conserva il diario del percorso, CORSO_HUB_FIGURE=CARTELLA le immagini delle pagine.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator

import pytest

from course_lib.cli.hub import find_proxy
from tests.conftest import ROOT, require, unavailable
from tests.hub import lesson as path
from tests.hub.people import Person

LOG, PICTURES = os.environ.get("CORSO_HUB_DIARIO"), os.environ.get("CORSO_HUB_FIGURE")
PORT = 18_000 + os.getpid() % 2_000 * 10  # due prove insieme su una macchina non si scambiano la classe
LIMITS = {"memoria_mb": 700, "processi": 150, "core": 1.0}


def require_hub() -> str:
    """Il programma del proxy; se manca qualcosa per accendere una classe, la prova è `unavailable`."""
    if os.geteuid() != 0:
        unavailable("la classe su JupyterHub crea utenti veri: serve l'amministratore")
    require("jupyterhub")
    require("bwrap")
    require("chromium")
    return require("proxy")


@pytest.fixture(scope="session")
def diary():
    """diary(frase): una riga del diario del percorso, con i secondi passati."""
    start = time.monotonic()

    def write(sentence: str) -> None:
        line = f"{time.monotonic() - start:6.1f} s  {sentence}"
        print(line)
        if LOG:
            with open(LOG, "a", encoding="utf-8") as file:
                file.write(line + "\n")

    return write


@pytest.fixture(scope="session")
def trial(diary) -> Iterator:
    """La classe accesa, con limiti stretti."""
    proxy = require_hub()
    from course_lib.hub.trial import running_trial

    with running_trial(ROOT, proxy or find_proxy(ROOT), PORT, checked=False, **LIMITS) as running:
        diary(f"acceso {running.settings.indirizzo}: {', '.join(running.passwords)}")
        try:
            yield running
        finally:
            if LOG:
                shutil.copy(running.log, LOG + ".hub")
    diary("spento; utenti, gruppo e cartella tolti")


@pytest.fixture(scope="session")
def people(trial, browser, diary) -> dict[str, Person]:
    """Le tre persone, già entrate: «docente», «anna», «bruno»."""
    found = {user.partition("-")[0]: Person(browser, trial, user) for user in trial.passwords}
    for person in found.values():  # i server si accendono insieme
        person.ask()
    for name, person in found.items():
        user = person.name
        person.arrive()
        diary(f"{user} è entrata in JupyterLab: {found[name].page.url.partition('/user')[2]}")
        found[name].picture(f"ingresso-{name}")
    return found


@pytest.fixture(scope="session")
def lesson(people, diary):
    """Il percorso di es02, fatto una volta."""
    return path.hold(people, diary)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Se una prova fallisce e si conservano le immagini, anche quelle di com'erano le pagine."""
    outcome = yield
    found = item.funcargs.get("people") if outcome.get_result().failed else None
    for name, person in (found or {}).items():
        person.picture(f"fallita-{name}")

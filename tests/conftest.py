"""Ciò che serve a tutte le prove: chi chiede un programma esterno, e una copia di lavoro del corso."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("corso", derandomize=True, deadline=None)      # gli stessi casi ogni volta
settings.load_profile("corso")

ROOT = Path(__file__).resolve().parents[1]
IN_CI = os.environ.get("CI") == "true"
CHROMIUM_FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
AGAIN_AS_USER = "CORSO_PROVE_RIPETUTE_DA_UTENTE"


def _chromium() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


def _bubblewrap() -> str | None:
    path = shutil.which("bwrap")
    if path is None:
        return None
    try:
        trial = subprocess.run([path, "--ro-bind", "/", "/", "true"], capture_output=True, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return path if trial.returncode == 0 else None


def _italian_hunspell() -> str | None:
    path = shutil.which("hunspell")
    if path is None:
        return None
    listing = subprocess.run(
        [path, "-D"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30
    )
    return path if "it_IT" in listing.stdout + listing.stderr else None


def _postgresql() -> str | None:
    """La cartella dei programmi di PostgreSQL, la versione più recente."""
    found = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = sorted(found, key=lambda path: int(path.parts[4]))
    return str(newest[-1].parent) if newest else None


def _axe() -> str | None:
    path = ROOT / ".corso/npm/node_modules/axe-core/axe.min.js"
    return str(path) if path.is_file() else None


def _proxy() -> str | None:
    path = ROOT / ".corso/npm/node_modules/.bin/configurable-http-proxy"
    return str(path) if path.is_file() else shutil.which("configurable-http-proxy")


def _module(name: str) -> str | None:
    return name if importlib.util.find_spec(name) else None


# che cosa si può chiedere -> (come si trova, che cosa dire se manca)
AVAILABLE = {
    "chromium": (_chromium, "manca Chromium: apt install chromium"),
    "bwrap": (_bubblewrap, "manca bubblewrap, o non può isolare: apt install bubblewrap"),
    "hunspell": (_italian_hunspell, "manca hunspell con l'italiano: apt install hunspell hunspell-it"),
    "postgresql": (_postgresql, "manca PostgreSQL: apt install postgresql-15"),
    "torch": (lambda: _module("torch"), "manca PyTorch: pip install torch==2.13.0"),
    "sphinx": (lambda: _module("myst_nb"), "manca Sphinx: pip install -r requirements-sito.lock"),
    "axe": (_axe, "manca axe-core: npm install --no-save --no-package-lock --prefix .corso/npm axe-core"),
    "jupyterhub": (lambda: _module("jupyterhub"), "manca JupyterHub: pip install -r requirements-hub.lock"),
    "proxy": (_proxy, "manca configurable-http-proxy: vedi deploy/jupyterhub/README.md"),
    "git": (lambda: shutil.which("git"), "manca git: apt install git"),
}


def require(what: str) -> str:
    """Percorso (o nome) di ciò che una prova usa; se manca salta la prova, e in CI la fa fallire.

    what: una chiave di AVAILABLE.
    """
    find, reason = AVAILABLE[what]
    found = find()
    if found is None:
        unavailable(reason)
    return found


def unavailable(reason: str) -> None:
    """Salta la prova col motivo; con CI=true la fa fallire, perché lì nulla deve mancare."""
    if IN_CI:
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def administrator_only(reason: str) -> None:
    """Per ciò che può soltanto l'amministratore: altrimenti `unavailable`.

    Si salta, anche in CI, soltanto quando le prove sono la ripetizione da utente qualunque di altre già fatte
    da amministratore (vedi tests/grading/ordinary_user.py).
    """
    if os.environ.get(AGAIN_AS_USER):
        pytest.skip(reason)
    unavailable(reason)


@pytest.fixture(name="require", scope="session")
def _require():
    """La funzione `require`, per chi non vuole importarla."""
    return require


@pytest.fixture(scope="session")
def browser() -> Iterator:
    """Un Chromium senza finestra."""
    path = require("chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def course_copy(tmp_path_factory) -> Path:
    """Una copia dei file del corso senza ambiente, registro e cartelle di lavoro: ci si può scrivere."""
    target = tmp_path_factory.mktemp("copia") / "corso"
    unwanted = (
        ".git",
        ".venv*",
        "registro",
        ".costruzione",
        ".corso",
        "__pycache__",
        ".*_cache",
        "*.egg-info",
    )
    shutil.copytree(ROOT, target, ignore=shutil.ignore_patterns(*unwanted))
    return target

"""L'elenco degli esercizi di nbgrader in italiano: la sua estensione di JupyterLab, con le frasi sostituite.

L'estensione non si lascia tradurre (non usa i cataloghi di JupyterLab). Se ne mette una copia nelle
impostazioni di chi entra, e JupyterLab la preferisce a quella installata. Le frasi stanno in
`nbgrader_it.json`: pezzo di programma -> lo stesso pezzo in italiano. Due righe fanno andare a capo i
messaggi lunghi delle prove, che nella finestra del controllo uscirebbero dal loro riquadro.
"""

from __future__ import annotations

import functools
import json
import shutil
import sys
from pathlib import Path

CATALOGUE = Path(__file__).with_name("nbgrader_it.json")
EXTENSION = Path("@jupyter", "nbgrader")


@functools.cache
def catalogue() -> dict[str, str]:
    """Le sostituzioni."""
    return json.loads(CATALOGUE.read_text(encoding="utf-8"))


def installed() -> Path:
    """L'estensione com'è installata."""
    return Path(sys.prefix, "share", "jupyter", "labextensions") / EXTENSION


def write_italian(folder: Path) -> Path:
    """Scrive in `folder` la copia in italiano e restituisce la cartella da dare a JupyterLab."""
    target = folder / EXTENSION
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(installed(), target)
    for path in target.glob("static/*.js"):
        text = path.read_text(encoding="utf-8")
        for english, italian in catalogue().items():
            text = text.replace(english, italian)
        path.write_text(text, encoding="utf-8")
    return folder

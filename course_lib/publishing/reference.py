"""Le pagine del riferimento: un piano della biblioteca per pagina, dalle docstring."""

from __future__ import annotations

import importlib
import pkgutil
import re
import tomllib
from pathlib import Path

# piano -> (titolo, che cosa fa); l'ordine è quello della casa, dal basso
FLOORS = {
    "transformer": ("L'attenzione e i Transformer", "Le funzioni del corso, soltanto NumPy."),
    "learning": ("Gradienti e addestramento", "Il motore che addestra, i modelli, i testi."),
    "figures": ("Le figure", "Le figure ferme dei notebook."),
    "widgets": ("Gli elementi interattivi", "Quelli dei notebook e della Regia."),
    "checks": ("I controlli degli esercizi", "Riconoscono gli errori tipici, e non dicono la soluzione."),
    "building": ("La costruzione", "Da `sources/` ai notebook e agli esercizi."),
    "grading": ("La correzione", "Le consegne di una classe, in un processo isolato."),
    "publishing": ("Il sito e la dispensa", "Il corso da leggere fuori da JupyterLab."),
}
PER_EXERCISE = re.compile(r"\.es\d\d(\.|$)")        # i casi di prova: non servono a chi usa la biblioteca

START = """
La biblioteca ``course_lib`` è una casa a piani: ciascuno importa soltanto da quelli permessi, e una prova lo
controlla. Le firme e le spiegazioni di queste pagine sono quelle del codice; tutti i nomi sono
nell':ref:`indice <genindex>`. I due piani di sopra, ``cli`` e ``hub``, qui non ci sono: si usano dal
terminale.
"""


def reference_pages(root: Path) -> dict[str, str]:
    """Nome della pagina -> testo, in reStructuredText."""
    pages = {f"riferimento/{floor}.rst": floor_page(floor) for floor in FLOORS}
    return {"riferimento/index.rst": house_page(root), **pages}


def house_page(root: Path) -> str:
    """La pagina d'ingresso: i piani, e che cosa può importare ciascuno secondo pyproject.toml."""
    rows = [("piano", "che cosa fa", "importa")]
    for floor, allowed in may_import(root).items():
        listed = ", ".join(f"``{name}``" for name in allowed) or "nessun altro"
        rows.append((f":doc:`{floor}`", FLOORS[floor][1].replace("`", "``"), listed))
    table = [".. list-table::", "   :header-rows: 1", ""]
    table += [f"   {'  -' if at else '* -'} {cell}" for row in rows for at, cell in enumerate(row)]
    tree = ["", ".. toctree::", "   :hidden:", "", *(f"   {floor}" for floor in FLOORS), ""]
    return "\n".join([_heading("Il riferimento", "="), START, *table, *tree])


def may_import(root: Path) -> dict[str, list[str]]:
    """Piano -> i piani che può importare, dai contratti di import-linter."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    forbidden = {
        source.removeprefix("course_lib."): set(contract["forbidden_modules"])
        for contract in settings["tool"]["importlinter"]["contracts"]
        for source in contract["source_modules"]
    }
    return {
        floor: [other for other in FLOORS if other != floor and f"course_lib.{other}" not in forbidden[floor]]
        for floor in FLOORS
    }


def floor_page(floor: str) -> str:
    """La pagina di un piano: ogni modulo con ciò che offre."""
    title, what = FLOORS[floor]
    parts = [_heading(title, "="), f"``course_lib.{floor}``. {what.replace('`', '``')}\n"]
    for name in modules(floor):
        parts += [_heading(name.removeprefix("course_lib."), "-"), _directive(name)]
    return "\n".join(parts)


def modules(floor: str) -> list[str]:
    """I moduli di un piano, il pacchetto per primo, nell'ordine alfabetico."""
    package = importlib.import_module(f"course_lib.{floor}")
    inside = [module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    return [package.__name__, *sorted(name for name in inside if not PER_EXERCISE.search(name))]


def _directive(name: str) -> str:
    """Ciò che autodoc scrive di un modulo: ogni cosa dove è definita, e non dove la si importa."""
    options = ["members", "ignore-module-all"]
    return "\n".join([f".. automodule:: {name}", *(f"   :{option}:" for option in options), ""])


def _heading(text: str, mark: str) -> str:
    return f"{text}\n{mark * len(text)}\n"

"""Le pagine del riferimento: un piano della biblioteca per pagina, dalle docstring."""

from __future__ import annotations

import importlib
import pkgutil
import re

# piano -> (titolo, che cosa può importare)
FLOORS = {
    "transformer": ("L'attenzione e i Transformer", "Non importa altri piani: soltanto NumPy."),
    "learning": ("Gradienti e addestramento", "Importa `transformer`."),
    "figures": ("Le figure", "Importa `transformer` e `learning`."),
    "widgets": ("Gli elementi interattivi", "Importa `transformer`, `learning` e `figures`."),
    "checks": ("I controlli degli esercizi", "Importa `transformer` e `learning`."),
    "building": ("La costruzione", "Da `sources/` alle altre cartelle. Importa `checks`."),
    "grading": ("La correzione", "Importa `checks`, e da `building` le impostazioni di nbgrader."),
}
PER_EXERCISE = re.compile(r"\.es\d\d(\.|$)")        # i casi di prova: non servono a chi usa la biblioteca


def reference_pages() -> dict[str, str]:
    """Nome della pagina -> testo, in reStructuredText."""
    return {f"riferimento/{floor}.rst": floor_page(floor) for floor in FLOORS}


def floor_page(floor: str) -> str:
    """La pagina di un piano: ogni modulo con ciò che offre."""
    title, allowed = FLOORS[floor]
    parts = [_heading(title, "="), f"``course_lib.{floor}``. {allowed.replace('`', '``')}\n"]
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

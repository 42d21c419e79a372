"""I widget vivi nelle pagine: i moduli, e lo stato in cui ogni cella di un notebook apre il suo.

Non c'è un kernel: lo stato si calcola quando si fa il sito, dalla stessa riga che si legge nella cella.
"""

from __future__ import annotations

import ast
import html
from pathlib import Path

from course_lib import widgets
from course_lib.transformer.examples import chiave_libri_era
from course_lib.widgets import assets
from course_lib.widgets.frame import CourseWidget, detached
from course_lib.widgets.scenes.packing import values
from course_lib.widgets.scenes.page import as_script, closed, widget
from course_lib.widgets.scenes.stages import at_every_d, at_every_temperature

FOLDER = "widgets"                  # dentro _static
# i cursori che, con ogni tacca già calcolata, vanno anche senza kernel
MORE = {"SoftmaxTemperature": at_every_temperature, "RootOfD": at_every_d}
PLACE = """<div class="cdl-place" hidden data-widget="{widget}" data-cell="{cell}"></div>
<script defer src="{base}/{widget}.js"></script>
<script defer src="{base}/{cell}.js"></script>
<script defer src="{base}/in_page.js"></script>
"""


def opened(source: str) -> CourseWidget | None:
    """Il widget con cui finisce una cella, aperto con gli stessi argomenti; None se finisce con altro.

    source: il testo della cella; può nominare q, k, v e tokens, che sono quelli di chiave/libri/era
    """
    last = (ast.parse(source).body or [None])[-1]
    call = last.value if isinstance(last, ast.Expr) else None
    if not isinstance(call, ast.Call) or getattr(call.func, "id", None) not in widgets.CATALOGUE:
        return None
    example = chiave_libri_era()
    known = {"q": example.q, "k": example.k, "v": example.v, "tokens": example.tokens}

    def value(node):
        return known[node.id] if isinstance(node, ast.Name) else ast.literal_eval(node)

    given = {word.arg: value(word.value) for word in call.keywords}
    with detached():
        made = getattr(widgets, call.func.id)(*map(value, call.args), **given)
        made = MORE.get(call.func.id, lambda same: same)(made)
    if "id" in made.options:        # di norma è a caso, e la pagina cambierebbe ogni volta
        made.options = {**made.options, "id": "sito"}
    return made


def place(made: CourseWidget, cell: str, base: str) -> str:
    """L'HTML del posto in cui il widget si apre, prima della sua figura.

    cell: il nome del suo stato   base: dove stanno i moduli, visti dalla pagina
    """
    module = widgets.CATALOGUE[type(made).__name__]
    return PLACE.format(widget=module, cell=html.escape(cell), base=base)


def write_modules(static: Path, states: dict[str, CourseWidget]) -> None:
    """Scrive in `static` i moduli dei widget usati, e lo stato di ciascuna cella.

    states: nome dello stato -> il widget aperto
    """
    folder = static / FOLDER
    folder.mkdir(parents=True)
    start = "globalThis.chiaveDiLettura ||= { opened: {} };\n"
    texts = {"in_page": f"{closed(assets.module('in_page'))}.start();\n"}
    for name, made in states.items():
        module = widgets.CATALOGUE[type(made).__name__]
        texts[module] = f"{start}chiaveDiLettura.{module} ||= {widget(module)};\n"
        texts[name] = f"{start}chiaveDiLettura.opened[{as_script(name)}] = {as_script(values(made))};\n"
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8", newline="\n")

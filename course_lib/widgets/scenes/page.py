"""La Regia in un file solo: una pagina che si apre da una chiavetta, senza rete e senza Python."""

from __future__ import annotations

import json

from course_lib.widgets import assets
from course_lib.widgets.scenes.packing import packed

PAGE = """<!DOCTYPE html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Chiave di lettura · Regia</title>
<style>html, body {{ margin: 0; height: 100%; }} {style}</style>
</head>
<body>
<main></main>
<noscript><p>La Regia ha bisogno di JavaScript: attivalo nel browser e riapri il file.</p></noscript>
<script>
globalThis.chiaveDiLettura = {{ {modules} }};
const values = {{ state: {state}, options: {{ alone: true }} }};
const model = {{ get: (name) => values[name], set() {{}}, save_changes() {{}}, on() {{}}, off() {{}} }};
{director}.render({{ model, el: document.querySelector("main") }});
</script>
</body>
</html>
"""


def page(scenes) -> str:
    """La pagina con quelle scene: moduli, stili e stati tutti dentro."""
    found = packed(scenes)
    names = sorted({stage["widget"] for stage in found["stages"].values()})
    return PAGE.format(
        style=assets.style("director"),
        modules=", ".join(f"{name}: {widget(name)}" for name in names),
        state=as_script(found),
        director=closed(assets.module("director")),
    )


def widget(name: str) -> str:
    """Il modulo e gli stili di un widget, in un'espressione di JavaScript: un oggetto con render e style."""
    return f"{{ render: {closed(assets.module(name))}.render, style: {as_script(assets.style(name))} }}"


def closed(module: str) -> str:
    """Il modulo in una funzione sua: i nomi non si scontrano, e non c'è nulla da importare."""
    before, _, after = module.rpartition("export default")
    return f"(() => {{ {before}return {after.strip()} }})()".replace("</script", "<\\/script")


def as_script(value) -> str:
    """Un valore come lo si scrive in JavaScript, anche dentro una pagina HTML."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("</", "<\\/").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")

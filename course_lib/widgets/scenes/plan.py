"""La scaletta: le lezioni con i loro minuti, e le note di ogni scena, in una pagina da stampare."""

from __future__ import annotations

from html import escape

from course_lib.widgets.scenes import SCENES
from course_lib.widgets.scenes.lessons import LESSONS, TASTER

KIND_NAMES = {
    "scena": "scena", "notebook": "notebook", "esercizio": "esercizio", "discussione": "in classe",
}  # fmt: skip
STYLE = """
@page { size: A4; margin: 16mm 15mm; }
body { font: 11pt/1.45 "Source Sans 3", "Segoe UI", "Liberation Sans", Arial, sans-serif; color: #1A1A1A;
  background: #FFFFFF; max-width: 48em; margin: 0 auto; padding: 1.2em; }
h1 { font-size: 20pt; margin: 0 0 .3em; } h2 { font-size: 15pt; margin: 0 0 .2em; } h3 { font-size: 12pt; margin: 0; }
section { break-before: page; padding-top: .4em; } .scene { break-inside: avoid; margin: 0 0 1.1em; }
table { border-collapse: collapse; width: 100%; margin: .5em 0; }
th, td { text-align: left; vertical-align: top; padding: .28em .7em .28em 0; border-bottom: 1px solid #C9CDD2; }
td.time { white-space: nowrap; font-variant-numeric: tabular-nums; } tr { break-inside: avoid; }
.soft { color: #555555; } .asked { color: #1F5FA8; font-weight: 600; } p { margin: .25em 0; }
.slips { border-left: 3px solid #9A1525; padding-left: .7em; margin: .5em 0; }
nav ol { columns: 2; } a { color: #1F5FA8; }
@media print { body { padding: 0; max-width: none; } nav { display: none; } }
"""
INTRODUCTION = (
    "Otto incontri di 45 minuti, uno per notebook, e un assaggio di 20 per chi ha un'ora sola. A sinistra i "
    "minuti dall'inizio. Le scene sono quelle della Regia (<code>corso regia</code>, o il file che scrive "
    "<code>corso regia --file regia.html</code>): si va avanti con PagGiù, che prima rivela e poi passa oltre; "
    "con <kbd>i</kbd> si salta a una scena. Le note di ogni scena sono in fondo."
)


def plan(lessons=LESSONS, taster=TASTER, scenes=SCENES) -> str:
    """La pagina. Le scene nominate dai passi devono esserci tutte: altrimenti KeyError."""
    numbers = {scene.key: (k, scene) for k, scene in enumerate(scenes, 1)}
    titles = [*(f"{lesson.notebook}. {lesson.title}" for lesson in lessons), taster.title, "Le note delle scene"]
    links = "".join(f'<li><a href="#p{k}">{escape(title)}</a></li>' for k, title in enumerate(titles, 1))
    parts = [_lesson(k, title, lesson, numbers) for k, (title, lesson) in
             enumerate(zip(titles, (*lessons, taster), strict=False), 1)]  # fmt: skip
    notes = "".join(_notes(k, scene) for k, scene in numbers.values())
    return (
        '<!DOCTYPE html>\n<html lang="it"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Chiave di lettura · scaletta delle lezioni</title><style>{STYLE}</style></head><body><main>\n"
        f"<h1>Scaletta delle lezioni</h1><p>{INTRODUCTION}</p><nav aria-label=\"Indice\"><ol>{links}</ol></nav>\n"
        f"{''.join(parts)}"
        f'<section id="p{len(titles)}"><h2>Le note delle scene</h2>{notes}</section>\n</main></body></html>\n'
    )


def _lesson(k, title, lesson, numbers) -> str:
    rows, begun = [], 0
    for step in lesson.steps:
        rows.append(
            f'<tr><td class="time">{begun}–{begun + step.minutes} min</td><td class="soft">'
            f"{KIND_NAMES[step.kind]}</td><td>{_text(step, numbers)}</td></tr>"
        )
        begun += step.minutes
    return (
        f'<section id="p{k}"><h2>{escape(title)}</h2><p class="soft">{begun} minuti</p>'
        f"<p>{escape(lesson.goal)}</p><table><thead><tr><th>minuti</th><th>che cosa</th><th>come</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
        f'<p class="slips"><strong>Che cosa di solito si sbaglia.</strong> {escape(lesson.slips)}</p>'
        f"<p><strong>A casa.</strong> {escape(lesson.home)}</p></section>\n"
    )


def _text(step, numbers) -> str:
    if step.scene is None:
        return escape(step.text)
    k, scene = numbers[step.scene]
    asked = f'<br><span class="asked">{escape(scene.question)}</span>'
    return f'<strong>Scena {k}, <a href="#s{k}">{escape(scene.title)}</a>.</strong> {escape(step.text)}{asked}'


def _notes(k, scene) -> str:
    notes = "".join(f"<p>{escape(line)}</p>" for line in scene.notes)
    return (
        f'<div class="scene" id="s{k}"><h3>{k}. {escape(scene.title)}</h3><p class="soft">notebook {scene.notebook}, '
        f'{scene.minutes} minuti</p><p class="asked">{escape(scene.question)}</p><p>{escape(scene.answer)}</p>{notes}'
        f'<p class="slips">{escape(scene.slips)}</p></div>'
    )

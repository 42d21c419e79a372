"""La scaletta: le lezioni con i loro minuti, e le note di ogni scena, in una pagina da stampare."""

from __future__ import annotations

import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from course_lib.widgets.scenes import SCENES
from course_lib.widgets.scenes.lessons import LESSONS, TASTER

KIND_NAMES = {"scena": "scena", "notebook": "notebook", "esercizio": "esercizio", "discussione": "in classe"}
TEMPLATE = "plan.html.j2"


def plan(lessons=LESSONS, taster=TASTER, scenes=SCENES) -> str:
    """La pagina. Le scene nominate dai passi devono esserci tutte: altrimenti KeyError."""
    numbers = {scene.key: (k, scene) for k, scene in enumerate(scenes, 1)}
    meetings = [_meeting(lesson, f"{lesson.notebook}. {lesson.title}", numbers) for lesson in lessons]
    folder = FileSystemLoader(Path(__file__).resolve().parent, encoding="utf-8")
    pages = Environment(loader=folder, autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    return pages.get_template(TEMPLATE).render(
        meetings=[*meetings, _meeting(taster, taster.title, numbers)], taster=taster, scenes=scenes
    )


def _numbered(text, numbers) -> str:
    """Il testo di un passo: la chiave di una scena, fra parentesi, diventa il suo numero."""

    def number(found):
        return f"(scena {numbers[found[1]][0]})" if found[1] in numbers else found[0]

    return re.sub(r"\(([a-z0-9-]+)\)", number, text)


def _meeting(lesson, title, numbers) -> dict:
    """Un incontro come lo vuole la pagina: ogni passo con i minuti dall'inizio e la sua scena."""
    rows, begin = [], 0
    for step in lesson.steps:
        number, scene = numbers[step.scene] if step.scene else (None, None)
        end = begin + step.minutes
        text = _numbered(step.text, numbers)
        rows.append({"begin": begin, "end": end, "kind": KIND_NAMES[step.kind], "text": text,
                     "number": number, "scene": scene})  # fmt: skip
        begin = end
    return {"title": title, "minutes": begin, "goal": lesson.goal, "rows": rows,
            "slips": lesson.slips, "home": lesson.home}  # fmt: skip

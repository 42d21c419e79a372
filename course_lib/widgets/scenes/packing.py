"""Le scene come le vuole il browser: testi, stati già calcolati e moduli."""

from __future__ import annotations

from course_lib.widgets import CATALOGUE
from course_lib.widgets.frame import CourseWidget
from course_lib.widgets.scenes.stages import opened

OWN = ("state", "presets", "options", "problem", "request", "answer")


def packed(scenes) -> dict:
    """I testi delle scene, e una volta sola ogni widget che usano: modulo e valori dei suoi traits."""
    stages = {name: _stage(opened(name)) for name in dict.fromkeys(scene.stage for scene in scenes)}
    return {"scenes": [scene.shown() for scene in scenes], "stages": stages}


def _stage(widget: CourseWidget) -> dict:
    return {"widget": CATALOGUE[type(widget).__name__], "values": values(widget)}


def values(widget: CourseWidget) -> dict:
    """Ciò che un widget dice al browser: nome -> valore di ciascun trait."""
    return {name: getattr(widget, name) for name in OWN}

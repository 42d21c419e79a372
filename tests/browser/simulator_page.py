"""Ciò che le prove del Simulatore hanno in comune: premere, leggere, confrontare le celle."""

from __future__ import annotations

from course_lib.notation import number
from course_lib.widgets import Simulator
from course_lib.widgets.state import simulator_scenes as scenes


def opened(plain, widget=None):
    """Apre un Simulatore; restituisce la pagina e il suo elemento, con la figura a fuoco."""
    page = plain()
    element = page.add(widget or Simulator())
    element.locator(".cdl-stage").focus()
    return page, element


def control(element, name):
    return element.locator(f"[data-control={name}]")


def texts(element, selector):
    return element.locator(f"{selector} text").all_text_contents()


def cells(element, group):
    """I testi delle celle di una matrice, per posto."""
    script = "nodes => nodes.map(n => [n.dataset.cell, n.querySelector('text')?.textContent])"
    return dict(element.locator(f"{group} [data-cell]").evaluate_all(script))


def written(values, signed=False):
    places = [(i, j) for i, row in enumerate(values) for j in range(len(row))]
    return {f"{i},{j}": number(values[i][j], 3, sign=signed) for i, j in places}


def state_of(name, d=None, positions=None):
    return next(scene for scene in scenes.SCENES if scene.name == name).state(d, positions)

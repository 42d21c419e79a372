"""Ciò che serve a confrontare i numeri scritti in una scena con lo stato del suo widget."""

from __future__ import annotations

import re
from functools import cache

from course_lib.notation import number
from course_lib.widgets.scenes.stages import opened

NAMES = re.compile(r"notebook \d+(?: e \d+)?|float\d+")      # contengono cifre, e non sono conti
NUMBER = re.compile(r"−?\d+(?:\u202f\d{3})*(?:,\d+)?")


@cache
def state_of(stage):
    """Lo stato con cui si apre il widget di una scena."""
    widget = opened(stage)
    widget.close()
    return widget.state


def numbers_in(text):
    """I numeri scritti in un testo: {"0,665", "−2", …}."""
    return set(NUMBER.findall(NAMES.sub("", text)))


def spoken(scene):
    """Tutto ciò che di una scena si legge, tranne la risposta."""
    return " ".join((scene.question, *scene.notes, scene.slips))


def written(*values):
    """I valori come li scrive il corso: gli interi come sono, gli altri con tre cifre."""
    return {number(value, None if isinstance(value, int) else 3) for value in values}


def long_ones(numbers):
    """Senza le cifre sole, con cui si conta e si nomina: restano i numeri che vengono da un conto."""
    return {value for value in numbers if len(value.lstrip("−")) > 1}


def shape_faults(scene):
    """Che cosa non va nella forma di una scena: lunghezze, minuti, parti che mancano."""
    rules = {
        "titolo di più di cinque parole": len(scene.title.split()) > 5,
        "domanda lunga": len(scene.question) > 150,
        "risposta lunga": len(scene.answer) > 170,
        "minuti": not 2 <= scene.minutes <= 6,
        "note": not 2 <= len(scene.notes) <= 4 or not all(scene.notes),
        "sbagli": not scene.slips,
        "domanda senza punto interrogativo": "?" not in scene.question,
    }
    return [name for name, wrong in rules.items() if wrong]

"""I numeri scritti nei testi di una scena, e lo stato del widget con cui la scena si apre."""

from __future__ import annotations

import re
from functools import cache

from course_lib.notation import THIN_SPACE, number
from course_lib.widgets.scenes.stages import opened

NAMES = re.compile(r"notebook \d|notebook \d[–-]\d|\d·\d|«d = \d, base [^»]+»")
NUMBER = re.compile(rf"(?<![\w·])[−-]?\d[\d{THIN_SPACE}]*(?:,\d+)?(?!\w)")
NOT_SUMS = re.compile(r"notebook \d+(?: e \d+)?|float\d+")      # contengono cifre, e non sono conti
SIGNED = re.compile(rf"−?\d+(?:{THIN_SPACE}\d{{3}})*(?:,\d+)?")


@cache
def opening(stage):
    """Lo stato con cui il widget di una scena si apre, e le sue scelte."""
    made = opened(stage)
    return made.state, made.options


def state_of(stage):
    """Il solo stato."""
    return opening(stage)[0]


def at(scene):
    """Le scelte della vista dopo che si è rivelato."""
    return {**scene.before, **scene.after}


def texts(scene):
    """Tutto ciò che si legge di una scena."""
    return " ".join((scene.title, scene.question, scene.answer, *scene.notes, scene.slips))


def numbers_in(text):
    """I numeri di un testo, senza segno: il segno lo guardano i fatti della scena."""
    return {found.lstrip("−-") for found in NUMBER.findall(NAMES.sub("", text))}


def three(*values):
    """Come si scrivono con tre cifre, senza segno."""
    return {number(abs(float(value)), 3) for value in values}


def whole(*values):
    """Come si scrivono gli interi."""
    return {number(int(value)) for value in values}


def check(scene, computed):
    """Ogni numero della scena è fra quelli calcolati dal suo stato, e ogni numero calcolato vi è scritto."""
    written = numbers_in(texts(scene))
    assert written - computed == set(), f"{scene.key}: non calcolati {sorted(written - computed)}"
    assert computed - written == set(), f"{scene.key}: calcolati e non scritti {sorted(computed - written)}"


def signed_numbers_in(text):
    """I numeri scritti in un testo con il loro segno: {"0,665", "−2", …}."""
    return set(SIGNED.findall(NOT_SUMS.sub("", text)))


def spoken(scene):
    """Tutto ciò che di una scena si legge, tranne la risposta."""
    return " ".join((scene.question, *scene.notes, scene.slips))


def written(*values):
    """I valori come li scrive il corso: gli interi come sono, gli altri con tre cifre."""
    return {number(value, None if isinstance(value, int) else 3) for value in values}


def long_ones(numbers):
    """Senza le cifre sole, con cui si conta e si nomina: restano i numeri che vengono da un conto."""
    return {value for value in numbers if len(value.lstrip("−")) > 1}

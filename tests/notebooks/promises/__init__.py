"""Che cosa ogni notebook promette, e dove lo mantiene."""

from typing import NamedTuple


class Promise(NamedTuple):
    """Una promessa: di che genere è, che cosa dice, e i testi che la provano."""

    kind: str
    what: str
    where: tuple[str, ...]

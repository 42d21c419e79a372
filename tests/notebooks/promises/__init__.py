"""Che cosa ogni notebook deve contenere, secondo la mappa del corso e le fonti."""

from __future__ import annotations

from typing import NamedTuple


class Promise(NamedTuple):
    """Una promessa: di che genere è, che cosa promette, e i testi che la mantengono nel notebook costruito."""

    kind: str
    what: str
    where: tuple[str, ...]

"""Ciò che il corso promette a chi legge: un modulo nbNN per notebook, ciascuno con il suo elenco PROMISES."""

from __future__ import annotations

from typing import NamedTuple

KINDS = {"numero", "errata", "esperimento", "faq", "da portare via", "limite"}


class Promise(NamedTuple):
    """Una promessa: di che genere è, che cosa promette, e i pezzi di testo che nel notebook la mantengono."""

    kind: str
    what: str
    where: tuple[str, ...]

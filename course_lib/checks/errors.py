"""Che cosa solleva `verifica`."""

from __future__ import annotations

from course_lib.project import CorsoError

RED, PLAIN = "\x1b[1;31m", "\x1b[0m"


class _WithoutTraceback:
    """In Jupyter si vede il messaggio e nient'altro: nessun traceback."""

    def _render_traceback_(self) -> list[str]:
        first, *others = str(self).split("\n")
        return [f"{RED}{first}{PLAIN}", *others]


class VerificaFallita(_WithoutTraceback, AssertionError):
    """Una prova non superata, con tutto il testo da mostrare a chi studia.

    messaggio: il testo italiano intero; la prima riga basta a dire che cosa è successo
    slips: i nomi degli errori tipici riconosciuti, anche nessuno
    nascosto: True se viene da una prova nascosta (il testo non contiene allora né ingressi né risultati)
    """

    def __init__(self, messaggio: str, slips: tuple[str, ...] = (), nascosto: bool = False):
        super().__init__(messaggio)
        self.messaggio = messaggio
        self.slips = tuple(slips)
        self.nascosto = nascosto

    @property
    def slip(self) -> str | None:
        """Il nome dell'errore tipico riconosciuto; due nomi insieme sono uniti da « + »."""
        return " + ".join(self.slips) or None


class VerificaInterrotta(_WithoutTraceback, KeyboardInterrupt):
    """Una prova fermata da chi studia: resta un'interruzione, ma si mostra con una frase."""


class ErroreEsercizio(_WithoutTraceback, CorsoError):
    """Un errore di chi ha scritto la prova, non di chi la affronta: per esempio ingressi inutilizzabili."""

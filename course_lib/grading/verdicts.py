"""I verdetti di una consegna, e il guasto che ne porta uno."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """Com'è finita la correzione; il voto c'è solo con GRADED."""

    GRADED = "valutato"
    TIMEOUT = "tempo scaduto"
    CRASHED = "interrotto"
    MEMORY = "memoria esaurita"
    UNREADABLE = "illeggibile"
    MISSING = "mancante"
    SUSPECT = "sospetto"


class BoxFailure(Exception):
    """Il codice dell'allievo ha superato un limite o ha fermato il proprio processo."""

    def __init__(self, verdict: Verdict, message: str) -> None:
        super().__init__(message)
        self.verdict = verdict
        self.message = message


class NotGraded(Exception):
    """La consegna non si può valutare: verdetto e frase per chi studia e per chi corregge."""

    def __init__(self, verdict: Verdict, message: str) -> None:
        super().__init__(f"{verdict}: {message}")
        self.verdict = verdict
        self.message = message

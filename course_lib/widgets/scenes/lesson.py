"""Che cos'è una lezione: passi con i loro minuti."""

from __future__ import annotations

from dataclasses import dataclass

KINDS = ("scena", "notebook", "esercizio", "discussione")


@dataclass(frozen=True)
class Step:
    """Un passo: minuti, di che genere, che cosa si fa; scene: la chiave della scena, se se ne mostra una."""

    minutes: int
    kind: str
    text: str
    scene: str | None = None


@dataclass(frozen=True)
class Lesson:
    """Un incontro.

    title   notebook: da 1 a 8   goal: che cosa si sa fare alla fine   steps: i passi, in ordine
    home: che cosa si fa a casa   slips: che cosa di solito si sbaglia
    """

    title: str
    notebook: int
    goal: str
    steps: tuple[Step, ...]
    home: str
    slips: str

    @property
    def minutes(self) -> int:
        """Quanto dura."""
        return sum(step.minutes for step in self.steps)

"""Che cosa è successo durante un addestramento."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class History:
    """La storia di un addestramento, passo per passo.

    loss: la loss di ogni passo   validation: coppie (dopo quanti passi, valore)
    interrupted: vero se qualcuno l'ha fermato prima della fine
    """

    loss: list[float] = field(default_factory=list)
    validation: list[tuple[int, float]] = field(default_factory=list)
    interrupted: bool = False

    @property
    def steps(self):
        """Quanti passi sono stati fatti."""
        return len(self.loss)

    def add(self, loss):
        """Aggiunge un passo."""
        self.loss.append(loss)

    def add_validation(self, value):
        """Aggiunge una misura fatta adesso."""
        self.validation.append((self.steps, value))

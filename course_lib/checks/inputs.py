"""Ingressi di prova che si leggono bene in un messaggio."""

from __future__ import annotations

import numpy as np


def halves(rng: np.random.Generator, *shape: int, largest: int = 3) -> np.ndarray:
    """Interi e mezzi fra −largest e largest: i conti si rifanno a mano."""
    return rng.integers(-2 * largest, 2 * largest + 1, size=shape) / 2

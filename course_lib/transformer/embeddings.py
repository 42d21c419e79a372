"""Dagli ID ai vettori: la tabella che si impara, e la formula fissa del simulatore."""

from __future__ import annotations

import math

import numpy as np

from course_lib.transformer.arrays import as_array, as_ids, as_whole, expect_generator


class Embedding:
    """Una tabella, (V, d), con una riga di parametri per ogni token del vocabolario."""

    def __init__(self, table):
        self.table = as_array("table", table)
        if self.table.ndim != 2:
            raise ValueError(
                f"table: mi aspettavo la forma (V, d), è arrivata la forma {tuple(self.table.shape)}."
            )

    @classmethod
    def random(cls, vocabulary_size, d_model, rng, dtype=np.float64):
        """Tabella estratta a caso da rng, con componenti di media 0 e varianza 1/d."""
        expect_generator("rng", rng)
        size, d_model = as_whole("vocabulary_size", vocabulary_size, 1), as_whole("d_model", d_model, 1)
        return cls((rng.normal(size=(size, d_model)) / math.sqrt(d_model)).astype(dtype))

    def __call__(self, ids):
        """Le righe della tabella. ids: (...)   Restituisce: (..., d)."""
        return self.table[as_ids("ids", ids, self.table.shape[0])]       # (...) -> (..., d)

    @property
    def n_parameters(self):
        """Quanti parametri ha la tabella: V × d."""
        return self.table.shape[0] * self.table.shape[1]


def simulator_embedding(token_id, d):
    """L'embedding del simulatore: una formula dell'ID, uguale per tutti e senza nulla di appreso.

    token_id: un ID, o un array di ID (...)   d: quante dimensioni, da 1 in su
    Restituisce: (..., d) float64; la componente i vale 0,5 sin(0,5 ID (i+1)) + 0,3 cos(0,3 ID (i+1)).
    Solleva ValueError se un ID non è un intero da 0 in su.
    Fonte: documento S2.
    """
    ids = as_ids("token_id", token_id)
    factor = np.arange(1, as_whole("d", d, 1) + 1)                       # i + 1 = 1, 2, …, d
    angle = np.multiply.outer(ids.astype(np.float64), factor)            # (...) -> (..., d)
    return np.sin(angle * 0.5) * 0.5 + np.cos(angle * 0.3) * 0.3

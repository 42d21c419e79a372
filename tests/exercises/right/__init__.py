"""Le risposte di ogni esercizio: giuste, scritte nei modi più diversi, e una consegna riuscita a metà.

Ogni modulo esNN dà
RIGHT: {nome della funzione: almeno tre risposte giuste}, e nessuna dev'essere rifiutata;
HALF: {nome della funzione: testo di una risposta sbagliata o ancora vuota}; le altre restano giuste;
HALF_POINTS: i punti che prende quella consegna;
HALF_SLIPS: gli errori tipici che le si riconoscono, e None se ce n'è uno senza nome o una risposta vuota.
"""

from __future__ import annotations

import importlib
from types import ModuleType


def answers(exercise_id: str) -> ModuleType:
    """Il modulo di un esercizio, per esempio answers("es02").RIGHT["project"]."""
    return importlib.import_module(f"{__name__}.{exercise_id}")

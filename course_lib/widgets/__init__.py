"""I widget del corso. `from course_lib.widgets import CellLens`: si carica solo quello che si chiede."""

from __future__ import annotations

import importlib

CATALOGUE = {
    "Simulator": "simulator",
    "CellLens": "lens",
    "SoftmaxTemperature": "temperature",
    "RootOfD": "scaling",
    "MaskBoard": "masks",
    "HeadAtlas": "heads",
    "PositionClock": "position",
    "GenerationDesk": "generation",
    "LiveTraining": "live_training",
    "BlockPath": "block_path",
}
__all__ = sorted(CATALOGUE)


def __getattr__(name: str) -> type:
    """Il widget di quel nome, importato adesso."""
    if name not in CATALOGUE:
        raise AttributeError(f"course_lib.widgets non ha «{name}»: i widget sono {', '.join(__all__)}.")
    return getattr(importlib.import_module(f"course_lib.widgets.{CATALOGUE[name]}"), name)

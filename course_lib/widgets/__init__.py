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
FOR_LESSONS = {"Director": "director"}    # la Regia, fatta con gli altri
__all__ = sorted(CATALOGUE)


def __getattr__(name: str) -> type:
    """Il widget di quel nome, importato adesso."""
    modules = CATALOGUE | FOR_LESSONS
    if name not in modules:
        listed = ", ".join(sorted(modules))
        raise AttributeError(f"course_lib.widgets non ha «{name}»: i widget sono {listed}.")
    return getattr(importlib.import_module(f"course_lib.widgets.{modules[name]}"), name)

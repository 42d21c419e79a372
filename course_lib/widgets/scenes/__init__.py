"""Le scene della Regia: che cosa si mostra, che cosa si chiede alla classe, che cosa ne dice chi presenta."""

from __future__ import annotations

from course_lib.widgets.scenes import by_hand, matrix, model, place_and_heads
from course_lib.widgets.scenes.scene import Scene

SCENES: tuple[Scene, ...] = (*by_hand.SCENES, *matrix.SCENES, *place_and_heads.SCENES, *model.SCENES)

__all__ = ["SCENES", "Scene"]

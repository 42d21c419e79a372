"""Le figure di riserva delle Maschere e della Posizione: nulla fuori dal foglio, nulla sovrapposto."""

from __future__ import annotations

import numpy as np
import pytest

from course_lib.figures import masks, position
from course_lib.widgets import MaskBoard, PositionClock
from tests.figures.conftest import drawn, no_text_overlaps_or_leaves_the_sheet


@pytest.mark.parametrize(
    ("module", "make"),
    [
        (masks, MaskBoard),
        (masks, lambda: MaskBoard(np.zeros((12, 12)), [f"t{i}" for i in range(12)])),
        (masks, lambda: MaskBoard(np.zeros((6, 6)), "La chiave accanto ai libri arrugginita".split())),
        (position, PositionClock),
        (position, lambda: PositionClock(n=1, d=3)),
        (position, lambda: PositionClock(n=24, d=16)),
        (position, lambda: PositionClock(n=12, d=2)),
    ],
)
def test_no_text_overlaps_or_leaves_the_sheet(module, make, monkeypatch):
    figure, _ = drawn(module, make().fallback, monkeypatch)
    assert no_text_overlaps_or_leaves_the_sheet(figure) > 8

"""Le figure di riserva delle Maschere e della Posizione: nulla fuori dal foglio, nulla sovrapposto."""

from __future__ import annotations

import numpy as np
import pytest

from course_lib.figures import masks, picture, position
from course_lib.widgets import MaskBoard, PositionClock


def texts(module, monkeypatch, widget):
    """Le scritte della figura con i loro rettangoli, e il rettangolo del foglio."""
    kept = {}

    def keep(figure, alt, summary):
        figure.canvas.draw()
        renderer = figure.canvas.get_renderer()
        shown = [t for axes in figure.axes for t in axes.texts if t.get_text().strip()]
        kept["found"] = [(t.get_text(), t.get_window_extent(renderer)) for t in shown], figure.bbox
        return picture.finish(figure, alt, summary)

    monkeypatch.setattr(module, "finish", keep)
    widget.fallback()
    return kept["found"]


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
    boxes, sheet = texts(module, monkeypatch, make())
    assert len(boxes) > 8
    for text, box in boxes:
        assert sheet.x0 <= box.x0 <= box.x1 <= sheet.x1, text
        assert sheet.y0 <= box.y0 <= box.y1 <= sheet.y1, text
    for i, (text, box) in enumerate(boxes):
        for other, other_box in boxes[i + 1 :]:
            assert not box.overlaps(other_box), (text, other)

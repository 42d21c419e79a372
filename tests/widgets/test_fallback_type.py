"""Le figure di riserva si leggono: nessuna scritta è più piccola di 12,5 pixel a schermo."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import course_lib.widgets as widgets
from course_lib.figures.picture import SCREEN_DPI

LEAST = 12.5
POINTS = 72                      # per pollice


@pytest.mark.parametrize("name", sorted(widgets.CATALOGUE))
def test_no_text_is_too_small(name, monkeypatch):
    drawn, save = [], Figure.savefig

    def keep(figure, *args, **options):
        drawn.append(figure)
        return save(figure, *args, **options)

    monkeypatch.setattr(Figure, "savefig", keep)
    getattr(widgets, name)().fallback()
    (figure,) = drawn
    texts = [text for text in figure.findobj(Text) if text.get_text().strip() and text.get_visible()]
    assert len(texts) > 8
    small = [t.get_text() for t in texts if t.get_fontsize() * SCREEN_DPI / POINTS < LEAST]
    assert small == []

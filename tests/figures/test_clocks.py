"""Le lancette: la punta sta dove dicono seno e coseno, nulla esce dal foglio, ogni numero è nel riassunto."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.patches import Circle

from course_lib.figures import clocks, picture
from course_lib.transformer.positions import sinusoidal_encoding
from tests.figures.conftest import drawn, no_text_overlaps_or_leaves_the_sheet


def clock_hands(monkeypatch, n=4, d=6, **options):
    """La figura delle lancette di n posti, ancora aperta, e la Picture che ne viene."""
    pairs = [f"coppia {i}: 0,0464 rad per posto" for i in range(d // 2)]
    places = [f"posto {p}" for p in range(n)]
    codes = sinusoidal_encoding(n, d)
    return drawn(
        clocks, lambda: clocks.clock_hands(codes, places, pairs, title="Una prova", **options), monkeypatch
    )


def hands(axes, color):
    """Le lancette di un colore, come (a destra, in alto) in raggi."""
    lines = [line for line in axes.lines if line.get_color() == color and len(line.get_xdata()) == 2]
    ends = [(np.array(line.get_xdata()), np.array(line.get_ydata())) for line in lines]
    return [((x[1] - x[0]) / clocks.RADIUS, (y[0] - y[1]) / clocks.RADIUS) for x, y in ends]


def test_every_hand_points_where_sine_and_cosine_say(monkeypatch):
    guess = sinusoidal_encoding(4, 6)[::-1]
    figure, _ = clock_hands(monkeypatch, guess=guess)
    axes = figure.axes[0]
    for color, values in ((picture.POSITIVE, sinusoidal_encoding(4, 6)), (picture.NEGATIVE, guess)):
        expected = [row[2 * i : 2 * i + 2] for i in range(3) for row in values]
        np.testing.assert_allclose(hands(axes, color), expected, rtol=0, atol=1e-12)
    assert len([patch for patch in axes.patches if isinstance(patch, Circle)]) == 12


def test_the_position_zero_shows_noon(monkeypatch):
    figure, _ = clock_hands(monkeypatch, n=1, d=2)
    np.testing.assert_allclose(hands(figure.axes[0], picture.POSITIVE), [(0, 1)], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("n", "d"), [(1, 2), (8, 8), (8, 12), (12, 4)])
def test_no_text_overlaps_or_leaves_the_sheet(monkeypatch, n, d):
    figure, _ = clock_hands(monkeypatch, n, d)
    assert no_text_overlaps_or_leaves_the_sheet(figure) >= 2 + n + d // 2


def test_the_summary_has_the_finding_and_every_number(monkeypatch):
    _, shown = clock_hands(monkeypatch, n=3, d=4)
    assert shown.summary == shown.alt
    assert shown.summary.split("\n") == [
        "Una prova.",
        "posto 0: (0,000; 1,000; 0,000; 1,000).",
        "posto 1: (0,841; 0,540; 0,010; 1,000).",
        "posto 2: (0,909; −0,416; 0,020; 1,000).",
    ]

"""La curva delle zone piatte: dice i numeri che riceve, e i suoi segni stanno dove la curva passa."""

import math

import numpy as np

from course_lib.figures.saturation import flat_zones


def marked(gap, push):
    before, after = (1 / (1 + math.exp(-g)) for g in (gap, gap + push))
    return gap, before, after - before


def test_it_says_what_a_push_changes_and_where():
    gaps = np.linspace(-10, 10, 41)
    picture = flat_zones(gaps, 1 / (1 + np.exp(-gaps)), marks=[marked(0.0, 0.01), marked(8.0, 0.01)])
    assert picture.png.startswith(b"\x89PNG")
    assert "differenza 0: coefficiente 0,500, cambia di 0,002500" in picture.alt
    assert "differenza 8: coefficiente 1,000, cambia di 0,000003" in picture.alt
    assert picture.alt.startswith("Al centro un colpetto si sente")
    assert repr(picture).startswith("Al centro un colpetto si sente")


def test_the_same_numbers_give_the_same_bytes_and_others_do_not():
    gaps = np.linspace(-4, 4, 9)
    curve = 1 / (1 + np.exp(-gaps))
    first, again = (flat_zones(gaps, curve, marks=[marked(0.0, 0.01)]) for _ in range(2))
    other = flat_zones(gaps, curve**2, marks=[marked(0.0, 0.01)])
    assert first.png == again.png != other.png

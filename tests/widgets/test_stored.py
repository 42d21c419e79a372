"""Le figure di riserva già disegnate sono quelle che si disegnerebbero, e risparmiano matplotlib."""

import io
import subprocess
import sys

import matplotlib.image
import numpy as np
import pytest

import course_lib.widgets as widgets
from course_lib.widgets import stored

WAYS = [(name, given) for name, ways in stored.OPENED.items() for given in ways]


def pixels(png):
    return matplotlib.image.imread(io.BytesIO(png), format="png")


@pytest.mark.parametrize(("name", "given"), WAYS)
def test_a_stored_picture_is_the_one_that_would_be_drawn(name, given):
    found, drawn = stored.picture(name, given), getattr(widgets, name)(**given).fallback()
    again = "non è più questa: python -m course_lib.widgets.stored"
    for part in ("alt", "summary", "width", "height"):
        assert getattr(found, part) == getattr(drawn, part), again
    assert np.array_equal(pixels(found.png), pixels(drawn.png)), again


def test_opening_a_widget_loads_no_matplotlib():
    lines = [f"assert 'image/png' in w.{name}(**{given!r})._repr_mimebundle_()[0]" for name, given in WAYS]
    code = ["import sys, course_lib.widgets as w", *lines, "assert 'matplotlib' not in sys.modules"]
    subprocess.run([sys.executable, "-c", "\n".join(code)], check=True, timeout=300)


def test_another_opening_or_another_state_is_drawn():
    plain, window = widgets.MaskBoard(predict=False), widgets.MaskBoard(preset="Finestra")
    stored_png = stored.picture("MaskBoard", {}).png
    assert plain._picture().png == stored_png
    assert window._picture().png == window.fallback().png != stored_png
    lens = widgets.RootOfD()
    lens.request = {"d": 4, "seed": 9, "serial": 1}
    assert lens._picture().summary == lens.fallback().summary
    assert not isinstance(lens._picture(), type(stored.picture("RootOfD", {})))
    assert widgets.BlockPath("la luna nuova")._picture().png != stored.picture("BlockPath", {}).png

"""Le curve di loss: dicono i numeri che ricevono, e le due forme di una curva."""

from __future__ import annotations

import pytest

from course_lib.figures import loss_curves as module
from course_lib.figures.loss_curves import loss_curves
from tests.figures.conftest import drawn

CURVES = {"addestramento": [4.0, 3.0, 2.5], "validazione": [(0, 4.1), (2, 3.25)]}


def test_it_says_the_first_and_last_value_of_every_curve_and_the_levels():
    picture = loss_curves(CURVES, title="La loss scende", levels={"trigramma": 1.85})
    assert picture.png.startswith(b"\x89PNG")
    assert picture.alt.split("\n") == [
        "La loss scende",
        "addestramento: 4,000 al passo 1, 2,500 al passo 3.",
        "validazione: 4,100 al passo 0, 3,250 al passo 2.",
        "trigramma: 1,850.",
    ]
    assert repr(picture) == picture.alt


def test_the_same_numbers_give_the_same_bytes_and_others_do_not():
    first, again = (loss_curves(CURVES, title="La loss scende") for _ in range(2))
    other = loss_curves({**CURVES, "addestramento": [4.0, 3.0, 2.0]}, title="La loss scende")
    assert first.png == again.png != other.png


@pytest.mark.parametrize(
    ("curves", "words"),
    [
        ({}, "da 1 a 4 curve, ne sono arrivate 0"),
        ({str(k): [1.0] for k in range(5)}, "ne sono arrivate 5"),
        ({"a": []}, "«a» è vuota"),
    ],
)
def test_it_says_what_it_wanted(curves, words):
    with pytest.raises(ValueError, match=words):
        loss_curves(curves, title="La loss scende")


def test_from_a_step_on_the_axes_hold_what_is_left(monkeypatch):
    curves = {"a": [9.0, 5.0, 1.5, 1.2, 1.1], "b": [(0, 9.0), (3, 1.6), (5, 1.9)]}
    figure, _ = drawn(
        module, lambda: loss_curves(curves, title="Risale", levels={"c": 1.4}, since=3), monkeypatch
    )
    plane = figure.axes[-1]
    assert plane.get_xlim() == (3, 5)
    low, high = plane.get_ylim()
    assert 1 < low < 1.1
    assert 1.9 < high < 2
    assert [list(line.get_xdata()) for line in plane.get_lines()[:2]] == [[3, 4, 5], [3, 5]]
    assert "a: 1,500 al passo 3" in loss_curves(curves, title="Risale", since=3).alt
    with pytest.raises(ValueError, match="«b» finisce al passo 5: dal passo 6 è vuota"):
        loss_curves({"b": curves["b"]}, title="Risale", since=6)

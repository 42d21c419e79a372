"""Le curve di loss: dicono i numeri che ricevono, e le due forme di una curva."""

from __future__ import annotations

import pytest

from course_lib.figures.loss_curves import loss_curves

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

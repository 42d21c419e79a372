"""La codifica posizionale: numeri del corso, formula con cicli, rotazione."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.transformer.positions import encoding_at, rotation, sinusoidal_encoding
from tests.transformer.support import expect_same

few = settings(max_examples=40, deadline=None)


def loop_encoding(position, d, base=10000.0):
    row = []
    for j in range(d):
        angle = position / base ** (2 * (j // 2) / d)
        row.append(math.sin(angle) if j % 2 == 0 else math.cos(angle))
    return row


def test_position_one_with_five_dimensions():
    expected = [[0, 1, 0, 1, 0], [0.841471, 0.540302, 0.025116, 0.999685, 0.000631]]
    expect_same(sinusoidal_encoding(2, 5), expected, 5e-7)


def test_position_one_with_512_dimensions():
    expect_same(sinusoidal_encoding(1, 512, start=1)[0, :4], [0.841, 0.540, 0.822, 0.570], 5e-4)


def test_positions_of_the_word_regola():
    expect_same(sinusoidal_encoding(1, 4, start=4), [[-0.7568, -0.6536, 0.0400, 0.9992]], 5e-5)
    expect_same(sinusoidal_encoding(1, 4, start=2), [[0.9093, -0.4161, 0.0200, 0.9998]], 5e-5)


@few
@given(
    n=st.integers(0, 5),
    d=st.integers(1, 9),
    start=st.integers(-3, 5000),
    base=st.sampled_from([1e4, 7.0, 1.0]),
)
def test_equals_the_loops(n, d, start, base):
    expected = np.array([loop_encoding(p, d, base) for p in range(start, start + n)]).reshape(n, d)
    # a posizioni lontane l'ultima cifra dell'angolo conta: 5000 · 2⁻⁵³
    expect_same(sinusoidal_encoding(n, d, base, start), expected, 1e-11, np.float64)


def test_start_moves_the_window():
    expect_same(sinusoidal_encoding(3, 6, start=4), sinusoidal_encoding(7, 6)[4:], 0.0)


def test_waves_between_one_place_and_the_next():
    places = np.array([[0.5, 1.0], [2.25, 3.0]])
    waves = encoding_at(places, 3)
    expect_same(waves, [[loop_encoding(p, 3) for p in row] for row in places.tolist()], 1e-12)
    expect_same(waves[:, 1], sinusoidal_encoding(3, 3, start=1)[::2], 0.0)


@few
@given(p=st.integers(0, 300), k=st.integers(-200, 200), half=st.integers(1, 6))
def test_rotation_moves_every_position_by_k(p, k, half):
    d = 2 * half
    R = rotation(k, d)
    moved = R @ sinusoidal_encoding(1, d, start=p)[0]
    expect_same(moved, sinusoidal_encoding(1, d, start=p + k)[0], 1e-12)
    expect_same(R @ R.T, np.eye(d), 1e-14)


def test_rotation_by_hand():
    c, s, c2, s2 = math.cos(3), math.sin(3), math.cos(3 / 5), math.sin(3 / 5)
    expected = [[c, s, 0, 0], [-s, c, 0, 0], [0, 0, c2, s2], [0, 0, -s2, c2]]
    expect_same(rotation(3, 4, base=25.0), expected, 1e-15)
    expect_same(rotation(0, 4), np.eye(4), 0.0)


def test_distance_depends_on_the_gap_alone_when_d_is_even():
    def gap(d, p, k):
        a, b = (sinusoidal_encoding(1, d, start=q)[0] for q in (p, p + k))
        return float(np.linalg.norm(a - b))

    assert gap(4, 0, 200) == pytest.approx(gap(4, 900, 200), abs=1e-12)
    assert gap(3, 0, 200) == pytest.approx(1.0955, abs=5e-5)
    assert gap(3, 900, 200) == pytest.approx(1.0398, abs=5e-5)
    assert gap(2, 0, 44) == pytest.approx(0.018, abs=5e-4)


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda: rotation(1, 5), "d_model: mi aspettavo un numero pari, è arrivato 5"),
        (lambda: rotation(math.nan, 4), "k: mi aspettavo un numero finito"),
        (lambda: rotation("uno", 4), "k: mi aspettavo un numero finito, è arrivato 'uno'"),
        (lambda: sinusoidal_encoding(2, 0), "d_model: mi aspettavo un intero da 1 in su, è arrivato 0"),
        (lambda: sinusoidal_encoding(-1, 4), "n_positions: mi aspettavo un intero da 0 in su"),
        (lambda: sinusoidal_encoding(2, 4, start=0.5), "start: mi aspettavo un numero intero"),
        (lambda: sinusoidal_encoding(2, 4, base=0), "base: mi aspettavo un numero positivo"),
        (lambda: sinusoidal_encoding(2, 4, base="e"), "base: mi aspettavo un numero positivo"),
        (lambda: encoding_at([0.0, math.inf], 4), "positions: mi aspettavo numeri finiti"),
    ],
)
def test_refuses(call, part):
    with pytest.raises(ValueError, match=part):
        call()

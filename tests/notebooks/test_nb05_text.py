"""Il notebook 5: la tabella a mano, e che cosa succede se la biblioteca o un numero sono sbagliati."""

import re

import numpy as np
import pytest

from course_lib import transformer
from course_lib.transformer import examples, positions
from course_lib.transformer import simulator as simulator_module
from tests.notebooks.texts import breaks_if, plain, run

NAME = "05-posizione"


def test_the_hand_table_is_the_example_of_the_document(prose):
    rows = {}
    for line in plain(prose).splitlines():
        name, *cells = [cell.strip(" *$") for cell in line.strip("|").split("|")]
        if len(cells) == 4 and re.search(r"\d,\d{3}", cells[0]):
            numbers = [re.sub(r".*= ", "", cell).replace("−", "-").replace(",", ".") for cell in cells]
            rows[name] = [float(text) for text in numbers]
    shown = {"0,5 · sin": "0,5·sin", "0,3 · cos": "0,3·cos", "embedding di *regola": "embedding"}
    shown |= {f"PE({p})": f"PE({p})" for p in (2, 4)}
    shown |= {f"finale, posto {p}": f"finale, posizione {p}" for p in (2, 4)}
    assert rows.keys() == shown.keys()
    for name, row in shown.items():
        digits = 3 if name.startswith("finale") else 4
        np.testing.assert_array_equal(rows[name], np.round(examples.regola().rows[row].right, digits))


ENCODING, ROTATION, ATTENTION = (
    positions.sinusoidal_encoding,
    positions.rotation,
    transformer.scaled_dot_product_attention,
)


def in_two_halves(n, d, base=10000.0, start=0):
    PE = ENCODING(n, d, base, start)
    return np.concatenate([PE[:, 0::2], PE[:, 1::2]], axis=1)


def minus_sine(n, d, base=10000.0, start=0):
    return ENCODING(n, d, base, start) * np.where(np.arange(d) % 2, 1.0, -1.0)


@pytest.mark.parametrize(
    "wrong",
    [
        in_two_halves,
        minus_sine,
        lambda n, d, base=10000.0, start=0: ENCODING(n, d, base, 1),
        lambda n, d, base=10000.0, start=0: ENCODING(n, d, 1000.0, start),
    ],
    ids=["due metà", "segno", "da 1", "altra base"],
)
def test_the_notebook_breaks_if_the_encoding_is_wrong(code, monkeypatch, wrong):
    monkeypatch.setattr(positions, "sinusoidal_encoding", wrong)
    with pytest.raises(AssertionError):
        run(code)


@pytest.mark.parametrize(
    "wrong",
    [lambda k, d: ROTATION(-k, d), lambda k, d: ROTATION(k, d) * (1 + 1e-11)],
    ids=["all'indietro", "un filo più grande"],
)
def test_the_notebook_breaks_if_the_rotation_is_wrong(code, monkeypatch, wrong):
    monkeypatch.setattr(positions, "rotation", wrong)
    with pytest.raises(AssertionError):
        run(code)


def sees_the_order(Q, K, V, mask=None, scale=None):
    """Un'attenzione che, sbagliando, sa in quale riga sta ogni key."""
    output, weights = ATTENTION(Q, K, V, mask, scale)
    return transformer.Attention(output + 1e-9 * np.arange(len(V)) @ V, weights)


def test_the_notebook_breaks_if_attention_sees_the_order_by_itself(code, monkeypatch):
    monkeypatch.setattr(transformer, "scaled_dot_product_attention", sees_the_order)
    with pytest.raises(AssertionError):
        run(code)


def test_the_notebook_breaks_if_positions_cannot_be_switched_off(code, monkeypatch):
    right = simulator_module.compare
    monkeypatch.setattr(simulator_module, "compare", lambda a, b, d=4, positions=True: right(a, b, d, True))
    with pytest.raises(AssertionError):
        run(code)


@pytest.mark.parametrize(
    "wrong", ["hand_2 = [0.290, -0.726, -0.392, 0.824]", "hand_4 = [0.336, -0.797, -0.386, 0.824]"]
)
def test_the_ladder_breaks_on_the_numbers_of_the_document(code, wrong):
    breaks_if(code, wrong)

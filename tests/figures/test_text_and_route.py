"""Figure del notebook 1: pezzi, vettori, piano, sette fasi, catena e tavolo."""

import io

import numpy as np
import pytest
from matplotlib.axes import Axes
from PIL import Image

from course_lib.figures.route import chain_and_table, seven_phases
from course_lib.figures.text import pieces, vectors, words_in_plane

LONG = [f"pezzo{i}" for i in range(60)]


def make_pieces():
    return pieces({"parole": ["La", "chiave"], "BPE": ["La", " chi", "ave"]}, title="Due tagli")


def make_vectors():
    return vectors([[0.5634, -0.5996], [0.0, 0.25]], ["regola (4)", "una (0)"], title="Due vettori")


def make_plane():
    return words_in_plane(
        [[0.1, 0.2], [0.12, 0.21], [-0.4, 0.3]], ["a", "b", "c"], pair=(0, 1), title="Vicine"
    )


def make_chain():
    return chain_and_table(["La", "chiave", "era"])


MAKERS = [make_pieces, make_vectors, make_plane, make_chain, seven_phases]
SAID = {
    make_pieces: ["Due tagli", "parole: 2 (La · chiave)", "BPE: 3 (La · ␣chi · ave)"],
    make_vectors: ["Due vettori", "regola (4)", "−0,600", "0,250"],
    make_plane: ["Vicine", "a (0,100; 0,200)", "c (−0,400; 0,300)"],
    make_chain: ["da «La» a «era» ci sono 2 passi"],
    seven_phases: ["1 · tokenizzazione", "7 · strato lineare e softmax", "notebook 2, 3, 4, 6"],
}


@pytest.mark.parametrize("make", MAKERS)
def test_size_alt_and_summary(make):
    figure = make()
    data, metadata = figure._repr_mimebundle_()
    details = metadata["image/png"]
    assert details["width"] <= 850
    for text in (data["text/plain"], details["alt"]):
        assert [part for part in SAID[make] if part not in text] == []


@pytest.mark.parametrize("make", MAKERS)
def test_same_bytes_again_and_nothing_touches_the_border(make):
    figure = make()
    assert figure.png == make().png
    pixels = np.asarray(Image.open(io.BytesIO(figure.png)).convert("L"))
    border = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    assert border.min() == 255


def test_a_long_row_goes_to_a_new_line_and_stays_inside():
    figure = pieces({"riga": LONG}, title="Molti pezzi")
    pixels = np.asarray(Image.open(io.BytesIO(figure.png)).convert("L"))
    assert pixels[:, -20:].min() == 255
    assert figure.height > 2 * make_pieces().height
    assert "riga: 60" in repr(figure)


def test_an_empty_row_and_eight_dimensions_are_drawn():
    assert "vuota: 0 ()" in repr(pieces({"vuota": [], "una": ["a"]}, title="Vuota"))
    assert vectors(np.zeros((3, 8)), ["a", "b", "c"], title="Otto").width <= 850


@pytest.mark.parametrize(("d", "shown"), [(4, "+0,300"), (12, "+0,300"), (40, "+"), (200, "+")])
def test_with_many_dimensions_the_sign_alone_is_drawn_and_the_digits_stay_in_the_text(monkeypatch, d, shown):
    drawn, write = [], Axes.text
    monkeypatch.setattr(Axes, "text", lambda *where, **how: drawn.append(where[3]) or write(*where, **how))
    figure = vectors(np.full((1, d), 0.3), ["una (0)"], title="Molte")
    assert drawn.count(shown) == d
    assert figure.width <= 850
    assert figure.alt.count("+0,300") == d

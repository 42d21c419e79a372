"""Il notebook 1: le sue celle, e la scala che si rompe quando un gradino è storto."""

import re

import numpy as np
import pytest

import course_lib.transformer.embeddings as embeddings
import course_lib.transformer.tokens as tokens
from tests.notebooks.texts import breaks_if, run

NAME = "01-dal-testo-ai-vettori"


def quick(code):
    """Le celle della scala, senza figure né widget: bastano a vederla rompersi."""
    return [source for source in code if not re.search("figures|widgets|trained", source)][:9]


def test_the_cells_run_and_leave_nothing(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names, shown = run(code)
    assert list(tmp_path.iterdir()) == []
    assert [round(float(v), 3) for v in names["embedded"][4]] == [0.563, -0.600, -0.409, 0.521]
    assert any("Dal conto: (a) lo stesso, cifra per cifra." in text for text in shown)
    assert any("Dal conto: (a) non scende mai." in text for text in shown)


@pytest.mark.parametrize("wrong", [lambda i, d: RIGHT(i, d) + 1e-9, lambda i, d: RIGHT(np.asarray(i) + 1, d)])
def test_the_ladder_breaks_if_the_library_is_wrong(code, monkeypatch, wrong):
    monkeypatch.setattr(embeddings, "simulator_embedding", wrong)
    with pytest.raises(AssertionError):
        run(quick(code))


RIGHT = embeddings.simulator_embedding


def test_the_ladder_breaks_if_the_library_merges_otherwise(code, monkeypatch):
    monkeypatch.setattr(tokens, "learn_merges", lambda words, n, first: [(words[0][0], words[0][2])])
    with pytest.raises(AssertionError):
        run(quick(code))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("hand_ids", "[0, 1, 2, 3, 4, 5, 3, 6, 7]"),
        ("hand_merges", '[("l", "i"), ("i", "b"), ("lib", "r"), ("libr", "i")]'),
        ("hand_cosines", "[0.1087, -0.2230, -0.2580, 0.0300]"),
        ("hand_embedding", "[0.5634, -0.6010, -0.3980, 0.5240]"),
    ],
)
def test_the_ladder_breaks_if_a_hand_number_is_wrong(code, name, wrong):
    breaks_if(quick(code), f"{name} = {wrong}")

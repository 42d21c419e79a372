"""Gli esempi come dati: «regola» con la sua errata, la griglia di «hello», le frasi di S2."""

import math

import numpy as np
import pytest

from course_lib.transformer.embeddings import simulator_embedding
from course_lib.transformer.examples import EXPERIMENTS, OTHER_ORDERS, SENTENCES, hello, regola
from course_lib.transformer.heads import Head
from course_lib.transformer.masks import causal_mask
from course_lib.transformer.positions import sinusoidal_encoding
from course_lib.transformer.sentences import VOCABULARY
from tests.transformer.support import expect_same

# gli errori del documento: (dimensione, stampato, giusto), come li elenca la tabella delle fonti
ERRATA = {
    "0,5·sin": [(0, 0.454, 0.455), (3, 0.494, 0.495)],
    "0,3·cos": [(1, -0.223, -0.221), (2, -0.258, -0.269), (3, 0.030, 0.026)],
    "embedding": [(1, -0.601, -0.600), (2, -0.398, -0.409), (3, 0.524, 0.521)],
    "PE(4)": [],
    "finale, posizione 4": [(1, -0.797, -0.796), (2, -0.386, -0.397), (3, 0.824, 0.821)],
    "PE(2)": [(0, -0.909, 0.909)],
    "finale, posizione 2": [(0, 0.290, 0.836), (1, -0.726, -0.724), (2, -0.392, -0.403), (3, 0.824, 0.821)],
}


def test_regola_with_plain_arithmetic():
    example = regola()
    assert (example.token, example.token_id, example.position, example.d) == ("regola", 4, 4, 4)
    sines = [0.5 * math.sin(4 * (i + 1) * 0.5) for i in range(4)]
    cosines = [0.3 * math.cos(4 * (i + 1) * 0.3) for i in range(4)]
    total = [a + b for a, b in zip(sines, cosines, strict=True)]
    codes = {p: [math.sin(p), math.cos(p), math.sin(p / 100), math.cos(p / 100)] for p in (2, 4)}
    final = {p: [e + 0.3 * c for e, c in zip(total, codes[p], strict=True)] for p in (2, 4)}
    expected = [sines, cosines, total, codes[4], final[4], codes[2], final[2]]
    assert len(example.rows) == len(expected)
    for row, values in zip(example.rows.values(), expected, strict=True):
        expect_same(row.right, values, 1e-12)


def test_regola_with_the_library():
    rows = regola().rows
    expect_same(simulator_embedding(4, 4), rows["embedding"].right, 1e-12)
    for position in (4, 2):
        code = sinusoidal_encoding(1, 4, start=position)[0]
        expect_same(code, rows[f"PE({position})"].right, 1e-12)
        final = simulator_embedding(4, 4) + 0.3 * code
        expect_same(final, rows[f"finale, posizione {position}"].right, 1e-12)


def test_errata_of_regola():
    rows = regola().rows
    assert {name: row.errata() for name, row in rows.items()} == ERRATA
    for name, row in rows.items():
        assert row.name == name
        assert bool(row.note) == bool(row.errata())
        assert len(row.printed) == 4


def test_hello_as_printed():
    example = hello()
    assert example.tokens == ("h", "e", "l", "l", "o")
    printed = example.printed
    expect_same(printed.sum(axis=1).round(2), [1.00, 1.00, 0.99, 1.01, 0.99], 1e-12)
    assert (printed[~causal_mask(5)] == 0).all()
    assert (printed[causal_mask(5)] > 0).all()
    expect_same(printed[3:, 2], printed[3:, 3], 0.0)  # lettere uguali, key uguali
    again = printed[2] / (printed[2, :3].sum() + printed[2, 2])  # la terza riga, ammessa la seconda l
    expect_same(np.array([*again[:3], again[2]]), printed[3, :4], 0.005)


def test_a_head_that_gives_the_grid_of_hello():
    example = hello()
    head = Head(example.W_Q, example.W_K, example.W_V)
    weights = head.weights(example.x, causal_mask(5))
    expect_same(weights.round(2), example.printed, 1e-12)
    assert [example.letters[i] for i in example.x.argmax(axis=1)] == list("hello")
    expect_same(weights[3, :4], [*weights[2, :2], *[weights[2, 2]] * 2] / (1 + weights[2, 2]), 1e-12)
    # con W_V = I la z dice quanta parte viene da ogni lettera
    expect_same(head.output(example.x, causal_mask(5))[4, 2:3], [weights[4, 2] + weights[4, 3]], 1e-12)


def test_sentences_and_vocabulary():
    assert len(VOCABULARY) == len(set(VOCABULARY)) == 33
    first = ["una", "vecchia", "legge", "la", "regola", "in", "silenzio", "il", "dice", "che"]
    assert list(VOCABULARY[:10]) == first
    assert VOCABULARY[-4:] == ("topo", "pesce", "è", "chiara")
    assert len(SENTENCES) == len(set(SENTENCES)) == 13
    assert len(EXPERIMENTS) == 5
    assert [view.d for view in EXPERIMENTS[3].views] == [2, 8]
    assert [view.positions for view in EXPERIMENTS[2].views] == [False, False, True, True]
    for pair in OTHER_ORDERS:
        assert sorted(pair[0].lower().split()) == sorted(pair[1].lower().split())


@pytest.mark.parametrize("make", [regola, hello])
def test_examples_are_fresh_copies(make):
    def arrays():
        example = make()
        return (
            [row.right for row in example.rows.values()] if make is regola else [example.x, example.printed]
        )

    for array in arrays():
        array[...] = 99.0
    assert all((array != 99.0).all() for array in arrays())

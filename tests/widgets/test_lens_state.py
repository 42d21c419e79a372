"""Lo stato della Lente: ogni operando, contro cicli semplici e contro i numeri fatti a mano."""

import json
import math

import numpy as np
import pytest

from course_lib.transformer import examples
from course_lib.transformer.masks import causal_mask
from course_lib.widgets.lens import CellLens
from course_lib.widgets.state.lens import state


def by_hand():
    example = examples.chiave_libri_era()
    return state(example.q, example.k, example.v, example.tokens)


def test_the_worked_row_is_that_of_the_source():
    found = by_hand()
    assert found["scores"][2] == pytest.approx([2, 0, 1], abs=1e-12)
    assert found["totals"][2] == pytest.approx(11.107338, abs=5e-7)
    assert found["weights"][2] == pytest.approx([0.665241, 0.090031, 0.244728], abs=5e-7)
    assert found["outputs"][2] == pytest.approx([0.787605, 0.212395], abs=5e-7)
    assert found["sentences"][2][0] == "era → chiave: q·k = 2,83; ÷√2 = 2,00; coefficiente 0,665"
    assert found["findings"][1] == "«libri» guarda tutti allo stesso modo: 0,333 ciascuno"
    assert [found["most"][i] for i in range(3)] == [[0], [0, 1, 2], [0]]


@pytest.mark.parametrize(("L", "S", "d_k", "d_v"), [(1, 1, 1, 1), (2, 5, 3, 4), (5, 2, 4, 1)])
@pytest.mark.parametrize("masked", [False, True])
def test_every_operand_against_plain_loops(L, S, d_k, d_v, masked):
    rng = np.random.default_rng(L + 10 * S)
    Q, K, V = rng.normal(size=(L, d_k)), rng.normal(size=(S, d_k)), rng.normal(size=(S, d_v))
    mask = rng.random((L, S)) < 0.6 if masked else None
    found = state(Q, K, V, range(L), [f"k{j}" for j in range(S)], mask)
    for i in range(L):
        may = [mask is None or bool(mask[i, j]) for j in range(S)]
        exps = []
        for j in range(S):
            products = [Q[i, c] * K[j, c] for c in range(d_k)]
            assert found["products"][i][j] == pytest.approx(products)
            assert found["partials"][i][j] == pytest.approx([sum(products[: c + 1]) for c in range(d_k)])
            assert found["dots"][i][j] == pytest.approx(sum(products))
            assert found["scores"][i][j] == pytest.approx(sum(products) / math.sqrt(d_k))
            exps.append(math.exp(sum(products) / math.sqrt(d_k)) if may[j] else 0.0)
            assert found["exponentials"][i][j] == (pytest.approx(exps[j]) if may[j] else None)
        total = sum(exps)
        assert found["totals"][i] == pytest.approx(total)
        weights = [e / total if total else 0.0 for e in exps]
        assert [w or 0.0 for w in found["weights"][i]] == pytest.approx(weights)
        assert found["sums"][i] == pytest.approx(1.0 if total else 0.0)
        for c in range(d_v):
            assert found["outputs"][i][c] == pytest.approx(sum(w * V[j, c] for j, w in enumerate(weights)))
            pieces = [w * V[j, c] for j, w in enumerate(weights)]
            assert [t[c] for t in found["terms"][i]] == pytest.approx(pieces)


def test_the_state_crosses_as_json_and_large_scores_are_shifted():
    Q, K = np.array([[400.0, 0.0], [1.0, 0.0]]), np.array([[4.0, 0.0], [3.0, 0.0]])
    found = state(Q, K, np.eye(2), ["a", "b"], mask=causal_mask(2))
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found["shifts"][0] == pytest.approx(1600 / math.sqrt(2))
    assert found["shifts"][1] == 0.0
    assert found["exponentials"][0] == [pytest.approx(1.0), None]
    assert "la maschera lo vieta" in found["sentences"][0][1]


def test_a_row_that_may_look_nowhere_is_said():
    found = state(np.eye(2), np.eye(2), np.eye(2), ["a", "b"], mask=[[False, False], [True, True]])
    assert found["most"][0] == []
    assert found["outputs"][0] == [0.0, 0.0]
    assert "non può guardare nessuno" in found["findings"][0]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"Q": np.zeros((2, 3))}, "lo stesso numero di colonne"),
        ({"rows": ["uno"]}, "mi aspettavo 2 nomi"),
        ({"Q": []}, "mi aspettavo righe e colonne"),
        ({"Q": np.zeros((25, 2)), "rows": range(25)}, "al più 24 token"),
        ({"Q": [["a", "b"], ["c", "d"]]}, "una matrice di numeri"),
        ({"Q": [[np.nan, 1.0], [0.0, 1.0]]}, "finiti"),
    ],
)
def test_wrong_arguments_get_one_sentence(change, said):
    given = {"Q": np.eye(2), "K": np.eye(2), "V": np.eye(2), "rows": ["a", "b"]} | change
    with pytest.raises(ValueError, match=said):
        state(**given)


def test_the_fallback_is_a_picture_with_words():
    data, metadata = CellLens()._repr_mimebundle_()
    assert data["text/plain"].startswith("«era» guarda soprattutto «chiave»: coefficiente 0,665")
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "0,665" in metadata["image/png"]["alt"]
    assert len(data["image/png"]) > 10_000


def test_a_cell_outside_is_refused():
    with pytest.raises(ValueError, match="at: mi aspettavo una cella"):
        CellLens(at=(3, 0))

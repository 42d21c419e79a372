"""Lo stato delle Maschere: i due ordini contro cicli semplici, la griglia di «hello», le righe vuote."""

import json
import math

import numpy as np
import pytest

from course_lib.transformer import examples
from course_lib.widgets.masks import MaskBoard, hello_scores
from course_lib.widgets.state.mask_presets import presets
from course_lib.widgets.state.masks import distinct, state

HELLO = ["h", "e", "l₃", "l₄", "o"]


def hello(name):
    scores, tokens = hello_scores()
    labels = distinct(tokens)
    return next(one["state"] for one in presets(scores, labels, labels) if one["name"] == name)


def rows_of(found):
    return ["".join("01"[may] for may in row) for row in found["allowed"]]


def test_the_causal_grid_is_that_of_the_source():
    found = hello("Causale")
    printed = examples.hello().printed
    assert found["rows"] == found["columns"] == HELLO
    for i in range(5):
        assert [round(w or 0.0, 2) for w in found["weights"][i]] == pytest.approx(printed[i].tolist())
    assert found["sums"] == pytest.approx([1.0] * 5)
    fourth, third = found["weights"][3], found["weights"][2]
    assert [w / fourth[0] for w in fourth[:3]] == pytest.approx([w / third[0] for w in third[:3]])
    assert found["weights"][4][2] == pytest.approx(found["weights"][4][3])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Nessuna", ["11111"] * 5),
        ("Causale", ["10000", "11000", "11100", "11110", "11111"]),
        ("Riempimento", ["11100"] * 5),
        ("Finestra", ["11000", "11100", "01110", "00111", "00011"]),
        ("Finestra causale", ["10000", "11000", "01100", "00110", "00011"]),
        ("Prefisso", ["11000", "11000", "11100", "11110", "11111"]),
        ("Senza diagonale", ["00000", "10000", "11000", "11100", "11110"]),
        ("2 query, 5 key", ["11110", "11111"]),
    ],
)
def test_the_masks_drawn_by_hand(name, expected):
    assert rows_of(hello(name)) == expected


@pytest.mark.parametrize(("L", "S"), [(1, 1), (2, 5), (5, 2), (6, 6)])
def test_both_orders_against_plain_loops(L, S):
    rng = np.random.default_rng(L + 7 * S)
    scores, mask = rng.normal(size=(L, S)) * 3, rng.random((L, S)) < 0.5
    mask[0] = False
    found = state(scores, range(L), [f"k{j}" for j in range(S)], mask)
    for i in range(L):
        exps = [math.exp(scores[i, j]) for j in range(S)]
        may = [j for j in range(S) if mask[i, j]]
        for j in range(S):
            assert found["open"][i][j] == pytest.approx(exps[j] / sum(exps))
            if j in may:
                assert found["weights"][i][j] == pytest.approx(exps[j] / sum(exps[m] for m in may))
                assert found["late"][i][j] == pytest.approx(exps[j] / sum(exps))
            else:
                assert found["weights"][i][j] is None
                assert found["late"][i][j] is None
        kept = sum(exps[m] for m in may) / sum(exps)
        assert found["sums"][i] == pytest.approx(1.0 if may else 0.0)
        assert found["late_sums"][i] == pytest.approx(kept)
        assert found["missing"][i] == pytest.approx(1 - kept)
        assert found["wrong"][i] is (1 - kept > 5e-4)
    assert found["blocked"] == [i for i in range(L) if not mask[i].any()]


def test_a_forbidden_score_counts_for_nothing_before_and_for_something_after():
    scores, tokens = hello_scores()
    mask = np.tri(5, dtype=bool)
    changed = scores.copy()
    changed[1, 4] = 9.0  # una cella vietata
    right, other = (state(one, tokens, tokens, mask) for one in (scores, changed))
    assert right["weights"] == other["weights"]
    assert right["late"][1] != other["late"][1]


def test_sentences_say_score_permission_and_coefficient():
    found = hello("Causale")
    assert found["sentences"][2][0] == "l₃ → h: punteggio 0,00; può guardare; coefficiente 0,313"
    forbidden = "l₃ → o: punteggio 0,00; vietato: punteggio + (−∞) = −∞; coefficiente 0"
    assert found["sentences"][2][4] == forbidden
    assert found["late_sentences"][1][4] == (
        "e → o: punteggio 0,00; vietato: la softmax gli aveva già dato 0,188, e la riga lo perde"
    )
    assert found["late_row_notes"][1].startswith("A «e» manca 0,564: la softmax l'aveva dato alle 3 celle")
    assert found["late_finding"].startswith("Ordine sbagliato: 4 righe su 5 con Σ ≠ 1")
    empty = hello("Senza diagonale")
    assert "per convenzione" in empty["sentences"][0][1]
    assert "0 ÷ 0" in empty["row_notes"][0]
    assert "«h»" in empty["finding"]


def answer(question):
    return question["options"][question["right"]]


def test_the_questions_have_the_right_answer_among_distinct_options():
    for one in MaskBoard().presets:
        for question in filter(None, one["state"]["questions"].values()):
            assert len(set(question["options"])) == len(question["options"]) >= 3
    assert answer(hello("Causale")["questions"]["before"]) == "h, e, l₃"
    assert answer(hello("Finestra")["questions"]["before"]) == "e, l₃, l₄"
    assert answer(hello("2 query, 5 key")["questions"]["before"]) == "h, e, l₃, l₄"
    assert answer(hello("Senza diagonale")["questions"]["before"]) == "tutti 0, e Σ = 0"
    assert answer(hello("Causale")["questions"]["after"]) == "meno di 1"
    assert hello("Nessuna")["questions"] == {"before": None, "after": None}


def test_the_options_of_a_question_say_what_the_mask_says():
    for one in MaskBoard().presets:
        found, question = one["state"], one["state"]["questions"]["before"]
        if question and not found["blocked"]:
            seen = [found["columns"][j] for j, may in enumerate(found["allowed"][question["row"]]) if may]
            expected = f"solo {seen[0]}" if len(seen) == 1 else ", ".join(seen)
            assert answer(question) == expected


def test_the_kernel_computes_a_mask_drawn_by_hand():
    widget = MaskBoard()
    allowed = np.tri(5, dtype=bool)
    allowed[1] = [False, False, False, False, True]
    found = widget.answer_to({"allowed": allowed.tolist()})
    assert found["name"] == "A mano"
    assert found["weights"][1] == [None, None, None, None, 1.0]
    assert found["questions"] == {"before": None, "after": None}
    two = widget.answer_to({"allowed": [[True] * 5, [False] * 5]})
    assert two["rows"] == ["l₄", "o"]
    assert two["scores"] == widget.state["scores"][3:]


@pytest.mark.parametrize(
    "allowed",
    [
        *(None, "", "   ", "😀" * 10_000, "שלום"),
        *([], [[]], [[True]], [[1, 0, 1, 0, 1]] * 5, [[True] * 5] * 6, [[True] * 5, [True]]),
    ],
)
def test_a_bad_request_gets_a_sentence_and_loses_nothing(allowed):
    widget = MaskBoard()
    before = widget.state
    widget.request = {"allowed": allowed, "serial": 1}
    assert widget.state == before
    assert "aspettavo" in widget.answer["problem"]
    assert "guasto" not in widget.answer["problem"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"scores": np.zeros((2, 2))}, "rows"),
        ({"scores": np.zeros((2, 2)), "rows": ["a"]}, "rows"),
        ({"scores": np.zeros((2, 3)), "rows": ["a", "b"]}, "columns"),
        ({"scores": np.zeros((25, 25)), "rows": range(25)}, "al più 24"),
        ({"scores": [[np.nan]], "rows": ["a"]}, "finiti"),
        ({"scores": "ciao", "rows": ["a"]}, "matrice"),
        ({"scores": np.zeros((0, 3)), "rows": []}, "non vuote"),
        ({"mask": np.eye(5)}, "True o False"),
        ({"mask": np.eye(4, dtype=bool)}, "(5, 5)"),
        ({"preset": "Causal"}, "Causale"),
    ],
)
def test_bad_arguments(arguments, word):
    with pytest.raises(ValueError, match=r"mi aspettavo|si mostrano") as error:
        MaskBoard(**arguments)
    assert word in str(error.value)


def test_more_queries_than_keys_and_odd_names():
    widget = MaskBoard(np.zeros((3, 2)), ["שלום", "🗝️", "a" * 60], ["", "  "])
    assert [one["name"] for one in widget.presets] == ["Nessuna"]
    assert widget.state["columns"] == ["(vuoto)", "␣␣"]
    json.dumps(widget.presets, allow_nan=False)


def test_a_mask_of_ones_own_opens_and_is_among_the_ready_ones():
    widget = MaskBoard(mask=np.eye(5, dtype=bool))
    assert widget.state["name"] == widget.presets[-1]["name"] == widget.options["preset"] == "A mano"
    assert rows_of(widget.state) == ["10000", "01000", "00100", "00010", "00001"]


def test_the_fallback_shows_the_ready_masks_and_the_wrong_order():
    data, metadata = MaskBoard()._repr_mimebundle_()
    text = data["text/plain"]
    assert "Causale: celle vietate 10 su 25; Σ delle righe 1,00; 1,00; 1,00; 1,00; 1,00." in text
    assert "2 query, 5 key: celle vietate 1 su 10; Σ delle righe 1,00; 1,00." in text
    late = "Causale, ma dopo la softmax: celle vietate 10 su 25; Σ delle righe 0,20; 0,44; 0,60; 0,81; 1,00."
    assert late in text
    assert metadata["image/png"]["alt"] == text
    assert metadata["image/png"]["width"] <= 850
    json.dumps(MaskBoard().state, allow_nan=False)

"""Il simulatore: quattro fasi, numeri rifatti con i cicli, e le affermazioni del documento misurate."""

import json
import math

import numpy as np
import pytest

from course_lib.transformer.examples import EXPERIMENTS, OTHER_ORDERS, SENTENCES
from course_lib.transformer.sentences import IL, IN, VOCABULARY
from course_lib.transformer.simulator import compare, state
from tests.transformer.support import expect_same, loop_attention


def by_loops(ids, d, positions):
    """embedding, PE, somma e coefficienti con la sola libreria standard."""
    embedding = [
        [0.5 * math.sin(t * (i + 1) * 0.5) + 0.3 * math.cos(t * (i + 1) * 0.3) for i in range(d)] for t in ids
    ]
    encoding = []
    for p in range(len(ids)):
        angles = [p / 10000 ** (2 * (j // 2) / d) for j in range(d)]
        encoding.append([math.cos(a) if j % 2 else math.sin(a) for j, a in enumerate(angles)])
    factor = 0.3 if positions else 0.0
    final = [
        [e + factor * c for e, c in zip(*rows, strict=True)] for rows in zip(embedding, encoding, strict=True)
    ]
    return embedding, encoding, final, loop_attention(final, final, final)[1]


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("d", [2, 4, 5, 8])
@pytest.mark.parametrize("positions", [True, False])
def test_state_equals_the_loops(sentence, d, positions):
    shown = state(sentence, d, positions)
    ids = [VOCABULARY.index(word) for word in sentence.lower().split()]
    embedding, encoding, final, weights = by_loops(ids, d, positions)
    assert shown["ids"] == ids
    assert shown["tokens"] == sentence.split()
    assert shown["new_words"] == []
    for name, expected in (("embedding", embedding), ("encoding", encoding), ("final", final)):
        expect_same(np.array(shown[name]), expected, 1e-12)
    expect_same(np.array(shown["added"]), np.array(encoding) * (0.3 if positions else 0.0), 1e-12)
    expect_same(np.array(shown["weights"]), weights, 1e-12)
    exponentials = np.exp(shown["scores"])
    expect_same(exponentials / exponentials.sum(axis=1, keepdims=True), weights, 1e-12)
    assert shown["most_attended"] == np.argmax(weights, axis=1).tolist()


def test_state_is_lists_numbers_and_strings():
    shown = state(IN)
    assert json.loads(json.dumps(shown)) == shown
    json.dumps(compare(IN, IL), allow_nan=False)
    assert "scelta del corso" in shown["rule"]
    assert (shown["d"], shown["positions"], shown["sentence"]) == (4, True, IN)


def test_vocabulary_and_own_words():
    assert state(IN)["ids"] == [0, 1, 2, 3, 4, 5, 6]
    assert state(IL)["ids"] == [0, 1, 2, 3, 4, 7, 6]
    own = state("La chiave apre la porta, la chiave")
    assert own["tokens"] == ["La", "chiave", "apre", "la", "porta", ",", "la", "chiave"]
    assert own["ids"] == [3, 33, 34, 3, 35, 36, 3, 33]
    assert own["new_words"] == ["chiave", "apre", "porta", ","]
    assert own["vocabulary"] == [*VOCABULARY, "chiave", "apre", "porta", ","]
    both = compare("chiave e porta", "porta e chiave")
    assert both["first"]["ids"] == [33, 34, 35]
    assert both["second"]["ids"] == [35, 34, 33]
    assert both["second"]["new_words"] == ["porta", "e", "chiave"]


def test_the_word_regola_in_the_sentence():
    shown = state(IN)
    expect_same(np.array(shown["final"][4]), [0.3363, -0.7957, -0.3967, 0.8207], 5e-5)


def test_entropy_and_distances():
    shown = state("il il libro", positions=False)
    weights, final = np.array(shown["weights"]), np.array(shown["final"])
    expected = [-sum(p * math.log2(p) for p in row) for row in weights.tolist()]
    expect_same(np.array(shown["entropies"]), expected, 1e-12)
    assert state("ciao")["entropies"] == [0.0]
    distance = math.dist(final[0], final[2])
    expect_same(
        np.array(shown["distances"]), [[0, 0, distance], [0, 0, distance], [distance] * 2 + [0]], 1e-12
    )


def test_waves_pass_through_the_codes():
    shown = state(IN, d=5)
    assert len(shown["waves"]["values"]) == 5
    assert len(shown["waves"]["positions"]) == 61
    every_place = np.array(shown["waves"]["values"])[:, ::10].T
    expect_same(every_place, shown["encoding"], 1e-12)
    assert state("ciao")["waves"]["positions"] == [0.0]


@pytest.mark.parametrize("positions", [True, False])
def test_equal_tokens_have_equal_rows_without_positions(positions):
    shown = state(OTHER_ORDERS[0][0], positions=positions)
    assert shown["equal_tokens"] == [[0, 3]]
    final, weights = np.array(shown["final"]), np.array(shown["weights"])
    assert (final[0] == final[3]).all() == (not positions)
    assert (weights[0] == weights[3]).all() == (not positions)
    (note,) = shown["notes"]
    assert note.startswith("La stessa parola in posti diversi" if positions else "Senza posizioni")
    assert "«Il» nei posti 0, 3" in note
    assert state(IN, positions=positions)["notes"] == []


# --- le affermazioni del documento, misurate ------------------------------------------------------


def test_experiment_one_changes_little():
    """in → il: nessun coefficiente cambia più di 0,035; le altre righe sono moltiplicate per un numero."""
    result = compare(IN, IL)
    assert result["changed"] == [5]
    assert 0.034 < result["largest"] <= 0.035
    difference = np.array(result["difference"])
    row, column = result["largest_at"]
    assert abs(difference[row, column]) == result["largest"] == np.abs(difference).max()
    before, after = np.array(result["first"]["weights"]), np.array(result["second"]["weights"])
    expect_same(difference, after - before, 0.0)
    kept = [0, 1, 2, 3, 4, 6]
    for i in kept:
        expect_same(after[i, kept], before[i, kept] * result["factors"][i], 1e-12)
        assert abs(result["factors"][i] - 1) > 0.005
    assert result["factors"][5] is None
    assert (result["order"], result["reordered"]) == (None, None)
    back = compare(IL, IN)  # i segni si scambiano, il cambiamento più grande resta quello
    assert (back["largest"], back["largest_at"]) == (result["largest"], result["largest_at"])


def test_a_word_does_not_always_attend_most_to_itself():
    most = state(IN, d=4)["most_attended"]
    assert [state(IN)["tokens"][i] for i in range(7) if most[i] != i] == ["Una", "silenzio"]
    assert state(IN, d=8)["most_attended"] == list(range(7))


def test_order_without_positions_is_only_a_permutation():
    one, two = (view.sentence for view in EXPERIMENTS[2].views[:2])
    result = compare(one, two, positions=False)
    assert result["order"] == [3, 4, 2, 0, 1]
    assert np.abs(result["reordered"]).max() < 1e-15
    first, second = np.array(result["first"]["weights"]), np.array(result["second"]["weights"])
    expect_same(second, first[result["order"]][:, result["order"]], 1e-15)
    result = compare(one, two)
    assert result["order"] == [3, 4, 2, 0, 1]
    assert np.abs(result["reordered"]).max() > 0.05


def test_order_of_repeated_words():
    result = compare(*OTHER_ORDERS[0], positions=False)
    assert result["order"] == [0, 4, 2, 3, 1]
    assert np.abs(result["reordered"]).max() < 1e-15


def test_sentences_of_different_lengths():
    result = compare("La regola", "La regola è chiara")
    missing = ("changed", "difference", "largest", "largest_at", "factors", "order", "reordered")
    assert [result[name] for name in missing] == [None] * 7
    assert len(result["second"]["weights"]) == 4


def test_a_sentence_against_itself():
    result = compare(IN, IN)
    assert (result["changed"], result["largest"], result["order"]) == ([], 0.0, list(range(7)))
    assert result["factors"] == [1.0] * 7


@pytest.mark.parametrize(
    ("sentence", "match"),
    [
        ("", "La frase è vuota"),
        (" \n\t", "La frase è vuota"),
        (None, "La frase è vuota"),
        ("a" * 10_000, "La frase ha 10\u202f000 caratteri: il simulatore ne legge al più 1000"),
        ("a " * 25, "La frase ha 25 parole e segni: il simulatore ne mostra al più 24"),
    ],
)
def test_bad_sentences_are_explained(sentence, match):
    for call in (lambda: state(sentence), lambda: compare(IN, sentence), lambda: compare(sentence, IN)):
        with pytest.raises(ValueError, match=match):
            call()


@pytest.mark.parametrize("sentence", ["😀 👨‍👩‍👧", "שלום עולם", "a " * 24, "e\u0301 é", "\ud800 x", "123 !"])
def test_odd_sentences_are_shown(sentence):
    shown = state(sentence)
    n = len(shown["tokens"])
    assert 2 <= n <= 24
    expect_same(np.array(shown["weights"]).sum(axis=1), np.ones(n), 1e-12)


@pytest.mark.parametrize("d", [1, 9, 4.5, "quattro", None])
def test_dimensions_are_checked(d):
    with pytest.raises(ValueError, match="d: mi aspettavo un intero fra 2 e 8"):
        state(IN, d)

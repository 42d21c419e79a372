"""La BPE: un corpus di sei parole fatto a mano, e un oracolo che riconta tutto a ogni passo."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.transformer.bpe import count_pairs, encode_word, learn_merges, merge_pair, pieces
from course_lib.transformer.tokens import BPETokenizer

few = settings(max_examples=120, deadline=None)
words_of_ids = st.lists(st.lists(st.integers(0, 2), max_size=6), max_size=6)


def slow_merges(words, n_merges, first_new):
    """Le stesse unioni, ricontando ogni coppia di ogni parola a ogni passo."""
    words, merges = [list(word) for word in words], []
    for step in range(n_merges):
        counts = Counter()
        for word in words:
            counts.update(pairwise(word))
        if not counts or max(counts.values()) < 2:
            break
        most = max(counts.values())
        pair = next(p for word in words for p in pairwise(word) if counts[p] == most)
        merges.append(pair)
        words = [slow_merge(word, pair, first_new + step) for word in words]
    return merges


def slow_merge(word, pair, new):
    for i in range(len(word) - 1):
        if (word[i], word[i + 1]) == pair:
            return [*word[:i], new, *slow_merge(word[i + 2 :], pair, new)]
    return list(word)


def slow_encode(word, merges, first_new):
    """Tutte le unioni, una dopo l'altra, anche quelle che non servono."""
    for step, pair in enumerate(merges):
        word = slow_merge(word, pair, first_new + step)
    return list(word)


def test_six_words_by_hand():
    """Con lo spazio davanti: lana, ␣lama due volte, ␣rana, ␣rama, ␣lana."""
    text = "lana lama rana rama lana lama"
    tokenizer = BPETokenizer(5).train(text)
    assert tokenizer.vocabulary[256:262] == ["l", "a", "n", " ", "m", "r"]
    # la 4 volte; poi 3 volte na, ␣la, ma: vince la prima del testo; poi 2 volte ␣lama, ␣r, ra
    assert tokenizer.vocabulary[262:] == ["la", "na", " la", "ma", " lama"]
    assert tokenizer.merges == [(256, 257), (258, 257), (259, 262), (260, 257), (264, 265)]
    assert [tokenizer.vocabulary[i] for i in tokenizer.encode("lana rana")] == [
        "la",
        "na",
        " ",
        "r",
        "a",
        "na",
    ]


def test_equal_neighbours_are_merged_once_from_the_left():
    assert merge_pair([7, 7, 7], (7, 7), 9) == [9, 7]
    assert merge_pair([7, 7, 7, 7], (7, 7), 9) == [9, 9]
    assert merge_pair([7, 8, 7, 8], (8, 7), 9) == [7, 9, 8]
    assert merge_pair([], (1, 2), 9) == []
    assert merge_pair([1], (1, 1), 9) == [1]
    tokenizer = BPETokenizer(1).train("aaa")
    assert [tokenizer.vocabulary[i] for i in tokenizer.encode("aaa")] == ["aa", "a"]


def test_pairs_are_counted_where_they_stand():
    counts = count_pairs([[1, 1, 1], [2, 1, 1]])
    assert list(counts.items()) == [((1, 1), 3), ((2, 1), 1)]


def test_training_stops_when_nothing_repeats():
    assert BPETokenizer(50).train("abcd").merges == []
    assert BPETokenizer(50).train("ab ab").merges == [(256, 257)]  # « ab» compare una volta sola
    assert BPETokenizer(0).train("ab ab").merges == []
    assert BPETokenizer(50).train("").vocabulary == [f"<{byte:02X}>" for byte in range(256)]


def test_a_tie_goes_to_the_pair_that_comes_first():
    tokenizer = BPETokenizer(1).train("ba ab ba ab")
    assert tokenizer.vocabulary[-1] == "ba"
    tokenizer = BPETokenizer(1).train("ab ba ab ba")
    assert tokenizer.vocabulary[-1] == "ab"


def test_a_character_never_seen_is_its_bytes():
    tokenizer = BPETokenizer(5).train("ciao ciao")
    assert tokenizer.encode("é") == [0xC3, 0xA9]
    assert tokenizer.encode("\ud800") == [0xED, 0xA0, 0x80]
    assert tokenizer.vocabulary[0xC3] == "<C3>"


def test_a_merge_never_crosses_a_word():
    tokenizer = BPETokenizer(500).train("il libro, il libro, il libro; " * 3)
    for token in tokenizer.vocabulary[256:]:
        assert len(pieces(token)) == 1


@few
@given(text=st.text(st.characters(exclude_categories=()), max_size=20))
def test_pieces_put_together_give_the_text(text):
    assert "".join(pieces(text)) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("il libro", ["il", " libro"]),
        ("l'uomo, là", ["l'", "uomo", ",", " là"]),
        ("a  b\n\nc ", ["a", " ", " b", "\n\n", "c", " "]),
        ("a \n b", ["a", " \n", " b"]),
        ("così…?!", ["così", "…?!"]),
    ],
)
def test_pieces_by_hand(text, expected):
    assert pieces(text) == expected


@few
@given(words=words_of_ids, n_merges=st.integers(0, 8))
def test_learning_equals_counting_again_and_again(words, n_merges):
    merges = learn_merges(words, n_merges, 3)
    assert merges == slow_merges(words, n_merges, 3)
    ranks = {pair: 3 + i for i, pair in enumerate(merges)}
    for word in words:
        assert encode_word(word, ranks) == slow_encode(word, merges, 3)


def test_words_given_are_not_changed():
    words = [[1, 2, 1, 2], [1, 2]]
    learn_merges(words, 3, 9)
    assert words == [[1, 2, 1, 2], [1, 2]]

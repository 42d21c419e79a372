"""N-grammi e finestre: i numeri a mano, l'oracolo in cicli, e che cosa riescono a fare sulla concordanza."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from course_lib.learning.corpus import (
    TALE_CHARACTERS,
    AgreementGrammar,
    NGram,
    Window,
    predict,
    tale,
)

WORKED = [0, 1, 0, 1, 0, 2]


@pytest.fixture(scope="module")
def grammar():
    return AgreementGrammar(0)


@pytest.fixture(scope="module")
def known(grammar):
    """Quanto indovinano sulla prova n-grammi e finestre addestrati, dato il numero di attrattori."""

    def accuracy(model, attractors=1, tested_on=None, split="test"):
        model = model.train(grammar.ids(grammar.sentences("train", attractors)))
        sentences = grammar.sentences(split, attractors if tested_on is None else tested_on)
        return grammar.gender_accuracy(sentences, predict(model, grammar.ids(sentences)[:, :-1]))

    return accuracy


def test_unigram_and_bigram_by_hand():
    """Sei token, tre diversi: 3, 2 e 1 volta. Dopo lo 0: due volte 1, una volta 2."""
    model = NGram(1, 3).train([WORKED])
    assert model.probabilities([]) == pytest.approx([4 / 9, 3 / 9, 2 / 9])
    model = NGram(2, 3).train([WORKED])
    assert model.probabilities([0]) == pytest.approx([8 / 45, 24 / 45, 13 / 45])
    assert model.probabilities([2]) == pytest.approx([4 / 9, 3 / 9, 2 / 9])     # dopo il 2 non c'è mai nulla
    assert model.probabilities([1, 2, 0]) == pytest.approx(model.probabilities([0]))


def test_loss_by_hand():
    model = NGram(2, 3).train([WORKED])
    # il primo senza contesto; dopo lo 0 un 1; dopo l'1 uno 0: (2 + 1·4/9) / 3; …; dopo lo 0 un 2
    p = [4 / 9, 24 / 45, 22 / 27, 24 / 45, 22 / 27, 13 / 45]
    assert model.loss([WORKED]) == pytest.approx(-sum(map(math.log, p)) / 6)
    assert NGram(3, 7).loss([[1, 2, 3]]) == pytest.approx(math.log(7))          # non ha contato nulla


@pytest.mark.parametrize("order", [1, 2, 3, 5])
def test_ngram_probabilities_are_probabilities_and_give_the_loss(order):
    rng = np.random.default_rng(order)
    sequences = [rng.integers(0, 6, n).tolist() for n in (30, 1, 12)]
    model = NGram(order, 6).train(sequences)
    other = rng.integers(0, 6, 40).tolist()
    surprise = []
    for i, token in enumerate(other):
        p = model.probabilities(other[:i])
        assert p.shape == (6,)
        assert p.sum() == pytest.approx(1)
        assert (p > 0).all()
        assert p == pytest.approx(model.probabilities(other[max(0, i - order + 1):i]))
        surprise.append(-math.log(p[token]))
    assert model.loss([other]) == pytest.approx(np.mean(surprise))


def test_ngram_counts_add_up_and_sequences_stay_apart():
    together = NGram(2, 3).train([[0, 1], [2, 0]])
    in_turn = NGram(2, 3).train([[0, 1]]).train([[2, 0]])
    joined = NGram(2, 3).train([[0, 1, 2, 0]])
    for context in ([], [0], [1], [2]):
        assert together.probabilities(context) == pytest.approx(in_turn.probabilities(context))
    assert together.probabilities([1]) == pytest.approx(together.probabilities([]))   # 1 chiude la sua fila
    assert joined.probabilities([1])[2] > together.probabilities([1])[2]


def window_by_loops(sequences, width, n_tokens, context):
    """La stessa formula, una parola alla volta."""
    start = n_tokens
    votes = []
    for w in range(n_tokens):
        uses = [(ids, i) for ids in sequences for i, token in enumerate(ids) if token == w]
        vote = math.log(len(uses) + 0.5)
        for k in range(1, width + 1):
            seen = context[-k] if k <= len(context) else start
            same = sum((ids[i - k] if i >= k else start) == seen for ids, i in uses)
            vote += math.log((same + 0.5) / (len(uses) + 0.5 * (n_tokens + 1)))
        votes.append(vote)
    p = np.exp(np.array(votes) - max(votes))
    return p / p.sum()


@pytest.mark.parametrize("width", [0, 1, 3])
def test_window_agrees_with_the_loops(width):
    rng = np.random.default_rng(width)
    sequences = [rng.integers(0, 5, n).tolist() for n in (20, 2, 9)]
    model = Window(width, 5).train(sequences)
    for context in ([], [4], [1, 2], [0, 3, 3, 1, 2]):
        assert model.probabilities(context) == pytest.approx(window_by_loops(sequences, width, 5, context))


def test_a_window_sees_its_width_and_no_further():
    rng = np.random.default_rng(0)
    model = Window(2, 5).train([rng.integers(0, 5, 60)])
    assert (model.probabilities([0, 0, 3, 4]) == model.probabilities([2, 1, 3, 4])).all()
    assert (model.probabilities([0, 3, 4]) != model.probabilities([0, 1, 4])).any()


@pytest.mark.parametrize("order", range(1, 9))
def test_counting_stays_at_chance_on_unseen_pairs(known, order):
    assert known(NGram(order, 105)) == 0.5


def test_counting_remembers_the_pairs_it_has_seen(known):
    """Di ordine 6 l'n-gramma vede il soggetto: ricorda le coppie già viste, ma alle altre non serve."""
    assert known(NGram(5, 105), split="train") == 0.5
    assert known(NGram(6, 105), split="train") == 1.0


def test_without_attractors_a_trigram_is_enough(known):
    accuracies = [known(NGram(order, 105), attractors=0) for order in (1, 2, 3, 4)]
    assert accuracies == [0.5, 0.5, 1.0, 1.0]
    assert [known(Window(width, 105), attractors=0) for width in (1, 2, 3)] == [0.5, 1.0, 1.0]


def test_a_window_must_reach_the_subject(known):
    """Con un attrattore il soggetto sta cinque parole prima dell'aggettivo, il suo articolo sei."""
    assert [known(Window(width, 105)) for width in range(7)] == [0.5, 0.5, 0.5, 0.5, 0.5, 1.0, 1.0]


def test_a_wide_window_looks_at_the_wrong_place_with_one_attractor_more(known):
    """Nel posto in cui stava il soggetto ora c'è un attrattore."""
    assert known(Window(6, 105), tested_on=2) == 0.5
    assert known(Window(9, 105), tested_on=2) == 0.5


def test_with_two_attractors_the_window_must_be_eight_wide(grammar):
    every = grammar.sentences("train", 2)
    train = [s for i, s in enumerate(every) if (i // 2) % 7 == 0]        # un settimo, con le gemelle
    test = grammar.sentences("test", 2)
    contexts = grammar.ids(test)[:, :-1]
    accuracies = [
        grammar.gender_accuracy(test, predict(Window(width, 105).train(grammar.ids(train)), contexts))
        for width in (7, 8)
    ]
    assert accuracies == [0.5, 1.0]


def test_the_figures_of_the_tale():
    """Sull'ultimo decimo del racconto, in nat per carattere: il trigramma è il riferimento da battere."""
    ids = np.array([TALE_CHARACTERS.index(c) for c in tale()])
    cut = len(ids) * 9 // 10
    losses = [NGram(order, 60).train([ids[:cut]]).loss([ids[cut:]]) for order in (1, 2, 3, 5)]
    assert losses == pytest.approx([2.998, 2.265, 1.851, 1.505], abs=0.002)
    assert all(a > b for a, b in pairwise([math.log(60), *losses]))


def test_predict_asks_one_row_per_context():
    model = NGram(2, 3).train([WORKED])
    rows = predict(model, [[0], [1], [0]])
    assert rows.shape == (3, 3)
    assert (rows[0] == rows[2]).all()
    assert (rows[1] == model.probabilities([1])).all()
    assert predict(model, []).shape == (0, 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: NGram(0, 5), "order: mi aspettavo un intero, almeno 1"),
        (lambda: NGram(2.0, 5), "order: mi aspettavo un intero"),
        (lambda: Window(-1, 5), "width: mi aspettavo un intero, almeno 0"),
        (lambda: Window(True, 5), "width: mi aspettavo un intero"),
        (lambda: NGram(2, 0), "n_tokens: mi aspettavo un intero, almeno 1"),
        (lambda: NGram(2, 3).train([1, 2]), "per più file, una lista di file"),
        (lambda: NGram(2, 3).train(["chiave"]), "una fila di ID interi"),
        (lambda: NGram(2, 3).train([[0, 3]]), "fra 0 e 2, sono arrivati ID fra 0 e 3"),
        (lambda: Window(2, 3).probabilities([-1]), "fra 0 e 2, sono arrivati ID fra -1 e -1"),
        (lambda: NGram(2, 3).loss([[]]), "almeno un token"),
    ],
)
def test_wrong_requests_are_refused_in_italian(call, message):
    with pytest.raises(ValueError, match=message):
        call()

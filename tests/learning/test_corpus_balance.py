"""Nulla rivela il genere dell'aggettivo, tranne il soggetto e il suo articolo; la misura misura il genere."""

from __future__ import annotations

import numpy as np
import pytest

from course_lib.learning.corpus import AgreementGrammar, accuracy_seeing, chance_level

SPLITS = ("train", "validation", "test")
# Tutte tranne la più grande: l'addestramento con due attrattori di numero libero, 192 000 frasi.
PARTS = [
    (split, attractors, opposite)
    for split in SPLITS
    for attractors in (0, 1, 2)
    for opposite in (True, False)
    if (split, attractors, opposite) != ("train", 2, False)
]


@pytest.fixture(scope="module")
def grammar():
    return AgreementGrammar(0)


def hidden_places(sentence):
    return [p for p in range(len(sentence.tokens) - 1) if p not in (sentence.article, sentence.subject)]


@pytest.mark.parametrize(("split", "attractors", "opposite"), PARTS)
def test_twins_differ_in_the_subject_and_in_its_agreement_alone(grammar, split, attractors, opposite):
    sentences = grammar.sentences(split, attractors, opposite=opposite)[:4000]
    for feminine, masculine in zip(sentences[::2], sentences[1::2], strict=True):
        assert (feminine.gender, masculine.gender) == ("f", "m")
        different = [
            i for i, (a, b) in enumerate(zip(feminine.tokens, masculine.tokens, strict=True)) if a != b
        ]
        assert different == [feminine.article, feminine.subject, feminine.adjective]
        assert feminine.lemma == masculine.lemma


@pytest.mark.parametrize(("split", "attractors", "opposite"), PARTS)
def test_chance_is_one_half_for_whoever_does_not_see_the_subject(grammar, split, attractors, opposite):
    sentences = grammar.sentences(split, attractors, opposite=opposite)
    assert chance_level(sentences) == 0.5


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("attractors", [0, 1])
def test_no_word_but_the_subject_and_its_article_gives_the_gender_away(seed, attractors):
    grammar = AgreementGrammar(seed)
    train, test = (grammar.sentences(split, attractors) for split in ("train", "test"))
    for place in hidden_places(train[0]):
        assert accuracy_seeing([place], train) == 0.5
        assert accuracy_seeing([place], test) == 0.5
        assert accuracy_seeing([place], test, learned_from=train) == 0.5
    together = hidden_places(train[0])
    assert accuracy_seeing(together, train) == accuracy_seeing(together, test, learned_from=train) == 0.5
    for place in (0, 1):
        assert accuracy_seeing([place], test, learned_from=train) == 1.0


def test_the_verb_does_not_follow_the_attractor_when_numbers_are_free(grammar):
    """Con opposite=False neppure il numero del verbo si indovina dall'attrattore; con True sì, sempre."""
    for opposite, expected in ((True, 1.0), (False, 0.5)):
        sentences = grammar.sentences("test", opposite=opposite)
        table = {}
        for s in sentences:
            table.setdefault(s.tokens[4], []).append(s.number == "s")
        best = [max(sum(row), len(row) - sum(row)) for row in table.values()]
        assert sum(best) / len(sentences) == expected


def test_why_the_number_must_be_the_opposite_one(grammar):
    """Chiedere soltanto «un altro genere o un altro numero» rivelerebbe il genere: l'attrattore basta."""
    strict = [
        s for s in grammar.sentences("train", opposite=False)
        if (s.gender, s.number) != (s.attractor_genders[0], s.attractor_numbers[0])
    ]
    assert accuracy_seeing([4, 5], strict) == pytest.approx(2 / 3)
    assert accuracy_seeing([4], strict) == pytest.approx(2 / 3)


def test_a_leak_is_seen(grammar):
    sentences = grammar.sentences("test")
    leaking = [s for s in sentences if s.gender == "f" or s.tokens[2] != "accanto"]
    assert accuracy_seeing([2], leaking) > 0.55
    assert chance_level(leaking) > 0.55
    verb = [s for s in grammar.sentences("test", 0) if (s.gender, s.number) in (("f", "s"), ("m", "p"))]
    assert chance_level(verb) == accuracy_seeing([2], verb) == 1.0
    unfair = [s for s in sentences if (s.gender == "f") == (s.attractor_genders[0] == "f")]
    assert accuracy_seeing([4], unfair) == 1.0
    other = [s for s in sentences if (s.gender == "f") != (s.attractor_genders[0] == "f")]
    assert accuracy_seeing([4], other, learned_from=unfair) == 0.0
    assert accuracy_seeing([0], other, learned_from=other[:0]) == 0.5     # nulla imparato: a caso


def one_hot(grammar, words):
    ids = [grammar.vocabulary.index(word) for word in words]
    return np.eye(len(grammar.vocabulary))[ids]


def test_hits_look_at_gender_alone(grammar):
    sentences = grammar.sentences("test")[:200]
    forms = {"f": {"s": "nera", "p": "nere"}, "m": {"s": "nero", "p": "neri"}}
    other = {"f": "m", "m": "f", "s": "p", "p": "s"}
    right = one_hot(grammar, [forms[s.gender][s.number] for s in sentences])   # sempre lo stesso aggettivo
    wrong = one_hot(grammar, [forms[other[s.gender]][s.number] for s in sentences])
    number_wrong = one_hot(grammar, [forms[other[s.gender]][other[s.number]] for s in sentences])
    assert grammar.gender_hits(sentences, right).tolist() == [1.0] * 200
    assert grammar.gender_hits(sentences, wrong).tolist() == [0.0] * 200
    assert grammar.gender_accuracy(sentences, 0.1 * right + 0.9 * number_wrong) == 1.0
    uniform = np.full_like(right, 1 / right.shape[1])
    assert grammar.gender_hits(sentences, uniform).tolist() == [0.5] * 200
    half = np.where(np.arange(200)[:, None] < 50, right, wrong)
    assert grammar.gender_accuracy(sentences, half) == 0.25


def test_many_small_probabilities_weigh_more_than_one(grammar):
    sentence = next(s for s in grammar.sentences("test") if (s.gender, s.number) == ("f", "s"))
    words = ["nera", "nuova", "rotta"]
    p = 0.2 * one_hot(grammar, words).sum(axis=0) + 0.4 * one_hot(grammar, ["nero"])[0]
    assert grammar.gender_hits([sentence], p[None]).tolist() == [1.0]


def test_adjective_ids_name_the_forms(grammar):
    words = {
        key: [grammar.vocabulary[i] for i in grammar.adjective_ids(*key)] for key in ("fs", "ms", "fp", "mp")
    }
    assert words["fp"][:3] == ["arrugginite", "bagnate", "fredde"]
    assert [len(set(found)) for found in words.values()] == [10] * 4
    assert {key: {word[-1] for word in found} for key, found in words.items()} == {
        "fs": {"a"}, "ms": {"o"}, "fp": {"e"}, "mp": {"i"}
    }


def test_what_is_not_a_table_of_probabilities_is_refused(grammar):
    sentences = grammar.sentences("test")[:4]
    good = np.full((4, len(grammar.vocabulary)), 0.01)
    assert grammar.gender_accuracy(sentences, good) == 0.5
    with pytest.raises(ValueError, match="una riga per frase"):
        grammar.gender_hits(sentences, good[:, :-1])
    with pytest.raises(ValueError, match="applica prima la softmax"):
        grammar.gender_hits(sentences, good - 0.02)
    with pytest.raises(ValueError, match="mi aspettavo probabilità"):
        grammar.gender_hits(sentences, np.where(good > 0, np.nan, good))

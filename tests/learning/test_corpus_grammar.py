"""La grammatica della concordanza: le frasi sono giuste, le parti sono disgiunte, i gruppi coprono tutto."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from course_lib.learning.corpus import AgreementGrammar

SPLITS = ("train", "validation", "test")

# Scritte una seconda volta, a mano: genere e numero di ogni parola, senza passare dal codice che genera.
NOUNS = {
    "f": "chiave/chiavi moneta/monete scatola/scatole lampada/lampade campana/campane pentola/pentole "
    "catena/catene bilancia/bilance lanterna/lanterne statua/statue lettera/lettere",
    "m": "chiodo/chiodi coltello/coltelli baule/bauli specchio/specchi martello/martelli secchio/secchi "
    "lucchetto/lucchetti vassoio/vassoi sgabello/sgabelli scrigno/scrigni libro/libri",
}
FEATURES = {
    form: (gender, number)
    for gender, words in NOUNS.items()
    for word in words.split()
    for number, form in zip("sp", word.split("/"), strict=True)
}
WITH_LO = {"specchio", "sgabello", "scrigno", "specchi", "sgabelli", "scrigni"}
SMALL = {"chiave", "chiodo", "moneta", "coltello", "lettera", "libro"}
LEMMAS = "arrugginito bagnato freddo impolverato nascosto nero nuovo piccolo prezioso rotto".split()


def right_article(noun: str) -> str:
    gender, number = FEATURES[noun]
    if gender == "f":
        return {"s": "la", "p": "le"}[number]
    if noun in WITH_LO:
        return {"s": "lo", "p": "gli"}[number]
    return {"s": "il", "p": "i"}[number]


def right_tokens(subject: str, complements: list[tuple[str, str]], lemma: str) -> list[str]:
    gender, number = FEATURES[subject]
    words = [right_article(subject), subject]
    for preposition, noun in complements:
        joined = {"la": "alla", "le": "alle", "lo": "allo", "gli": "agli", "il": "al", "i": "ai"}
        article = right_article(noun)
        if preposition in ("accanto", "vicino", "davanti"):
            article = joined[article]
        else:
            assert preposition in ("dietro", "sopra", "sotto")
        words += [preposition, article, noun]
    ending = {"fs": "a", "ms": "o", "fp": "e", "mp": "i"}[gender + number]
    return [*words, {"s": "era", "p": "erano"}[number], lemma[:-1] + ending]


@pytest.fixture(scope="module")
def grammar():
    return AgreementGrammar(0)


@pytest.mark.parametrize("opposite", [True, False])
@pytest.mark.parametrize("attractors", [0, 1, 2])
def test_every_sentence_is_right_italian(grammar, attractors, opposite):
    for sentence in grammar.sentences("test", attractors, opposite=opposite):
        nouns = [sentence.tokens[i] for i in sentence.attractors]
        complements = list(zip(sentence.tokens[2:-2:3], nouns, strict=True))
        assert list(sentence.tokens) == right_tokens(sentence.tokens[1], complements, sentence.lemma)
        assert sentence.lemma in LEMMAS
        assert len({preposition for preposition, _ in complements}) == attractors
        behind_small = [n for p, n in zip(sentence.tokens[2:-2:3], sentence.attractor_nouns, strict=True)
                        if p in ("davanti", "dietro") and n in SMALL]
        assert behind_small == []


def test_a_sentence_says_where_everything_is(grammar):
    for attractors in (0, 1, 2):
        for sentence in grammar.sentences("validation", attractors)[::7]:
            assert (sentence.article, sentence.subject) == (0, 1)
            assert (sentence.gender, sentence.number) == FEATURES[sentence.tokens[sentence.subject]]
            features = [FEATURES[sentence.tokens[i]] for i in sentence.attractors]
            assert features == list(
                zip(sentence.attractor_genders, sentence.attractor_numbers, strict=True)
            )
            assert len(features) == attractors
            assert sentence.tokens[sentence.verb] in ("era", "erano")
            assert sentence.adjective == len(sentence.tokens) - 1 == sentence.verb + 1
            assert sentence.prefix == sentence.tokens[:-1]


def test_the_sentence_of_the_course_belongs_to_the_grammar():
    found = {}
    for seed in range(12):
        grammar = AgreementGrammar(seed)
        for split in SPLITS:
            for sentence in grammar.sentences(split):
                found.setdefault(str(sentence), sentence)
    sentence = found["la chiave accanto ai libri era arrugginita"]
    assert (sentence.noun, sentence.attractor_nouns, sentence.lemma) == ("chiave", ("libro",), "arrugginito")
    assert (sentence.gender, sentence.number) == ("f", "s")
    assert (sentence.attractor_genders, sentence.attractor_numbers) == (("m",), ("p",))
    assert (sentence.attractors, sentence.verb, sentence.adjective) == ((4,), 5, 6)


def test_the_vocabulary_holds_the_words_in_use_and_no_other(grammar):
    used = {word for split in SPLITS for s in grammar.sentences(split) for word in s.tokens}
    assert set(grammar.vocabulary) == used | {"<ignoto>"}
    assert 80 <= len(used) <= 120
    assert used == {word for s in grammar.sentences("train") for word in s.tokens}
    assert list(grammar.vocabulary) == grammar.tokenizer.vocabulary
    assert AgreementGrammar(5).vocabulary == grammar.vocabulary


def test_ids_are_those_of_the_word_tokenizer(grammar):
    sentences = grammar.sentences("test", 2)[:50]
    ids = grammar.ids(sentences)
    assert ids.shape == (50, 10)
    assert ids.dtype == np.int64
    assert [grammar.tokenizer.decode(row) for row in ids.tolist()] == [str(s) for s in sentences]


def test_sizes_are_those_of_the_docstring(grammar):
    sizes = {n: [len(grammar.sentences(split, n)) for split in SPLITS] for n in (0, 1, 2)}
    assert sizes == {0: [240, 80, 80], 1: [4800, 1600, 1600], 2: [48_000, 3200, 3200]}


@pytest.mark.parametrize("seed", range(5))
def test_no_pair_of_nouns_is_in_two_splits(seed):
    grammar = AgreementGrammar(seed)
    pairs = {
        split: {(s.noun, s.attractor_nouns[0]) for s in grammar.sentences(split)} for split in SPLITS
    }
    assert [len(pairs[split]) for split in SPLITS] == [240, 80, 80]
    assert len(set.union(*pairs.values())) == 400
    for split in ("validation", "test"):
        two = {(s.noun, a) for s in grammar.sentences(split, 2) for a in s.attractor_nouns}
        assert two == pairs[split]
    for split, found in pairs.items():
        assert {grammar.split_of(noun, attractor) for noun, attractor in found} == {split}
    alone = {split: {(s.noun, s.lemma) for s in grammar.sentences(split, 0)} for split in SPLITS}
    assert len(set.union(*alone.values())) == sum(map(len, alone.values())) == 200


def test_with_two_attractors_training_keeps_to_its_pairs(grammar):
    held_out = {(s.noun, s.attractor_nouns[0]) for split in SPLITS[1:] for s in grammar.sentences(split)}
    used = {(s.noun, a) for s in grammar.sentences("train", 2) for a in s.attractor_nouns}
    assert not used & held_out
    assert all(len({s.noun, *s.attractor_nouns}) == 3 for s in grammar.sentences("train", 2)[::11])


def test_subjects_and_adjectives_come_equally_often(grammar):
    for split, times in zip(SPLITS, (24, 8, 8), strict=True):
        count = Counter((s.tokens[s.subject], s.lemma) for s in grammar.sentences(split))
        assert len(count) == 20 * 2 * 10
        assert set(count.values()) == {times / 2}


def test_attractors_have_the_opposite_number_unless_asked(grammar):
    for attractors in (1, 2):
        for s in grammar.sentences("test", attractors):
            assert s.number not in s.attractor_numbers
    free = Counter(
        (s.gender, s.number, s.attractor_genders[0], s.attractor_numbers[0])
        for s in grammar.sentences("test", opposite=False)
    )
    assert len(free) == 16
    assert set(free.values()) == {200}


def test_the_same_seed_gives_the_same_sentences_in_any_order_of_calls():
    first, second = AgreementGrammar(3), AgreementGrammar(np.random.default_rng(3))
    forward = [first.sentences(split, n) for split in SPLITS for n in (0, 1)]
    backward = [second.sentences(split, n) for split in SPLITS[::-1] for n in (1, 0)][::-1]
    assert forward == backward
    assert first.sentences("test") is first.sentences("test")
    assert AgreementGrammar(4).sentences("test") != first.sentences("test")


def test_the_global_state_is_left_alone(grammar):
    before = np.random.get_state()[1].copy()
    next(AgreementGrammar(1).batches("train", 8, np.random.default_rng(0)))
    assert (np.random.get_state()[1] == before).all()


def test_batches_pass_every_sentence_once_before_starting_again(grammar):
    rows = [tuple(row) for row in grammar.ids(grammar.sentences("test")).tolist()]
    batches = grammar.batches("test", 48, np.random.default_rng(0))
    drawn = [next(batches) for _ in range(67)]                           # 3216 = due giri e 16 frasi
    assert {array.shape for pair in drawn for array in pair} == {(48, 6)}
    assert all((inputs[:, 1:] == targets[:, :-1]).all() for inputs, targets in drawn)
    whole = [np.hstack([inputs[:, :1], targets]) for inputs, targets in drawn]
    seen = [tuple(row) for rows_of_one in whole for row in rows_of_one.tolist()]
    assert Counter(seen[:1600]) == Counter(seen[1600:3200]) == Counter(rows)
    assert len({tuple(rows), tuple(seen[:1600]), tuple(seen[1600:3200])}) == 3


def test_batches_depend_on_the_generator_alone(grammar):
    def draw(seed):
        batches = grammar.batches("train", 5, np.random.default_rng(seed), 2)
        return np.array([next(batches) for _ in range(4)])

    assert (draw(1) == draw(1)).all()
    assert (draw(1) != draw(2)).any()
    big = next(grammar.batches("test", 250, np.random.default_rng(0), 0))    # la parte ha 80 frasi
    assert big[0].shape == big[1].shape == (250, 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: g.sentences("prova"), "split: mi aspettavo una parte fra train, validation, test"),
        (lambda g: g.sentences("test", 3), "attractors: mi aspettavo 0, 1 o 2, è arrivato 3"),
        (lambda g: g.batches("test", 0, np.random.default_rng(0)), "almeno una frase per lotto"),
        (lambda g: g.ids([]), "una o più frasi"),
        (lambda g: g.ids([g.sentences("test", 0)[0], g.sentences("test", 1)[0]]), "stesso numero di attratt"),
        (lambda g: g.split_of("libro", "chiave"), "«libro» e «chiave» non sono un soggetto e un attrattore"),
        (lambda g: g.split_of("chiave", "chiodo"), "non sono un soggetto e un attrattore"),
        (lambda g: g.split_of("chiave", "gatto"), "non sono un soggetto e un attrattore"),
    ],
)
def test_wrong_requests_are_refused_in_italian(grammar, call, message):
    with pytest.raises(ValueError, match=message):
        call(grammar)

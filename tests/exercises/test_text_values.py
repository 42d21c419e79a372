"""Ciò che serve agli esercizi sui testi: liste di testi nei messaggi, errori che fermano, scelte a caso."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from course_lib.checks import Slip, exercise
from course_lib.checks.compare import compare
from course_lib.checks.es01.pairs import _tally
from course_lib.checks.text import show
from course_lib.checks.values import freeze
from tests.exercises.conftest import failure, first_line

ENCODE = exercise("es01").check("encode")


def test_lists_of_texts_are_written_as_python_writes_them():
    assert show(["L'", "uomo", ","]) == """["L'", 'uomo', ',']"""
    assert show([["a", "b"], ["c"]]) == "[['a', 'b'], ['c']]"
    assert show(("t", "o")) == "('t', 'o')"
    assert show([]) == "[]"


def test_lists_of_whole_numbers_too_and_those_with_decimals_have_semicolons():
    assert show([1, 2]) == "[1, 2]"
    assert show(["a", 1, True]) == "['a', 1, True]"
    assert show([1, 2.5]) == "[1; 2,5]"
    assert show([1, 2], digits=1) == "[1,0; 2,0]"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda text: tuple(text), "Qui serve una lista di Python"),
        (lambda text: {word: 0 for word in text}, "Qui serve una lista di Python"),
        (lambda text: ["uno"] * (len(text) + 9), None),
    ],
)
def test_the_advice_fits_the_type_that_is_wanted(wrong, said):
    message = failure("es01", wrong, nome="tokenise").messaggio
    assert "trasforma la lista con np.array" not in message
    assert (said or "") in message
    assert said or "Qui serve" not in message


def test_an_element_of_another_type_is_not_said_to_be_the_result():
    found = compare([1, 2], [1, None])
    assert found.text == "l'elemento 1 è None, cioè niente, non un numero intero"
    assert (found.expected, found.got) == ([1, 2], [1, None])


def test_what_stands_in_a_dictionary_or_a_list_in_place_of_another_thing_is_said():
    text = compare({"a": 1}, {"a": "1"}).text
    assert text == "alla chiave 'a' c'è una stringa di testo, non un numero intero"
    assert compare([1], [1.0]).text == "l'elemento 0 è un numero con la virgola, non un numero intero"


def test_a_text_taken_from_an_array_is_a_text():
    assert compare(["a", "b"], freeze(list(np.array(["a", "b"])))) is None


def test_a_slip_that_stops_is_named_with_what_was_expected():
    def encode(tokens, vocab):
        return [vocab[token] for token in tokens]

    failed = failure("es01", encode)
    assert failed.slip == "il token ignoto ferma tutto"
    lines = failed.messaggio.split("\n")
    assert lines[0] == "✗ encode: sembra l'errore «il token ignoto ferma tutto»."
    assert "  atteso:    [1, 2, 0, 4, 3, 2]" in lines
    assert any(line.startswith("  ottenuto:  si è fermata con KeyError") for line in lines)


def test_a_result_of_another_length_says_both_lengths():
    line = first_line("es01", lambda text: ["uno"], nome="tokenise")
    assert line == "✗ tokenise: la lunghezza è 1 invece di 9."


@pytest.mark.parametrize("error", [TypeError, NameError, IndexError])
def test_another_error_is_not_that_slip(error):
    def encode(tokens, vocab):
        if any(token not in vocab for token in tokens):
            raise error("altro")
        return [vocab[token] for token in tokens]

    failed = failure("es01", encode)
    assert failed.slip is None
    assert failed.messaggio.startswith(f"✗ encode: si è fermata con {error.__name__}.")


def test_a_stop_counts_only_for_the_slips_that_stop(monkeypatch):
    def encode(tokens, vocab):
        return [vocab[token] for token in tokens]

    quiet = [Slip(s.name, s.question, *s.variants) if s.stops else s for s in ENCODE.slips]
    checks = tuple(replace(c, slips=tuple(quiet)) if c is ENCODE else c for c in exercise("es01").checks)
    monkeypatch.setattr(
        "course_lib.checks.run.exercise", lambda name: replace(exercise("es01"), checks=checks)
    )
    assert failure("es01", encode).slip is None


def test_a_choice_by_chance_is_recognised_whatever_it_was():
    for seed in range(5):
        chance = random.Random(seed)

        def most_frequent_pair(words, chance=chance):
            tally = _tally(words)
            return chance.choice([pair for pair, n in tally.items() if n == max(tally.values())])

        assert failure("es01", most_frequent_pair).slip == "parità: decide il caso"


def test_a_choice_that_is_not_among_the_best_is_not_chance():
    assert failure("es01", lambda words: tuple(words[-1][-2:]), nome="most_frequent_pair").slip is None

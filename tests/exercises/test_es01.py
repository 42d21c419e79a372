"""es01: ogni errore tipico ha il suo nome, ogni risposta giusta passa, e la biblioteca è d'accordo."""

from __future__ import annotations

import numpy as np
import pytest

from course_lib.checks import exercise, verifica
from course_lib.checks.diagnose import _pairs
from course_lib.transformer.bpe import learn_merges
from course_lib.transformer.bpe import merge_pair as library_merge
from course_lib.transformer.embeddings import simulator_embedding
from course_lib.transformer.tokens import WordTokenizer, split_words
from tests.exercises.conftest import failure, run_closing, solved

EXERCISE = exercise("es01")
TEXTS = ["L'uomo, l’altra: perché no...", "Dal 1998 a oggi", "", "La porta\nè «là»", "po' d'acqua"]


def test_the_slips_that_the_course_promises_are_there():
    names = {check.name: {slip.name for slip in check.slips} for check in EXERCISE.checks}
    assert {"maiuscole perdute", "punteggiatura attaccata"} <= names["tokenise"]
    assert "ID da 1" in names["vocabulary"]
    assert "il token ignoto ferma tutto" in names["encode"]
    assert "parità: decide il caso" in names["most_frequent_pair"]
    assert "sovrapposte unite due volte" in names["merge_pair"]
    assert {"i al posto di i + 1", "gradi al posto dei radianti"} <= names["embedding"]


def test_no_pair_of_slips_passes_and_most_are_both_named():
    pairs = [(check, slips, f) for check in EXERCISE.checks for slips, f in _pairs(check)]
    exact = 0
    for check, slips, function in pairs:
        exact += set(failure("es01", function, nome=check.name).slips) == {slip.name for slip in slips}
    assert exact / len(pairs) > 0.93


@pytest.mark.parametrize("text", TEXTS)
def test_the_references_are_the_librarys(text):
    tokenise, vocabulary, encode = (EXERCISE.check(n).reference for n in ("tokenise", "vocabulary", "encode"))
    tokens = tokenise(text)
    assert tokens == split_words(text)
    library = WordTokenizer().train(text)
    assert list(vocabulary(tokens)) == library.vocabulary
    assert encode(tokens, vocabulary(tokens)) == library.encode(text)
    assert encode(["mai", "vista"], vocabulary(tokens)) == library.encode("mai vista") == [0, 0]


def test_the_two_half_steps_learn_what_the_library_learns():
    frequent, merge = EXERCISE.check("most_frequent_pair").reference, EXERCISE.check("merge_pair").reference
    rng = np.random.default_rng(7)
    words = ["".join(rng.choice(list("abc"), size=n)) for n in rng.integers(2, 7, size=60)]
    letters = {"a": 0, "b": 1, "c": 2}
    merges = learn_merges([[letters[c] for c in word] for word in words], 6, 3)
    names, mine = ["a", "b", "c"], [list(word) for word in words]
    for a, b in merges:
        assert frequent(mine) == (names[a], names[b])
        for word in mine:
            assert merge(word, frequent(mine)) == library_merge(word, frequent(mine), names[a] + names[b])
        mine = [merge(word, (names[a], names[b])) for word in mine]
        names.append(names[a] + names[b])
    assert len(merges) == 6


def test_the_embedding_is_the_librarys_and_the_paper_case_is_that_of_the_card():
    for token_id, d in ((0, 3), (4, 4), (32, 8)):
        np.testing.assert_allclose(
            EXERCISE.check("embedding").reference(token_id, d), simulator_embedding(token_id, d), atol=1e-12
        )
    by_hand = [0.5 * 0.4794 + 0.3 * 0.9553, 0.5 * 0.8415 + 0.3 * 0.8253]
    np.testing.assert_allclose(EXERCISE.check("embedding").reference(1, 2), by_hand, atol=1e-4)


def test_a_vocabulary_that_is_widened_is_seen():
    def encode(tokens, vocab):
        return [vocab.setdefault(token, vocab["<ignoto>"]) for token in tokens]

    assert failure("es01", encode).slip == "ingressi modificati"


@pytest.mark.parametrize("wrong", [None, lambda *args: None, lambda *args: 1 / 0, lambda *args: 3])
def test_the_closing_cells_wait_for_unfinished_functions(wrong, capsys):
    space = {"np": np, "verifica": verifica} | ({n: wrong for n in EXERCISE.exports} if wrong else {})
    assert run_closing("es01", space, -2) is None
    said = capsys.readouterr().out
    assert said.startswith("I pezzi non si possono disegnare (")
    assert "Manca ancora una delle funzioni 1, 4 e 5, oppure" in said
    assert run_closing("es01", space, -1) is None
    said = capsys.readouterr().out
    assert said.startswith("I vettori non si possono disegnare (")
    assert "Manca ancora una delle funzioni 1, 2, 3 e 6, oppure" in said


def test_the_closing_cells_draw_with_the_pupils_functions():
    space = solved("es01")
    cut = run_closing("es01", space, -2)
    assert repr(cut).startswith("Unioni fatte: 8; pezzi delle parole nuove: 11")
    assert "→ libraio: 4 (libr · a · i · o)" in repr(cut)
    assert "chiaro: 3 (chia · r · o)" in repr(cut)
    table = run_closing("es01", space, -1)
    assert repr(table).startswith("Quanti token: 7; quanti ID diversi: 6")
    assert "quaderni (0)" in repr(table)
    assert "nuova (0)" in repr(table)

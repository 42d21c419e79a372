"""Le teste del pacchetto si rifanno: da quali frasi, che cosa stampa il comando, quanto sono giuste."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from course_lib.learning.agreement_measures import chance_level
from course_lib.learning.agreement_model import Trained, accuracy
from course_lib.learning.history import History
from course_lib.widgets import train_heads
from course_lib.widgets.state.heads_model import load, masks_for


def shipped():
    model, grammar, _ = load()
    return Trained(model, grammar, History())


@pytest.mark.lento
def test_batches_have_every_length_and_only_training_sentences():
    grammar = load().grammar
    known = {
        tuple(ids)
        for attractors in range(3)
        for ids in grammar.ids(grammar.sentences("train", attractors, opposite=False))[:, :-1].tolist()
    }
    made = list(itertools.islice(train_heads.batches(grammar, np.random.default_rng(1)), 6))
    assert [inputs.shape[1] for inputs, _ in made] == [3, 6, 9, 3, 6, 9]
    assert all(tuple(row) in known for inputs, _ in made for row in inputs.tolist())


def test_the_shipped_heads_get_unseen_pairs_right():
    grammar = shipped().grammar
    for attractors in range(3):
        sentences = train_heads.held_out(grammar, attractors)[:1600]
        assert chance_level(sentences) == 0.5
        assert accuracy(shipped(), sentences) >= 0.99
    train = {(s.noun, s.attractor_nouns) for s in grammar.sentences("train", opposite=False)}
    assert not train & {(s.noun, s.attractor_nouns) for s in train_heads.held_out(grammar, 1)}


@pytest.mark.parametrize(
    ("key", "off", "places"), [("0", (0,), ()), ("1,2,3", (1, 2, 3), ()), ("v0,1", (), (0, 1))]
)
def test_what_the_file_says_is_measured_again(key, off, places):
    sentences = train_heads.held_out(shipped().grammar, 1)
    again = accuracy(shipped(), sentences, masks_for(shipped().model, 6, off, places))
    assert load().about["accuracy"][key] == pytest.approx(again, abs=0.005)
    assert load().about["sentences"] == len(sentences)


def test_the_command_writes_and_reads_again(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(train_heads, "ABOUT", {**train_heads.ABOUT, "steps": 2, "d_model": 8})
    monkeypatch.setattr(train_heads, "MOST_ATTRACTORS", 1)
    monkeypatch.setattr(train_heads, "held_out", lambda grammar, n: grammar.sentences("test", n)[:40])
    train_heads.main(["--file", str(tmp_path / "prova.npz")])
    said = capsys.readouterr().out
    assert said.count("a caso: 0,500") == 2
    assert "le teste 1·1, 2·2" in said
    assert "le parole 1, 2" in said
    again = load(tmp_path / "prova.npz")
    assert (again.model.d_model, again.about["steps"], again.about["sentences"]) == (8, 2, 40)


def test_a_folder_that_is_not_there(tmp_path, capsys):
    with pytest.raises(SystemExit):
        train_heads.main(["--file", str(tmp_path / "manca" / "prova.npz")])
    assert "non c'è: creala" in capsys.readouterr().err


@pytest.mark.lento
def test_trained_again_they_are_as_good():
    again = train_heads.train_heads(train_heads.ABOUT)
    for attractors in range(3):
        assert accuracy(again, train_heads.held_out(again.grammar, attractors)[:1600]) >= 0.97

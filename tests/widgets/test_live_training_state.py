"""Lo stato dell'Addestramento dal vivo, contro l'addestramento del corso e conti scritti in un altro modo."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from course_lib.learning.agreement import AgreementGrammar
from course_lib.learning.optim import AdamW
from course_lib.learning.training import train
from course_lib.transformer.families import DecoderOnly
from course_lib.widgets.state import live_training as live
from tests.widgets.small_models import after


def test_steps_are_those_of_the_course_training():
    run, grammar, rng = after(20), AgreementGrammar(0), np.random.default_rng(0)
    model = DecoderOnly(len(grammar.vocabulary), 32, 2, 1, rng=rng, dtype=np.float32)
    batches = grammar.batches("train", 32, rng)
    history = train(model, batches, 20, optimizer=AdamW(3e-3), progress=False)
    assert run.losses == history.loss
    assert [m["step"] for m in run.moments] == [0, 10, 20]


def test_validation_loss_and_gender_are_counted_sentence_by_sentence():
    run = after(10)
    total, right = 0.0, 0.0
    for sentence in run.tried:
        ids = [run.grammar.vocabulary.index(word) for word in sentence.tokens]
        logits = run.model(np.array(ids[:-1])).astype(float)
        for row, target in zip(logits, ids[1:], strict=True):
            total += math.log(sum(math.exp(x) for x in row)) - row[target]
        forms = {
            gender: sum(math.exp(logits[-1][i]) for i in run.grammar.adjective_ids(gender, sentence.number))
            for gender in "fm"
        }
        right += forms[sentence.gender] > forms["m" if sentence.gender == "f" else "f"]
    positions = sum(len(sentence.tokens) - 1 for sentence in run.tried)
    assert run.moments[1]["validation"] == pytest.approx(total / positions, rel=1e-5)
    assert run.moments[1]["right"] == pytest.approx(right / len(run.tried))


def test_tried_sentences_are_twins_never_seen_in_training():
    run = live.Run(3)
    train_sentences = {str(s) for s in run.grammar.sentences("train")}
    assert not train_sentences & {str(s) for s in run.tried}
    assert [s.gender for s in run.tried] == ["f", "m"] * live.TRIED
    assert sum(s.gender == "f" for s in run.tried) == live.TRIED


@pytest.mark.parametrize("heads", live.HEADS)
def test_maps_are_the_models_coefficients_and_their_mean(heads):
    run = after(10, heads=heads)
    m = run.moments[-1]
    _, weights = run.model(np.array(run.context), return_weights=True)
    maps = np.array([[[0.0 if v is None else v for v in row] for row in each] for each in m["maps"]])
    np.testing.assert_allclose(maps[-heads:], weights[0], atol=6e-5)
    np.testing.assert_allclose(maps[0], weights[0].mean(axis=0), atol=6e-5)
    assert len(maps) == (1 if heads == 1 else heads + 1)
    np.testing.assert_allclose(m["sums"], 1, atol=1e-5)
    for each in m["maps"]:
        assert [[v is None for v in row] for row in each] == [[j > i for j in range(6)] for i in range(6)]
    verb = maps[0][-1][:-1].tolist()
    assert m["most"] == verb.index(max(verb))


def test_at_the_start_it_guesses_and_it_learns():
    run = after(200)
    first, last = run.moments[0], run.moments[-1]
    assert first["validation"] == pytest.approx(run.uniform, abs=0.1)
    assert run.uniform == pytest.approx(math.log(len(run.grammar.vocabulary)))
    assert last["validation"] < 0.4 * run.uniform
    assert last["right"] > 0.9
    assert first["sample"] != last["sample"]
    assert sum(p for _, p in last["next"]) < 1
    assert [p for _, p in last["next"]] == sorted((p for _, p in last["next"]), reverse=True)


@pytest.mark.parametrize("rate", [1.0, 1000.0])
def test_a_rate_too_high_ends_with_a_sentence_and_no_nan(rate):
    run = after(40, rate=rate)
    assert run.status == live.DIVERGED
    assert len(run.losses) < 40
    assert "troppo alto" in run.trouble
    assert "Da capo" in run.trouble
    json.dumps(live.state(run), allow_nan=False)


@pytest.mark.parametrize("error", [FloatingPointError("NaN"), ValueError("trabocca")])
def test_nan_and_overflow_end_with_a_sentence_too(error, monkeypatch):
    run = after(3)

    def fail(*_):
        raise error

    monkeypatch.setattr(run.trainer, "step", fail)
    run.step()
    assert (run.status, len(run.losses)) == (live.DIVERGED, 3)
    assert run.trouble.startswith("Al passo ")
    run.step()
    assert len(run.losses) == 3


def test_parameters_that_became_infinite_are_noticed_when_looking():
    run = after(9)
    run.parameters = run.model.parameters()
    run.parameters["W_out"][...] = np.inf
    with pytest.raises(FloatingPointError):
        run.look()


def test_it_ends_at_the_last_step_and_says_so():
    run = after(9, steps=7)
    assert (run.status, len(run.losses), run.moments[-1]["step"]) == (live.DONE, 7, 7)

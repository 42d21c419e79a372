"""La rete di Elman: i conti di un ciclo, i gradienti delle differenze finite, nessuno sguardo al futuro."""

from __future__ import annotations

import math

import numpy as np
import pytest

from course_lib.learning.agreement_model import STEPS
from course_lib.learning.autograd import Tensor
from course_lib.learning.corpus import AgreementGrammar
from course_lib.learning.losses import cross_entropy
from course_lib.learning.optim import SGD
from course_lib.learning.recurrent import Elman, _last_word_alone, train_elman
from course_lib.learning.training import Trainer
from tests.learning.support import expect_close, expect_gradients

IDS = np.array([[0, 3, 1, 1], [2, 2, 4, 0]])


@pytest.fixture
def network(rng):
    network = Elman(5, 3, rng=rng)
    network.load({name: rng.normal(size=array.shape) for name, array in network.parameters().items()})
    return network


def by_loops(network, ids):
    """I logit di una frase, un numero alla volta."""
    p, d = network.parameters(), network.d_model
    h, logits = [0.0] * d, []
    for token in ids:
        x = p["embedding"][token]
        h = [
            math.tanh(sum(x[i] * p["W_x"][i, j] + h[i] * p["W_h"][i, j] for i in range(d)) + p["b"][j])
            for j in range(d)
        ]
        logits.append([
            sum(h[i] * p["W_out"][i, v] for i in range(d)) + p["b_out"][v]
            for v in range(network.vocabulary_size)
        ])
    return logits


def test_it_agrees_with_the_loops(network):
    logits = network(IDS)
    assert logits.shape == (2, 4, 5)
    for sentence, ids in zip(logits, IDS, strict=True):
        assert sentence == pytest.approx(np.array(by_loops(network, ids)), abs=1e-12)


def test_gradients(network):
    names = list(network.parameters())

    def logits(*arrays):
        return network.using(parameters=dict(zip(names, arrays, strict=True)))(IDS)

    expect_gradients(logits, *network.parameters().values())


def test_training_sees_the_same_gradients(network):
    """Qui nessun gradiente nasce al suo posto nella fila: vi va copiato, e la tabella ne riceve quattro."""
    trainer = Trainer(network, SGD(1.0))
    before = trainer.parameters.vector.copy()
    targets = np.array([[3, 1, 1, 0], [2, 4, 0, 0]])
    leaves = {name: Tensor(array.copy(), requires_grad=True) for name, array in network.parameters().items()}
    cross_entropy(network.using(parameters=leaves)(IDS), targets).backward()
    expected = np.concatenate([leaf.grad.ravel() for leaf in leaves.values()])
    for _ in range(2):
        trainer.parameters.vector[...] = before
        trainer.step(IDS, targets)
        expect_close(trainer.gradient, expected, 1e-12)
        expect_close(trainer.parameters.vector, before - expected, 1e-12)


def test_it_starts_orthogonal_and_almost_undecided(rng):
    network = Elman(7, 6, rng=rng, dtype=np.float32)
    W = network.parameters()["W_h"]
    assert W.dtype == np.float32
    assert W @ W.T == pytest.approx(np.eye(6), abs=1e-5)
    loss = cross_entropy(network(np.array([[1, 2, 3]])), np.array([[2, 3, 4]]))
    assert loss == pytest.approx(math.log(7), abs=0.2)


def test_the_tables_start_as_wide_as_they_say(rng):
    start = Elman(60, 50, rng=rng).parameters()
    assert start["embedding"].std() == pytest.approx(1, rel=0.1)
    assert start["W_x"].std() == pytest.approx(0.3 / math.sqrt(50), rel=0.1)
    assert start["W_out"].std() == pytest.approx(0.02, rel=0.1)
    assert not start["b"].any()
    assert not start["b_out"].any()


def test_a_word_changes_what_follows_and_nothing_before(network):
    other = IDS.copy()
    other[:, 2] = 3
    changed = (network(IDS) != network(other)).any(axis=(0, 2))
    assert changed.tolist() == [False, False, True, True]


def test_only_the_adjective_is_counted():
    batches = AgreementGrammar(0).batches("train", 3, np.random.default_rng(0))
    inputs, targets, counted = next(_last_word_alone(batches))
    assert inputs.shape == targets.shape == counted.shape == (3, 6)
    assert (np.argwhere(counted) == [[0, 5], [1, 5], [2, 5]]).all()
    assert train_elman(0, steps=2).history.steps == 2 < STEPS


def test_wrong_requests_are_refused(network):
    with pytest.raises(ValueError, match="mancano W_h"):
        network.load({name: a for name, a in network.parameters().items() if name != "W_h"})
    with pytest.raises(ValueError, match="ids"):
        network([[5]])

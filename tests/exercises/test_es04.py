"""Ciò che vale soltanto per es04: errori promessi, conti su carta, la soluzione che si deriva e si addestra.

Che ogni errore sia riconosciuto e ogni risposta giusta passi lo prova test_slips.py, per tutti gli esercizi.
"""

from __future__ import annotations

import numpy as np
import pytest

from course_lib.checks import exercise, verifica
from course_lib.learning.agreement_model import train_agreement
from course_lib.learning.autograd import Tensor
from course_lib.transformer import masks
from course_lib.transformer.attention import scaled_dot_product_attention, softmax
from tests.exercises.conftest import failure, hidden_inputs, run_closing
from tests.exercises.right.es04 import RIGHT, attention_block

EXERCISE = exercise("es04")
HIDDEN = hidden_inputs("es04")


def test_the_slips_that_the_course_promises_are_there():
    names = {check.name: {slip.name for slip in check.slips} for check in EXERCISE.checks}
    assert {
        "triangolo dalla parte sbagliata",
        "diagonale vietata",
        "True e False scambiati",
        "frontiera spostata di un posto",
        "frontiera allineata all'inizio",
    } <= names["causal_mask"]
    for name in ("masked_softmax", "masked_attention"):
        assert {
            "punteggi moltiplicati per la maschera",
            "maschera dopo la softmax",
            "maschera letta al contrario",
            "numero grande al posto di −∞",
            "NaN sulla riga vuota",
            "zero per infinito",
        } <= names[name]


def test_the_reference_is_the_librarys():
    rng = np.random.default_rng(3)
    references = {check.name: check.reference for check in EXERCISE.checks}
    for L, S in ((1, 1), (3, 3), (2, 7), (5, 6)):
        np.testing.assert_array_equal(references["causal_mask"](L, S), masks.causal_mask(L, S))
    lengths = rng.integers(0, 7, size=5)
    padding = masks.padding_mask(lengths, 6)
    np.testing.assert_array_equal(references["padding_mask"](lengths, 6), padding)
    causal = masks.causal_mask(4, 6)
    both = references["combine_masks"](causal, padding)
    np.testing.assert_array_equal(both, masks.combine(causal, padding[:, None, :]))
    Q, K, V = (rng.normal(size=shape) for shape in ((5, 4, 3), (5, 6, 3), (5, 6, 2)))
    scores = Q @ np.swapaxes(K, -1, -2)
    ours = softmax(scores, mask=both)
    np.testing.assert_array_almost_equal_nulp(references["masked_softmax"](scores, both), ours, 16)
    ours = scaled_dot_product_attention(Q, K, V, both).output
    np.testing.assert_array_almost_equal_nulp(references["masked_attention"](Q, K, V, both), ours, 64)


def test_lengths_tell_slips_apart():
    for cases in (EXERCISE.check("masked_attention").inputs(), every(HIDDEN["masked_attention"])):
        lengths = [{Q.shape[-2], K.shape[-2], Q.shape[-1], V.shape[-1]} for Q, K, V, _ in cases]
        assert max(map(len, lengths)) == 4


def every(hidden):
    return [case for given in hidden.values() for case in (given if type(given) is list else [given])]


def test_the_paper_cases():
    shown = {
        "causal_mask": [[1, 1, 1, 0, 0], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1]],
        "padding_mask": [[1, 1, 0, 0, 0], [1, 1, 1, 1, 0]],
        "combine_masks": [[[1, 0, 0], [1, 1, 0], [1, 1, 1]], [[1, 0, 0], [1, 1, 0], [1, 1, 0]]],
        "masked_softmax": [[0.25, 0.75, 0], [1 / 3] * 3, [0, 0, 0]],
        "masked_attention": [[1, 6], [0, 0]],
    }
    for name, expected in shown.items():
        check = exercise("es04").check(name)
        np.testing.assert_allclose(check.reference(*check.inputs()[0]), expected, rtol=1e-12)


def test_a_leak_has_its_question_even_without_a_known_slip():
    def leaks_a_little(scores, mask):
        return softmax(np.where(mask, scores, scores - 3.0))

    message = failure("es04", leaks_a_little, nome="masked_softmax").messaggio
    assert message.startswith("✗ masked_softmax: i valori non sono quelli attesi.")


def test_writing_minus_infinity_into_the_scores_is_told():
    def writes(scores, mask):
        if scores.dtype.kind == "i":
            scores = scores.astype(float)
        scores[~np.broadcast_to(mask, scores.shape)] = -np.inf
        return softmax(scores)

    failed = failure("es04", writes, nome="masked_softmax")
    assert failed.slip == "ingressi modificati"


# --- la soluzione, addestrata ----------------------------------------------------------------------------


@pytest.mark.parametrize("own", ["solution", "block"])
def test_the_solution_is_differentiable_as_it_stands(solution, own):
    attention = solution["masked_attention"] if own == "solution" else attention_block
    rng = np.random.default_rng(12)
    shapes = (2, 3, 4), (2, 5, 4), (2, 5, 2)
    arrays = [rng.normal(size=shape) for shape in shapes]
    mask = rng.integers(0, 2, size=(2, 3, 5)) == 1
    mask[0, 1] = False  # una riga vuota
    probe = rng.normal(size=(2, 3, 2))
    tensors = [Tensor(array, requires_grad=True) for array in arrays]
    with np.errstate(all="ignore"):
        (attention(*tensors, mask) * probe).sum().backward()
    for which, tensor in enumerate(tensors):
        for place in ((0, 0, 0), (1, 2, 1), (0, 1, 1)):
            up, down = ([a.copy() for a in arrays] for _ in range(2))
            up[which][place] += 1e-5
            down[which][place] -= 1e-5
            slope = ((attention(*up, mask) - attention(*down, mask)) * probe).sum() / 2e-5
            assert tensor.grad[place] == pytest.approx(slope, rel=1e-6, abs=1e-9)


def test_the_solution_trains_the_model_of_exercise_eight(solution):
    ours = train_agreement(0, steps=10)
    yours = train_agreement(0, steps=10, attention=solution["masked_attention"])
    assert np.abs(np.subtract(ours.history.loss, yours.history.loss)).max() < 1e-5


def test_a_loop_cannot_be_trained_and_says_so():
    Q, K, V = (Tensor(np.ones(shape), requires_grad=True) for shape in ((2, 3), (2, 3), (2, 4)))
    with pytest.raises(TypeError, match="Tensor"):
        RIGHT["masked_attention"][0](Q, K, V, np.tri(2, dtype=bool))


# --- la cella finale -------------------------------------------------------------------------------------


def nothing_yet(*args):
    raise NotImplementedError


@pytest.mark.parametrize(
    ("functions", "words"),
    [
        ({}, "La spia aspetta le funzioni 1 e 5"),
        ({"masked_attention": nothing_yet}, "La spia aspetta le funzioni 1 e 5"),
        ({"masked_attention": lambda *args: None}, "si ferma, o restituisce altro (TypeError)"),
        ({"masked_attention": lambda *args: 1 / 0}, "si ferma, o restituisce altro (ZeroDivisionError)"),
        ({"masked_attention": lambda Q, K, V, mask: V * np.nan}, "nel risultato di masked_attention c'è NaN"),
    ],
)
def test_the_closing_cell_says_what_it_waits_for(functions, words, capsys):
    given = {"causal_mask": lambda L, S: np.tri(L, S, dtype=bool)} if functions else {}
    assert run_closing("es04", {"np": np, "verifica": verifica, **given, **functions}) is None
    assert words in capsys.readouterr().out


def test_the_closing_cell_says_what_it_was_given(solution, capsys):
    space = dict(solution)
    run_closing("es04", space)
    capsys.readouterr()
    for sentence, mask, words in (
        ("", None, "sono 0: serve una frase."),
        ("La chiave", np.eye(3), "sono 2: serve una maschera di forma (2, 2), è arrivata (3, 3)."),
        ("La chiave", "causale", "sono 2: serve una maschera di forma (2, 2), è arrivata ()."),
    ):
        assert space["draw_probe"](sentence, mask=mask) is None
        assert capsys.readouterr().out == f"La spia ha contato le parole, e {words}\n"
    assert repr(space["draw_probe"](7)).startswith("Chi viene prima non si accorge")


def test_the_closing_cell_finds_the_leak(solution):
    space = dict(solution)
    assert repr(run_closing("es04", space)).startswith("Chi viene prima non si accorge di nulla: perdita 0")
    sentence = "La chiave accanto ai libri era arrugginita"
    for mask, leaks in ((np.tri(7, 7, 7), True), (np.tri(7, 7, 1), True), (np.eye(7), False)):
        text = repr(space["draw_probe"](sentence, mask=mask > 0))
        assert text.startswith("Il passato si accorge del futuro: perdita ") == leaks
    assert repr(space["draw_probe"]("ciao")).startswith("Chi viene prima non si accorge")

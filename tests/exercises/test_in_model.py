"""`verifica_modello`: l'attenzione di chi studia nel modello della concordanza, con i suoi parametri."""

from __future__ import annotations

import contextlib
import io
from functools import partial

import numpy as np
import pytest

from course_lib.building.rules import HIDDEN, pupil_view, regions
from course_lib.checks import ErroreEsercizio, VerificaFallita, exercise, verifica_modello
from course_lib.checks.errors import VerificaInterrotta
from course_lib.checks.handed import handed
from course_lib.checks.in_model import measure
from course_lib.checks.own_model import BATCH, SENTENCES, grammar, unseen
from course_lib.checks.registry import known
from course_lib.learning.agreement_measures import chance_level
from course_lib.learning.autograd import Tensor
from course_lib.transformer.attention import scaled_dot_product_attention
from tests.exercises.conftest import exercise_source, test_cells
from tests.learning import pupil_attention
from tests.own_model import (
    ATTENTION,
    NO_MASK,
    NO_SCALE,
    function,
    npz,
    parameters,
    parameters_without_mask,
)

SEEDS = {"coppie mai viste": 31415926535897932384}
RIGHT = function(ATTENTION)


def in_loops(Q, K, V, mask):
    """La stessa attenzione, una cella alla volta."""
    allowed = np.broadcast_to(mask, (*Q.shape[:-1], K.shape[-2]))
    out = np.zeros((*Q.shape[:-1], V.shape[-1]))
    for place in np.ndindex(*Q.shape[:-1]):
        lead, keys = place[:-1], range(K.shape[-2])
        scores = [Q[place] @ K[lead][j] / Q.shape[-1] ** 0.5 if allowed[place][j] else -np.inf for j in keys]
        e = np.exp(np.array(scores) - max(scores))
        out[place] = sum(e[j] / e.sum() * V[lead][j] for j in keys)
    return out


def checked(attention, arrays=None, hidden=None) -> str:
    """Ciò che verifica_modello stampa, con questi parametri consegnati."""
    files = {"es08.npz": npz(parameters() if arrays is None else arrays)}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), handed(files):
        verifica_modello("es97", attention, nascosti=hidden)
    return printed.getvalue()


def failed(attention, arrays=None, hidden=None) -> VerificaFallita:
    with pytest.raises(VerificaFallita) as caught:
        checked(attention, arrays, hidden)
    return caught.value


@pytest.mark.parametrize(
    "attention",
    [RIGHT, pupil_attention.attention, pupil_attention.attention_with_a_large_number, partial(in_loops)],
    ids=["in blocco", "con i metodi", "−10⁹ e i coefficienti", "con i cicli, dal giudice"],
)
@pytest.mark.parametrize("hidden", [None, SEEDS], ids=["visibile", "nascosta"])
def test_every_right_way_passes(sample, attention, hidden):
    line = checked(attention, hidden=hidden)
    assert line.startswith("✓ masked_attention nel modello: genere giusto in ")
    assert "in 0,500, cioè a caso.\n" in line
    assert ("nascoste" in line) == (hidden is not None)


def leaving_the_tensors(Q, K, V, mask):
    return RIGHT(*(each.data if isinstance(each, Tensor) else each for each in (Q, K, V)), mask)


def leaving_the_coefficients(Q, K, V, mask):
    if not isinstance(Q, Tensor):
        return RIGHT(Q, K, V, mask)
    return scaled_dot_product_attention(Q.data, K.data, V.data, mask).weights @ V


@pytest.mark.parametrize("attention", [in_loops, leaving_the_tensors, leaving_the_coefficients])
@pytest.mark.parametrize("hidden", [None, SEEDS], ids=["visibile", "nascosta"])
def test_an_attention_that_no_gradient_crosses_is_refused(sample, attention, hidden):
    """I suoi numeri sono giusti, ma con lei il modello non si addestra: il file viene da un'altra."""
    shown = failed(attention, None, hidden)
    assert shown.slips == ("non si può addestrare",)
    assert "lasci i Tensor" in shown.messaggio


def test_the_measure_gives_the_accuracy_and_what_is_left_without_the_subject():
    right, without, differs = measure(RIGHT, parameters())
    assert right >= 0.97
    assert without == 0.5
    assert not differs


@pytest.mark.parametrize(
    ("source", "arrays", "slip", "asked"),
    [
        (NO_SCALE, parameters, "numeri diversi dalla formula", "si addestra anche un'attenzione sbagliata"),
        (ATTENTION.replace(" @ V", " @ V * 0"), parameters, "numeri diversi dalla formula", "formula"),
        (NO_MASK, parameters_without_mask, "maschera ignorata", "entra mask"),
        (ATTENTION, npz, "parametri non addestrati", "alla fine dell'addestramento"),
    ],
    ids=["senza scala", "sempre zero", "senza maschera", "non addestrati"],
)
def test_each_slip_has_its_name_and_its_question(sample, source, arrays, slip, asked):
    arrays = None if arrays is parameters else arrays() if arrays is not npz else untrained_parameters()
    shown = failed(function(source), arrays)
    assert shown.slips == (slip,)
    assert shown.messaggio.startswith("✗ masked_attention nel modello: ")
    assert asked in shown.messaggio
    secret = failed(function(source), arrays, SEEDS)
    assert secret.slips == (slip,)
    assert secret.nascosto
    first, question = secret.messaggio.split("\n")
    assert first == (
        f"✗ masked_attention nel modello, prova nascosta «coppie mai viste»: sembra l'errore «{slip}»."
    )
    assert question in shown.messaggio


def untrained_parameters():
    from course_lib.checks.own_model import untrained

    return untrained().parameters()


@pytest.mark.parametrize(
    ("attention", "said"),
    [
        (lambda Q, K, V, mask: None, "restituisce None: è ancora da scrivere?"),
        (lambda Q, K, V, mask: Q @ K, "si è fermata con ValueError."),
        (lambda Q, K, V: V, "si è fermata con TypeError."),
        (lambda Q, K, V, mask: V[..., :2], "la forma del risultato non è quella attesa."),
        (lambda Q, K, V, mask: RIGHT(Q, K, V, mask).tolist(), "restituisce una lista"),
        (lambda Q, K, V, mask: RIGHT(Q, K, V, mask) * np.nan, "c'è NaN"),
        (lambda Q, K, V, mask: np.full(V.shape, np.inf, np.float32), "infinito"),
        (lambda Q, K, V, mask: RIGHT(Q, K, V, mask) > 0, "valori logici (bool)"),
        ("masked_attention", "non è una funzione."),
    ],
    ids=["None", "forme", "argomenti", "forma", "lista", "NaN", "infinito", "logici", "testo"],
)
def test_what_the_model_cannot_use_is_said(sample, attention, said):
    assert said in failed(attention).messaggio


def test_an_unwritten_function_is_said_to_be_so(sample):
    def unwritten(Q, K, V, mask):
        raise NotImplementedError

    assert failed(unwritten).messaggio == "✗ masked_attention nel modello: è ancora da scrivere."


def test_a_hidden_failure_says_nothing_of_the_call(sample):
    def late(Q, K, V, mask):
        raise ValueError(f"ho visto {Q}")

    assert failed(late, hidden=SEEDS).messaggio == (
        "✗ masked_attention nel modello, prova nascosta «coppie mai viste»: una chiamata non dà un risultato "
        "che si possa usare."
    )


def test_huge_parameters_are_a_fault_of_the_file(sample):
    huge = {name: np.full_like(array, 3e38) for name, array in untrained_parameters().items()}
    said = failed(RIGHT, huge).messaggio
    assert said.startswith("✗ Con i parametri di es08.npz i conti danno NaN o infinito: esegui di nuovo")


def test_the_file_is_read_beside_the_notebook_and_never_by_the_judge(sample, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(VerificaFallita, match=r"manca es08\.npz: esegui la cella dell'addestramento"):
        verifica_modello("es97", RIGHT)
    (tmp_path / "es08.npz").write_bytes(npz(parameters()))
    verifica_modello("es97", RIGHT)
    assert "✓" in capsys.readouterr().out
    with handed({}), pytest.raises(VerificaFallita, match=r"manca es08\.npz"):
        verifica_modello("es97", RIGHT)


def test_an_interruption_stays_one(sample):
    def stopped(Q, K, V, mask):
        raise KeyboardInterrupt

    with pytest.raises(VerificaInterrotta):
        checked(stopped)


@pytest.mark.parametrize("hidden", [{}, {"a": None}, {"a": True}, [3]])
def test_hidden_seeds_written_wrong_are_the_author_s_fault(sample, hidden):
    with pytest.raises(ErroreEsercizio):
        checked(RIGHT, hidden=hidden)


def test_an_exercise_without_a_model_says_so():
    with pytest.raises(ErroreEsercizio, match="es02 non fa consegnare"):
        verifica_modello("es02", RIGHT)


@pytest.mark.parametrize("exercise_id", known())
def test_a_function_tried_in_the_model_has_its_graded_cell(exercise_id):
    for name in exercise(exercise_id).functions:
        call = f'verifica_modello("{exercise_id}", {name}'
        (cell,) = (cell for cell in test_cells(exercise_id) if call in cell.source)
        assert pupil_view(cell).strip().endswith(call + ")")
        assert [region.kind for region in regions(exercise_source(exercise_id), cell)] == [HIDDEN]
        assert exercise(exercise_id).files


@pytest.mark.parametrize("seed", [None, 7])
def test_the_sentences_are_of_pairs_never_trained_with_their_twins(seed):
    sentences = unseen(seed)
    assert len(sentences) == SENTENCES
    assert SENTENCES % BATCH == 0
    assert chance_level(sentences) == 0.5
    splits = {grammar().split_of(s.noun, s.attractor_nouns[0]) for s in sentences}
    assert splits == {"validation" if seed is None else "test"}
    assert all(a.tokens[2:-1] == b.tokens[2:-1] for a, b in zip(sentences[::2], sentences[1::2], strict=True))


def test_each_seed_has_its_own_sentences():
    known = {s.tokens for split in ("train", "validation", "test") for s in grammar().sentences(split)}
    one, other = ({s.tokens for s in unseen(seed)} for seed in (7, 8))
    assert len(one & other) < SENTENCES / 4
    assert len(one - known) > SENTENCES / 2
    assert [s.tokens for s in unseen(7)] == [s.tokens for s in unseen(7)]


def test_the_model_calls_it_in_batches_with_a_boolean_mask():
    calls = []

    def spy(Q, K, V, mask):
        calls.append((Q.shape, K.shape, V.shape, Q.dtype, mask.shape, mask.dtype))
        return RIGHT(Q, K, V, mask)

    measure(spy, parameters())
    shape = (BATCH, 2, 6, 16)
    assert calls == [(shape, shape, shape, np.float32, (6, 6), np.bool_)] * (2 * SENTENCES // BATCH)

"""Ciò che vale soltanto per es06: errori promessi, conti su carta, la biblioteca, le due teste che traducono.

Che ogni errore sia riconosciuto e ogni risposta giusta passi lo prova test_slips.py, per tutti gli esercizi.
"""

from __future__ import annotations

import numpy as np
import pytest

from course_lib.checks import exercise, verifica
from course_lib.transformer import heads
from tests.exercises.conftest import failure, hidden_inputs, run_closing

EXERCISE = exercise("es06")
HIDDEN = hidden_inputs("es06")


def test_the_slips_that_the_course_promises_are_there():
    names = {check.name: {slip.name for slip in check.slips} for check in EXERCISE.checks}
    assert {"reshape senza scambio degli assi", "una testa ripetuta"} <= names["split_heads"]
    assert {"teste in ordine inverso", "componenti alternate"} <= names["merge_heads"]
    assert "maschere in un altro ordine" in names["masks_for_heads"]
    for name in ("multi_head", "cross_attention"):
        assert {"scala da d_model", "W_O dimenticata", "una testa ripetuta"} <= names[name]
    assert {"maschere in un altro ordine", "maschera presa per testa"} <= names["multi_head"]
    assert "sequenze scambiate" in names["cross_attention"]
    for name in ("split_heads", "merge_heads"):
        assert "cifre decimali perdute" in names[name]


def test_an_answer_written_for_a_table_is_named_too():
    """Come «in_heads» del notebook: l'errore si riconosce anche se con più assi la funzione si ferma."""

    def split_heads(x, n_heads):
        L, d = x.shape
        return x.reshape(n_heads, L, d // n_heads)

    def merge_heads(Z):
        h, L, d_h = Z.shape
        return Z.reshape(L, h * d_h)

    for wrong in (split_heads, merge_heads):
        assert failure("es06", wrong).slip == "reshape senza scambio degli assi"

    def masks_for_heads(mask, n_heads):
        return np.broadcast_to(mask, (len(mask), n_heads, *mask.shape[1:]))

    assert failure("es06", masks_for_heads).slip == "asse nuovo dimenticato"


def test_the_reference_is_the_librarys():
    rng = np.random.default_rng(6)
    references = {check.name: check.reference for check in EXERCISE.checks}
    x = rng.normal(size=(2, 5, 12))
    apart = heads.split_heads(x, 3)
    np.testing.assert_array_equal(references["split_heads"](x, 3), apart)
    np.testing.assert_array_equal(references["merge_heads"](apart), heads.merge_heads(apart))
    W = [rng.normal(size=s) for s in ((12, 6), (12, 6), (12, 15), (15, 4))]
    mask = rng.integers(0, 2, size=(2, 5, 5)) == 1
    mask[1, 2] = False  # una riga vuota
    ours = heads.MultiHeadAttention(*W, 3)(x, mask=mask[:, None]).output
    np.testing.assert_allclose(references["multi_head"](x, *W, 3, mask), ours, rtol=0, atol=1e-12)
    other = rng.normal(size=(2, 7, 12))
    ours = heads.MultiHeadAttention(*W, 3)(x, other).output
    np.testing.assert_allclose(references["cross_attention"](x, other, *W, 3), ours, rtol=0, atol=1e-12)
    repeated = references["masks_for_heads"](mask, 3)
    np.testing.assert_array_equal(repeated, np.broadcast_to(mask[:, None], (2, 3, 5, 5)))


def test_the_paper_cases():
    shown = {
        "split_heads": [[[1, 2], [7, 8]], [[3, 4], [9, 10]], [[5, 6], [11, 12]]],
        "merge_heads": [[1, 2, 7, 8], [3, 4, 9, 10], [5, 6, 11, 12]],
        "masks_for_heads": [[[[1, 0, 0], [1, 1, 0]]] * 2, [[[1, 1, 1]] * 2] * 2],
        "multi_head": [[[4, 0], [9, 12]]],
        "cross_attention": [[5, 9]],
    }
    for name, expected in shown.items():
        check = EXERCISE.check(name)
        np.testing.assert_allclose(check.reference(*check.inputs()[0]), expected, rtol=1e-12)


def every(hidden):
    return [case for given in hidden.values() for case in (given if type(given) is list else [given])]


def test_lengths_tell_slips_apart():
    """Almeno una volta le misure sono tutte diverse, e una volta le frasi sono quante le teste."""
    for cases in (EXERCISE.check("multi_head").inputs(), every(HIDDEN["multi_head"])):
        sizes = [(*X.shape, h, W_Q.shape[1] // h, W_V.shape[1] // h) for X, W_Q, _, W_V, _, h, _ in cases]
        assert max(len(set(size)) for size in sizes) >= 4
        assert any(B == h and B > 1 for B, _, _, h, _, _ in sizes)
        assert any(d != h * d_k for _, _, d, h, d_k, _ in sizes)
        assert any(d_k != d_v for *_, d_k, d_v in sizes)
    for cases in (EXERCISE.check("cross_attention").inputs(), every(HIDDEN["cross_attention"])):
        assert any(X.shape[-2:] == C.shape[-2:] for X, C, *_ in cases)  # altrimenti scambiarle si vede subito
        assert any(X.shape[-2] != C.shape[-2] and X.shape[-1] != C.shape[-1] for X, C, *_ in cases)


@pytest.mark.parametrize(
    ("name", "wrong", "rule"),
    [
        (
            "multi_head",
            lambda X, W_Q, W_K, W_V, W_O, h, mask: np.cumsum(X @ W_V, axis=-1) @ W_O,
            "Scambia due teste: le loro colonne in W_Q, W_K e W_V, e le loro righe in W_O. Il risultato "
            "dovrebbe restare lo stesso: il tuo cambia?",
        ),
        (
            "cross_attention",
            lambda X, C, W_Q, W_K, W_V, W_O, h: (
                (X @ W_Q).sum(-1, keepdims=True) * (C @ W_V)[..., :1, :] @ W_O
            ),
            "Mescola le righe di C: l'attenzione incrociata, senza posizioni, non dovrebbe accorgersene. Il "
            "tuo risultato cambia?",
        ),
    ],
)
def test_an_unknown_error_still_gets_the_question_of_a_property(name, wrong, rule):
    failed = failure("es06", wrong, nome=name)
    assert failed.slip is None
    assert failed.messaggio.split("\n")[-1] == rule


def test_writing_into_the_vectors_is_told():
    def writes(X, C, *rest):
        right = EXERCISE.check("cross_attention").reference(X, C, *rest)
        C[...] = 0
        return right

    assert failure("es06", writes, nome="cross_attention").slip == "ingressi modificati"


# --- le celle finali -------------------------------------------------------------------------------------


def stub(*args):
    raise NotImplementedError


@pytest.mark.parametrize(
    ("functions", "answer"),
    [
        ({"cross_attention": stub}, "aspettano una funzione che non hai ancora scritto."),
        ({}, "la mappa non si disegna (NameError)"),
        ({"cross_attention": lambda *args: None}, "la mappa non si disegna (AttributeError)"),
        ({"cross_attention": lambda *args: 1 / 0}, "la mappa non si disegna (ZeroDivisionError)"),
        ({"cross_attention": lambda *args: np.zeros((3, 3))}, "la mappa non si disegna (ValueError)"),
        ({"cross_attention": lambda *args: np.ones((4, 12))}, "ogni riga dovrebbe avere somma 1"),
        ({"cross_attention": lambda *args: np.full((4, 12), np.nan)}, "ogni riga dovrebbe avere somma 1"),
    ],
)
def test_the_closing_cells_wait_for_unfinished_functions(functions, answer, capsys):
    space = {"np": np, "verifica": verifica, **functions}
    for which in (-2, -1):
        assert run_closing("es06", space, which) is None
        assert answer in capsys.readouterr().out


def test_the_closing_cells_show_what_each_head_looks_at(solution, capsys):
    space = dict(solution)
    meaning = repr(run_closing("es06", space, -2))
    assert meaning.startswith("Testa 0: la → the, chiave → key, rossa → red, era → was")
    places = repr(run_closing("es06", space, -1))
    assert places.startswith("Testa 1: la → the, chiave → red, rossa → key, era → was")
    draw = space["draw_translation"]
    assert repr(draw("la chiave rossa era.", "the red key was!")).startswith("Testa 0: la → the")


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ({"italian": "la porta"}, "Non conosco «porta»: le parole italiane sono la, il, chiave,"),
        ({"english": "la chiave"}, "Non conosco «la»: le parole inglesi sono the, key,"),
        ({"english": ""}, "Servono da una a 6 parole italiane, e altrettante inglesi."),
        ({"italian": "la " * 7}, "Servono da una a 6 parole italiane"),
        ({"head": 2}, "La testa dev'essere 0 o 1."),
        ({"head": True}, "La testa dev'essere 0 o 1."),
        ({"head": np.array([0, 1])}, "La testa dev'essere 0 o 1."),
    ],
)
def test_the_map_says_what_it_cannot_draw(solution, asked, answer, capsys):
    space = dict(solution)
    run_closing("es06", space, -2)
    assert space["draw_translation"](**asked) is None
    assert capsys.readouterr().out.startswith(answer)


def test_a_tie_is_no_winner(solution):
    """Una parola senza corrispondente guarda tutte allo stesso modo: il titolo non ne nomina una."""
    space = dict(solution)
    run_closing("es06", space, -2)
    draw = space["draw_translation"]
    assert "rossa → 4 alla pari" in repr(draw(english="the key was new"))
    assert "chiave → 2 alla pari" in repr(draw("la chiave", "the key was the red key"))
    assert repr(draw("la", "the")).startswith("Testa 0: la → the")

"""Ciò che vale soltanto per es07: errori promessi, conti su carta, il blocco della biblioteca, la fine.

Che ogni errore sia riconosciuto e ogni risposta giusta passi lo prova test_slips.py, per tutti gli esercizi.
"""

from __future__ import annotations

import numpy as np
import pytest

from course_lib.checks import exercise, verifica
from course_lib.transformer.blocks import EncoderBlock, feed_forward, layer_norm, relu
from course_lib.transformer.heads import MultiHeadAttention
from course_lib.transformer.masks import causal_mask, padding_mask
from tests.exercises.conftest import failure, hidden_inputs, run_closing

EXERCISE = exercise("es07")
HIDDEN = hidden_inputs("es07")
REFERENCE = {check.name: check.reference for check in EXERCISE.checks}


def every(hidden):
    return [case for given in hidden.values() for case in (given if type(given) is list else [given])]


def test_the_slips_that_the_course_promises_are_there():
    names = {check.name: {slip.name for slip in check.slips} for check in EXERCISE.checks}
    assert {
        "divisore d − 1",
        "eps fuori dalla radice",
        "asse sbagliato",
        "γ dimenticato",
        "β dimenticato",
    } <= names["layer_norm"]
    assert "ReLU dopo il secondo strato" in names["feed_forward"]
    assert {"connessione residua dimenticata", "post-norm"} <= names["block"]
    post = next(slip for slip in EXERCISE.check("block").slips if slip.name == "post-norm")
    assert "Vaswani" in post.question
    assert "non il nostro" in post.question


def test_the_reference_is_the_librarys():
    rng = np.random.default_rng(3)
    x, gamma, beta = rng.normal(size=(2, 5, 6)), rng.normal(size=6), rng.normal(size=6)
    np.testing.assert_allclose(
        REFERENCE["layer_norm"](x, gamma, beta, 0.3), layer_norm(x, gamma, beta, eps=0.3), rtol=1e-12
    )
    network = [rng.normal(size=shape) for shape in ((6, 9), (9,), (9, 6), (6,))]
    np.testing.assert_allclose(
        REFERENCE["feed_forward"](x, *network), feed_forward(x, *network, activation=relu), rtol=1e-10
    )
    lengths = np.array([4, 1, 0])
    encoder, decoder, cross = REFERENCE["family_masks"](lengths, 5, 3)
    real = padding_mask(lengths, 5)[:, None, :]
    np.testing.assert_array_equal(encoder, np.broadcast_to(real, (3, 5, 5)))
    np.testing.assert_array_equal(decoder, causal_mask(3))
    np.testing.assert_array_equal(cross, np.broadcast_to(real, (3, 3, 5)))


def test_the_reference_block_is_the_librarys_with_a_relu():
    """I pezzi della biblioteca, messi insieme come il suo blocco; con la GELU, è proprio il suo blocco."""
    rng = np.random.default_rng(5)
    own = EncoderBlock.random(6, 1, rng, d_ff=9)
    names = {"self.gamma": "gamma_1", "self.beta": "beta_1", "ffn.gamma": "gamma_2", "ffn.beta": "beta_2"}
    q = {name: part + 0.3 * rng.normal(size=part.shape) for name, part in own.parameters.items()}
    p = {names.get(name, name.split(".")[1]): part for name, part in q.items()}
    W = np.split(p.pop("W_QKV"), 3, axis=1)
    p |= {"W_Q": W[0], "W_K": W[1], "W_V": W[2]}
    x, mask = rng.normal(size=(2, 4, 6)), rng.integers(0, 2, size=(4, 4)) + np.eye(4) > 0
    heads = MultiHeadAttention(*W, p["W_O"], 1)
    network = [p[name] for name in ("W_1", "b_1", "W_2", "b_2")]
    middle = x + heads(layer_norm(x, p["gamma_1"], p["beta_1"]), mask=mask).output
    wanted = middle + feed_forward(layer_norm(middle, p["gamma_2"], p["beta_2"]), *network, activation=relu)
    np.testing.assert_allclose(REFERENCE["block"](x, mask, p), wanted, rtol=1e-10)
    library = EncoderBlock(q, 1)(x, mask)
    ours = middle + feed_forward(layer_norm(middle, p["gamma_2"], p["beta_2"]), *network)
    np.testing.assert_allclose(library, ours, rtol=1e-10)


def test_the_paper_cases():
    three = 1 / 3
    shown = {
        "layer_norm": [[-3, 2 - 3 * three, 6 * three, 0], [0, 2, 0, -1]],
        "feed_forward": [[3, -4], [0, 3]],
    }
    for name, expected in shown.items():
        check = EXERCISE.check(name)
        np.testing.assert_allclose(check.reference(*check.inputs()[0]), expected, rtol=1e-12, atol=1e-12)
    check = EXERCISE.check("block")
    result = check.reference(*check.inputs()[0])
    np.testing.assert_allclose(result, [[1, 8], [1, 10]], rtol=0, atol=1e-4)
    assert np.abs(result - [[1, 8], [1, 10]]).max() > 1e-7  # ε c'è
    x, mask, p = check.inputs()[0]  # chi normalizza x due volte se ne accorge anche su carta
    parallel = check.family(stages="parallel")(x, mask, p)
    np.testing.assert_allclose(parallel[0], [2, 4], rtol=0, atol=1e-4)
    check = EXERCISE.check("family_masks")
    encoder, decoder, cross = check.reference(*check.inputs()[0])
    np.testing.assert_array_equal(encoder, [[[1, 1, 1]] * 3, [[1, 1, 0]] * 3])
    np.testing.assert_array_equal(decoder, [[1, 0], [1, 1]])
    np.testing.assert_array_equal(cross, [[[1, 1, 1]] * 2, [[1, 1, 0]] * 2])


def test_lengths_tell_slips_apart():
    for cases in (EXERCISE.check("family_masks").inputs(), every(HIDDEN["family_masks"])):
        assert any(len({len(lengths), S, T}) == 3 for lengths, S, T in cases)
    for cases in (EXERCISE.check("block").inputs(), every(HIDDEN["block"])):
        assert any(len({*x.shape, len(p["b_1"])}) >= 3 for x, _, p in cases)


@pytest.mark.parametrize(
    ("name", "wrong", "rule"),
    [
        (
            "layer_norm",
            lambda x, gamma, beta, eps: np.tanh(x) * gamma + beta,
            "Somma 10 a tutte le componenti di un vettore: la media si sposta di 10, e il tuo risultato?",
        ),
        (
            "block",
            lambda x, mask, p: x + 1.0,
            "Con W_O, W_2 e b_2 a zero i due sottostrati danno zero: dal tuo blocco esce proprio x?",
        ),
        (
            "feed_forward",
            lambda x, W_1, b_1, W_2, b_2: x + x[..., :1, :],
            "La rete feed-forward legge un vettore alla volta: se cambi l'ordine dei token, le tue righe "
            "restano le stesse, mescolate come loro?",
        ),
    ],
)
def test_an_unknown_error_still_gets_the_question_of_a_property(name, wrong, rule):
    failed = failure("es07", wrong, nome=name)
    assert failed.slip is None
    assert failed.messaggio.split("\n")[-1] == rule


def test_the_mask_upside_down_is_named_though_the_given_attention_gives_nan(solution):
    """Sulla prima riga, tutta vietata, masked_attention dà NaN: l'errore si riconosce lo stesso."""

    def block(x, mask, p):
        return solution["block"](x, ~mask, p)

    with np.errstate(all="ignore"):
        assert np.isnan(block(*EXERCISE.check("block").inputs()[0])).any()
        assert failure("es07", block, nome="block").slip == "maschera letta al contrario"


def test_adding_in_place_is_told():
    def writes(x, mask, p):
        right = REFERENCE["block"](x, mask, p)
        if x.dtype.kind == "f":
            x += right - x
        return right

    failed = failure("es07", writes, nome="block")
    assert failed.slip == "ingressi modificati"
    assert "Dopo la chiamata è cambiato: x." in failed.messaggio


def test_the_message_of_the_block_shows_its_parameters_in_italian():
    message = failure("es07", lambda x, mask, p: x, nome="block").messaggio
    assert "p:\n" in message
    assert "    un dizionario di array\n    gamma_1 (1; 1)\n" in message
    assert "    W_O (−2; 0) (0; −2)\n" in message
    assert "array(" not in message


# --- la cella finale -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "functions",
    [
        {},
        {"block": lambda x, mask, p: None},
        {"block": lambda x, mask, p: 1 / 0},
        {"block": lambda x, mask, p: x * np.nan},
    ],
)
def test_the_closing_cell_waits_for_unfinished_functions(functions, capsys):
    with np.errstate(all="ignore"):
        assert run_closing("es07", {"np": np, "verifica": verifica, **functions}) is None
    waiting = "La strada lunga aspetta le tue funzioni 1, 2 e 3: per ora non si può disegnare ("
    assert capsys.readouterr().out.startswith(waiting)


def test_without_the_first_sum_the_picture_is_still_drawn_and_three_curves_are_one(solution):
    def block(x, mask, p):
        copy = solution["layer_norm"](x, p["gamma_1"], p["beta_1"], 1e-5)
        z = solution["masked_attention"](copy @ p["W_Q"], copy @ p["W_K"], copy @ p["W_V"], mask) @ p["W_O"]
        copy = solution["layer_norm"](z, p["gamma_2"], p["beta_2"], 1e-5)
        return z + solution["feed_forward"](copy, *(p[name] for name in ("W_1", "b_1", "W_2", "b_2")))

    with np.errstate(all="raise"):
        shown = repr(run_closing("es07", {**solution, "block": block}))
    assert shown.startswith("Dopo 12 blocchi il coseno con la partenza è: 0,00; 0,04; 0,04; 0,04.")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"mask": np.ones((3, 3), dtype=bool)}, "La maschera dev'essere logica, (6, 6)"),
        ({"mask": np.zeros((6, 6), dtype=bool)}, "La maschera dev'essere logica, (6, 6)"),
        ({"depth": 2.5}, "Le grandezze sono al più quattro; il numero dei blocchi"),
        ({"sizes": ()}, "Le grandezze sono al più quattro; il numero dei blocchi"),
    ],
)
def test_the_closing_cell_says_what_does_not_fit(solution, capsys, given, said):
    space = dict(solution)
    run_closing("es07", space)
    capsys.readouterr()
    assert space["draw_depth"](**given) is None
    assert capsys.readouterr().out.startswith(said)


def test_the_closing_cell_shows_the_road_of_the_residual(solution):
    space = dict(solution)
    shown = repr(run_closing("es07", space))
    title = "Dopo 12 blocchi il coseno con la partenza è: 1,00; 0,66; 0,22; 0,07."
    assert shown.startswith(f"{title}\nmatrici × 0: ")
    found = [space["resemblance"](size, 12, np.tri(6, dtype=bool))[-1] for size in (0, 0.25, 1, 4)]
    assert found[0] == pytest.approx(1, abs=1e-12)
    assert found == sorted(found, reverse=True)
    assert found[-1] < 0.5
    same = space["draw_depth"](mask=space["family_masks"](np.array([6]), 6, 6)[0][0])
    assert repr(same).startswith("Dopo 12 blocchi il coseno con la partenza è: 1,00; 0,73; 0,27; 0,09.")
    assert repr(space["draw_depth"](sizes=2, depth=1)).startswith("Dopo un blocco il coseno")
    right = space["block"]
    space["block"] = lambda x, mask, p: right(x, mask, p) - x  # senza la strada del residuo
    assert abs(space["resemblance"](0.25, 12, np.tri(6, dtype=bool))[-1]) < 0.5

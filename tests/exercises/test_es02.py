"""es02: ciò che i messaggi dei suoi controlli devono dire, caso per caso."""

from __future__ import annotations

import re

import numpy as np
import pytest

from course_lib.checks import exercise
from course_lib.transformer.attention import scaled_dot_product_attention, softmax
from tests.exercises.conftest import failure, first_line, hidden_inputs

EXERCISE = exercise("es02")


def test_the_slips_that_the_course_promises_are_there():
    names = {check.name: {slip.name for slip in check.slips} for check in EXERCISE.checks}
    assert "x e W in ordine inverso" in names["project"]
    assert {"senza scala", "diviso per d_k", "moltiplicato per √d_k"} <= names["scaled_scores"]
    assert "non divisi per la somma" in names["softmax_row"]
    assert {"value combinati con i punteggi", "senza scala", "non divisi per la somma"} <= names["attend"]


def test_the_message_of_two_slips_asks_both_questions():
    check = EXERCISE.check("scaled_scores")
    failed = failure("es02", check.family(scale="full", dot="products"), nome="scaled_scores")
    assert failed.slips == ("diviso per d_k", "prodotti non sommati")
    assert failed.slip == "diviso per d_k + prodotti non sommati"
    lines = failed.messaggio.split("\n")
    assert lines[0] == (
        "✗ scaled_scores: sembrano due errori insieme, «diviso per d_k» e «prodotti non sommati»."
    )
    assert all(line.endswith("?") for line in lines[-2:])


def test_a_loop_that_knows_only_one_token_is_told_so():
    def loop(x, W):
        y = []
        for j in range(W.shape[1]):
            total = 0.0
            for i in range(len(x)):
                total += x[i] * W[i, j]
            y.append(total)
        return np.array(y)

    failed = failure("es02", loop, nome="project")
    assert failed.slip == "scritta per un token solo"
    assert "x, forma (2, 3):" in failed.messaggio  # si mostra una frase, non il conto su carta


def test_one_number_for_all_the_keys_is_a_sum_that_mixes_them():
    failed = failure("es02", lambda q, K: (q * K).sum() / np.sqrt(len(q)), nome="scaled_scores")
    assert failed.slip == "somma lungo l'asse sbagliato"


def test_a_sum_of_everything_is_asked_what_it_has_added():
    failed = failure("es02", lambda weights, V: np.sum(weights[:, None] * V), nome="combine")
    assert failed.slip == "somma lungo l'asse sbagliato"


def test_the_scores_stay_where_the_card_says_and_the_plain_formula_holds():
    check = EXERCISE.check("softmax_row")
    hidden = hidden_inputs("es02")["softmax_row"].values()
    cases = [args for given in hidden for args in (given if type(given) is list else [given])]
    every = [scores for (scores,) in [*check.inputs(), *cases]]
    assert len(every) > 10
    assert max(abs(scores).max() for scores in every) < 500
    assert np.isfinite(np.exp(709.0))
    with np.errstate(over="ignore"):
        assert np.isinf(np.exp(710.0))


def test_a_slip_that_is_not_alone_is_said_not_to_be():
    def only_slips_on_matrices(x, W):
        return (x @ W).T if x.ndim == 2 else (x @ W if len(x) != 3 else x @ W + 1)

    line = first_line("es02", only_slips_on_matrices, nome="project")
    assert line == "✗ project: sembra l'errore «risultato trasposto», e non è il solo."


def test_one_value_alone_does_not_make_a_slip_of_many():
    def wrong_everywhere(scores):
        return softmax(scores).astype(int) if scores.dtype.kind == "i" else softmax(scores) + 1

    assert failure("es02", wrong_everywhere, nome="softmax_row").slip is None


def test_a_coincidence_on_one_case_is_not_a_slip():
    def right_but_on_the_paper_case(scores):
        return np.exp(scores) if len(scores) == 2 else softmax(scores)

    failed = failure("es02", right_but_on_the_paper_case, nome="softmax_row")
    assert failed.slip is None
    assert failed.messaggio.startswith("✗ softmax_row: i valori non sono quelli attesi.\n")
    assert failed.messaggio.endswith(
        "I coefficienti di una riga si dividono un intero fra tutte le key: quanto fa la somma dei tuoi?"
    )


def test_the_paper_case_is_shown_first_when_it_fails():
    message = failure(
        "es02", EXERCISE.check("scaled_scores").family(scale="none"), nome="scaled_scores"
    ).messaggio
    assert "q, forma (4,):  (1; 2; 0; 1)" in message
    assert "atteso:    (2; 0; 4)" in message
    assert "ottenuto:  (4; 0; 8)" in message


def test_shapes_come_before_values():
    lines = failure("es02", lambda q, K: q * K, nome="scaled_scores").messaggio.split("\n")
    shape = next(i for i, line in enumerate(lines) if "forma attesa (3,), forma ottenuta (3, 4)" in line)
    assert lines[shape + 1].startswith("  atteso:")


def test_numbers_that_differ_far_from_the_comma_are_shown_different():
    message = failure(
        "es02", lambda s: softmax(s) + np.array([1e-6] + [0] * (len(s) - 1)), nome="softmax_row"
    ).messaggio
    expected, got = re.findall(r"(?:atteso|ottenuto):\s+(\(.*\))", message)
    assert expected == "(0,250000; 0,750000)"
    assert got == "(0,250001; 0,750000)"


@pytest.mark.parametrize("name", ["scaled_scores", "combine"])
def test_lost_decimals_are_shown_on_a_case_where_they_are_seen(name):
    check = EXERCISE.check(name)
    (slip,) = (one for one in check.slips if one.name == "cifre decimali perdute")
    for function in check.wrong_functions(slip):
        message = failure("es02", function, nome=name).messaggio
        expected, got = re.findall(r"(?:atteso|ottenuto):\s+(\(.*\))", message)
        assert expected != got


def test_a_wrong_type_without_a_slip_is_shown_where_the_values_differ_too():
    def combine(weights, V):
        z = np.zeros(V.shape[1], dtype=int)
        for weight, value in zip(weights, V, strict=True):
            z[:] = z + weight * value
        return z

    message = failure("es02", combine).messaggio
    assert message.startswith("✗ combine: il risultato contiene numeri interi")
    expected, got = re.findall(r"(?:atteso|ottenuto):\s+(\(.*\))", message)
    assert expected != got


def test_the_reference_is_the_librarys_attention():
    rng = np.random.default_rng(8)
    X, W_Q, W_K, W_V = (rng.normal(size=s) for s in ((5, 4), (4, 3), (4, 3), (4, 2)))
    output, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    for i in range(5):
        z, row = EXERCISE.check("attend").reference(i, X, W_Q, W_K, W_V)
        np.testing.assert_array_almost_equal_nulp(z, output[i], 64)
        np.testing.assert_array_almost_equal_nulp(row, weights[i], 64)


def test_lengths_tell_slips_apart():
    """Almeno un caso visibile e uno nascosto di attend hanno n, d_in, d_k e d_v tutti diversi."""
    hidden = [
        case
        for given in hidden_inputs("es02")["attend"].values()
        for case in (given if type(given) is list else [given])
    ]
    for cases in (EXERCISE.check("attend").inputs(), hidden):
        lengths = [{*X.shape, W_K.shape[1], W_V.shape[1]} for _, X, _, W_K, W_V in cases]
        assert max(map(len, lengths)) == 4


# Come li scriverebbe chi studia: con ingressi interi alcuni danno interi, e l'errore resta uno solo.
NATURAL = {
    "senza scala": "lambda q, K: K @ q",
    "senza scala (ciclo)": "lambda q, K: np.array([sum(q * k) for k in K])",
    "diviso per d_k": "lambda q, K: K @ q / len(q)",
    "moltiplicato per √d_k": "lambda q, K: K @ q * len(q) ** 0.5",
}


@pytest.mark.parametrize("source", NATURAL.values(), ids=NATURAL.keys())
def test_a_slip_as_pupils_write_it_is_one_slip(source):
    failed = failure("es02", eval(source, {"np": np}), nome="scaled_scores")
    assert len(failed.slips) == 1
    assert "due errori" not in failed.messaggio

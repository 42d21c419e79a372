"""Gli errori si dicono alla porta, in italiano, con l'argomento, ciò che era atteso e ciò che è arrivato."""

import math

import numpy as np
import pytest

from course_lib.transformer import scaled_dot_product_attention, softmax

nan, inf = math.nan, math.inf
two, three = np.ones((2, 2)), np.ones((3, 2))

SOFTMAX = {
    "NaN": (dict(scores=[1.0, nan, 0.0]), ["scores[1]", "NaN"]),
    "primo nell'ordine di lettura": (dict(scores=[[0.0, 1.0], [inf, nan]]), ["scores[1, 0]", "+∞"]),
    "solo fra gli ammessi": (
        dict(scores=[[nan, 1.0], [0.0, inf]], mask=[[False, True], [True, True]]),
        ["scores[1, 1]", "+∞"],
    ),
    "tre assi": (dict(scores=np.where(np.arange(8).reshape(2, 2, 2) == 5, nan, 0)), ["scores[1, 0, 1]"]),
    "maschera di numeri": (dict(scores=[1.0, 2.0], mask=[1, 0]), ["mask", "booleani", "True", "int64"]),
    "maschera additiva": (dict(scores=[1.0, 2.0], mask=[0.0, -inf]), ["mask", "booleani", "float64"]),
    "maschera lunga": (dict(scores=[1.0, 2.0], mask=[True] * 3), ["mask", "(2,)", "(3,)"]),
    "maschera che allungherebbe la riga": (
        dict(scores=[[1.0], [2.0]], mask=[True, True]),
        ["mask", "(2, 1)", "(2,)"],
    ),
    "un numero solo": (dict(scores=3.0), ["scores", "()"]),
    "asse inesistente": (dict(scores=[1.0], axis=1), ["axis", "-1", "0", "(1,)"]),
    "asse non intero": (dict(scores=[1.0], axis=0.5), ["axis", "intero", "0.5"]),
    "righe disuguali": (dict(scores=[[1.0], [2.0, 3.0]]), ["scores", "lunghezza diversa"]),
    "parole": (dict(scores=["a", "b"]), ["scores", "numeri reali"]),
    "complessi": (dict(scores=[1j, 2.0]), ["scores", "numeri reali", "complex128"]),
}

ATTENTION = {
    "d_k diverso": (dict(Q=[[1, 0]], K=[[1, 0, 0]], V=[[1, 0]]), ["K", "2", "d_k", "(1, 3)"]),
    "value di troppo": (dict(Q=two, K=two, V=three), ["V", "2", "S", "(3, 2)"]),
    "query con un asse solo": (dict(Q=[1.0, 0.0], K=two, V=two), ["Q", "(..., L, d_k)", "(2,)"]),
    "key con un asse solo": (dict(Q=two, K=[1.0, 0.0], V=two), ["K", "(..., S, d_k)", "(2,)"]),
    "value con un asse solo": (dict(Q=two, K=two, V=[1.0, 0.0]), ["V", "(..., S, d_v)", "(2,)"]),
    "assi iniziali": (
        dict(Q=np.ones((2, 1, 1)), K=np.ones((3, 1, 1)), V=np.ones((1, 1))),
        ["assi iniziali", "Q (2,)", "K (3,)"],
    ),
    "NaN in Q": (dict(Q=[[0.0, nan], [inf, 0.0]], K=two, V=two), ["Q[0, 1]", "finito"]),
    "infinito in K": (dict(Q=two, K=[[0.0, 0.0], [-inf, 0.0]], V=two), ["K[1, 0]", "finito"]),
    "infinito in V, anche se vietato": (
        dict(Q=two, K=two, V=[[0.0, inf], [0.0, 0.0]], mask=[[False, True]] * 2),
        ["V[0, 1]", "finito"],
    ),
    "maschera di numeri": (dict(Q=two, K=two, V=two, mask=np.ones((2, 2))), ["mask", "booleani", "float64"]),
    "maschera trasposta": (
        dict(Q=two, K=three, V=three, mask=np.ones((3, 2), bool)),
        ["mask", "(2, 3)".replace("(", "(..., "), "(3, 2)"],
    ),
    "maschera con altri assi iniziali": (
        dict(Q=np.ones((2, 1, 1)), K=np.ones((1, 1)), V=np.ones((1, 1)), mask=np.ones((3, 1, 1), bool)),
        ["mask", "assi iniziali", "(3,)"],
    ),
    "scala infinita": (dict(Q=two, K=two, V=two, scale=inf), ["scale", "finito", "inf"]),
    "scala che non è un numero": (dict(Q=two, K=two, V=two, scale="radice"), ["scale", "finito", "radice"]),
    "prodotto che trabocca": (
        dict(Q=[[0.0], [1e200]], K=[[1.0], [1e200]], V=two),
        ["Q, K", "[1, 1]", "trabocca", "float64"],
    ),
}


def expect_message(function, arguments, parts):
    with pytest.raises(ValueError) as caught:  # noqa: PT011  (il messaggio si guarda sotto)
        function(**arguments)
    message = str(caught.value)
    assert [part for part in parts if part not in message] == [], message


@pytest.mark.parametrize("name", SOFTMAX)
def test_softmax_refuses(name):
    expect_message(softmax, *SOFTMAX[name])


@pytest.mark.parametrize("name", ATTENTION)
def test_attention_refuses(name):
    expect_message(scaled_dot_product_attention, *ATTENTION[name])


def test_overflow_of_a_forbidden_score_is_nobodys_business():
    mask = [[True, True], [True, False]]
    weights = scaled_dot_product_attention([[0.0], [1e200]], [[1.0], [1e200]], two, mask).weights
    assert weights.tolist() == [[0.5, 0.5], [1.0, 0.0]]

"""L'attenzione, in due funzioni: la softmax di una riga e il prodotto scalare scalato.

Le convenzioni del corso: le righe sono le query («chi guarda»), le colonne le key («chi è guardato»);
una maschera è booleana e True vuol dire «può guardare»; gli assi iniziali fanno broadcasting.
Nessuna riga di questo modulo scrive dentro un array: così lo stesso codice vale per un `Tensor`.
"""

from __future__ import annotations

import math
import operator
from typing import NamedTuple

import numpy as np

from course_lib.transformer.arrays import (
    as_array,
    as_float,
    as_mask,
    cast,
    expect_axes,
    expect_broadcast,
    expect_finite,
    expect_length,
    place_of_first,
    result_dtype,
)


class Attention(NamedTuple):
    """Il risultato dell'attenzione.

    output: (..., L, d_v), una combinazione dei value per ogni query
    weights: (..., L, S), i coefficienti di attenzione; ogni riga ha somma 1 (o 0, se non può guardare nulla)
    """

    output: np.ndarray
    weights: np.ndarray


def softmax(scores, axis=-1, mask=None):
    """Coefficienti positivi e di somma 1, proporzionali agli esponenziali dei punteggi.

    scores: (..., S)   axis: l'asse lungo cui la somma fa 1
    mask: bool, della forma di scores o che vi si adatta, True = può guardare
    Restituisce: la forma di scores (con gli assi iniziali di mask, se ne ha di più), stesso dtype;
    gli interi diventano float64. Dove mask è False il coefficiente è 0; una riga che non può guardare
    nulla, o con soli punteggi −∞, ha tutti i coefficienti a 0 (è una convenzione nostra).
    Solleva ValueError se un punteggio ammesso è NaN o +∞, se mask non è booleana, se le forme non combaciano.
    Fonte: Vaswani et al. 2017, §3.2.1; il massimo sottratto a ogni riga: Goodfellow et al. 2016, §4.1.
    """
    scores = as_array("scores", scores)
    axis = _from_the_end(axis, scores)
    dtype = result_dtype(scores)
    scores = as_float(scores)
    if mask is not None:
        mask = as_mask("mask", mask)
        _expect_mask_fits(mask, scores, axis)
    _expect_scores(scores, mask)
    return cast(_normalise(scores, axis, mask), dtype)


def _normalise(scores, axis, mask):
    """La softmax vera e propria: scores e mask sono già stati controllati."""
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)                        # vietato: esponenziale 0
    if 0 in scores.shape:
        return np.zeros(scores.shape, scores.dtype)
    with np.errstate(over="ignore", under="ignore"):                    # differenza enorme: exp dà 0
        highest = np.max(scores, axis=axis, keepdims=True)              # (..., S) -> (..., 1)
        highest = np.where(highest > -np.inf, highest, 0.0)             # riga vuota: nulla da sottrarre
        exponentials = np.exp(scores - highest)                         # (..., S), ciascuno fra 0 e 1
        total = np.sum(exponentials, axis=axis, keepdims=True)          # (..., 1)
        return exponentials / np.where(total > 0.0, total, 1.0)         # riga vuota: 0 / 1


def scaled_dot_product_attention(Q, K, V, mask=None, scale=None):
    """Attenzione: confronta ogni query con ogni key, normalizza, combina i value.

    Q: (..., L, d_k)   K: (..., S, d_k)   V: (..., S, d_v)   mask: (..., L, S) bool, True = può guardare
    scale: il numero per cui moltiplicare q·k; se manca, 1/√d_k
    Restituisce: Attention(output (..., L, d_v), weights (..., L, S)), stesso dtype degli argomenti
    (float16 si calcola in float32, gli interi diventano float64). Una query che non può guardare nulla
    ha coefficienti e uscita a 0.
    Solleva ValueError se una forma non combacia, se Q, K o V contengono NaN o infiniti,
    se mask non è booleana o se scale non è un numero finito.
    Fonte: Vaswani et al. 2017, §3.2.1, eq. 1.
    """
    Q, K, V = as_array("Q", Q), as_array("K", K), as_array("V", V)
    _expect_shapes(Q, K, V)
    dtype = result_dtype(Q, K, V)
    Q, K, V = as_float(Q), as_float(K), as_float(V)
    for name, array in (("Q", Q), ("K", K), ("V", V)):
        expect_finite(name, array)
    if mask is not None:
        mask = as_mask("mask", mask)
        _expect_attention_mask(mask, Q, K, V)

    with np.errstate(over="ignore", under="ignore", invalid="ignore"):  # il trabocco si controlla sotto
        products = Q @ np.swapaxes(K, -1, -2)                           # (..., L, d_k) -> (..., L, S)
        scores = products / _root(Q.shape[-1]) if scale is None else products * _expect_scale(scale)
        _expect_no_overflow(scores, mask)
        weights = _normalise(scores, -1, mask)                          # (..., L, S), ogni riga ha somma 1
        output = weights @ V                                            # (..., S, d_v) -> (..., L, d_v)
    return Attention(cast(output, dtype), cast(weights, dtype))


def _root(d_k):
    """√d_k; con d_k = 0 i prodotti sono tutti 0 e non c'è nulla da scalare."""
    return math.sqrt(d_k) if d_k else 1.0


def _from_the_end(axis, scores):
    """L'asse contato dalla fine: vale anche se la maschera aggiunge assi iniziali."""
    expect_axes("scores", scores, 1, "(..., S)")
    try:
        axis = operator.index(axis)
    except TypeError:
        raise ValueError(f"axis: mi aspettavo un numero intero, è arrivato {axis!r}.") from None
    if not -scores.ndim <= axis < scores.ndim:
        raise ValueError(
            f"axis: mi aspettavo un asse fra {-scores.ndim} e {scores.ndim - 1} "
            f"per la forma {tuple(scores.shape)}, è arrivato {axis}."
        )
    return axis if axis < 0 else axis - scores.ndim


def _expect_scores(scores, mask):
    """Un punteggio ammesso è un numero finito o −∞; uno vietato può essere qualunque cosa."""
    nan = scores != scores                                              # solo NaN è diverso da sé stesso
    wrong = nan | (scores == np.inf)
    if mask is not None:
        wrong, nan = wrong & mask, nan & mask
    if wrong.any():
        first = np.argmax(wrong)
        value = "NaN" if nan.flat[first] else "+∞"
        raise ValueError(
            f"{place_of_first('scores', wrong)} vale {value}: un punteggio ammesso dev'essere un numero "
            "finito (o −∞, che equivale a vietarlo)."
        )


def _expect_no_overflow(scores, mask):
    """Q e K sono finiti: un punteggio che non lo è viene da numeri troppo grandi per il loro tipo."""
    wrong = ~((scores > -np.inf) & (scores < np.inf))
    if mask is not None:
        wrong = wrong & mask
    if wrong.any():
        raise ValueError(
            f"Q, K: il punteggio {place_of_first('', wrong)} trabocca in {scores.dtype}: "
            "Q o K contengono numeri troppo grandi."
        )


def _expect_mask_fits(mask, scores, axis):
    try:
        shape = np.broadcast_shapes(mask.shape, scores.shape)
    except ValueError:
        shape = None
    if shape is None or shape[axis] != scores.shape[axis]:
        raise ValueError(
            f"mask: mi aspettavo una forma che si adatti a quella dei punteggi, {tuple(scores.shape)}, "
            f"è arrivata la forma {mask.shape}."
        )


def _expect_shapes(Q, K, V):
    expect_axes("Q", Q, 2, "(..., L, d_k)")
    expect_axes("K", K, 2, "(..., S, d_k)")
    expect_axes("V", V, 2, "(..., S, d_v)")
    expect_length("K", K, -1, Q.shape[-1], "d_k, come in Q")
    expect_length("V", V, -2, K.shape[-2], "S, una riga per ogni key")
    expect_broadcast({"Q": Q.shape[:-2], "K": K.shape[:-2], "V": V.shape[:-2]})


def _expect_attention_mask(mask, Q, K, V):
    """La maschera ha gli ultimi due assi lunghi L e S (o 1); gli altri fanno broadcasting."""
    L, S = Q.shape[-2], K.shape[-2]
    rows, columns = (1, 1, *mask.shape)[-2:]
    if rows not in (1, L) or columns not in (1, S):
        raise ValueError(
            f"mask: mi aspettavo la forma (..., L, S) = (..., {L}, {S}), è arrivata la forma {mask.shape}."
        )
    expect_broadcast({"Q": Q.shape[:-2], "K": K.shape[:-2], "V": V.shape[:-2], "mask": mask.shape[:-2]})


def _expect_scale(scale):
    try:
        number = math.nan if isinstance(scale, str) else float(scale)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"scale: mi aspettavo un numero finito, è arrivato {scale!r}.")
    return number

"""Lo stato della Lente sulla cella: tutti gli operandi del conto di ogni cella, dai prodotti a z."""

from __future__ import annotations

import numpy as np

from course_lib.notation import number
from course_lib.transformer.attention import scaled_dot_product_attention
from course_lib.widgets.state.plain import MOST_TOKENS, check_mask, check_names, plain, real_array

MOST_COMPONENTS = 64  # di un vettore: di più il conto non si legge
LARGEST_EXPONENT = 30.0          # oltre, si sottrae il massimo della riga e lo si dice


def state(Q, K, V, rows, columns=None, mask=None):
    """Il conto di ogni coefficiente, passo per passo.

    Q: (L, d_k)   K: (S, d_k)   V: (S, d_v)   rows: L nomi   columns: S nomi; se mancano, quelli delle righe
    mask: (L, S) bool, True = può guardare
    Restituisce: un dizionario; products e partials sono (L, S, d_k), dots, scores, exponentials e weights
    (L, S), con None dove non si può guardare; terms (L, S, d_v), outputs (L, d_v); sentences (L, S).
    Solleva ValueError, con una frase da mostrare, se forme, nomi o numeri non vanno.
    Fonte: Vaswani et al. 2017, eq. 1; i numeri di chiave/libri/era dal documento S0.
    """
    Q, K, V = (_matrix(name, value) for name, value in (("Q", Q), ("K", K), ("V", V)))
    rows = check_names(rows, len(Q), "rows")
    columns = check_names(rows if columns is None else columns, len(K), "columns")
    _check_shapes(Q, K, V)
    d_k = Q.shape[1]
    allowed = np.ones((len(Q), len(K)), dtype=bool) if mask is None else check_mask(mask, (len(Q), len(K)))
    attention = scaled_dot_product_attention(Q, K, V, mask)              # (L, S), (L, d_v)
    products = Q[:, None, :] * K[None, :, :]                             # (L, S, d_k)
    dots = products.sum(axis=-1)                                         # (L, S)
    scores = dots / np.sqrt(d_k)
    shifts = _shifts(scores, allowed)                                    # (L,)
    exponentials = np.where(allowed, np.exp(np.where(allowed, scores - shifts[:, None], 0.0)), 0.0)
    terms = attention.weights[:, :, None] * V[None, :, :]                # (L, S, d_v)
    return {
        "rows": rows, "columns": columns, "d_k": d_k, "d_v": V.shape[1], "root": float(np.sqrt(d_k)),
        "Q": plain(Q), "K": plain(K), "V": plain(V),
        "allowed": allowed.tolist(), "masked": not bool(allowed.all()),
        "products": plain(products), "partials": plain(np.cumsum(products, axis=-1)),
        "dots": plain(dots), "scores": plain(scores), "shifts": plain(shifts),
        "exponentials": plain(exponentials, allowed), "totals": plain(exponentials.sum(axis=-1)),
        "weights": plain(attention.weights, allowed), "sums": plain(attention.weights.sum(axis=-1)),
        "terms": plain(terms), "outputs": plain(attention.output),
        "most": [_most(row, may) for row, may in zip(attention.weights, allowed, strict=True)],
        "findings": [
            _finding(name, columns, row, may)
            for name, row, may in zip(rows, attention.weights, allowed, strict=True)
        ],
        "sentences": [
            [_sentence(rows[i], columns[j], dots[i, j], scores[i, j], attention.weights[i, j], d_k,
                       allowed[i, j]) for j in range(len(columns))]
            for i in range(len(rows))
        ],
    }  # fmt: skip


def _matrix(name, value):
    """value come matrice di float. Solleva ValueError se non ha due assi o se è troppo grande."""
    array = real_array(value, f"{name}: mi aspettavo una matrice di numeri, è arrivato {value!r:.60}.")
    if array.ndim != 2 or array.shape[0] == 0 or array.shape[1] == 0:
        raise ValueError(f"{name}: mi aspettavo righe e colonne, non vuote; la forma è {array.shape}.")
    if array.shape[1] > MOST_COMPONENTS:
        raise ValueError(
            f"{name}: la Lente mostra vettori di al più {MOST_COMPONENTS} componenti, ne sono arrivate "
            f"{number(array.shape[1])}. Scegline una parte, per esempio le prime colonne."
        )
    if array.shape[0] > MOST_TOKENS:
        raise ValueError(
            f"{name}: la Lente mostra al più {MOST_TOKENS} token, ne sono arrivati {len(array)}. "
            "Scegline una parte, per esempio le prime righe: con di più le celle non si leggerebbero."
        )
    return array


def _check_shapes(Q, K, V):
    if Q.shape[1] != K.shape[1] or len(K) != len(V):
        raise ValueError(
            "Mi aspettavo Q e K con lo stesso numero di colonne, K e V con lo stesso numero di righe: "
            f"le forme sono Q {Q.shape}, K {K.shape}, V {V.shape}."
        )


def _shifts(scores, allowed):
    """(L,) quanto si toglie ai punteggi prima dell'esponenziale: 0, o il massimo se è troppo grande."""
    tops = np.where(allowed, scores, -np.inf).max(axis=-1)
    return np.where(np.isfinite(tops) & (np.abs(tops) > LARGEST_EXPONENT), tops, 0.0)


def _most(weights, allowed):
    """I posti più guardati di una riga: più d'uno se pari, nessuno se la riga non può guardare."""
    if not allowed.any():
        return []
    top = weights[allowed].max()
    return [j for j in range(len(weights)) if allowed[j] and top - weights[j] < 5e-4]


def _finding(name, columns, weights, allowed):
    most = _most(weights, allowed)
    if not most:
        return f"«{name}» non può guardare nessuno: per convenzione del corso i suoi coefficienti sono 0"
    value = number(weights[most[0]], 3)
    if len(most) == int(allowed.sum()) and len(most) > 1:
        return f"«{name}» guarda tutti allo stesso modo: {value} ciascuno"
    names = " e ".join(f"«{columns[j]}»" for j in most)
    return f"«{name}» guarda soprattutto {names}: coefficiente {value}"


def _sentence(row, column, dot, score, weight, d_k, may):
    if not may:
        return f"{row} → {column}: la maschera lo vieta; coefficiente 0"
    return (
        f"{row} → {column}: q·k = {number(dot, 2)}; ÷√{d_k} = {number(score, 2)}; "
        f"coefficiente {number(weight, 3)}"
    )

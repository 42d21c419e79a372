"""Le funzioni di es02, giuste e storte: ogni passaggio ha un nome, e un errore tipico ne cambia uno.

Una `family` chiamata senza argomenti dà la funzione giusta; con un cambiamento dà quella sbagliata; con due
cambiamenti dà quella che contiene tutti e due gli errori.
"""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import FINISHES

FIRST_ONLY = (
    "return dentro il ciclo",
    "C'è soltanto il primo risultato. Se hai scritto un ciclo, con quale rientro è scritto return?",
)
EXTRA_AXIS = (
    "un asse di troppo",
    "Il tuo risultato ha un asse in più di quelli della scheda: quale tuo passaggio lo aggiunge?",
)
RUNNING_TOTAL = (
    "totale non azzerato",
    "Ogni tuo numero contiene anche quelli di prima: in quale punto del ciclo il totale torna a 0?",
)
POWER_FIRST = (
    "potenza prima della divisione",
    "Python calcola la potenza prima della divisione: per quale numero stai dividendo davvero?",
)
INTEGER_DIVISION = (
    "divisione intera",
    "I tuoi numeri hanno solo zeri dopo la virgola: con quale segno hai scritto la divisione?",
)


def project(x, W):
    """Proietta uno o più token.

    x: (d_in,) o (n, d_in)   W: (d_in, d_out)   Restituisce: (d_out,) o (n, d_out)
    """
    return x @ W


def softmax_row(scores):
    """I coefficienti di una riga di punteggi.   scores: (n,)   Restituisce: (n,)."""
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def combine(weights, V):
    """La media dei value secondo i coefficienti.   weights: (n,)   V: (n, d_v)   Restituisce: (d_v,)."""
    return weights @ V


def softmax_in_base(base):
    """Una softmax con un altro numero al posto di e."""
    return lambda scores: softmax_row(scores * np.log(base))


def only_first(function):
    """La funzione che si ferma alla prima componente e lascia 0 nelle altre."""

    def stopped(*args):
        result = function(*args)
        zeros = np.zeros_like(result)
        zeros[..., 0] = result[..., 0]
        return zeros

    return stopped


def for_one_token(function):
    """Scritta con due cicli su un vettore: con una tabella x[i] è una riga, e Python si ferma."""

    def loops(x, W):
        if x.ndim > 1:
            raise ValueError("x ha due assi")
        return function(x, W)

    return loops


def for_one_sentence(x, W):
    """Scritta con un ciclo sulle righe: con un vettore ogni «riga» è un numero, e Python si ferma."""
    return np.array([row @ W for row in x])


DOTS = {
    "rows": lambda q, K: K @ q,
    "columns": lambda q, K: q @ K,
    "products": lambda q, K: q * K,
    "axis": lambda q, K: (q * K).sum(axis=0),
    "everything": lambda q, K: (q * K).sum(),
    "last": lambda q, K: q[-1] * K[:, -1],
}
SCORE_DIVISORS = {
    "root": lambda q, K: np.sqrt(len(q)),
    "none": lambda q, K: 1.0,
    "full": lambda q, K: len(q),
    "times": lambda q, K: 1 / np.sqrt(len(q)),
    "keys": lambda q, K: np.sqrt(len(K)),
    "two": lambda q, K: np.sqrt(2.0),
    "paper": lambda q, K: 2.0,
    "half": lambda q, K: len(q) / 2,
    "double": lambda q, K: 2.0 * len(q),
    "cosine": lambda q, K: np.linalg.norm(q) * np.linalg.norm(K, axis=1),
}
SCORE_FINISHES = {
    **FINISHES,
    "softmax": lambda scores, args: softmax_row(scores),
    "first": lambda scores, args: scores[0],
    "first alone": lambda scores, args: scores[:1],
    "running": lambda scores, args: np.cumsum(scores),
    "floor": lambda scores, args: np.floor(scores),
    "column": lambda scores, args: scores[:, None],
    "row": lambda scores, args: scores[None],
    "first and zeros": lambda scores, args: np.where(np.arange(len(scores)) == 0, scores, 0.0),
}


def score_family(dot="rows", scale="root", finish="none"):
    """I punteggi scalati di una query.   q: (d_k,)   K: (n, d_k)   Restituisce: (n,)."""

    def scaled_scores(q, K):
        scores = DOTS[dot](q, K) / SCORE_DIVISORS[scale](q, K)
        return SCORE_FINISHES[finish](scores, (q, K))

    return scaled_scores


TOKENS = {
    "i": lambda i: i,
    "first": lambda i: 0,
    "last": lambda i: -1,
    "third": lambda i: 2,
    "previous": lambda i: i - 1,
    "next": lambda i: i + 1,
}
ATTEND_DIVISORS = {
    "root": lambda K, X, V: np.sqrt(K.shape[-1]),
    "none": lambda K, X, V: 1.0,
    "full": lambda K, X, V: K.shape[-1],
    "times": lambda K, X, V: 1 / np.sqrt(K.shape[-1]),
    "keys": lambda K, X, V: np.sqrt(len(K)),
    "d_in": lambda K, X, V: np.sqrt(X.shape[-1]),
    "d_v": lambda K, X, V: np.sqrt(V.shape[-1]),
    "two": lambda K, X, V: np.sqrt(2.0),
    "half": lambda K, X, V: K.shape[-1] / 2,
    "double": lambda K, X, V: 2.0 * K.shape[-1],
}
NORMALISERS = {
    "softmax": softmax_row,
    "exponentials": np.exp,
    "none": lambda scores: scores,
    "twice": lambda scores: softmax_row(softmax_row(scores)),
}
COMBINERS = {
    "weights": lambda scores, weights, V: weights @ V,
    "scores": lambda scores, weights, V: scores @ V,
    "mean": lambda scores, weights, V: V.mean(axis=0),
    "most": lambda scores, weights, V: V[weights.argmax()],
}
ORDERS = {
    "z first": lambda z, weights, scores: (z, weights),
    "weights first": lambda z, weights, scores: (weights, z),
    "scores": lambda z, weights, scores: (z, scores),
}


def attend_family(
    token="i",
    q="W_Q",
    k="W_K",
    v="W_V",
    scale="root",
    norm="softmax",
    combine="weights",
    order="z first",
    finish="none",
):
    """L'attenzione del token i.   X: (n, d_in)   W_Q, W_K: (d_in, d_k)   W_V: (d_in, d_v).

    Restituisce: z (d_v,) e i coefficienti (n,)
    """

    def attend(i, X, W_Q, W_K, W_V):
        maps = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V}
        Q, K, V = (X if name == "X" else X @ maps[name] for name in (q, k, v))
        scores = K @ Q[TOKENS[token](i)] / ATTEND_DIVISORS[scale](K, X, V)
        weights = NORMALISERS[norm](scores)
        z = COMBINERS[combine](scores, weights, V)
        return FINISHES[finish](ORDERS[order](z, weights, scores), (X, W_Q, W_K, W_V))

    return attend


def attend_all(i, X, W_Q, W_K, W_V):
    """L'attenzione di tutti i token, invece che del solo i: una matrice al posto di un vettore."""
    each = [attend_family()(j, X, W_Q, W_K, W_V) for j in range(len(X))]
    return np.array([z for z, _ in each]), np.array([weights for _, weights in each])


def attend_some(keep, drop=False):
    """Il token i guarda soltanto i posti j per cui keep(i, j) è vero; con drop gli altri mancano."""

    def attend(i, X, W_Q, W_K, W_V):
        K, V = X @ W_K, X @ W_V
        scores = K @ (X[i] @ W_Q) / np.sqrt(K.shape[-1])
        kept = keep(i, np.arange(len(X)))
        if drop:
            weights = softmax_row(scores[kept])
            return weights @ V[kept], weights
        weights = softmax_row(np.where(kept, scores, -np.inf))
        return weights @ V, weights

    return attend


def attend_plus_x(i, X, W_Q, W_K, W_V):
    """L'attenzione del token i con il suo x sommato a z."""
    z, weights = attend_family()(i, X, W_Q, W_K, W_V)
    return z + X[i], weights

"""Le teste: una sola, molte insieme, e l'attenzione incrociata fra due sequenze."""

from __future__ import annotations

import math

import numpy as np

from course_lib.transformer.arrays import as_array, as_whole, expect_axes, expect_generator, expect_length
from course_lib.transformer.attention import Attention, scaled_dot_product_attention
from course_lib.transformer.layers import linear


def split_heads(x, n_heads):
    """Divide l'ultimo asse in teste: ogni testa prende d/h componenti vicine.

    x: (..., L, d)   n_heads: h
    Restituisce: (..., h, L, d/h), una vista di x (nessuna copia).
    Solleva ValueError se d non è divisibile per h.
    """
    x = as_array("x", x)
    n_heads = as_whole("n_heads", n_heads, 1)
    expect_axes("x", x, 2, "(..., L, d)")
    *lead, L, d = x.shape
    if d % n_heads:
        raise ValueError(
            f"x: mi aspettavo l'ultimo asse divisibile in n_heads = {n_heads} teste, "
            f"è arrivata la forma {tuple(x.shape)}."
        )
    apart = np.reshape(x, (*lead, L, n_heads, d // n_heads))             # (..., L, d) -> (..., L, h, d/h)
    return np.swapaxes(apart, -3, -2)                                    # -> (..., h, L, d/h)


def merge_heads(x):
    """Rimette le teste una accanto all'altra: l'inverso di split_heads.

    x: (..., h, L, d_h)   Restituisce: (..., L, h × d_h).
    """
    x = as_array("x", x)
    expect_axes("x", x, 3, "(..., h, L, d_h)")
    *lead, h, L, d_h = x.shape
    return np.reshape(np.swapaxes(x, -3, -2), (*lead, L, h * d_h))       # (..., L, h, d_h) -> (..., L, h·d_h)


class Head:
    """Una testa sola, come nel documento S1: tre proiezioni, i coefficienti, la media pesata.

    W_Q, W_K: (d_model, d_k)   W_V: (d_model, d_v)
    """

    def __init__(self, W_Q, W_K, W_V):
        self.W_Q, self.W_K, self.W_V = (
            _parameter(name, W) for name, W in (("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V))
        )

    def weights(self, x, mask=None):
        """I coefficienti di attenzione. x: (..., L, d_model)   Restituisce: (..., L, L)."""
        return self._attend(x, mask).weights

    def output(self, x, mask=None):
        """L'uscita z della testa. x: (..., L, d_model)   Restituisce: (..., L, d_v)."""
        return self._attend(x, mask).output

    def _attend(self, x, mask):
        Q, K, V = linear(x, self.W_Q), linear(x, self.W_K), linear(x, self.W_V)   # tre (..., L, d_k o d_v)
        return scaled_dot_product_attention(Q, K, V, mask)


class MultiHeadAttention:
    """Attenzione multi-testa: h teste in parallelo, messe in fila e mescolate da W_O.

    W_Q: (d_model, h·d_k)   W_K: (d_context, h·d_k)   W_V: (d_context, h·d_v)   W_O: (h·d_v, d_out)
    La testa j usa le colonne da j·d_k a (j+1)·d_k − 1 di W_Q e W_K, e così per W_V; non ci sono termini noti.
    Solleva ValueError se le forme non vanno d'accordo.
    Fonte: Vaswani et al. 2017, §3.2.2.
    """

    def __init__(self, W_Q, W_K, W_V, W_O, n_heads):
        self.n_heads = as_whole("n_heads", n_heads, 1)
        self.W_Q, self.W_K, self.W_V, self.W_O = (
            _parameter(name, W) for name, W in (("W_Q", W_Q), ("W_K", W_K), ("W_V", W_V), ("W_O", W_O))
        )
        expect_length("W_K", self.W_K, -1, self.W_Q.shape[1], "h·d_k, come in W_Q")
        expect_length("W_V", self.W_V, -2, self.W_K.shape[0], "d_context, come in W_K")
        expect_length("W_O", self.W_O, -2, self.W_V.shape[1], "h·d_v, le colonne di W_V")
        for name, W in (("W_Q", self.W_Q), ("W_V", self.W_V)):
            if W.shape[1] % self.n_heads:
                raise ValueError(
                    f"{name}: mi aspettavo colonne divisibili in n_heads = {self.n_heads} teste, "
                    f"è arrivata la forma {tuple(W.shape)}."
                )

    @classmethod
    def random(cls, d_model, n_heads, rng, *, d_context=None, dtype=np.float64):
        """Quattro matrici estratte a caso da rng, con d_k = d_v = d_model / h.

        d_context: quante componenti hanno i vettori guardati; se manca, d_model
        Ogni matrice ha componenti di media 0 e varianza 1/d, con d le sue righe.
        """
        expect_generator("rng", rng)
        d_context = d_model if d_context is None else d_context
        rows = (d_model, d_context, d_context, d_model)
        matrices = [(rng.normal(size=(d, d_model)) / math.sqrt(d)).astype(dtype) for d in rows]
        return cls(*matrices, n_heads)

    def __call__(self, x, context=None, mask=None):
        """Chi guarda sta in x, chi è guardato in context (se manca, in x stesso: auto-attenzione).

        x: (..., L, d_model)   context: (..., S, d_context)   mask: bool, adattabile a (..., h, L, S)
        Una maschera (L, S) vale per tutti; (h, L, S) è una per testa; (B, 1, L, S) una per frase.
        Restituisce: Attention(output (..., L, d_out), weights (..., h, L, S)).
        """
        context = x if context is None else context
        Q = split_heads(linear(x, self.W_Q), self.n_heads)           # (..., L, d_model) -> (..., h, L, d_k)
        K = split_heads(linear(context, self.W_K), self.n_heads)     # (..., S, d_context) -> (..., h, S, d_k)
        V = split_heads(linear(context, self.W_V), self.n_heads)     # (..., S, d_context) -> (..., h, S, d_v)
        z, weights = scaled_dot_product_attention(Q, K, V, mask)     # (..., h, L, d_v), (..., h, L, S)
        return Attention(linear(merge_heads(z), self.W_O), weights)  # -> (..., L, d_out)

    @property
    def n_parameters(self):
        """Quanti parametri ci sono in tutto: con d_k = d_v = d/h sono 4 d², quante che siano le teste."""
        return sum(W.shape[0] * W.shape[1] for W in (self.W_Q, self.W_K, self.W_V, self.W_O))


def _parameter(name, W):
    W = as_array(name, W)
    if W.ndim != 2:
        raise ValueError(
            f"{name}: mi aspettavo una matrice (righe, colonne), è arrivata la forma {tuple(W.shape)}."
        )
    return W

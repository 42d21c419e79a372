"""Un blocco del Transformer: attenzione, rete feed-forward, ciascuna con LayerNorm e connessione residua.

I blocchi sono pre-norm: ogni sottostrato legge una copia normalizzata di x e vi somma il suo risultato,
x + sottostrato(LayerNorm(x)). La LayerNorm dopo l'ultimo blocco la mette il modello.
Fonte: Vaswani et al. 2017, §3.1; la forma pre-norm: Xiong et al. 2020, fig. 1b.
"""

from __future__ import annotations

import numpy as np

from course_lib.transformer import ops as plain
from course_lib.transformer.arrays import as_array, as_whole, expect_axes, expect_length
from course_lib.transformer.attention import scaled_dot_product_attention
from course_lib.transformer.heads import MultiHeadAttention
from course_lib.transformer.layers import feed_forward, gelu, layer_norm, linear, relu
from course_lib.transformer.masks import causal_mask, combine
from course_lib.transformer.parameters import Start, check, count, draw, matrix

__all__ = ["DecoderBlock", "EncoderBlock", "feed_forward", "gelu", "layer_norm", "linear", "relu"]


class Block(plain.Copyable):
    """Ciò che i due blocchi hanno in comune: i parametri e i sottostrati.

    parameters: {nome: array}, con i nomi e le forme di layout(...)
    ops: le operazioni (vedi `ops.py`)   attention: una f(Q, K, V, mask) -> uscita al posto della nostra;
    mask le arriva sempre, booleana; può restituire anche la coppia (uscita, coefficienti)
    """

    may_cross = False

    def __init__(self, parameters, n_heads, *, ops=plain, attention=None):
        self.cross = "cross.W_Q" in parameters
        d_model, d_ff = _sizes(parameters)
        self.parameters = check(self.layout(d_model, d_ff, cross=self.cross), parameters)
        self.n_heads, self.ops, self.attention = _heads(n_heads, d_model), ops, attention

    @classmethod
    def layout(cls, d_model, d_ff=None, *, n_layers=1, cross=False):
        """Nomi, forme e valori iniziali dei parametri di un blocco.

        d_ff: quanto allarga la rete feed-forward; se manca, 4 d_model
        n_layers: quanti blocchi ha il modello: più sono, meno ciascuno comincia col sommare
        cross: ha anche l'attenzione incrociata
        W_QKV è [W_Q | W_K | W_V], perché bastino un prodotto e tre viste.
        """
        if cross and not cls.may_cross:
            raise ValueError("cross: un blocco dell'encoder non ha l'attenzione incrociata.")
        d_ff = 4 * d_model if d_ff is None else d_ff
        shrink = (2 * n_layers) ** -0.5                     # Radford et al. 2019, §2.3
        norm = {"gamma": Start((d_model,), mean=1.0), "beta": Start((d_model,))}
        out = matrix(d_model, d_model, shrink)
        sublayers = {"self": {**norm, "W_QKV": Start((d_model, 3 * d_model), std=d_model**-0.5), "W_O": out}}
        if cross:
            square = matrix(d_model, d_model)
            sublayers["cross"] = {**norm, "W_Q": square, "W_K": square, "W_V": square, "W_O": out}
        sublayers["ffn"] = {
            **norm,
            "W_1": matrix(d_model, d_ff),
            "b_1": Start((d_ff,)),
            "W_2": matrix(d_ff, d_model, shrink),
            "b_2": Start((d_model,)),
        }
        return {f"{sub}.{name}": start for sub, own in sublayers.items() for name, start in own.items()}

    @classmethod
    def random(cls, d_model, n_heads, rng, *, d_ff=None, cross=False, dtype=np.float64):
        """Un blocco con i parametri estratti a caso da rng."""
        return cls(draw(cls.layout(d_model, d_ff, cross=cross), rng, dtype), n_heads)

    @property
    def n_parameters(self):
        """Quanti parametri ha il blocco."""
        return count(self.parameters)

    def heads(self, sublayer="self"):
        """L'attenzione del blocco («self» o «cross») come MultiHeadAttention; le matrici sono viste."""
        p = self.parameters
        if sublayer == "self":
            d = p["self.W_QKV"].shape[0]
            W_Q, W_K, W_V = (p["self.W_QKV"][:, i * d : (i + 1) * d] for i in range(3))
        elif sublayer == "cross" and self.cross:
            W_Q, W_K, W_V = (p[f"cross.W_{name}"] for name in "QKV")
        else:
            raise ValueError(f"sublayer: il blocco non ha un'attenzione {sublayer!r}.")
        return MultiHeadAttention(W_Q, W_K, W_V, p[f"{sublayer}.W_O"], self.n_heads)

    def apply(self, x, mask, context=None, context_mask=None, extend=None, watch=None):
        """Il blocco con le maschere già complete: è ciò che chiama un modello.

        extend: la funzione che aggiunge key e value a quelli delle posizioni già viste (vedi KVCache)
        watch: una f(nome, array) a cui mostrare ogni passo: self.norm, self.weights, self.output,
        self.residual, e lo stesso per cross e ffn
        """
        x = self._add("self", x, self._self_attention(x, mask, extend, watch), watch)
        if self.cross:
            x = self._add("cross", x, self._cross_attention(x, context, context_mask, watch), watch)
        return self._add("ffn", x, self._feed_forward(x), watch)

    def _norm(self, sublayer):
        return self.parameters[f"{sublayer}.gamma"], self.parameters[f"{sublayer}.beta"]

    def _add(self, sublayer, x, output, watch):
        """x + output, la connessione residua; output viene da LayerNorm(x)."""
        result = x + output
        if watch is not None:
            watch(f"{sublayer}.norm", self.ops.layer_norm(x, *self._norm(sublayer)))
            watch(f"{sublayer}.output", output)
            watch(f"{sublayer}.residual", result)
        return result

    def _self_attention(self, x, mask, extend, watch):
        W_QKV = self.parameters["self.W_QKV"]
        qkv = self.ops.norm_linear(x, *self._norm("self"), W_QKV)        # (..., L, d) -> (..., L, 3 d)
        Q, K, V = self.ops.split_qkv(qkv, self.n_heads)                  # -> tre (..., h, L, d/h)
        if extend is not None:
            K, V = extend(K, V)                                          # -> (..., h, S, d/h)
        return self._attend("self", Q, K, V, mask, watch)

    def _cross_attention(self, x, context, mask, watch):
        p, ops = self.parameters, self.ops
        Q = ops.norm_linear(x, *self._norm("cross"), p["cross.W_Q"])
        Q = ops.split_heads(Q, self.n_heads)                                     # -> (..., h, L, d/h)
        K = ops.split_heads(ops.linear(context, p["cross.W_K"]), self.n_heads)   # -> (..., h, S, d/h)
        V = ops.split_heads(ops.linear(context, p["cross.W_V"]), self.n_heads)
        return self._attend("cross", Q, K, V, mask, watch)

    def _attend(self, sublayer, Q, K, V, mask, watch):
        weights = None
        if self.attention is not None:
            allowed = np.ones((Q.shape[-2], K.shape[-2]), dtype=bool) if mask is None else mask
            z = self.attention(Q, K, V, allowed)
            z, weights = z if isinstance(z, tuple) else (z, None)
            _expect_output(z, (*Q.shape[:-1], V.shape[-1]))
        elif watch is not None:
            z, weights = scaled_dot_product_attention(Q, K, V, mask)
        else:
            z = self.ops.attention(Q, K, V, mask)                        # (..., h, L, d/h)
        if watch is not None and weights is not None:
            watch(f"{sublayer}.weights", weights)                        # (..., h, L, S)
        return self.ops.linear(self.ops.merge_heads(z), self.parameters[f"{sublayer}.W_O"])

    def _feed_forward(self, x):
        p = self.parameters
        ffn = p["ffn.W_1"], p["ffn.b_1"], p["ffn.W_2"], p["ffn.b_2"]
        return self.ops.norm_feed_forward(x, *self._norm("ffn"), *ffn)   # (..., L, d) -> (..., L, d)


class EncoderBlock(Block):
    """Blocco dell'encoder: ogni posizione guarda tutte le altre, prima e dopo."""

    def __call__(self, x, mask=None, watch=None):
        """x: (..., L, d_model)   mask: bool, adattabile a (..., h, L, L)   Restituisce: (..., L, d_model)."""
        x = _vectors("x", x, self)
        return self.apply(x, combine(mask), watch=watch)


class DecoderBlock(Block):
    """Blocco del decoder: ogni posizione guarda sé stessa e ciò che viene prima; e, se c'è, un contesto."""

    may_cross = True

    def __call__(self, x, context=None, mask=None, context_mask=None, watch=None):
        """Il blocco con la maschera causale, che c'è sempre: mask vi si aggiunge.

        x: (..., L, d_model)   mask: bool, adattabile a (..., h, L, L)
        context: (..., S, d_model), ciò che l'attenzione incrociata guarda: serve se il blocco ha i parametri
        `cross`, e solo allora   context_mask: bool, adattabile a (..., h, L, S)
        Restituisce: (..., L, d_model).
        """
        x = _vectors("x", x, self)
        if (context is not None) != self.cross:
            wanted = "un contesto" if self.cross else "nessun contesto (il blocco non ha i parametri cross)"
            raise ValueError(f"context: mi aspettavo {wanted}.")
        if context is not None:
            context = _vectors("context", context, self)
        mask = combine(causal_mask(x.shape[-2]), mask)
        return self.apply(x, mask, context, combine(context_mask), watch=watch)


def _vectors(name, x, block):
    x = as_array(name, x)
    expect_axes(name, x, 2, "(..., L, d_model)")
    expect_length(name, x, -1, block.parameters["self.W_QKV"].shape[0], "d_model")
    return x


def _sizes(parameters):
    """d_model e d_ff, letti dalla prima matrice della rete feed-forward."""
    shape = getattr(parameters.get("ffn.W_1"), "shape", ())
    if len(shape) != 2:
        raise ValueError("parameters: mi aspettavo i nomi di layout(), fra cui ffn.W_1 (d_model, d_ff).")
    return shape


def _heads(n_heads, d_model):
    n_heads = as_whole("n_heads", n_heads, 1)
    if d_model % n_heads:
        raise ValueError(f"n_heads: mi aspettavo un divisore di d_model = {d_model}, è arrivato {n_heads}.")
    return n_heads


def _expect_output(z, shape):
    if tuple(getattr(z, "shape", ())) != tuple(shape):
        raise ValueError(
            f"attention: mi aspettavo un'uscita di forma (..., L, d_v) = {tuple(shape)}, "
            f"è arrivata {tuple(getattr(z, 'shape', ())) or type(z).__name__}."
        )

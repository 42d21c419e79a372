"""Le operazioni con cui sono scritti i modelli, in NumPy semplice.

`blocks.py` e `families.py` non fanno conti: chiamano soltanto le funzioni di questo modulo. Chi addestra
ne passa un altro con gli stessi nomi e gli stessi argomenti (`learning.fused`), e il modello non cambia.
La somma della connessione residua è il + degli array.
"""

from __future__ import annotations

import importlib
import types

from course_lib.transformer.attention import scaled_dot_product_attention
from course_lib.transformer.heads import merge_heads, split_heads
from course_lib.transformer.layers import feed_forward, layer_norm, linear

__all__ = [
    "attention",
    "embedding",
    "layer_norm",
    "linear",
    "merge_heads",
    "norm_feed_forward",
    "norm_linear",
    "split_heads",
    "split_qkv",
]


class Copyable:
    """Chi ha un modulo in `.ops`: copy.deepcopy e pickle non copiano un modulo, e qui basta il suo nome."""

    def __getstate__(self):
        state = dict(self.__dict__)
        if isinstance(self.ops, types.ModuleType):
            state["ops"] = self.ops.__name__
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        if isinstance(self.ops, str):
            self.ops = importlib.import_module(self.ops)


def embedding(table, ids, scale, positions):
    """Righe della tabella moltiplicate per scale, più le codifiche posizionali.

    table: (V, d)   ids: (..., T), già controllati   scale: un numero   positions: (T, d), senza gradiente
    Restituisce: (..., T, d).
    """
    return table[ids] * scale + positions


def split_qkv(qkv, n_heads):
    """Query, key e value di ogni testa da un solo prodotto x [W_Q | W_K | W_V].

    qkv: (..., L, 3 d)   Restituisce: tre viste (..., h, L, d/h).
    """
    d = qkv.shape[-1] // 3
    return tuple(split_heads(qkv[..., i * d : (i + 1) * d], n_heads) for i in range(3))


def attention(Q, K, V, mask):
    """La sola uscita dell'attenzione. Q, K, V: (..., h, L o S, d_h)   mask: bool (..., L, S) o None."""
    return scaled_dot_product_attention(Q, K, V, mask).output


def norm_linear(x, gamma, beta, W, b=None):
    """Una LayerNorm e la proiezione che la segue. x: (..., d)   W: (d, d_out)   Restituisce: (..., d_out)."""
    return linear(layer_norm(x, gamma, beta), W, b)


def norm_feed_forward(x, gamma, beta, W_1, b_1, W_2, b_2):
    """Una LayerNorm e la rete feed-forward che la segue. x: (..., d)   Restituisce: (..., d)."""
    return feed_forward(layer_norm(x, gamma, beta), W_1, b_1, W_2, b_2)

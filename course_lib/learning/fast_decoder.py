"""Il decoder per un token solo: gli stessi conti di `DecoderOnly`, su vettori e senza un passo superfluo.

Chi genera chiama il modello una volta per token, e i conti costano meno delle chiamate che li chiedono: qui
sono poche. γ di ogni LayerNorm è già nella matrice che segue, β nel suo termine noto, 1/√d_k in W_Q; key e
value stanno in memorie già grandi abbastanza. Che i logit siano quelli del modello lo dicono le prove.
"""

from __future__ import annotations

import math

import numpy as np

from course_lib.transformer.families import DecoderOnly
from course_lib.transformer.positions import sinusoidal_encoding

_EPS = 1e-5
_ROOT = math.sqrt(2.0 / math.pi)


def suits(model):
    """Vero se FastDecoder può sostituire model: un DecoderOnly con la nostra attenzione e float semplici."""
    parameters = model.parameters().values() if type(model) is DecoderOnly else ()
    known = (np.float32, np.float64)
    simple = all(type(a) is np.ndarray and a.dtype in known for a in parameters)
    return bool(parameters) and model.attention is None and simple


class FastDecoder:
    """Un decoder che va avanti di un token alla volta, fino a `capacity` posizioni.

    Per leggere il testo dato si passa come cache al modello; poi si chiama con un token alla volta.
    """

    def __init__(self, model, capacity):
        p = model.parameters()
        self.dtype, h = p["embedding"].dtype, model.n_heads
        d = model.d_model
        self.length, self.heads, self.width = 0, h, d
        self.embedding = p["embedding"] * self.dtype.type(math.sqrt(d))
        self.positions = sinusoidal_encoding(capacity, d).astype(self.dtype)
        self.positions *= model.positions
        self.average = np.full(d, 1 / d, self.dtype)
        self.layers = [_layer(p, f"decoder.{i}.", h) for i in range(model.n_layers)]
        self.out = _after_norm(p["decoder.gamma"], p["decoder.beta"], p["W_out"], p["b_out"])
        shape = (model.n_layers, h, d // h, capacity)
        self.keys = np.zeros(shape, self.dtype)                          # (strato, h, d_h, posizione)
        self.values = np.zeros((model.n_layers, h, capacity, d // h), self.dtype)

    def at(self, layer):
        """Come KVCache.at: per il testo dato, che il modello legge in una volta."""

        def extend(K, V):
            end = self.length + K.shape[-2]
            self.keys[layer, :, :, self.length : end] = np.swapaxes(K, -1, -2)
            self.values[layer, :, self.length : end] = V
            return K, V

        return extend

    def advance(self, n):
        """Come KVCache.advance."""
        self.length += n

    def __call__(self, token):
        """Un ID -> i logit del seguente, (V,)."""
        x = self.embedding[token] + self.positions[self.length]          # (d,)
        end, h, d = self.length + 1, self.heads, self.width
        for i, (W_QKV, b_QKV, W_O, W_1, b_1, W_2, b_2) in enumerate(self.layers):
            qkv = self._normal(x).dot(W_QKV)                             # (d,) -> (3 d,)
            qkv += b_QKV
            q, k, v = qkv.reshape(3, h, d // h)                          # tre (h, d_h)
            self.keys[i, :, :, end - 1] = k
            self.values[i, :, end - 1] = v
            e = np.matmul(q[:, None], self.keys[i, :, :, :end])          # (h, 1, d_h) -> (h, 1, S)
            e -= np.maximum.reduce(e, axis=-1, keepdims=True)
            np.exp(e, out=e)
            e /= np.add.reduce(e, axis=-1, keepdims=True)
            z = np.matmul(e, self.values[i, :, :end])                    # (h, 1, S) -> (h, 1, d_h)
            x += z.reshape(d).dot(W_O)
            hidden = self._normal(x).dot(W_1)                            # (d,) -> (d_ff,)
            hidden += b_1
            x += _double_gelu(hidden).dot(W_2)                           # -> (d,)
            x += b_2
        W, b = self.out
        logits = self._normal(x).dot(W)
        logits += b
        self.length = end
        return logits

    def _normal(self, x):
        """x con media 0 e varianza 1; γ e β stanno già in ciò che segue."""
        u = x - x.dot(self.average)
        u *= self.dtype.type(1.0 / math.sqrt(float(u.dot(u)) / self.width + _EPS))
        return u


def _after_norm(gamma, beta, W, b=0):
    """(LayerNorm senza γ e β) W′ + b′ è lo stesso di LayerNorm W + b."""
    return np.ascontiguousarray(gamma[:, None] * W), beta @ W + b


def _layer(p, at, n_heads):
    """Le matrici di un blocco, pronte."""
    W, b = _after_norm(p[at + "self.gamma"], p[at + "self.beta"], p[at + "self.W_QKV"])
    d = W.shape[0]
    scale = np.ones(3 * d, W.dtype)
    scale[:d] = 1 / math.sqrt(d // n_heads)
    W_1, b_1 = _after_norm(p[at + "ffn.gamma"], p[at + "ffn.beta"], p[at + "ffn.W_1"], p[at + "ffn.b_1"])
    half = W.dtype.type(0.5)
    return W * scale, b * scale, p[at + "self.W_O"], W_1, b_1, p[at + "ffn.W_2"] * half, p[at + "ffn.b_2"]


def _double_gelu(x):
    """x (1 + tanh(…)): la metà che manca è già in W_2."""
    t = x * x
    t *= _ROOT * 0.044715
    t += _ROOT
    t *= x
    np.tanh(t, out=t)
    t += 1.0
    t *= x
    return t

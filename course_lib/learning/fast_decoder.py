"""Il decoder per un token solo: gli stessi conti di `DecoderOnly`, su vettori e senza un passo superfluo.

Chi genera chiama il modello una volta per token, e i conti costano meno delle chiamate che li chiedono: qui
sono poche. γ di ogni LayerNorm è già nella matrice che segue, β nel suo termine noto, 1/√d_k in W_Q; ogni
termine noto è l'ultima riga della sua matrice, e i vettori che la moltiplicano finiscono con un 1; key e
value stanno in memorie già grandi abbastanza. Che i logit siano quelli del modello lo dicono le prove.
"""

from __future__ import annotations

import math

import numpy as np

from course_lib.transformer.families import DecoderOnly
from course_lib.transformer.layers import EPS, GELU_CUBE, GELU_ROOT
from course_lib.transformer.positions import sinusoidal_encoding


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
        self.normal, self.hidden = np.ones(d + 1, self.dtype), np.ones(model.d_ff + 1, self.dtype)   # [… | 1]
        self.gelu = _DoubleGelu(self.dtype)
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
        for i, (W_QKV, W_O, W_1, W_2) in enumerate(self.layers):
            qkv = self._normalised(x).dot(W_QKV)                         # (d + 1,) -> (3 d,)
            q, k, v = qkv.reshape(3, h, d // h)                          # tre (h, d_h)
            self.keys[i, :, :, end - 1] = k
            self.values[i, :, end - 1] = v
            e = np.matmul(q[:, None], self.keys[i, :, :, :end])          # (h, 1, d_h) -> (h, 1, S)
            e -= np.maximum.reduce(e, axis=-1, keepdims=True)
            np.exp(e, out=e)
            total = np.add.reduce(e, axis=-1, keepdims=True)
            z = np.matmul(e, self.values[i, :, :end])                    # (h, 1, S) -> (h, 1, d_h)
            z /= total
            x += z.reshape(d).dot(W_O)
            self.gelu(self._normalised(x).dot(W_1), self.hidden[:-1])    # (d + 1,) -> (d_ff,)
            x += self.hidden.dot(W_2)                                    # (d_ff + 1,) -> (d,)
        logits = self._normalised(x).dot(self.out)
        self.length = end
        return logits

    def _normalised(self, x):
        """[x con media 0 e varianza 1 | 1]: (d,) -> (d + 1,); γ e β stanno già in ciò che segue."""
        u = self.normal[:-1]
        np.subtract(x, x.dot(self.average), out=u)
        np.multiply(u, self.dtype.type(1.0 / math.sqrt(float(u.dot(u)) / self.width + EPS)), out=u)
        return self.normal


class _DoubleGelu:
    """x (1 + tanh(…)): la metà che manca è già in W_2. Le costanti sono array: NumPy non le converte."""

    def __init__(self, dtype):
        self.cube, self.root, self.one = (np.array(c, dtype) for c in (GELU_ROOT * GELU_CUBE, GELU_ROOT, 1.0))

    def __call__(self, x, out):
        np.multiply(x, x, out=out)
        np.multiply(out, self.cube, out=out)
        np.add(out, self.root, out=out)
        np.multiply(out, x, out=out)
        np.tanh(out, out=out)
        np.add(out, self.one, out=out)
        np.multiply(out, x, out=out)


def _after_norm(gamma, beta, W, b=0):
    """[W′; b′], (d + 1, d_out), con (LayerNorm senza γ e β) W′ + b′ lo stesso di LayerNorm W + b."""
    return _stacked(W, gamma[:, None], beta @ W + b)


def _stacked(W, factor, row):
    """[W · factor; row]."""
    matrix = np.empty((len(W) + 1, W.shape[1]), W.dtype)
    np.multiply(W, factor, out=matrix[:-1])
    matrix[-1] = row
    return matrix


def _layer(p, at, n_heads):
    """Le matrici di un blocco, pronte: W_QKV, W_O, W_1, W_2."""
    W = _after_norm(p[at + "self.gamma"], p[at + "self.beta"], p[at + "self.W_QKV"])
    d = len(W) - 1
    W[:, :d] *= W.dtype.type(1 / math.sqrt(d // n_heads))
    W_1 = _after_norm(p[at + "ffn.gamma"], p[at + "ffn.beta"], p[at + "ffn.W_1"], p[at + "ffn.b_1"])
    return W, p[at + "self.W_O"], W_1, _stacked(p[at + "ffn.W_2"], W.dtype.type(0.5), p[at + "ffn.b_2"])

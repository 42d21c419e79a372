"""L'attenzione multi-testa in forma svelta, dal prodotto x W_QKV all'uscita delle teste affiancate.

Query, key e value sono viste di un array solo, e i loro gradienti tornano in un array solo. Si copiano
soltanto le key e i value trasposti: un prodotto con il secondo fattore già trasposto costa la metà. Gli
esponenziali si fanno senza togliere il massimo della riga, e si guarda alle somme: se una è troppo piccola o
troppo grande si rifà il conto, con il massimo. Tornando indietro, una riga di 1 aggiunta ai value trasposti
sottrae da ogni riga di gradienti la sua media pesata.
"""

from __future__ import annotations

import math

import numpy as np

from course_lib.learning.array_functions import value
from course_lib.learning.autograd import Tensor, record
from course_lib.learning.exponentials import UNIT, exponential
from course_lib.learning.fused_layers import result
from course_lib.learning.memory import empty, spread
from course_lib.transformer import ops as plain

_NEAR = 1 << 17                                      # quanti punteggi per volta: stanno nella memoria vicina
_STRIPE = 64                                         # query per striscia
_SMALL, _LARGE = 1e-25, 1e25                         # somme lontane dai limiti di float32


def sums_are_good(totals):
    """Vero se ogni somma di esponenziali, fatti senza togliere il massimo, sta fra 10⁻²⁵ e 10²⁵.

    La softmax non cambia se a una riga si sottrae un numero qualsiasi, 0 compreso; il massimo della riga
    serve solo a non traboccare. Con una somma così nessun esponenziale della riga è traboccato, e quelli
    scesi sotto il più piccolo dei float32 normali (1,2·10⁻³⁸) non conterebbero nulla.
    """
    return bool(totals.size) and bool(np.min(totals) > _SMALL) and bool(np.max(totals) < _LARGE)


def split_qkv(qkv, n_heads):
    """qkv: (..., L, 3 d) -> query, key e value di ogni testa, tre viste (..., h, L, d/h)."""
    data = value(qkv)
    views = _head_views(data, n_heads)
    if not (type(qkv) is Tensor and qkv.requires_grad):
        return tuple(record(v, (), None) for v in views) if type(qkv) is Tensor else views
    slots = _Slots(data.shape, data.dtype, n_heads)
    hub = record(data, (qkv,), lambda g: (slots.collect(),))
    return tuple(slots.child(view, i, hub) for i, view in enumerate(views))


def _head_views(data, n_heads):
    *lead, L, width = data.shape
    apart = data.reshape(*lead, L, 3, n_heads, width // (3 * n_heads))   # (..., L, 3, h, d_h)
    return tuple(np.swapaxes(apart[..., i, :, :], -3, -2) for i in range(3))   # tre (..., h, L, d_h)


class _Slots:
    """Il gradiente di qkv, un array solo, e le tre viste in cui scriverlo."""

    def __init__(self, shape, dtype, n_heads):
        self.shape, self.dtype, self.n_heads = shape, dtype, n_heads
        self.buffer, self.views = None, ()
        self.given, self.full = set(), set()         # le viste già offerte, e quelle già piene

    def child(self, view, i, hub):
        node = record(view, (hub,), lambda g: self.put(i, g))
        node._place = lambda: self.offer(i)
        return node

    def offer(self, i):
        """La vista i, a chi la chiede per primo; poi None: si scriverebbe sul gradiente del primo."""
        if i in self.given:
            return None
        self.given.add(i)
        return self.view(i)

    def view(self, i):
        if self.buffer is None:
            self.buffer = empty(self.shape, self.dtype)
            self.views = _head_views(self.buffer, self.n_heads)
        return self.views[i]

    def put(self, i, g):
        if g is not self.view(i):
            np.copyto(self.view(i), g)
        self.full.add(i)
        return (None,)                               # nulla da sommare: è già al suo posto

    def collect(self):
        for i in {0, 1, 2} - self.full:              # chi non ha ricevuto gradienti
            self.view(i)[...] = 0
        return self.buffer


def split_heads(x, n_heads):
    """x: (..., L, d) -> (..., h, L, d/h), una vista."""
    data = value(x)
    *lead, L, d = data.shape
    heads = np.swapaxes(data.reshape(*lead, L, n_heads, d // n_heads), -3, -2)
    return result(heads, (x,), lambda g: (np.swapaxes(g, -3, -2).reshape(data.shape),))


def merge_heads(x):
    """x: (..., h, L, d_h) -> (..., L, h d_h): una vista, se x viene da attention."""
    data = value(x)
    *lead, h, L, d_h = data.shape
    merged = np.swapaxes(data, -3, -2).reshape(*lead, L, h * d_h)
    return result(merged, (x,), lambda g: (np.swapaxes(g.reshape(*lead, L, h, d_h), -3, -2),))


def attention(Q, K, V, mask):
    """L'uscita dell'attenzione: (..., h, L, d_v), pronta per merge_heads.

    Q: (..., h, L, d_k)   K: (..., h, S, d_k)   V: (..., h, S, d_v)
    mask: bool adattabile a (..., h, L, S), True = può guardare; o None
    Fonte: Vaswani et al. 2017, eq. 1.
    """
    q, k, v = value(Q), value(K), value(V)
    same_lead = q.shape[:-2] == k.shape[:-2] == v.shape[:-2]
    if q.ndim < 3 or not same_lead or 0 in (*q.shape, *k.shape, *v.shape):
        return plain.attention(Q, K, V, mask)        # casi rari: basta la forma semplice
    pass_ = _Pass(q, k, v, None if mask is None else np.atleast_2d(mask))
    output = pass_.forward()
    if not any(type(x) is Tensor for x in (Q, K, V)):
        return output
    return record(output, (Q, K, V), lambda g: pass_.backward(g, (_slot(Q, q), _slot(K, k), _slot(V, v))))


def _slot(x, data):
    """Dove scrivere il gradiente di x: nella sua vista di qkv, se viene da split_qkv."""
    if type(x) is not Tensor or not x.requires_grad:
        return None
    place = x._place() if callable(x._place) else None
    return empty(data.shape, data.dtype) if place is None else place


class _Pass:
    """Un'andata e un ritorno, qualche frase per volta, e di ogni frase una striscia di query per volta."""

    def __init__(self, q, k, v, mask):
        self.dtype, self.q, self.k, self.v = q.dtype, q, k, v
        self.scale = 1.0 / math.sqrt(q.shape[-1])
        self.allowed = mask
        self.factor = None if mask is None else mask.astype(self.dtype)
        lead, L, S = q.shape[:-2], q.shape[-2], k.shape[-2]
        self.stripes = _stripes(mask, L, S)
        sizes = [(rows.stop - rows.start, seen) for rows, seen in self.stripes]
        self.weights = [empty((*lead, *size), self.dtype) for size in sizes]
        self.step = max(1, _NEAR * len(q) // (math.prod(lead) * L * S))              # frasi per volta

    def blocks(self):
        """Gli indici del primo asse, a gruppi; senza assi iniziali, tutto insieme."""
        if self.q.ndim < 4:
            return [Ellipsis]
        return [slice(i, i + self.step) for i in range(0, len(self.q), self.step)]

    def forward(self):
        *lead, h, L, _ = self.q.shape
        d_v = self.v.shape[-1]
        self.output = np.swapaxes(empty((*lead, L, h, d_v), self.dtype), -3, -2)     # pronta per merge_heads
        for b in self.blocks():
            keys = self.transposed(self.k[b], self.scale * UNIT)                     # (..., h, d_k, S)
            for (rows, seen), weights in zip(self.stripes, self.weights, strict=True):
                with np.errstate(over="ignore", invalid="ignore"):                   # se trabocca si rifà
                    self.softmax(weights[b], self.q[b][..., rows, :], keys[..., :seen], (b, rows, seen))
                np.matmul(weights[b], self.v[b][..., :seen, :], out=self.output[b][..., rows, :])
        return self.output

    def softmax(self, e, queries, keys, where):
        """I coefficienti, in e: (..., h, l, s). queries: (..., h, l, d_k)   keys: (..., h, d_k, s)."""
        np.matmul(queries, keys, out=e)
        exponential(e, out=e)
        if self.factor is not None:
            e *= _part(self.factor, self.q.ndim, *where)
        total = self.sums(e)
        if not sums_are_good(total):
            np.matmul(queries, keys, out=e)
            if self.allowed is not None:
                np.copyto(e, -np.inf, where=~_part(self.allowed, self.q.ndim, *where))
            highest = np.max(e, axis=-1, keepdims=True)                              # il massimo di ogni riga
            np.subtract(e, np.where(highest > -np.inf, highest, self.dtype.type(0)), out=e)
            exponential(e, out=e)
            total = self.sums(e)
            total[total == 0] = 1                                                    # riga vuota: 0 / 1
        e *= spread(np.reciprocal(total), e.shape[-1]).reshape(e.shape)

    def sums(self, e):
        """La somma di ogni riga, tutte in fila: (..., l, s) -> (n,)."""
        s = e.shape[-1]
        return e.reshape(-1, s) @ np.ones(s, self.dtype)

    def transposed(self, x, factor, ones=0):
        """x trasposto per factor, poi `ones` righe di factor: (..., S, d) -> (..., d + ones, S)."""
        *lead, S, d = x.shape
        out = empty((*lead, d + ones, S), self.dtype)
        np.multiply(np.swapaxes(x, -1, -2), self.dtype.type(factor), out=out[..., :d, :])
        out[..., d:, :] = factor
        return out

    def backward(self, g, places):
        """I gradienti di Q, K e V dato quello dell'uscita, nei posti dati (None per chi non lo vuole)."""
        g1 = self.with_level(g)
        for b in self.blocks():
            values = self.transposed(self.v[b], self.scale, ones=1)                  # 1/√d_k, per Q e per K
            Q, K, V = (None if place is None else _Sum(place[b]) for place in places)
            for (rows, seen), weights in zip(self.stripes, self.weights, strict=True):
                weights, keys = weights[b], self.k[b][..., :seen, :]
                if V:
                    V.add(np.swapaxes(weights, -1, -2), g[b][..., rows, :], slice(seen))
                slopes = empty(weights.shape, self.dtype)
                np.matmul(g1[b][..., rows, :], values[..., :seen], out=slopes)
                slopes *= weights                                                    # gradienti dei punteggi
                if Q:
                    np.matmul(slopes, keys, out=Q.total[..., rows, :])
                if K:
                    K.add(np.swapaxes(slopes, -1, -2), self.q[b][..., rows, :], slice(seen))
        return places

    def with_level(self, g):
        """[g | −g·z], (..., h, L, d_v + 1), z l'uscita: g·z è la media dei g·v pesata dai coefficienti."""
        *lead, h, L, d_v = g.shape
        g1 = empty((*lead, h, L, d_v + 1), self.dtype)
        g1[..., :d_v] = g
        along = empty((*lead, L, h, d_v), self.dtype)                                # com'è in memoria
        np.multiply(np.swapaxes(g, -3, -2), np.swapaxes(self.output, -3, -2), out=along)
        level = along.reshape(-1, d_v) @ np.full(d_v, -1, self.dtype)
        g1[..., d_v] = np.swapaxes(level.reshape(*lead, L, h), -1, -2)
        return g1


class _Sum:
    """Una somma di prodotti: ciascuno tocca le prime righe di total, e nessuno più del primo."""

    def __init__(self, total):
        self.total, self.begun = total, False

    def add(self, a, b, rows):
        if self.begun:
            product = np.matmul(a, b, out=empty((*a.shape[:-1], b.shape[-1]), b.dtype))
            self.total[..., rows, :] += product
            return
        np.matmul(a, b, out=self.total[..., rows, :])
        self.total[..., rows.stop :, :] = 0
        self.begun = True


def _stripes(mask, L, S):
    """Le query divise in strisce, dalla più lunga, e quante key bisogna guardare per ciascuna.

    Con la maschera causale le prime query vedono poche key: le altre non si calcolano neppure.
    mask: bool, adattabile a (..., L, S), o None   Restituisce: coppie (slice di query, quante key, almeno 1).
    """
    whole = [(slice(0, L), S)]
    if mask is None or L < 2 * _STRIPE or mask.shape[-2:] != (L, S) or math.prod(mask.shape[:-2]) != 1:
        return whole
    rows, stripes = mask.reshape(L, S), []
    for start in range(0, L, _STRIPE):
        stripe = slice(start, min(start + _STRIPE, L))
        seen = np.flatnonzero(rows[stripe].any(axis=0))
        stripes.append((stripe, int(seen[-1]) + 1 if seen.size else 1))
    if all(seen == S for _, seen in stripes):
        return whole
    return sorted(stripes, key=lambda stripe: -stripe[1])


def _part(mask, axes, b, rows, seen):
    """La parte di mask che riguarda il gruppo b, le query rows e le prime `seen` key."""
    if mask.ndim == axes and len(mask) > 1:
        mask = mask[b]
    return mask[..., rows if mask.shape[-2] > 1 else slice(None), :seen]

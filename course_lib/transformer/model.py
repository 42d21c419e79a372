"""Ciò che le tre famiglie di modelli hanno in comune: i parametri, le maschere, la pila di blocchi.

I conti li fanno le operazioni di `ops`: NumPy semplice, o `learning.fused` quando si addestra.
I parametri stanno in un dizionario {nome: array} che il modello usa senza copiarlo mai.
"""

from __future__ import annotations

import functools
import math
from typing import ClassVar

import numpy as np

from course_lib.transformer import ops as plain
from course_lib.transformer.arrays import as_ids, as_mask, as_whole, expect_axes
from course_lib.transformer.masks import causal_mask, combine
from course_lib.transformer.parameters import Start, check, count, draw, named, within
from course_lib.transformer.positions import sinusoidal_encoding

_SAME = object()


class Model(plain.Copyable):
    """Ciò che le tre famiglie hanno in comune.

    stacks: {pila di blocchi: (tipo di blocco, ha l'attenzione incrociata)}   writes: ne escono logit

    vocabulary_size: V   d_model: d   n_heads: h, un divisore di d   n_layers: quanti blocchi
    rng: il numpy.random.Generator da cui estrarre i parametri   d_ff: se manca, 4 d   dtype: dei parametri
    positions: se è falso, la codifica posizionale non si somma
    ops, attention: come nei blocchi
    """

    stacks: ClassVar = {}
    writes = False

    def __init__(
        self,
        vocabulary_size,
        d_model,
        n_heads,
        n_layers,
        *,
        rng,
        d_ff=None,
        dtype=np.float64,
        positions=True,
        ops=plain,
        attention=None,
    ):
        self.vocabulary_size = as_whole("vocabulary_size", vocabulary_size, 1)
        self.d_model, self.n_heads = as_whole("d_model", d_model, 1), as_whole("n_heads", n_heads, 1)
        self.n_layers = as_whole("n_layers", n_layers, 0)
        self.d_ff = 4 * self.d_model if d_ff is None else as_whole("d_ff", d_ff, 1)
        self.positions = bool(positions)
        if self.d_model % self.n_heads:
            raise ValueError(f"n_heads: mi aspettavo un divisore di d_model = {d_model}, non {n_heads}.")
        self._bind(draw(self.layout(), rng, dtype), ops, attention)

    def _bind(self, parameters, ops, attention):
        self._parameters, self.ops, self.attention = parameters, ops, attention
        self._stacks = {
            stack: [
                kind(within(f"{stack}.{i}.", parameters), self.n_heads, ops=ops, attention=attention)
                for i in range(self.n_layers)
            ]
            for stack, (kind, _) in self.stacks.items()
        }

    def layout(self):
        """Nomi, forme e valori iniziali dei parametri, nell'ordine in cui si estraggono."""
        d, V = self.d_model, self.vocabulary_size
        layout = {"embedding": Start((V, d), std=d**-0.5)}
        for stack, (kind, cross) in self.stacks.items():
            for i in range(self.n_layers):
                own = kind.layout(d, self.d_ff, n_layers=self.n_layers, cross=cross)
                layout |= named(f"{stack}.{i}.", own)
            layout |= {f"{stack}.gamma": Start((d,), mean=1.0), f"{stack}.beta": Start((d,))}
        if self.writes:
            layout |= {"W_out": Start((d, V), std=0.02), "b_out": Start((V,))}
        return layout

    def parameters(self):
        """I parametri, {nome: array}, nell'ordine di layout; il dizionario è nuovo, gli array sono i veri."""
        return dict(self._parameters)

    @property
    def n_parameters(self):
        """Quanti numeri ci sono in tutti i parametri."""
        return count(self._parameters)

    def load(self, parameters):
        """Usa questi parametri al posto dei suoi; non li copia.

        parameters: {nome: array, o Tensor}
        Solleva ValueError se i nomi o le forme non sono quelli di layout().
        """
        self._bind(check(self.layout(), parameters), self.ops, self.attention)

    def using(self, *, parameters=_SAME, ops=_SAME, attention=_SAME):
        """Lo stesso modello con altri parametri, altre operazioni o un'altra attenzione; questo non cambia.

        È ciò che serve a chi addestra: ogni metà di un lotto ha il suo modello, con i suoi Tensor, sui
        numeri di tutti.
        """
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._bind(
            self._parameters if parameters is _SAME else check(self.layout(), parameters),
            self.ops if ops is _SAME else ops,
            self.attention if attention is _SAME else attention,
        )
        return other

    def _embed(self, ids, start=0):
        """ids: (..., T) -> x: (..., T, d), righe della tabella per √d (Vaswani et al. 2017, §3.4) più PE."""
        table, T = self._parameters["embedding"], ids.shape[-1]
        if self.positions:
            positions = _encoding(_rounded(start + T), self.d_model, table.dtype)[start : start + T]
        else:
            positions = np.zeros((T, self.d_model), table.dtype)
        return self.ops.embedding(table, ids, math.sqrt(self.d_model), positions)

    def _ids(self, name, ids):
        ids = as_ids(name, ids, self.vocabulary_size)
        expect_axes(name, ids, 1, "(..., T)")
        return ids

    def _masks(self, name, mask, lead, L, S, causal=False):
        """Una maschera finita per ogni blocco: bool adattabile a (..., h, L, S), o None: nulla è vietato."""
        each = list(mask) if isinstance(mask, (list, tuple)) else [mask]
        if isinstance(mask, (list, tuple)) and len(each) != self.n_layers:
            raise ValueError(
                f"{name}: mi aspettavo una maschera per ognuno dei {self.n_layers} blocchi, sono {len(each)}."
            )
        if any(isinstance(one, (list, tuple)) for one in each):         # righe, o maschere: non si sa
            raise ValueError(f"{name}: in una lista c'è una maschera per blocco: scrivile con np.array.")
        full = (*lead, self.n_heads, L, S)
        past = causal_mask(L, S) if causal and L > 1 else None
        done = [combine(past, _fitting(name, one, full)) for one in each]
        return done if isinstance(mask, (list, tuple)) else done * self.n_layers

    def _run(self, stack, x, masks, *, context=None, context_masks=None, cache=None, watch=None):
        """x: (..., T, d) -> (..., T, d): i blocchi uno dopo l'altro e la LayerNorm finale."""
        context_masks = [None] * self.n_layers if context_masks is None else context_masks
        for i, block in enumerate(self._stacks[stack]):
            extend = None if cache is None else cache.at(i)
            see = None if watch is None else functools.partial(_see, watch, f"{stack}.{i}.")
            x = block.apply(x, masks[i], context, context_masks[i], extend, see)
        x = self.ops.layer_norm(x, self._parameters[f"{stack}.gamma"], self._parameters[f"{stack}.beta"])
        if watch is not None:
            watch(f"{stack}.norm", x)
        return x

    def _logits(self, x):
        return self.ops.linear(x, self._parameters["W_out"], self._parameters["b_out"])   # -> (..., T, V)

    def _with_weights(self, seen):
        if len(seen) != self.n_layers:
            raise ValueError(
                "return_weights: l'attenzione scelta non restituisce i coefficienti; "
                "per vederli usa model.using(attention=None)."
            )
        return tuple(seen)


def _fitting(name, mask, full):
    """La maschera, controllata: non deve aggiungere né allungare assi."""
    if mask is None:
        return None
    mask = as_mask(name, mask)
    try:
        fits = np.broadcast_shapes(mask.shape, full) == full
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"{name}: mi aspettavo una forma che si adatti a (..., h, L, S) = {full}, "
            f"è arrivata la forma {mask.shape}."
        )
    return mask


def _see(watch, prefix, name, array):
    watch(prefix + name, array)


def _rounded(n):
    """Il multiplo di 256 da n in su: così la codifica si calcola di rado, e generando quasi mai."""
    return -(-n // 256) * 256


@functools.lru_cache(maxsize=8)
def _encoding(n, d_model, dtype):
    """Le codifiche delle prime n posizioni, calcolate in float64 e poi arrotondate a dtype; sola lettura."""
    encoding = sinusoidal_encoding(n, d_model).astype(dtype)
    encoding.setflags(write=False)
    return encoding

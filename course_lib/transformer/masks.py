"""Le maschere: chi può guardare chi. Booleane, True = può guardare; righe = query, colonne = key."""

from __future__ import annotations

import numpy as np

from course_lib.transformer.arrays import as_float_type, as_ids, as_mask, as_whole, expect_broadcast


def causal_mask(L, S=None):
    """Ogni query guarda sé stessa e ciò che viene prima.

    L: quante query   S: quante key; se manca, L. Con S > L le query sono le ultime L delle S posizioni,
    come quando si genera: causal_mask(2, 5) è 11110 / 11111.
    Restituisce: (L, S) bool.
    Solleva ValueError se S < L.
    """
    L = as_whole("L", L, 0)
    S = L if S is None else as_whole("S", S, 0)
    if S < L:
        raise ValueError(f"S: mi aspettavo almeno L = {L}, ogni query è anche una key; è arrivato {S}.")
    return np.tri(L, S, S - L, dtype=bool)


def padding_mask(lengths, S):
    """Le key vere di ogni frase, in un lotto di frasi allungate fino a S token.

    lengths: (B,), la lunghezza vera di ogni frase (o (...), con altri assi)   S: la lunghezza comune
    Restituisce: (B, S) bool. Per le teste si indicizza: padding_mask(lengths, S)[:, None, None, :].
    Solleva ValueError se una lunghezza non è un intero fra 0 e S.
    """
    S = as_whole("S", S, 0)
    lengths = as_ids("lengths", lengths, S + 1)
    return np.arange(S) < lengths[..., None]                             # (B,) -> (B, S)


def window_mask(L, width):
    """Ogni query guarda le key a meno di `width` posti da sé, prima e dopo.

    L: quanti token   width: da 1 (solo sé stessa) in su
    Restituisce: (L, L) bool. Con combine(causal_mask(L), window_mask(L, w)) restano gli ultimi w token,
    quello che guarda compreso.
    """
    L, width = as_whole("L", L, 0), as_whole("width", width, 1)
    place = np.arange(L)
    return np.abs(place[:, None] - place) < width


def prefix_mask(L, prefix):
    """Causale, ma i primi `prefix` token si vedono da ogni posto: un testo dato e il suo seguito.

    L: quanti token   prefix: da 0 (la maschera causale) a L (tutto si vede)
    Restituisce: (L, L) bool.
    Solleva ValueError se prefix è maggiore di L.
    Fonte: Raffel et al. 2020, §3.2.1 («prefix LM»).
    """
    L, prefix = as_whole("L", L, 0), as_whole("prefix", prefix, 0)
    if prefix > L:
        raise ValueError(f"prefix: mi aspettavo un intero fra 0 e L = {L}, è arrivato {prefix}.")
    return causal_mask(L) | (np.arange(L) < prefix)


def combine(*masks):
    """Ciò che tutte le maschere permettono: un AND con il broadcasting degli assi.

    masks: maschere booleane (..., L, S); None vale «nessun divieto»
    Restituisce: una maschera nuova della forma comune, o None se non c'è nessun divieto.
    Solleva ValueError se una maschera non è booleana, o se una forma comune non esiste.
    """
    named = {
        f"masks[{i}]": as_mask(f"masks[{i}]", mask) for i, mask in enumerate(masks) if mask is not None
    }
    if not named:
        return None
    result = np.ones(expect_broadcast({name: mask.shape for name, mask in named.items()}), dtype=bool)
    for mask in named.values():
        result = result & mask
    return result


def to_additive(mask, dtype=float):
    """La M della formula: 0 dove si può guardare, −∞ dove è vietato.

    mask: (..., L, S) bool   dtype: un tipo in virgola mobile
    Restituisce: (..., L, S), da sommare ai punteggi prima della softmax.
    Solleva ValueError se mask non è booleana o se dtype non è in virgola mobile.
    """
    dtype = as_float_type(dtype)
    return np.where(as_mask("mask", mask), dtype.type(0), dtype.type(-np.inf))

"""La generazione: un token alla volta, estratto dalle probabilità che il modello dà al seguente."""

from __future__ import annotations

import math
from numbers import Real

import numpy as np

from course_lib.learning import fused
from course_lib.learning.fast_decoder import FastDecoder, suits
from course_lib.transformer import ops as plain
from course_lib.transformer.arrays import as_ids, as_whole
from course_lib.transformer.attention import softmax
from course_lib.transformer.cache import KVCache
from course_lib.transformer.families import EncoderDecoder, EncoderOnly


def generate(model, prompt_ids, n, *, temperature=1.0, top_k=None, top_p=None, rng=None, cache=True):
    """Continua prompt_ids con n token.

    model: un DecoderOnly   prompt_ids: (T,), almeno un ID   n: quanti token nuovi
    temperature, top_k, top_p: vedi next_probabilities; con temperature = 0 non si estrae: si prende il più
    probabile (decodifica greedy), e rng non serve   rng: il numpy.random.Generator da cui si estrae
    cache: tiene key e value delle posizioni già viste; i logit sono gli stessi, i conti molti di meno
    Restituisce: la lista degli n ID nuovi.
    Solleva ValueError se prompt_ids è vuoto, se bisogna estrarre e rng manca, o se i logit non sono finiti.
    """
    if isinstance(model, EncoderOnly | EncoderDecoder) or not hasattr(model, "ops"):
        raise ValueError(f"model: mi aspettavo un DecoderOnly, è arrivato un {type(model).__name__}.")
    n = as_whole("n", n, 0)
    ids = as_ids("prompt_ids", prompt_ids, model.vocabulary_size)
    if ids.ndim != 1 or not ids.size:
        raise ValueError("prompt_ids: mi aspettavo una fila di almeno un ID.")
    _expect_settings(temperature, top_k, top_p)
    if temperature and not isinstance(rng, np.random.Generator):
        raise ValueError("rng: per estrarre serve un numpy.random.default_rng(seme); con temperature=0 no.")
    if model.ops is plain and model.parameters()["embedding"].dtype != np.float16:
        model = model.using(ops=fused)                                  # gli stessi numeri, meno controlli
    ids = [int(i) for i in ids]
    start = len(ids)
    follow = _followed(model, start, n, cache)
    with np.errstate(over="ignore", invalid="ignore"):                  # se trabocca lo dicono i logit
        for _ in range(n):
            ids.append(_choose(follow(ids), temperature, top_k, top_p, rng))
    return ids[start:]


def _followed(model, start, n, cache):
    """La funzione che, chiamata dopo ogni token nuovo con tutti gli ID, dà i logit del seguente, (V,)."""
    if not cache:
        return lambda ids: model(ids)[-1]                               # (T, V) -> (V,)
    fast = FastDecoder(model, start + n) if suits(model) else None
    memory = KVCache() if fast is None else fast

    def follow(ids):
        if len(ids) == start:
            return model(ids, cache=memory)[-1]                         # il testo dato, tutto insieme
        return model(ids[-1:], cache=memory)[-1] if fast is None else fast(ids[-1])

    return follow


def next_probabilities(logits, temperature=1.0, top_k=None, top_p=None):
    """Le probabilità da cui si estrae.

    logits: (V,)   temperature: τ, i logit si dividono per τ: sotto 1 vince di più il più probabile, sopra di
    meno; 0 lascia solo lui   top_k: restano i k più probabili   top_p: poi restano i più probabili finché la
    loro somma arriva a p, compreso quello che la raggiunge; gli altri vanno a 0 e la somma torna 1
    A pari probabilità viene prima l'ID più piccolo.
    Restituisce: (V,) float64, di somma 1.
    Fonte: Fan et al. 2018, §5.4 (top-k); Holtzman et al. 2020, §3.1 (top-p).
    """
    _expect_settings(temperature, top_k, top_p)
    logits = np.asarray(logits, np.float64)
    if logits.ndim != 1 or not logits.size:
        raise ValueError(f"logits: mi aspettavo la forma (V,), è arrivata {logits.shape}.")
    highest = np.max(logits)
    if not math.isfinite(highest):
        raise ValueError(f"logits: mi aspettavo numeri finiti (o −∞, ma non tutti), il massimo è {highest}.")
    if temperature == 0:
        return np.eye(1, len(logits), int(np.argmax(logits)))[0]
    with np.errstate(over="ignore"):                                    # τ minuscola: −∞, probabilità 0
        p = softmax((logits - highest) / temperature)
    if top_k is None and top_p is None:
        return p
    order = np.argsort(-p, kind="stable")                               # dal più probabile
    kept = len(p) if top_k is None else min(top_k, len(p))
    if top_p is not None:
        first = p[order[:kept]] / np.sum(p[order[:kept]])
        kept = min(kept, 1 + int(np.sum(np.cumsum(first) < top_p)))
    filtered = np.zeros_like(p)
    filtered[order[:kept]] = p[order[:kept]]
    return filtered / np.sum(filtered)


def _choose(logits, temperature, top_k, top_p, rng):
    if temperature == 0:
        best = int(np.argmax(logits))
        if not math.isfinite(logits[best]):
            raise ValueError("model: i suoi logit non sono più numeri finiti; i parametri sono NaN o enormi?")
        return best
    cumulative = np.cumsum(next_probabilities(logits, temperature, top_k, top_p))
    return int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right"))


def _expect_settings(temperature, top_k, top_p):
    if not (isinstance(temperature, Real) and 0 <= temperature < np.inf):
        raise ValueError(f"temperature: mi aspettavo un numero da 0 in su, è arrivato {temperature!r}.")
    if top_k is not None:
        as_whole("top_k", top_k, 1)
    if top_p is not None and not (isinstance(top_p, Real) and 0 < top_p <= 1):
        raise ValueError(f"top_p: mi aspettavo un numero fra 0 (escluso) e 1, è arrivato {top_p!r}.")

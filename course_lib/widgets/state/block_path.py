"""Lo stato del Percorso nel blocco: ogni vettore di una frase attraverso dodici blocchi, in quattro modi.

I modi sono con e senza connessioni residue, con la LayerNorm prima (pre-norm, il nostro) o dopo (post-norm,
quello di Vaswani et al. 2017): i parametri sono gli stessi, estratti a caso dal seme e mai addestrati.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from course_lib.transformer import simulator
from course_lib.transformer.blocks import DecoderBlock, EncoderBlock, feed_forward, layer_norm
from course_lib.transformer.masks import causal_mask
from course_lib.transformer.parameters import draw
from course_lib.widgets.state.plain import MOST_SEED, check_whole, writable

SENTENCE = "La chiave accanto ai libri era"
OTHER = "chiave libri era"
D, N_HEADS, D_FF, DEPTH = 8, 2, 32, 12
NORM, MEAN, DEVIATION, COSINE = range(D, D + 4)      # dove stanno, dopo le d componenti
MOST_WORDS = 12
UNIT = 1000                      # si spediscono millesimi interi, una stringa per vettore: pesano la metà
ASKED = 6                        # la profondità di cui si chiede, senza residui
CLOSE, PARTLY = 0.9, 0.5         # coseni che separano «sì», «in parte», «no»

PHASES = (
    ("testo", "grezzo"), ("1", "tokenizzazione"), ("2 embedding",), ("3 codifica", "posizionale"),
    ("4 attenzione", "multi-testa"), ("5 add & norm",), ("6 feed-forward",), ("7 linear", "+ softmax"),
)  # fmt: skip


class Station(NamedTuple):
    """Una tappa del blocco. phase: la fase di S3; adds: la tappa che la connessione residua vi somma."""

    name: str
    phase: int
    says: str
    adds: int | None = None


_NORM = "a ogni componente si toglie la media e si divide per la deviazione standard; poi γ = 1, β = 0."
_FINAL = "una sola, dopo l'ultimo blocco: le somme non sono mai state normalizzate."
_ATTENTION = "ogni testa combina i value dei token che può guardare; W_O mescola le teste."
_FFN = "questo vettore da solo: allarga a 32 componenti, attiva (GELU), torna a 8."
_ADD = "si somma il vettore com'era prima di questo sottostrato: la strada vecchia resta aperta."
CUT = "la strada vecchia è chiusa: resta soltanto ciò che è uscito dal sottostrato."

STATIONS = {
    "pre": (
        Station("entra nel blocco", 5, "il vettore com'è arrivato fin qui."),
        Station("LayerNorm", 5, _NORM),
        Station("attenzione", 4, _ATTENTION),
        Station("somma residua", 5, _ADD, adds=0),
        Station("LayerNorm", 5, _NORM),
        Station("feed-forward", 6, _FFN),
        Station("somma residua", 5, _ADD, adds=3),
        Station("LayerNorm finale", 5, _FINAL),
    ),
    "post": (
        Station("entra nel blocco", 5, "il vettore com'è arrivato fin qui."),
        Station("attenzione", 4, _ATTENTION),
        Station("somma residua", 5, _ADD, adds=0),
        Station("LayerNorm", 5, _NORM),
        Station("feed-forward", 6, _FFN),
        Station("somma residua", 5, _ADD, adds=3),
        Station("LayerNorm", 5, _NORM),
    ),
}
OUT = 6                          # la tappa con cui si esce dal blocco, nei due modi
NORM_CHOICES = ["0 e 1", "le stesse di prima", "1 e 0", "dipende dal token"]
DEPTH_CHOICES = ["sì: coseno oltre 0,9", "in parte: fra 0,5 e 0,9", "no: sotto 0,5"]


def state(sentence=SENTENCE, *, seed=0, causal=True):
    """Tutto ciò che il Percorso mostra di una frase.

    sentence: da 1 a 12 parole; i vettori di partenza sono quelli del simulatore, con d = 8 e le posizioni
    seed: da cui si estraggono i parametri dei 12 blocchi   causal: blocchi del decoder, o dell'encoder
    Restituisce: un dizionario; ways["pre" o "post"]["with" o "without"] ha places, (posti, T): per ogni posto
    e ogni token i millesimi di d componenti, norma, media, deviazione standard e coseno con il vettore di
    partenza, interi separati da spazi; e index, (12, tappe): il posto di ogni tappa di ogni blocco. Il posto
    0 è la partenza.
    Solleva ValueError, con una frase da mostrare, se la frase non va.
    Fonte: i blocchi sono quelli di `blocks.py`; le fasi, documento S3.
    """
    sentence = writable(sentence) if isinstance(sentence, str) else sentence
    start = simulator.state(sentence, D)
    tokens = start["tokens"]
    if len(tokens) > MOST_WORDS:
        raise ValueError(
            f"La frase ha {len(tokens)} parole e segni: qui se ne seguono al più {MOST_WORDS}, "
            "uno alla volta. Accorciala: di più non starebbero sopra il percorso."
        )
    seed = check_whole("seed", seed, 0, MOST_SEED)
    kind = DecoderBlock if causal else EncoderBlock
    rng, layout = np.random.default_rng(seed), kind.layout(D, D_FF, n_layers=DEPTH)
    blocks = [kind(draw(layout, rng, float), N_HEADS) for _ in range(DEPTH)]
    x, mask = np.array(start["final"]), causal_mask(len(tokens)) if causal else None
    found = {
        norm: {name: _way(x, blocks, mask, norm, name == "with") for name in ("with", "without")}
        for norm in STATIONS
    }
    return {
        "sentence": sentence, "tokens": tokens, "d": D, "n_heads": N_HEADS, "d_ff": D_FF, "depth": DEPTH,
        "components": [str(c + 1) for c in range(D)],
        "seed": seed, "causal": bool(causal), "unit": UNIT, "out": OUT, "asked": ASKED,
        "cut": CUT, "note": _note(seed, causal), "phases": [list(lines) for lines in PHASES],
        "stations": {norm: [station._asdict() for station in own] for norm, own in STATIONS.items()},
        "ways": {
            norm: {
                name: {"places": _packed(numbers), "index": index}
                for name, (numbers, index) in both.items()
            }
            for norm, both in found.items()
        },
        "choices": {"norm": NORM_CHOICES, "depth": DEPTH_CHOICES},
        "right": {
            "norm": _right_norm(found),
            "depth": {norm: _resemblance(*both["without"]) for norm, both in found.items()},
        },
    }  # fmt: skip


def _note(seed, causal):
    who = "ogni token guarda sé stesso e i precedenti" if causal else "ogni token guarda tutti"
    return f"Parametri a caso, non addestrati, seme {seed}; d = {D}, {N_HEADS} teste, d_ff = {D_FF}; {who}."


def block_stations(x, block, mask, *, norm="pre", residuals=True):
    """Le tappe di un blocco, dall'entrata all'uscita.

    x: (T, d)   mask: (T, T) bool, o None   norm: «pre», x + f(LayerNorm(x)), o «post», LayerNorm(x + f(x))
    residuals: se è falso la somma non si fa, e resta f(LayerNorm(x)) o LayerNorm(f(x))
    Restituisce: 7 array (T, d). Senza residui la tappa della somma è lo stesso array del sottostrato.
    """
    p, attention = block.parameters, block.heads()
    weights = [p[f"ffn.{name}"] for name in ("W_1", "b_1", "W_2", "b_2")]
    sublayers = {
        "self": lambda v: attention(v, mask=mask).output,
        "ffn": lambda v: feed_forward(v, *weights),
    }
    found = [x]
    for name, sublayer in sublayers.items():
        gamma, beta = p[f"{name}.gamma"], p[f"{name}.beta"]
        read = layer_norm(x, gamma, beta) if norm == "pre" else x
        output = sublayer(read)                                          # (T, d)
        total = x + output if residuals else output
        x = total if norm == "pre" else layer_norm(total, gamma, beta)
        found += [read, output, total] if norm == "pre" else [output, total, x]
    return found


def _way(x, blocks, mask, norm, residuals):
    """Un modo solo: i numeri di ogni posto in cui si passa, e a che posto sta ogni tappa."""
    start, arrays, index = x, [x], []
    for block in blocks:
        own = []
        for array in block_stations(x, block, mask, norm=norm, residuals=residuals):
            known = next((i for i in range(len(arrays) - 1, -1, -1) if arrays[i] is array), None)
            if known is None:
                known = len(arrays)
                arrays.append(array)
            own.append(known)
        x = arrays[own[OUT]]
        if norm == "pre":
            own.append(len(arrays))
            arrays.append(layer_norm(x, np.ones(D), np.zeros(D)))        # quella dopo l'ultimo blocco
        index.append(own)
    return _numbers(np.stack(arrays), start), index                      # (posti, T, d + 4), (12, tappe)


def unpacked(found, norm, residuals):
    """I numeri di un modo come array (posti, T, d + 4), e l'indice (12, tappe)."""
    way = found["ways"][norm]["with" if residuals else "without"]
    numbers = [[[int(units) / UNIT for units in row.split()] for row in place] for place in way["places"]]
    return np.array(numbers), way["index"]


def picture(found, *, token, residuals, norm, depth, **_):
    """Ciò che serve alla figura di riserva: vedi `figures.block_path.path_figure`."""
    numbers, index = unpacked(found, norm, residuals)
    shown = numbers[index[depth - 1], token]                             # (tappe, d + 4)
    curves = {}
    for name, way in (("con i residui", True), ("senza residui", False)):
        values, places = unpacked(found, norm, way)
        along = values[[0, *(own[OUT] for own in places)], token]        # (13, d + 4)
        curves[name] = (along[:, NORM].tolist(), along[:, COSINE].tolist())
    return {
        "token": found["tokens"][token],
        "stations": [(station.name, station.adds) for station in STATIONS[norm]],
        "vectors": shown[:, :D].tolist(), "stats": shown[:, NORM : DEVIATION + 1].tolist(),
        "curves": curves, "depth": depth, "residuals": residuals, "subtitle": found["note"],
    }  # fmt: skip


def _numbers(vectors, start):
    """I vettori (posti, T, d) seguiti da norma, media, deviazione standard e coseno con start, (T, d)."""
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    lengths = norms * np.linalg.norm(start, axis=-1, keepdims=True)      # (posti, T, 1)
    cosines = (vectors * start).sum(axis=-1, keepdims=True) / lengths
    mean, deviation = vectors.mean(axis=-1, keepdims=True), vectors.std(axis=-1, keepdims=True)
    return np.concatenate([vectors, norms, mean, deviation, cosines], axis=-1)


def _packed(numbers):
    """(posti, T, n) -> posti liste di T stringhe."""
    whole = np.rint(numbers * UNIT).astype(int).tolist()
    return [[" ".join(map(str, row)) for row in place] for place in whole]


def _right_norm(found):
    """Quale risposta è giusta: 0 se dopo ogni LayerNorm la media è 0 e la deviazione 1, al centesimo."""
    for norm, stations in STATIONS.items():
        after = [k for k, station in enumerate(stations) if station.name.startswith("LayerNorm")]
        for numbers, index in found[norm].values():
            means = numbers[[own[k] for own in index for k in after], :, MEAN : MEAN + 2]
            if np.abs(means - [0.0, 1.0]).max() > 0.01:
                return len(NORM_CHOICES) - 1
    return 0


def _resemblance(numbers, index):
    """Quanto ogni token somiglia a sé stesso dopo ASKED blocchi: 0 molto, 1 in parte, 2 no."""
    cosines = numbers[index[ASKED - 1][OUT], :, COSINE]
    return [0 if cosine > CLOSE else 1 if cosine >= PARTLY else 2 for cosine in cosines]

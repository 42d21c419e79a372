"""Il modello a caratteri del racconto: come si addestra, con che cosa si confronta, che cosa scrive.

L'ultimo decimo del testo è tenuto da parte: nessun pezzo dell'addestramento ne tocca un carattere.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

import numpy as np

from course_lib.learning import fused
from course_lib.learning.baselines import NGram
from course_lib.learning.corpus import tale
from course_lib.learning.generation import generate
from course_lib.learning.history import History
from course_lib.learning.losses import cross_entropy
from course_lib.learning.optim import AdamW
from course_lib.learning.training import text_batches, train
from course_lib.transformer.arrays import as_generator, as_ids, as_whole, expect_generator
from course_lib.transformer.families import DecoderOnly
from course_lib.transformer.tokens import CharTokenizer

LENGTH, BATCH = 32, 16
STEPS = 2000


class Text(NamedTuple):
    """Un testo in ID di caratteri, diviso in due: ciò su cui ci si addestra, e ciò su cui si prova."""

    tokenizer: CharTokenizer
    train: np.ndarray
    validation: np.ndarray


def split_text(text=None):
    """Divide un testo: i primi nove decimi per l'addestramento, l'ultimo per la validazione.

    text: il tuo (vedi `corpus.book`); se manca, il racconto
    """
    text = tale() if text is None else text
    tokenizer = CharTokenizer().train(text)
    ids = np.array(tokenizer.encode(text), int)
    cut = len(ids) * 9 // 10
    return Text(tokenizer, ids[:cut], ids[cut:])


class Learned(NamedTuple):
    """Un modello a caratteri addestrato, il suo testo e la storia dell'addestramento."""

    model: DecoderOnly
    text: Text
    history: History


def train_tale(seed, *, text=None, steps=STEPS, threads=1, progress=False, every=500):
    """Addestra il modello a caratteri: due strati, d = 96, quattro teste, pezzi di LENGTH caratteri.

    seed: decide i parametri iniziali e i pezzi   text: come in split_text   threads: come in training.train
    Il tasso di apprendimento sale in 50 passi a 0,003 e poi scende come mezzo coseno fin quasi a 0; i
    parametri si accorciano molto a ogni passo (weight_decay = 0,3), perché il testo è corto e il modello
    tenderebbe a impararlo a memoria.
    Restituisce: Learned; nella History c'è anche la loss di validazione, ogni `every` passi e alla fine.
    """
    text, rng, steps = split_text(text), as_generator("seed", seed), as_whole("steps", steps, 0)
    model = DecoderOnly(len(text.tokenizer.vocabulary), 96, 4, 2, rng=rng, dtype=np.float32)
    optimizer = AdamW(3e-3 * _pace(0, steps), weight_decay=0.3)

    def slow_down(done, loss):
        optimizer.learning_rate = 3e-3 * _pace(done, steps)

    history = train(
        model,
        text_batches(text.train, LENGTH, BATCH, rng),
        steps,
        optimizer=optimizer,
        threads=threads,
        progress=progress,
        validation=lambda model: validation_loss(model, text.validation),
        every=every,
        after_step=slow_down,
    )
    return Learned(model, text, history)


def _pace(done, steps):
    """Quanta parte del tasso di apprendimento si usa dopo `done` passi: da 0 a 1."""
    cosine = 0.5 + 0.5 * math.cos(math.pi * min(done / max(steps, 1), 1))
    return min(1, (done + 1) / 50) * (0.02 + 0.98 * cosine)


def validation_loss(model, ids, length=LENGTH):
    """La loss media per carattere, in nat, su un testo che il modello non ha visto.

    ids: (n,)   length: T, quanti caratteri vede al massimo
    I pezzi si sovrappongono a metà; del primo contano tutti i caratteri, degli altri la seconda metà. Così
    ogni carattere è predetto una volta sola, conoscendone almeno length / 2 di quelli prima, o tutti quelli
    che ci sono; il primo di tutti non conta.
    """
    ids, length = as_ids("ids", ids), as_whole("length", length, 1)
    if ids.ndim != 1 or len(ids) < 2:
        raise ValueError(f"ids: mi aspettavo una fila di almeno 2 ID, è arrivata la forma {ids.shape}.")
    half = max(1, length // 2)                           # di quanto si va avanti
    known = length - half
    model = model.using(ops=fused)
    total, count = 0.0, 0
    for start in range(0, max(1, len(ids) - 1 - known), half):
        inputs, targets = ids[start : start + length], ids[start + 1 : start + length + 1]
        new = slice(known if start else 0, None)
        logits = model(inputs[: len(targets)])[new]
        total += cross_entropy(logits, targets[new]) * len(logits)
        count += len(logits)
    return total / count


def count(text, order=3):
    """Il termine di confronto: l'n-gramma che ha contato la stessa parte di testo su cui ci si addestra.

    text: ciò che restituisce split_text   order: 3 per il trigramma
    Restituisce: NGram; la sua loss di validazione è `.loss([text.validation])`.
    """
    return NGram(order, len(text.tokenizer.vocabulary)).train([text.train])


def sample(learned, prompt, n, rng, **settings):
    """Fa scrivere al modello n caratteri dopo prompt.

    learned: ciò che restituisce train_tale   settings: temperature, top_k, top_p, come in generate
    Oltre LENGTH posizioni il modello non è mai andato: scrive mezzo pezzo per volta, rileggendo il mezzo
    prima. Non scrive i token che non ha mai letto, come i sedici che servono ai caratteri sconosciuti.
    Restituisce: la stringa dei soli caratteri nuovi.
    """
    half, model = LENGTH // 2, learned.model
    read = np.isin(np.arange(model.vocabulary_size), learned.text.train)                 # (V,) bool
    parameters = model.parameters()
    parameters["b_out"] = np.where(read, parameters["b_out"], np.float32(-np.inf))
    model = model.using(parameters=parameters)
    ids, n = learned.text.tokenizer.encode(prompt), as_whole("n", n, 0)
    if not ids:
        raise ValueError("prompt: mi aspettavo almeno un carattere, da cui cominciare.")
    start = len(ids)
    while len(ids) < start + n:
        wanted = min(half, start + n - len(ids))
        ids += generate(model, ids[-half:], wanted, rng=rng, **settings)
    return learned.text.tokenizer.decode(ids[start:])


def sample_by_counting(ngram, text, prompt, n, rng):
    """La stessa cosa con un n-gramma: n caratteri dopo prompt, estratti dalle sue probabilità."""
    ids = text.tokenizer.encode(prompt)
    expect_generator("rng", rng)
    start = len(ids)
    for _ in range(n):
        p = ngram.probabilities(ids[max(0, len(ids) - ngram.order + 1) :])
        ids.append(int(rng.choice(len(p), p=p)))
    return text.tokenizer.decode(ids[start:])


def share_of_known_words(written, text, shortest=1):
    """Quale parte delle parole scritte, da 0 a 1, esiste in un testo; la prima e l'ultima, tronche, no.

    written, text: stringhe   shortest: contano solo le parole di almeno tante lettere
    Solleva ValueError se non c'è nessuna parola da contare.
    """
    known = set(re.findall(r"[^\W\d_]+", text.lower()))
    words = [word for word in re.findall(r"[^\W\d_]+", written.lower())[1:-1] if len(word) >= shortest]
    if not words:
        raise ValueError(f"written: mi aspettavo almeno una parola intera di {shortest} lettere o più.")
    return sum(word in known for word in words) / len(words)

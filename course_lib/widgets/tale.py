"""Il modello a caratteri che i widget usano: piccolo, già addestrato sul racconto, in data/tale.npz."""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np

from course_lib.learning.tale_model import split_text
from course_lib.transformer.families import DecoderOnly
from course_lib.transformer.tokens import CharTokenizer

FILE = Path(__file__).resolve().parent / "data" / "tale.npz"
LENGTH = 24                      # quanti caratteri legge al massimo: con questi si è addestrato
WIDTH, HEADS, LAYERS, HIDDEN = 64, 4, 2, 192


class Tale(NamedTuple):
    """Il modello pronto, il suo tokenizzatore e che cosa si sa di lui.

    steps, seed: come è stato addestrato   loss: sulla parte tenuta da parte   uniform: ln V
    """

    model: DecoderOnly
    tokenizer: CharTokenizer
    steps: int
    seed: int
    loss: float
    uniform: float


def blank(vocabulary_size, rng):
    """Il modello con i parametri ancora a caso."""
    return DecoderOnly(vocabulary_size, WIDTH, HEADS, LAYERS, d_ff=HIDDEN, rng=rng, dtype=np.float32)


def save(path, learned, seed):
    """Scrive i parametri in float16, metà dello spazio, e i fatti che li riguardano."""
    steps, loss = learned.history.validation[-1]
    facts = {"fact:steps": steps, "fact:seed": seed, "fact:loss": loss}
    parameters = {name: array.astype(np.float16) for name, array in learned.model.parameters().items()}
    with Path(path).open("wb") as file:
        np.savez_compressed(file, **facts, **parameters)


def load(path=FILE):
    """Il modello salvato. Le sedici cifre dei caratteri sconosciuti non le scrive: non le ha mai lette.

    Restituisce: Tale.
    """
    with np.load(path, allow_pickle=False) as file:
        content = {name: file[name] for name in file.files}
    facts = {name: content.pop(f"fact:{name}").item() for name in ("steps", "seed", "loss")}
    text = split_text()
    size = len(text.tokenizer.vocabulary)
    parameters = {name: array.astype(np.float32) for name, array in content.items()}
    read = np.isin(np.arange(size), text.train)                          # (V,) bool
    parameters["b_out"] = np.where(read, parameters["b_out"], np.float32(-np.inf))
    model = blank(size, np.random.default_rng(0))
    model.load(parameters)
    return Tale(model, text.tokenizer, **facts, uniform=math.log(size))

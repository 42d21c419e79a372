"""Rifà data/tale.npz, il modello a caratteri dei widget: `python -m course_lib.widgets.train_tale`.

È quello di `learning.tale_model`, più stretto e con pezzi più corti, perché stia in meno di 200 kB.
"""

from __future__ import annotations

import math

import numpy as np

from course_lib.learning.optim import AdamW
from course_lib.learning.tale_model import Learned, split_text, validation_loss
from course_lib.learning.training import text_batches, train
from course_lib.notation import number
from course_lib.widgets import tale

SEED, STEPS, BATCH, FASTEST = 20, 3000, 24, 4e-3


def train_small(seed=SEED, steps=STEPS, progress=True):
    """Addestra il modello piccolo sul racconto.

    seed: decide i parametri iniziali e i pezzi
    Il tasso di apprendimento sale in 50 passi a FASTEST e scende come mezzo coseno; λ = 0,3 perché il testo
    è corto.
    Restituisce: Learned.
    """
    text, rng = split_text(), np.random.default_rng(seed)
    model = tale.blank(len(text.tokenizer.vocabulary), rng)
    optimizer = AdamW(FASTEST / 50, weight_decay=0.3)

    def pace(done, loss):
        cosine = 0.51 + 0.49 * math.cos(math.pi * done / steps)
        optimizer.learning_rate = FASTEST * min(1, (done + 1) / 50) * cosine

    history = train(
        model, text_batches(text.train, tale.LENGTH, BATCH, rng), steps, optimizer=optimizer,
        progress=progress, validation=lambda model: validation_loss(model, text.validation, tale.LENGTH),
        every=500, after_step=pace,
    )  # fmt: skip
    return Learned(model, text, history)


def main():
    """Addestra, scrive il file, e dice come è andata."""
    learned = train_small()
    tale.FILE.parent.mkdir(exist_ok=True)
    tale.save(tale.FILE, learned, SEED)
    for steps, loss in learned.history.validation:
        print(f"dopo {number(steps)} passi: loss di validazione {number(loss, 3)}")
    ready = tale.load()
    loss = validation_loss(ready.model, learned.text.validation, tale.LENGTH)
    print(f"con i parametri salvati in float16: {number(loss, 3)}; ln V = {number(ready.uniform, 3)}")
    print(f"{tale.FILE.name}: {number(tale.FILE.stat().st_size / 1000, 1)} kB")


if __name__ == "__main__":
    main()

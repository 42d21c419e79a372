"""Rifà le teste addestrate che HeadAtlas mostra: `python -m course_lib.widgets.train_heads`.

Due strati di due teste, 900 passi su frasi con nessuno, uno e due attrattori di numero libero: pochi secondi.
Alla fine spegne ogni insieme di teste e vieta ogni parola, e scrive quante frasi di prova restano giuste.
Lo stesso seme dà, sulla stessa macchina, gli stessi byte.
"""

from __future__ import annotations

import argparse
import itertools
from pathlib import Path

import numpy as np

from course_lib.learning.agreement import MOST_ATTRACTORS, AgreementGrammar
from course_lib.learning.agreement_measures import chance_level
from course_lib.learning.agreement_model import Trained, accuracy
from course_lib.learning.history import History
from course_lib.learning.optim import AdamW
from course_lib.learning.training import train
from course_lib.notation import number
from course_lib.widgets.state.heads_model import DATA, key_of, load, masks_for, new_model, save

ABOUT = {"seed": 0, "steps": 900, "d_model": 32, "n_heads": 2, "n_layers": 2}
BATCH, LEARNING_RATE = 64, 1e-2


def batches(grammar, rng):
    """Lotti senza fine: uno di frasi senza attrattori, uno con un attrattore, uno con due, e da capo."""
    each = [grammar.batches("train", BATCH, rng, n, opposite=False) for n in range(MOST_ATTRACTORS + 1)]
    for source in itertools.cycle(each):
        yield next(source)


def train_heads(about):
    """Un modello addestrato con quel seme, quelle dimensioni e quei passi. Restituisce: Trained."""
    grammar, rng = AgreementGrammar(about["seed"]), np.random.default_rng(about["seed"])
    model = new_model(grammar, about, rng)
    optimizer = AdamW(LEARNING_RATE)
    history = train(model, batches(grammar, rng), about["steps"], optimizer=optimizer, progress=False)
    model.load({name: a.astype(np.float16).astype(np.float32) for name, a in model.parameters().items()})
    return Trained(model, grammar, history)


def held_out(grammar, attractors):
    """Le frasi della parte di prova, con gli attrattori di numero libero."""
    return grammar.sentences("test", attractors, opposite=False)


def measures(trained):
    """Quante frasi di prova con un attrattore restano giuste: {ciò che si toglie: quota}."""
    sentences = held_out(trained.grammar, 1)
    length = len(sentences[0].prefix)
    heads = range(trained.model.n_layers * trained.model.n_heads)
    cases = [(off, ()) for n in range(len(heads) + 1) for off in itertools.combinations(heads, n)]
    cases += [((), (place,)) for place in range(length - 1)] + [((), (0, 1))]
    return {
        key_of(off, places): accuracy(trained, sentences, masks_for(trained.model, length, off, places))
        for off, places in cases
    }


def _report(trained, about):
    for attractors in range(MOST_ATTRACTORS + 1):
        sentences = held_out(trained.grammar, attractors)
        print(
            f"attrattori: {attractors}   frasi di prova: {len(sentences)}   "
            f"genere giusto: {number(accuracy(trained, sentences), 3)}   "
            f"a caso: {number(chance_level(sentences), 3)}"
        )
    print("Genere giusto con un attrattore, togliendo:")
    for key, value in about["accuracy"].items():
        print(f"  {_in_words(key, about['n_heads']):24s} {number(value, 3)}")


def _in_words(key, n_heads):
    if not key:
        return "nulla"
    places = [int(n) for n in key.removeprefix("v").split(",")]
    if key.startswith("v"):
        return "le parole " + ", ".join(str(place + 1) for place in places)
    return "le teste " + ", ".join(f"{n // n_heads + 1}·{n % n_heads + 1}" for n in places)


def main(arguments=None):
    """Addestra, misura, scrive il file e lo rilegge."""
    parser = argparse.ArgumentParser(description="Rifà le teste addestrate del widget Teste.")
    parser.add_argument("--file", type=Path, default=DATA, help="dove scrivere (di solito, nel pacchetto)")
    path = parser.parse_args(arguments).file
    if not path.parent.is_dir():
        parser.error(f"La cartella {path.parent} non c'è: creala, o scrivi un altro --file.")
    print(f"Addestro: {ABOUT['steps']} passi, seme {ABOUT['seed']}.")
    trained = train_heads(ABOUT)
    sentences = len(held_out(trained.grammar, 1))
    about = {**ABOUT, "sentences": sentences, "accuracy": measures(trained)}
    save(path, trained.model, about)
    load.cache_clear()
    again = load(path)
    _report(Trained(again.model, again.grammar, History()), again.about)
    print(f"Scritto {path.name}: {number(path.stat().st_size)} byte.")


if __name__ == "__main__":
    main()

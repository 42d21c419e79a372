"""Una rete ricorrente, per confronto: porta avanti un vettore solo, e ogni parola lo cambia.

Sulla concordanza ci riesce anche lei: l'attenzione non è il solo modo di arrivare al soggetto. Ma la strada
è più lunga: ciò che serve deve attraversare tutte le parole che stanno in mezzo, una dopo l'altra.
"""

from __future__ import annotations

import numpy as np

from course_lib.learning.agreement import AgreementGrammar
from course_lib.learning.agreement_model import BATCH, STEPS, Trained
from course_lib.learning.optim import AdamW
from course_lib.learning.training import train
from course_lib.transformer.arrays import as_generator, as_ids, as_whole
from course_lib.transformer.parameters import Start, check, draw, matrix

LEARNING_RATE = 5e-3


class Elman:
    """La rete di Elman: h ← tanh(x W_x + h W_h + b), e da h i logit del token che segue.

    vocabulary_size: V   d_model: d, le componenti di x e di h   rng: il Generator da cui estrarre i parametri
    W_h comincia come una matrice ortogonale, che non allunga e non accorcia: così il gradiente non svanisce
    subito. Si addestra come gli altri modelli, con `training.train`.
    Fonte: Elman 1990; l'inizio ortogonale: Saxe et al. 2014.
    """

    attention = None                                 # `training` la chiede a ogni modello: qui non c'è

    def __init__(self, vocabulary_size, d_model, *, rng, dtype=np.float64):
        self.vocabulary_size = as_whole("vocabulary_size", vocabulary_size, 1)
        self.d_model = as_whole("d_model", d_model, 1)
        self._parameters = draw(self.layout(), rng, dtype)
        orthogonal, _ = np.linalg.qr(self._parameters["W_h"].astype(np.float64))
        self._parameters["W_h"] = orthogonal.astype(dtype)

    def layout(self):
        """Nomi, forme e valori iniziali dei parametri, nell'ordine in cui si estraggono."""
        V, d = self.vocabulary_size, self.d_model
        return {
            "embedding": Start((V, d), std=1.0),
            "W_x": matrix(d, d, 0.3),
            "W_h": matrix(d, d),
            "b": Start((d,)),
            "W_out": Start((d, V), std=0.02),
            "b_out": Start((V,)),
        }

    def parameters(self):
        """I parametri, {nome: array}; il dizionario è nuovo, gli array sono i veri."""
        return dict(self._parameters)

    def load(self, parameters):
        """Usa questi parametri al posto dei suoi; non li copia."""
        self._parameters = check(self.layout(), parameters)

    def using(self, *, parameters, ops=None, attention=None):
        """La stessa rete con altri parametri; ops e attention ci sono perché li passa chi addestra."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.load(parameters)
        return other

    def __call__(self, ids):
        """Da ids (B, T) ai logit (B, T, V): una parola alla volta, da sinistra."""
        ids, p = as_ids("ids", ids, self.vocabulary_size), self._parameters
        if ids.ndim != 2 or not ids.shape[1]:
            raise ValueError(f"ids: mi aspettavo la forma (B, T), T almeno 1; è arrivata {ids.shape}.")
        h = np.zeros((len(ids), self.d_model), p["b"].dtype)
        states = []
        for t in range(ids.shape[1]):
            x = p["embedding"][ids[:, t]]                                    # (B, d)
            h = np.tanh(x @ p["W_x"] + h @ p["W_h"] + p["b"])                # (B, d)
            states.append(h)
        return np.stack(states, axis=1) @ p["W_out"] + p["b_out"]            # (B, T, d) -> (B, T, V)


def train_elman(seed, *, d_model=32, steps=STEPS, opposite=True):
    """Addestra una rete di Elman sulle stesse frasi, con la loss sul solo aggettivo.

    Contando tutte le parole, come fa train_agreement, in 400 passi non impara: le altre, più numerose,
    coprono la sola per cui bisogna ricordarsi il genere del soggetto.
    Restituisce: Trained.
    """
    grammar, rng = AgreementGrammar(seed), as_generator("seed", seed)
    model = Elman(len(grammar.vocabulary), d_model, rng=rng, dtype=np.float32)
    batches = _last_word_alone(grammar.batches("train", BATCH, rng, opposite=opposite))
    history = train(model, batches, steps, optimizer=AdamW(LEARNING_RATE), progress=False)
    return Trained(model, grammar, history)


def _last_word_alone(batches):
    for inputs, targets in batches:
        counted = np.zeros(targets.shape, dtype=bool)
        counted[:, -1] = True
        yield inputs, targets, counted

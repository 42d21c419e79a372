"""I modelli delle lezioni, addestrati una volta sola per tutte le prove."""

import functools

import numpy as np

from course_lib.learning.agreement_model import STEPS, train_agreement
from course_lib.learning.agreement_words import PLAIN
from course_lib.learning.recurrent import train_elman
from course_lib.transformer.attention import softmax

SEEDS = range(5)


def trained(seed, *, steps=STEPS, n_layers=1, opposite=True, positions=True):
    """Il Transformer della concordanza."""
    return _trained(seed, steps, n_layers, opposite, positions)


@functools.cache
def _trained(seed, steps, n_layers, opposite, positions):
    return train_agreement(seed, steps=steps, n_layers=n_layers, opposite=opposite, positions=positions)


@functools.cache
def trained_elman(seed):
    """La rete ricorrente, sulle stesse frasi."""
    return train_elman(seed)


def ambiguous(sentence):
    """Se c'è un altro articolo intero, stesso numero e altro genere: «il chiodo dietro la scatola»."""
    return any(
        number == sentence.number and gender != sentence.gender and sentence.tokens[place - 2] in PLAIN
        for number, gender, place in zip(
            sentence.attractor_numbers, sentence.attractor_genders, sentence.attractors, strict=True
        )
    )


def accuracy_moved(trained, sentences, places):
    """L'accuratezza con le frasi spostate in avanti di `places` posti."""
    logits = logits_moved(trained, sentences, places)
    return trained.grammar.gender_accuracy(sentences, softmax(logits.astype(np.float64)))


def logits_moved(trained, sentences, places):
    """I logit dell'aggettivo, (N, V), con davanti `places` parole che nessuno può guardare."""
    contexts = trained.grammar.ids(sentences)[:, :-1]
    contexts = np.pad(contexts, ((0, 0), (places, 0)))                       # (N, places + T)
    length = contexts.shape[1]
    allowed = np.ones((length, length), dtype=bool)
    allowed[:, :places] = False
    return trained.model(contexts, allowed)[:, -1]

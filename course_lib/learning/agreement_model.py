"""Il modello piccolo della concordanza: si addestra in un secondo, poi gli si vieta di guardare.

Uno strato, due teste: la query del verbo, da cui si predice l'aggettivo, prende da un'altra parola soltanto
ciò che ne prende con l'attenzione, perché sotto non c'è un altro strato che gliel'abbia già portato. Vietarle
una parola basta dunque a toglierla; con due strati no (vedi `forbid`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from course_lib.learning.agreement import AgreementGrammar
from course_lib.learning.history import History
from course_lib.learning.optim import AdamW
from course_lib.learning.training import train
from course_lib.transformer.arrays import as_generator, as_ids, as_whole
from course_lib.transformer.attention import softmax
from course_lib.transformer.families import DecoderOnly

STEPS, BATCH, LEARNING_RATE = 400, 64, 1e-2


class Trained(NamedTuple):
    """Un modello addestrato sulla concordanza, con la sua grammatica e la storia dell'addestramento."""

    model: DecoderOnly
    grammar: AgreementGrammar
    history: History


def train_agreement(
    seed, *, d_model=32, n_heads=2, n_layers=1, steps=STEPS, opposite=True, positions=True, attention=None
):
    """Addestra un modello sulle frasi con un attrattore.

    seed: decide come si dividono le coppie, i parametri iniziali e l'ordine delle frasi
    opposite: come in AgreementGrammar.sentences   positions, attention: come in DecoderOnly
    La loss conta tutte le parole della frase, non solo l'aggettivo.
    Restituisce: Trained; lo stesso seme dà gli stessi numeri.
    """
    grammar, rng = AgreementGrammar(seed), as_generator("seed", seed)
    model = DecoderOnly(
        len(grammar.vocabulary),
        d_model,
        n_heads,
        n_layers,
        rng=rng,
        dtype=np.float32,
        positions=positions,
        attention=attention,
    )
    batches = grammar.batches("train", BATCH, rng, opposite=opposite)
    history = train(model, batches, steps, optimizer=AdamW(LEARNING_RATE), progress=False)
    return Trained(model, grammar, history)


def forbid(length, keys, queries=None):
    """La maschera che vieta a certe query di guardare certe parole; quella causale ce la mette il modello.

    length: T   keys: le posizioni da non guardare   queries: chi non le può guardare; se manca, tutte le
    posizioni che vengono dopo l'ultima di keys
    Con uno strato conta soltanto la query del verbo. Con più strati un'altra parola, guardata poi dal verbo,
    potrebbe già portare ciò che si vieta: bisogna vietarlo a tutte, come si fa quando queries manca.
    Restituisce: (T, T) bool, True = può guardare.
    """
    length = as_whole("length", length, 1)
    keys = _places("keys", keys, length)
    queries = range(max(keys, default=-1) + 1, length) if queries is None else queries
    allowed = np.ones((length, length), dtype=bool)
    allowed[np.ix_(_places("queries", queries, length), keys)] = False
    return allowed


def _places(name, places, length):
    try:
        places = list(places)
    except TypeError:
        raise ValueError(f"{name}: mi aspettavo una lista di posizioni, è arrivato {places!r}.") from None
    return as_ids(name, places, length).tolist()


def accuracy(trained, sentences, mask=None):
    """Quante volte il modello si aspetta un aggettivo del genere giusto (vedi gender_accuracy).

    trained: ciò che restituisce train_agreement, o una terna così con un altro modello da ID a logit
    sentences: frasi della stessa lunghezza   mask: ciò che si vieta, come in DecoderOnly, con T parole
    """
    if mask is not None:
        _expect_attention(trained.model)
    contexts = trained.grammar.ids(sentences)[:, :-1]                        # (N, T): manca l'aggettivo
    logits = trained.model(contexts) if mask is None else trained.model(contexts, mask)
    return trained.grammar.gender_accuracy(sentences, softmax(logits[:, -1].astype(np.float64)))


def attention_of_the_verb(trained, sentences):
    """I coefficienti della query del verbo, in media sulle frasi.

    sentences: frasi della stessa lunghezza
    Restituisce: (n_layers, h, T): ogni riga somma a 1; le posizioni sono quelle di Sentence.
    """
    _expect_attention(trained.model)
    contexts = trained.grammar.ids(sentences)[:, :-1]
    _, weights = trained.model(contexts, return_weights=True)                # ognuna (N, h, T, T)
    return np.array([each[:, :, -1].mean(axis=0, dtype=np.float64) for each in weights])


def _expect_attention(model):
    if not isinstance(model, DecoderOnly):
        raise ValueError(f"trained: serve un modello con l'attenzione; {type(model).__name__} non ne ha.")

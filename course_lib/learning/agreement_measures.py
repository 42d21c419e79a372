"""Quanto del genere trapela: si conta che cosa può fare, al meglio, chi vede soltanto certe parole.

Queste misure servono a mostrare che le frasi sono bilanciate, e a sapere qual è il livello del caso prima di
addestrare.
"""

from __future__ import annotations

import numpy as np


def accuracy_seeing(positions, sentences, learned_from=None):
    """Quante volte indovina il genere chi vede solo le parole in quelle posizioni, e ricorda tutto.

    positions: indici nella frase, anche negativi   sentences: le frasi su cui si prova
    learned_from: le frasi da cui ha imparato; se mancano, le stesse su cui si prova (il massimo possibile)
    A parità di casi, e davanti a parole mai viste, vale 1/2.
    """
    return _accuracy(lambda s: tuple(s.tokens[p] for p in positions), sentences, learned_from)


def chance_level(sentences):
    """Il livello del caso: il massimo che può fare chi vede tutto, tranne soggetto, suo articolo e desinenza.

    Non è una costante: si conta. Vale 1/2 quando ogni frase ha accanto la sua gemella.
    """
    return _accuracy(lambda s: (*s.tokens[2:-1], s.lemma), sentences)


def _accuracy(seen, sentences, learned_from=None):
    balance = {}                                         # che cosa si vede -> femminili meno maschili
    for sentence in sentences if learned_from is None else learned_from:
        sign = 1 if sentence.gender == "f" else -1
        balance[seen(sentence)] = balance.get(seen(sentence), 0) + sign
    answers = (balance.get(seen(s), 0) * (1 if s.gender == "f" else -1) for s in sentences)
    return float(np.mean([0.5 + 0.5 * np.sign(answer) for answer in answers]))

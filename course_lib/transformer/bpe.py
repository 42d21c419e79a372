"""I passi della BPE: dividere in parole, contare le coppie, unire la più frequente."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise

# parola o fila di segni, con lo spazio che precede; gli altri spazi a parte. Ogni carattere sta in un pezzo.
_PIECE = re.compile(r" ?\w+['’]?| ?[^\w\s]+|\s+(?= \S)|\s+")


def pieces(text):
    """Divide text nei pezzi dentro i quali si fanno le unioni; rimessi in fila ridanno text."""
    return _PIECE.findall(text)


def count_pairs(words):
    """Quante volte ogni coppia di vicini compare nelle parole.

    words: liste di ID   Restituisce: {(ID, ID): quante}, nell'ordine di prima comparsa.
    In «aaa» la coppia (a, a) compare due volte, anche se poi se ne unisce una sola.
    """
    return Counter(pair for word in words for pair in pairwise(word))


def merge_pair(word, pair, new):
    """Sostituisce new a ogni pair di word, da sinistra a destra: «aaa» diventa «(aa)a».

    word: lista di ID   Restituisce: una lista nuova.
    """
    merged, i = [], 0
    while i < len(word):
        if tuple(word[i : i + 2]) == pair:
            merged.append(new)
            i += 2
        else:
            merged.append(word[i])
            i += 1
    return merged


def learn_merges(words, n_merges, first_new):
    """Le unioni da fare, nell'ordine.

    words: le parole del testo, come liste di ID   n_merges: quante unioni, al più
    first_new: l'ID della prima unione; le altre seguono
    Restituisce: la lista delle coppie (ID, ID) unite; è più corta di n_merges se non resta una coppia che
    compaia almeno due volte. A parità di frequenza vince la coppia che compare prima.
    """
    frequency = Counter(map(tuple, words))                  # le parole uguali si contano una volta sola
    words, times = [list(word) for word in frequency], list(frequency.values())
    pairs, homes = Counter(), defaultdict(set)              # quante volte; in quali parole
    for w, word in enumerate(words):
        _add(pairs, homes, word, w, times[w])

    merges = []
    while len(merges) < n_merges and pairs:
        most = max(pairs.values())
        if most < 2:
            break
        pair = _first_of({p for p, n in pairs.items() if n == most}, words)
        new = first_new + len(merges)
        merges.append(pair)
        for w in homes.pop(pair):                           # solo le parole che hanno la coppia cambiano
            _add(pairs, homes, words[w], w, -times[w])
            words[w] = merge_pair(words[w], pair, new)
            _add(pairs, homes, words[w], w, times[w])
        pairs = +pairs                                      # via le coppie che non ci sono più
    return merges


def encode_word(word, ranks):
    """Rifà su una parola le unioni imparate, dalla prima all'ultima.

    word: lista di ID   ranks: {(ID, ID): ID dell'unione}; gli ID crescono nell'ordine in cui si è imparato
    """
    while len(word) > 1:
        pair = min(pairwise(word), key=lambda p: ranks.get(p, float("inf")))
        if pair not in ranks:
            break
        word = merge_pair(word, pair, ranks[pair])
    return word


def _add(pairs, homes, word, w, times):
    for pair, n in count_pairs([word]).items():
        pairs[pair] += n * times
        if times > 0:
            homes[pair].add(w)


def _first_of(candidates, words):
    """La prima coppia, nell'ordine del testo, che sta fra le candidate."""
    return next(p for word in words for p in pairwise(word) if p in candidates)

"""Il simulatore del documento S2: una frase attraverso quattro fasi, in un dizionario solo.

1 token e ID → 2 embedding → 3 codifica posizionale → 4 auto-attenzione.
Il documento non fissa il vocabolario né la regola dell'attenzione. Scelte del corso: il vocabolario di
`sentences.py`, con le parole in minuscolo e quelle nuove in coda; Q = K = V = i vettori finali, punteggi
divisi per √d, nessuna maschera. Nulla è addestrato: le mappe non dicono nulla sulla lingua.
"""

from __future__ import annotations

import math

import numpy as np

from course_lib.notation import number
from course_lib.transformer.attention import scaled_dot_product_attention
from course_lib.transformer.embeddings import simulator_embedding
from course_lib.transformer.positions import encoding_at, sinusoidal_encoding
from course_lib.transformer.sentences import VOCABULARY
from course_lib.transformer.tokens import split_words

POSITION_SCALE = 0.3             # il documento somma 0,3 × PE
LEAST_D, MOST_D = 2, 8
MOST_TOKENS, MOST_CHARACTERS = 24, 1000
WAVE_STEP = 0.1                  # ogni quanti posti si legge un'onda, per disegnarla

RULE = (
    "Q = K = V = i vettori finali; punteggi divisi per √d; nessuna maschera. "
    "È una scelta del corso: il documento non la dice."
)


def state(sentence, d=4, positions=True, vocabulary=VOCABULARY):
    """Tutto ciò che il simulatore mostra di una frase, in liste, numeri e stringhe.

    sentence: n parole, da 1 a 24   d: da 2 a 8   positions: si somma 0,3 × PE?
    vocabulary: le parole che hanno già un ID; le altre prendono i seguenti
    Restituisce: un dizionario; embedding, encoding, added, final sono n × d, scores, weights, distances
    n × n; entropies è in bit, uno per riga; equal_tokens sono i gruppi di posti con la stessa parola.
    Solleva ValueError, con una frase da mostrare a chi scrive, se la frase o d non vanno bene.
    Fonte: documento S2.
    """
    tokens = _tokens(sentence)
    d = _dimensions(d)
    words = [token.lower() for token in tokens]
    vocabulary = list(dict.fromkeys([*vocabulary, *words]))
    ids = [vocabulary.index(word) for word in words]

    embedding = simulator_embedding(ids, d)                              # (n,) -> (n, d)
    encoding = sinusoidal_encoding(len(ids), d)                          # (n, d)
    added = encoding * (POSITION_SCALE if positions else 0.0)
    final = embedding + added                                            # (n, d)
    weights = scaled_dot_product_attention(final, final, final).weights  # (n, d) -> (n, n)
    equal = _groups(ids)
    return {
        "sentence": sentence,
        "d": d,
        "positions": bool(positions),
        "rule": RULE,
        "tokens": tokens,
        "words": words,
        "ids": ids,
        "vocabulary": vocabulary,
        "new_words": [word for word in dict.fromkeys(words) if word not in VOCABULARY],
        "embedding": embedding.tolist(),
        "encoding": encoding.tolist(),
        "added": added.tolist(),
        "final": final.tolist(),
        "waves": _waves(len(ids), d),
        "scores": (final @ final.T / math.sqrt(d)).tolist(),
        "weights": weights.tolist(),
        "most_attended": weights.argmax(axis=1).tolist(),
        "entropies": [_entropy(row) for row in weights.tolist()],
        "distances": np.linalg.norm(final[:, None] - final, axis=-1).tolist(),
        "equal_tokens": equal,
        "notes": _notes(tokens, equal, positions),
    }


def compare(first, second, d=4, positions=True, first_d=None):
    """Due frasi una accanto all'altra, con lo stesso vocabolario, e che cosa cambia fra le loro mappe.

    first_d: le dimensioni della prima, se non sono quelle della seconda
    Restituisce: un dizionario con first e second (vedi state) e
    changed: i posti in cui le parole sono diverse; None, come i quattro che seguono, se le lunghezze lo sono
    difference: n × n, i coefficienti della seconda meno quelli della prima   largest: il più grande in valore
    assoluto   largest_at: [riga, colonna]   factors: per ogni riga di parola non cambiata, il numero per
    cui sono moltiplicati i coefficienti verso le altre parole non cambiate; None per le righe cambiate
    order: il posto che ogni parola della seconda ha nella prima; None se le parole non sono le stesse
    reordered: n × n, la differenza dopo aver rimesso in quell'ordine righe e colonne della prima, o None
    Solleva ValueError come state.
    """
    words = [token.lower() for sentence in (first, second) for token in _tokens(sentence)]
    vocabulary = list(dict.fromkeys([*VOCABULARY, *words]))
    one = state(first, d if first_d is None else first_d, positions, vocabulary)
    two = state(second, d, positions, vocabulary)
    result = dict.fromkeys(
        ("changed", "difference", "largest", "largest_at", "factors", "order", "reordered")
    )
    if len(one["ids"]) == len(two["ids"]):
        result |= _changes(one["ids"], two["ids"], np.array(one["weights"]), np.array(two["weights"]))
    return {"first": one, "second": two, **result}


def _changes(one, two, before, after):
    difference = after - before                                          # (n, n)
    row, column = np.unravel_index(int(np.abs(difference).argmax()), difference.shape)
    changed = [i for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b]
    kept = [i for i in range(len(one)) if i not in changed]
    factors = [None] * len(one)
    for i in kept:
        factors[i] = float(after[i, kept].sum() / before[i, kept].sum())
    order = _order(one, two)
    moved = None if order is None else (after - before[np.ix_(order, order)]).tolist()
    return {
        "changed": changed,
        "difference": difference.tolist(),
        "largest": float(abs(difference[row, column])),
        "largest_at": [int(row), int(column)],
        "factors": factors,
        "order": order,
        "reordered": moved,
    }


def _order(one, two):
    """Il posto nella prima frase di ogni parola della seconda; None se le parole non sono le stesse."""
    if sorted(one) != sorted(two):
        return None
    places = {token: [i for i, other in enumerate(one) if other == token] for token in one}
    return [places[token].pop(0) for token in two]


def _tokens(sentence):
    """Le parole della frase, o un ValueError che spiega perché non si può mostrare."""
    if not isinstance(sentence, str) or not sentence.strip():
        raise ValueError("La frase è vuota: scrivi almeno una parola.")
    if len(sentence) > MOST_CHARACTERS:
        raise ValueError(
            f"La frase ha {number(len(sentence))} caratteri: il simulatore ne legge al più "
            f"{number(MOST_CHARACTERS)}."
        )
    tokens = split_words(sentence)
    if not tokens:
        raise ValueError("La frase non contiene nessuna parola: scrivine almeno una.")
    if len(tokens) > MOST_TOKENS:
        raise ValueError(
            f"La frase ha {len(tokens)} parole e segni: il simulatore ne mostra al più {MOST_TOKENS}."
        )
    return tokens


def _dimensions(d):
    if d not in range(LEAST_D, MOST_D + 1):
        raise ValueError(f"d: mi aspettavo un intero fra {LEAST_D} e {MOST_D}, è arrivato {d!r}.")
    return int(d)


def _groups(ids):
    """I posti che hanno lo stesso ID, quando sono più d'uno."""
    places = {token: [i for i, other in enumerate(ids) if other == token] for token in dict.fromkeys(ids)}
    return [group for group in places.values() if len(group) > 1]


def _waves(n, d):
    """Le onde di ogni dimensione da 0 a n − 1, lette ogni decimo di posto: values è d × quante letture."""
    places = np.arange(0, round((n - 1) / WAVE_STEP) + 1) * WAVE_STEP
    return {"positions": places.tolist(), "values": encoding_at(places, d).T.tolist()}


def _entropy(row):
    """Quanto è sparsa una riga, in bit: 0 se guarda una parola sola, log₂ n se le guarda tutte uguali."""
    return -math.fsum(p * math.log2(p) for p in row if p > 0) + 0.0


def _notes(tokens, equal, positions):
    """Ciò che la vista deve dire a parole."""
    if not equal:
        return []
    named = "; ".join(f"«{tokens[group[0]]}» nei posti {', '.join(map(str, group))}" for group in equal)
    if positions:
        return [f"La stessa parola in posti diversi ha righe diverse, perché si somma la posizione: {named}."]
    return [f"Senza posizioni la stessa parola ha righe uguali, ovunque stia: {named}."]

"""Risposte di es01: giuste, scritte nei modi più diversi, e una consegna riuscita a metà."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

import numpy as np


def tokenise_regex(text):
    return re.findall(r"[^\W_]+['’]?|[^\w\s]|_", text)


def tokenise_indices(text):
    tokens, i = [], 0
    while i < len(text):
        j = i
        while j < len(text) and text[j].isalnum():
            j += 1
        if j > i:
            if j < len(text) and text[j] in ("'", "’"):
                j += 1
            tokens.append(text[i:j])
            i = j
        else:
            if not text[i].isspace():
                tokens.append(text[i])
            i += 1
    return tokens


def tokenise_replacing(text):
    spaced = ""
    for k, c in enumerate(text):
        if c.isalnum():
            spaced += c
        elif c in "'’" and k > 0 and text[k - 1].isalnum():
            spaced += c + " "
        else:
            spaced += f" {c} "
    return spaced.split()


def vocabulary_loop(tokens):
    vocab = {"<ignoto>": 0}
    following = 1
    for token in tokens:
        if token in vocab:
            continue
        vocab[token] = following
        following += 1
    return vocab


def vocabulary_setdefault(tokens):
    vocab = {"<ignoto>": 0}
    for token in tokens:
        vocab.setdefault(token, len(vocab))
    return vocab


def encode_loop(tokens, vocab):
    ids = []
    for token in tokens:
        try:
            ids.append(vocab[token])
        except KeyError:
            ids.append(vocab["<ignoto>"])
    return ids


def pair_counter(words):
    counts = Counter()
    for word in words:
        for a, b in pairwise(word):
            counts[a, b] += 1
    return max(counts, key=lambda pair: counts[pair])


def pair_strictly_greater(words):
    counts = {}
    for word in words:
        for i in range(len(word) - 1):
            pair = word[i], word[i + 1]
            if pair not in counts:
                counts[pair] = 0
            counts[pair] += 1
    best, most = None, 0
    for pair, times in counts.items():
        if times > most:
            best, most = pair, times
    return best


def pair_listed(words):
    pairs = [(word[i], word[i + 1]) for word in words for i in range(len(word) - 1)]
    return max(pairs, key=pairs.count)


def merge_while(symbols, pair):
    merged, i = [], 0
    while i < len(symbols):
        if i + 1 < len(symbols) and symbols[i] == pair[0] and symbols[i + 1] == pair[1]:
            merged.append("".join(pair))
            i += 2
        else:
            merged.append(symbols[i])
            i += 1
    return merged


def merge_flag(symbols, pair):
    merged, skip = [], False
    for i, symbol in enumerate(symbols):
        if skip:
            skip = False
        elif tuple(symbols[i : i + 2]) == tuple(pair):
            merged.append(symbol + symbols[i + 1])
            skip = True
        else:
            merged.append(symbol)
    return merged


def merge_recursive(symbols, pair):
    if len(symbols) < 2:
        return list(symbols)
    if [*pair] == symbols[:2]:
        return [pair[0] + pair[1], *merge_recursive(symbols[2:], pair)]
    return [symbols[0], *merge_recursive(symbols[1:], pair)]


def embedding_loop(token_id, d):
    components = []
    for i in range(d):
        angle = token_id * (i + 1)
        components.append(math.sin(angle * 0.5) * 0.5 + math.cos(angle * 0.3) * 0.3)
    return np.array(components)


def embedding_into_zeros(token_id, d):
    x = np.zeros(d)
    for i in range(d):
        x[i] = 0.5 * np.sin(token_id * (i + 1) / 2) + 0.3 * np.cos(3 * token_id * (i + 1) / 10)
    return x


RIGHT = {
    "tokenise": [tokenise_regex, tokenise_indices, tokenise_replacing],
    "vocabulary": [
        vocabulary_loop,
        vocabulary_setdefault,
        lambda tokens: {token: i for i, token in enumerate(dict.fromkeys(["<ignoto>", *tokens]))},
        lambda tokens: {
            "<ignoto>": 0,
            **{t: 1 + i for i, t in enumerate(sorted(set(tokens), key=tokens.index))},
        },
    ],
    "encode": [
        encode_loop,
        lambda tokens, vocab: [vocab[t] if t in vocab else 0 for t in tokens],
        lambda tokens, vocab: list(map(lambda t: vocab.get(t, 0), tokens)),
    ],
    "most_frequent_pair": [
        pair_counter,
        pair_strictly_greater,
        pair_listed,
        lambda words: Counter(p for w in words for p in pairwise(w)).most_common(1)[0][0],
    ],
    "merge_pair": [merge_while, merge_flag, merge_recursive],
    "embedding": [
        embedding_loop,
        embedding_into_zeros,
        lambda token_id, d: (
            np.sin(np.arange(1, d + 1) * token_id * 0.5) * 0.5
            + np.cos(np.arange(1, d + 1) * token_id * 0.3) * 0.3
        ),
    ],
}

HALF = {
    "tokenise": "def tokenise(text):\n    return text.split()\n",
    "most_frequent_pair": (
        "def most_frequent_pair(words):\n"
        "    counts = {}\n"
        "    for word in words:\n"
        "        for pair in zip(word, word[1:]):\n"
        "            counts[pair] = counts.get(pair, 0) + 1\n"
        "    best = None\n"
        "    for pair in counts:\n"
        "        if best is None or counts[pair] >= counts[best]:\n"
        "            best = pair\n"
        "    return best\n"
    ),
    "merge_pair": (
        "def merge_pair(symbols, pair):\n    raise NotImplementedError('qui manca ancora il tuo codice')\n"
    ),
}
HALF_POINTS = 5
HALF_SLIPS = {"punteggiatura attaccata", "parità: vince l'ultima", None}

"""Le funzioni di es01 sulle coppie della BPE, giuste e storte, come in `functions`."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise


def _without_overlaps(word):
    """Le coppie di una parola, senza contare due volte un pezzo ripetuto: in «aaa» (a, a) sta una volta."""
    found, last = [], None
    for i, pair in enumerate(pairwise(word)):
        if last is not None and last == (i - 1, pair) and pair[0] == pair[1]:
            last = None
            continue
        found.append(pair)
        last = (i, pair)
    return found


COUNTS = {
    "all": lambda word: list(pairwise(word)),
    "without overlaps": _without_overlaps,
    "once a word": lambda word: list(dict.fromkeys(pairwise(word))),
    "first": lambda word: list(pairwise(word))[:1],
    "last missed": lambda word: list(pairwise(word))[:-1],
    "first missed": lambda word: list(pairwise(word))[1:],
    "unordered": lambda word: [tuple(sorted(pair)) for pair in pairwise(word)],
}
WORDS = {
    "all": lambda words: words,
    "distinct": lambda words: [list(word) for word in dict.fromkeys(map(tuple, words))],
    "together": lambda words: [[piece for word in words for piece in word]],
    "letters": lambda words: [list("".join(word)) for word in words],
}
TIES = {  # best: le coppie alla pari, nell'ordine in cui si incontrano; read: tutte, come si leggono
    "first": lambda best, read: best[0],
    "last": lambda best, read: best[-1],
    "soonest": lambda best, read: max(best, key=read[::-1].index),  # chi finisce prima di contare
    "smallest": lambda best, read: min(best),
    "largest": lambda best, read: max(best),
}
GOALS = {"most": max, "least": min}
PAIR_FORMS = {
    "tuple": lambda pair, times: pair,
    "joined": lambda pair, times: "".join(pair),
    "with times": lambda pair, times: (pair, times),
    "times": lambda pair, times: times,
}


def _read(words, count="all", of="all"):
    return [pair for word in WORDS[of](words) for pair in COUNTS[count](word)]


def _tally(words, count="all", of="all"):
    return Counter(_read(words, count, of))


def frequent_family(count="all", of="all", goal="most", tie="first", form="tuple"):
    """La coppia di vicini più frequente.   words: liste di pezzi   Restituisce: una tupla di due pezzi."""

    def most_frequent_pair(words):
        read = _read(words, count, of)
        tally = Counter(read)
        times = GOALS.get(goal, max)(tally.values())
        best = [pair for pair, n in tally.items() if n == times or goal == "none"]
        return PAIR_FORMS[form](TIES[tie](best, read), times)

    return most_frequent_pair


def is_a_most_frequent(args, value):
    """True se value è una delle coppie più frequenti, qualunque sia: come la sceglierebbe il caso."""
    tally = _tally(*args)
    return type(value) is tuple and tally.get(value, 0) == max(tally.values())


def _positions(symbols, pair):
    return [i for i in range(len(symbols) - 1) if tuple(symbols[i : i + 2]) == pair]


def _from_left(symbols, pair):
    chosen = []
    for i in _positions(symbols, pair):
        if not chosen or i > chosen[-1] + 1:
            chosen.append(i)
    return chosen


def _from_right(symbols, pair):
    chosen = []
    for i in reversed(_positions(symbols, pair)):
        if not chosen or i < chosen[-1] - 1:
            chosen.append(i)
    return chosen


SCANS = {
    "left": _from_left,
    "right": _from_right,
    "overlap": _positions,
    "every": _positions,  # un ciclo for, che avanza sempre di uno
    "once": lambda symbols, pair: _positions(symbols, pair)[:1],
    "reversed": lambda symbols, pair: _from_left(symbols, pair[::-1]),
    "one is enough": lambda symbols, pair: _from_left_where(
        symbols, lambda two: two[0] == pair[0] or two[1] == pair[1]
    ),
    "none": lambda symbols, pair: [],
    "either": lambda symbols, pair: _from_left_where(symbols, lambda two: two in (pair, pair[::-1])),
}


def _from_left_where(symbols, good):
    chosen = []
    for i in range(len(symbols) - 1):
        if good(tuple(symbols[i : i + 2])) and (not chosen or i > chosen[-1] + 1):
            chosen.append(i)
    return chosen


JOINS = {
    "text": lambda a, b: [a + b],
    "space": lambda a, b: [f"{a} {b}"],
    "tuple": lambda a, b: [(a, b)],
    "list": lambda a, b: [[a, b]],
    "second kept": lambda a, b: [a + b, b],
    "only first": lambda a, b: [a],
}
PIECES = {"kept": lambda symbols: list(symbols), "letters": lambda symbols: list("".join(symbols))}
MERGE_FINISHES = {
    "none": lambda merged, last_joined: merged,
    "last lost": lambda merged, last_joined: merged if last_joined else merged[:-1],
    "joined": lambda merged, last_joined: "".join(map(str, merged)),
    "spread": lambda merged, last_joined: [letter for piece in merged for letter in piece],
    "merged only": lambda merged, last_joined: merged,
}


def merge_family(scan="left", join="text", pieces="kept", finish="none"):
    """La parola con la coppia unita.   symbols: pezzi   pair: due pezzi   Restituisce: lista di pezzi."""

    def merge_pair(symbols, pair):
        symbols = PIECES[pieces](symbols)
        chosen = SCANS[scan](symbols, pair)
        covered = set() if scan == "every" else {i + 1 for i in chosen}
        merged = []
        for i, symbol in enumerate(symbols):
            if i in chosen:
                merged += JOINS[join](symbol, symbols[i + 1])
            elif i not in covered and finish != "merged only":
                merged.append(symbol)
        return MERGE_FINISHES[finish](merged, len(symbols) - 1 in covered)

    return merge_pair

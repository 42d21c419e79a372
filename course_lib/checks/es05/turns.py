"""Le matrici di es05, giuste e storte: la rotazione che sposta di k posti."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import FINISHES
from course_lib.checks.es05.functions import ANGLES, encoding_family, frequency_family

# dove vanno coseno e seno, nel blocco di una coppia
BLOCKS = {
    "forward": lambda c, s: [[c, s], [-s, c]],
    "backward": lambda c, s: [[c, -s], [s, c]],
    "same signs": lambda c, s: [[c, s], [s, c]],
    "swapped": lambda c, s: [[s, c], [c, -s]],
    "swapped, other": lambda c, s: [[s, c], [-c, s]],
    "cosines only": lambda c, s: [[c, 0], [0, c]],
    "sines only": lambda c, s: [[0, s], [-s, 0]],
    "upper only": lambda c, s: [[c, s], [0, c]],
}
TURNS = {
    "each": lambda i, d: 2 * i / d,
    "i": lambda i, d: i / d,
    "same": lambda i, d: 0.0 * i,
    "from one": lambda i, d: 2 * (i + 1) / d,
}
STEPS = {
    "k": lambda k: k,
    "one": lambda k: 1,
    "one more": lambda k: k + 1,
    "absolute": abs,
    "never back": lambda k: max(k, 0),
}
# quali coppie hanno il loro blocco
FILLED = {"all": range, "first": lambda pairs: range(1), "last": lambda pairs: range(pairs - 1, pairs)}
PAIRED = {
    "near": lambda i, d: (2 * i, 2 * i + 1),
    "far": lambda i, d: (i, i + d // 2),
}
EMPTY = {"zeros": np.zeros, "ones": np.ones}


def rotation_family(
    block="forward", turn="each", step="k", paired="near", angle="radians", empty="zeros", filled="all",
    finish="none",
):  # fmt: skip
    """La matrice che sposta ogni codifica di k posti.   k: intero   d: pari   Restituisce: (d, d)."""

    def rotation(k, d):
        R = EMPTY[empty]((d, d))
        for i in FILLED[filled](d // 2):
            turns = ANGLES[angle](STEPS[step](k) * 10000.0 ** -TURNS[turn](i, d))
            R[np.ix_(*[PAIRED[paired](i, d)] * 2)] = BLOCKS[block](np.cos(turns), np.sin(turns))
        return FINISHES[finish](R, (k, d))

    return rotation


def separate_blocks(k, d):
    """I blocchi uno sopra l'altro, (d/2, 2, 2), senza la matrice che li contiene."""
    turns = k * frequency_family()(d)
    return np.stack([BLOCKS["forward"](np.cos(t), np.sin(t)) for t in turns])


def read_ahead(k, d):
    """Seni e coseni di k ω letti nella riga k della codifica: una riga che con k negativo non c'è."""
    row = encoding_family()(k + 1, d)[k]
    R = np.zeros((d, d))
    for i in range(d // 2):
        s, c = row[2 * i], row[2 * i + 1]
        R[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = BLOCKS["forward"](c, s)
    return R

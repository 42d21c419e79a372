"""La parola «regola» nel simulatore, a qualunque posto, con accanto ciò che il documento stampa."""

from __future__ import annotations

import numpy as np

from course_lib.transformer.embeddings import simulator_embedding
from course_lib.transformer.examples import regola
from course_lib.transformer.positions import sinusoidal_encoding
from course_lib.transformer.simulator import POSITION_SCALE

DIGITS = 6                       # cifre dei valori che passano al browser
ALWAYS = ("0,5·sin", "0,3·cos", "embedding")      # le righe che non dipendono dal posto


def regola_table(n_positions):
    """Le righe del conto di «regola» a ogni posto, e gli errori di stampa del documento.

    Restituisce: un dizionario; token, token_id, d; places, una per posto, ha names e values (6, 4): i due
    addendi dell'embedding, l'embedding, PE, 0,3 × PE, la somma; printed (6, 4), None dove il documento non
    dà il valore; wrong (6, 4), dove quello stampato non è giusto a tre cifre; notes, che cosa non va;
    finding, in una riga.
    Fonte: documento S2, con d = 4 e base 10 000.
    """
    example = regola()
    parts = _parts(example.token_id, example.d)                          # (2, 4)
    embedding = simulator_embedding(example.token_id, example.d)         # (4,)
    encoding = sinusoidal_encoding(n_positions, example.d)               # (n, 4)
    return {
        "token": example.token,
        "token_id": example.token_id,
        "d": example.d,
        "places": [_place(example, p, [*parts, embedding], encoding[p]) for p in range(n_positions)],
        "question": {
            "at": 2,
            "before": "PE(2): un conto da rifare",
            "text": "La prima componente di PE(2) è sin 2, con l'angolo in radianti. Che segno avrà?",
            "options": ["positivo", "negativo", "è zero"],
            "right": 0,
        },
    }


def _parts(token_id, d):
    """(2, d): i due addendi di simulator_embedding, 0,5 sin(…) e 0,3 cos(…)."""
    angles = token_id * np.arange(1, d + 1)
    return np.array([0.5 * np.sin(0.5 * angles), 0.3 * np.cos(0.3 * angles)])


def _place(example, position, start, encoding):
    scaled = POSITION_SCALE * encoding
    values = [*start, encoding, scaled, start[-1] + scaled]
    names = [*ALWAYS, f"PE({position})", f"0,3·PE({position})", f"finale, posizione {position}"]
    rows = [example.rows.get(name) for name in names]
    wrong = [{i for i, _, _ in row.errata()} if row else set() for row in rows]
    nothing = [None] * example.d
    return {
        "names": [*names[:-1], "somma finale"],
        "values": [[round(float(value), DIGITS) for value in row] for row in values],
        "printed": [list(row.printed) if row else nothing for row in rows],
        "wrong": [[i in places for i in range(example.d)] for places in wrong],
        "finding": _finding(position, wrong, rows[-1]),
        "notes": [f"{name}: {row.note}" for name, row in zip(names, rows, strict=True) if row and row.note],
    }


def _finding(position, wrong, final):
    if final is None:
        return "Lo stesso embedding, un'altra posizione: il documento dà i numeri dei posti 2 e 4"
    count = sum(len(places) for places in wrong)
    said = f"il documento stampa {count} numeri non giusti a tre cifre: a sinistra i giusti"
    return f"Al posto {position} {said}"

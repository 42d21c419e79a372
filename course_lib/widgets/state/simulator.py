"""Lo stato del Simulatore: una frase, o due a fianco, attraverso le quattro fasi.

I numeri li fa `transformer/simulator.py`; qui si aggiungono il confronto posto per posto e le frasi, e si
impacchettano gli esempi: di ognuno tutti gli stati, per ogni d e con e senza posizioni, così che il
browser li mostri anche senza kernel.
"""

from __future__ import annotations

import math

import numpy as np

from course_lib.transformer import simulator
from course_lib.transformer.embeddings import simulator_embedding
from course_lib.transformer.positions import encoding_at
from course_lib.transformer.simulator import LEAST_D, MOST_D, MOST_TOKENS
from course_lib.widgets.state import simulator_words as words
from course_lib.widgets.state.plain import plain, writable

WAVE_STEP = 0.25                 # ogni quanti posti si legge un'onda, per disegnarla
PLACES_PER_READING = round(1 / WAVE_STEP)
SHARED = ("sentences", "vocabulary", "rule", "match", "changed")     # non dipendono da d né dai posti
SHARED_SIDE = ("sentence", "tokens", "ids", "fresh", "embedding", "sines", "cosines")
CHOICES = [(d, positions) for d in range(LEAST_D, MOST_D + 1) for positions in (True, False)]


def state(sentence, second=None, d=4, positions=True, *, first_d=None, seen=None, question=None):
    """Tutto ciò che il Simulatore mostra.

    sentence: la frase   second: quella a fianco, o None   d: da 2 a 8   positions: si somma 0,3 × PE?
    first_d: le dimensioni della prima, se non sono quelle della seconda
    seen, question: le parole proprie di un esempio, due funzioni; vedi simulator_scenes
    Restituisce: un dizionario; sides ha una voce per frase: embedding, sines e cosines sono n × 8 (se ne
    mostrano le prime d), added e final n × d, scores e weights n × n, sums le loro Σ; match è il posto,
    nella seconda, di ogni token della prima; gap, n × n, i coefficienti della seconda meno quelli della
    prima, None se le lunghezze sono diverse; findings una frase per fase; seen ciò che si vede davvero;
    question la previsione.
    Solleva ValueError, con una frase da mostrare a chi scrive, se le frasi o d non vanno bene.
    Fonte: documento S2.
    """
    sentence, second = (writable(text) if isinstance(text, str) else text for text in (sentence, second))
    if second is None:
        full, compared = [simulator.state(sentence, d, positions)], {}
    else:
        compared = simulator.compare(sentence, second, d, positions, first_d)
        full = [compared["first"], compared["second"]]
    sides = [_side(side) for side in full]
    match = _match(compared)
    found = {
        "sentences": [side["sentence"] for side in sides],
        "kind": _kind(sides, compared),
        "d": sides[-1]["d"],
        "first_d": first_d,
        "positions": bool(positions),
        "vocabulary": full[-1]["vocabulary"],
        "rule": simulator.RULE,
        "sides": sides,
        "match": match,
        "changed": _changed(compared, match),
        "gap": _gap(compared, match),
        "scale": max(abs(v) for side in sides for row in _vectors(side) for v in row),
        "largest": max(v for side in sides for row in side["weights"] for v in row),
    }
    found["findings"] = words.findings(found, full)
    found["seen"] = seen(found, full) if seen else words.nothing_to_read(found)
    found["question"] = (question or words.question)(found)
    return found


def waves():
    """Le onde di ogni d, uguali per tutte le frasi: {"2": d × letture, …}, ogni quarto di posto fino al 23.

    Il codice del posto p è la lettura 4 p. Fonte: Vaswani et al. 2017, §3.5.
    """
    places = np.arange(0, (MOST_TOKENS - 1) * PLACES_PER_READING + 1) * WAVE_STEP
    return {str(d): _short(encoding_at(places, d).T.tolist()) for d in range(LEAST_D, MOST_D + 1)}


def packed(scene):
    """Un esempio con tutti i suoi stati: in `same` ciò che hanno in comune, in `states` il resto.

    Le frasi e le domande, che si ripetono, stanno in `pool` una volta sola. Senza posizioni il vettore finale
    è l'embedding, e non si riscrive.
    Restituisce: {"name", "note", "group", "d", "positions", "same", "pool", "states"}; vedi unpacked.
    """
    states = {key_of(d, positions): scene.state(d, positions) for d, positions in CHOICES}
    first = next(iter(states.values()))
    same = {name: first[name] for name in SHARED}
    same["sides"] = [{name: _short(side[name]) for name in SHARED_SIDE} for side in first["sides"]]
    pool: list = []
    return {
        "name": scene.name, "note": scene.note, "group": scene.group, "d": scene.d,
        "positions": scene.positions, "same": same, "pool": pool,
        "states": {key: _own(found, pool) for key, found in states.items()},
    }  # fmt: skip


def _own(found, pool):
    """Ciò che uno stato ha di suo."""
    own = {name: _short(found[name]) for name in found if name not in (*SHARED, "sides")}
    own["findings"] = [_pooled(text, pool) for text in found["findings"]]
    own["seen"], own["question"] = _pooled(found["seen"], pool), _pooled(found["question"], pool)
    left_out = SHARED_SIDE if found["positions"] else (*SHARED_SIDE, "added", "final")
    own["sides"] = [
        {name: _short(side[name]) for name in side if name not in left_out} for side in found["sides"]
    ]
    return own


def _pooled(value, pool):
    """Il posto di value nella raccolta, dove lo si mette se non c'è."""
    if value not in pool:
        pool.append(value)
    return pool.index(value)


def unpacked(preset, d, positions):
    """Lo stato di un esempio impacchettato, come lo rifà il browser."""
    own, pool = preset["states"][key_of(d, positions)], preset["pool"]
    sides = [{**a, **b} for a, b in zip(preset["same"]["sides"], own["sides"], strict=True)]
    if not positions:
        for side in sides:
            side["final"] = [row[: side["d"]] for row in side["embedding"]]
            side["added"] = [[0.0] * side["d"] for _ in side["final"]]
    said = {"findings": [pool[k] for k in own["findings"]], "seen": pool[own["seen"]],
            "question": pool[own["question"]]}  # fmt: skip
    return {**preset["same"], **own, **said, "sides": sides}


def key_of(d, positions):
    """Il nome di uno stato fra quelli di un esempio: «4+» con le posizioni, «4-» senza."""
    return f"{d}{'+' if positions else '-'}"


def _side(found):
    """Ciò che si mostra di una frase: non le onde, uguali per tutte; in più i due pezzi dell'embedding."""
    factor = np.arange(1, MOST_D + 1)                                    # i + 1 = 1, 2, …, 8
    angle = np.multiply.outer(np.array(found["ids"], dtype=float), factor)       # (n, 8)
    new = set(found["new_words"])
    return {
        "sentence": found["sentence"], "d": found["d"], "tokens": found["tokens"], "ids": found["ids"],
        "fresh": [word in new for word in found["words"]],
        "embedding": plain(simulator_embedding(found["ids"], MOST_D)),
        "sines": plain(0.5 * np.sin(angle * 0.5)), "cosines": plain(0.3 * np.cos(angle * 0.3)),
        "added": found["added"], "final": found["final"],
        "scores": found["scores"], "weights": found["weights"],
        "sums": [math.fsum(row) for row in found["weights"]],
    }  # fmt: skip


def _vectors(side):
    return [*(row[: side["d"]] for row in side["embedding"]), *side["added"], *side["final"]]


def _kind(sides, compared):
    """single, dims (una frase con due d), same, order, changed, apart (lunghezze diverse)."""
    if len(sides) == 1:
        return "single"
    one, two = sides
    if one["ids"] == two["ids"]:
        return "same" if one["d"] == two["d"] else "dims"
    if compared["changed"] is None:
        return "apart"
    return "changed" if compared["order"] is None else "order"


def _match(compared):
    """Il posto, nella seconda frase, di ogni token della prima; None se le lunghezze sono diverse."""
    if not compared or compared["changed"] is None:
        return None
    n = len(compared["first"]["ids"])
    order = compared["order"]
    return list(range(n)) if order is None else [order.index(i) for i in range(n)]


def _changed(compared, match):
    """Per ogni frase, i posti dei token che nell'altra non ci sono o stanno altrove."""
    if match is None:
        return [[] for _ in range(2 if compared else 1)]
    moved = [i for i, j in enumerate(match) if i != j]
    first = moved if compared["order"] is not None else compared["changed"]
    return [first, [match[i] for i in first]]


def _gap(compared, match):
    if match is None:
        return None
    before, after = (np.array(compared[side]["weights"]) for side in ("first", "second"))
    return plain(after[np.ix_(match, match)] - before)                   # (n, n)


def _short(values):
    """Gli stessi numeri con meno cifre: quante bastano perché, scritti con tre, siano gli stessi."""
    if isinstance(values, dict):
        return {name: _short(value) for name, value in values.items()}
    if isinstance(values, (list, tuple)):
        return [_short(value) for value in values]
    if not isinstance(values, float):
        return values
    written = f"{values:.3f}"
    for digits in (4, 6, 9):
        fewer = round(values, digits)
        if f"{fewer:.3f}" == written:
            return fewer
    return values

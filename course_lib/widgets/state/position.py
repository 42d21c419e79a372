"""Lo stato della Posizione: la codifica, le sue onde e lancette, le distanze, lo scambio, «regola»."""

from __future__ import annotations

import math

import numpy as np

from course_lib.notation import number, read_number
from course_lib.transformer.positions import encoding_at, sinusoidal_encoding
from course_lib.widgets.state.plain import check_whole, hidden, plain
from course_lib.widgets.state.position_swap import SENTENCE, swaps

MOST_POSITIONS = 24
LEAST_D, MOST_D = 2, 16
LEAST_BASE, MOST_BASE = 1.0, 1e6
WAVE_STEP = 0.25                 # ogni quanti posti si legge un'onda, per disegnarla
WAVE_DIGITS = 3                  # cifre che bastano per un disegno
DIGITS = 6                       # e per un numero che si legge


def state(d=8, base=10000.0, sentence=SENTENCE, name=""):
    """Tutto ciò che si mostra della codifica posizionale dei posti da 0 a 23.

    d: dimensioni, da 2 a 16   base: da 1 a 1 000 000   sentence: da 2 a 6 parole, per lo scambio
    Restituisce: un dizionario; encoding (24, d); pairs, una per coppia di dimensioni; angles e turns
    (24, ⌈d/2⌉), radianti e giri della lancetta; dots (24, 24), i prodotti scalari; least, most (24,), il più
    piccolo e il più grande a ogni distanza; waves, swap, questions.
    Solleva ValueError, con una frase da mostrare, se un argomento non va.
    Fonte: Vaswani et al. 2017, §3.5; lo scambio dal documento S2.
    """
    d, base = check_dimensions(d), check_base(base)
    encoding = sinusoidal_encoding(MOST_POSITIONS, d, base)              # (24, d)
    frequencies = base ** (-2.0 * np.arange((d + 1) // 2) / d)           # (⌈d/2⌉,), radianti per posto
    angles = np.arange(MOST_POSITIONS)[:, None] * frequencies            # (24, ⌈d/2⌉)
    dots = encoding @ encoding.T                                         # (24, 24)
    by_distance = [np.diagonal(dots, k) for k in range(MOST_POSITIONS)]  # a distanza k: 24 − k coppie
    found = {
        "name": name, "d": d, "base": base, "even": d % 2 == 0, "positions": MOST_POSITIONS,
        "encoding": plain(encoding.round(DIGITS)), "angles": plain(angles.round(DIGITS)),
        "turns": plain((angles / (2 * math.pi)).round(DIGITS)),
        "pairs": [_pair(i, float(frequency), d) for i, frequency in enumerate(frequencies)],
        "waves": _waves(d, base), "dots": plain(dots.round(DIGITS)),
        "largest_dot": round(float(np.abs(dots).max()), DIGITS),
        "least": [float(values.min()) for values in by_distance],
        "most": [float(values.max()) for values in by_distance],
        "swap": swaps(sentence, d, base),
    }  # fmt: skip
    return found | {"findings": _findings(found), "questions": _questions(found)}


def presets(sentence=SENTENCE):
    """Gli stati già calcolati fra cui ci si muove anche senza kernel."""
    choices = [(8, 1e4), (2, 1e4), (4, 1e4), (16, 1e4), (8, 10.0), (8, 100.0), (5, 10.0)]
    names = [f"d = {d}, base {number(base, 0)}" for d, base in choices]
    return [
        {"name": name, "note": "", "state": state(d, base, sentence, name)}
        for name, (d, base) in zip(names, choices, strict=True)
    ]


def check_dimensions(d):
    """d come intero da 2 a 16. Solleva ValueError se non lo è."""
    return check_whole("d", d, LEAST_D, MOST_D)


def check_base(base):
    """La base come float da 1 a 1 000 000, anche scritta con la virgola. Solleva ValueError se non lo è."""
    try:
        value = read_number(base) if isinstance(base, str) else math.nan if hidden(base) else float(base)
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not LEAST_BASE <= value <= MOST_BASE:
        limits = f"da {number(LEAST_BASE, 0)} a {number(MOST_BASE, 0)}"
        raise ValueError(f"base: mi aspettavo un numero {limits}, è arrivato {base!r:.40}.")
    return value


def _pair(i, frequency, d):
    """Che cosa sono le due dimensioni di una coppia, e quanto gira la sua lancetta."""
    lone = 2 * i + 1 >= d
    period = 2 * math.pi / frequency
    turn = number(period, 1 if period < 20 else 0)
    return {
        "dims": [2 * i] if lone else [2 * i, 2 * i + 1],
        "frequency": frequency,
        "period": period,
        "says": f"{number(frequency, _digits(frequency))} rad per posto, un giro ogni {turn} posti",
    }


def _digits(value):
    """Cifre decimali che lasciano vedere due cifre diverse da zero, almeno tre."""
    return max(3, 1 - math.floor(math.log10(value)))


def _waves(d, base):
    """Le onde dal posto 0 al 23, lette ogni WAVE_STEP: values è d × quante letture."""
    places = np.arange(0, round((MOST_POSITIONS - 1) / WAVE_STEP) + 1) * WAVE_STEP
    values = encoding_at(places, d, base).T
    return {"positions": plain(places.round(2)), "values": plain(values.round(WAVE_DIGITS))}


def _findings(found):
    """Che cosa si vede in ognuna delle quattro viste; quelle dello scambio stanno con lo scambio."""
    first, last = found["pairs"][0], found["pairs"][-1]
    if len(found["pairs"]) == 1:
        waves = f"Una coppia sola: un giro ogni {number(first['period'], 1)} posti, poi la lancetta si ripete"
    elif first["frequency"] == last["frequency"]:
        waves = "Con base 1 tutte le lancette girano insieme: ogni coppia ripete la prima"
    else:
        ratio = first["frequency"] / last["frequency"]
        waves = f"La prima lancetta gira {number(ratio, 0)} volte più in fretta dell'ultima"
    spread = max(most - least for most, least in zip(found["most"], found["least"], strict=True))
    if found["even"]:
        distance = "Il prodotto scalare fra due posti dipende soltanto dalla loro distanza"
    else:
        most = number(spread, None if spread < 5e-4 else 3)
        distance = f"d è dispari: a pari distanza il prodotto cambia col posto, anche di {most}"
    return {"waves": waves, "distance": distance}


def _questions(found):
    """Le previsioni, una per vista: text, options e right, il posto della giusta; None se non serve."""
    pairs = found["pairs"]
    same = pairs[0]["frequency"] == pairs[-1]["frequency"]
    last = f"quella della coppia {len(pairs) - 1}, l'ultima"
    return {
        "waves": None if len(pairs) == 1 else {
            "before": "Ogni posto è una riga di seni e coseni; ogni coppia di dimensioni, una lancetta",
            "text": "Da un posto al successivo, quale lancetta girerà di più?",
            "options": ["quella della coppia 0", last, "tutte uguale"],
            "right": 2 if same else 0,
        },
        "distance": {
            "before": "Quanto si somigliano le codifiche di due posti",
            "text": "Da che cosa dipenderà il prodotto scalare fra le codifiche di due posti?",
            "options": ["soltanto dalla distanza", "anche da dove stanno", "da nulla: è sempre uguale"],
            "right": 0 if found["even"] else 1,
        },
    }  # fmt: skip

"""es01 · L'embedding del simulatore: la formula, gli ingressi di prova, gli errori tipici."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import EARLY_RETURN, ROUNDED_AT_THE_END, TRUNCATED, rounding, to_integers
from course_lib.checks.exercise import Check, Slip

COUNTED = {"from one": lambda i: i + 1, "from zero": lambda i: i, "from two": lambda i: i + 2,
           "none": lambda i: i * 0 + 1}  # fmt: skip
ANGLES = {"radians": lambda angle: angle, "as degrees": np.radians, "in degrees": np.degrees}
MIXES = {
    "sum": lambda sine, cosine: sine + cosine,
    "product": lambda sine, cosine: sine * cosine,
    "difference": lambda sine, cosine: sine - cosine,
    "sine": lambda sine, cosine: sine,
    "cosine": lambda sine, cosine: cosine,
    "turns": lambda sine, cosine: np.where(np.arange(len(sine)) % 2 == 0, sine, cosine),
}
FACTORS = {"both": (0.5, 0.3), "none": (1.0, 1.0), "swapped": (0.3, 0.5), "halves": (0.5, 0.5)}
RATES = {"both": (0.5, 0.3), "none": (1.0, 1.0), "swapped": (0.3, 0.5), "halves": (0.5, 0.5)}
FINISHES = {
    "none": lambda result: result,
    "first": lambda result: result[0],
    "first and zeros": lambda result: np.where(np.arange(len(result)) == 0, result, 0.0),
    "integers": to_integers,
    **{f"round {n}": rounding(n) for n in (1, 2, 3, 4)},
}


def family(
    counted="from one", angle="radians", mix="sum", factors="both", rates="both", waves="right", size="d",
    shift="none", brackets="right", finish="none",
):  # fmt: skip
    """L'embedding del simulatore.   token_id: intero   d: intero   Restituisce: (d,)."""

    def embedding(token_id, d):
        i = np.arange({"d": d, "d + 1": d + 1, "d - 1": d - 1, "4": 4}[size])
        one = int(brackets == "missing")  # ID · i + 1 al posto di ID · (i + 1)
        n = (token_id + (shift == "id")) * (COUNTED[counted](i) - one)
        sine, cosine = (np.sin, np.cos) if waves == "right" else (np.cos, np.sin)
        a, b = FACTORS[factors]
        r, s = RATES[rates]
        turn = ANGLES[angle]
        return FINISHES[finish](MIXES[mix](a * sine(turn(n * r + one)), b * cosine(turn(n * s + one))))

    return embedding


EMBEDDING = Check(
    name="embedding",
    reference=family(),
    family=family,
    first_case={"token_id": 1, "d": 2},  # a mano: (0,526; 0,668)
    cases=lambda rng: [(4, 4), (0, 3), (7, 5), (32, 8), (3, 1)],
    slips=(
        Slip(
            "i al posto di i + 1",
            "La tua prima componente vale 0,3 per ogni ID: da quanto parte il numero che moltiplica l'ID?",
            {"counted": "from zero"},
        ),
        Slip(
            "i + 2 al posto di i + 1",
            "La tua prima componente è quella che dovrebbe stare al secondo posto: da quanto conti?",
            {"counted": "from two"},
        ),
        Slip(
            "parentesi di i + 1 dimenticate",
            "Nella formula l'ID moltiplica i + 1 tutto intero: nella tua riga che cosa moltiplica, e che "
            "cosa si aggiunge dopo?",
            {"brackets": "missing"},
        ),
        Slip(
            "componenti tutte uguali",
            "Le tue componenti non dipendono da i: dove entra il posto della componente nella formula?",
            {"counted": "none"},
        ),
        Slip(
            "gradi al posto dei radianti",
            "Gli angoli della formula sono già nella misura che seno e coseno di NumPy si aspettano: li hai "
            "convertiti?",
            {"angle": "as degrees"},
            {"angle": "in degrees"},
        ),
        Slip(
            "seno e coseno scambiati",
            "Quale delle due funzioni è moltiplicata per 0,5 nella scheda, e quale per 0,3?",
            {"waves": "swapped"},
        ),
        Slip(
            "0,5 e 0,3 scambiati",
            "Il seno e il coseno hanno ciascuno due numeri, uno dentro e uno fuori: quali?",
            {"factors": "swapped"},
            {"rates": "swapped"},
        ),
        Slip(
            "0,5 anche al posto di 0,3",
            "Il coseno ha gli stessi numeri del seno, nella formula, o altri?",
            {"factors": "halves"},
            {"rates": "halves"},
        ),
        Slip(
            "fattori fuori dalla parentesi mancanti",
            "Le tue componenti sono troppo grandi: per che cosa vanno moltiplicati il seno e il coseno?",
            {"factors": "none"},
        ),
        Slip(
            "fattori dentro la parentesi mancanti",
            "Per che cosa va moltiplicato l'angolo, prima di farne il seno e il coseno?",
            {"rates": "none"},
        ),
        Slip(
            "prodotto al posto della somma",
            "Che cosa sta nella formula fra il termine con il seno e quello con il coseno?",
            {"mix": "product"},
        ),
        Slip(
            "meno al posto di più",
            "I numeri sono quelli, il segno fra i due termini no: che cosa dice la formula?",
            {"mix": "difference"},
        ),
        Slip(
            "un termine solo",
            "La formula ha due termini per ogni componente: nella tua uno dei due manca, o vale sempre 0?",
            {"mix": "sine"},
            {"mix": "cosine"},
            {"mix": "turns"},
        ),
        Slip(
            "ID spostato di uno",
            "Con ID 0 il seno vale 0 in ogni componente: nella tua funzione anche?",
            {"shift": "id"},
        ),
        Slip(
            "quante componenti",
            "Quante componenti chiede d, e quante ne hai fatte?",
            {"size": "d + 1"},
            {"size": "d - 1"},
            {"size": "4"},
        ),
        Slip(*EARLY_RETURN, family(finish="first"), family(finish="first and zeros")),
        ROUNDED_AT_THE_END,
        Slip("cifre decimali perdute", TRUNCATED, family(finish="integers")),
    ),
)

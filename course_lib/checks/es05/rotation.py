"""es05 · La rotazione che sposta di k posti: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import ROUNDED_AT_THE_END, truncated
from course_lib.checks.compare import compare
from course_lib.checks.es05 import encoding as words
from course_lib.checks.es05 import turns as f
from course_lib.checks.es05.functions import wave
from course_lib.checks.exercise import Check, Property, Slip


def _moves_every_place(seen) -> bool:
    k, d = seen.args
    R = seen.value
    if type(R) is not np.ndarray or R.shape != (d, d) or R.dtype.kind not in "iuf":
        return True
    places = np.array([0, 3, 10])
    return compare(wave(places + k, d), wave(places, d) @ R.T, kinds="f") is None


MOVES_EVERY_PLACE = Property(
    "la matrice non porta k posti più avanti",
    "Moltiplica la tua matrice per la codifica del posto 3: ottieni quella del posto 3 + k?",
    _moves_every_place,
)

ROTATION = Check(
    name="rotation",
    reference=f.rotation_family(),
    family=f.rotation_family,
    first_case={"k": 1, "d": 2},
    cases=lambda rng: [(1, 4), (3, 4), (-2, 6), (0, 4), (5, 2), (7, 8)],
    properties=(MOVES_EVERY_PLACE,),
    slips=(
        Slip(
            "gira all'indietro",
            "Moltiplica la tua matrice per la codifica del posto 0: arrivi al posto k o al posto −k? Nella "
            "coppia viene prima il seno o il coseno?",
            {"block": "backward"},
        ),
        Slip(
            "segni uguali",
            "Nella formula del coseno di una somma c'è un segno meno: nel tuo blocco dov'è?",
            {"block": "same signs"},
        ),
        Slip(
            "seno e coseno scambiati",
            "Con k = 0 nulla deve muoversi: la tua matrice con k = 0 lascia ogni vettore com'è?",
            {"block": "swapped"},
            {"block": "swapped, other"},
        ),
        Slip(
            "blocco incompleto",
            "Il nuovo seno dipende dal seno e dal coseno di prima, e così il nuovo coseno: quanti numeri "
            "diversi da zero ha un tuo blocco?",
            {"block": "cosines only"},
            {"block": "sines only"},
            {"block": "upper only"},
        ),
        Slip(
            "lo stesso angolo per tutte le coppie",
            "Le lancette girano tutte insieme o ciascuna con la sua frequenza? Confronta i tuoi blocchi.",
            {"turn": "same"},
        ),
        Slip(*words.HALF_EXPONENT, {"turn": "i"}),
        Slip(*words.PAIRS_FROM_ONE, {"turn": "from one"}),
        Slip(
            "k negativo non previsto",
            "Con k = −2 la lancetta torna indietro di due posti: la tua da che parte gira?",
            {"step": "absolute"},
            {"step": "never back"},
            f.read_ahead,
            stops=True,
        ),
        Slip(
            "una coppia sola",
            "Quante coppie ci sono, e quanti blocchi ha la tua matrice? Il return sta dentro il ciclo, o "
            "dopo?",
            {"filled": "first"},
            {"filled": "last"},
        ),
        Slip(
            "k non usato",
            "Chiedi la matrice per due valori diversi di k: le tue sono diverse?",
            {"step": "one"},
        ),
        Slip(
            "un posto di troppo",
            "Con k = 0 la matrice deve lasciare tutto fermo: la tua lo fa?",
            {"step": "one more"},
        ),
        Slip(
            "coppie lontane",
            "Seno e coseno della stessa coppia stanno in dimensioni vicine: quali dimensioni mescola il tuo "
            "primo blocco?",
            {"paired": "far"},
        ),
        Slip(*words.DEGREES, {"angle": "as degrees"}, {"angle": "in degrees"}),
        Slip(
            "numeri fuori dai blocchi",
            "Una coppia non deve mescolarsi con le altre: che cosa c'è nella tua matrice fuori dai blocchi?",
            {"empty": "ones"},
        ),
        Slip(
            "blocchi separati",
            "La scheda chiede una sola matrice quadrata: i tuoi blocchi dove stanno al suo interno?",
            f.separate_blocks,
        ),
        ROUNDED_AT_THE_END,
        truncated(f.rotation_family()),
    ),
)

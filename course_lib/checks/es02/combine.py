"""es02 · La combinazione dei value: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import LAST_TERM, TRUNCATED, rounded
from course_lib.checks.es02 import functions as f
from course_lib.checks.exercise import Check, Slip
from course_lib.checks.inputs import halves


def _cases(rng):
    return [
        (np.array([0.3, 0.7]), halves(rng, 2, 3) / 3),
        (np.array([0.2, 0.5, 0.3]), halves(rng, 3, 3)),
        (np.array([0.1, 0.2, 0.4, 0.3]), halves(rng, 4, 2)),
        (np.array([0.25, 0.75]), np.array([[3, 0, 2], [1, 2, -1]])),
    ]


COMBINE = Check(
    name="combine",
    reference=f.combine,
    first_case={
        "weights": np.array([0.5, 0.25, 0.25]),
        "V": np.array([[2.0, 0.0], [0.0, 8.0], [4.0, 4.0]]),
    },
    cases=_cases,
    slips=(
        Slip(
            "media semplice",
            "Se cambi i coefficienti il tuo risultato resta uguale: in quale riga dovrebbero entrare?",
            lambda weights, V: V.mean(axis=0),
        ),
        Slip(
            "somma semplice",
            "Hai sommato i value così come sono: quanto dovrebbe contare ciascuno?",
            lambda weights, V: V.sum(axis=0),
        ),
        Slip(
            "prodotti non sommati",
            "Ogni value è stato moltiplicato per il suo coefficiente: come si passa da tanti value a uno "
            "solo?",
            lambda weights, V: weights[:, None] * V,
        ),
        Slip(
            "somma lungo l'asse sbagliato",
            "Il risultato deve avere tante componenti quante ne ha un value: hai sommato i value fra loro "
            "o le componenti di ciascuno?",
            lambda weights, V: (weights[:, None] * V).sum(axis=1),
            lambda weights, V: (weights[:, None] * V).sum(),
        ),
        Slip(
            "righe e colonne di V scambiate",
            "Ogni value è una riga di V: i tuoi coefficienti moltiplicano righe o colonne?",
            lambda weights, V: V @ weights,
        ),
        Slip(
            "solo il value più guardato",
            "Il tuo risultato usa un value solo: e gli altri, con un coefficiente più piccolo ma non nullo?",
            lambda weights, V: V[weights.argmax()],
            lambda weights, V: weights.max() * V[weights.argmax()],
        ),
        Slip(
            "diviso anche per quanti sono",
            "I coefficienti hanno già somma 1: perché dividi ancora per il loro numero?",
            lambda weights, V: (weights[:, None] * V).mean(axis=0),
        ),
        Slip(
            "coefficienti normalizzati di nuovo",
            "I coefficienti arrivano qui già pronti: perché passano ancora per la softmax?",
            lambda weights, V: f.combine(f.softmax_row(weights), V),
        ),
        Slip(*LAST_TERM, lambda weights, V: weights[-1] * V[-1]),
        Slip(*f.FIRST_ONLY, lambda weights, V: weights[0] * V[0], f.only_first(f.combine)),
        Slip(*f.EXTRA_AXIS, lambda weights, V: weights[None] @ V),
        rounded(f.combine),
        Slip(
            "cifre decimali perdute",
            TRUNCATED,
            lambda weights, V: f.combine(weights, V).astype(int),
            lambda weights, V: f.combine(weights, V).astype(V.dtype),
        ),
    ),
)

"""es02 · La proiezione di un token: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import LAST_TERM, TRUNCATED, rounded, to_integers
from course_lib.checks.es02 import functions as f
from course_lib.checks.exercise import Check, Slip
from course_lib.checks.inputs import halves


def _cases(rng):
    return [
        (halves(rng, 3), halves(rng, 3, 2)),
        (halves(rng, 2), halves(rng, 2, 4) / 3),
        (halves(rng, 2, 3), halves(rng, 3, 4)),
        (halves(rng, 3, 3), halves(rng, 3, 3)),
        (np.array([2, -1, 3]), np.array([[1, 4], [0, 2], [5, -3]])),
    ]


def _one_token(x, W):
    """Il doppio ciclo che va bene per un vettore: con una tabella x[i] è una riga intera."""
    return np.array([sum(x[i] * W[i, j] for i in range(len(x))) for j in range(W.shape[1])])


PROJECT = Check(
    name="project",
    reference=f.project,
    first_case={"x": np.array([1.0, 2.0]), "W": np.array([[1.0, 0.0], [3.0, 1.0]])},
    cases=_cases,
    kinds="iuf",
    slips=(
        Slip(
            "x e W in ordine inverso",
            "Nella scheda x sta a sinistra di W: la componente j del risultato nasce da una riga di W o "
            "da una colonna?",
            lambda x, W: W @ x,
            lambda x, W: x @ W.T,
            lambda x, W: (x * W).sum(axis=1),
            f.for_one_token(lambda x, W: W @ x),
        ),
        Slip(
            "prodotti non sommati",
            "Hai moltiplicato numero per numero: che cosa si fa dei prodotti perché ne resti uno solo "
            "per ogni j?",
            lambda x, W: x[..., None] * W,
            lambda x, W: x * W,
        ),
        Slip(
            "somma lungo l'asse sbagliato",
            "Il risultato deve avere una componente per ogni colonna di W: le tue componenti contano le "
            "colonne o le righe?",
            lambda x, W: (x[..., None] * W).sum(axis=-1),
        ),
        Slip(
            "risultato trasposto",
            "Con più token, ogni riga del risultato deve appartenere a un token: che cosa sono le tue righe?",
            lambda x, W: (x @ W).T,
        ),
        Slip(
            "numeri accoppiati male",
            "Ogni componente di x va moltiplicata per i numeri di una riga di W: nei tuoi prodotti va con "
            "una riga o con una colonna?",
            lambda x, W: (x * W).sum(axis=0),
            lambda x, W: (x * W).sum(),
        ),
        Slip(
            "scritta per un token solo",
            "Con un token il conto è giusto. Con una frase x ha due assi: che cos'è allora x[i], un numero "
            "o una riga?",
            _one_token,
            f.for_one_token(f.project),
            lambda x, W: W.T @ x,
            lambda x, W: sum(x[i] * W[i] for i in range(len(x))),
            stops=True,
        ),
        Slip(
            "scritta per una frase sola",
            "Con una frase il conto è giusto. Con un token solo x ha un asse: che cos'è allora una sua riga?",
            f.for_one_sentence,
            lambda x, W: x @ W if x.ndim > 1 else x[:, None, None] * W,
            stops=True,
        ),
        Slip(
            "già divisi per una radice",
            "Qui c'è soltanto un prodotto: a quale dei passi seguenti appartiene la divisione?",
            lambda x, W: x @ W / np.sqrt(W.shape[1]),
            lambda x, W: x @ W / np.sqrt(W.shape[0]),
        ),
        Slip(*f.EXTRA_AXIS, lambda x, W: np.atleast_2d(x) @ W, lambda x, W: x.reshape(1, -1) @ W),
        Slip(
            *f.RUNNING_TOTAL,
            lambda x, W: np.cumsum(x @ W, axis=-1),
            f.for_one_token(lambda x, W: np.cumsum(x @ W)),
            lambda x, W: np.cumsum(_one_token(x, W), axis=0),
        ),
        Slip(*LAST_TERM, lambda x, W: x[..., -1:] * W[-1], f.for_one_token(lambda x, W: x[-1] * W[-1])),
        Slip(
            *f.FIRST_ONLY,
            lambda x, W: x[..., :1] * W[0],
            f.only_first(f.project),
            f.for_one_token(f.only_first(f.project)),
        ),
        rounded(f.project),
        Slip("cifre decimali perdute", TRUNCATED, lambda x, W: to_integers(f.project(x, W))),
    ),
)

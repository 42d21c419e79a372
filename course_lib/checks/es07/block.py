"""es07 · Il blocco pre-norm: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import ROUNDED_AT_THE_END, TRUNCATED_AT_THE_END
from course_lib.checks.es04.softmax import FORGOTTEN, INVERTED
from course_lib.checks.es07 import functions as f
from course_lib.checks.exercise import Check, Slip
from course_lib.checks.inputs import halves
from course_lib.checks.properties import unchanged_under


def _muted(p):
    """Gli stessi parametri, con i due sottostrati che danno sempre 0."""
    silent = {"W_O", "W_2", "b_2"}
    return {name: 0.0 * array if name in silent else array for name, array in p.items()}


SILENT_SUBLAYERS_CHANGE_NOTHING = unchanged_under(
    "la strada del residuo non è libera",
    "Con W_O, W_2 e b_2 a zero i due sottostrati danno zero: dal tuo blocco esce proprio x?",
    lambda x, mask, p: (x, mask, _muted(p)),
    lambda value, x, mask, p: np.asarray(x, dtype=float),
)


def parameters(rng, d, wide):
    """Parametri di un blocco, interi e mezzi; γ diverso da 1 e β diverso da 0."""
    shapes = {
        "gamma_1": (d,), "beta_1": (d,), "W_Q": (d, d), "W_K": (d, d), "W_V": (d, d), "W_O": (d, d),
        "gamma_2": (d,), "beta_2": (d,), "W_1": (d, wide), "b_1": (wide,), "W_2": (wide, d), "b_2": (d,),
    }  # fmt: skip
    p = {name: halves(rng, *shape, largest=1) for name, shape in shapes.items()}
    return p | {name: p[name] + 1.25 for name in ("gamma_1", "gamma_2")} | {"beta_1": p["beta_1"] + 0.25}


def _cases(rng):
    some = rng.integers(0, 2, size=(4, 4)) == 1
    some |= np.eye(4, dtype=bool)
    whole = {name: np.rint(array).astype(int) for name, array in parameters(rng, 3, 2).items()}
    whole |= {"W_O": np.array([[2, 0, 1], [1, -3, 0], [0, 1, 2]]), "gamma_1": np.array([2, 1, 3])}
    return [
        (halves(rng, 3, 4), np.tri(3, dtype=bool), parameters(rng, 4, 5)),
        (halves(rng, 4, 3), some, parameters(rng, 3, 6)),
        (halves(rng, 2, 3, 4), np.ones((3, 3), dtype=bool), parameters(rng, 4, 6)),
        (halves(rng, 2, 4, 2), np.tri(4, dtype=bool), parameters(rng, 2, 3)),
        (rng.integers(-3, 4, size=(2, 3)), np.tri(2, dtype=bool), whole),
    ]


def _paper():
    """Un caso che si fa a mente: query e key a zero, quindi coefficienti uguali."""
    I, ones, zeros = np.eye(2), np.ones(2), np.zeros(2)  # noqa: E741
    return {
        "gamma_1": ones, "beta_1": zeros,
        "W_Q": 0 * I, "W_K": 0 * I, "W_V": I, "W_O": -2 * I,
        "gamma_2": ones, "beta_2": zeros,
        "W_1": np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]), "b_1": np.zeros(3),
        "W_2": np.array([[1.0, 0.0], [0.0, 4.0], [1.0, 1.0]]), "b_2": np.array([0.0, 1.0]),
    }  # fmt: skip


BLOCK = Check(
    name="block",
    reference=f.block_family(),
    family=f.block_family,
    first_case={
        "x": np.array([[3.0, 1.0], [1.0, 5.0]]),
        "mask": np.tri(2, dtype=bool),
        "p": _paper(),
    },
    cases=_cases,
    properties=(SILENT_SUBLAYERS_CHANGE_NOTHING,),
    slips=(
        Slip(
            "post-norm",
            "Hai normalizzato la somma: è l'ordine di Vaswani e altri (2017), non il nostro. Nella formula "
            "della scheda che cosa legge la LayerNorm, e che cosa resta fuori?",
            {"order": "post"},
        ),
        Slip(
            "LayerNorm sull'uscita del sottostrato",
            "Chi si normalizza, ciò che il sottostrato legge o ciò che restituisce?",
            {"order": "after"},
        ),
        Slip(
            "somma al vettore normalizzato",
            "La strada del residuo porta x com'era: nel tuo conto, quando sommi, x ha ancora la sua media?",
            {"order": "overwritten"},
        ),
        Slip(
            "connessione residua dimenticata",
            "Se i due sottostrati dessero zero, dal blocco dovrebbe uscire x: dal tuo che cosa esce? Quante "
            "somme ci sono nella formula?",
            {"residual": "none"},
            {"residual": "ffn only"},
            {"residual": "attention only"},
        ),
        Slip(
            "seconda somma con l'ingresso del blocco",
            "La seconda somma parte dal vettore dopo l'attenzione o da quello di prima? Nel tuo risultato "
            "l'attenzione è rimasta?",
            {"residual": "from start"},
        ),
        Slip(
            "sottostrati in parallelo",
            "La rete feed-forward legge il vettore dopo la prima somma: il tuo quale legge?",
            {"stages": "parallel"},
        ),
        Slip(
            "sottostrati scambiati",
            "Quale viene prima nella scheda, l'attenzione o la rete feed-forward?",
            {"stages": "swapped"},
        ),
        Slip(
            "un sottostrato solo",
            "Un blocco ha due sottostrati, ciascuno con la sua somma: nel tuo risultato quanti se ne vedono?",
            f.block_family(stages="attention"),
            f.block_family(stages="ffn"),
        ),
        Slip(
            "LayerNorm dimenticata",
            "Ogni sottostrato legge una copia normalizzata: quante LayerNorm hai applicato?",
            {"normed": "none"},
            f.block_family(normed="first"),
            f.block_family(normed="second"),
        ),
        Slip(
            "gli stessi γ e β per due LayerNorm",
            "Le due LayerNorm hanno ciascuna i suoi parametri: quali nomi hai preso dal dizionario?",
            {"sets": "first twice"},
            f.block_family(sets="second twice"),
            f.block_family(sets="swapped"),
        ),
        Slip(
            "una LayerNorm di troppo",
            "La somma esce dal blocco com'è: dopo l'ultima, che cosa hai fatto ancora?",
            {"ending": "normed"},
        ),
        Slip(
            "W_O dimenticata",
            "Fra l'attenzione e la somma c'è ancora una matrice: quale?",
            {"out": "none"},
        ),
        Slip(
            "W_O applicata alla somma",
            "W_O mescola ciò che esce dall'attenzione: nel tuo conto passa attraverso W_O anche x?",
            f.block_family(out="on the sum"),
        ),
        Slip(
            "eps di un altro valore",
            "Quanto vale eps nelle due LayerNorm, secondo la scheda? E nel tuo blocco?",
            *(f.block_family(eps=eps) for eps in (0, 1e-12, 1e-8, 1e-6, 1e-4, 1e-3)),
        ),
        Slip(
            "GELU nella rete del blocco",
            "Nel notebook la rete usa la GELU: quale attivazione chiedono le schede di questo esercizio?",
            f.block_family(activation="gelu"),
        ),
        Slip(*FORGOTTEN, {"mask_read": "ignored"}),
        Slip(*INVERTED, {"mask_read": "inverted"}),
        Slip(
            "maschera costruita dentro",
            "Il tuo risultato segue sempre il triangolo, qualunque maschera riceva: quale argomento non stai "
            "usando?",
            {"mask_read": "own causal"},
        ),
        Slip(
            "key o value dal vettore non normalizzato",
            "Nell'auto-attenzione query, key e value vengono dallo stesso vettore: da quale hai calcolato le "
            "key, e da quale i value?",
            {"read": "raw"},
            f.block_family(read="raw value"),
        ),
        Slip(
            "query, key e value scambiati",
            "In quale ordine li vuole masked_attention? E in quale glieli dai?",
            {"roles": "KQV"},
            {"roles": "QVK"},
        ),
        Slip(
            "una proiezione sbagliata o dimenticata",
            "Query, key e value si ricavano ciascuna con la sua matrice: quali tre nomi hai preso dal "
            "dizionario?",
            f.block_family(roles="QKK"),
            f.block_family(roles="QK-"),
            f.block_family(roles="---"),
        ),
        Slip(
            "γ e β scambiati",
            "In quale ordine la tua LayerNorm vuole γ e β? E in quale glieli dai?",
            f.block_family(scale="swapped"),
        ),
        ROUNDED_AT_THE_END,
        TRUNCATED_AT_THE_END,
    ),
)

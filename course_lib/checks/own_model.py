"""Il modello della concordanza con l'attenzione e i parametri di chi studia: il file, le frasi, il conto.

Si addestra nel notebook, con `train_agreement(SEED, attention=…)`; qui si prova soltanto. Le coppie di
soggetto e attrattore della validazione e della prova non sono mai comparse nell'addestramento.
"""

from __future__ import annotations

import functools

import numpy as np

from course_lib.checks.arrays_file import read_arrays
from course_lib.checks.handed import HandedFile, WrongFile
from course_lib.learning.agreement import AgreementGrammar
from course_lib.transformer.attention import softmax
from course_lib.transformer.families import DecoderOnly

SEED = 8  # quello di train_agreement nel testo: decide quali coppie si addestrano e quali no
SIZES = {"d_model": 32, "n_heads": 2, "n_layers": 1}  # quelle di train_agreement
FUNCTION = "masked_attention"
SENTENCES = 400
BATCH = 200  # frasi per chiamata: circa un megabyte fra andata e ritorno


@functools.cache
def grammar() -> AgreementGrammar:
    """Le frasi su cui si addestra e si prova."""
    return AgreementGrammar(SEED)


def untrained(attention=None) -> DecoderOnly:
    """Il modello ancora da addestrare: conta solo com'è fatto, i parametri si cambiano con `load`."""
    rng = np.random.default_rng(SEED)
    words = len(grammar().vocabulary)
    return DecoderOnly(words, **SIZES, rng=rng, dtype=np.float32, attention=attention)


def read_parameters(raw: bytes) -> dict[str, np.ndarray]:
    """I parametri in un es08.npz. Solleva WrongFile se non sono quelli di questo modello."""
    shapes = {name: start.shape for name, start in untrained().layout().items()}
    return read_arrays(raw, OWN_MODEL.name, shapes, OWN_MODEL.remedy)


OWN_MODEL = HandedFile("es08.npz", 200_000, "la cella dell'addestramento", read_parameters)


def unseen(seed: int | None = None) -> list:
    """Frasi, con la gemella accanto, di coppie mai addestrate.

    seed: None per quelle di validazione, sempre le stesse; un intero per frasi di prova, con le preposizioni
    che ne escono
    """
    rng = np.random.default_rng(SEED if seed is None else seed)
    split = "validation" if seed is None else "test"
    sentences = grammar().sentences(split) if seed is None else grammar().redrawn(split, rng)
    firsts = 2 * rng.permutation(len(sentences) // 2)[: SENTENCES // 2]
    return [sentences[i] for first in firsts for i in (first, first + 1)]


def gender_accuracy(model: DecoderOnly, sentences: list, mask: np.ndarray | None = None) -> float:
    """Quante volte il modello si aspetta un aggettivo del genere giusto, un lotto alla volta.

    mask: ciò che si vieta di guardare, (T, T) bool
    Solleva WrongFile se con quei parametri i conti escono dai numeri finiti.
    """
    hits = []
    for start in range(0, len(sentences), BATCH):
        part = sentences[start : start + BATCH]
        logits = model(grammar().ids(part)[:, :-1], mask)[:, -1].astype(np.float64)  # (B, V): dopo il verbo
        expect_finite(logits)
        hits.append(grammar().gender_hits(part, softmax(logits)))
    return float(np.concatenate(hits).mean())


def expect_finite(*arrays: np.ndarray) -> None:
    """Solleva WrongFile se un numero non è finito."""
    if not all(np.isfinite(array).all() for array in arrays):
        what = f"Con i parametri di {OWN_MODEL.name} i conti danno NaN o infinito"
        raise WrongFile(f"{what}: {OWN_MODEL.remedy}")

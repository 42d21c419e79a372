"""Un esercizio campione, es97, che come es08 fa consegnare i parametri di un modello; e i suoi file."""

from __future__ import annotations

import functools
import io
import sys
import types

import numpy as np
import pytest

from course_lib.checks import Exercise, registry
from course_lib.checks.own_model import OWN_MODEL, SEED
from course_lib.learning.agreement_model import train_agreement

STEPS = 250  # bastano: la loss è già quasi quella di 400
EXERCISE = Exercise(
    id="es97",
    title="Campione",
    exports=("double", "masked_attention"),
    checks=(),
    files=(OWN_MODEL,),
    functions=("masked_attention",),
)
ATTENTION = """
import numpy as np

def masked_attention(Q, K, V, mask):
    scores = np.where(mask, Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]), -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ V
"""
NO_MASK = ATTENTION.replace("np.where(mask, ", "np.where(True, ")
NO_SCALE = ATTENTION.replace(" / np.sqrt(Q.shape[-1])", "")


@functools.cache
def parameters() -> dict[str, np.ndarray]:
    """I parametri addestrati con l'attenzione giusta."""
    return train_agreement(SEED, steps=STEPS).model.parameters()


@functools.cache
def parameters_without_mask() -> dict[str, np.ndarray]:
    """I parametri addestrati con un'attenzione che ignora la maschera."""
    return train_agreement(SEED, steps=STEPS, attention=function(NO_MASK)).model.parameters()


def function(source: str):
    """La masked_attention scritta in un testo."""
    space: dict = {}
    exec(source, space)
    return space["masked_attention"]


def npz(arrays: dict | None = None, *, save=np.savez, **changed) -> bytes:
    """I byte di un es08.npz.

    arrays: se mancano, parametri giusti ma non addestrati   changed: array da mettere al posto di altri;
    None per toglierne uno (nei nomi «__» sta per il punto)
    """
    from course_lib.checks.own_model import untrained

    arrays = dict(untrained().parameters() if arrays is None else arrays)
    arrays |= {name.replace("__", "."): array for name, array in changed.items()}
    buffer = io.BytesIO()
    save(buffer, **{name: array for name, array in arrays.items() if array is not None})
    return buffer.getvalue()


def files_of(exercise_id: str) -> dict[str, bytes]:
    """I file che l'esercizio fa consegnare con il notebook, giusti."""
    return {file.name: npz(parameters()) for file in registry.exercise(exercise_id).files}


@pytest.fixture
def sample(monkeypatch) -> Exercise:
    """es97 fra gli esercizi del corso."""
    module = types.ModuleType("course_lib.checks.es97")
    module.EXERCISE = EXERCISE
    monkeypatch.setitem(sys.modules, module.__name__, module)
    known = registry.known()
    monkeypatch.setattr(registry, "known", lambda: (*known, "es97"))
    return EXERCISE

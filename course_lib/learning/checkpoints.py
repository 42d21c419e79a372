"""Salvare e riprendere un addestramento: un file .npz, letto senza eseguire nulla di ciò che contiene."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import numpy as np

from course_lib.learning.history import History
from course_lib.transformer.arrays import expect_generator


def save_checkpoint(path, model, optimizer=None, history=None, rng=None):
    """Salva parametri, ottimizzatore, storia e stato di rng (ciò che c'è) nel file path, .npz.

    Il file di prima resta intero finché quello nuovo non lo è.
    """
    path = expect_place(path, rng)
    content = {f"parameter:{name}": array for name, array in model.parameters().items()}
    if optimizer is not None:
        content |= {f"optimizer:{name}": array for name, array in optimizer.state().items()}
    if history is not None:
        content["history:loss"] = np.array(history.loss, np.float64)
        content["history:validation"] = np.array(history.validation, np.float64).reshape(-1, 2)
    if rng is not None:
        content["rng"] = np.array(json.dumps(rng.bit_generator.state, default=np.ndarray.tolist))
    draft = path.with_name(path.name + ".parziale")
    with draft.open("wb") as file:
        np.savez(file, **content)
    os.replace(draft, path)


def expect_place(path, rng=None):
    """Solleva ValueError se in path non si può scrivere un salvataggio, o se rng non è un Generator.

    Restituisce: il Path. È il controllo da fare prima di addestrare, non dopo.
    """
    try:
        path = Path(path)
    except TypeError:
        raise ValueError(f"checkpoint: mi aspettavo il nome di un file .npz, è arrivato {path!r}.") from None
    if path.is_dir() or not path.parent.is_dir():
        what = "è una cartella, serve un file" if path.is_dir() else "sta in una cartella che non c'è: creala"
        raise ValueError(f"checkpoint: «{path.name or path}» {what}.")
    if rng is not None:
        expect_generator("rng", rng)
    return path


def load_checkpoint(path, model, optimizer=None, rng=None):
    """Riporta model, optimizer e rng a com'erano quando save_checkpoint ha scritto path.

    Restituisce: la History salvata (vuota se non c'era).
    Solleva ValueError se il file non è un salvataggio, o è di un modello diverso.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            content = {name: file[name] for name in file.files}
    except FileNotFoundError:
        raise ValueError(f"Non trovo il salvataggio «{Path(path).name}».") from None
    except (OSError, ValueError, EOFError, AttributeError, TypeError, zipfile.BadZipFile):
        raise ValueError(f"«{Path(path).name}» non è un salvataggio: mi aspettavo un file .npz.") from None
    dtype = next(iter(model.parameters().values())).dtype
    saved = _part("parameter:", content)
    model.load({name: array.astype(dtype, copy=False) for name, array in saved.items()})
    if optimizer is not None:
        optimizer.load(_part("optimizer:", content))
    if rng is not None and "rng" in content:
        _restore(rng, json.loads(str(content["rng"])))
    history = History([float(v) for v in content.get("history:loss", ())])
    history.validation = [(int(s), float(v)) for s, v in content.get("history:validation", ())]
    return history


def _restore(rng, state):
    expect_generator("rng", rng)
    kind = type(rng.bit_generator).__name__
    if state["bit_generator"] != kind:
        raise ValueError(f"rng: mi aspettavo un generatore {state['bit_generator']}, è arrivato un {kind}.")
    rng.bit_generator.state = state


def _part(prefix, content):
    return {n.removeprefix(prefix): array for n, array in content.items() if n.startswith(prefix)}

"""Il modello piccolo delle teste: si legge dal pacchetto, se ne spegne una parte, si guarda la risposta.

Una testa spenta non può guardare nulla, perciò la sua uscita è 0. Una parola vietata non può essere guardata
da nessuna delle parole che la seguono, in nessuno strato: così non può arrivare al verbo per altre vie.
"""

from __future__ import annotations

import functools
import json
import zipfile
from pathlib import Path
from typing import NamedTuple

import numpy as np

from course_lib.learning.agreement import AgreementGrammar
from course_lib.learning.agreement_model import forbid
from course_lib.transformer.attention import softmax
from course_lib.transformer.families import DecoderOnly

DATA = Path(__file__).resolve().parent.parent / "data" / "agreement.npz"
COMMAND = "python -m course_lib.widgets.train_heads"
ENDINGS = (("f", "s"), ("m", "s"), ("f", "p"), ("m", "p"))        # -a, -o, -e, -i
_PARAMETER = "parameter:"


class TrainedHeads(NamedTuple):
    """Un modello addestrato, la sua grammatica, e ciò che se ne è misurato quando lo si è addestrato.

    about: seed, steps, d_model, n_heads, n_layers; sentences, il numero di frasi di prova con un attrattore;
    accuracy, {ciò che si è tolto (vedi `key_of`): quota di generi giusti su quelle frasi}
    """

    model: DecoderOnly
    grammar: AgreementGrammar
    about: dict


def new_model(grammar, about, rng):
    """Il modello con le dimensioni scritte in about, in float32."""
    sizes = (about["d_model"], about["n_heads"], about["n_layers"])
    return DecoderOnly(len(grammar.vocabulary), *sizes, rng=rng, dtype=np.float32)


def save(path, model, about):
    """Scrive i parametri, arrotondati a float16, e about nel file path, .npz.

    Gli stessi numeri danno gli stessi byte.
    """
    content = {_PARAMETER + name: array.astype(np.float16) for name, array in model.parameters().items()}
    with Path(path).open("wb") as file:
        np.savez(file, about=np.array(json.dumps(about)), **content)


@functools.cache
def load(path=DATA):
    """Il modello scritto da `save`, senza eseguire nulla del file.

    Restituisce: TrainedHeads. Solleva ValueError, e dice come rifarlo, se il file non c'è o non è il suo.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            content = {name: file[name] for name in file.files}
        about = json.loads(str(content.pop("about")))
        grammar = AgreementGrammar(about["seed"])
        model = new_model(grammar, about, np.random.default_rng(0))
        names = {name.removeprefix(_PARAMETER): array for name, array in content.items()}
        model.load({name: array.astype(np.float32) for name, array in names.items()})
    except (OSError, ValueError, KeyError, EOFError, TypeError, zipfile.BadZipFile):
        raise ValueError(
            f"Non riesco a leggere le teste addestrate (il file {Path(path).name} del pacchetto): "
            f"rifallo con {COMMAND}."
        ) from None
    return TrainedHeads(model, grammar, about)


def key_of(off=(), places=()):
    """Il nome di ciò che si toglie: «» nulla, «0,2» le teste 0 e 2, «v0,1» le parole 0 e 1.

    Le teste si contano strato per strato.
    """
    return f"v{_listed(places)}" if places else _listed(off)


def _listed(numbers):
    return ",".join(str(n) for n in sorted(numbers))


def masks_for(model, length, off=(), places=()):
    """Una maschera per strato, (h, T, T) bool: tutte False per una testa spenta.

    off: le teste spente, 0 … n_layers·h − 1   places: le posizioni che chi viene dopo non può guardare
    """
    allowed = forbid(length, places)
    masks = [np.broadcast_to(allowed, (model.n_heads, length, length)).copy() for _ in range(model.n_layers)]
    for head in off:
        masks[head // model.n_heads][head % model.n_heads] = False
    return masks


def ending_probabilities(grammar, logits):
    """(5,): la probabilità di tutti gli aggettivi in -a, in -o, in -e, in -i, e di tutte le altre parole.

    logits: (V,), quelli dell'ultima parola
    """
    p = softmax(np.asarray(logits, dtype=np.float64))
    endings = [p[grammar.adjective_ids(gender, number)].sum() for gender, number in ENDINGS]
    return np.array([*endings, max(0.0, 1.0 - sum(endings))])


def answer(trained, ids, off=(), places=()):
    """La risposta dopo l'ultima parola, e i coefficienti di tutte le teste.

    ids: (T,)   off, places: ciò che si toglie, come in masks_for
    Restituisce: le probabilità (5,) di `ending_probabilities` e i coefficienti (n_layers, h, T, T).
    """
    masks = masks_for(trained.model, len(ids), off, places)
    logits, weights = trained.model(ids, masks, return_weights=True)
    return ending_probabilities(trained.grammar, logits[-1]), np.array(weights, dtype=np.float64)

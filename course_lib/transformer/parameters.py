"""I parametri di un modello: un dizionario {nome: array}, e come comincia ciascuno.

Un modello descrive i suoi parametri con un dizionario {nome: Start}, nell'ordine in cui si estraggono.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from course_lib.transformer.arrays import as_array, as_float_type, expect_generator


class Start(NamedTuple):
    """Come comincia un parametro: tutti i valori uguali a mean, se std è 0; se no estratti a caso."""

    shape: tuple[int, ...]
    mean: float = 0.0
    std: float = 0.0


def matrix(rows, columns, shrink=1.0):
    """Una matrice dei parametri: componenti di media 0 e varianza 1/rows, rimpicciolite di shrink."""
    return Start((rows, columns), std=shrink / math.sqrt(rows))


def draw(layout, rng, dtype):
    """Estrae i parametri nell'ordine di layout.

    layout: {nome: Start}   rng: numpy.random.Generator
    Restituisce: {nome: array di tipo dtype}; lo stesso seme dà gli stessi numeri, arrotondati a dtype.
    """
    expect_generator("rng", rng)
    dtype, drawn = as_float_type(dtype), {}
    for name, (shape, mean, std) in layout.items():
        values = mean + std * rng.normal(size=shape) if std else np.full(shape, mean)
        drawn[name] = values.astype(dtype)
    return drawn


def check(layout, parameters):
    """Controlla che parameters abbia i nomi e le forme di layout; non copia nulla.

    Restituisce: un dizionario nell'ordine di layout.
    Solleva ValueError se manca un nome, se ce n'è uno di troppo o se una forma è diversa.
    """
    if not isinstance(parameters, Mapping):
        raise ValueError(f"parameters: mi aspettavo un dizionario {{nome: array}}, non {parameters!r}.")
    missing = [name for name in layout if name not in parameters]
    extra = [name for name in parameters if name not in layout]
    if missing or extra:
        raise ValueError(
            f"parameters: mi aspettavo i nomi {', '.join(layout)}; "
            f"mancano {', '.join(missing) or 'nessuno'}, di troppo {', '.join(extra) or 'nessuno'}."
        )
    checked = {name: as_array(name, parameters[name]) for name in layout}
    for name, array in checked.items():
        if tuple(array.shape) != layout[name].shape:
            raise ValueError(
                f"{name}: mi aspettavo la forma {layout[name].shape}, è arrivata {tuple(array.shape)}."
            )
    return checked


def count(parameters):
    """Quanti numeri ci sono in tutto in un dizionario di parametri."""
    return sum(math.prod(array.shape) for array in parameters.values())


def within(prefix, parameters):
    """I parametri il cui nome comincia con prefix, senza il prefisso."""
    return {n.removeprefix(prefix): array for n, array in parameters.items() if n.startswith(prefix)}


def named(prefix, layout):
    """Lo stesso dizionario, con prefix davanti a ogni nome."""
    return {prefix + name: value for name, value in layout.items()}

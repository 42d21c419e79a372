"""Fotografare un valore dell'allievo senza mai far eseguire il suo codice.

`type(x)` non può mentire; `isinstance`, `==`, `in`, `len`, `np.asarray` sì: qui i tipi si riconoscono
soltanto con `is`, perché anche una classe può ridefinire `==`.
Ciò che non è di un tipo noto diventa un `Opaque`, di cui si sa soltanto il nome.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MOST_NESTED = 6
MOST_ELEMENTS = 10_000

NUMPY_SCALARS = frozenset(np.dtype(code).type for code in "?bhilqBHILQefdgFDG")
PLAIN_TYPES = frozenset({type(None), bool, int, float, complex, str, bytes})
_IMMUTABLE = frozenset(id(kind) for kind in PLAIN_TYPES | NUMPY_SCALARS)  # i tipi vivono quanto il processo


@dataclass(frozen=True)
class Opaque:
    """Un valore di cui non ci si fida: resta il nome del suo tipo, e se deriva da np.ndarray."""

    type_name: str
    array_like: bool = False


def freeze(value, depth: int = MOST_NESTED):
    """Una copia fatta solo di tipi esatti; il resto diventa Opaque.

    value: qualunque cosa   depth: quante liste, tuple e dizionari si possono aprire l'uno dentro l'altro
    """
    kind = type(value)
    if kind is np.ndarray:
        return value.copy()
    if id(kind) in _IMMUTABLE:
        return value
    if kind is np.str_:  # il testo preso da un array di testi
        return value.item()
    container = kind is list or kind is tuple or kind is dict
    if container and depth > 0 and len(value) <= MOST_ELEMENTS:
        if kind is dict:
            return {freeze(key, 1): freeze(item, depth - 1) for key, item in value.items()}
        return kind(freeze(item, depth - 1) for item in value)
    ancestors = type.__dict__["__mro__"].__get__(kind)
    return Opaque(type_name(value), any(ancestor is np.ndarray for ancestor in ancestors))


def fresh(value):
    """Una copia da dare a una funzione: gli array e i contenitori sono nuovi, il resto è lo stesso."""
    kind = type(value)
    if kind is np.ndarray:
        return value.copy(order="K")
    if kind in (list, tuple):
        return kind(fresh(item) for item in value)
    if kind is dict:
        return {key: fresh(item) for key, item in value.items()}
    if kind is np.random.Generator:
        return np.random.Generator(_copy_of_bits(value.bit_generator))
    return value


def unchanged(before, after) -> bool:
    """True se after è ancora, byte per byte, quello che era before (un Generator usato cambia: non conta)."""
    kind = type(before)
    if kind is np.random.Generator or callable(before):
        return True
    if type(after) is not kind:
        return False
    if kind is np.ndarray:
        same_form = before.shape == after.shape and before.dtype == after.dtype
        return same_form and before.tobytes() == after.tobytes()
    if kind in (list, tuple):
        return len(before) == len(after) and all(map(unchanged, before, after))
    if kind is dict:
        return unchanged(list(before.items()), list(after.items()))
    return before == after


def low_precision(value) -> bool:
    """True se fra gli ingressi c'è un array di float16 o float32: i risultati hanno meno cifre buone."""
    if type(value) is np.ndarray or type(value) in NUMPY_SCALARS:
        return value.dtype.kind in "fc" and np.finfo(value.dtype).eps > 1e-10
    if type(value) in (list, tuple):
        return any(map(low_precision, value))
    return False


def n_elements(value) -> int:
    """Quanti numeri (o lettere) ci sono in tutto: serve a scegliere l'ingresso più piccolo da mostrare."""
    if type(value) is np.ndarray:
        return value.size
    if type(value) in (list, tuple):
        return sum(map(n_elements, value))
    if type(value) is dict:
        return sum(map(n_elements, value.values()))
    return len(value) if type(value) is str else 1


def type_name(value) -> str:
    """Il nome vero della classe, anche se la classe lo nasconde; al più 40 caratteri stampabili."""
    name = type.__dict__["__name__"].__get__(type(value))
    return "".join(letter for letter in name if letter.isprintable())[:40]


def _copy_of_bits(bits):
    twin = type(bits)()
    twin.state = bits.state
    return twin

"""Errori tipici che possono capitare in ogni funzione di calcolo."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from course_lib.checks.exercise import Slip

LAST_TERM = (
    "resta solo l'ultimo addendo",
    "Dentro il ciclo ogni addendo prende il posto di quello di prima: che cosa deve fare invece un totale?",
)
EARLY_RETURN = (
    "return dentro il ciclo",
    "Il calcolo si ferma al primo giro del ciclo: con quale rientro è scritto return?",
)


def each(change: Callable, result):
    """Applica change a un risultato, o a ciascuno se sono più d'uno in una tupla."""
    return tuple(change(part) for part in result) if type(result) is tuple else change(result)


def to_integers(result):
    """Taglia via le cifre decimali, come un array creato con dtype=int."""
    return each(lambda part: np.asarray(part).astype(np.int64), result)


def rounding(decimals: int) -> Callable:
    """Arrotonda un risultato a quel numero di cifre decimali."""
    return lambda result: each(lambda part: np.round(part, decimals), result)


def all_integers(args: tuple) -> bool:
    """True se tutti gli array fra gli ingressi contengono interi."""
    return all(arg.dtype.kind in "iu" for arg in args if type(arg) is np.ndarray)


def like_the_inputs(args: tuple, result):
    """Il risultato scritto in un array del tipo degli ingressi: se sono interi, perde le cifre decimali."""
    return to_integers(result) if all_integers(args) else result


def rounded(reference: Callable) -> Slip:
    """Le cifre sono arrotondate prima di restituirle."""

    def variant(decimals: int) -> Callable:
        return lambda *args: rounding(decimals)(reference(*args))

    return Slip("arrotondato", ROUNDED, *(variant(decimals) for decimals in (1, 2, 3, 4, 5, 6)))


def truncated(reference: Callable) -> Slip:
    """Il risultato è scritto in un array di interi."""
    return Slip(
        "cifre decimali perdute",
        TRUNCATED,
        lambda *args: to_integers(reference(*args)),
        lambda *args: like_the_inputs(args, reference(*args)),
    )


ROUNDED = (
    "Le prime cifre sono giuste e le altre mancano: si arrotonda quando si stampa. "
    "In quale riga hai arrotondato prima?"
)
TRUNCATED = (
    "I tuoi numeri hanno perso le cifre dopo la virgola: di che tipo (dtype) è l'array in cui scrivi il "
    "risultato?"
)
# per le `family` che hanno un ultimo passaggio «finish»: riceve il risultato e gli ingressi
FINISHES = {
    "none": lambda result, args: result,
    "integers": lambda result, args: to_integers(result),
    "like inputs": lambda result, args: like_the_inputs(args, result),
    **{f"round {n}": lambda result, args, n=n: rounding(n)(result) for n in (1, 2, 3, 4)},
}
ROUNDED_AT_THE_END = Slip("arrotondato", ROUNDED, *({"finish": f"round {n}"} for n in (1, 2, 3, 4)))
TRUNCATED_AT_THE_END = Slip(
    "cifre decimali perdute", TRUNCATED, {"finish": "integers"}, {"finish": "like inputs"}
)

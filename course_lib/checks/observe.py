"""Chiamare la funzione dell'allievo e fotografare che cosa succede."""

from __future__ import annotations

import builtins
import inspect
import linecache
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from course_lib.checks.values import freeze, fresh, low_precision, n_elements, type_name, unchanged

BUILTIN_ERRORS = tuple(
    kind
    for kind in vars(builtins).values()
    if type(kind) is type and issubclass(kind, Exception) and kind is not Exception
)
COURSE_LIB = str(Path(__file__).resolve().parents[1])


@dataclass(frozen=True)
class Failure:
    """Un errore sollevato dalla funzione: il suo nome, il testo di Python, e dove (se si può dire).

    place: la riga dell'allievo   inside: il nome della funzione in cui sta, se è un'altra
    """

    name: str
    text: str = ""
    place: str = ""
    inside: str = ""


@dataclass(frozen=True, eq=False)
class Observation:
    """Una chiamata: ingressi, che cosa è tornato, quali ingressi sono cambiati.

    args: gli ingressi com'erano   value: il risultato fotografato (se failure è None)
    expected: il risultato giusto   changed: gli indici degli argomenti modificati
    title: il titolo, se è una prova nascosta   function: la funzione osservata
    """

    args: tuple
    value: Any
    failure: Failure | None
    changed: tuple[int, ...]
    expected: Any = None
    title: str = ""
    function: Callable | None = field(default=None, repr=False)

    @property
    def low(self) -> bool:
        """True se gli ingressi hanno precisione bassa."""
        return low_precision(self.args)

    @property
    def size(self) -> int:
        """Quanti numeri ci sono negli ingressi."""
        return n_elements(self.args)

    def call(self, *args):
        """Richiama la stessa funzione con altri ingressi: è per le proprietà."""
        return observe(self.function, args)


def observe(function: Callable, args: tuple, expected=None, title: str = "") -> Observation:
    """Chiama function su una copia degli ingressi; un suo errore diventa un Failure.

    Gli avvisi di NumPy (in inglese) non si mostrano: si giudicano i valori.
    Ciò che non è una Exception (tempo scaduto, interruzione da tastiera) passa oltre.
    """
    given = tuple(fresh(arg) for arg in args)
    value = failure = None
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = freeze(function(*given))
    except Exception as error:
        failure = Failure(_name_of(error), _text_of(error), *_place_of(error, function))
    changed = tuple(i for i, arg in enumerate(args) if not unchanged(arg, given[i]))
    return Observation(args, value, failure, changed, expected, title, function)


def accepts(function: Callable, n_arguments: int) -> bool:
    """False solo se si può dire con certezza che function non accetta quel numero di argomenti."""
    try:
        signature = inspect.signature(function)
    except Exception:
        return True
    try:
        signature.bind(*range(n_arguments))
    except TypeError:
        return False
    return True


def arguments_of(function: Callable) -> str:
    """Gli argomenti di function come sono scritti: «x, W, b»."""
    return ", ".join(inspect.signature(function).parameters)


def in_another_order(function: Callable, names: tuple[str, ...]) -> bool:
    """True se function ha proprio questi argomenti, ma in un altro ordine."""
    try:
        own = tuple(inspect.signature(function).parameters)
    except Exception:
        return False
    return own != tuple(names) and sorted(own) == sorted(names)


def _name_of(error: Exception) -> str:
    """Il nome di Python più vicino: un _UFuncOutputCastingError di NumPy è, per chi studia, un TypeError.

    NotImplementedError dice che la funzione è da scrivere: vale solo esatto (input() ne solleva un figlio).
    """
    for kind in type.__dict__["__mro__"].__get__(type(error)):
        if kind is NotImplementedError and type(error) is not kind:
            continue
        if any(kind is known for known in BUILTIN_ERRORS):
            return kind.__name__
    return type_name(error)


def _text_of(error: Exception) -> str:
    try:
        text = " ".join(str(error).split())
    except Exception:
        return ""
    return text if len(text) <= 200 else text[:200] + "…"


def _place_of(error: Exception, function: Callable) -> tuple[str, str]:
    """La riga dell'allievo in cui è successo: la più interna che stia nel suo notebook, mai in course_lib."""
    home = getattr(function, "__globals__", None)
    place = inside = ""
    name = getattr(getattr(function, "__code__", None), "co_name", "")
    step = error.__traceback__
    while step is not None:
        frame, code = step.tb_frame, step.tb_frame.f_code
        if frame.f_globals is home and not code.co_filename.startswith(COURSE_LIB):
            line = linecache.getline(code.co_filename, step.tb_lineno).strip()
            if line:
                own = code is getattr(function, "__code__", None)
                if not code.co_name.startswith("<"):  # una lista scritta in una riga non è un'altra funzione
                    inside = "" if own else code.co_name
                    name = code.co_name
                place = f"riga {step.tb_lineno} della cella, in «{name}»: {line}"
        step = step.tb_next
    return place, inside

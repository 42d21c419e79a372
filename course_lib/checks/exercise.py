"""Di che cosa è fatto un esercizio: funzioni da controllare, ingressi, proprietà, errori tipici."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from course_lib.checks.handed import HandedFile

SEED = 1902


@dataclass(frozen=True)
class Slip:
    """Un errore tipico: ha un nome, una domanda che porta a scoprirlo e una o più realizzazioni sbagliate.

    variants: funzioni sbagliate, con gli stessi argomenti di quella giusta; oppure dizionari di cambiamenti
    da dare a `Check.family`: gli errori scritti così si riconoscono anche a due a due
    stops: l'errore ferma la funzione: si riconosce dall'errore di Python, sugli stessi ingressi
    admits: admits(args, value) è True se quell'errore può dare value: serve a chi sceglie a caso
    """

    name: str
    question: str
    variants: tuple[Callable | dict[str, str], ...]
    stops: bool
    admits: Callable[[tuple, Any], bool] | None

    def __init__(
        self,
        name: str,
        question: str,
        *variants: Callable | dict[str, str],
        stops: bool = False,
        admits: Callable[[tuple, Any], bool] | None = None,
    ):
        given = {"name": name, "question": question, "variants": variants, "stops": stops, "admits": admits}
        for key, value in given.items():
            object.__setattr__(self, key, value)


@dataclass(frozen=True)
class Property:
    """Qualcosa che deve valere qualunque siano i numeri; ha nome e domanda come un errore tipico.

    holds: riceve un'Observation (e può richiamare la funzione con observation.call); False se non vale
    """

    name: str
    question: str
    holds: Callable[[Any], bool]


@dataclass(frozen=True)
class Check:
    """I controlli di una funzione.

    first_case: {parametro: valore}, il caso da fare a mano; dà anche i nomi dei parametri, nell'ordine
    cases: riceve un Generator con seme fisso e dà gli altri ingressi, tuple di argomenti
    results: i nomi dei risultati, se la funzione ne restituisce più d'uno in una tupla
    kinds: i tipi di numeri ammessi nel risultato ("iuf" = anche interi); se manca, quello della soluzione
    family: family(**cambiamenti) è la funzione con quei passaggi cambiati; family() è quella giusta
    alone: il risultato è un intero fra pochi, che può coincidere per caso: di errori se ne nomina uno, e
    soltanto se spiega ogni chiamata
    """

    name: str
    reference: Callable
    first_case: dict[str, Any]
    cases: Callable[[np.random.Generator], Sequence[tuple]]
    slips: tuple[Slip, ...] = ()
    properties: tuple[Property, ...] = ()
    results: tuple[str, ...] = ()
    kinds: str | None = None
    family: Callable[..., Callable] | None = None
    alone: bool = False
    seed: int = SEED

    @property
    def parameters(self) -> tuple[str, ...]:
        """I nomi dei parametri, nell'ordine in cui vanno dati."""
        return tuple(self.first_case)

    @property
    def signature(self) -> str:
        """La chiamata come sta nella scheda: «project(x, W)»."""
        return f"{self.name}({', '.join(self.parameters)})"

    def inputs(self) -> list[tuple]:
        """Gli ingressi visibili: il caso a mano per primo, poi gli altri; gli stessi a ogni chiamata."""
        others = self.cases(np.random.default_rng(self.seed))
        return [tuple(self.first_case.values()), *map(tuple, others)]

    def wrong_functions(self, slip: Slip) -> list[Callable]:
        """Le realizzazioni sbagliate di un errore tipico, come funzioni."""
        return [self.family(**variant) if isinstance(variant, dict) else variant for variant in slip.variants]


@dataclass(frozen=True)
class Exercise:
    """Un esercizio del corso.

    exports: i nomi che la correzione può chiedere al notebook dell'allievo
    box_modules: i moduli di course_lib offerti nella scatola; mai uno che contenga le soluzioni
    files: i file che si consegnano con il notebook
    functions: altri nomi che valgono solo se sono funzioni, oltre a quelli di checks
    """

    id: str
    title: str
    exports: tuple[str, ...]
    checks: tuple[Check, ...]
    box_modules: tuple[str, ...] = field(default=("course_lib.notation",))
    files: tuple[HandedFile, ...] = ()
    functions: tuple[str, ...] = ()

    def check(self, name: str) -> Check | None:
        """I controlli della funzione con quel nome, se l'esercizio la prevede."""
        return next((check for check in self.checks if check.name == name), None)

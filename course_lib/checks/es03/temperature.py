"""es03 · La softmax a una temperatura: gli ingressi di prova, gli errori tipici, le loro domande."""

from __future__ import annotations

import numpy as np

from course_lib.checks.common_slips import ROUNDED_AT_THE_END, truncated
from course_lib.checks.es03 import functions as f
from course_lib.checks.es03.softmax import FIRST_AXIS, ONE_FOR_ALL, ONE_TOTAL
from course_lib.checks.exercise import Check, Slip
from course_lib.checks.inputs import halves
from course_lib.checks.properties import rows_sum_to_one


def _cases(rng):
    return [
        (np.array([2.0, 0.0, 1.0]), 0.5),
        (np.array([-743.0, -745.0]), 1.0),
        (np.array([1, 3, 0]), 2),
        (halves(rng, 2, 4), 3.0),
        (halves(rng, 3, 3), 0.5),
        (np.array([2.0, 0.0, 1.0]), 0.001),
        (np.array([0.0, 1000.0]), 1000.0),      # la temperatura viene prima della softmax
        (np.array([[0.0, 0.5], [4.0, 4.5]]), 0.004),
        (halves(rng, 2, 3, 2), 1.5),
        (np.array([[0.0, 2.5], [3000.0, 3001.0]]), 2.0),
    ]


AT_TEMPERATURE = Check(
    name="at_temperature",
    reference=f.temperature_family(),
    family=f.temperature_family,
    first_case={"scores": np.array([0.0, np.log(9.0)]), "tau": 2.0},
    cases=_cases,
    properties=(rows_sum_to_one(),),
    slips=(
        Slip(
            "moltiplicato per τ",
            "Con una temperatura alta i coefficienti devono avvicinarsi fra loro: i tuoi che cosa fanno?",
            {"tau": "multiply"},
        ),
        Slip(
            "temperatura ignorata",
            "Se cambi τ i tuoi coefficienti restano uguali: in quale passaggio entra, e lì cambia qualcosa?",
            {"tau": "none"},
            f.temperature_family(tau="subtract"),
        ),
        Slip(
            "temperatura fissa",
            "Dividi sempre per 2, e nel conto su carta era giusto: dove entra il τ che la funzione riceve?",
            {"tau": "fixed"},
        ),
        Slip(
            "temperatura dopo la softmax",
            "Le tue righe non hanno somma 1: τ entra prima o dopo che i punteggi diventano coefficienti?",
            {"tau": "none", "after": "divide"},
            {"tau": "none", "after": "multiply"},
        ),
        Slip(
            "diviso per √τ",
            "La radice serve alla scala dei punteggi. Nella scheda, per che cosa si divide qui?",
            {"tau": "root"},
        ),
        Slip(
            "potenza al posto della divisione",
            "Hai elevato i punteggi a τ: quale operazione chiede la scheda?",
            {"tau": "power"},
        ),
        Slip(
            "divisione intera",
            "Il quoziente ha perso la parte dopo la virgola: con quale segno hai scritto la divisione?",
            {"tau": "whole"},
        ),
        Slip(
            "massimo non sottratto",
            "Una temperatura piccola rende enormi anche punteggi modesti: la softmax che usi è quella "
            "stabile?",
            {"highest": "none"},
            f.temperature_family(highest="none", exp="math"),
            f.temperature_family(highest="none", exp="math", total="python"),
        ),
        ONE_FOR_ALL,
        Slip(
            *FIRST_AXIS,
            {"highest": "first axis", "total": "first axis"},
            f.temperature_family(total="first axis"),
            f.temperature_family(highest="column", total="column"),
        ),
        Slip(
            "un totale solo per tutte le righe",
            ONE_TOTAL,
            {"highest": "all", "total": "all"},
            {"total": "all"},
        ),
        Slip(
            "non divisi per la somma",
            "Quanto fa la somma di ogni riga? Controlla che i punteggi passino da softmax.",
            {"total": "none"},
        ),
        ROUNDED_AT_THE_END,
        truncated(f.temperature_family()),
    ),
)

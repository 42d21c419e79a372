"""Funzioni che restituiscono cose strane, si fermano o non ci sono: a ciascuna il suo messaggio."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.exercises.conftest import failure, first_line, raising, softmax, writes_into_its_input

HIDDEN = {"un titolo": (np.array([0.123456, 0.654321]),)}


def forgets_return(scores):
    if len(scores) == 2:
        return softmax(scores)


ODD = {
    "stub": (
        raising(NotImplementedError("qui manca ancora il tuo codice")),
        "non hai ancora scritto questa funzione",
    ),
    "None": (lambda scores: None, "non hai ancora scritto che cosa restituisce"),
    "argomenti": (lambda scores, axis: scores, "non accetta gli argomenti della scheda"),
    "ValueError": (raising(ValueError("a")), "si è fermata con ValueError"),
    "TypeError": (raising(TypeError("a")), "si è fermata con TypeError"),
    "NameError": (raising(NameError("a")), "si è fermata con NameError"),
    "ErroreAllievo": (raising(type("ErroreAllievo", (Exception,), {})()), "si è fermata con un errore"),
    "lista": (lambda scores: list(softmax(scores)), "restituisce una lista"),
    "tupla": (lambda scores: (softmax(scores),), "restituisce una tupla"),
    "testo": (lambda scores: "softmax", "restituisce una stringa di testo"),
    "dizionario": (lambda scores: {"a": 1}, "restituisce un dizionario"),
    "vero": (lambda scores: True, "restituisce un valore logico"),
    "oggetto": (lambda scores: object(), "restituisce un oggetto di tipo «object»"),
    "generatore": (lambda scores: (s for s in scores), "restituisce un oggetto di tipo «generator»"),
    "matrice": (lambda scores: softmax(scores).view(np.matrix), "un array di un tipo particolare («matrix»)"),
    "array di oggetti": (lambda scores: softmax(scores).astype(object), "contiene oggetti, non numeri"),
    "array di testo": (lambda scores: softmax(scores).astype(str), "contiene testo, non numeri"),
    "array logico": (lambda scores: scores > 0, "contiene valori logici"),
    "array complesso": (lambda scores: softmax(scores) + 0j, "contiene numeri complessi"),
    "float32": (lambda scores: softmax(scores).astype(np.float32), "ha perso cifre"),
    "un numero": (lambda scores: 0.5, "la forma del risultato non è quella attesa"),
    "un asse in più": (lambda scores: softmax(scores)[None], "la forma del risultato non è quella attesa"),
    "valori": (lambda scores: softmax(scores) + 0.1, "i valori non sono quelli attesi"),
    "NaN": (lambda scores: softmax(scores) * np.nan, "nel risultato c'è NaN"),
    "infinito": (lambda scores: softmax(scores) * np.inf, "nel risultato c'è un infinito"),
    "ingresso": (writes_into_its_input, "i valori sono giusti, ma c'è l'errore «ingressi modificati»"),
    "return": (forgets_return, "restituisce None"),
    "numero": (3, "non è una funzione, è un numero intero"),
}


@pytest.mark.parametrize("case", ODD)
def test_each_odd_function_has_its_own_first_line(case):
    function, words = ODD[case]
    line = first_line("es02", function, nome="softmax_row")
    assert line.startswith("✗ softmax_row: ")
    assert words in line


def test_the_first_lines_of_odd_functions_are_distinct():
    lines = {first_line("es02", function, nome="softmax_row") for function, _ in ODD.values()}
    same = {"un numero", "un asse in più"}  # la stessa forma sbagliata, una riga sola
    assert len(lines) == len(ODD) - len(same) + 1


@pytest.mark.parametrize("case", ODD)
def test_no_message_is_english_or_a_traceback(case):
    message = failure("es02", ODD[case][0], nome="softmax_row").messaggio
    assert not re.search(r"Traceback|File |^\w+Error: |expected|must be", message, re.MULTILINE)


@pytest.mark.parametrize(
    ("result", "shown"),
    [
        ([np.float64(0.25), 0.75], "[0,25; 0,75]"),
        ((np.array([0.25, 0.5]), 1), "((0,25; 0,50); 1,00)"),
        ({"a": 1}, "{'a': 1}"),
        ([np.bool_(True), None, "testo"], "[True; None; 'testo']"),
        ([object()], "[un oggetto di tipo «object»]"),
        (list(range(500)), "[0,00; 1,00; 2,00; "),
    ],
)
def test_what_came_instead_of_an_array_is_shown_the_italian_way(result, shown):
    message = failure("es02", lambda scores: result, nome="softmax_row").messaggio
    assert f"  ottenuto:  {shown}" in message
    assert max(map(len, message.split("\n"))) < 330


@pytest.mark.parametrize("result", [[np.zeros(2), np.ones(3)], (np.zeros(2), np.ones(3), 1)])
def test_several_results_are_expected_with_all_their_decimals(result):
    message = failure("es02", lambda i, X, W_Q, W_K, W_V: result, nome="attend").messaggio
    first, second, came = (line for line in message.split("\n") if "atteso:" in line or "ottenuto:" in line)
    assert first.endswith("atteso:    (0,925; 0,075)")
    assert second.endswith("atteso:    (0,867; 0,016; 0,117)")
    assert first.split(",")[0] != second.split(",")[0]
    assert came.startswith("  ottenuto:  ")


@pytest.mark.parametrize("case", sorted(set(ODD) - {"numero", "return"}))
def test_a_hidden_failure_shows_its_title_and_nothing_else(case):
    function = ODD[case][0]
    failed = failure("es02", function, nome="softmax_row", nascosti=HIDDEN)
    assert failed.nascosto
    if case == "ingresso":
        assert failed.slips == ("ingressi modificati",)
        assert failed.messaggio.startswith(
            "✗ softmax_row, prova nascosta «un titolo»: sembra l'errore «ingressi modificati».\n"
        )
    else:
        assert failed.slips == ()
        assert failed.messaggio == (
            "✗ softmax_row, prova nascosta «un titolo»: non superata.\n"
            "La funzione deve valere per tutti gli ingressi che la scheda descrive, "
            "non solo per quelli visti qui."
        )

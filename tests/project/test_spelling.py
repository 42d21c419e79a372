"""L'ortografia di ciò che si legge: hunspell con il dizionario italiano, più le parole del corso.

Le parole che il dizionario non conosce stanno in dati/parole.txt, una per riga: i termini del corso, i nomi
propri, le sigle. Quelle scritte in minuscolo valgono anche con l'iniziale maiuscola.
"""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import require
from tests.project.italian import texts

WORDS = Path(__file__).parent / "dati" / "parole.txt"
# hunspell separa l'articolo da una parola che non conosce, e allora non conosce nemmeno «dell»
ELIDED = re.compile(
    r"\b(?:[a-z]?[cdlmnstv]|ch|un|gl|[adns]?[aeu]ll|dall|quell|bell|quest|anch|neanch|com|dov|altr|tutt|quant|"
    r"mezz|senz|cos)'",
    re.I,
)


def listed() -> list[str]:
    """Le parole del corso, nell'ordine del file."""
    return WORDS.read_text(encoding="utf-8").split()


def spelled(text: str) -> str:
    """Un testo come lo legge hunspell: apostrofi dritti, niente enfasi né elisioni rimaste sole."""
    text = re.sub(r"(?<=['’])\*+", "", text).replace("’", "'")
    text = re.sub(r"[*_]", " ", text)
    return ELIDED.sub(" ", text)


def unknown(text: str) -> set[str]:
    """Le parole di un testo che il dizionario italiano non conosce."""
    command = [require("hunspell"), "-d", "it_IT", "-i", "utf-8", "-l"]
    done = subprocess.run(command, input=spelled(text), capture_output=True, encoding="utf-8", check=True)
    return set(done.stdout.split())


def of_the_course(word: str, words: set[str]) -> str | None:
    """La voce dell'elenco che ammette una parola, o None."""
    return next((form for form in (word, word.lower()) if form in words), None)


@cache
def unknown_everywhere() -> dict[str, set[str]]:
    """{file: parole che il dizionario non conosce}."""
    return {file: found for file, text in texts().items() if (found := unknown(text))}


def test_every_word_is_in_the_dictionary_or_in_the_list():
    words = set(listed())
    wrong = {
        file: sorted(word for word in found if of_the_course(word, words) is None)
        for file, found in unknown_everywhere().items()
    }
    assert {file: found for file, found in wrong.items() if found} == {}


def test_no_word_of_the_list_is_unused():
    words = set(listed())
    used = {of_the_course(word, words) for found in unknown_everywhere().values() for word in found}
    assert sorted(words - used) == []


def test_the_list_is_sorted_and_has_no_word_twice():
    assert listed() == sorted(set(listed()), key=lambda word: (word.lower(), word))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("La chiave accanto ai libri era arrugginita.", set()),
        ("La chiave accanto ai libri era arruginita.", {"arruginita"}),
        ("dell'*era*, dell'`x` e l'attenzione", set()),
        ("un'attenzzione e perchè", {"attenzzione", "perchè"}),
    ],
)
def test_a_misspelling_is_seen(text, wrong):
    assert unknown(text) == wrong


def test_there_is_much_to_read():
    read = texts()
    assert len(read) > 20
    assert sum(len(text.split()) for text in read.values()) > 15_000

"""La tipografia e le parole di ciò che si legge, come le vuole lo stile del corso."""

from __future__ import annotations

import re

import jupytext
import pytest

from course_lib.glossary import TERMS
from tests.conftest import ROOT
from tests.project.italian import modules, pages, prose_of, sources, strings, without_references

RULES = {
    "nessun punto esclamativo": r"!",
    "« » al posto delle virgolette dritte": r'"',
    "l'accento, non l'apostrofo": r"\bE' |\b(?!po'|mo'|ca'|di'|fa'|va'|sta'|da')\w*[aeiou]'(?=[\s.,;:)]|$)",
    "gli accenti che mancano": r"\b(?:perche|piu|cioe|puo|gia|poiche|finche|benche|cosi|pero|percio)\b",
    "gli accenti acuti": r"\b(?:perchè|poichè|finchè|benchè|affinchè|nè|sè)\b",
    "la virgola decimale": r"(?<![\w§.])\d+\.\d+(?![\w.])",
    "«peso» mai da solo": r"(?<!«)\bpes[oi]\b(?!»)",
    "i puntini sono un segno solo": r"(?<!\()\.\.\.",
    "il trattino fra parole è lungo": r"(?<=\w) - (?=\w)",
}
# numeri di versione e di licenza, non decimali
VERSIONS = re.compile(r"(?:Python|NumPy|PyTorch|alla|BY) \d+(?:\.\d+)+\S*")
COMMANDS = re.compile(r"^.*corso\.py .*$", re.M)  # nelle pagine di solo testo i comandi non hanno marcatori


def prose() -> dict[str, str]:
    """{file: prosa} delle sorgenti e delle pagine, senza le celle di codice."""
    found = {}
    for path in sources():
        cells = [cell.source for cell in jupytext.read(path).cells if cell.cell_type == "markdown"]
        found[path.relative_to(ROOT).as_posix()] = prose_of(without_references("\n\n".join(cells)))
    return found | {name: COMMANDS.sub("", text) for name, text in pages().items()}


def sentences() -> dict[str, str]:
    """{modulo: frasi} di ciò che la biblioteca mostra."""
    return {
        path.relative_to(ROOT).as_posix(): "\n".join(map(prose_of, strings(path.read_text(encoding="utf-8"))))
        for path in modules()
    }


def faults(rule: str, text: str) -> list[str]:
    """I punti di un testo che vanno contro una regola, con ciò che sta intorno."""
    text = VERSIONS.sub("", text)
    return [
        text[max(0, found.start() - 25) : found.end() + 15].replace("\n", " ")
        for found in re.finditer(RULES[rule], text, re.M)
    ]


@pytest.mark.parametrize("rule", RULES)
def test_the_prose_follows_the_rule(rule):
    assert {name: found for name, text in prose().items() if (found := faults(rule, text))} == {}


IN_CODE = [rule for rule in RULES if "accent" in rule or "peso" in rule or "esclamativo" in rule]


@pytest.mark.parametrize("rule", IN_CODE)
def test_what_the_library_shows_follows_the_rule(rule):
    assert {name: found for name, text in sentences().items() if (found := faults(rule, text))} == {}


@pytest.mark.parametrize("name", prose())
def test_quotation_marks_are_opened_and_closed(name):
    depth = 0
    for mark in re.findall("[«»]", prose()[name]):
        depth += 1 if mark == "«" else -1
        assert depth in (0, 1)
    assert depth == 0


def test_each_thing_has_one_name():
    """I modi di dire che il glossario evita non compaiono; quelli di una parola, nel codice, sono nomi."""
    avoided = [form for term in TERMS for form in term.avoid]
    assert len(avoided) > 20
    found = {
        (name, form)
        for texts, forms in ((prose(), avoided), (sentences(), [form for form in avoided if " " in form]))
        for name, text in texts.items()
        for form in forms
        if re.search(rf"\b{re.escape(form)}\b", text, re.I)
    }
    assert found == set()


@pytest.mark.parametrize(
    ("rule", "text"),
    [*zip(
        RULES,
        ["Bravo!", 'la "chiave"', "E' vero, perche' no", "cosi piu", "perchè sì", "vale 0.5", "i pesi",
         "e poi...", "prima - dopo"],
        strict=True,
    )],
)  # fmt: skip
def test_each_rule_sees_what_it_forbids(rule, text):
    assert faults(rule, text)


@pytest.mark.parametrize("rule", RULES)
def test_no_rule_forbids_good_prose(rule):
    assert not faults(rule, "Un po' di «pesi», 0,5 e §3.2.1; (..., L) con Python 3.11: perché è così, e n−1.")

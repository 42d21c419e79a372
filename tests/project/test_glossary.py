"""Il glossario è una tabella sola: la pagina la mostra com'è, e il corso la segue."""

from __future__ import annotations

import re

import jupytext
import nbformat
import pytest

from course_lib.glossary import TERMS, glossary, symbols
from tests.conftest import ROOT
from tests.notebooks.texts import NAMES, plain, prose, source
from tests.project.italian import sources

PAGE = ROOT / "notebooks" / "09-parole-e-simboli.ipynb"
GREEK = {"alpha": "α", "tau": "τ", "ell": "ℓ", "gamma": "γ", "beta": "β", "eta": "η", "nabla": "∇"}
GREEK |= {"omega": "ω", "mu": "μ", "sigma": "σ"}
MATHS = set(
    "approx bigl bigr cdot cos dots frac infty left ln log mathsf qquad quad right sin sqrt sum tfrac times "
    "top le ge ne to pi max tanh partial varepsilon".split()
)
LOCAL = set("bceijmptuy")  # indici, costanti: valgono dove il testo dice che cosa sono
PLURAL = {"a": "[ae]", "o": "(?:o|i|hi)", "e": "[ei]"}


def forms(term: str) -> re.Pattern:
    """Un termine al singolare e al plurale."""
    words = re.sub(r" \(.*", "", term).split()
    inflected = [
        re.escape(word[:-1]) + PLURAL[word[-1]] if len(word) > 3 and word[-1] in PLURAL else re.escape(word)
        for word in words
    ]
    before = "(?<!in )(?<!un )" if term == "blocco" else ""  # «in (un) blocco» è un'altra cosa
    return re.compile(rf"{before}\b{' '.join(inflected)}\b", re.I)


def formulas(text: str) -> str:
    """Le formule di un testo, senza le parole che contengono."""
    text = re.sub(r"^```.*?^```", " ", text, flags=re.S | re.M)
    found = " ".join(a or b for a, b in re.findall(r"\$\$(.*?)\$\$|\$([^$\n]+)\$", text, re.S))
    return re.sub(r"\\(?:text|mathrm|operatorname|begin|end)\{[^}]*\}", " ", found)


def letters(text: str) -> set[str]:
    """I simboli di una formula: lettere, e lettere greche col loro segno."""
    commands = set(re.findall(r"\\([a-zA-Z]+)", text)) - MATHS
    plain_letters = set(re.findall(r"[a-zA-Z]", re.sub(r"\\[a-zA-Z]+", " ", text)))
    return plain_letters | {GREEK.get(name, name) for name in commands}


def listed() -> set[str]:
    """Ogni lettera dei simboli del glossario, anche quelle degli indici."""
    return {letter for term in TERMS for letter in re.sub(r"[\W\d_]|model", "", term.symbol)}


def test_the_page_shows_the_table_as_it_is():
    shown = [
        output["data"]["text/html"]
        for cell in nbformat.read(PAGE, as_version=4).cells
        for output in cell.get("outputs", [])
        if "text/html" in output.get("data", {})
    ]
    assert shown == [glossary().html(), symbols().html()]


def test_every_row_is_complete_and_every_name_and_symbol_is_of_one_thing():
    assert all(term.italian and term.english and 1 <= term.notebook <= 8 for term in TERMS)
    assert all(re.fullmatch(r"[A-ZÈL].*\.", term.meaning) for term in TERMS)
    assert len({term.italian for term in TERMS}) == len({term.meaning for term in TERMS}) == len(TERMS)
    every = [symbol for term in TERMS for symbol in term.symbol.split(", ") if symbol]
    assert len(every) == len(set(every))
    assert not {term.italian for term in TERMS} & {form for term in TERMS for form in term.avoid}


def test_the_tables_are_in_order_and_complete():
    assert [row[0] for row in glossary().rows][:3] == ["ablazione", "addestramento", "attenzione incrociata"]
    assert len(glossary().rows) == len(TERMS)
    assert {row[0] for row in symbols().rows} == {term.symbol for term in TERMS if term.symbol}
    said = {row[0]: row[1] for row in symbols().rows}
    counted = {said[symbol] for symbol in ("h", "N", "B")}  # sono quanti, non la cosa
    assert counted == {"numero di teste", "numero di blocchi", "numero di frasi di un batch"}
    places = [row[-1] for row in symbols().rows]
    assert places == sorted(places)


def test_the_page_is_reachable_from_the_readme_and_from_every_card():
    assert PAGE.name in (ROOT / "README.md").read_text(encoding="utf-8")
    for name in NAMES:
        assert f"({PAGE.name})" in prose(source(name)).split("## La domanda")[0], name


@pytest.mark.parametrize("name", NAMES)
def test_a_term_is_met_in_the_notebook_that_explains_it(name):
    text, used = prose(source(name)), letters(formulas(prose(source(name))))
    for term in (term for term in TERMS if term.notebook == int(name[:2])):
        symbols_of_it = set(re.sub(r"[\W\d_]|model", "", term.symbol))
        assert forms(term.italian).search(text) or symbols_of_it & used, term.italian


@pytest.mark.parametrize("name", NAMES)
def test_a_term_used_earlier_says_in_which_notebook_it_is_explained(name):
    early = []
    for paragraph in re.split(r"\n\s*\n", plain(prose(source(name)))):
        for term in (term for term in TERMS if term.notebook > int(name[:2])):
            said = re.search(r"notebook (?:\d, )*(?:\d e )?\d", paragraph)
            if forms(term.italian).search(paragraph) and not said:
                early.append((term.italian, paragraph[:80]))
    assert early == []


@pytest.mark.parametrize("path", sources(), ids=lambda path: path.stem)
def test_formulas_use_the_symbols_of_the_table(path):
    text = "\n\n".join(cell.source for cell in jupytext.read(path).cells if cell.cell_type == "markdown")
    assert letters(formulas(text)) - listed() - LOCAL == set()


@pytest.mark.parametrize("name", NAMES)
def test_greek_symbols_wait_for_their_notebook(name):
    used = letters(formulas(prose(source(name)))) & {"α", "τ", "ℓ", "γ", "β", "η", "∇"}
    first = {letter: term.notebook for term in TERMS for letter in term.symbol if letter in used}
    assert {letter for letter in used if first[letter] > int(name[:2])} == set()


def test_temperature_is_never_a_capital_t_and_a_logit_never_a_z():
    for path in sources():
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"temperatur\w+ \$T\$|\$T\$ è la temperatura|logit \$z", text), path.name


def test_the_searches_see_what_they_look_for():
    assert letters(formulas(r"$\theta + \alpha_j x$ e `$y$`, $$\text{ciao} \frac{Z}{2}$$")) >= {
        "theta",
        "α",
        "x",
        "Z",
    }
    for term, seen, unseen in (("blocco", "due blocchi", "in blocco"), ("testa", "le teste", "il testo")):
        assert forms(term).search(seen)
        assert not forms(term).search(unseen)

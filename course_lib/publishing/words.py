"""La pagina del glossario, fatta dalle voci di `course_lib.glossary`."""

from __future__ import annotations

from course_lib.glossary import TERMS, Term, symbols

START = """# Glossario

Ogni cosa ha in tutto il corso un nome solo. Accanto c'è il termine inglese, quello degli articoli e delle
librerie; in fondo a ogni voce, il notebook che la spiega.

:::::{glossary}
:sorted:

"""
SYMBOLS = """
:::::

## I simboli

La forma dice quanti numeri ci sono lungo ogni asse: (L, S) vuol dire L righe, una per query, e S colonne, una
per key. Dove manca, il simbolo è un numero solo, oppure la sua forma cambia da un caso all'altro.

| simbolo | che cos'è | forma | notebook |
|---|---|---|---|
"""


def glossary_page(notebooks: dict[int, str]) -> str:
    """Tutte le voci in ordine alfabetico e poi i simboli, in MyST Markdown.

    notebooks: numero -> dove sta il notebook, visto dalla pagina
    """
    rows = [
        f"| {code(symbol)} | {what} | {code(shape)} | [{number}]({notebooks[int(number)]}) |"
        for symbol, what, shape, number in symbols().rows
    ]
    entries = "\n\n".join(_entry(term, notebooks) for term in TERMS)
    return START + entries + SYMBOLS + "\n".join(rows) + "\n"


def code(text: str) -> str:
    """Un simbolo o una forma, scritti come codice; niente se manca."""
    return f"`{text}`" if text else ""


def _entry(term: Term, notebooks: dict[int, str]) -> str:
    """Una voce: italiano, inglese e simbolo, che cosa vuol dire, dove si incontra."""
    symbol = f" · {code(term.symbol)}" if term.symbol else ""
    where = f"[Notebook {term.notebook}]({notebooks[term.notebook]})"
    return f"{term.italian}\n  *{term.english}*{symbol}. {term.meaning} {where}."

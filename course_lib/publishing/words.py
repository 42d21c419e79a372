"""La pagina delle parole e dei simboli, fatta dalle voci di `course_lib.glossary`."""

from __future__ import annotations

from course_lib.glossary import TERMS, Term


def pages() -> dict[str, str]:
    """Nome della pagina -> testo."""
    return {"glossario.md": glossary_page()}


def glossary_page() -> str:
    """Tutte le voci in ordine alfabetico, in MyST Markdown."""
    entries = "\n".join(_entry(term) for term in TERMS)
    return f"# Glossario\n\n::::{{glossary}}\n:sorted:\n\n{entries}\n::::\n"


def _entry(term: Term) -> str:
    return f"{term.italian}\n: *{term.english}*. {term.meaning}"

"""Le pagine di JupyterHub in italiano: le sue, con le frasi sostituite mentre Jinja le carica.

Le frasi stanno in `pages_it.json`: nome della pagina -> frase com'è nella pagina -> frase italiana.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path

from jinja2.ext import Extension

CATALOGUE = Path(__file__).with_name("pages_it.json")


@functools.cache
def catalogue() -> dict[str, dict[str, str]]:
    """Le sostituzioni, pagina per pagina."""
    return json.loads(CATALOGUE.read_text(encoding="utf-8"))


class ItalianPages(Extension):
    """L'estensione di Jinja che sostituisce le frasi."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """La pagina con le sue frasi in italiano; ciò che non si conosce resta com'è."""
        for english, italian in catalogue().get(name or "", {}).items():
            source = source.replace(english, italian)
        return source

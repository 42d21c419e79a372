"""Gli ultimi ritocchi al PDF: titolo e autori, nessuna data, sempre gli stessi byte."""

from __future__ import annotations

import logging
from pathlib import Path

from pypdf import PdfReader, PdfWriter
from pypdf.generic import BooleanObject, DictionaryObject, NameObject

TITLE = "Chiave di lettura. L'attenzione e i Transformer, fatti a mano"
METADATA = {
    "/Title": TITLE,
    "/Author": "gli autori di Chiave di lettura",
    "/Subject": "Un corso in otto notebook, con esercizi, da stampare. Testi CC BY 4.0, codice MIT.",
    "/Keywords": "attenzione, Transformer, Python, NumPy",
    "/Creator": "corso dispensa",
    "/Producer": "Chromium, pypdf",
}


def finish(printed: Path, target: Path) -> int:
    """Da `printed` a `target`, con i dati del libro al posto di quelli di Chromium; restituisce le pagine."""
    logging.getLogger("pypdf").setLevel(logging.ERROR)      # di Chromium non piace come conta gli oggetti
    reader = PdfReader(printed)
    writer = PdfWriter(clone_from=reader)
    writer.pdf_header = reader.pdf_header       # pypdf scriverebbe 1.3, e ciò che c'è dentro è più nuovo
    writer.metadata = None
    writer.add_metadata(METADATA)
    root = writer.root_object
    shown = {NameObject("/DisplayDocTitle"): BooleanObject(True)}
    root[NameObject("/ViewerPreferences")] = DictionaryObject(shown)
    root[NameObject("/PageMode")] = NameObject("/UseOutlines")
    writer.write(target)
    return len(writer.pages)

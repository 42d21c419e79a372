"""Completa l'italiano di JupyterLab: il suo pacchetto di lingua lascia in inglese i menu e molti comandi.

Le traduzioni mancanti stanno in `lab_it.json`: chiave come nei cataloghi di JupyterLab (msgid, oppure
contesto + U+0004 + msgid), valore una stringa, o singolare e plurale.
"""

from __future__ import annotations

import json
from pathlib import Path

CATALOGUE = Path(__file__).with_name("lab_it.json")
DOMAINS = ("jupyterlab", "notebook", "jupytext")  # i cataloghi da completare
WRONG = {"Go to Line…": ["Vai alla riga…"]}  # nel pacchetto c'è, sbagliata: «Vai all Linea…»


def missing_translations() -> dict[str, list[str]]:
    """Il nostro catalogo, nella forma che JupyterLab si aspetta: chiave -> [singolare, plurale…]."""
    entries = json.loads(CATALOGUE.read_text(encoding="utf-8"))
    return {key: [text] if isinstance(text, str) else text for key, text in entries.items()}


def complete(pack: dict, locale: str) -> dict:
    """Aggiunge al pacchetto di lingua le voci che gli mancano; quelle che ha già restano, tolte le sbagliate.

    pack: dominio -> catalogo, come lo restituisce `jupyterlab_server`.   locale: per esempio "it_IT".
    """
    if locale != "it_IT" or "jupyterlab" not in pack:
        return pack
    ours = missing_translations()
    return pack | {name: {**ours, **pack[name], **WRONG} for name in DOMAINS if name in pack}


def install() -> None:
    """Fa passare per `complete` ciò che il server di questo processo manda al browser."""
    from jupyterlab_server import translations_handler

    original = translations_handler.get_language_pack
    if getattr(original, "completed", False):
        return

    def get_language_pack(locale):
        pack, message = original(locale)
        return complete(pack, locale), message

    get_language_pack.completed = True
    translations_handler.get_language_pack = get_language_pack

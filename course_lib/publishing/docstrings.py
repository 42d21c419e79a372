"""Estensione di Sphinx: le docstring del corso, scritte in testo semplice, diventano reStructuredText.

Una docstring del corso è una frase, poi righe «nome: che cos'è»; più d'una sta sulla stessa riga, separata
da tre spazi. Le tabelle sono come in Markdown, il codice sta fra accenti gravi.
"""

from __future__ import annotations

import inspect
import re

ITEM = re.compile(r"(?:\*{0,2}[A-Za-z_]\w*(?:(?:, | e )\*{0,2}[A-Za-z_]\w*)*|Fonte|Restituisce): |Solleva ")
SEVERAL = re.compile(r" {3,}(?=\*{0,2}[A-Za-z_][\w, ]*: )")
CODE = re.compile(r"`([^`]+)`")
LONGEST = 60                        # un valore predefinito più lungo, per esempio tutte le scene, si tace
SPECIAL = re.compile(r"([\\*|]|_(?!\w))")


def setup(app) -> dict:
    """Ciò che Sphinx chiama quando carica l'estensione."""
    app.connect("autodoc-process-docstring", _on_docstring)
    app.connect("autodoc-process-signature", _on_signature)
    app.connect("autodoc-skip-member", _on_member)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _on_docstring(app, what, name, obj, options, lines: list[str]) -> None:
    lines[:] = as_rst(lines)


def _on_member(app, what, name, obj, skip, options) -> bool | None:
    """Tace i campi di una NamedTuple: li dicono già la firma e la docstring della classe."""
    return True if str(getattr(obj, "__doc__", "")).startswith("Alias for field number") else None


def _on_signature(app, what, name, obj, options, signature, returns):
    """Un widget passa per `__new__`, che accetta tutto: chi legge vuole gli argomenti di `__init__`."""
    if what != "class" or signature != "(*args, **given)":
        return None
    _, *others = inspect.signature(obj.__init__).parameters.values()
    shown = [one.replace(default=...) if len(repr(one.default)) > LONGEST else one for one in others]
    return str(inspect.Signature(shown)).replace("Ellipsis", "…"), returns


def as_rst(lines: list[str]) -> list[str]:
    """Le righe di una docstring in reStructuredText: prosa, elenchi di argomenti, tabelle, esempi.

    Il primo capoverso è la frase che dice che cosa fa: è prosa anche se ha i due punti.
    """
    first, *others = _paragraphs(lines) or [[]]
    found = [*(_escaped(line.strip()) for line in first), ""]
    for paragraph in others:
        if paragraph[0].startswith("|"):
            found += _table(paragraph)
        elif paragraph[0].startswith("    "):
            found += ["::", "", *paragraph]
        else:
            found += _prose(paragraph)
        found.append("")
    return found


def _paragraphs(lines: list[str]) -> list[list[str]]:
    """Le righe divise dove una è vuota; una tabella sta da sola anche senza righe vuote attorno."""
    found: list[list[str]] = [[]]
    for line in lines:
        table = line.startswith("|")
        if not line.strip() or (found[-1] and table != found[-1][-1].startswith("|")):
            found.append([])
        if line.strip():
            found[-1].append(line.rstrip())
    return [paragraph for paragraph in found if paragraph]


def _prose(paragraph: list[str]) -> list[str]:
    """Un capoverso; dalla prima riga «nome: …» in poi, una voce per riga."""
    found: list[str] = []
    for line in paragraph:
        parts = SEVERAL.split(line.strip())
        if any(map(ITEM.match, parts)):
            if found and not found[-1].startswith("* "):
                found.append("")
            found += [f"* {_item(part)}" for part in parts]
        elif found and found[-1].startswith("* "):
            found[-1] += " " + _escaped(line.strip())       # il seguito della voce
        else:
            found.append(_escaped(line.strip()))
    return found


def _item(text: str) -> str:
    name, colon, rest = text.partition(": ")
    if not colon or not ITEM.match(text) or text.startswith("Solleva "):
        return _escaped(text)
    return f"**{_escaped(name)}**: {_escaped(rest)}" if name[0].islower() or len(name) < 4 else _escaped(text)


def _table(paragraph: list[str]) -> list[str]:
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in paragraph]
    rows = [row for row in rows if not all(set(cell) <= set("-:") for cell in row)]
    found = [".. list-table::", "   :header-rows: 1", ""]
    for row in rows:
        found += [f"   {'* -' if at == 0 else '  -'} {_escaped(cell)}" for at, cell in enumerate(row)]
    return found


def _escaped(text: str) -> str:
    """Il testo in cui nulla ha un senso suo per reStructuredText, fuorché il codice fra accenti gravi."""
    pieces = enumerate(CODE.split(text))
    return "".join(f"``{piece.strip()}``" if at % 2 else SPECIAL.sub(r"\\\1", piece) for at, piece in pieces)

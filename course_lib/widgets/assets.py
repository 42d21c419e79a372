"""Unisce i moduli JavaScript di un widget in uno solo, senza altri strumenti.

Ogni modulo è un vero modulo ES, che importa dagli altri con una riga `import { a, b } from "./dom.js";`.
Uniti, stanno tutti nello stesso spazio dei nomi: due moduli non possono dare lo stesso nome a due cose.
Fonte: il formato che anywidget chiede, https://anywidget.dev.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
IMPORT = re.compile(r'^import \{[^}]*\} from "(\./[^"]+)";\n', re.MULTILINE)
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) )", re.MULTILINE)
COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)


@functools.cache
def module(name: str) -> str:
    """Il modulo del widget `name`: i pezzi che usa, ciascuno una volta e prima di chi lo usa, poi il suo.

    Solleva ValueError se due moduli dichiarano lo stesso nome.
    """
    found: dict[Path, str] = {}
    _collect(HERE / f"{name}.js", found)
    owner: dict[str, Path] = {}
    for path, text in found.items():
        for word in DECLARED.findall(text):
            if word in owner:
                raise ValueError(
                    f"{path.name} e {owner[word].name} dichiarano tutt'e due «{word}»: cambiane uno."
                )
            owner[word] = path
    return "".join(INDENT.sub("", COMMENT.sub("", EXPORT.sub("", text))) for text in found.values())


@functools.cache
def style(name: str) -> str:
    """I fogli di stile dei pezzi comuni e, se c'è, quello del widget."""
    own = HERE / f"{name}.css"
    common = (HERE / "pieces" / "pieces.css").read_text(encoding="utf-8")
    return common + (own.read_text(encoding="utf-8") if own.is_file() else "")


def _collect(path: Path, found: dict[Path, str]) -> None:
    """Il testo di `path` senza importazioni, dopo quello dei moduli che importa."""
    if path in found:
        return
    text = path.read_text(encoding="utf-8")
    for target in IMPORT.findall(text):
        _collect((path.parent / target).resolve(), found)
    found[path] = IMPORT.sub("", text)

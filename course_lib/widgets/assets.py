"""Unisce i moduli JavaScript di un widget in uno solo, senza altri strumenti.

Ogni modulo è un vero modulo ES, che importa dagli altri con una riga `import { a, b } from "./dom.js";`.
Uniti, stanno tutti nello stesso spazio dei nomi: due moduli non possono dare lo stesso nome a due cose.
Fonte: il formato che anywidget chiede, https://anywidget.dev.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from pathlib import Path

from course_lib.widgets.squeeze import squeeze

HERE = Path(__file__).resolve().parent
IMPORT = re.compile(r'^import \{[^}]*\} from "(\./[^"]+)";\n', re.MULTILINE)
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)", re.MULTILINE)
SEVERAL = re.compile(r"^(?:export )?(?:const|let) [\[{]([^\]}]*)[\]}] =", re.MULTILINE)   # const [A, B] = …
WORD = re.compile(r"[\w$]+")
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let) )", re.MULTILINE)
COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)
OFFERED = re.compile(
    r"^export (?:function (?P<f>\w+)\(.*?\n\}\n|const (?P<c>\w+) = [^\n]*;\n)", re.MULTILINE | re.DOTALL
)


@functools.cache
def module(name: str) -> str:
    """Il modulo del widget `name`, senza spazi inutili: i pezzi che usa, prima di chi li usa, poi il suo.

    Solleva ValueError se due moduli dichiarano lo stesso nome.
    """
    return squeeze(joined(name))


def joined(name: str) -> str:
    """Lo stesso modulo, ancora come è scritto, senza i commenti a riga intera."""
    found: dict[Path, str] = {}
    _collect(HERE / f"{name}.js", found)
    owner: dict[str, Path] = {}
    for path, text in found.items():
        for word in _declared(text):
            if word in owner:
                raise ValueError(
                    f"{path.name} e {owner[word].name} dichiarano tutt'e due «{word}»: cambiane uno."
                )
            owner[word] = path
    return EXPORT.sub("", _without_unused("".join(COMMENT.sub("", text) for text in found.values())))


@functools.cache
def style(name: str) -> str:
    """I fogli di stile dei pezzi comuni e, se c'è, quello del widget."""
    own = HERE / f"{name}.css"
    common = (HERE / "pieces" / "pieces.css").read_text(encoding="utf-8")
    return common + (own.read_text(encoding="utf-8") if own.is_file() else "")


def _declared(text: str) -> list[str]:
    """I nomi che un modulo dichiara in cima: uno per volta, o più d'uno con `const [A, B] = …`."""
    parts = [part for group in SEVERAL.findall(text) for part in group.split(",")]
    return DECLARED.findall(text) + [part.split(":")[-1].split("=")[0].strip(" .") for part in parts]


def _without_unused(text: str) -> str:
    """Il testo senza le funzioni e le costanti che un pezzo offre e che qui nessuno nomina."""
    counts = Counter(WORD.findall(text))
    kept = OFFERED.sub(lambda one: "" if counts[one["f"] or one["c"]] == 1 else one.group(), text)
    return text if kept == text else _without_unused(kept)


def _collect(path: Path, found: dict[Path, str]) -> None:
    """Il testo di `path` senza importazioni, dopo quello dei moduli che importa."""
    if path in found:
        return
    text = path.read_text(encoding="utf-8")
    for target in IMPORT.findall(text):
        _collect((path.parent / target).resolve(), found)
    found[path] = IMPORT.sub("", text)

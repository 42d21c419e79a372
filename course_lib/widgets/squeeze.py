"""Toglie da un modulo JavaScript gli spazi e i segni che non servono.

Non tocca testi, modelli fra accenti gravi ed espressioni regolari. I commenti in fondo a una riga cadono;
gli a capo restano dove potrebbero chiudere un'istruzione; un punto e virgola
prima di } non serve, e nemmeno le parentesi attorno al solo parametro di una funzione a freccia.
"""

from __future__ import annotations

import re

_STRING = re.compile(r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""")
_REGEX = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/[a-z]*")
_WORD = re.compile(r"[\w$\u0080-\uffff]+")
_SPACE = re.compile(r"(?:\s|//[^\n]*)+")
_BEFORE_REGEX = re.compile(r"(?:^|[(,=:\[!&|?{};>]|\breturn)$")
_LONE = re.compile(r"\(([A-Za-z_$][\w$]*)\)(?=\s*=>)")
_OPEN = "{(,;[=:?&|<>*"                   # dopo questi, o prima degli altri, un a capo non chiude nulla
_DECLARED = ("function ", "async function ")  # prima è finita un'altra funzione
_CLOSED = ")]},;.=:?&|<>*"


def squeeze(text: str) -> str:
    """Lo stesso modulo, con gli stessi effetti, in meno caratteri."""
    done: list[str] = []
    place = 0
    while place < len(text):
        space = _SPACE.match(text, place)
        if space:
            place = space.end()
            done.append(_needed(space.group(), done[-1][-1:] if done else "", text[place : place + 15]))
            if not done[-1]:
                done.pop()
            continue
        lone = _LONE.match(text, place)
        if lone and not (done and _WORD.match(done[-1])):
            done.append(lone[1])
            place = lone.end()
            continue
        end = _token(text, place, done)
        if text[place] == "}" and done[-1:] == [";"]:
            done.pop()
        done.append(text[place:end])
        place = end
    return "".join(done)


def _needed(space: str, before: str, rest: str) -> str:
    """Che cosa resta di uno spazio fra un carattere e ciò che segue: nulla, uno spazio o un a capo."""
    after = rest[:1]
    if not before or not after or (before == "}" and rest.startswith(_DECLARED)):
        return ""
    if "\n" in space:
        return "" if before in _OPEN or after in _CLOSED else "\n"
    words = _WORD.match(before) and _WORD.match(after)
    return " " if words or (before == after and after in "+-/") else ""


def _token(text: str, place: int, done: list[str]) -> int:
    """Dove finisce il pezzo che comincia in `place`."""
    start = text[place]
    if start == "`":
        return _template(text, place)
    found = _STRING.match(text, place) or _WORD.match(text, place)
    if not found and start == "/" and _BEFORE_REGEX.search("".join(done[-3:]).rstrip()):
        found = _REGEX.match(text, place)
    return found.end() if found else place + 1


def _template(text: str, place: int) -> int:
    """Dove finisce un modello fra accenti gravi, con i suoi pezzi ${…} e ciò che contengono."""
    place += 1
    while text[place] != "`":
        if text.startswith("${", place):
            place = _hole(text, place + 2)
        else:
            place += 2 if text[place] == "\\" else 1
    return place + 1


def _hole(text: str, place: int) -> int:
    """Dove finisce un pezzo ${…}."""
    done: list[str] = ["{"]
    depth = 1
    while depth:
        end = _token(text, place, done)
        piece = text[place:end]
        depth += {"{": 1, "}": -1}.get(piece, 0)
        done.append(piece)
        place = end
    return place

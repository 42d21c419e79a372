"""Cerca nel pacchetto per chi studia ciò che non deve esserci: prove nascoste e soluzioni."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from course_lib.building.rules import HIDDEN, MARK, SOLUTION, pupil_view, regions
from course_lib.building.source import Source

SHORTEST = 8  # una riga più corta, tolti gli spazi, non dice nulla: «})», «else:»
COMMENT = re.compile(r"(?<=\S)\s{2,}#.*$")


@dataclass(frozen=True)
class Secret:
    """Qualcosa che non deve trovarsi nel pacchetto."""

    exercise: str
    kind: str  # HIDDEN oppure SOLUTION
    text: str  # senza spazi
    shown: str  # com'è scritto, per dirlo a chi distribuisce
    whole: bool  # True per una soluzione intera, False per una riga sola


def squeeze(text: str) -> str:
    """Il testo senza commenti a fine riga e senza spazi: così l'impaginazione non nasconde nulla."""
    return re.sub(r"\s+", "", "\n".join(COMMENT.sub("", line) for line in text.splitlines()))


def secrets(source: Source) -> list[Secret]:
    """Le righe nascoste e le soluzioni di un esercizio, tolto ciò che l'esercizio mostra comunque."""
    public = "\n".join(squeeze(pupil_view(cell)) for cell in source.cells)
    exercise = source.name.rsplit("/", 1)[-1].removesuffix(".md")
    found = []
    for cell in source.cells:
        for region in regions(source, cell):
            telling = [
                line for line in region.lines if len(squeeze(line)) >= SHORTEST and not is_comment(line)
            ]
            for line in telling:
                if squeeze(line) not in public:
                    found.append(Secret(exercise, region.kind, squeeze(line), line.strip(), False))
            if region.kind == SOLUTION and len(telling) > 1:
                whole = squeeze("\n".join(telling))
                found.append(Secret(exercise, SOLUTION, whole, telling[0].strip(), True))
    return found


def is_comment(line: str) -> bool:
    """True se la riga è soltanto un commento, che può dire le stesse parole dell'enunciato."""
    return line.lstrip().startswith("#")


def find_leaks(files: dict[str, bytes], wanted: list[Secret]) -> list[str]:
    """Una frase per ogni segreto trovato e per ogni segno BEGIN/END rimasto.

    files: percorso nel pacchetto -> contenuto.
    Le prove nascoste si cercano dappertutto. Le righe di una soluzione si cercano dappertutto fuorché in
    course_lib, che si può leggere, e nei notebook, dove una riga può essere proprio la lezione: lì si
    cercano le soluzioni intere.
    """
    found = []
    for name, data in files.items():
        parts = list(texts(name, data))
        if any(MARK.match(line) for part in parts for line in part.splitlines()):
            found.append(f"{name}: è rimasto un segno ### BEGIN oppure ### END")
        squeezed = "\n".join(map(squeeze, parts))
        for secret in wanted:
            if is_looked_for(secret, name) and secret.text in squeezed:
                what = "una prova nascosta" if secret.kind == HIDDEN else "una soluzione"
                found.append(f"{name}: contiene {what} di {secret.exercise} («{secret.shown[:60]}»)")
    return found


def is_looked_for(secret: Secret, name: str) -> bool:
    """True se in questo file quel segreto sarebbe una fuga."""
    if secret.kind == HIDDEN:
        return True
    if name.startswith("course_lib/"):
        return False
    return secret.whole or not name.startswith("notebooks/")


def texts(name: str, data: bytes) -> Iterator[str]:
    """I testi di un file: il file intero e, di un notebook, anche ogni stringa del suo JSON."""
    text = data.decode("utf-8", errors="replace")
    yield text
    if name.endswith(".ipynb"):
        yield from strings(json.loads(text))


def strings(value) -> Iterator[str]:
    """Le stringhe di un JSON; le liste di sole stringhe, come le celle, si uniscono."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        if value and all(isinstance(inner, str) for inner in value):
            yield "".join(value)
        else:
            for inner in value:
                yield from strings(inner)

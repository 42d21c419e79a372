"""Gli errori delle celle, raccontati a chi sta per consegnare."""

from __future__ import annotations

import ast
import re

from nbformat import NotebookNode

ANSI = re.compile(r"\x1b\[[0-9;]*m")
UNDEFINED = re.compile(r"name '(\w+)' is not defined")
NOT_PYTHON = ("SyntaxError", "IndentationError", "TabError")
INTERRUPTED = ("KeyboardInterrupt", "VerificaInterrotta")
ENDLESS = "Non finisce in tempo: c'è un ciclo senza fine?"


def in_answer(error: NotebookNode, source: str) -> str:
    """L'errore di una cella di risposta, con la riga in cui si ferma.

    error: l'uscita di tipo «error»   source: il testo della cella
    """
    text = ANSI.sub("", error.evalue)
    if error.ename in INTERRUPTED:
        return ENDLESS
    if error.ename in NOT_PYTHON:
        where = _line(re.search(r"line (\d+)", text), source)
        return f"non è Python corretto{where}"
    where = _line(re.search(r"-> (\d+) ", ANSI.sub("", "\n".join(error.traceback))), source)
    undefined = UNDEFINED.fullmatch(text)
    if undefined:
        return f"si ferma perché il nome «{undefined[1]}» non è definito{where}"
    return f"si ferma con {error.ename}: {text}{where}" if text else f"si ferma con {error.ename}{where}"


def in_test(error: NotebookNode, broken: dict[str, str], added: set[str]) -> str:
    """L'errore di una cella di prova.

    broken: {nome definito in una cella che non è Python corretto: che cosa si è detto di quella cella}
    added: i nomi definiti soltanto in celle aggiunte, che nella correzione non si eseguono
    """
    text = ANSI.sub("", error.evalue)
    if error.ename in INTERRUPTED:
        return ENDLESS
    undefined = UNDEFINED.search(text)
    name = undefined[1] if undefined else None
    if error.ename == "NameError" and name in broken:
        return broken[name]
    moved = f"«{name}» sta in una cella aggiunta: la correzione esegue solo quelle di risposta, spostalo lì."
    if error.ename == "VerificaFallita":
        return f"{text}\n{moved}" if name in added else text
    if error.ename == "NameError" and name:
        ask = f"Non trovo «{name}»: l'hai definita, con questo nome, nella sua cella?"
        return moved if name in added else ask
    return f"{error.ename}: {text}" if text else error.ename


def names_in(cells: list[str]) -> set[str]:
    """I nomi che delle celle di codice definiscono o importano; da una cella che non è Python, nessuno."""
    found: set[str] = set()
    for source in cells:
        try:
            body = ast.parse(source).body
        except (SyntaxError, ValueError):
            continue
        for step in body:
            if isinstance(step, (ast.FunctionDef, ast.ClassDef)):
                found.add(step.name)
            elif isinstance(step, (ast.Import, ast.ImportFrom)):
                found |= {alias.asname or alias.name.split(".")[0] for alias in step.names}
            elif isinstance(step, ast.Assign):
                found |= {target.id for target in step.targets if isinstance(target, ast.Name)}
    return found


def _line(found: re.Match | None, source: str) -> str:
    lines = source.split("\n")
    number = int(found[1]) if found else 0
    return f", riga {number}: {lines[number - 1].strip()}" if 0 < number <= len(lines) else "."

"""Di chi è un file, dal suo percorso: i nomi che danno Moodle e Google Classroom, più quelli di chi corregge.

Moodle (mod/assign, «scarica tutte le consegne») scrive «Nome Cognome_123456_assignsubmission_file» come
cartella o, senza cartelle, davanti al nome del file; nelle versioni vecchie la cartella finisce con un altro
«_». Con le consegne anonime al posto del nome c'è «Partecipante». Classroom intitola le copie «Nome Cognome -
titolo», i moduli di Google «titolo - Nome Cognome», e chi duplica un file su Drive ottiene «Copia di titolo».
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path

from course_lib.grading.outputs import clean_text
from course_lib.grading.register import student_id
from course_lib.project import CorsoError

CONFIGURATION = "nomi.toml"  # nel registro
LONGEST = 255
BEFORE = re.compile(r"^(?:copia di|copy of)\s+", re.IGNORECASE)
AFTER = re.compile(
    r"(?:\s*\(\d+\)|\s+-\s+(?:copia|copy)|-copy\d*|\s+(?:copia|copy)(?:\s+\d+)?|_\d{8}T\d{6}Z(?:-\d+)?)$",
    re.IGNORECASE,
)
NOTEBOOK = re.compile(r"(?:\.ipynb)+(?:\.txt|\.json)?$", re.IGNORECASE)  # i browser aggiungono .txt o .json
TOKEN = re.compile(r"(?<![a-z0-9])es\d\d(?!\d)", re.IGNORECASE)
CONTAINERS = re.compile(
    r"es\d\d|exercises|esercizi[oa]?|consegn[ae]|submissions?|arrivi|download|corso|chiave-di-lettura.*|lavoro",
    re.IGNORECASE,
)
ANONYMOUS = ("partecipante", "participant")


@dataclass(frozen=True)
class Pattern:
    """Uno schema di nome: dove si applica («file» o «cartella») e l'espressione con il gruppo «nome».

    sure: il nome l'ha messo la piattaforma, non chi consegna, e perciò vale più di ogni altro
    """

    title: str
    where: str
    expression: re.Pattern
    sure: bool = False


@dataclass(frozen=True)
class Owner:
    """Di chi è un file: il nome, il numero che la piattaforma gli dà (o ""), se l'ha detto la piattaforma.

    plain: è il nome intero di una cartella o di uno zip   folder: la persona che la cartella dice invece
    """

    name: str
    number: str = ""
    sure: bool = False
    plain: bool = False
    folder: str = ""


@dataclass(frozen=True)
class Names:
    """Gli schemi in ordine di precedenza, e i nomi da unire: identificativo scritto -> nome vero."""

    patterns: tuple[Pattern, ...]
    same: dict[str, str] = field(default_factory=dict)


def _built_in(title: str, where: str, expression: str, sure: bool = False) -> Pattern:
    return Pattern(title, where, re.compile(expression, re.IGNORECASE), sure)


MOODLE = r"(?P<nome>.+?)_(?P<numero>\d+)_assignsubmission_file_"
BUILT_IN = (
    _built_in("Moodle, una cartella a testa", "cartella", MOODLE + "?", True),
    _built_in("Moodle, senza cartelle", "file", MOODLE + "(?P<file>.+)", True),
    _built_in("titolo e nome", "file", r"(?P<esercizio>es\d\d)(?:\s*[-–—_]\s*|\s+)(?P<nome>.+)"),
    _built_in("nome e titolo", "file", r"(?P<nome>.+?)(?:\s*[-–—_]\s*|\s+)(?P<esercizio>es\d\d)"),
)


def names_of(register: Path) -> Names:
    """Gli schemi del corso, preceduti da quelli scritti in registro/nomi.toml.

    register: la cartella del registro
    Solleva CorsoError con una frase se il file non si legge o uno schema è sbagliato.
    """
    path = register / CONFIGURATION
    if not path.is_file():
        return Names(BUILT_IN)
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        place = re.search(r"at line (\d+), column (\d+)", str(error))
        where = f" alla riga {place[1]}, carattere {place[2]}" if place else ""
        raise CorsoError(
            f"{CONFIGURATION} non è TOML valido{where}: guarda l'esempio in GUIDA.md, o toglilo."
        ) from None
    schemes, same = content.get("schema", []), content.get("persone", {})
    if not isinstance(schemes, list) or not isinstance(same, dict):
        raise CorsoError(f"In {CONFIGURATION} gli schemi si scrivono [[schema]] e i nomi da unire [persone].")
    own = tuple(_from_file(scheme, i) for i, scheme in enumerate(schemes, 1))
    return Names(own + BUILT_IN, {student_id(str(k)): str(v) for k, v in same.items()})


def _from_file(scheme: object, number: int) -> Pattern:
    where = f"In {CONFIGURATION}, schema {number}: "
    if not isinstance(scheme, dict) or not isinstance(scheme.get("espressione"), str):
        raise CorsoError(where + "manca «espressione», un'espressione regolare fra apici semplici.")
    if scheme.get("dove", "file") not in ("file", "cartella"):
        raise CorsoError(where + f"«dove» è «{scheme['dove']}», e può essere soltanto «file» o «cartella».")
    try:
        expression = re.compile(scheme["espressione"], re.IGNORECASE)
    except re.error as error:
        place = "" if error.pos is None else f" al carattere {error.pos + 1}"
        raise CorsoError(where + f"l'espressione «{scheme['espressione']}» è sbagliata{place}.") from None
    if "nome" not in expression.groupindex:
        raise CorsoError(
            where + "l'espressione deve contenere (?P<nome>…), la parte con il nome di chi consegna."
        )
    sure = bool(scheme.get("piattaforma", False))
    return Pattern(str(scheme.get("titolo", number)), scheme.get("dove", "file"), expression, sure)


def bare(stem: str) -> str:
    """Un nome senza i segni di copia: «Copia di es02 (1)» → «es02»."""
    before = None
    while stem != before:
        before = stem
        stem = AFTER.sub("", BEFORE.sub("", stem.strip()))
    return stem


def is_notebook(name: str) -> bool:
    """Se è il nome di un notebook, anche con l'estensione ripetuta o allungata da un browser."""
    return NOTEBOOK.search(name) is not None


def stem_of(name: str) -> str:
    """Il nome senza estensione, per zip e notebook."""
    return NOTEBOOK.sub("", name) if is_notebook(name) else re.sub(r"\.zip$", "", name, flags=re.IGNORECASE)


def pupil_file(name: str) -> str:
    """Il nome che il file aveva per chi l'ha consegnato: quello di Moodle porta davanti il suo prefisso."""
    match = BUILT_IN[1].expression.fullmatch(name)
    return match["file"] if match else name


def exercise_in(text: str) -> str | None:
    """L'esercizio che un nome dice, se ne dice uno solo."""
    found = {token.lower() for token in TOKEN.findall(text)}
    return found.pop() if len(found) == 1 else None


def owner(parts: tuple[str, ...], names: Names) -> Owner | None:
    """Di chi è un file, dal suo percorso (cartelle e zip, poi il file); None se non si capisce.

    Prima ciò che ha scritto la piattaforma, poi il nome del file, poi la cartella o lo zip più vicino.
    """
    if any(len(part) > LONGEST for part in parts):
        return None
    for part in parts:
        found = _matched(part, names, ("cartella", "file"), sure=True)
        if found:
            return _same(found, names)
    *outside, last = parts
    found = _matched(last, names, ("file",))
    for part in reversed(outside):
        if CONTAINERS.fullmatch(bare(stem_of(part))):
            continue
        around = _matched(part, names, ("cartella", "file"))
        around = around or Owner(clean_text(bare(stem_of(part)), 100), plain=True)
        if found:
            found = replace(found, folder=another_person(_same(found, names), _same(around, names)))
            break
        found = around
        if stem_of(part) == part:  # una cartella: ciò che la contiene non è di una persona
            break
    return _same(found, names) if found and student_id(found.name) else None


def another_person(one: Owner, around: Owner | None) -> str:
    """Il nome che dice la cartella o lo zip, se pare di una persona e non è la stessa; altrimenti "".

    «2A» e «Terza B» non paiono persone; «Anna» nella cartella «Anna Rossi» è la stessa.
    """
    if around is None:
        return ""
    here, there = (set(student_id(owner.name).split("-")) for owner in (one, around))
    words = [word for word in there if len(word) > 1]
    person = len(words) > around.plain and not any(letter.isdigit() for letter in "".join(there))
    return around.name if person and not (here <= there or there <= here) else ""


def _matched(part: str, names: Names, where: tuple[str, ...], sure: bool | None = None) -> Owner | None:
    for pattern in names.patterns:
        if pattern.where not in where or (sure is not None and pattern.sure != sure):
            continue
        match = pattern.expression.fullmatch(bare(stem_of(part)))
        if match and match["nome"]:
            groups = match.groupdict()
            name, number = clean_text(groups["nome"], 100).strip(" _-"), groups.get("numero") or ""
            if name.lower() in ANONYMOUS:
                name = f"{name} {number}"
            return Owner(name, number, pattern.sure)
    return None


def _same(found: Owner, names: Names) -> Owner:
    return replace(found, name=names.same.get(student_id(found.name), found.name))

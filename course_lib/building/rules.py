"""Le regole per chi scrive: ogni sbaglio dell'autore ha la sua frase, prima che si costruisca qualcosa."""

from __future__ import annotations

import re
from dataclasses import dataclass

from course_lib.building.code import expect_compiles
from course_lib.building.source import Cell, Source

NOTEBOOK_TAGS = ("esatto", "variabile")
TRAINING = "addestramento"  # una cella che nella correzione non si esegue
EXERCISE_TAGS = ("preparazione", "risposta", "prova", TRAINING)
TOTAL_POINTS = 10
MOST_POINTS = 3

SOLUTION = "SOLUTION"
HIDDEN = "HIDDEN TESTS"
# nbgrader riconosce questi segni ovunque nella riga: qui si pretende che la riga sia soltanto il segno.
MARK = re.compile(r"^\s*###\s+(BEGIN|END)\s+(SOLUTION|HIDDEN TESTS)\s*$")
LOOKS_LIKE_MARK = re.compile(
    r"(BEGIN|END)[ _]+(SOLUTIONS?|HIDDEN[ _]+TESTS?|MARK[ _]+SCHEME)|AUTOTEST", re.IGNORECASE
)


@dataclass(frozen=True)
class Region:
    """Un blocco fra due segni, senza i segni."""

    kind: str  # SOLUTION oppure HIDDEN
    lines: tuple[str, ...]


def regions(source: Source, cell: Cell) -> tuple[Region, ...]:
    """I blocchi di una cella; solleva SourceError se un segno è scritto male o non è chiuso."""
    found, kind, lines = [], None, []
    for line in cell.source.splitlines():
        mark = MARK.match(line)
        if not mark and LOOKS_LIKE_MARK.search(line):
            raise source.error(
                cell,
                f"il segno «{line.strip()}» non è fra quelli che si usano qui, da soli sulla riga: "
                "«### BEGIN SOLUTION», «### END SOLUTION», «### BEGIN HIDDEN TESTS», «### END HIDDEN TESTS».",
            )
        if not mark:
            lines.append(line)
        elif mark.group(1) == "BEGIN" and kind is None:
            kind, lines = mark.group(2), []
        elif mark.group(1) == "BEGIN":
            raise source.error(cell, f"un BEGIN {mark.group(2)} sta dentro un blocco {kind} ancora aperto.")
        elif kind == mark.group(2):
            found.append(Region(kind, tuple(lines)))
            kind = None
        else:
            raise source.error(cell, f"c'è un END {mark.group(2)} senza il suo BEGIN.")
    if kind is not None:
        raise source.error(cell, f"c'è un BEGIN {kind} senza il suo END.")
    return tuple(found)


def check_notebook(source: Source) -> None:
    """Solleva SourceError al primo sbaglio di un notebook da leggere."""
    for cell in source.cells:
        expect_known_tags(source, cell, NOTEBOOK_TAGS)
        if {"esatto", "variabile"} <= set(cell.tags):
            raise source.error(cell, "non può essere insieme «esatto» e «variabile».")
        if cell.kind == "markdown" and set(cell.tags) & set(NOTEBOOK_TAGS):
            raise source.error(cell, "«esatto» e «variabile» si mettono soltanto alle celle di codice.")
        if regions(source, cell):
            raise source.error(cell, "i blocchi BEGIN/END stanno soltanto negli esercizi.")
        if cell.kind == "code":
            expect_compiles(source, cell)
            expect_no_last_semicolon(source, cell)


def expect_no_last_semicolon(source: Source, cell: Cell) -> None:
    """Il punto e virgola zittisce una cella in Jupyter ma non in nbval: le uscite non coinciderebbero."""
    if cell.source.rstrip().endswith(";"):
        raise source.error(
            cell, "finisce con un punto e virgola: per non mostrare un risultato scrivi «_ = …»."
        )


def check_exercise(source: Source) -> None:
    """Solleva SourceError al primo sbaglio di un esercizio."""
    for cell in source.cells:
        expect_known_tags(source, cell, EXERCISE_TAGS, points=True)
        expect_role(source, cell)
        if cell.kind == "code":
            expect_compiles(source, cell)
        expect_regions_where_allowed(source, cell)
    expect_tests_after_answers(source)
    total = sum(points(source, cell) for cell in source.cells if role(cell) == "prova")
    if total != TOTAL_POINTS:
        raise source.error(None, f"i punti delle prove fanno {total} invece di {TOTAL_POINTS}.")


def expect_known_tags(source: Source, cell: Cell, known: tuple[str, ...], points: bool = False) -> None:
    """Solleva SourceError per un tag sconosciuto."""
    shapes = [*map(re.escape, known), r"nome-.*"] + ([r"punti-\d+"] if points else [])
    for tag in cell.tags:
        if not any(re.fullmatch(shape, tag) for shape in shapes):
            listed = ", ".join([*known, "nome-…"] + (["punti-N"] if points else []))
            raise source.error(cell, f"il tag «{tag}» non esiste; qui si usano: {listed}.")


def role(cell: Cell) -> str | None:
    """Che cosa fa una cella d'esercizio: «preparazione», «risposta», «prova», «addestramento», o None."""
    return next((tag for tag in cell.tags if tag in EXERCISE_TAGS), None)


def points(source: Source, cell: Cell) -> int:
    """I punti di una cella di prova; solleva SourceError se mancano o sono fuori misura."""
    given = [int(tag.removeprefix("punti-")) for tag in cell.tags if tag.startswith("punti-")]
    if len(given) != 1:
        raise source.error(cell, "una cella «prova» vuole un tag con i suoi punti, per esempio «punti-2».")
    if not 1 <= given[0] <= MOST_POINTS:
        raise source.error(
            cell, f"una cella «prova» vale da 1 a {MOST_POINTS} punti, non {given[0]}: dividila."
        )
    return given[0]


def expect_role(source: Source, cell: Cell) -> None:
    """Un ruolo solo, su celle di codice; i punti soltanto alle prove."""
    roles = [tag for tag in cell.tags if tag in EXERCISE_TAGS]
    if len(roles) > 1:
        raise source.error(cell, f"ha due ruoli insieme, «{roles[0]}» e «{roles[1]}»: tienine uno.")
    if roles and cell.kind != "code":
        raise source.error(cell, f"il tag «{roles[0]}» si mette soltanto alle celle di codice.")
    if role(cell) == "prova":
        points(source, cell)
    elif any(tag.startswith("punti-") for tag in cell.tags):
        raise source.error(cell, "ha dei punti ma non è una cella «prova».")


def expect_regions_where_allowed(source: Source, cell: Cell) -> None:
    """Le soluzioni nelle risposte, i blocchi nascosti nelle prove; e ciò che resta deve compilarsi."""
    found = regions(source, cell)
    kinds = {region.kind for region in found}
    if SOLUTION in kinds and role(cell) != "risposta":
        raise source.error(cell, "un blocco di soluzione sta fuori da una cella «risposta».")
    if HIDDEN in kinds and role(cell) != "prova":
        raise source.error(cell, "un blocco nascosto sta fuori da una cella «prova».")
    if role(cell) == "risposta" and SOLUTION not in kinds:
        raise source.error(
            cell, "una cella «risposta» vuole la soluzione fra «### BEGIN SOLUTION» e «### END SOLUTION»."
        )
    if found:
        expect_compiles(source, cell, pupil_view(cell), "ciò che resta per chi studia")
        if not pupil_view(cell).strip():
            raise source.error(
                cell, "per chi studia non resta nulla: lascia almeno un commento che dica che cosa prova."
            )


def pupil_view(cell: Cell) -> str:
    """La cella senza i blocchi: una riga `...` al posto di ogni soluzione, niente al posto dei nascosti."""
    lines, inside = [], False
    for line in cell.source.splitlines():
        mark = MARK.match(line)
        if mark:
            inside = mark.group(1) == "BEGIN"
            if inside and mark.group(2) == SOLUTION:
                lines.append(line[: len(line) - len(line.lstrip())] + "...")
        elif not inside:
            lines.append(line)
    return "\n".join(lines)


def expect_tests_after_answers(source: Source) -> None:
    """Dopo ogni risposta, e prima della seguente, almeno una prova; nessuna prova prima di ogni risposta."""
    waiting, answered = None, False
    for cell in source.cells:
        if role(cell) == "risposta":
            if waiting:
                raise source.error(waiting, "a questa risposta non segue nessuna cella «prova».")
            waiting, answered = cell, True
        elif role(cell) == "prova":
            if not answered:
                raise source.error(cell, "questa prova viene prima di ogni risposta.")
            waiting = None
    if waiting:
        raise source.error(waiting, "a questa risposta non segue nessuna cella «prova».")

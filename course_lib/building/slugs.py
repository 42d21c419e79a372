"""Nomi stabili e leggibili per le celle, presi dai titoli."""

from __future__ import annotations

import re
import unicodedata

from course_lib.building.source import FENCE, Cell, Source

MAX_SLUG = 46  # un id di cella ha al più 64 caratteri: resta posto per «-preparazione-12»

HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$")
LEADING_NUMBER = re.compile(r"^\d+(\.\d+)*\s*[·.:)–—-]?\s+")
POINTS = re.compile(r"\s*[*_]*\([^()]*\b(punt|minut)[^()]*\)[*_]*\s*$")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def slugify(text: str) -> str:
    """«## 2 · La media è pesata *(2 punti)*» → `la-media-e-pesata`; vuoto se non resta nulla."""
    text = LINK.sub(r"\1", text)
    text = POINTS.sub("", text)
    text = LEADING_NUMBER.sub("", text.strip())
    text = text.replace("’", " ")  # l'apostrofo separa: «l’attenzione» → «l attenzione»
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    words = re.sub(r"[^a-z0-9]+", " ", folded.lower()).split()
    slug = ""
    for word in words:
        if slug and len(slug) + 1 + len(word) > MAX_SLUG:
            break
        slug = f"{slug}-{word}" if slug else word[:MAX_SLUG]
    return slug


def headings(text: str) -> list[str]:
    """I titoli Markdown di una cella, fuori dai blocchi di codice."""
    found, fence = [], None
    for line in text.splitlines():
        mark = FENCE.match(line)
        if mark and fence is None:
            fence = mark.group(1)
        elif mark and mark.group(1).startswith(fence) and not mark.group(2):
            fence = None
        elif fence is None and (match := HEADING.match(line)):
            found.append(match.group(1))
    return found


def explicit_name(source: Source, cell: Cell) -> str | None:
    """Il nome dato con il tag `nome-SLUG`, se c'è; solleva SourceError se sono due o se è scritto male."""
    names = [tag.removeprefix("nome-") for tag in cell.tags if tag.startswith("nome-")]
    if len(names) > 1:
        raise source.error(cell, "ha più di un tag «nome-…»: tienine uno solo.")
    if names and not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", names[0]):
        raise source.error(
            cell,
            f"il nome «{names[0]}» non va bene: soltanto lettere minuscole senza accento, cifre e trattini.",
        )
    if names and len(names[0]) > MAX_SLUG:
        raise source.error(cell, f"il nome «{names[0]}» è troppo lungo: al più {MAX_SLUG} caratteri.")
    return names[0] if names else None


def sections(source: Source) -> list[tuple[str, str, bool]]:
    """Per ogni cella: lo slug dell'ultimo titolo, lo stesso reso unico, e se il titolo sta nella cella."""
    times: dict[str, int] = {}
    slug, unique = "inizio", "inizio"
    found = []
    for cell in source.cells:
        titled = None
        for heading in headings(cell.source) if cell.kind == "markdown" else []:
            if not slugify(heading):
                continue
            slug = slugify(heading)
            times[slug] = times.get(slug, 0) + 1
            unique = slug if times[slug] == 1 else f"{slug}-{times[slug]}"
            titled = titled or (slug, unique)
        found.append((*(titled or (slug, unique)), titled is not None))
    return found


def cell_ids(source: Source, roles: list[str]) -> list[str]:
    """Un id per ogni cella, dal tag `nome-…` o dall'ultimo titolo.

    roles: per ogni cella la parola che segue il titolo («testo», «codice», «risposta», «prova»…).
    Risposte e prove devono avere un nome tutto loro, che resta lo stesso anche se altrove si aggiunge una
    cella: se due coincidono solleva SourceError. Le altre celle ripetute prendono un numero.
    """
    taken: dict[str, Cell] = {}
    for cell, role, (slug, unique, titled) in zip(source.cells, roles, sections(source), strict=True):
        name = explicit_name(source, cell)
        graded = role in ("risposta", "prova")
        if graded:
            base = f"{name or slug}-{role}"
        else:
            base = name or (unique if titled else f"{unique}-{role}")
        if base in taken and (graded or name):
            raise source.error(
                cell,
                f"il nome «{base}» è già della cella alla riga {taken[base].line}: "
                "aggiungi un tag «nome-…» che le distingua.",
            )
        chosen, number = base, 1
        while chosen in taken:
            number += 1
            chosen = f"{base}-{number}"
        taken[chosen] = cell
    return list(taken)

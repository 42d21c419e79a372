"""Come si chiamano le copie in una cartella, e quali si tolgono: una al giorno, una alla settimana."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

from course_lib.grading.rome import ROME

NAME = re.compile(r"registro-(\d{8}T\d{6}Z)(?:-\d+)?\.tar\.gz")
DIGEST = ".sha256"  # il file con l'impronta, accanto alla copia


def free_name(folder: Path, when: dt.datetime) -> Path:
    """Un nome nuovo per la copia fatta in quel momento (UTC)."""
    stem, number = f"registro-{when.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}", 1
    path = folder / f"{stem}.tar.gz"
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}.tar.gz"
    return path


def beside(copy: Path) -> Path:
    """Il file con l'impronta di una copia, nella forma di sha256sum."""
    return copy.with_name(copy.name + DIGEST)


def copies(folder: Path) -> list[Path]:
    """Le copie di una cartella, dalla più recente; ogni altro file non si guarda."""
    found = [path for path in folder.iterdir() if NAME.fullmatch(path.name) and path.is_file()]
    return sorted(found, key=lambda path: (_when(path), len(path.name), path.name), reverse=True)


def superfluous(found: list[Path], days: int, weeks: int) -> list[Path]:
    """Le copie da togliere fra queste, date dalla più recente.

    Restano l'ultima di ciascuno degli ultimi `days` giorni in cui ce n'è una, e lo stesso per `weeks`
    settimane (ora di Roma): se le copie si fermano, quelle che ci sono non invecchiano. La più recente resta.
    """
    kept = set(found[:1])
    for most, period in ((days, _day), (weeks, _week)):
        newest: dict[object, Path] = {}
        for path in found:
            newest.setdefault(period(_when(path)), path)
        kept |= set(list(newest.values())[:most])
    return [path for path in found if path not in kept]


def remove(found: list[Path]) -> None:
    """Toglie queste copie e le loro impronte."""
    for path in found:
        path.unlink(missing_ok=True)
        beside(path).unlink(missing_ok=True)


def _when(path: Path) -> dt.datetime:
    written = NAME.fullmatch(path.name)[1]
    try:
        return dt.datetime.strptime(written, "%Y%m%dT%H%M%SZ").replace(tzinfo=dt.UTC)
    except ValueError:  # cifre che non sono una data: come se fosse vecchissima
        return dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def _day(when: dt.datetime) -> object:
    return when.astimezone(ROME).date()


def _week(when: dt.datetime) -> object:
    return when.astimezone(ROME).isocalendar()[:2]

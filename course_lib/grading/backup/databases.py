"""La copia di un registro dei voti sqlite mentre lo si usa, con la sua API."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from course_lib.grading.backup.index import shown
from course_lib.project import CorsoError

WAIT = 60.0  # secondi che si attende chi sta scrivendo


def copy_sqlite(source: Path, target: Path) -> None:
    """Una copia coerente di un file sqlite, anche mentre altri vi scrivono; poi la si controlla.

    Solleva CorsoError se non si lascia copiare o se la copia non è sana.
    """
    try:
        # in lettura e scrittura: chi l'ha lasciato a metà può aver lasciato un giornale da riassorbire
        address = f"file:{quote(str(source.resolve()))}?mode=rw"
        with closing(sqlite3.connect(address, uri=True, timeout=WAIT)) as old:
            with closing(sqlite3.connect(target)) as new:
                old.backup(new)
                new.execute("PRAGMA journal_mode=DELETE")
                found = new.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.Error as error:
        raise CorsoError(
            f"Il registro dei voti {source} non si lascia copiare («{shown(str(error))}»): "
            "controlla che sia intero e che tu possa scriverlo, e ripeti il comando."
        ) from None
    if found != "ok":
        raise CorsoError(
            f"Il registro dei voti {source} è rovinato («{shown(found)}»), e non l'ho copiato: "
            "rimetti quello della copia precedente."
        )

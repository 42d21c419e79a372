"""Il registro dei voti indicato con --db: PostgreSQL con pg_dump e pg_restore, o un altro file sqlite.

Importa SQLAlchemy e nbgrader, che pesano: chi copia un registro in registro/ non ne ha bisogno.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from sqlalchemy import create_engine, inspect
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError

from course_lib.grading.gradebook import database_url, scrub, without_password
from course_lib.grading.outputs import clean_text
from course_lib.project import CorsoError

__all__ = ["database_url", "dump_postgresql", "is_postgresql", "load_postgresql", "sqlite_path"]


def dump_postgresql(url: str, target: Path) -> None:
    """Il contenuto di un PostgreSQL in un file, con pg_dump. Solleva CorsoError se non riesce."""
    _run("pg_dump", url, ["--format=custom", f"--file={target}"])


def load_postgresql(url: str, source: Path) -> None:
    """Rimette in un database vuoto ciò che ha scritto `dump_postgresql`, tutto o nulla.

    Solleva CorsoError se il database non si apre, non è vuoto, o se pg_restore non riesce.
    """
    engine = create_engine(url)
    try:
        tables = inspect(engine).get_table_names()
    except SQLAlchemyError as error:
        raise _failed("non si apre", url, str(getattr(error, "orig", None) or error)) from None
    finally:
        engine.dispose()
    if tables:
        raise CorsoError(
            f"Il database {without_password(url)} contiene già {len(tables)} tabelle, e non le tocco: "
            "creane uno vuoto con createdb e indica quello con --db."
        )
    _run("pg_restore", url, ["--exit-on-error", "--single-transaction", str(source)])


def is_postgresql(url: str) -> bool:
    """Se un URL è di PostgreSQL; altrimenti è un file sqlite, l'unico altro tipo che si sa copiare.

    Solleva CorsoError se non è né l'uno né l'altro.
    """
    backend = make_url(url).get_backend_name()
    if backend not in ("postgresql", "sqlite"):
        raise CorsoError(
            f"So copiare un registro dei voti sqlite o PostgreSQL, non «{backend}»: copialo con i programmi "
            "di quel database, e ripeti il comando senza --db."
        )
    return backend == "postgresql"


def sqlite_path(url: str) -> Path:
    """Il file di un registro dei voti sqlite."""
    return Path(make_url(url).database)


def _run(program: str, url: str, words: list[str]) -> None:
    found = shutil.which(program)
    if found is None:
        raise CorsoError(
            f"Per copiare un registro dei voti PostgreSQL serve {program}, e qui non c'è: installalo con "
            "«apt install postgresql-client» e ripeti il comando."
        )
    parsed = make_url(url)
    environment = {**os.environ, "PGCONNECT_TIMEOUT": "20"}
    if parsed.password:
        environment["PGPASSWORD"] = str(parsed.password)  # fra gli argomenti la vedrebbero tutti
    where = f"--dbname={_conninfo(parsed)}"
    command = [found, "--no-owner", "--no-privileges", "--no-password", where, *words]
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
        errors="replace", check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise _failed(f"non si copia con {program}", url, done.stderr)


def _conninfo(url: URL) -> str:
    """L'indirizzo come lo vogliono i programmi di PostgreSQL, senza password."""
    from psycopg.conninfo import make_conninfo

    words = {key: value if isinstance(value, str) else value[-1] for key, value in url.query.items()}
    known = {"host": url.host, "port": url.port, "user": url.username, "dbname": url.database}
    return make_conninfo("", **words | {key: value for key, value in known.items() if value is not None})


def _failed(what: str, url: str, said: str) -> CorsoError:
    first = (scrub(said, url).strip().splitlines() or ["nessun messaggio"])[0]
    return CorsoError(
        f"Il registro dei voti {without_password(url)} {what} («{clean_text(first, 200)}»): controlla "
        "indirizzo, nome, password e versione di PostgreSQL, e ripeti il comando."
    )

"""Il registro dei voti di nbgrader: dove sta (qualunque URL di SQLAlchemy), come si apre, chi ci scrive.

Un processo che corregge lo tiene aperto per tutta la classe: riaprirlo a ogni passo costa più che usarlo.
"""

from __future__ import annotations

import contextlib
import fcntl
import warnings
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

import nbgrader
from alembic.script import ScriptDirectory
from nbgrader.api import Course, Gradebook, MissingEntry
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from course_lib.building.nbgrader_settings import DATABASE
from course_lib.grading.outputs import clean_text
from course_lib.project import CorsoError, pip_install, reason

EXAMPLE = "postgresql://utente@macchina/voti"
WAIT = "60"  # secondi che sqlite attende chi sta scrivendo (formgrader, per esempio)

_KEPT: dict[str, Gradebook] = {}  # quelli tenuti aperti da questo processo
_LOCKED: set[str] = set()  # quelli di cui questo processo ha già il lucchetto


def database_url(root: Path, given: str | None = None) -> str:
    """L'URL completo del registro dei voti; senza indicazioni, un file sqlite in registro/.

    given: un URL di SQLAlchemy. Solleva CorsoError se non lo è.
    """
    if given is None:
        given = f"sqlite:///{(root.resolve() / DATABASE).as_posix()}"
    try:
        url = make_url(given)
    except (ArgumentError, ValueError):
        raise CorsoError(
            f"--db vuole l'URL di un database, per esempio «{EXAMPLE}» o «sqlite:////percorso/voti.db»: "
            "quello dato non si riesce a leggere. Controllane la forma; i segni speciali di una password "
            "(@ : / %) vanno scritti come %40 %3A %2F %25."
        ) from None
    if url.get_backend_name() == "sqlite":
        url = _on_disk(url)
    return url.render_as_string(hide_password=False)


def _on_disk(url: URL) -> URL:
    """Un file con percorso assoluto (nbgrader cambia cartella mentre lavora) e un'attesa lunga."""
    if not url.database or url.database == ":memory:":
        raise CorsoError(
            "--db indica un database in memoria, che sparirebbe alla fine: "
            "scrivi il percorso di un file, per esempio «sqlite:////percorso/voti.db»."
        )
    return url.set(database=str(Path(url.database).resolve())).update_query_dict(
        {"timeout": url.query.get("timeout", WAIT)}
    )


def without_password(url: str) -> str:
    """L'URL come si può mostrare."""
    return make_url(url).set(query={}).render_as_string(hide_password=True)


def scrub(words: object, url: str) -> str:
    """Un testo da annotare, senza l'URL e la password del registro dei voti, comunque vi siano scritti."""
    password = make_url(url).password
    secrets = {url} | ({password, quote(password, safe=""), quote_plus(password)} if password else set())
    result = str(words)
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        result = result.replace(secret, "***")
    return result


def prepare(url: str) -> None:
    """Verifica che il registro dei voti si apra; se è vuoto lo avvia con la versione del suo schema.

    È ciò che farebbe nbgrader, ma lui per sapere la versione avvia `alembic` come programma (secondi).
    Solleva CorsoError se il database non risponde, è d'altri o è di un'altra versione di nbgrader.
    """
    parsed, head = make_url(url), _schema_version()
    if parsed.get_backend_name() == "sqlite":
        with _writable(parsed):
            Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
    try:
        engine = create_engine(parsed)
    except ModuleNotFoundError as error:
        raise _no_driver(parsed, error.name) from None
    except NoSuchModuleError:
        raise CorsoError(
            f"--db nomina «{parsed.drivername}», un tipo di database che SQLAlchemy non conosce: "
            f"usa sqlite o postgresql, per esempio «{EXAMPLE}»."
        ) from None
    try:
        with _alone(url), engine.begin() as connection:
            tables = set(inspect(connection).get_table_names())
            if not tables:
                connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
                connection.execute(text("INSERT INTO alembic_version VALUES (:head)"), {"head": head})
            found = None if not tables else _version_in(connection, tables)
    except (SQLAlchemyError, OSError) as error:
        raise _unreachable(url, error) from None
    finally:
        engine.dispose()
    if tables and found != head:
        raise CorsoError(
            f"Il database {without_password(url)} non è un registro dei voti di questa versione di nbgrader. "
            "Se contiene altro, indicane uno vuoto con --db; se viene da un nbgrader più vecchio, fanne una "
            "copia e poi esegui «nbgrader db upgrade»."
        )
    with opened(url) as gradebook:  # il corso di nbgrader senza nome: PostgreSQL vuole che ci sia, sqlite no
        gradebook.db.merge(Course(id=""))
        gradebook.db.commit()


def _version_in(connection: object, tables: set[str]) -> str | None:
    if "alembic_version" not in tables:
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _schema_version() -> str:
    return ScriptDirectory(str(Path(nbgrader.__file__).parent / "alembic")).get_current_head()


def _no_driver(url: URL, module: str | None) -> CorsoError:
    known = {"psycopg": "psycopg[binary]", "psycopg2": "psycopg[binary]", "MySQLdb": "mysqlclient"}
    package = known.get(module, module or url.drivername)
    with warnings.catch_warnings(action="ignore"):  # cercare pip ne fa dire uno, in inglese, a setuptools
        install = pip_install(f'"{package}"')
    return CorsoError(
        f"Per un registro dei voti {url.get_backend_name()} manca la libreria «{module}»: installala "
        f"nell'ambiente del corso con «{install}», "
        "oppure togli --db per usare il file sqlite in registro/."
    )


def _unreachable(url: str, error: Exception) -> CorsoError:
    said = scrub(getattr(error, "orig", None) or error, url).strip().splitlines() or ["nessun messaggio"]
    return CorsoError(
        f"Il registro dei voti {without_password(url)} non si apre («{clean_text(said[0], 200)}»): "
        "controlla che il database ci sia e sia acceso, e che nome, utente e password siano giusti."
    )


@contextlib.contextmanager
def _writable(url: URL) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CorsoError(
            f"Non posso scrivere il registro dei voti in {url.database} ({reason(error)}): "
            "indica con --db un file in una cartella tua."
        ) from None


@contextlib.contextmanager
def opened(url: str) -> Iterator[Gradebook]:
    """Il registro dei voti, in un momento in cui nessun altro lavoratore ci scrive."""
    with _alone(url):
        kept = _KEPT.get(url)
        if kept is None:
            with Gradebook(url) as gradebook:
                yield gradebook
            return
        try:
            yield kept
        finally:
            kept.db.remove()  # la seduta finisce qui: nulla resta in memoria da una consegna all'altra


def forget(url: str, exercise: str, student: str) -> None:
    """Toglie una consegna: nel registro dei voti non resta uno 0 per ciò che non è stato valutato."""
    with opened(url) as gradebook, contextlib.suppress(MissingEntry):
        gradebook.remove_submission(exercise, student)


@contextlib.contextmanager
def kept_open(url: str) -> Iterator[None]:
    """Fino alla fine del blocco `opened` riusa un'apertura sola. Mai attraverso un fork."""
    with _alone(url):
        _KEPT[url] = Gradebook(url)
    try:
        yield
    finally:
        _KEPT.pop(url).close()


@contextlib.contextmanager
def _alone(url: str) -> Iterator[None]:
    """Con sqlite, un lavoratore alla volta: il lucchetto si apre da solo se chi lo tiene muore."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or url in _LOCKED:
        yield
        return
    with _writable(parsed), Path(parsed.database + ".lucchetto").open("a", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _LOCKED.add(url)
        try:
            yield
        finally:
            _LOCKED.discard(url)

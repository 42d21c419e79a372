"""L'indice di una copia: che cosa contiene, con le impronte; e quali nomi una copia può contenere."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields

from course_lib.building.nbgrader_settings import REGISTER
from course_lib.project import CorsoError

INDEX = "INDICE.json"
FORMAT = 1
EXCHANGE = "scambio"
SQLITE, POSTGRESQL = "voti.db", "voti.pgdump"  # il registro dei voti, quando non sta in registro/
FOLDERS, SINGLE = (REGISTER, EXCHANGE), (SQLITE, POSTGRESQL)
MOST_BYTES = 256 * 2**20  # dell'indice


@dataclass(frozen=True)
class Entry:
    """Un file o una cartella della copia: nome, permessi, proprietario, ora (ns), byte, impronta.

    sha256: "" per una cartella
    """

    name: str
    mode: int
    uid: int
    gid: int
    user: str
    group: str
    time: int
    size: int
    sha256: str

    @property
    def is_folder(self) -> bool:
        """Se è una cartella."""
        return not self.sha256

    @property
    def part(self) -> str:
        """A quale parte della copia appartiene: registro, scambio, o un file da solo."""
        return self.name.partition("/")[0]


@dataclass(frozen=True)
class Index:
    """Ciò che una copia contiene, in ordine, e quando è stata fatta (UTC, ISO)."""

    made: str
    entries: tuple[Entry, ...]

    def parts(self) -> set[str]:
        """Le parti presenti."""
        return {entry.part for entry in self.entries}

    def files(self, part: str) -> list[Entry]:
        """I file di una parte."""
        return [entry for entry in self.entries if entry.part == part and not entry.is_folder]

    def as_bytes(self) -> bytes:
        """L'indice in JSON; i nomi che non sono UTF-8 vi stanno con le sequenze di escape."""
        content = {"formato": FORMAT, "fatta": self.made, "contiene": [asdict(e) for e in self.entries]}
        return json.dumps(content, indent=0).encode("ascii")


def read_index(data: bytes) -> Index:
    """L'indice scritto in una copia. Solleva CorsoError se è rovinato o di un'altra versione."""
    try:
        content = json.loads(data)
        version = content["formato"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise damaged("il suo indice non si legge") from None
    if version != FORMAT:
        raise CorsoError(
            f"La copia è del formato {str(version)[:20]}, e questa versione del corso legge soltanto il "
            f"{FORMAT}: ripristinala con la versione che l'ha fatta."
        )
    try:
        index = Index(str(content["fatta"]), tuple(_entry(record) for record in content["contiene"]))
    except (LookupError, TypeError, ValueError):
        raise damaged("il suo indice è incompleto") from None
    check_names(index)
    return index


def _entry(record: dict) -> Entry:
    values = {field.name: record[field.name] for field in fields(Entry)}
    entry = Entry(**values)
    texts = (entry.name, entry.user, entry.group, entry.sha256)
    numbers = (entry.mode, entry.uid, entry.gid, entry.time, entry.size)
    if not all(type(value) is str for value in texts) or not all(type(value) is int for value in numbers):
        raise TypeError(values)
    if min(entry.mode, entry.uid, entry.gid, entry.size) < 0 or max(entry.uid, entry.gid) >= 2**32 - 1:
        raise ValueError(values)
    if not 0 <= entry.time < 2**63:
        raise ValueError(values)
    return entry


def check_names(index: Index) -> None:
    """Solleva CorsoError se un nome esce dalla copia, si ripete, sta fuori posto, o ha permessi speciali."""
    folders: set[str] = set()
    seen: set[str] = set()
    for entry in index.entries:
        parts = entry.name.split("/")
        if any(part in ("", ".", "..") or "\0" in part for part in parts):
            raise refused(entry.name, "ha un nome che porterebbe fuori dalla cartella")
        single = len(parts) == 1
        known = parts[0] in FOLDERS or (single and parts[0] in SINGLE and not entry.is_folder)
        if not known or (single and parts[0] in FOLDERS and not entry.is_folder):
            raise refused(entry.name, "non fa parte di una copia")
        if entry.name in seen or (not single and "/".join(parts[:-1]) not in folders):
            raise refused(entry.name, "compare due volte, o prima della sua cartella")
        if entry.mode & ~(0o3777 if entry.is_folder else 0o777):
            raise refused(entry.name, "ha permessi speciali, che una copia non contiene")
        seen.add(entry.name)
        if entry.is_folder:
            folders.add(entry.name)


def shown(name: str) -> str:
    """Un nome come si può stampare."""
    text = "".join(letter if letter.isprintable() else "?" for letter in name)
    return text if len(text) <= 250 else "…" + text[-249:]


def refused(name: str, what: str) -> CorsoError:
    """Il rifiuto di una copia che contiene ciò che non deve."""
    return CorsoError(
        f"Nella copia «{shown(name)}» {what}: non l'ha scritta «corso copia», o qualcuno l'ha cambiata. "
        "Non ho scritto nulla: usa un'altra copia."
    )


def damaged(why: str) -> CorsoError:
    """Il rifiuto di una copia rovinata."""
    return CorsoError(f"La copia è rovinata ({why}): non ho scritto nulla. Usane un'altra.")

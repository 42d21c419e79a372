"""Per le prove della copia di riserva: un corso con un registro piccolo, uno scambio, copie ostili."""

from __future__ import annotations

import io
import json
import os
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path

from course_lib.grading.backup.index import INDEX, Entry, Index
from course_lib.grading.gradebook import database_url, prepare
from course_lib.grading.register import Register, sha256

WHEN = 1_795_000_000_123_456_789  # ns


def small_course(root: Path) -> Path:
    """Un corso con due consegne, una corretta, i voti, il diario, e i file passeggeri di chi corregge."""
    register = Register(root)
    prepare(database_url(root))
    for name, data in (("anna", b"A"), ("bruno", b"B" * 3_000)):
        path = register.received("es02", name) / "20261120T225000Z-0123456789abcdef.ipynb"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        path.chmod(0o444)
        os.utime(path, ns=(WHEN, WHEN))
    register.write_outcome("es02", "anna", outcome("uno"))
    for i in range(3):
        register.log({"riga di prova": i})
    for name in (".correzione.lucchetto", ".scrivo-abc", "gradebook.db-journal"):
        (register.folder / name).write_text("", encoding="utf-8")
    return root


def outcome(number: str) -> dict:
    return {"verdetto": "valutato", "punti": 10, "correzione": {"id": number}}


def exchange(folder: Path) -> Path:
    """Uno scambio come lo fa nbgrader: consegne da lasciare e non da elencare, feedback da indovinare."""
    inbound = folder / "corso" / "inbound"
    handed = inbound / "anna+es02+2026-11-20 22:50:00 UTC+c2VncmV0bw"
    handed.mkdir(parents=True)
    (handed / "es02.ipynb").write_bytes(b"A")
    (folder / "corso" / "feedback").mkdir()
    (folder / "corso" / "feedback" / "0123abcd.html").write_text("bravo", encoding="utf-8")
    (folder / "corso" / "feedback").chmod(0o711)
    inbound.chmod(0o2733)
    folder.chmod(0o777)
    for path in (handed / "es02.ipynb", handed, inbound):
        os.utime(path, ns=(WHEN, WHEN))
    return folder


def picture(folder: Path, *, owners: bool = True) -> dict[str, tuple]:
    """Tutto ciò che una copia deve rimettere: genere, permessi, ora, proprietario, byte."""
    found = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        info = path.lstat()
        what = _content(path) if path.is_file() else None
        who = (info.st_uid, info.st_gid) if owners else None
        found[str(path.relative_to(folder))] = (oct(info.st_mode), info.st_mtime_ns, who, what)
    return found


def _content(path: Path) -> bytes:
    """I byte; di un registro dei voti ciò che contiene, perché sqlite conta le copie nell'intestazione."""
    if path.suffix != ".db":
        return path.read_bytes()
    with closing(sqlite3.connect(path)) as database:
        return "\n".join(database.iterdump()).encode()


def without_passing(seen: dict[str, tuple]) -> dict[str, tuple]:
    """Ciò che di un registro si copia: non i lucchetti né i file a metà."""
    passing = (".lucchetto", "-journal", ".scrivo-abc")
    return {name: value for name, value in seen.items() if not name.endswith(passing) and name != "."}


def entry(name: str, data: bytes | None = b"x", **changes) -> Entry:
    """Una voce onesta di un file, o di una cartella con data None, salvo ciò che si cambia."""
    values = {
        "name": name, "mode": 0o755 if data is None else 0o644, "uid": os.geteuid(), "gid": os.getegid(),
        "user": "", "group": "", "time": WHEN, "size": len(data or b""),
        "sha256": "" if data is None else sha256(data),
    }  # fmt: skip
    return Entry(**{**values, **changes})


HONEST = [entry("registro", None), entry("registro/a", b"x")]


def member(name: str, data: bytes | None = b"x", **changes) -> tuple[tarfile.TarInfo, bytes]:
    """Un membro del tar: una cartella con data None."""
    header = tarfile.TarInfo(name)
    header.type, header.size = (tarfile.DIRTYPE, 0) if data is None else (tarfile.REGTYPE, len(data))
    for key, value in changes.items():
        setattr(header, key, value)
    return header, data or b""


def forge(path: Path, members: list, index: bytes | list[Entry] | None, after: list = ()) -> Path:
    """Un archivio con questi membri, questo indice (byte, voci, o nessuno) e altro dopo."""
    data = Index("2026-11-30T16:00:00+00:00", tuple(index)).as_bytes() if isinstance(index, list) else index
    last = [] if data is None else [member(INDEX, data)]
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT, errors="surrogateescape") as tar:
        for header, content in [*members, *last, *after]:
            tar.addfile(header, io.BytesIO(content))
    return path


def changed_index(**changes) -> bytes:
    """L'indice onesto con qualche campo cambiato."""
    content = json.loads(Index("2026-11-30T16:00:00+00:00", tuple(HONEST)).as_bytes())
    return json.dumps(content | changes).encode()

"""Fare una copia: intera o nulla, mentre si corregge, e riletta prima di darle il suo nome.

L'ordine conta. L'esito di una consegna si toglie prima di correggerla e si scrive dopo i voti e la pagina: se
è lo stesso prima e dopo aver copiato tutto il resto, nel frattempo quella consegna non è stata toccata, e
nella copia voti, pagina ed esito vanno insieme. Gli altri esiti restano fuori: dopo un ripristino quelle
consegne, che ci sono, si correggono di nuovo. Il diario si copia per ultimo, fermo un istante.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import fcntl
import hashlib
import io
import json
import os
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from course_lib.building.nbgrader_settings import DATABASE, REGISTER
from course_lib.grading import diary
from course_lib.grading.backup import checking, databases, rotation
from course_lib.grading.backup.contents import Skip, entry_of, tree
from course_lib.grading.backup.index import EXCHANGE, INDEX, POSTGRESQL, SQLITE, Entry, Index
from course_lib.grading.register import Register, utc_now
from course_lib.project import CorsoError

OUTCOMES = f"{REGISTER}/esiti"
LATER = {OUTCOMES, DATABASE, f"{REGISTER}/{diary.DIARY}", f"{REGISTER}/{diary.HEAD}"}
PASSING = {f"{DATABASE}-journal", f"{DATABASE}-wal", f"{DATABASE}-shm", f"{REGISTER}/{diary.HEAD}.nuova"}
IN_MEMORY = 32 * 2**20
DRAFT = ".copia-"


@dataclass
class Made:
    """Una copia fatta: dove, con quale impronta, che cosa contiene, che cosa è rimasto fuori.

    unfinished: gli esiti che si stavano scrivendo   removed: le copie vecchie tolte
    """

    path: Path
    sha256: str
    index: Index
    said: list[str]
    unfinished: int
    removed: list[Path]


def make(
    root: Path,
    folder: Path,
    *,
    exchange: Path | None = None,
    db: str | None = None,
    days: int | None = None,
    weeks: int | None = None,
) -> Made:
    """Copia il registro del corso `root`, e se indicati lo scambio e un altro registro dei voti.

    folder: dove mettere la copia   exchange: lo scambio di nbgrader   db: come in `corso correggi`
    days, weeks: quante copie tenere, una al giorno e una alla settimana; se mancano entrambi, tutte
    Solleva CorsoError se non c'è nulla da copiare, se la cartella non va o se un database non risponde.
    """
    register = Register(root.resolve())
    _check_places(register, folder, exchange)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _only_one(folder):
        when = utc_now()
        copy = _Copy(register, when)
        handle, draft = tempfile.mkstemp(dir=folder, prefix=DRAFT)
        try:
            with os.fdopen(handle, "w+b") as file:
                with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6, format=tarfile.PAX_FORMAT,
                                  encoding="utf-8", errors="surrogateescape") as copy.tar:  # fmt: skip
                    copy.register_and_marks(db)
                    if exchange is not None:
                        copy.exchange(exchange)
                    written = copy.finish()
                file.flush()
                os.fsync(file.fileno())
                if checking.check(file) != written:
                    raise CorsoError("La copia riletta non è quella scritta: controlla il disco, e ripeti.")
                digest = hashlib.file_digest(_rewound(file), "sha256").hexdigest()
            path = rotation.free_name(folder, when)
            os.replace(draft, path)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
        _write_digest(path, digest)
        removed = _rotate(folder, days, weeks)
    return Made(path, digest, written, copy.said, copy.unfinished, removed)


def _check_places(register: Register, folder: Path, exchange: Path | None) -> None:
    if not register.folder.is_dir():
        raise CorsoError(
            f"In {register.root} non c'è {REGISTER}/, e quindi nulla da copiare: "
            "esegui il comando nel corso con cui correggi."
        )
    if exchange is not None and not exchange.is_dir():
        raise CorsoError(f"--scambio vuole la cartella dello scambio di nbgrader, e {exchange} non lo è.")
    here = folder.resolve()
    for place in filter(None, (register.folder, exchange)):
        if here.is_relative_to(place.resolve()):
            raise CorsoError(
                f"La copia non può stare in {place}, che è ciò che si copia: scegli un'altra cartella, "
                "meglio se su un altro disco."
            )


@contextlib.contextmanager
def _only_one(folder: Path) -> Iterator[None]:
    """Una copia alla volta in una cartella; ciò che una copia uccisa vi ha lasciato si toglie."""
    with (folder / ".copia.lucchetto").open("a", encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CorsoError(f"In {folder} un'altra copia è in corso: attendi che finisca.") from None
        for path in folder.glob(f"{DRAFT}*"):
            path.unlink(missing_ok=True)
        yield


def _rewound(file: BinaryIO) -> BinaryIO:
    file.seek(0)
    return file


def _write_digest(path: Path, digest: str) -> None:
    target = rotation.beside(path)
    target.write_text(f"{digest}  {path.name}\n", encoding="utf-8")
    target.chmod(0o600)
    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)  # anche il nome nuovo deve essere sul disco, prima di togliere copie vecchie
    finally:
        os.close(descriptor)


def _rotate(folder: Path, days: int | None, weeks: int | None) -> list[Path]:
    if days is None and weeks is None:
        return []
    old = rotation.superfluous(rotation.copies(folder), days or 0, weeks or 0)
    rotation.remove(old)
    return old


class _Copy:
    """Una copia mentre la si scrive."""

    def __init__(self, register: Register, when: dt.datetime) -> None:
        self.register, self.when = register, when
        self.entries: list[Entry] = []
        self.said: list[str] = []
        self.unfinished = 0
        self.tar: tarfile.TarFile

    def register_and_marks(self, db: str | None) -> None:
        """Il registro: ciò di cui gli esiti parlano, poi gli esiti rimasti gli stessi, poi il diario."""
        before = self._outcomes()
        self._add_tree(self.register.folder, REGISTER, _left_for_later)
        self._gradebook(db)
        after = self._outcomes()
        steady = {name for name, number in after.items() if before.get(name) == number}
        self.unfinished = len(before.keys() | after.keys()) - len(steady)
        outcomes = self.register.folder / "esiti"
        if outcomes.is_dir():

            def changed(name: str, path: Path) -> bool:
                return path.suffix == ".json" and name not in steady

            self._add_tree(outcomes, OUTCOMES, changed)
        self._diary()

    def exchange(self, folder: Path) -> None:
        """Lo scambio: ciò che non si legge resta fuori, così nessuno può fermare le copie di tutti."""
        self._add_tree(folder, EXCHANGE, lambda name, path: False, self.said)

    def _outcomes(self) -> dict[str, str]:
        """{nome nella copia: numero della correzione} degli esiti finiti; ogni correzione ha il suo."""
        found = {}
        for path in (self.register.folder / "esiti").glob("*/*.json"):
            with contextlib.suppress(OSError, ValueError, LookupError, TypeError, RecursionError):
                found[f"{OUTCOMES}/{path.parent.name}/{path.name}"] = _number_of(path)
        return found

    def _gradebook(self, db: str | None) -> None:
        """Il registro dei voti in registro/, se c'è, e quello indicato con --db."""
        here = self.register.root / DATABASE
        with tempfile.TemporaryDirectory(prefix="corso-copia-") as folder:
            target = Path(folder) / "voti"
            if here.is_file():
                databases.copy_sqlite(here, target)
                self._add_file(DATABASE, here.stat(), target)
            if db is None:
                return
            from course_lib.grading.backup import elsewhere

            target.unlink(missing_ok=True)
            url = elsewhere.database_url(self.register.root, db)
            if elsewhere.is_postgresql(url):
                elsewhere.dump_postgresql(url, target)
                self._add_file(POSTGRESQL, target.stat(), target)
            elif (other := elsewhere.sqlite_path(url)) != here:
                databases.copy_sqlite(other, target)
                self._add_file(SQLITE, other.stat(), target)

    def _diary(self) -> None:
        for name, info, data in diary.snapshot(self.register.folder):
            self._add(f"{REGISTER}/{name}", info, io.BytesIO(data))

    def _add_tree(self, top: Path, name: str, skip: Skip, unread: list[str] | None = None) -> None:
        """Una cartella; unread: riceve ciò che non si legge, che altrimenti ferma la copia."""
        top = top.resolve()  # registro/ o lo scambio possono stare su un altro disco, dietro un collegamento
        for inside, info, descriptor in tree(top, name, skip, self.said, unread):
            if descriptor is None:
                entry = entry_of(inside, info)
                self.tar.addfile(_header(entry))
                self.entries.append(entry)
            else:
                with os.fdopen(descriptor, "rb", closefd=False) as source:
                    self._add(inside, info, source)

    def _add_file(self, name: str, info: os.stat_result, path: Path) -> None:
        """Un file solo, con lo stato che ha, o che aveva, sul disco."""
        with path.open("rb") as source:
            self._add(name, info, source)

    def _add(self, name: str, info: os.stat_result, source: BinaryIO) -> None:
        """I byte come sono adesso: si leggono tutti prima di scriverne la lunghezza, che può cambiare."""
        digest, size = hashlib.sha256(), 0
        with tempfile.SpooledTemporaryFile(IN_MEMORY) as held:
            while block := source.read(2**20):
                digest.update(block)
                held.write(block)
                size += len(block)
            held.seek(0)
            entry = entry_of(name, info, size, digest.hexdigest())
            self.tar.addfile(_header(entry), held)
        self.entries.append(entry)

    def finish(self) -> Index:
        """L'indice, in fondo."""
        index = Index(self.when.isoformat(), tuple(self.entries))
        data = index.as_bytes()
        header = tarfile.TarInfo(INDEX)
        header.size, header.mode, header.mtime = len(data), 0o600, int(self.when.timestamp())
        self.tar.addfile(header, io.BytesIO(data))
        return index


def _left_for_later(name: str, path: Path) -> bool:
    return name in LATER | PASSING or path.name.startswith(".scrivo-") or path.name.endswith(".lucchetto")


def _number_of(path: Path) -> str:
    return json.loads(path.read_bytes())["correzione"]["id"]


def _header(entry: Entry) -> tarfile.TarInfo:
    header = tarfile.TarInfo(entry.name)
    header.type = tarfile.DIRTYPE if entry.is_folder else tarfile.REGTYPE
    header.size, header.mode, header.mtime = entry.size, entry.mode, entry.time // 10**9
    header.uid, header.gid, header.uname, header.gname = entry.uid, entry.gid, entry.user, entry.group
    return header

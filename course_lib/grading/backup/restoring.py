"""Rimettere una copia: in un posto vuoto, o mettendo prima da parte ciò che c'è; intera o nulla."""

from __future__ import annotations

import contextlib
import grp
import hashlib
import os
import pwd
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import BinaryIO

from course_lib.building.nbgrader_settings import REGISTER
from course_lib.grading.backup import checking
from course_lib.grading.backup.index import EXCHANGE, POSTGRESQL, SQLITE, Entry, Index, damaged
from course_lib.grading.register import Register, utc_now
from course_lib.project import CorsoError


@dataclass
class Restored:
    """Che cosa è stato rimesso e dove, {parte: posto}; che cosa c'era ed è da parte; le frasi da dire."""

    index: Index
    places: dict[str, Path]
    aside: list[Path] = field(default_factory=list)
    said: list[str] = field(default_factory=list)


def restore(
    copy: Path,
    root: Path,
    *,
    into: Path | None = None,
    exchange: Path | None = None,
    db: str | None = None,
    replace: bool = False,
) -> Restored:
    """Controlla una copia e rimette il registro nel corso `root`, o tutto nella cartella vuota `into`.

    exchange: dove rimettere lo scambio   db: il database, vuoto, in cui rimettere i voti
    replace: ciò che c'è già si mette da parte, invece di rifiutare
    Solleva CorsoError se la copia non è sana o un posto non è vuoto; allora non ha scritto nulla.
    """
    with checking.opened(copy) as file:
        index = checking.check(file)
        places, url, said = _plan(index, root.resolve(), into, exchange, db)
        result = Restored(index, places, said=said)
        for part, place in places.items():
            _check_place(part, place, replace)
        _check_space(index, places)
        with _nobody_grades(places, into), contextlib.ExitStack() as drafts:
            ready = {
                part: drafts.enter_context(_extracted(file, index, part, place, result.said))
                for part, place in places.items()
            }
            os.sync()  # tutto sul disco, prima che prenda il nome buono
            if url is not None:
                _load(file, index, url, drafts)
            for part, place in places.items():
                result.aside += _put(ready[part], place)
    if into is None and REGISTER in places and (broken := Register(root.resolve()).broken_diary()):
        result.said.append(broken)
    return result


def _plan(
    index: Index, root: Path, into: Path | None, exchange: Path | None, db: str | None
) -> tuple[dict[str, Path], str | None, list[str]]:
    """Dove va ogni parte, l'URL del PostgreSQL da riempire, e che cosa resta nella copia."""
    parts, url, said = index.parts(), None, []
    if into is not None:
        if exchange is not None or db is not None:
            raise CorsoError(
                "con --in tutta la copia va in quella cartella: togli --scambio e --db, oppure --in."
            )
        _check_alone(into.resolve(), root / REGISTER)
        return {part: into / part for part in sorted(parts)}, None, said
    places = {REGISTER: root / REGISTER}
    if exchange is not None and EXCHANGE not in parts:
        raise CorsoError("in questa copia lo scambio non c'è: togli --scambio.")
    if exchange is not None:
        places[EXCHANGE] = exchange.resolve()
    elif EXCHANGE in parts:
        said.append("Nella copia c'è anche lo scambio: per rimetterlo serve --scambio CARTELLA.")
    if db is not None:
        from course_lib.grading.backup import elsewhere

        url = elsewhere.database_url(root, db)
        wanted = POSTGRESQL if elsewhere.is_postgresql(url) else SQLITE
        if wanted not in parts:
            kind = "PostgreSQL" if wanted == POSTGRESQL else "sqlite fuori da registro/"
            raise CorsoError(f"in questa copia non c'è un registro dei voti {kind}: togli --db.")
        if wanted == SQLITE:
            places[SQLITE], url = elsewhere.sqlite_path(url), None
    elif parts & {SQLITE, POSTGRESQL}:
        said.append("Nella copia c'è anche un altro registro dei voti: per rimetterlo serve --db URL.")
    return places, url, said


def _check_alone(into: Path, register: Path) -> None:
    """Solleva CorsoError se la cartella per tutta la copia sta nel registro, o non è vuota."""
    if into.is_relative_to(register.resolve()):
        raise CorsoError(
            f"{into} sta in {register}, che è il registro di ora: scegli con --in una cartella fuori da lì."
        )
    if not _is_empty(into):
        raise CorsoError(
            f"{into} non è una cartella vuota, e la copia non si mescola con altro: scegli con --in una "
            "cartella nuova o vuota."
        )


def _check_place(part: str, place: Path, replace: bool) -> None:
    if _is_empty(place) or replace:
        return
    raise CorsoError(
        f"{place} c'è già e non è vuoto, e non lo sovrascrivo: con --in CARTELLA la copia va altrove, con "
        "--sostituisci ciò che c'è si mette da parte con un altro nome."
    )


def _is_empty(place: Path) -> bool:
    if place.is_symlink() or place.is_file():
        return False
    return not place.is_dir() or not any(place.iterdir())


def _check_space(index: Index, places: dict[str, Path]) -> None:
    for part, place in places.items():
        there = next(folder for folder in place.parents if folder.is_dir())
        needed = sum(entry.size for entry in index.files(part))
        if needed > shutil.disk_usage(there).free:
            raise CorsoError(
                f"In {there} lo spazio libero non basta: ne servono {needed // 10**6 + 1} MB. Fai posto, o "
                "ripristina altrove con --in."
            )


@contextlib.contextmanager
def _nobody_grades(places: dict[str, Path], into: Path | None) -> Iterator[None]:
    """Mentre si mette da parte un registro, nessuno vi corregge."""
    place = places.get(REGISTER)
    if into is not None or place is None or not place.is_dir():
        yield
        return
    from course_lib.grading.pipeline import only_one  # porta con sé tutto nbgrader: solo se serve

    empty = not any(place.iterdir())
    with only_one(Register(place.parent)):
        if empty:  # il lucchetto di una cartella vuota non deve farla sembrare piena
            (place / ".correzione.lucchetto").unlink()
        yield


@contextlib.contextmanager
def _extracted(file: BinaryIO, index: Index, part: str, place: Path, said: list[str]) -> Iterator[Path]:
    """Una parte della copia, pronta accanto al posto in cui andrà; se qualcosa non va, sparisce."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent, prefix=".ripristino-") as folder:
        _extract(file, index, part, Path(folder))
        entries = [entry for entry in index.entries if entry.part == part]
        said += _owners_and_modes(Path(folder), entries)
        yield Path(folder, part)


def _extract(file: BinaryIO, index: Index, part: str, folder: Path) -> None:
    """Scrive i file di una parte, ricontrollando le impronte: qui non ci sono che file e cartelle nostri."""
    known = {entry.name: entry for entry in index.entries if entry.part == part}
    with checking.sound():
        for member, stream in checking.members(file):
            entry = known.pop(member.name, None)
            if entry is None:
                continue
            path = folder / entry.name
            if entry.is_folder and member.isdir():
                path.mkdir(mode=0o700)
            elif entry.is_folder or member.isdir() or _write(path, stream) != entry.sha256:
                raise damaged("è cambiata mentre la leggevo")
    if known:
        raise damaged("è cambiata mentre la leggevo")


def _write(path: Path, stream: BinaryIO) -> str:
    digest = hashlib.sha256()
    with path.open("xb") as target:
        while block := stream.read(checking.BLOCK):
            digest.update(block)
            target.write(block)
    return digest.hexdigest()


def _owners_and_modes(folder: Path, entries: list[Entry]) -> list[str]:
    """Proprietari, permessi e ore com'erano, dal fondo; restituisce le frasi su ciò che non si è potuto."""
    root, said = os.geteuid() == 0, []
    strangers = sorted({e.user or str(e.uid) for e in entries if _uid(e.user) is None})
    for entry in reversed(entries):
        path = folder / entry.name
        if root:
            os.chown(path, *_owner(entry), follow_symlinks=False)
        path.chmod(entry.mode)
        os.utime(path, ns=(entry.time, entry.time))
    if root and strangers:
        said.append(
            f"Qui non ci sono gli utenti {', '.join(strangers[:5])}{'…' if strangers[5:] else ''}: ai loro "
            "file è rimasto il numero di allora. Crea gli utenti e ripeti, o correggi con chown."
        )
    if not root and any(entry.uid != os.geteuid() for entry in entries):
        said.append(
            f"In {entries[0].part} c'erano file di altri utenti, e ora sono tuoi: soltanto l'amministratore "
            "può renderli a loro. Se chi studia deve ritrovarvi i suoi, ripeti il comando con sudo."
        )
    return said


def _owner(entry: Entry) -> tuple[int, int]:
    """Il numero dell'utente e del gruppo che qui hanno quel nome; se non ci sono, i numeri di allora."""
    uid, gid = _uid(entry.user), _gid(entry.group)
    return (entry.uid if uid is None else uid, entry.gid if gid is None else gid)


@cache
def _uid(name: str) -> int | None:
    try:
        return pwd.getpwnam(name).pw_uid
    except KeyError:
        return None


@cache
def _gid(name: str) -> int | None:
    try:
        return grp.getgrnam(name).gr_gid
    except KeyError:
        return None


def _load(file: BinaryIO, index: Index, url: str, drafts: contextlib.ExitStack) -> None:
    from course_lib.grading.backup import elsewhere

    folder = Path(drafts.enter_context(tempfile.TemporaryDirectory(prefix="corso-copia-")))
    _extract(file, index, POSTGRESQL, folder)
    elsewhere.load_postgresql(url, folder / POSTGRESQL)


def _put(ready: Path, place: Path) -> list[Path]:
    """Mette al suo posto ciò che è pronto; restituisce dove è finito ciò che c'era."""
    aside = []
    if not _is_empty(place):
        when = f"{utc_now():%Y%m%dT%H%M%SZ}"
        old = place.with_name(f"{place.name}-da-parte-{when}")
        place.rename(old)
        aside.append(old)
    elif place.is_dir():
        place.rmdir()
    ready.rename(place)
    return aside

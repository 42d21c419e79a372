"""Che cosa si copia: i file veri di una cartella, senza mai seguire un collegamento.

Nello scambio chi studia scrive ciò che vuole, anche mentre lo si copia da amministratore: collegamenti,
cartelle profonde, file che non sono file. Si apre tutto a partire dalla cartella che lo contiene, e ciò che
non è un file o una cartella si lascia fuori e si dice.
"""

from __future__ import annotations

import grp
import os
import pwd
import stat
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from course_lib.grading.backup.index import Entry, shown
from course_lib.project import CorsoError, reason

LINK = "è un collegamento, o non è un file: resta fuori dalla copia."
HOLLOW = "sul disco non occupa quasi nulla di ciò che dice: resta fuori dalla copia."
MOST_EMPTY = 2**20  # byte dichiarati e non scritti: un file con buchi non costa quota, e leggerlo costa ore
DEEPEST = 40  # cartelle una dentro l'altra; lo scambio di nbgrader ne ha cinque

# Riceve (nome nella copia, percorso sul disco): se una cosa va lasciata fuori.
Skip = Callable[[str, Path], bool]


def tree(
    top: Path, name: str, skip: Skip, said: list[str], unread: list[str] | None = None
) -> Iterator[tuple[str, os.stat_result, int | None]]:
    """Cartelle e file sotto top, ciascuno dopo la sua cartella: nome nella copia, stato, descrittore.

    name: il nome di top nella copia   said: riceve una frase per ciò che non è un file né una cartella
    unread: riceve una frase per ciò che non si legge, o che è quasi tutto buchi
    Il descrittore, None per una cartella, è aperto finché non si chiede il prossimo.
    Solleva CorsoError se top non si apre, e senza unread se qualcosa non si legge.
    """

    def closed(error: OSError) -> None:
        where = shown(str(error.filename))
        if unread is None or error.filename == str(top):
            raise CorsoError(
                f"{where} non si legge ({reason(error)}), e la copia non sarebbe intera: esegui il comando "
                "come chi ne è il proprietario, o come amministratore."
            )
        unread.append(f"{where}: non si legge ({reason(error)}), e resta fuori dalla copia.")

    for here, folders, files, descriptor in os.fwalk(top, onerror=closed):
        below = Path(here).relative_to(top).parts
        inside = "/".join([name, *below])
        yield inside, os.fstat(descriptor), None
        wanted = [f for f in sorted(folders) if not skip(f"{inside}/{f}", Path(here, f))]
        links = [f for f in wanted if _is_special(f, descriptor, stat.S_ISDIR)]
        said += [f"{shown(f'{inside}/{f}')}: {LINK}" for f in links]
        folders[:] = [f for f in wanted if f not in links]
        if len(below) >= DEEPEST and folders:
            said.append(f"{shown(inside)}: più di {DEEPEST} cartelle una nell'altra, il resto resta fuori.")
            folders.clear()
        for file in sorted(files):
            if skip(f"{inside}/{file}", Path(here, file)):
                continue
            if _is_special(file, descriptor, stat.S_ISREG):
                said.append(f"{shown(f'{inside}/{file}')}: {LINK}")
                continue
            try:
                for found in _file(f"{inside}/{file}", file, descriptor):
                    if unread is not None and _is_hollow(found[1]):
                        unread.append(f"{shown(found[0])}: {HOLLOW}")
                        continue
                    yield found
            except OSError as error:
                error.filename = os.path.join(here, file)
                closed(error)


def _file(name: str, file: str, folder: int) -> Iterator[tuple[str, os.stat_result, int]]:
    try:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(file, flags, dir_fd=folder)
    except FileNotFoundError:
        return  # tolto mentre si copiava
    try:
        info = os.fstat(descriptor)
        if stat.S_ISREG(info.st_mode):  # non più, se qualcuno l'ha appena scambiato
            yield name, info, descriptor
    finally:
        os.close(descriptor)


def _is_hollow(info: os.stat_result) -> bool:
    """Se è quasi tutto buchi; un disco che comprime risparmia qualche volta, non tutto."""
    return info.st_size > MOST_EMPTY and info.st_blocks * 512 < info.st_size // 100


def _is_special(name: str, folder: int, wanted: Callable[[int], bool]) -> bool:
    """Se una cosa che c'è è diversa da quella che si cerca: un collegamento, una presa, un dispositivo."""
    try:
        return not wanted(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        return False


def entry_of(name: str, info: os.stat_result, size: int = 0, sha256: str = "") -> Entry:
    """La voce dell'indice; di un file si tengono i permessi di leggere, scrivere, eseguire, e basta."""
    mode = stat.S_IMODE(info.st_mode) & (0o777 if sha256 else 0o3777)
    user, group = _user(info.st_uid), _group(info.st_gid)
    return Entry(name, mode, info.st_uid, info.st_gid, user, group, max(info.st_mtime_ns, 0), size, sha256)


@cache
def _user(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return ""


@cache
def _group(gid: int) -> str:
    try:
        return grp.getgrgid(gid).gr_name
    except KeyError:
        return ""

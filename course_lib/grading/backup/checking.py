"""Rileggere una copia: tipi, nomi, lunghezze e impronte di tutto, prima di scriverne un solo byte."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from course_lib.grading.backup.index import (
    INDEX,
    MOST_BYTES,
    Index,
    damaged,
    read_index,
    refused,
    shown,
)
from course_lib.grading.backup.rotation import beside
from course_lib.project import CorsoError

BLOCK = 2**20


@contextlib.contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """Una copia aperta in lettura, se l'impronta scritta accanto (quando c'è) è la sua.

    Solleva CorsoError se non c'è, o se è cambiata da quando è stata fatta.
    """
    if not path.is_file():
        raise CorsoError(f"{path} non è un file: indica una copia fatta con «corso copia --in CARTELLA».")
    with path.open("rb") as file:
        written = beside(path)
        if written.is_file():
            expected = written.read_text(encoding="utf-8", errors="replace")[:64]
            if hashlib.file_digest(file, "sha256").hexdigest() != expected:
                raise damaged(f"la sua impronta non è quella scritta in {written.name}")
            file.seek(0)
        yield file


def check(file: BinaryIO) -> Index:
    """L'indice di una copia, se tutto ciò che contiene vi corrisponde.

    Solleva CorsoError se manca, è cambiato, è di troppo o è tagliato qualcosa.
    """
    with sound():
        found, data = _contents(file)
    if data is None:
        raise damaged("manca l'indice, che è l'ultima cosa che vi si scrive")
    index = read_index(data)
    expected = {entry.name: (entry.is_folder, entry.size, entry.sha256) for entry in index.entries}
    for name in [*expected, *found]:
        if expected.get(name) != found.get(name):
            raise damaged(f"«{shown(name)}» non è quello che dice l'indice")
    return index


def _contents(file: BinaryIO) -> tuple[dict[str, tuple[bool, int, str]], bytes | None]:
    """{nome: è una cartella, lunghezza, impronta} di tutto, e i byte dell'indice."""
    found: dict[str, tuple[bool, int, str]] = {}
    data = None
    for member, stream in members(file):
        if data is not None:
            raise refused(member.name, "viene dopo l'indice")
        if member.name == INDEX and member.isreg():
            if member.size > MOST_BYTES:
                raise damaged("il suo indice è troppo grande")
            data = stream.read()
            continue
        if member.name in found:
            raise refused(member.name, "compare due volte")
        found[member.name] = (member.isdir(), member.size, "" if member.isdir() else _digest(stream))
    return found, data


@contextlib.contextmanager
def sound() -> Iterator[None]:
    """Ciò che tar e gzip dicono di un file rovinato, mentre lo si legge, diventa un CorsoError."""
    try:
        yield
    except (tarfile.TarError, EOFError, gzip.BadGzipFile, zlib.error, ValueError, OverflowError) as error:
        raise damaged("il file è tagliato o alterato") from error


def members(file: BinaryIO) -> Iterator[tuple[tarfile.TarInfo, BinaryIO | None]]:
    """Ciò che sta nel tar, in ordine, con i suoi byte; soltanto file e cartelle. Si usa dentro `sound`.

    Solleva CorsoError se vi sono collegamenti o altro.
    """
    file.seek(0)
    with gzip.GzipFile(fileobj=file, mode="rb") as plain:
        with tarfile.open(fileobj=plain, mode="r|", encoding="utf-8", errors="surrogateescape") as tar:
            for member in tar:
                if not (member.isdir() or member.type in (tarfile.REGTYPE, tarfile.AREGTYPE)):
                    raise refused(member.name, f"è {_kind(member)}, non un file né una cartella")
                if member.issparse():
                    raise refused(member.name, "è un file con buchi")
                yield member, tar.extractfile(member)
        while rest := plain.read(BLOCK):  # fino in fondo: è lì che gzip controlla tutto
            if rest.strip(b"\0"):
                raise damaged("dopo la fine c'è altro")


def _kind(member: tarfile.TarInfo) -> str:
    if member.issym() or member.islnk():
        return "un collegamento"
    return "un dispositivo" if member.isdev() else "una cosa che qui non si usa"


def _digest(stream: BinaryIO) -> str:
    digest = hashlib.sha256()
    while block := stream.read(BLOCK):
        digest.update(block)
    return digest.hexdigest()

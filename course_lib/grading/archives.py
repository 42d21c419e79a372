"""Gli zip che arrivano: si leggono in memoria e con un tetto, nulla è estratto; ogni rifiuto è una frase."""

from __future__ import annotations

import io
import lzma
import stat
import struct
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from course_lib.grading.outputs import clean_text
from course_lib.notation import number

MAX_ENTRIES = 20_000  # voci di uno zip
CHUNK = 2**20  # byte del catalogo letti alla volta
END_RECORDS = 56 + 20  # fra il catalogo e la fine, negli zip a 64 bit
MAX_INNER = 100 * 2**20  # byte di uno zip dentro uno zip
MAX_CLASS = 4 * 2**30  # byte letti in tutto dallo zip di una classe
MAX_PUPIL = 200 * 2**20  # byte letti in tutto dallo zip di una persona
MAX_DEPTH = 3  # zip dentro zip dentro zip
LONGEST_NAME = 1_000
DEVICES = {"con", "prn", "aux", "nul", *(f"{d}{i}" for d in ("com", "lpt") for i in range(10))}
# ciò che la libreria standard solleva leggendo uno zip rovinato o ostile
UNREADABLE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, OSError, ValueError, RuntimeError,
    NotImplementedError, EOFError, KeyError, OverflowError, AttributeError, IndexError,
)  # fmt: skip


class Refused(Exception):
    """Uno zip, o una sua voce, che non si legge: la frase, senza il nome del file."""


@dataclass
class Budget:
    """Quanti byte si possono ancora leggere, e fino a quale profondità."""

    left: int
    depth: int = 1
    outer: Budget | None = None  # quello dello stesso zip di una persona, se questo ci sta dentro

    def take(self, size: int) -> None:
        """Toglie dal conto. Solleva Refused se non basta."""
        if self.outer is not None:
            self.outer.take(size)
        self.left -= size
        if self.left < 0:
            raise Refused("contiene molti più dati di quanti una classe ne consegni: il resto è ignorato.")

    def inner(self) -> Budget:
        """Quello di uno zip dentro lo zip. Solleva Refused se sono troppi, uno dentro l'altro."""
        if self.depth >= MAX_DEPTH:
            raise Refused(f"è uno zip dentro più di {MAX_DEPTH - 1} altri zip: non lo apro.")
        outer = self if self.depth > 1 else None
        return Budget(min(self.left, MAX_PUPIL), self.depth + 1, outer)


@dataclass(frozen=True)
class Entry:
    """Una voce che si può leggere: il suo percorso diviso in parti, e com'è descritta nello zip."""

    parts: tuple[str, ...]
    info: zipfile.ZipInfo


@contextmanager
def opened(source: Path | bytes) -> Iterator[zipfile.ZipFile]:
    """Apre uno zip dopo averne contato le voci. Solleva Refused con il motivo se non si può leggere."""
    try:
        if _entries_in(source) > MAX_ENTRIES:
            raise Refused(f"contiene più di {number(MAX_ENTRIES)} voci: non lo apro.")
        archive = zipfile.ZipFile(source if isinstance(source, Path) else io.BytesIO(source))
    except PermissionError:  # il file non è rovinato: non ce lo lasciano leggere
        raise
    except UNREADABLE:
        raise Refused("non è uno zip leggibile: è rovinato, o è un altro tipo di file.") from None
    with archive:  # da qui in poi un errore non è dello zip
        _no_overlap(archive)
        yield archive


def _entries_in(source: Path | bytes) -> int:
    """Quante voci può avere al più, contate dalle loro firme: il numero dichiarato potrebbe mentire.

    Si contano nel solo catalogo, là dove lo cercherà zipfile: nei dati le firme sono quelle di altri zip.
    """
    mark = b"PK\x01\x02"
    with source.open("rb") if isinstance(source, Path) else io.BytesIO(source) as file:
        end = zipfile._EndRecData(file)
        if end is None:
            return 0
        size, place = end[zipfile._ECD_SIZE], end[zipfile._ECD_LOCATION]
        file.seek(max(0, place - size - END_RECORDS))
        count, tail = 0, b""
        while count <= MAX_ENTRIES and (chunk := file.read(min(CHUNK, place - file.tell()))):
            count, tail = count + (tail + chunk).count(mark), (tail + chunk)[-3:]
    return count


def _no_overlap(archive: zipfile.ZipFile) -> None:
    """Due voci che si dividono gli stessi byte sono il trucco delle bombe senza zip annidati."""
    end = 0
    for info in sorted(archive.infolist(), key=lambda info: info.header_offset):
        if info.header_offset < end:
            raise Refused("ha voci sovrapposte, come le bombe di decompressione: non lo apro.")
        end = info.header_offset + 30 + info.compress_size


def entries(archive: zipfile.ZipFile) -> tuple[list[Entry], list[str]]:
    """Le voci che si possono leggere, in ordine, e una frase per ogni genere di voce rifiutata."""
    good, bad = [], Counter()
    for info in archive.infolist():
        if info.is_dir():
            continue
        name = _name(info)
        reason = _reason(name, info)
        if reason:
            bad[reason] += 1
        else:
            good.append(Entry(tuple(part for part in name.split("/") if part not in ("", ".")), info))
    seen = Counter(_folded(entry.parts) for entry in good)
    twice = {key for key, times in seen.items() if times > 1}
    if twice:
        bad["ha lo stesso nome di un'altra: non so quale valga"] = sum(seen[key] for key in twice)
        good = [entry for entry in good if _folded(entry.parts) not in twice]
    said = [f"una voce che {r}." if n == 1 else f"{number(n)} voci, ciascuna {r}." for r, n in bad.items()]
    return sorted(good, key=lambda entry: entry.parts), said


def _name(info: zipfile.ZipInfo) -> str:
    """Il nome della voce: chi comprime sul Mac scrive UTF-8 senza dirlo, e zipfile lo legge come cp437."""
    name = info.filename
    if not info.flag_bits & 0x800:
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass
    return unicodedata.normalize("NFC", name.replace("\\", "/"))  # certi zip di Windows separano con «\»


def _reason(name: str, info: zipfile.ZipInfo) -> str:
    """Perché una voce non si legge, o ""."""
    parts = name.split("/")
    if name.startswith("/") or ".." in parts or ":" in name:
        return "ha un percorso che esce dallo zip (assoluto, con «..» o con la lettera di un disco)"
    if any(part.split(".")[0].strip().lower() in DEVICES for part in parts):
        return "ha il nome di un dispositivo di Windows"
    if len(name) > LONGEST_NAME or any(ord(letter) < 32 for letter in name):
        return "ha un nome troppo lungo o con caratteri di controllo"
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG):
        return "non è un file: è un collegamento o un file speciale"
    return "è protetta da una password" if info.flag_bits & 1 else ""


def _folded(parts: tuple[str, ...]) -> str:
    return "/".join(parts).casefold()


def read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int, budget: Budget) -> bytes:
    """I byte di una voce. Solleva Refused se sono troppi, o se non sono quanti la voce ne dichiara."""
    if info.file_size > most:
        raise Refused(f"supera {most // 2**20} MB.")
    budget.take(info.file_size)
    try:
        with archive.open(info) as file:
            data = file.read(most + 1)
    except UNREADABLE:
        raise Refused("è rovinato, o non è lungo quanto dichiara.") from None
    if len(data) != info.file_size:
        raise Refused("non è lungo quanto dichiara.")
    return data


def shown(parts: tuple[str, ...]) -> str:
    """Un percorso come si mostra: accorciato e senza caratteri di controllo."""
    return clean_text("/".join(parts)[-160:], 160)

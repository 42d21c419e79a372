"""Un file .npz scritto da altri: nomi, forme e tipo si conoscono già, e ogni byte si guarda prima di usarlo.

Non passa da np.load: niente pickle, nessun testo valutato, nessuna memoria chiesta da chi ha scritto il file.
"""

from __future__ import annotations

import io
import math
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from course_lib.checks.handed import WrongFile

MAGIC = b"\x93NUMPY\x01\x00"
MOST_HEADER = 1_000  # byte; quella di np.savez ne occupa 128
WIDEST = 32  # byte del tipo di numeri più grande: oltre, non è un tipo sbagliato ma un'altra cosa
SHOWN = 2  # quanti nomi in una frase
# come np.savez scrive la riga in testa a ogni array
HEADER = re.compile(
    rb"\{'descr': (.+), 'fortran_order': (True|False), "
    rb"'shape': \((\d{1,9}(?:, \d{1,9})*|\d{1,9},|)\), \} *\n"
)
TYPE = re.compile(rb"'[<>|=]([a-zA-Z]\d{0,4})'")
WORDS = (("f", "float"), ("c", "complex"), ("i", "int"), ("u", "uint"))
NAMES = {f"{kind}{size}": f"{word}{8 * size}" for kind, word in WORDS for size in (1, 2, 4, 8, 16, 32)}


def read_arrays(raw: bytes, file: str, shapes: Mapping[str, tuple[int, ...]], remedy: str) -> dict:
    """Gli array float32 di un .npz.

    raw: i byte, già entro il massimo   file: il suo nome, per le frasi
    shapes: {nome: forma} di ogni array che ci dev'essere   remedy: che cosa fare se non va, per le frasi
    Restituisce: {nome: array nuovo, float32}, nell'ordine di shapes. Solleva WrongFile con una frase.
    """
    try:
        return _read(raw, file, shapes)
    except _Fault as fault:
        raise WrongFile(f"{fault}: {remedy}") from None


class _Fault(Exception):
    """Che cosa non va, senza il rimedio."""


def _read(raw: bytes, file: str, shapes: Mapping[str, tuple[int, ...]]) -> dict:
    try:
        archive = zipfile.ZipFile(io.BytesIO(raw))
        infos = archive.infolist()
    except Exception:  # da byte ostili zipfile può sollevare di tutto
        raise _Fault(f"{file} non è un file .npz: è rovinato, o è di un altro tipo") from None
    with archive:
        _expect_names([info.filename for info in infos], file, shapes)
        members = {info.filename.removesuffix(".npy"): info for info in infos}
        return {name: _array(archive, members[name], f"In {file}, «{name}»", shapes[name]) for name in shapes}


def _expect_names(found: list[str], file: str, shapes: Mapping) -> None:
    names = [name.removesuffix(".npy") for name in found]
    missing = [name for name in shapes if name not in names]
    extra = [name for name, full in zip(names, found, strict=True) if name not in shapes or full == name]
    twice = [name for name, times in Counter(names).items() if times > 1]
    if missing or extra:
        said = [f"{'manca' if len(missing) == 1 else 'mancano'} {_listed(missing)}"] if missing else []
        said += [f"{'è' if len(extra) == 1 else 'sono'} di troppo {_listed(extra)}"] if extra else []
        raise _Fault(f"{file} non contiene i parametri di questo modello ({'; '.join(said)})")
    if twice:
        raise _Fault(f"{file} contiene due volte {_listed(twice)}")


def _listed(names: Iterable[str]) -> str:
    names = ["".join(letter for letter in name if letter.isprintable())[:40] for name in names]
    shown = ", ".join(f"«{name}»" for name in names[:SHOWN])
    return shown + (f" e altri {len(names) - SHOWN}" if len(names) > SHOWN else "")


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo, where: str, shape: tuple[int, ...]) -> np.ndarray:
    numbers = math.prod(shape)
    if info.file_size > WIDEST * numbers + MOST_HEADER:  # una bomba: non si decomprime
        raise _Fault(f"{where} occupa molto più spazio di un array di forma {_written(shape)}")
    try:
        with archive.open(info) as member:
            data = member.read()
    except Exception:  # come sopra
        raise _Fault(f"{where} è rovinato") from None
    kind, fortran, found, content = _header(data, where)
    if kind[1:] != "f4":
        found_kind = NAMES.get(kind[1:], "di un tipo sconosciuto")
        raise _Fault(f"{where} contiene numeri {found_kind}, e servono float32")
    if found != shape:
        raise _Fault(f"{where} ha la forma {_written(found)}, e serve {_written(shape)}")
    if len(content) != 4 * numbers:
        raise _Fault(f"{where} è stato tagliato, o ha qualcosa in più")
    array = np.frombuffer(content, dtype=kind).reshape(shape, order="F" if fortran else "C")
    if not np.isfinite(array).all():
        raise _Fault(f"{where} contiene valori che non sono numeri finiti (NaN o infinito)")
    return array.astype(np.float32, order="C")


def _header(data: bytes, where: str) -> tuple[str, bool, tuple[int, ...], bytes]:
    """Tipo, ordine, forma e byte dei numeri. Solleva _Fault se la riga in testa non è quella di np.savez."""
    start = len(MAGIC) + 2
    size = int.from_bytes(data[len(MAGIC) : start], "little")
    line = HEADER.fullmatch(data[start : start + size])
    if not data.startswith(MAGIC) or line is None:
        raise _Fault(f"{where} non è un array scritto da np.savez")
    kind = TYPE.fullmatch(line[1])
    if kind is None or kind[1].startswith(b"O"):
        raise _Fault(f"{where} contiene oggetti di Python, e si leggono soltanto numeri")
    shape = tuple(int(length) for length in re.findall(rb"\d+", line[3]))
    return line[1].decode().strip("'"), line[2] == b"True", shape, data[start + size :]


def _written(shape: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''})"

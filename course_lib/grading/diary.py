"""Il diario della correzione: si aggiunge soltanto, e ogni riga porta l'impronta della riga prima.

Chi cambia, toglie o sposta una riga rompe la catena; `check` dice dove. Il numero di righe e l'ultima
impronta stanno anche in diario.testa, così si vede pure una coda tagliata. Non è una firma: chi può scrivere
nel registro può rifare l'intera catena, e per questo conviene conservarne altrove l'ultima impronta.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

DIARY, HEAD = "diario.jsonl", "diario.testa"
LINK, NUMBER = "prima", "riga"  # l'impronta della riga precedente, e il numero di questa
BLOCK = 1 << 16
REMEDY = "I voti del registro restano; confronta il diario con una copia di riserva."


def append(folder: Path, record: dict) -> None:
    """Aggiunge una riga in fondo; più processi possono scrivere insieme.

    folder: il registro   record: che cosa annotare, in JSON
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / DIARY).open("a+b") as file, _alone(file.fileno()):
        number, link = _what_follows(file)
        line = json.dumps({**record, NUMBER: number, LINK: link}, ensure_ascii=False).encode(
            "utf-8", "replace"
        )
        os.write(file.fileno(), line + b"\n")
        os.fsync(file.fileno())
        _write_head(folder / HEAD, number, _digest(line))


def check(folder: Path) -> str | None:
    """Una frase se la catena è rotta, None se è intera (o se il diario non c'è ancora)."""
    path, head = folder / DIARY, _read_head(folder / HEAD)
    if not path.is_file():
        return f"Il diario non c'è più, ma diario.testa dice che c'era. {REMEDY}" if head else None
    data = path.read_bytes()
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    prefix, previous, last = hashlib.sha256(), None, 0
    for number, line in enumerate(lines, 1):
        record = _record(line)
        if record is not None:
            expected = _digest(previous) if previous is not None else prefix.hexdigest()
            if record[LINK] != expected or record[NUMBER] != number:
                return _sentence(number, "non segue da quella prima, che è stata cambiata, tolta o aggiunta")
            last = number
        previous = line if record is not None else None
        prefix.update(line + b"\n")
    if last and last < len(lines) and data.endswith(b"\n"):
        return _sentence(last + 1, "non è una riga della catena")
    if head is None:
        return (
            f"Manca diario.testa: le ultime righe del diario potrebbero essere state tolte. {REMEDY}"
            if last
            else None
        )
    count, digest = head
    if len(lines) < count:
        return f"Nel diario mancano righe: erano {count}, ora sono {len(lines)}. {REMEDY}"
    return None if _digest(lines[count - 1]) == digest else _sentence(count, "non è quella scritta allora")


def snapshot(folder: Path) -> list[tuple[str, os.stat_result, bytes]]:
    """Nome, stato e byte del diario e della sua testa, letti mentre nessuno vi scrive; [] se non c'è."""
    try:
        file = (folder / DIARY).open("rb")
    except FileNotFoundError:
        return []
    with file, _alone(file.fileno()):
        found = [(DIARY, os.fstat(file.fileno()), file.read())]
        with contextlib.suppress(FileNotFoundError):
            found.append((HEAD, (folder / HEAD).stat(), (folder / HEAD).read_bytes()))
    return found


def last_link(folder: Path) -> str:
    """L'ultima impronta del diario, da conservare altrove; "" se il diario non c'è."""
    head = _read_head(folder / HEAD)
    return head[1] if head else ""


def _sentence(number: int, what: str) -> str:
    return f"Il diario {DIARY} è stato modificato: la riga {number} {what}. {REMEDY}"


@contextlib.contextmanager
def _alone(descriptor: int) -> Iterator[None]:
    """Un processo alla volta: su Windows, dove non si corregge in parallelo, non serve."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def _what_follows(file) -> tuple[int, str]:
    """Il numero della prossima riga e l'impronta che deve portare; una riga lasciata a metà si chiude."""
    size = file.seek(0, os.SEEK_END)
    if size:
        file.seek(size - 1)
        if file.read(1) != b"\n":
            os.write(file.fileno(), b"\n")
            size += 1
    last = _last_line(file, size)
    record = _record(last)
    if record is not None:
        return record[NUMBER] + 1, _digest(last)
    file.seek(0)
    data = file.read()
    return data.count(b"\n") + 1, _digest(data)


def _last_line(file, size: int) -> bytes:
    taken = min(size, BLOCK)
    while True:
        file.seek(size - taken)
        tail = file.read(taken).removesuffix(b"\n")
        if b"\n" in tail or taken == size:
            return tail.rpartition(b"\n")[2]
        taken = min(size, taken * 4)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _record(line: bytes) -> dict | None:
    """La riga, se fa parte della catena: quelle scritte prima che ci fosse non hanno numero né impronta."""
    try:
        record = json.loads(line)
        return record if isinstance(record[LINK], str) and isinstance(record[NUMBER], int) else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _read_head(path: Path) -> tuple[int, str] | None:
    try:
        count, digest = path.read_text(encoding="utf-8").split()
        return int(count), digest
    except (OSError, ValueError):
        return None


def _write_head(path: Path, count: int, digest: str) -> None:
    temporary = path.with_name(path.name + ".nuova")
    temporary.write_text(f"{count} {digest}\n", encoding="utf-8")
    os.replace(temporary, path)

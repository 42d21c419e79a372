"""Il processo dell'allievo: esegue celle, poi risponde a chiamate. Muore con la passata che lo ha creato."""

from __future__ import annotations

import os
import struct

from . import values, wire
from .recorder import run_cell

CROSSING_ERRORS = (ValueError, TypeError, IndexError, KeyError, ZeroDivisionError, NotImplementedError)


def read_frame(fd: int) -> tuple[dict, bytes]:
    """Un messaggio intero dal filo. Solleva EOFError se il filo è chiuso."""
    head, size = wire.frame_sizes(_exactly(fd, wire.FRAME.size))
    return wire.unpack_header(_exactly(fd, head)), _exactly(fd, size)


def _exactly(fd: int, count: int) -> bytes:
    parts = []
    while count:
        part = os.read(fd, min(count, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def write_all(fd: int, data: bytes) -> None:
    """Scrive tutto, anche a pezzi."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def serve(shell: object, read_fd: int, write_fd: int, silent: bool) -> None:
    """Risponde ai messaggi del giudice finché il filo resta aperto."""
    while True:
        try:
            header, payload = read_frame(read_fd)
        except (EOFError, struct.error):
            return
        answer, chunks = _answer(shell, header, payload, silent)
        write_all(write_fd, wire.pack(answer, chunks))


def _answer(shell: object, header: dict, payload: bytes, silent: bool) -> tuple[dict, list[bytes]]:
    if header["kind"] == "cell":
        return {"kind": "ran", **run_cell(shell, header["source"], silent)}, []
    space = shell.user_ns
    if header["kind"] == "exports":
        return {"kind": "exports", "found": {n: _describe(space, n) for n in header["names"]}}, []
    if header["kind"] == "value":
        return _send(space[header["name"]])
    references = {name: space[name] for name in header["exports"] if callable(space.get(name))}
    decoder = values.Decoder(payload, references)
    args = [decoder.decode(node) for node in header["args"]]
    kwargs = {name: decoder.decode(node) for name, node in header["kwargs"].items()}
    try:
        result = space[header["name"]](*args, **kwargs)
    except BaseException as error:
        return _send_error(error, args, kwargs)
    return _send(result, args, kwargs)


def _describe(space: dict, name: str) -> str:
    if name not in space:
        return "missing"
    return "function" if callable(space[name]) else "value"


def _send(result: object, args: list = (), kwargs: dict | None = None) -> tuple[dict, list[bytes]]:
    try:
        encoder = values.Encoder(aliases=False)
        value = encoder.encode(result)
        after, after_kwargs = _after(encoder, args, kwargs)
    except wire.NotCrossing as error:
        return {"kind": "not-crossing", "type": str(error)[:100]}, []
    except (ValueError, TypeError, RuntimeError, AttributeError):
        return {"kind": "not-crossing", "type": type(result).__name__[:100]}, []
    return {"kind": "value", "value": value, "after": after, "after_kwargs": after_kwargs}, encoder.chunks


def _send_error(error: BaseException, args: list, kwargs: dict) -> tuple[dict, list[bytes]]:
    if isinstance(error, MemoryError):
        kind = "MemoryError"
    else:
        kind = type(error).__name__ if type(error) in CROSSING_ERRORS else "ErroreAllievo"
    answer, chunks = _send(None, args, kwargs)
    if answer["kind"] != "value":
        return {"kind": "error", "type": kind, "after": None, "after_kwargs": None}, []
    return {**answer, "kind": "error", "type": kind}, chunks


def _after(encoder: values.Encoder, args: list, kwargs: dict | None) -> tuple[list, dict]:
    """Gli argomenti come sono dopo la chiamata: così si vede chi li ha modificati."""
    callables = (values.Reference,)
    kept = [None if callable(a) and not isinstance(a, callables) else a for a in args]
    named = {n: None if callable(a) else a for n, a in (kwargs or {}).items()}
    return [encoder.encode(a) for a in kept], {n: encoder.encode(a) for n, a in named.items()}

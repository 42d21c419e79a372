"""Il filo fra giudice e box: una lunghezza, un'intestazione JSON, i byte delle array.

Il giudice legge byte scritti da codice ostile: ogni misura è controllata prima di allocare, niente pickle,
niente npz, nessun percorso ricevuto viene aperto.
"""

from __future__ import annotations

import json
import struct

FRAME = struct.Struct("!II")  # byte dell'intestazione, byte delle array
MAX_HEADER = 8 * 2**20
MAX_PAYLOAD = 16 * 2**20


class WireError(Exception):
    """Byte che non rispettano il formato, o troppo grandi."""


class NotCrossing(Exception):
    """Un valore di un tipo che non passa il confine del box; porta il nome del tipo."""


def pack(header: dict, chunks: list[bytes] = ()) -> bytes:
    """Un messaggio intero, pronto da scrivere. Solleva NotCrossing se è troppo grande."""
    head = json.dumps(header, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    if len(head) > MAX_HEADER:
        raise NotCrossing("valore troppo grande")
    return b"".join([FRAME.pack(len(head), sum(map(len, chunks))), head, *chunks])


def unpack_header(raw: bytes) -> dict:
    """L'intestazione di un messaggio: un dizionario JSON. Solleva WireError se non lo è."""
    try:
        header = json.loads(raw.decode("ascii"))
    except (ValueError, RecursionError):
        raise WireError("intestazione illeggibile") from None
    if not isinstance(header, dict):
        raise WireError("intestazione illeggibile")
    return header


def frame_sizes(raw: bytes) -> tuple[int, int]:
    """Le due lunghezze in testa a un messaggio. Solleva WireError se superano i limiti."""
    head, payload = FRAME.unpack(raw)
    if head > MAX_HEADER or payload > MAX_PAYLOAD:
        raise WireError("messaggio troppo grande")
    return head, payload

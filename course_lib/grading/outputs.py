"""Dalle uscite dichiarate dal box (ostili) a uscite innocue: testo semplice, immagini PNG, errori."""

from __future__ import annotations

import base64
import binascii
import re
import struct

from nbformat import NotebookNode
from nbformat.v4 import new_output

MAX_OUTPUTS = 60
MAX_TEXT = 21_000
MAX_PNG = 1_000_000
MAX_SIDE = 6_000  # pixel
PAGE_TEXT, PAGE_PICTURES, PAGE_PICTURE_BYTES = 200_000, 30, 6_000_000  # in tutta la pagina di una consegna
TOO_MUCH = "… (pagina troppo lunga: il resto delle uscite non è stato tenuto)\n"
# Sequenze ANSI, caratteri di controllo, direzione del testo, caratteri privati e surrogati isolati; poi gli
# invisibili: riempitivi, selettori di variante, separatori di riga, BOM, etichette e piani privati.
CONTROL = re.compile(
    "\x1b\\[[0-9;]*[A-Za-z]"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ud800-\uf8ff\ufff0-\uffff"
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2028\u2029\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff]"
)


def clean_text(value: object, longest: int = MAX_TEXT) -> str:
    """Testo semplice, senza caratteri di controllo, di lunghezza limitata; "" se non è testo."""
    return CONTROL.sub("", value[:longest]) if isinstance(value, str) else ""


class Page:
    """Quanto può ancora entrare nella pagina di una consegna: testo, immagini, byte delle immagini."""

    def __init__(self) -> None:
        self.text, self.pictures, self.bytes = PAGE_TEXT, PAGE_PICTURES, PAGE_PICTURE_BYTES

    def clean(self, outputs: object) -> list[NotebookNode]:
        """Le uscite di una cella, ripulite e tagliate a ciò che resta; ogni cella dice il suo taglio."""
        kept = clean_outputs(outputs)
        fitting = [output for output in kept if self._takes(output)]
        if len(fitting) < len(kept):
            fitting.append(new_output("stream", name="stdout", text=TOO_MUCH))
        return fitting

    def _takes(self, output: NotebookNode) -> bool:
        picture = output.get("data", {}).get("image/png", "")
        words = len(output.get("text", "")) + len("".join(output.get("traceback", [])))
        words += len(output.get("data", {}).get("text/plain", ""))
        if words > self.text or len(picture) > self.bytes or (picture and not self.pictures):
            return False
        self.text, self.bytes = self.text - words, self.bytes - len(picture)
        self.pictures -= bool(picture)
        return True


def clean_outputs(outputs: object) -> list[NotebookNode]:
    """Le uscite che si possono tenere; quel che non è riconosciuto è lasciato cadere."""
    if not isinstance(outputs, list):
        return []
    kept = [_clean(output) for output in outputs[:MAX_OUTPUTS] if isinstance(output, dict)]
    return [output for output in kept if output is not None]


def _clean(output: dict) -> NotebookNode | None:
    kind = output.get("output_type")
    if kind == "stream":
        name = "stderr" if output.get("name") == "stderr" else "stdout"
        return new_output("stream", name=name, text=clean_text(output.get("text")))
    if kind == "error":
        return error_output(
            clean_text(output.get("name"), 100),
            clean_text(output.get("message"), 2_000),
            clean_text(output.get("line"), 300),
        )
    data = output.get("data")
    if kind == "display_data" and isinstance(data, dict) and _is_png(data.get("image/png")):
        text = clean_text(data.get("text/plain"), 2_000) or "immagine"
        return new_output("display_data", data={"image/png": data["image/png"], "text/plain": text})
    return None


def error_output(name: str, message: str, line: str = "") -> NotebookNode:
    """Un errore senza traceback: nome, messaggio, riga."""
    lines = [f"{name}: {message}" if message else name] + ([line] if line else [])
    return new_output("error", ename=name, evalue=message, traceback=lines)


def _is_png(text: object) -> bool:
    if not isinstance(text, str) or len(text) > MAX_PNG:
        return False
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return False
    if len(raw) < 24 or not raw.startswith(b"\x89PNG\r\n\x1a\n") or raw[12:16] != b"IHDR":
        return False
    width, height = struct.unpack(">II", raw[16:24])
    return 0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE

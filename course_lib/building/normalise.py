"""Toglie da un notebook tutto ciò che cambia da una volta all'altra, e lo scrive sempre nello stesso modo."""

from __future__ import annotations

import base64
import json
import re

# Senza la versione di Python: cambierebbe da un computer all'altro senza dire nulla a chi legge.
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
    },
}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")
SAME_ADDRESS = "0x..."
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PNG_NOTES = {b"tEXt", b"zTXt", b"iTXt", b"tIME", b"eXIf"}  # programma, versione, data: nessun pixel


def notebook_text(notebook) -> str:
    """Il testo JSON di un notebook: chiavi in ordine, rientro di uno, a capo in fondo."""
    import nbformat

    nbformat.validate(notebook)
    return nbformat.writes(notebook, version=nbformat.NO_CONVERT).rstrip("\n") + "\n"


def new_notebook(cells: list):
    """Un notebook con i metadati del corso, uguali dappertutto."""
    from nbformat import v4

    return v4.new_notebook(cells=cells, metadata=json.loads(json.dumps(METADATA)))


def normalise_outputs(cell) -> bool:
    """Rende ripetibili le uscite di una cella di codice, sul posto.

    Restituisce True se la cella mostrava un widget, la cui vista non si conserva.
    """
    had_widget, kept = False, []
    for output in cell.outputs:
        if output.output_type == "stream":
            output.text = ADDRESS.sub(SAME_ADDRESS, output.text)
        elif output.output_type in ("display_data", "execute_result"):
            if WIDGET_VIEW in output.data:
                had_widget = True
                del output.data[WIDGET_VIEW]
                if set(output.data) <= {"text/plain"}:  # resta soltanto il nome della classe
                    continue
            output.data = {mime: normalise_value(mime, value) for mime, value in output.data.items()}
        kept.append(output)
    cell.outputs = kept
    cell.metadata.pop("execution", None)
    return had_widget


def normalise_value(mime: str, value):
    """Un valore di un'uscita, senza indirizzi di memoria e senza le note dei PNG."""
    if mime == "image/png" and isinstance(value, str):
        return plain_png(value)
    if mime.startswith("text/") and isinstance(value, str):
        return ADDRESS.sub(SAME_ADDRESS, value)
    return value


def plain_png(encoded: str) -> str:
    """Lo stesso PNG (in base64) senza i blocchi che dicono con che cosa e quando è stato scritto."""
    try:
        data = base64.b64decode(encoded)
    except ValueError:  # non è base64
        return encoded
    if not data.startswith(PNG_SIGNATURE):
        return encoded
    kept, at = [PNG_SIGNATURE], len(PNG_SIGNATURE)
    while at + 12 <= len(data):
        end = at + 12 + int.from_bytes(data[at : at + 4], "big")  # lunghezza, tipo, dati, CRC
        if data[at + 4 : at + 8] not in PNG_NOTES:
            kept.append(data[at:end])
        at = end
    return base64.b64encode(b"".join(kept)).decode("ascii")


def output_texts(cell) -> list[str]:
    """Tutto il testo che una cella ha mostrato, per cercarvi ciò che non deve esserci."""
    texts = []
    for output in cell.outputs:
        if output.output_type == "stream":
            texts.append(output.text)
        else:
            data = output.get("data", {})
            texts += [
                value for mime, value in data.items() if isinstance(value, str) and mime.startswith("text/")
            ]
    return texts

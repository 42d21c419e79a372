"""La consegna: un file zip con il notebook e un manifesto, e una ricevuta da conservare."""

from __future__ import annotations

import datetime as dt
import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from course_lib.grading.outputs import clean_text
from course_lib.grading.preflight import read_notebook
from course_lib.grading.register import sha256, student_id, utc_now, write_atomically
from course_lib.grading.verdicts import NotGraded
from course_lib.project import CorsoError

ROME = ZoneInfo("Europe/Rome")
MANIFEST = "manifesto.json"


@dataclass(frozen=True)
class HandIn:
    """Una consegna preparata: lo zip, la ricevuta, il testo della ricevuta."""

    archive: Path
    receipt: Path
    text: str


def hand_in(
    notebook: Path, exercise: str, name: str, folder: Path, when: dt.datetime | None = None
) -> HandIn:
    """Prepara lo zip e la ricevuta in `folder`.

    notebook: il file dell'allievo   exercise: «es02»   name: nome e cognome   when: ora UTC, se non è adesso
    Solleva CorsoError se il nome è vuoto, o se il file manca o non è un notebook.
    """
    name = " ".join(clean_text(name, 100).split())
    student = student_id(name)
    if not student:
        raise CorsoError(
            f'«{name}» non contiene lettere latine: scrivi il tuo nome, per esempio --nome "Anna Bianchi".'
        )
    if not notebook.is_file():
        raise CorsoError(f"Non trovo {notebook}: indica l'esercizio («es02») o il percorso del suo notebook.")
    raw = notebook.read_bytes()
    try:
        read_notebook(raw, notebook.name)
    except NotGraded as error:
        raise CorsoError(f"{error.message} Non ho preparato nessuna consegna.") from None
    when = when or utc_now()
    data = _archive(raw, exercise, name, when)
    stem = f"{exercise}_{student}_{when:%Y%m%dT%H%M%S}Z"
    archive, receipt = folder / f"{stem}.zip", folder / f"{stem}.ricevuta.txt"
    text = receipt_text(exercise, name, when, raw, data, archive.name)
    try:
        write_atomically(archive, data)
        write_atomically(receipt, text.encode())
    except OSError:
        raise CorsoError(f"In {folder} non si può scrivere: indica con --in un'altra cartella.") from None
    return HandIn(archive, receipt, text)


def _archive(raw: bytes, exercise: str, name: str, when: dt.datetime) -> bytes:
    """Lo zip, in memoria: stesse cose dentro, stessi byte."""
    manifest = {
        "formato": 1,
        "esercizio": exercise,
        "nome": name,
        "quando": when.isoformat(),
        "file": [{"nome": f"{exercise}.ipynb", "byte": len(raw), "sha256": sha256(raw)}],
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        content = json.dumps(manifest, ensure_ascii=False, indent=1).encode()
        for member, data in ((MANIFEST, content), (f"{exercise}.ipynb", raw)):
            info = zipfile.ZipInfo(member, date_time=when.timetuple()[:6])
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, data)
    return buffer.getvalue()


def receipt_text(
    exercise: str, name: str, when: dt.datetime, raw: bytes, archive: bytes, file_name: str
) -> str:
    """La ricevuta: che cosa, quando (ora di Roma e UTC), con quali impronte."""
    local = when.astimezone(ROME)
    return (
        f"Ricevuta di consegna · Chiave di lettura\n\n"
        f"Esercizio:        {exercise}\n"
        f"Nome:             {name}\n"
        f"Preparata il:     {local:%d/%m/%Y alle %H:%M:%S} (ora di Roma; {when:%Y-%m-%dT%H:%M:%SZ} UTC)\n"
        f"File da inviare:  {file_name}\n"
        f"SHA-256 dello zip:      {sha256(archive)}\n"
        f"SHA-256 del notebook:   {sha256(raw)}\n\n"
        "Conserva questa ricevuta: le impronte dicono esattamente quale file hai preparato.\n"
    )

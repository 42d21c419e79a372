"""La consegna: un file zip con il notebook e un manifesto, e una ricevuta da conservare."""

from __future__ import annotations

import datetime as dt
import io
import json
import os
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_lib.building.bundle import ORIGINALS
from course_lib.checks.handed import WrongFile
from course_lib.grading.companions import files_of
from course_lib.grading.manifest import FIRST_YEAR, MANIFEST
from course_lib.grading.outputs import clean_text
from course_lib.grading.preflight import read_notebook, rebuild
from course_lib.grading.receipts import SUFFIX, receipt_text
from course_lib.grading.register import Register, sha256, student_id, utc_now
from course_lib.grading.rome import ROME, rome_text
from course_lib.grading.verdicts import NotGraded
from course_lib.project import CorsoError, reason

YEARS = range(FIRST_YEAR, 2100)  # fuori da qui è l'orologio del computer a sbagliare
TRIES = 1000


@dataclass(frozen=True)
class HandIn:
    """Una consegna preparata: lo zip, la ricevuta, il testo della ricevuta, le frasi per chi consegna."""

    archive: Path
    receipt: Path
    text: str
    notes: list[str] = field(default_factory=list)


def hand_in(
    notebook: Path,
    exercise: str,
    name: str,
    folder: Path,
    when: dt.datetime | None = None,
    root: Path | None = None,
) -> HandIn:
    """Prepara lo zip e la ricevuta in `folder`, senza mai sovrascrivere una consegna già preparata.

    notebook: il file dell'allievo   exercise: «es02»   name: nome e cognome   when: ora UTC, se non è adesso
    root: il corso, per dire se le risposte sono ancora quelle del testo
    Solleva CorsoError se il nome è vuoto, o se il file manca o non è un notebook.
    """
    name = " ".join(clean_text(name, 100).split())
    student = student_id(name)
    if not student:
        raise CorsoError(
            f'«{name}» non contiene lettere latine: scrivi il tuo nome, per esempio --nome "Anna Bianchi".'
        )
    raw = notebook_bytes(notebook)
    try:
        content, notes = read_notebook(raw, notebook.name)
        notes += _what_is_inside(content, root, exercise, notebook)
    except NotGraded as error:
        raise CorsoError(f"{error.message} Non ho preparato nessuna consegna.") from None
    when = when or utc_now()
    if when.year not in YEARS:
        notes.append(f"L'orologio di questo computer segna {rome_text(when)}: regolalo e consegna di nuovo.")
    files = _other_files(notebook, exercise, notes)
    data = _archive(raw, exercise, name, when, files)
    try:
        archive = _write_new(folder, f"{exercise}_{student}_{when:%Y%m%dT%H%M%S}Z", data)
        text = receipt_text(exercise, name, when, raw, data, archive.name, files)
        receipt = archive.with_name(archive.name[:-4] + SUFFIX)
        receipt.write_bytes(text.encode())
    except OSError:
        raise CorsoError(f"In {folder} non si può scrivere: indica con --in un'altra cartella.") from None
    return HandIn(archive, receipt, text, notes)


def notebook_bytes(notebook: Path) -> bytes:
    """Il notebook di chi studia, com'è sul disco. Solleva CorsoError se manca o se non si può leggere."""
    try:
        if notebook.is_file():
            return notebook.read_bytes()
    except OSError as error:
        raise CorsoError(
            f"{notebook} non si legge ({reason(error)}): dammi un notebook che puoi aprire, per esempio una "
            "copia salvata da JupyterLab."
        ) from None
    raise CorsoError(f"Non trovo {notebook}: indica l'esercizio («es02») o il percorso del suo notebook.")


def _what_is_inside(content: NotebookNode, root: Path | None, exercise: str, notebook: Path) -> list[str]:
    """Le riparazioni che farà la correzione, e se non è stata ancora scritta nessuna risposta."""
    release = original(root, exercise, None) if root is not None else None
    if release is None or is_the_text(root, exercise, notebook):
        return []
    rebuilt = rebuild(content, release)
    unchanged = "In questo notebook non è cambiata nessuna risposta: è il file su cui hai lavorato?"
    return rebuilt.notes + ([unchanged] if rebuilt.unchanged else [])


def is_the_text(root: Path, exercise: str, notebook: Path) -> bool:
    """Nel corso di chi lo scrive il notebook in exercises/ è il testo stesso: confrontarlo non dice nulla."""
    release = Register(root).release(exercise)
    kept = root / ORIGINALS / f"{exercise}.ipynb"
    return not kept.is_file() and release.is_file() and release.resolve() == notebook.resolve()


def original(root: Path, exercise: str, edited: Path | None) -> NotebookNode | None:
    """Il testo dell'esercizio com'era: dal pacchetto, o da exercises/, o (se è dato) il file stesso.

    Con il file stesso le celle cambiate non si notano. None se non ce n'è nessuno.
    """
    places = (root / ORIGINALS / f"{exercise}.ipynb", Register(root).release(exercise), edited)
    for path in places:
        if path is not None and path.is_file():
            return nbformat.read(path, as_version=4)
    return None


def _other_files(notebook: Path, exercise: str, notes: list[str]) -> dict[str, bytes]:
    """I file da consegnare con il notebook che gli stanno accanto; di quelli che non vanno si dice perché.

    Uno che non va si consegna lo stesso, se non è troppo grande: le altre prove valgono comunque.
    """
    found = {}
    for file in files_of(exercise):
        try:
            content = file.read_from(notebook.with_name(file.name))
            fault = file.fault(content)
        except WrongFile as error:
            content, fault = None, str(error)
        if fault:
            notes.append(f"{fault} Così la prova che lo usa non sarebbe superata.")
        if content is not None and len(content) <= file.most:
            found[file.name] = content
    return found


def _archive(raw: bytes, exercise: str, name: str, when: dt.datetime, files: dict[str, bytes]) -> bytes:
    """Lo zip, in memoria: stesse cose dentro e stessa ora, stessi byte."""
    inside = {f"{exercise}.ipynb": raw, **files}
    manifest = {
        "formato": 1,
        "esercizio": exercise,
        "nome": name,
        "quando": when.isoformat(),
        "file": [{"nome": n, "byte": len(data), "sha256": sha256(data)} for n, data in inside.items()],
    }
    buffer = io.BytesIO()
    local = when.astimezone(ROME)  # gli zip scrivono l'ora locale, dal 1980 al 2107
    date = local.timetuple()[:6] if 1980 <= local.year <= 2107 else (1980, 1, 1, 0, 0, 0)
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        content = json.dumps(manifest, ensure_ascii=False, indent=1).encode()
        for member, data in ((MANIFEST, content), *inside.items()):
            info = zipfile.ZipInfo(member, date_time=date)
            info.create_system = 3  # uguale anche da Windows
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(info, data)
    return buffer.getvalue()


def _write_new(folder: Path, stem: str, data: bytes) -> Path:
    """Scrive lo zip intero o nulla, con un nome nuovo: due consegne nello stesso secondo restano due."""
    folder.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=folder, prefix=".scrivo-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        for i in range(1, TRIES):
            path = folder / (f"{stem}.zip" if i == 1 else f"{stem}-{i}.zip")
            try:
                with path.open("xb"):
                    pass
            except FileExistsError:
                if path.read_bytes() == data:
                    return path
                continue
            os.replace(temporary, path)
            return path
    finally:
        Path(temporary).unlink(missing_ok=True)
    raise FileExistsError(stem)

"""La ricevuta di una consegna: un file da conservare e un codice breve; si verifica contro lo zip."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from course_lib.grading import archives
from course_lib.grading.manifest import MANIFEST, read_manifest
from course_lib.grading.outputs import clean_text
from course_lib.grading.register import sha256
from course_lib.grading.rome import rome_text
from course_lib.project import CorsoError

SUFFIX = ".ricevuta.txt"
LONGEST = 20_000
TITLE = "Ricevuta di consegna · Chiave di lettura"
FIELDS = {
    "exercise": r"^Esercizio: +(\S+)$",
    "name": r"^Nome: +(.+)$",
    "archive": r"^File da inviare: +(.+)$",
    "digest": r"^SHA-256 dello zip: +([0-9a-f]{64})$",
    "notebook": r"^SHA-256 del notebook: +([0-9a-f]{64})$",
    "code": r"^Codice: +([A-Z2-7-]+)$",
    "rome": r"^Preparata il: +(.+?) \(ora di Roma; ",
    "when": r"^Preparata il: +.*?([0-9-]{10}T[0-9:]{8}Z) UTC\)$",
}


@dataclass(frozen=True)
class Receipt:
    """Ciò che una ricevuta dice: l'ora UTC e quella di Roma; code è il codice breve, che si può dettare."""

    exercise: str
    name: str
    when: str
    rome: str
    archive: str
    digest: str
    notebook: str
    code: str


def code_of(digest: str) -> str:
    """Il codice breve di un'impronta: 16 lettere e cifre (80 bit), a gruppi di quattro."""
    letters = base64.b32encode(bytes.fromhex(digest)[:10]).decode("ascii")
    return "-".join(letters[i : i + 4] for i in range(0, 16, 4))


def receipt_text(
    exercise: str, name: str, when: dt.datetime, raw: bytes, archive: bytes, file_name: str,
    files: Mapping[str, bytes] | None = None,
) -> str:  # fmt: skip
    """La ricevuta: che cosa, quando (ora di Roma e UTC), con quali impronte e con quale codice.

    files: i file che stanno nello zip con il notebook, {nome: byte}
    """
    digest = sha256(archive)
    others = "".join(f"SHA-256 di {name + ':':<13}{sha256(data)}\n" for name, data in (files or {}).items())
    return (
        f"{TITLE}\n\n"
        f"Esercizio:        {exercise}\n"
        f"Nome:             {name}\n"
        f"Preparata il:     {rome_text(when)} (ora di Roma; {when:%Y-%m-%dT%H:%M:%SZ} UTC)\n"
        f"File da inviare:  {file_name}\n"
        f"Codice:           {code_of(digest)}\n"
        f"SHA-256 dello zip:      {digest}\n"
        f"SHA-256 del notebook:   {sha256(raw)}\n"
        f"{others}\n"
        "Conserva questa ricevuta: il codice e le impronte dicono esattamente quale file hai preparato.\n"
        "Non dice che è arrivato: quello lo conferma chi insegna.\n"
    )


def read_receipt(path: Path) -> Receipt:
    """Legge una ricevuta. Solleva CorsoError se il file non c'è o non è una ricevuta intera."""
    try:
        text = path.read_bytes()[:LONGEST].decode("utf-8-sig").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError):
        raise CorsoError(f"{path} non si legge: indica il file che finisce in {SUFFIX}.") from None
    found = {name: re.search(pattern, text, re.MULTILINE) for name, pattern in FIELDS.items()}
    if TITLE not in text or not all(found.values()):
        raise CorsoError(f"{path.name} non è una ricevuta di questo corso, o ne manca una parte.")
    values = {name: clean_text(match.group(1).strip(), 200) for name, match in found.items()}
    if code_of(values["digest"]) != values["code"]:
        raise CorsoError(
            f"{path.name} è stata modificata: il codice e l'impronta dello zip non vanno insieme."
        )
    return Receipt(**values)


def verify(path: Path) -> tuple[bool, str]:
    """Confronta una ricevuta con il suo zip: (vanno insieme, la frase).

    path: la ricevuta, con lo zip accanto; oppure lo zip, con la ricevuta accanto
    Solleva CorsoError se manca l'una o l'altro.
    """
    if path.suffix.lower() == ".zip":
        archive, path = path, path.with_name(path.name[:-4] + SUFFIX)
        receipt = read_receipt(path)
    else:
        receipt = read_receipt(path)
        archive = path.with_name(Path(receipt.archive).name)
    if not archive.is_file():
        raise CorsoError(f"Accanto alla ricevuta non trovo {archive.name}: mettilo nella stessa cartella.")
    with archive.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest == receipt.digest:
        return _same_words(archive, receipt)
    if sha256(_inside(archive, f"{receipt.exercise}.ipynb") or b"") == receipt.notebook:
        return (
            False,
            f"{archive.name} non è lo stesso file, ma il notebook dentro è identico a quello della ricevuta.",
        )
    return (
        False,
        f"{archive.name} non è il file della ricevuta: è cambiato dopo (ora il codice è {code_of(digest)}).",
    )


def _same_words(archive: Path, receipt: Receipt) -> tuple[bool, str]:
    """Lo zip è quello: ma nome e ora, che il codice non protegge, si credono solo se li dice anche lo zip."""
    file = f"{archive.name} è esattamente il file della ricevuta (codice {receipt.code})"
    manifest = read_manifest(_inside(archive, MANIFEST) or b"")
    if manifest is None:
        return True, f"{file}. Di nome e ora non risponde: nello zip non c'è un manifesto che li confermi."
    when = manifest["quando"]
    said = (receipt.exercise, receipt.name, receipt.rome, receipt.when)
    written = (manifest["esercizio"], manifest["nome"], rome_text(when), f"{when:%Y-%m-%dT%H:%M:%SZ}")
    if said == written:
        return True, f"{file}, con lo stesso nome e la stessa ora: quella del computer che l'ha preparato."
    return (
        False,
        f"{file}, ma il resto della ricevuta è stato modificato. Nello zip c'è scritto: {written[0]}, "
        f"{written[1]}, {written[2]}.",
    )


def _inside(archive: Path, name: str) -> bytes | None:
    """Un file dello zip; None se non c'è o non si legge."""
    try:
        with archives.opened(archive) as opened:
            info = opened.getinfo(name)
            return archives.read(opened, info, archives.MAX_INNER, archives.Budget(archives.MAX_PUPIL))
    except (archives.Refused, KeyError):  # KeyError: quel file non c'è
        return None

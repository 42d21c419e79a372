"""Il registro di una classe: consegne, voti, feedback, diario, tutto sotto registro/, fuori da git."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import os
import re
import tempfile
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from course_lib.building.nbgrader_settings import AUTOGRADED, FEEDBACK, REGISTER, RELEASE, SOURCE, SUBMITTED
from course_lib.grading import diary
from course_lib.project import CorsoError

# Le lettere latine che Unicode non scompone in una lettera semplice e un segno.
LETTERS = str.maketrans(
    {
        "ł": "l",
        "Ł": "L",
        "ø": "o",
        "Ø": "O",
        "đ": "d",
        "Đ": "D",
        "ß": "ss",
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "ı": "i",
    }
)


@dataclass(frozen=True)
class Register:
    """Le cartelle di una classe dentro il corso che sta in `root`."""

    root: Path

    @property
    def folder(self) -> Path:
        """La cartella dei dati della classe."""
        return self.root / REGISTER

    def release(self, exercise: str) -> Path:
        """Il notebook distribuito."""
        return self.root / RELEASE / exercise / f"{exercise}.ipynb"

    def solution(self, exercise: str) -> Path:
        """Il notebook con soluzioni e prove nascoste."""
        path = self.root / SOURCE / exercise / f"{exercise}.ipynb"
        if not path.is_file():
            if not (self.root / "sources").is_dir():
                raise CorsoError(
                    "Questo è il pacchetto per chi studia, che non ha le soluzioni: per correggere serve una "
                    "copia completa del corso."
                )
            raise CorsoError(
                f"Manca {SOURCE}/{exercise}/{exercise}.ipynb: senza le soluzioni non si può correggere. "
                "Correggi da una copia completa del corso, o esegui «python3 corso.py costruisci»."
            )
        return path

    def received(self, exercise: str, student: str) -> Path:
        """Le consegne come sono arrivate."""
        return self.folder / "ricevuti" / exercise / student

    def submitted(self, exercise: str, student: str) -> Path:
        """Il notebook ricostruito, pronto per nbgrader."""
        return self.root / SUBMITTED / student / exercise

    def rebuilt_mark(self, exercise: str, student: str) -> Path:
        """L'impronta di quel notebook: uno messo lì a mano ne ha un'altra, o nessuna."""
        return self.folder / "ricostruiti" / exercise / f"{student}.sha256"

    def handed(self, exercise: str, student: str) -> Path:
        """La cartella dei file consegnati con il notebook che si sta correggendo."""
        return self.folder / "ricostruiti" / exercise / student

    def autograded(self, exercise: str, student: str) -> Path:
        """Il notebook corretto."""
        return self.root / AUTOGRADED / student / exercise

    def feedback(self, exercise: str, student: str) -> Path:
        """La pagina per chi studia."""
        return self.root / FEEDBACK / student / exercise / f"{exercise}.html"

    def outcome(self, exercise: str, student: str) -> Path:
        """L'esito dell'ultima correzione, in JSON."""
        return self.folder / "esiti" / exercise / f"{student}.json"

    def outcomes(self, exercise: str) -> list[Path]:
        """Gli esiti di tutta la classe, in ordine di identificativo."""
        return sorted((self.folder / "esiti" / exercise).glob("*.json"))

    def write_outcome(self, exercise: str, student: str, record: dict) -> None:
        """Scrive un esito, intero o nulla."""
        data = json.dumps(record, ensure_ascii=False, indent=1).encode("utf-8", "replace")
        write_atomically(self.outcome(exercise, student), data)

    def log(self, record: dict) -> None:
        """Aggiunge una riga al diario, che non si riscrive mai e le cui righe sono in catena."""
        diary.append(self.folder, {"quando": utc_now().isoformat(), **record})

    def broken_diary(self) -> str | None:
        """Una frase se qualcuno ha modificato il diario, None se è intero."""
        return diary.check(self.folder)

    def last_link(self) -> str:
        """L'ultima impronta del diario, da conservare altrove; "" se il diario non c'è."""
        return diary.last_link(self.folder)

    def class_page(self, exercise: str) -> Path:
        """Il resoconto della classe, in HTML."""
        return self.folder / "resoconti" / f"{exercise}.html"


def utc_now() -> dt.datetime:
    """L'ora di adesso, UTC, al secondo."""
    return dt.datetime.now(dt.UTC).replace(microsecond=0)


def write_atomically(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Scrive un file intero o nulla, anche se la macchina si spegne a metà."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".scrivo-")
    except OSError as error:
        error.filename = str(path)  # il nome provvisorio non direbbe nulla a chi legge l'errore
        raise
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def sha256(data: bytes) -> str:
    """L'impronta SHA-256, esadecimale."""
    return hashlib.sha256(data).hexdigest()


def student_id(name: str) -> str:
    """Da un nome («Anna Bianchi») all'identificativo del registro («anna-bianchi»); "" se non resta nulla."""
    folded = (
        unicodedata.normalize("NFKD", name.translate(LETTERS))
        .encode("ascii", "ignore")
        .decode("ascii")
        .lower()
    )
    return re.sub(r"[^a-z0-9]+", "-", folded).strip("-")[:60]

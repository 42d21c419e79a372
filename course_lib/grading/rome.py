"""L'ora di Roma e le scadenze: si conserva UTC, si mostra e si scrive Roma, anche al cambio dell'ora."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from course_lib.project import CorsoError

ROME = ZoneInfo("Europe/Rome")
DEADLINES = "scadenze.toml"  # nel registro: es02 = "20/11/2026 23:59"
EXAMPLE = "«20/11/2026 23:59» (ora di Roma)"
WRITTEN = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})(?:[ T]+(?:alle )?(\d{1,2})[:.](\d{2}))?")
ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[ T]+(\d{1,2}):(\d{2}))?")


@dataclass(frozen=True)
class Deadline:
    """Una scadenza: l'ultimo istante valido (UTC), e che cosa si è deciso al cambio dell'ora, se serviva."""

    until: dt.datetime
    said: str = ""

    def __str__(self) -> str:
        """La scadenza come la si è scritta, senza i secondi."""
        return rome_text(self.until, seconds=False)

    def late_by(self, when: dt.datetime) -> dt.timedelta | None:
        """Di quanto un'ora è in ritardo sul minuto scritto; None se non lo è."""
        return when - self.until.replace(second=0, microsecond=0) if when > self.until else None


def rome_text(when: dt.datetime, *, seconds: bool = True) -> str:
    """Un istante nell'ora di Roma: «20/11/2026 alle 23:50:00»; nell'ora ripetuta dice quale delle due."""
    local = when.astimezone(ROME)
    text = f"{local:%d/%m/%Y alle %H:%M:%S}" if seconds else f"{local:%d/%m/%Y alle %H:%M}"
    if local.utcoffset() != local.replace(fold=1 - local.fold).utcoffset():
        text += " (ora legale)" if local.dst() else " (ora solare)"
    return text


def read_deadline(text: str) -> Deadline:
    """Da «20/11/2026 23:59» alla scadenza; il minuto scritto vale tutto. Senza ora vale fino a mezzanotte.

    Un'ora che al cambio si ripete vale la seconda volta; una che non esiste vale un'ora dopo.
    Solleva CorsoError se non è una data e un'ora.
    """
    words = text.strip()
    written, iso = WRITTEN.fullmatch(words), ISO.fullmatch(words)
    if written:
        day, month, year, hour, minute = written.groups()
    elif iso:
        year, month, day, hour, minute = iso.groups()
    else:
        raise CorsoError(f"La scadenza «{text}» non è una data e un'ora: scrivila come {EXAMPLE}.")
    clock = (23, 59) if hour is None else (int(hour), int(minute))
    try:
        local = dt.datetime(int(year), int(month), int(day), *clock, 59, 999_999)
        aware = local.replace(tzinfo=ROME, fold=1)
        until = aware.astimezone(dt.UTC)
    except (ValueError, OverflowError):
        raise CorsoError(
            f"La scadenza «{text}» non esiste sul calendario: scrivila come {EXAMPLE}."
        ) from None
    if until.astimezone(ROME).replace(tzinfo=None) != local:
        until = local.replace(tzinfo=ROME, fold=0).astimezone(dt.UTC)
        moved = until.astimezone(ROME)
        return Deadline(
            until,
            f"La scadenza {local:%d/%m/%Y %H:%M} non esiste: quella notte l'orologio salta un'ora avanti. "
            f"Valgono le {moved:%H:%M}.",
        )
    if aware.utcoffset() != aware.replace(fold=0).utcoffset():
        return Deadline(
            until,
            f"La scadenza {local:%d/%m/%Y %H:%M} capita due volte: quella notte l'orologio torna indietro. "
            "Vale la seconda, con l'ora solare.",
        )
    return Deadline(until)


def deadline_of(folder: Path, exercise: str, text: str | None = None) -> Deadline | None:
    """La scadenza di un esercizio: quella data, o quella scritta in registro/scadenze.toml, o nessuna.

    folder: il registro   text: ciò che segue --scadenza: una data e un'ora, o un file con le scadenze
    Solleva CorsoError se non si legge.
    """
    path = folder / DEADLINES
    if text is not None and not text.strip().lower().endswith((".toml", ".txt")):
        return read_deadline(text)
    if text is not None:
        path = Path(text.strip())
        if not path.is_file():
            raise CorsoError(
                f'Non trovo il file delle scadenze {path}: in quel file ogni riga è come '
                'es02 = "20/11/2026 23:59".'
            )
    elif not path.is_file():
        return None
    deadlines = _read_file(path)
    written = deadlines.get(exercise)
    if written is None and text is not None:
        raise CorsoError(
            f"Nel file delle scadenze {path} non c'è {exercise}: c'è {', '.join(deadlines) or 'nulla'}. "
            f'Aggiungi la riga {exercise} = "20/11/2026 23:59", o scrivi la data dopo --scadenza.'
        )
    if written is None:
        return None
    if isinstance(written, dt.datetime):
        written = f"{written:%Y-%m-%d %H:%M}"
    return read_deadline(str(written))


def _read_file(path: Path) -> dict:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError):
        raise CorsoError(
            f'{path.name} non si legge: ogni riga dev\'essere come es02 = "20/11/2026 23:59", '
            "con le virgolette."
        ) from None


def how_late(late: dt.timedelta) -> str:
    """Un ritardo in parole: «6 minuti», «2 ore e 5 minuti», «3 giorni»."""
    minutes = max(1, -(-int(late.total_seconds()) // 60))
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    parts = [(days, "giorno", "giorni"), (hours, "ora", "ore"), (minutes, "minuto", "minuti")]
    words = [f"{n} {one if n == 1 else many}" for n, one, many in parts if n]
    return " e ".join(words[:2])

"""I file che si consegnano insieme al notebook, e da dove si leggono.

Nel notebook di chi studia stanno nella sua stessa cartella. Il giudice invece li riceve con la consegna: con
`handed` ne mette a disposizione i byte, e da quel momento dal disco non si legge più nulla.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from course_lib.project import reason

_HANDED: ContextVar[Mapping[str, bytes] | None] = ContextVar("consegnati", default=None)


class WrongFile(Exception):
    """Un file consegnato che non si può usare; il testo è la frase per chi studia."""


@dataclass(frozen=True)
class HandedFile:
    """Un file da consegnare con il notebook.

    name: il nome, sempre lo stesso   most: quanti byte al massimo   written_by: chi lo scrive, per le frasi
    read: dai byte al contenuto; solleva WrongFile se non va bene
    """

    name: str
    most: int
    written_by: str
    read: Callable[[bytes], object]

    def content(self) -> object:
        """Il contenuto del file consegnato, o di quello nella cartella del notebook. Solleva WrongFile."""
        return self._open(self._bytes())

    def fault(self, raw: bytes | None) -> str | None:
        """Che cosa non va in questi byte (None: il file non c'è), in una frase; None se va tutto bene."""
        try:
            self._open(raw)
        except WrongFile as error:
            return str(error)
        return None

    def read_from(self, path: Path) -> bytes | None:
        """I byte di un file, al più uno oltre il massimo; None se non c'è. Solleva WrongFile se è chiuso."""
        try:
            with path.open("rb") as file:
                return file.read(self.most + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise WrongFile(f"{self.name} non si legge ({reason(error)}): {self.remedy}") from None

    @property
    def remedy(self) -> str:
        """Che cosa fare quando il file non va."""
        return f"esegui di nuovo {self.written_by}, che lo scrive."

    def _bytes(self) -> bytes | None:
        handed = _HANDED.get()
        return self.read_from(Path(self.name)) if handed is None else handed.get(self.name)

    def _open(self, raw: bytes | None) -> object:
        if raw is None:
            what = f"Accanto al notebook manca {self.name}"
            raise WrongFile(f"{what}: esegui {self.written_by}, che lo scrive.")
        if len(raw) > self.most:
            limit = self.most // 1000
            raise WrongFile(f"{self.name} supera {limit} KB, il massimo per questo file: {self.remedy}")
        return self.read(raw)


@contextlib.contextmanager
def handed(files: Mapping[str, bytes]) -> Iterator[None]:
    """Finché dura, i file consegnati sono questi e il disco non conta.

    files: {nome: byte}; quelli che mancano contano come non consegnati
    """
    token = _HANDED.set(files)
    try:
        yield
    finally:
        _HANDED.reset(token)

"""Una seduta con il codice dell'allievo: le funzioni esportate, viste dal giudice come semplici valori."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass

import numpy as np

from course_lib.grading.box import Box
from course_lib.grading.inside import values, wire
from course_lib.grading.verdicts import BoxFailure, NotGraded, Verdict
from course_lib.project import CorsoError

ERRORS = {
    kind.__name__: kind
    for kind in (ValueError, TypeError, IndexError, KeyError, ZeroDivisionError, NotImplementedError)
}

# I soli nomi di tipo che si ripetono: un nome scelto dall'allievo porterebbe fuori un ingresso nascosto.
KNOWN_TYPES = {
    "object", "function", "generator", "map", "zip", "range", "filter", "matrix", "MaskedArray", "frozenset",
    "ndarray", "str_", "type", "module", "Figure", "DataFrame", "namedtuple",
}  # fmt: skip


class ErroreAllievo(Exception):
    """La funzione dell'allievo ha sollevato un'eccezione di un altro tipo."""


class CallFailed(BaseException):
    """Una chiamata senza valore: la prova fallisce. Non è Exception: una prova non la può inghiottire."""

    def __init__(self, message: str, verdict: Verdict | None = None) -> None:
        super().__init__(message)
        self.message, self.verdict = message, verdict


@dataclass(frozen=True)
class Cell:
    """Una cella di codice: nome, testo, e se è del testo dell'esercizio e non serve alle prove."""

    name: str
    source: str
    demo: bool = False


class Proxy(values.Reference):
    """Sta per una funzione dell'allievo: chiamarla manda gli argomenti nel box e riporta il valore."""

    def __init__(self, name: str, session: Session) -> None:
        super().__init__(name)
        self.__name__ = self.__qualname__ = name
        self._session = session

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Chiama la funzione nel box."""
        return self._session.call(self.name, args, kwargs)


class Session:
    """La passata B: le celle rieseguite in silenzio, poi una chiamata alla volta."""

    def __init__(
        self, box: Box, cells: list[Cell], exports: tuple[str, ...], functions: frozenset[str] = frozenset()
    ) -> None:
        self.box, self.cells, self.exports, self.functions = box, cells, exports, functions
        self.broken: NotGraded | None = None
        self.failed: CallFailed | None = None

    def open(self) -> None:
        """Esegue le celle in un processo nuovo. Solleva NotGraded se una cella supera un limite."""
        self.box.begin(silent=True)
        for cell in self.cells:
            run_cell(self.box, cell)

    def names(self) -> dict[str, object]:
        """I nomi esportati che l'allievo ha definito: funzioni come Proxy, valori come copie."""
        try:
            answer, _ = self._ask({"kind": "exports", "names": list(self.exports)}, [])
        except CallFailed as failure:
            raise self.broken or NotGraded(failure.verdict or Verdict.CRASHED, failure.message) from None
        found = answer.get("found")
        if not isinstance(found, dict):
            self._suspect()
            raise self.broken
        space: dict[str, object] = {}
        for name in self.exports:
            if found.get(name) == "function":
                space[name] = Proxy(name, self)
            elif found.get(name) == "value" and name not in self.functions:
                with contextlib.suppress(CallFailed):
                    space[name] = self._value(name)
        self.failed = None
        return space

    def _value(self, name: str) -> object:
        answer, payload = self._ask({"kind": "value", "name": name}, [])
        return self._open_answer(name, answer, payload)[0]

    def call(self, name: str, args: tuple, kwargs: dict) -> object:
        """Una chiamata nel box. Solleva l'errore dell'allievo, o CallFailed se non si arriva a un valore."""
        if self.broken is not None:
            raise CallFailed(self.broken.message)
        encoder = values.Encoder()
        try:
            nodes = [encoder.encode(value) for value in args]
            named = {key: encoder.encode(value) for key, value in kwargs.items()}
        except wire.NotCrossing as error:
            raise CorsoError(
                f"Una prova passa a «{name}» un valore che non entra nel box: {error}."
            ) from None
        header = {"kind": "call", "name": name, "args": nodes, "kwargs": named, "exports": list(self.exports)}
        answer, payload = self._ask(header, encoder.chunks, name)
        value, after, after_kwargs = self._open_answer(name, answer, payload)
        for original, changed in zip(args, after, strict=False):
            write_back(original, changed)
        for key, original in kwargs.items():
            write_back(original, after_kwargs.get(key))
        if answer["kind"] == "error":
            raise ERRORS.get(answer["type"], ErroreAllievo)
        return value

    def _ask(self, header: dict, chunks: list[bytes], name: str = "") -> tuple[dict, bytes]:
        try:
            if not self.box.running:
                self.open()
            return self.box.ask(header, chunks, self.box.limits.call_seconds)
        except NotGraded as error:
            self.broken = error
            raise CallFailed(error.message) from None
        except BoxFailure as error:
            if error.verdict == Verdict.SUSPECT:
                raise self._suspect(error.message) from None
            if (
                time.monotonic() > self.box.ends_at
            ):  # tempo di tutta la consegna: un voto a metà dipenderebbe dal caso
                self.broken = NotGraded(Verdict.TIMEOUT, f"Tempo scaduto: {error.message}")
                raise CallFailed(self.broken.message, Verdict.TIMEOUT) from None
            raise self._fail(f"La chiamata a «{name}» non è finita: {error.message}", error.verdict) from None

    def _open_answer(self, name: str, answer: dict, payload: bytes) -> tuple[object, list, dict]:
        """Da una risposta (byte ostili) a valore e argomenti dopo la chiamata."""
        kind = answer.get("kind")
        if kind == "not-crossing":
            found = answer.get("type")
            said = (
                f"di tipo {found}"
                if isinstance(found, str) and found in KNOWN_TYPES
                else "di un tipo non previsto"
            )
            raise self._fail(f"«{name}» restituisce un valore {said}: attesi numeri o array di NumPy.")
        if kind == "error" and answer.get("type") == "MemoryError":
            raise self._fail(f"La chiamata a «{name}» ha esaurito la memoria.", Verdict.MEMORY)
        if kind not in ("value", "error"):
            raise self._suspect()
        try:
            decoder = values.Decoder(payload)
            value = decoder.decode(answer.get("value"))
            after, named = answer.get("after") or [], answer.get("after_kwargs") or {}
            if not isinstance(after, list) or not isinstance(named, dict):
                raise wire.WireError("risposta sconosciuta")
            return value, [decoder.decode(n) for n in after], {k: decoder.decode(n) for k, n in named.items()}
        except wire.WireError as error:
            raise self._suspect(str(error)) from None

    def _fail(self, message: str, verdict: Verdict | None = None) -> CallFailed:
        self.failed = CallFailed(message, verdict)
        return self.failed

    def _suspect(self, reason: str = "risposta fuori formato") -> CallFailed:
        self.broken = NotGraded(
            Verdict.SUSPECT, f"Il codice interferisce con la correzione ({reason}): va letto a mano."
        )
        return CallFailed(self.broken.message)


def run_cell(box: Box, cell: Cell) -> list[dict]:
    """Esegue una cella nel box e ne dà le uscite (ancora ostili). Solleva NotGraded oltre un limite."""
    try:
        answer, _ = box.ask({"kind": "cell", "source": cell.source}, [], box.limits.cell_seconds)
    except BoxFailure as error:
        raise NotGraded(error.verdict, f"{_place(cell)}: {error.message}") from None
    if answer.get("kind") != "ran":
        box.end()
        raise NotGraded(Verdict.SUSPECT, f"{_place(cell)}: risposta fuori formato.")
    if answer.get("error") == "MemoryError":
        raise NotGraded(Verdict.MEMORY, f"{_place(cell)}: memoria esaurita.")
    return answer.get("outputs")


def _place(cell: Cell) -> str:
    return f"Cella «{cell.name.removesuffix('-risposta')}»"


def write_back(original: object, changed: object) -> None:
    """Porta nell'argomento della prova le modifiche fatte dalla funzione dell'allievo."""
    kind = type(original)
    if kind is not type(changed):
        return
    if kind is np.ndarray:
        if original.shape == changed.shape and original.dtype == changed.dtype and original.flags.writeable:
            original[...] = changed
        elif original.shape != changed.shape or original.dtype != changed.dtype:
            raise CallFailed("La funzione ha cambiato forma o tipo a un suo argomento.")
    elif kind is list and len(original) == len(changed):
        for i, (old, new) in enumerate(zip(original, changed, strict=True)):
            if type(old) is type(new) and isinstance(old, (list, dict, np.ndarray)):
                write_back(old, new)
            else:
                original[i] = new
    elif kind is list:
        original[:] = changed
    elif kind is dict or kind is set:
        original.clear()
        original.update(changed)
    elif kind is np.random.Generator:
        original.bit_generator.state = changed.bit_generator.state

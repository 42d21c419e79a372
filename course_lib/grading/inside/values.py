"""Valori Python in nodi JSON più byte, e ritorno, con controlli a ogni passo.

None, True e False restano come sono; il resto è una lista con un'etichetta davanti:
["i", "12"] int · ["f", hex] float · ["c", hex, hex] complex · ["s", testo] · ["b", base64] ·
["l", nodi] lista · ["t", nodi] tupla · ["S", nodi] insieme · ["d", coppie] dizionario ·
["a", dtype, forma, inizio, scrivibile] array · ["n", dtype, inizio] scalare NumPy ·
["g", nodo dello stato] Generator · ["r", nome] funzione esportata · ["=", k] il k-esimo mutabile già visto.
"""

from __future__ import annotations

import base64
import binascii
import math

import numpy as np

from .wire import MAX_HEADER, MAX_PAYLOAD, NotCrossing, WireError

MAX_DEPTH = 40
MAX_NODES = 200_000
MAX_HASHED = (
    3_000  # elementi di insiemi e dizionari in un messaggio: chiavi scelte apposta costano il quadrato
)
MAX_DIGITS = 4_000
MAX_DIMENSIONS = 32
_NAMES = ["b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "f16", "c8", "c16", "c32"]
DTYPES = {np.dtype(f"{order}{name}").str for name in _NAMES for order in "<>"}
SCALARS = (bool, int, float, complex, str, bytes)


class Reference:
    """Il nome di una funzione esportata, passata come argomento."""

    def __init__(self, name: str) -> None:
        self.name = name


class Encoder:
    """Valori Python in nodi JSON e byte.

    aliases: un oggetto mutabile già incontrato diventa un rimando; negli esiti che tornano dal box no, perché
    pochi rimandi annidati, disfatti dal giudice, diventerebbero milioni di oggetti
    """

    def __init__(self, aliases: bool = True) -> None:
        self.aliases = aliases
        self.seen: dict[int, int] = {}
        self.kept: list = []  # tiene vivi gli oggetti, o un id potrebbe ripetersi
        self.chunks: list[bytes] = []
        self.size = self.nodes = self.hashed = 0

    def encode(self, value: object, depth: int = 0) -> object:
        """Il nodo di un valore. Solleva NotCrossing se il suo tipo non passa il confine."""
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise NotCrossing("valore troppo grande o troppo annidato")
        kind = type(value)
        if value is None or kind is bool:
            return value
        if self.aliases and kind in (list, dict, set, np.ndarray, np.random.Generator):
            if id(value) in self.seen:
                return ["=", self.seen[id(value)]]
            self.seen[id(value)] = len(self.kept)
            self.kept.append(value)
        if kind in (set, dict):
            self.hashed += len(value)
            if self.hashed > MAX_HASHED:
                raise NotCrossing("insiemi o dizionari troppo grandi")
        if kind in (int, float, complex, str, np.str_, bytes):
            return _scalar(value, kind)
        if kind in (list, tuple):
            return ["l" if kind is list else "t", [self.encode(item, depth + 1) for item in value]]
        if kind is set:
            return ["S", [self.encode(item, depth + 1) for item in value]]
        if kind is dict:
            return ["d", [[self.encode(k, depth + 1), self.encode(v, depth + 1)] for k, v in value.items()]]
        if kind is np.ndarray:
            return [
                "a",
                _dtype_name(value.dtype),
                list(value.shape),
                self._add(value),
                bool(value.flags.writeable),
            ]
        if isinstance(value, np.generic) and kind.__module__ == "numpy":
            return ["n", _dtype_name(value.dtype), self._add(np.asarray(value))]
        if kind is np.random.Generator and type(value.bit_generator) is np.random.PCG64:
            return ["g", self.encode(value.bit_generator.state, depth + 1)]
        if isinstance(value, Reference):
            return ["r", value.name]
        raise NotCrossing("namedtuple" if _is_namedtuple(kind) else kind.__name__)

    def _add(self, array: np.ndarray) -> int:
        raw = array.tobytes()
        start = self.size
        self.size += len(raw)
        if self.size > MAX_PAYLOAD:
            raise NotCrossing("array troppo grandi")
        self.chunks.append(raw)
        return start


def _is_namedtuple(kind: type) -> bool:
    """Una namedtuple non è una tupla: il tipo si confronta esatto, qui come nel notebook di chi studia."""
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def _dtype_name(dtype: np.dtype) -> str:
    if dtype.str not in DTYPES:
        raise NotCrossing(f"array con dtype {dtype}")
    return dtype.str


def _scalar(value: object, kind: type) -> list:
    if kind is int:
        try:
            return ["i", str(value)]
        except ValueError:
            raise NotCrossing("intero troppo grande") from None
    if kind is float:
        return ["f", value.hex()]
    if kind is complex:
        return ["c", value.real.hex(), value.imag.hex()]
    if kind in (str, np.str_):
        return ["s", str(value)]
    return ["b", base64.b64encode(value).decode("ascii")]


class Decoder:
    """Nodi JSON e byte in valori nuovi.

    references: funzioni per nome, o None se qui non sono ammesse; allora non lo sono nemmeno i rimandi
    """

    def __init__(self, payload: bytes, references: dict | None = None) -> None:
        self.hashed = self.used = 0
        self.payload = payload
        self.references = references
        self.mutable: list = []
        self.nodes = 0

    def decode(self, node: object, depth: int = 0) -> object:
        """Un valore nuovo dal suo nodo. Solleva WireError se il nodo non rispetta il formato."""
        self.nodes += 1
        if depth > MAX_DEPTH + 2 or self.nodes > MAX_NODES:
            raise WireError("valore troppo grande o troppo annidato")
        if node is None or isinstance(node, bool):
            return node
        if not isinstance(node, list) or not node or not isinstance(node[0], str):
            raise WireError("nodo sconosciuto")
        method = getattr(self, "_read_" + _METHODS.get(node[0], "nothing"), None)
        if method is None or len(node) != _LENGTHS[node[0]]:
            raise WireError("nodo sconosciuto")
        return method(node, depth)

    def _read_int(self, node: list, depth: int) -> int:
        text = _text(node[1], MAX_DIGITS)
        if not text.removeprefix("-").isdecimal() or not text.isascii():
            raise WireError("intero illeggibile")
        return int(text)

    def _read_float(self, node: list, depth: int) -> float:
        return _float(node[1])

    def _read_complex(self, node: list, depth: int) -> complex:
        return complex(_float(node[1]), _float(node[2]))

    def _read_str(self, node: list, depth: int) -> str:
        return _text(node[1], MAX_HEADER)

    def _read_bytes(self, node: list, depth: int) -> bytes:
        try:
            return base64.b64decode(_text(node[1], MAX_HEADER), validate=True)
        except (binascii.Error, ValueError):
            raise WireError("byte illeggibili") from None

    def _open(self) -> int:
        self.mutable.append(_UNFINISHED)
        return len(self.mutable) - 1

    def _close(self, place: int, value: object) -> object:
        self.mutable[place] = value
        return value

    def _read_list(self, node: list, depth: int) -> list:
        place = self._open()
        return self._close(place, [self.decode(item, depth + 1) for item in _items(node[1])])

    def _read_tuple(self, node: list, depth: int) -> tuple:
        return tuple(self.decode(item, depth + 1) for item in _items(node[1]))

    def _read_set(self, node: list, depth: int) -> set:
        place = self._open()
        items = self._hashed_items(node[1])
        return self._close(place, {_key(self.decode(item, depth + 1)) for item in items})

    def _hashed_items(self, value: object) -> list:
        items = _items(value)
        self.hashed += len(items)
        if self.hashed > MAX_HASHED:
            raise WireError("insiemi o dizionari troppo grandi")
        return items

    def _read_dict(self, node: list, depth: int) -> dict:
        place = self._open()
        result = {}
        for pair in self._hashed_items(node[1]):
            if not isinstance(pair, list) or len(pair) != 2:
                raise WireError("coppia sconosciuta")
            result[_key(self.decode(pair[0], depth + 1))] = self.decode(pair[1], depth + 1)
        return self._close(place, result)

    def _read_array(self, node: list, depth: int) -> np.ndarray:
        place = self._open()
        shape = _items(node[2], MAX_DIMENSIONS)
        if not all(type(n) is int and 0 <= n <= MAX_PAYLOAD for n in shape):
            raise WireError("forma illeggibile")
        try:
            array = self._bytes_as_array(node[1], math.prod(shape), node[3]).reshape(shape)
        except ValueError:
            raise WireError("forma illeggibile") from None
        if node[4] is False:
            array.flags.writeable = False
        return self._close(place, array)

    def _read_numpy_scalar(self, node: list, depth: int) -> np.generic:
        return self._bytes_as_array(node[1], 1, node[2])[0]

    def _bytes_as_array(self, dtype_name: object, count: int, start: object) -> np.ndarray:
        if not isinstance(dtype_name, str) or dtype_name not in DTYPES:
            raise WireError("dtype non ammesso")
        dtype = np.dtype(dtype_name)
        size = count * dtype.itemsize
        if type(start) is not int or start != self.used or start + size > len(self.payload):
            raise WireError("la forma e i byte di un array non concordano")
        self.used += size  # ogni byte una volta sola: pochi byte non diventano molte array
        raw = self.payload[start : start + size]
        if dtype.kind == "b" and size and max(raw) > 1:
            raise WireError("booleani illeggibili")
        return np.frombuffer(bytearray(raw), dtype=dtype)

    def _read_generator(self, node: list, depth: int) -> np.random.Generator:
        place = self._open()
        state = self.decode(node[1], depth + 1)
        generator = np.random.Generator(np.random.PCG64(0))
        try:
            generator.bit_generator.state = state
        except Exception:
            raise WireError("stato di un generatore illeggibile") from None
        return self._close(place, generator)

    def _read_reference(self, node: list, depth: int) -> object:
        name = _text(node[1], 200)
        if self.references is None or name not in self.references:
            raise WireError("funzione sconosciuta")
        return self.references[name]

    def _read_same(self, node: list, depth: int) -> object:
        k = node[1]
        if self.references is None:
            raise WireError("rimando non ammesso")
        if type(k) is not int or not 0 <= k < len(self.mutable) or self.mutable[k] is _UNFINISHED:
            raise WireError("rimando sconosciuto")
        return self.mutable[k]


_UNFINISHED = object()
_METHODS = {
    "i": "int", "f": "float", "c": "complex", "s": "str", "b": "bytes", "l": "list", "t": "tuple", "S": "set",
    "d": "dict", "a": "array", "n": "numpy_scalar", "g": "generator", "r": "reference", "=": "same",
}  # fmt: skip
_LENGTHS = {**dict.fromkeys("ifsbltSdgr=", 2), "c": 3, "n": 3, "a": 5}


def _text(value: object, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise WireError("testo illeggibile")
    return value


def _float(value: object) -> float:
    try:
        return float.fromhex(_text(value, 64))
    except (ValueError, OverflowError):
        raise WireError("numero illeggibile") from None


def _items(value: object, most: int = MAX_NODES) -> list:
    if not isinstance(value, list) or len(value) > most:
        raise WireError("elenco illeggibile")
    return value


def _key(value: object) -> object:
    simple = isinstance(value, tuple) and all(item is None or isinstance(item, SCALARS) for item in value)
    if not (simple or value is None or isinstance(value, (*SCALARS, np.generic))):
        raise WireError("chiave non ammessa")
    return value

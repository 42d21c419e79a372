"""es08.npz letto byte per byte: quello giusto passa, ogni altro è rifiutato con una frase, e mai eseguito."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile

import numpy as np
import pytest

from course_lib.checks.handed import WrongFile
from course_lib.checks.own_model import OWN_MODEL, SIZES, untrained
from course_lib.learning.agreement_model import train_agreement
from tests.own_model import npz

RIGHT = npz()
BIAS = "b_out.npy"


def with_member(data: bytes, name: str = BIAS, **options) -> bytes:
    """Il file giusto, con altri byte al posto di una voce."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(RIGHT)) as old, zipfile.ZipFile(buffer, "w", **options) as new:
        for info in old.infolist():
            new.writestr(info.filename, data if info.filename == name else old.read(info))
    return buffer.getvalue()


def array_bytes(header: str, numbers: bytes = b"\0" * 420) -> bytes:
    """Una voce con questa riga in testa."""
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header) + 1) + header.encode() + b"\n" + numbers


def header(shape: str = "(105,)", kind: str = "'<f4'") -> str:
    return f"{{'descr': {kind}, 'fortran_order': False, 'shape': {shape}, }}"


def with_field(offset: int, value: int, size: int = 2) -> bytes:
    """Il file giusto, con un campo cambiato nell'ultima voce del catalogo."""
    raw = bytearray(RIGHT)
    place = RIGHT.rindex(b"PK\x01\x02") + offset
    raw[place : place + size] = value.to_bytes(size, "little")
    return bytes(raw)


def twice() -> bytes:
    buffer = io.BytesIO(RIGHT)
    with zipfile.ZipFile(buffer, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr(BIAS, array_bytes(header()))
    return buffer.getvalue()


def pickled() -> bytes:
    return npz(b_out=np.array([print] * 105, dtype=object))


def bomb() -> bytes:
    return with_member(array_bytes(header()) + bytes(60_000_000), compression=zipfile.ZIP_DEFLATED)


FAULTS = {
    "manca": (lambda: None, "manca es08.npz"),
    "vuoto": (lambda: b"", "non è un file .npz"),
    "troppo grande": (lambda: RIGHT + bytes(200_000), "supera 200 KB"),
    "una pagina web": (lambda: b"<!doctype html><p>404", "non è un file .npz"),
    "un notebook": (lambda: b'{"cells": []}', "non è un file .npz"),
    "tagliato": (lambda: RIGHT[:-40], "non è un file .npz"),
    "senza la testa": (lambda: RIGHT[100:], "«embedding» è rovinato"),
    "un array solo": (lambda: array_bytes(header()), "non è un file .npz"),
    "uno zip vuoto": (
        lambda: b"PK\x05\x06" + bytes(18),
        "(mancano «embedding», «decoder.0.self.gamma» e altri 13)",
    ),
    "un nome in meno": (lambda: npz(b_out=None), "(manca «b_out»)"),
    "un nome in più": (lambda: npz(altro=np.zeros(3)), "(è di troppo «altro»)"),
    "un altro nome": (lambda: npz(b_out=None, b=np.zeros(105)), "(manca «b_out»; è di troppo «b»)"),
    "salvato con save_checkpoint": (
        lambda: npz({f"parameter:{n}": a for n, a in untrained().parameters().items()}),
        "sono di troppo «parameter:embedding», «parameter:decoder.0.self.gamma» e altri 13)",
    ),
    "un nome due volte": (twice, "contiene due volte «b_out»"),
    "una forma trasposta": (
        lambda: npz(W_out=np.zeros((105, 32), np.float32)),
        "«W_out» ha la forma (105, 32), e serve (32, 105)",
    ),
    "un asse in più": (lambda: npz(b_out=np.zeros((1, 105), np.float32)), "la forma (1, 105), e serve "),
    "uno scalare": (lambda: npz(b_out=np.float32(0)), "la forma (), e serve (105,)"),
    "float64": (lambda: npz(b_out=np.zeros(105)), "«b_out» contiene numeri float64, e servono float32"),
    "float16": (lambda: npz(b_out=np.zeros(105, np.float16)), "numeri float16"),
    "interi": (lambda: npz(b_out=np.zeros(105, np.int32)), "numeri int32"),
    "testo": (lambda: npz(b_out=np.array(["a"] * 105)), "numeri di un tipo sconosciuto"),
    "complessi": (lambda: npz(b_out=np.zeros(105, complex)), "numeri complex128"),
    "NaN": (lambda: npz(b_out=np.full(105, np.nan, np.float32)), "«b_out» contiene valori che non sono"),
    "infinito": (lambda: npz(embedding=np.full((105, 32), np.inf, np.float32)), "(NaN o infinito)"),
    "oggetti con pickle": (pickled, "«b_out» contiene oggetti di Python"),
    "campi con un nome": (lambda: npz(b_out=np.zeros(105, [("a", "f4")])), "contiene oggetti di Python"),
    "una bomba": (bomb, "«b_out» occupa molto più spazio di un array di forma (105,)"),
    "una bomba che mente": (lambda: with_field(24, 400, 4), "«b_out» è rovinato"),
    "una forma enorme": (lambda: with_member(array_bytes(header("(999999999,)"))), "la forma (999999999,)"),
    "codice nella riga in testa": (
        lambda: with_member(array_bytes(header("(__import__('os').abort(),)"))),
        "non è un array scritto da np.savez",
    ),
    "una riga in testa infinita": (lambda: with_member(b"\x93NUMPY\x01\x00\xff\xff{"), "non è un array"),
    "un'altra versione": (lambda: with_member(b"\x93NUMPY\x03\x00" + bytes(500)), "non è un array scritto"),
    "non è un array": (lambda: with_member(b"ciao"), "non è un array scritto"),
    "numeri di meno": (lambda: with_member(array_bytes(header(), bytes(419))), "è stato tagliato, o ha"),
    "numeri di più": (
        lambda: with_member(array_bytes(header(), bytes(421))),
        "tagliato, o ha qualcosa in più",
    ),
    "con una password": (lambda: with_field(8, 1), "«b_out» è rovinato"),
    "compresso in un modo sconosciuto": (lambda: with_field(10, 99), "«b_out» è rovinato"),
    "un'altra somma di controllo": (lambda: with_field(16, 7, 4), "«b_out» è rovinato"),
    "una voce che punta altrove": (lambda: with_field(42, 0, 4), "«b_out» è rovinato"),
}


def test_the_model_is_the_one_train_agreement_makes():
    trained = train_agreement(0, steps=0).model
    shapes = {name: array.shape for name, array in trained.parameters().items()}
    assert shapes == {name: start.shape for name, start in untrained().layout().items()}
    assert {name: getattr(trained, name) for name in SIZES} == SIZES


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_a_right_file_is_read_number_for_number(save):
    read = OWN_MODEL.read(npz(save=save))
    assert list(read) == list(untrained().parameters())
    for name, array in untrained().parameters().items():
        assert read[name].dtype == np.float32
        assert np.array_equal(read[name], array)


@pytest.mark.parametrize("change", [np.asfortranarray, lambda array: array.astype(">f4")])
def test_the_order_of_numbers_and_of_bytes_does_not_matter(change):
    array = np.arange(32 * 105, dtype=np.float32).reshape(32, 105)
    read = OWN_MODEL.read(npz(W_out=change(array)))["W_out"]
    assert np.array_equal(read, array)
    assert read.dtype == np.float32
    assert read.flags.c_contiguous


@pytest.mark.parametrize("case", FAULTS)
def test_every_fault_has_one_sentence_that_says_what_to_do(case):
    make, said = FAULTS[case]
    fault = OWN_MODEL.fault(make())
    assert said in fault
    assert "es08.npz" in fault
    assert "la cella dell'addestramento" in fault
    assert fault.endswith(".")
    assert fault.isprintable()
    assert len(fault) < 300


def test_a_bomb_and_a_huge_shape_take_no_memory():
    raws = bomb(), FAULTS["una forma enorme"][0]()
    OWN_MODEL.fault(RIGHT)
    tracemalloc.start()
    for raw in raws:
        OWN_MODEL.fault(raw)
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def test_a_name_cannot_write_on_the_terminal():
    fault = OWN_MODEL.fault(npz({"\x1b[31m" + "a" * 500 + "\n": np.zeros(1)}))
    assert fault.isprintable()
    assert len(fault) < 300


def test_random_damage_is_a_fault_or_the_right_shapes():
    rng = np.random.default_rng(8)
    for _ in range(300):
        raw = np.frombuffer(RIGHT, np.uint8).copy()
        places = rng.integers(0, len(raw), 3) if rng.random() < 0.5 else len(raw) - rng.integers(1, 1500, 3)
        raw[places] = rng.integers(0, 256, 3)
        try:
            read = OWN_MODEL.read(raw.tobytes())
        except WrongFile:
            continue
        assert all(read[name].shape == array.shape for name, array in untrained().parameters().items())


def test_nothing_is_unpickled(monkeypatch):
    def forbidden(*args, **kwargs):
        raise AssertionError("pickle")

    monkeypatch.setattr("pickle.load", forbidden)
    monkeypatch.setattr("pickle.loads", forbidden)
    monkeypatch.setattr(np, "load", forbidden)
    assert "oggetti di Python" in OWN_MODEL.fault(pickled())

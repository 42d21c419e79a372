"""Il filo: ogni valore ammesso torna esattamente uguale, ogni byte fuori formato è rifiutato."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from course_lib.grading.inside import values, wire

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.complex_numbers(allow_nan=False),
    st.text(), st.binary(),
)  # fmt: skip
KEYS = st.one_of(SCALARS, st.tuples(SCALARS, SCALARS))
TREES = st.recursive(
    st.one_of(SCALARS, st.sets(KEYS, max_size=4)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.tuples(inner, inner),
        st.dictionaries(KEYS, inner, max_size=4),
    ),
    max_leaves=12,
)
DTYPES = st.sampled_from([np.dtype(name) for name in sorted(values.DTYPES)])


def through(value: object, references: dict | None = None) -> object:
    """Andata e ritorno sul filo, JSON e byte compresi."""
    encoder = values.Encoder()
    raw = wire.pack({"v": encoder.encode(value)}, encoder.chunks)
    head, size = wire.frame_sizes(raw[: wire.FRAME.size])
    header = wire.unpack_header(raw[wire.FRAME.size : wire.FRAME.size + head])
    return values.Decoder(raw[len(raw) - size :] if size else b"", references).decode(header["v"])


def same(a: object, b: object) -> bool:
    """Uguali anche nei tipi, a ogni livello."""
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return same(list(a.items()), list(b.items()))
    return a == b


@given(TREES)
def test_python_values_come_back_equal_in_type_and_value(value):
    assert same(through(value), value)


@given(hnp.arrays(DTYPES, hnp.array_shapes(min_dims=0, max_dims=5, min_side=0, max_side=3)))
def test_arrays_come_back_with_dtype_shape_and_bytes(array):
    back = through(array)
    assert type(back) is np.ndarray
    assert back.dtype == array.dtype
    assert back.dtype.byteorder == array.dtype.byteorder
    assert back.shape == array.shape
    assert back.tobytes() == array.tobytes()


@pytest.mark.parametrize("name", sorted(values.DTYPES))
def test_numpy_scalars_keep_their_type(name):
    scalar = np.ones(1, np.dtype(name))[0]
    back = through(scalar)
    assert type(back) is type(scalar)
    assert back == scalar


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, -0.0])
def test_odd_floats_cross(number):
    assert np.float64(through(number)).tobytes()[:7] == np.float64(number).tobytes()[:7]
    assert math.copysign(1, through(number)) == math.copysign(1, number)


def test_a_text_from_an_array_crosses_as_plain_text():
    crossed = through(np.array(["è"])[0])
    assert (type(crossed), crossed) == (str, "è")


def test_generator_crosses_as_its_state():
    generator = np.random.default_rng(5)
    generator.normal(size=3)
    back = through(generator)
    np.testing.assert_array_equal(back.normal(size=4), generator.normal(size=4))


def test_same_object_twice_stays_one_object():
    array = np.zeros(2)
    first, second = through([array, array], references={})
    assert first is second


def test_what_comes_back_from_the_box_has_no_references_to_unfold():
    assert values.Encoder(aliases=False).encode([[1]] * 3) == ["l", [["l", [["i", "1"]]]] * 3]
    node = values.Encoder().encode([[1]] * 3)
    with pytest.raises(wire.WireError):
        values.Decoder(b"").decode(node)


def test_read_only_array_arrives_read_only():
    array = np.zeros(2)
    array.flags.writeable = False
    assert through(array).flags.writeable is False
    assert through(np.zeros(2)).flags.writeable is True


def test_reference_becomes_the_function_of_that_name():
    assert through(values.Reference("f"), {"f": len}) is len


class Lying(np.ndarray):
    """Una sottoclasse di ndarray: non passa."""


@pytest.mark.parametrize(
    "value",
    [
        object(), len, np.ones(2).view(Lying), np.ones(2).view(np.recarray), np.array([object()]),
        np.array(["a"]), frozenset(), range(3), iter([]), np.datetime64("2026-01-01"), np.ma.array([1]),
        10**5000, type("I", (int,), {})(3), np.random.Generator(np.random.MT19937(1)),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_other_types_do_not_cross(value):
    with pytest.raises(wire.NotCrossing):
        values.Encoder().encode(value)


def test_endless_nesting_does_not_cross():
    nested: list = []
    for _ in range(200):
        nested = [nested]
    with pytest.raises(wire.NotCrossing):
        values.Encoder().encode(nested)


HOSTILE = {
    "numero JSON nudo": 3,
    "testo nudo": "ciao",
    "dizionario": {"a": 1},
    "lista vuota": [],
    "etichetta ignota": ["z", 1],
    "etichetta non testo": [1, 2],
    "troppi elementi": ["i", "1", "2"],
    "pochi elementi": ["c", "0x0p0"],
    "intero che non lo è": ["i", "1e9"],
    "intero con cifre non ASCII": ["i", "١"],
    "intero smisurato": ["i", "9" * 5000],
    "float illeggibile": ["f", "xyz"],
    "float che trabocca": ["f", "0x1p999999999"],
    "base64 illeggibile": ["b", "***"],
    "lista che non lo è": ["l", 5],
    "coppia storta": ["d", [[1]]],
    "chiave mutabile": ["d", [[["l", []], None]]],
    "chiave tupla di liste": ["d", [[["t", [["l", []]]], None]]],
    "insieme di liste": ["S", [["l", []]]],
    "troppe chiavi": ["S", [["i", str(n)] for n in range(values.MAX_HASHED + 1)]],
    "dtype oggetto": ["a", "|O", [1], 0, True],
    "dtype strutturato": ["a", "f8,f8", [1], 0, True],
    "più array che byte": ["a", "<f8", [3], 0, True],
    "forma enorme": ["a", "<f8", [2**20, 2**20, 2**20], 0, True],
    "forma negativa": ["a", "<f8", [-1], 0, True],
    "forma non intera": ["a", "<f8", [1.0], 0, True],
    "forma booleana": ["a", "<f8", [True], 0, True],
    "troppi assi": ["a", "<f8", [1] * 65, 0, True],
    "due array negli stessi byte": ["l", [["a", "<f8", [1], 0, True], ["a", "<f8", [1], 0, True]]],
    "byte saltati": ["a", "<f8", [1], 8, True],
    "inizio negativo": ["a", "<f8", [1], -8, True],
    "scalare oltre i byte": ["n", "<f8", 9],
    "booleani da 7": ["a", "|b1", [1], 0, True],
    "generatore senza stato": ["g", ["i", "1"]],
    "generatore di altro tipo": ["g", ["d", [[["s", "bit_generator"], ["s", "MT19937"]]]]],
    "funzione mai esportata": ["r", "open"],
    "rimando nel vuoto": ["=", 3],
    "rimando a sé stesso": ["l", [["=", 0]]],
}


@pytest.mark.parametrize("node", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_nodes_are_refused(node):
    with pytest.raises(wire.WireError):
        values.Decoder(b"\x07" * 16, references={}).decode(node)


def test_deep_nodes_are_refused():
    node: list = ["l", []]
    for _ in range(100):
        node = ["l", [node]]
    with pytest.raises(wire.WireError):
        values.Decoder(b"").decode(node)


def test_keys_are_counted_over_the_whole_message():
    half = ["S", [["i", str(n)] for n in range(values.MAX_HASHED // 2 + 1)]]
    values.Decoder(b"").decode(half)
    with pytest.raises(wire.WireError):
        values.Decoder(b"").decode(["l", [half, half]])


def test_node_budget_is_for_the_whole_message():
    decoder = values.Decoder(b"")
    half = ["l", [None] * (values.MAX_NODES // 2 + 1)]
    decoder.decode(half)
    with pytest.raises(wire.WireError):
        decoder.decode(half)


@pytest.mark.parametrize("raw", [b"[1]", b"{", b"\xff", b"[" * 100_000, b'"a"', b"9" * 10_000])
def test_hostile_headers_are_refused(raw):
    with pytest.raises(wire.WireError):
        wire.unpack_header(raw)


@pytest.mark.parametrize(
    "sizes", [(wire.MAX_HEADER + 1, 0), (0, wire.MAX_PAYLOAD + 1), (2**32 - 1, 2**32 - 1)]
)
def test_sizes_over_the_limit_are_refused_before_reading(sizes):
    with pytest.raises(wire.WireError):
        wire.frame_sizes(wire.FRAME.pack(*sizes))

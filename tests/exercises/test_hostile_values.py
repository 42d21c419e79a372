"""Oggetti bugiardi: il loro codice non viene mai eseguito, e non passano mai."""

from __future__ import annotations

import numpy as np
import pytest

from course_lib.checks.values import Opaque, freeze, fresh, unchanged
from tests.exercises.conftest import failure

RIGHT = np.array([0.25, 0.75])


TOUCHED = []


def touched(*args, **kwargs):
    """Segna che il codice di un oggetto bugiardo è stato eseguito."""
    TOUCHED.append(True)
    return True


def lie(text):
    """Una proprietà che segna di essere stata letta e risponde text."""
    return property(lambda self: touched() and text)


class AlwaysEqual:
    """Uguale a tutto, e si spaccia per un array."""

    __eq__ = __ne__ = __array__ = __iter__ = __len__ = __float__ = __bool__ = __repr__ = __str__ = touched
    __hash__ = None
    __getattr__ = touched

    __class__ = property(lambda self: touched() and np.ndarray)


class Changing:
    """Ogni volta che diventa un array è un array diverso."""

    def __array__(self, *args, **kwargs):
        touched()
        return RIGHT if len(TOUCHED) > 1 else np.zeros(2)


class EqualArray(np.ndarray):
    """Una classe derivata che si dice uguale a tutto e non si lascia sommare."""

    __eq__ = __array_ufunc__ = __array_function__ = copy = astype = __repr__ = __str__ = touched


class LyingMeta(type):
    """Una classe che mente sul suo nome, sui suoi antenati e sull'uguaglianza."""

    __name__ = lie("ndarray")
    __mro__ = property(lambda self: touched() and (np.ndarray, object))
    __eq__ = touched
    __hash__ = type.__hash__


class LyingClass(metaclass=LyingMeta):
    """Il suo tipo è un LyingMeta."""


class FloatLike(float):
    """Un numero che si dice uguale a tutto."""

    __eq__ = __float__ = touched
    __hash__ = float.__hash__


class ListLike(list):
    """Una lista che mente."""

    __eq__ = __iter__ = __len__ = __getitem__ = touched
    __hash__ = None


LIARS = {
    "uguale a tutto": AlwaysEqual(),
    "cambia a ogni lettura": Changing(),
    "sottoclasse di array": np.zeros(2).view(EqualArray),
    "classe che mente": LyingClass(),
    "sottoclasse di float": FloatLike(0.25),
    "sottoclasse di lista": ListLike([0.25, 0.75]),
    "array mascherato": np.ma.array([0.25, 0.75]),
    "np.matrix": RIGHT.view(np.matrix),
    "iteratore": iter([0.25, 0.75]),
    "memoria": memoryview(RIGHT),
    "oggetto": object(),
    "funzione": len,
}
WRAPPERS = {
    "da solo": lambda x: x,
    "in una lista": lambda x: [x],
    "in una tupla": lambda x: (x, x),
    "in un dizionario": lambda x: {"a": x},
}


@pytest.mark.parametrize("liar", LIARS)
@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_liar_never_passes_and_its_code_never_runs(liar, wrapper):
    value = WRAPPERS[wrapper](LIARS[liar])
    TOUCHED.clear()
    failed = failure("es02", lambda scores: value, nome="softmax_row")
    assert TOUCHED == []
    assert failed.messaggio.startswith("✗ softmax_row: restituisce ")
    assert failed.slips == ()


@pytest.mark.parametrize("digits", [400, 5_000])
@pytest.mark.parametrize("wrap", [lambda v: v, lambda v: [v], lambda v: (0.5, -v), lambda v: [{1: v}]])
def test_an_endless_integer_fails_the_check_and_stops_nothing(digits, wrap):
    """Oltre 308 cifre non è un float; oltre 4300 Python si rifiuta di scriverlo."""
    assert "ottenuto:" in failure("es02", lambda *a: wrap(10**digits), nome="project").messaggio


def test_an_object_array_is_refused_without_asking_its_elements():
    array = np.array([LyingClass(), LyingClass()], dtype=object)
    TOUCHED.clear()
    assert "oggetti, non numeri" in failure("es02", lambda scores: array, nome="softmax_row").messaggio
    assert TOUCHED == []


def test_a_result_changed_later_is_judged_as_it_was_returned():
    buffer = np.zeros(2)

    def softmax_row(scores):
        buffer[:] = RIGHT if len(scores) == 2 else 0
        return buffer

    seen = freeze(softmax_row([0, 1]))
    buffer[:] = 9
    np.testing.assert_array_equal(seen, RIGHT)


def test_freeze_keeps_exact_types_and_nothing_else():
    value = freeze({"a": [1, np.float32(2)], ("b", "c"): (True, None), "d": RIGHT.view(np.matrix)})
    assert value["a"] == [1, np.float32(2)]
    assert type(value["a"][1]) is np.float32
    assert value["b", "c"] == (True, None)
    assert value["d"] == Opaque("matrix", array_like=True)
    assert freeze(object()) == Opaque("object")


def test_a_bottomless_or_endless_container_is_opaque():
    bottomless = []
    bottomless.append(bottomless)
    value = freeze(bottomless)
    while type(value) is list:
        (value,) = value
    assert value == Opaque("list")
    assert freeze([0] * 20_000) == Opaque("list")


def test_unchanged_looks_at_bytes_types_and_shapes():
    array = np.array([np.nan, -0.0])
    assert unchanged(array, array.copy())
    assert not unchanged(array, np.array([np.nan, 0.0]))
    assert not unchanged(array, array.reshape(2, 1))
    assert not unchanged(array, array.view(np.int64))
    assert not unchanged([1, [2]], [1, [3]])
    assert not unchanged({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert not unchanged(1, True)


def test_fresh_copies_are_new_all_the_way_down():
    original = {"a": [np.zeros(2)], "b": (np.ones(1),)}
    copied = fresh(original)
    copied["a"][0][:] = 5
    copied["b"][0][:] = 5
    assert original["a"][0].tolist() == [0, 0]
    assert original["b"][0].tolist() == [1]


def test_a_fresh_generator_starts_where_the_first_one_was():
    rng = np.random.default_rng(3)
    rng.normal(size=5)
    twin = fresh(rng)
    expected = twin.normal(size=4)
    np.testing.assert_array_equal(rng.normal(size=4), expected)

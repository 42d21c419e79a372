"""Ogni promessa di un notebook sta davvero nel notebook costruito: prosa, codice o uscite."""

from __future__ import annotations

import importlib

import pytest

from tests.notebooks.promises import KINDS, Promise
from tests.notebooks.texts import NAMES, built, outputs, plain

ALWAYS = {"numero", "da portare via", "limite"}  # di questi generi ogni notebook ne ha


def promises(name: str) -> list[Promise]:
    """L'elenco di un notebook; manca il modulo, manca la promessa."""
    return importlib.import_module(f"tests.notebooks.promises.nb{name[:2]}").PROMISES


def whole(name: str) -> str:
    """Tutto ciò che si legge in un notebook costruito."""
    notebook = built(name)
    return plain("\n".join([*(cell.source for cell in notebook.cells), *outputs(notebook)]))


def missing(promise: Promise, text: str) -> list[str]:
    """I pezzi di una promessa che nel testo non ci sono; «\\n» scritto per esteso è un a capo."""
    return [piece for piece in promise.where if plain(piece.replace("\\n", "\n")) not in text]


@pytest.mark.parametrize(
    ("name", "promise"),
    [(name, promise) for name in NAMES for promise in promises(name)],
    ids=lambda value: value.what if isinstance(value, Promise) else value[:2],
)
def test_every_promise_is_kept(name, promise):
    assert promise.where
    assert any(len(piece) > 3 for piece in promise.where), "pezzi così corti si trovano ovunque"
    assert missing(promise, whole(name)) == []


@pytest.mark.parametrize("name", NAMES)
def test_promises_are_of_known_kinds_and_none_is_written_twice(name):
    kinds = {promise.kind for promise in promises(name)}
    assert kinds <= KINDS
    assert kinds >= ALWAYS
    said = [(promise.kind, promise.what) for promise in promises(name)]
    assert len(said) == len(set(said))


def test_a_promise_that_is_not_kept_is_seen():
    broken = Promise("numero", "un numero mai scritto", ("0,665", "0,123456789"))
    assert missing(broken, whole("02-attenzione-a-mano")) == ["0,123456789"]

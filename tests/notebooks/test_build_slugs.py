"""I nomi delle celle: leggibili, stabili, unici."""

from __future__ import annotations

import re

import pytest

from course_lib.building.slugs import cell_ids, headings, slugify
from course_lib.building.source import Cell, Source, SourceError


@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        ("2 · La media pesata  *(2 punti, 10 minuti)*", "la-media-pesata"),
        ("2.1 Perché non così?", "perche-non-cosi"),
        ("L'attenzione è una **media**", "l-attenzione-e-una-media"),
        ("L’attenzione", "l-attenzione"),
        ("`softmax` (di una riga)", "softmax-di-una-riga"),
        ("Leggi [la guida](https://esempio.it/x)", "leggi-la-guida"),
        ("3 candidati", "candidati"),
        ("Σ √ →", ""),
        ("parola" * 20, ("parola" * 20)[:46]),
        (
            "una frase lunga che non finisce mai e che va tagliata fra due parole",
            "una-frase-lunga-che-non-finisce-mai-e-che-va",
        ),
    ],
)
def test_slugify(heading, slug):
    assert slugify(heading) == slug


def test_headings_skip_code_fences():
    text = "# Uno\n```python\n# non un titolo\n```\n## Due ##\n~~~\n# nemmeno\n```\n# qui no\n~~~\n### Tre"
    assert headings(text) == ["Uno", "Due", "Tre"]


def source_of(*cells):
    made = [Cell(kind, text, tuple(tags), line) for line, (kind, text, *tags) in enumerate(cells, start=1)]
    return Source("prova.md", tuple(made))


def test_ids_follow_headings_and_stay_put():
    source = source_of(
        ("markdown", "# Prima prevedi"),
        ("code", "1"),
        ("code", "2"),
        ("markdown", "testo"),
        ("markdown", "## Prima prevedi"),
        ("code", "3"),
        ("code", "4", "nome-mio"),
    )
    roles = ["testo", "codice", "codice", "testo", "testo", "codice", "codice"]
    assert cell_ids(source, roles) == [
        "prima-prevedi",
        "prima-prevedi-codice",
        "prima-prevedi-codice-2",
        "prima-prevedi-testo",
        "prima-prevedi-2",
        "prima-prevedi-2-codice",
        "mio",
    ]


def test_graded_cells_take_the_role_as_ending():
    source = source_of(
        ("markdown", "## 1 · I punteggi"),
        ("code", "a"),
        ("code", "b"),
        ("code", "c", "nome-grandi"),
    )
    assert cell_ids(source, ["testo", "risposta", "prova", "prova"])[1:] == [
        "i-punteggi-risposta",
        "i-punteggi-prova",
        "grandi-prova",
    ]


def test_two_graded_cells_with_one_name_are_refused_even_under_twin_headings():
    twice = source_of(("markdown", "## Uno"), ("code", "a"), ("code", "b"))
    with pytest.raises(SourceError, match=r"«uno-prova» è già della cella alla riga 2.*nome-"):
        cell_ids(twice, ["testo", "prova", "prova"])
    twins = source_of(("markdown", "## Uno"), ("code", "a"), ("markdown", "## Uno"), ("code", "b"))
    with pytest.raises(SourceError, match="«uno-risposta» è già"):
        cell_ids(twins, ["testo", "risposta", "testo", "risposta"])


@pytest.mark.parametrize("bad", ["nome-Due", "nome-è", "nome-a_b", "nome-", "nome-" + "a" * 47])
def test_bad_explicit_names(bad):
    with pytest.raises(SourceError, match="nome"):
        cell_ids(source_of(("code", "1", bad)), ["codice"])


def test_ids_are_valid_in_a_notebook():
    long = "parola " * 30
    ids = cell_ids(
        source_of(("markdown", f"# {long}"), *[("code", "1")] * 12), ["testo", *["preparazione"] * 12]
    )
    assert all(re.fullmatch(r"[a-zA-Z0-9-_]{1,64}", cell_id) for cell_id in ids)
    assert len(set(ids)) == 13

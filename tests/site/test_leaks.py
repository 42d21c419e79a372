"""Nel sito non c'è nessuna soluzione e nessuna prova nascosta: le righe si cercano in ciò che si legge."""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

import pytest

from tests.notebooks.test_real_bundle import block_lines, places

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

# ciò che il corso insegna, i moduli dei widget, l'indice delle parole
TAUGHT = ("notebooks/", "riferimento/", "_static/widgets/", "searchindex.js")


class Words(HTMLParser):
    """Il testo di una pagina, senza marcatori: i colori del codice spezzano le righe in tanti pezzi."""

    def __init__(self, text):
        super().__init__()
        self.parts = []
        self.feed(text)
        self.text = "".join(self.parts)

    def handle_data(self, data):
        self.parts.append(data)


@pytest.fixture(scope="module")
def texts(site) -> dict[str, str]:
    """Ciò che si legge nelle pagine, e i file di testo come sono."""
    found = {}
    for path in site.rglob("*"):
        if path.suffix in (".html", ".js", ".json", ".txt", ".css"):
            text = path.read_text(encoding="utf-8")
            found[path.relative_to(site).as_posix()] = Words(text).text if path.suffix == ".html" else text
    return found


def test_no_hidden_line_is_in_the_site(texts):
    lines = block_lines("HIDDEN TESTS")
    assert len(lines) > 10
    assert {line: places(texts, line) for line in lines if places(texts, line)} == {}


def test_no_solution_line_is_in_the_site_outside_what_the_course_teaches(texts):
    lines = block_lines("SOLUTION")
    assert len(lines) >= 5
    found = {line: [name for name in places(texts, line) if not name.startswith(TAUGHT)] for line in lines}
    assert {line: names for line, names in found.items() if names} == {}


def test_no_mark_of_a_hidden_block_is_in_an_exercise(texts):
    marks = re.compile(r"###\s*(BEGIN|END)\b")
    exercises = {name: text for name, text in texts.items() if name.startswith("exercises/")}
    assert len(exercises) == 8
    assert [name for name, text in exercises.items() if marks.search(text)] == []


def test_the_search_finds_what_is_planted_among_the_colours_of_the_code(texts):
    hidden = block_lines("HIDDEN TESTS")[0]
    half = len(hidden) // 2
    first, second = html.escape(hidden[:half]), html.escape(hidden[half:])
    planted = Words(f"<pre><span>{first}</span><span>{second}</span></pre>").text
    assert places({**texts, "exercises/es02/es02.html": planted}, hidden) == ["exercises/es02/es02.html"]


def test_the_text_of_every_exercise_is_there(texts):
    assert [n for n in range(1, 9) if f"Esercizio {n} · " not in texts[f"exercises/es0{n}/es0{n}.html"]] == []

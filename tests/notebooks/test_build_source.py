"""La lettura delle sorgenti: intestazione, codifica, opzioni, direttive, numeri di riga."""

from __future__ import annotations

import pytest

from course_lib.building.source import SourceError


def test_cells_tags_and_lines(leggi, esercizio):
    source = leggi(esercizio)
    answer = next(cell for cell in source.cells if cell.tags == ("risposta",))
    assert answer.kind == "code"
    assert answer.source.startswith("def prodotto(q, k):")
    assert esercizio.split("\n")[answer.line - 1].startswith((":tags:", "```{code-cell}", "def prodotto"))
    assert source.cells[0].source.startswith("# Esercizio campione")
    assert esercizio.split("\n")[source.cells[0].line - 1] == "# Esercizio campione"


def test_bom_and_crlf_change_nothing(leggi, esercizio):
    windows = b"\xef\xbb\xbf" + esercizio.replace("\n", "\r\n").encode("utf-8")
    assert leggi(windows) == leggi(esercizio)


def test_plus_signs_split_markdown_cells(leggi, esercizio):
    source = leggi(esercizio.replace("Scrivi `prodotto(q, k)`.", "+++\n\nScrivi `prodotto(q, k)`."))
    assert "Scrivi `prodotto(q, k)`." in [cell.source for cell in source.cells]


def swap(old, new):
    def edit(text):
        assert old in text
        return text.replace(old, new, 1)

    return edit


MISTAKES = {
    "intestazione assente": (lambda text: text.split("---\n", 2)[2], "manca l'intestazione"),
    "intestazione senza jupytext": (swap("jupytext:", "altro:"), "manca l'intestazione"),
    "intestazione che non è YAML": (swap("jupytext:", "jupytext: ]"), "manca l'intestazione"),
    "altro kernel": (swap("name: python3", "name: ir"), "manca l'intestazione"),
    "non UTF-8": (lambda text: text.encode("utf-8").replace("è".encode(), b"\xe8"), "non è in UTF-8"),
    "direttiva sconosciuta": (swap("```{code-cell} ipython3", "```{code_cell} ipython3"), "{code_cell}"),
    "opzione sconosciuta": (swap(":tags: [risposta]", ":tag: [risposta]"), "«tag» non esiste"),
    "tag senza parentesi": (swap(":tags: [risposta]", ":tags: risposta"), "riga 27: le opzioni"),
    "tag ripetuto": (swap(":tags: [prova, punti-3]", ":tags: [prova, punti-3, prova]"), "riga 44"),
    "opzioni che non si leggono": (swap(":tags: [risposta]", ":tags: [risposta"), "le opzioni della cella"),
    "cella raw": (swap("```{code-cell} ipython3", "```{raw-cell}"), "raw"),
    "nessuna cella": (lambda text: text[: text.index("# Esercizio")], "nessuna cella"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_unreadable_source_is_one_sentence(leggi, esercizio, name):
    edit, expected = MISTAKES[name]
    with pytest.raises(SourceError) as caught:
        leggi(edit(esercizio))
    message = str(caught.value)
    assert expected in message
    assert message.startswith("sources/es99.md")
    assert "\n" not in message


def test_line_of_a_bad_byte(leggi):
    with pytest.raises(SourceError, match="riga 3"):
        leggi(b"a\nb\nperch\xe9\n")


def test_missing_file(tmp_path):
    from course_lib.building.source import read_source

    with pytest.raises(SourceError, match="non esiste"):
        read_source(tmp_path / "es98.md")

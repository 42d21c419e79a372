"""I pezzi della dispensa, uno per volta: a capo nel codice, risposte, rimandi, ciò che può mancare."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tests.conftest import require


@pytest.fixture(autouse=True)
def _sphinx():
    require("sphinx")


def soup(text: str):
    from bs4 import BeautifulSoup

    return BeautifulSoup(text, "html.parser")


def wrapped(code: str, width: int) -> list[str]:
    from course_lib.publishing.handout.code_lines import wrap

    page = soup(f"<pre>{code}</pre>")
    wrap(page.pre, width)
    return page.pre.get_text().split("\n")


def test_short_lines_stay_as_they_are():
    assert wrapped("uno\ndue tre\n", 7) == ["uno", "due tre", ""]


def test_a_long_line_goes_on_after_the_mark_and_nothing_is_lost():
    code = "print(number(first, 3), number(second, 3), vector(third, 3))  # in fila"
    lines = wrapped(code, 30)
    assert all(len(line) <= 30 for line in lines)
    assert all(line.startswith("↪ ") for line in lines[1:])
    assert "".join(line.removeprefix("↪ ") for line in lines) == code


def test_a_line_without_spaces_is_cut_where_the_page_ends():
    lines = wrapped("x" * 25, 10)
    assert lines == ["x" * 10, "↪ " + "x" * 8, "↪ " + "x" * 7]


def test_the_colours_of_the_code_are_kept_where_a_line_is_cut():
    page = soup('<pre><span class="k">def</span> <span class="c1"># parola parola parola</span></pre>')
    from course_lib.publishing.handout.code_lines import wrap

    wrap(page.pre, 12)
    assert page.select_one(".k").get_text() == "def"
    assert "↪" in page.select_one(".c1").get_text()


QUESTION = """<section id="s"><h2>Mettiti alla prova</h2><p>Quanto fa?</p>
<details><summary>Risposta</summary><p>Fa sette.</p></details>
<h2>Riferimenti</h2><p>S0</p></section>"""


def settled(text: str, key: str):
    from course_lib.publishing.handout import answers

    page = soup(f"<div>{text}</div>")
    answers.settle(page.div, key)
    return page


def test_an_answer_goes_after_everything_and_leaves_its_page_beside_the_question():
    page = settled(QUESTION, "nb02")
    text = page.get_text(" ", strip=True)
    assert text.index("Riferimenti") < text.index("Le risposte") < text.index("Fa sette")
    assert page.find("details") is None
    asked = page.find("p", string=None).get_text()
    assert asked.startswith("Quanto fa? Risposta: pagina ")
    targets = [link["href"].removeprefix("#") for link in page.select("a.pagina")]
    assert len(targets) == 2
    assert all(page.find(id=target) is not None for target in targets)


def test_an_explanation_of_what_is_already_printed_stays_in_its_place():
    cell = '<div class="cell"><div class="cell_output">7</div></div>'
    why = "<details><summary>Perché</summary><p>Tre più quattro.</p></details><p>Poi</p>"
    page = settled(cell + why, "nb02")
    text = page.get_text(" ", strip=True)
    assert text.index("Perché") < text.index("Tre più quattro") < text.index("Poi")
    assert "Le risposte" not in text


def test_two_hints_of_an_exercise_are_named_from_their_part():
    hints = "".join(f"<details><summary>{name}</summary><p>{name}!</p></details>" for name in ("Uno", "Due"))
    part = "<h2>1 · Somma <em>(2 punti)</em></h2><blockquote>2</blockquote>"
    page = settled(f"<section>{part}{hints}</section>", "es01")
    assert [title.get_text().split(" (")[0] for title in page.select(".risposta .titolo-aperto")] == [
        "1 · Somma. Uno",
        "1 · Somma. Due",
    ]
    assert page.select_one("blockquote + p").get_text() == "Uno: pagina 000 · Due: pagina 000"


def linked(body: str, key: str = "nb02"):
    from course_lib.publishing.handout import references
    from course_lib.publishing.handout.chapters import Chapter

    page = soup(f"<div>{body}</div>")
    references.settle(Chapter(key, "Titolo", "I notebook", page.div))
    return page


def test_a_link_to_another_notebook_says_its_page():
    exercise = '<a href="../exercises/es02/es02.html">es02</a>'
    page = linked(f'{exercise}, <a href="09-parole-e-simboli.html#x">parole</a>')
    assert [link["href"] for link in page.find_all("a")] == ["#es02", "#es02", "#nb09-x", "#nb09"]
    assert page.get_text() == "es02 (p. 000), parole (p. 000)"


def test_names_of_two_chapters_are_never_the_same():
    page = linked('<h2 id="errori-comuni">Errori</h2><a href="#errori-comuni">qui</a>')
    assert page.h2["id"] == "nb02-errori-comuni"
    assert page.a["href"] == "#nb02-errori-comuni"
    assert page.get_text() == "Erroriqui"


def test_an_address_outside_is_printed_whole_and_once():
    page = linked('<a href="https://esempio.it/a">qui</a> <a href="https://esempio.it/a">https://esempio.it/a</a>')
    assert page.get_text() == "qui (https://esempio.it/a) https://esempio.it/a"


@pytest.fixture
def made(monkeypatch):
    """Una dispensa finta al posto di quella vera: che cosa scrive, e quali guai trova."""
    from course_lib.publishing.handout import book

    def install(text: str, trouble: list[str]):
        def make(root, folder, chromium):
            (folder / "dispensa.pdf").write_text(text, encoding="utf-8")
            return 3, trouble

        monkeypatch.setattr(book, "make", make)

    monkeypatch.setattr(book, "expect_tools", lambda root, chromium: None)
    return install


def run(*words: str) -> int:
    from course_lib.cli import main

    return main(["dispensa", *words])


def test_the_command_says_where_and_how_many_pages(made, tmp_path, capsys):
    made("nuova", [])
    target = tmp_path / "una cartella" / "corso.pdf"
    assert run("--in", str(target)) == 0
    assert target.read_text(encoding="utf-8") == "nuova"
    assert capsys.readouterr().out == f"Dispensa: {target}\n3 pagine, 0,0 MB.\n"
    assert list(target.parent.iterdir()) == [target]


def test_with_a_fault_the_file_of_before_stays(made, tmp_path, capsys):
    made("nuova", ["manca una figura"])
    target = tmp_path / "corso.pdf"
    target.write_text("vecchia", encoding="utf-8")
    assert run("--in", str(target)) == 1
    assert target.read_text(encoding="utf-8") == "vecchia"
    assert "manca una figura" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize(("name", "said"), [("corso.txt", "finisce con .pdf"), ("una.pdf", "è una cartella")])
def test_a_wrong_name_is_explained(made, tmp_path, capsys, name, said):
    made("nuova", [])
    (tmp_path / "una.pdf").mkdir()
    assert run("--in", str(tmp_path / name)) == 1
    error = capsys.readouterr().err
    assert said in error
    assert "Traceback" not in error


def test_a_place_among_the_sources_is_refused(made, capsys):
    from tests.conftest import ROOT

    made("nuova", [])
    place = ROOT / "sources" / "handout" / "mia.pdf"
    assert run("--in", str(place)) == 1
    assert "sta fra le sorgenti del corso" in capsys.readouterr().err
    assert not place.exists()


def test_the_file_says_the_version_that_chromium_gave_it(tmp_path):
    """Una tipografia la legge: pypdf ne scriverebbe una più vecchia di ciò che c'è nel file."""
    from pypdf import PdfWriter

    from course_lib.publishing.handout.finish import finish

    printed = PdfWriter()
    printed.add_blank_page(100, 100)
    printed.pdf_header = "%PDF-1.4"
    printed.write(tmp_path / "stampata.pdf")
    assert finish(tmp_path / "stampata.pdf", tmp_path / "finita.pdf") == 1
    assert (tmp_path / "finita.pdf").read_bytes().startswith(b"%PDF-1.4")


@pytest.mark.parametrize("missing", ["pypdf", "playwright", "sphinx"])
def test_what_is_missing_is_named_with_the_command_that_installs_it(monkeypatch, tmp_path, capsys, missing):
    find = importlib.util.find_spec

    def without(name, *rest):
        return None if name == missing else find(name, *rest)

    monkeypatch.setattr(importlib.util, "find_spec", without)
    assert run("--in", str(tmp_path / "corso.pdf")) == 1
    error = capsys.readouterr().err.strip()
    assert missing in error.lower()
    assert "install" in error
    assert "\n" not in error
    assert list(tmp_path.iterdir()) == []


def test_in_a_copy_without_sources_a_sentence_says_so(tmp_path):
    from course_lib.project import CorsoError
    from course_lib.publishing.handout.book import build_handout

    with pytest.raises(CorsoError, match="non ci sono le pagine della dispensa"):
        build_handout(tmp_path, tmp_path / "corso.pdf", "chromium")


def test_without_chromium_a_sentence_says_what_to_install(monkeypatch, tmp_path, capsys):
    from course_lib.cli import diagnose

    monkeypatch.setattr(diagnose, "find_chromium", lambda: None)
    assert run("--in", str(tmp_path / "corso.pdf")) == 1
    assert "apt install chromium" in capsys.readouterr().err


def test_the_same_page_gives_the_same_bytes(tmp_path, browser):
    """Le date e ciò che Chromium dice di sé non restano; un altro Chromium è già in moto."""
    chromium = require("chromium")
    from course_lib.publishing.handout.finish import finish
    from course_lib.publishing.handout.printing import print_page

    page = tmp_path / "pagina.html"
    ready = "<script>async function pronta() {} function scriviPagine(p) { document.title = p.x }</script>"
    page.write_text(
        f'<html lang="it-IT"><title>P</title>{ready}<h1 id="x">Uno</h1><a href="#x">qui</a>', encoding="utf-8"
    )
    made = []
    for name in ("uno", "due"):
        assert print_page(page, tmp_path / f"{name}.pdf", chromium) == []
        assert finish(tmp_path / f"{name}.pdf", Path(tmp_path / f"finita-{name}.pdf")) == 1
        made.append((tmp_path / f"finita-{name}.pdf").read_bytes())
    assert made[0] == made[1]
    assert b"CreationDate" not in made[0]

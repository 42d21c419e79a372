"""La dispensa da stampare: fatta una volta sola, poi il PDF si legge e la sua pagina si misura."""

from __future__ import annotations

import functools
import json
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import ROOT, require
from tests.notebooks.test_real_bundle import block_lines

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]

MM = 96 / 25.4
COLUMN = round((210 - 2 * 17) * MM)     # quanto è largo il foglio fra i margini, in punti dello schermo


@dataclass(eq=False)
class Book:
    """La dispensa: la cartella in cui è fatta, il PDF, il testo pagina per pagina, i guai della pagina."""

    folder: Path
    reader: object
    texts: list[str]
    trouble: list[str]

    def chapter(self, title: str) -> str:
        """Il testo di un capitolo, senza spazi, senza le righe in cima e in fondo alle pagine."""
        first, last = self.places[title]
        return "".join(squeezed(without_margins(text)) for text in self.texts[first:last])

    @functools.cached_property
    def places(self) -> dict[str, tuple[int, int]]:
        """Titolo di ogni capitolo -> la sua prima pagina, e quella dopo l'ultima, contate da 0."""
        chapters = chapters_of(self.reader)
        starts = [(one.title, self.reader.get_destination_page_number(one)) for one in chapters]
        ends = [*(page for _, page in starts[1:]), len(self.texts)]
        return {title: (page, end) for (title, page), end in zip(starts, ends, strict=True)}


def chapters_of(reader) -> list:
    return [entry for entry in reader.outline if not isinstance(entry, list)]


def squeezed(text: str) -> str:
    """Il testo senza spazi né segni di riga che continua."""
    return re.sub(r"[\s↪\u00a0\u202f]+", "", text)


def without_margins(text: str) -> str:
    """Il testo di una pagina senza le righe dei margini: il corso e il capitolo, poi il numero."""
    lines = text.split("\n")
    assert re.match(r"Chiave di lettura .+\n\d+(\n|$)", text), lines[:2]
    return "\n".join(lines[2:])


@pytest.fixture(scope="session")
def book(tmp_path_factory) -> Book:
    """La dispensa vera, fatta come la fa `corso dispensa`."""
    chromium = require("chromium")
    require("sphinx")
    from pypdf import PdfReader

    from course_lib.publishing.handout import book

    folder = tmp_path_factory.mktemp("dispensa qui")
    pages, trouble = book.make(ROOT, folder, chromium)
    reader = PdfReader(folder / "dispensa.pdf")
    assert len(reader.pages) == pages
    return Book(folder, reader, [page.extract_text() for page in reader.pages], trouble)


@pytest.fixture(scope="session")
def measures(book, browser) -> dict:
    """Che cosa si vede nella pagina larga come il foglio, prima che si divida."""
    context = browser.new_context(offline=True, viewport={"width": COLUMN, "height": 1000})
    tab = context.new_page()
    tab.emulate_media(media="print")
    tab.goto((book.folder / "sito" / "dispensa.html").as_uri())
    tab.evaluate("pronta()")
    found = tab.evaluate((Path(__file__).parent / "dati" / "misure.js").read_text(encoding="utf-8"), COLUMN)
    context.close()
    return found


def notebooks() -> list[Path]:
    return [*sorted((ROOT / "notebooks").glob("*.ipynb")), *sorted((ROOT / "exercises").glob("*/es0*.ipynb"))]


def cells(path: Path, kind: str) -> list[str]:
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in found if cell["cell_type"] == kind]


def headings(path: Path, level: int) -> list[str]:
    text = "\n".join(cells(path, "markdown"))
    return [plain(line) for line in re.findall(rf"^{'#' * level} (.+)$", text, re.MULTILINE)]


def plain(markdown: str) -> str:
    return re.sub(r"[*`]", "", markdown).strip()


def test_nothing_is_asked_of_the_network_and_nothing_goes_wrong_in_the_page(book):
    assert book.trouble == []


def test_every_chapter_and_its_parts_are_in_the_outline(book):
    outline = book.reader.outline
    for path in notebooks():
        (title,) = headings(path, 1)
        at = [entry.title if not isinstance(entry, list) else None for entry in outline].index(title)
        inside = [entry.title for entry in outline[at + 1] if not isinstance(entry, list)]
        assert [part for part in headings(path, 2) if part not in inside] == [], title


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_every_line_of_code_is_whole(book, path):
    chapter = book.chapter(headings(path, 1)[0])
    missing = [code for code in cells(path, "code") if squeezed(code) not in chapter]
    assert missing == []


def test_pages_of_the_contents_are_the_true_ones(book):
    contents = squeezed("".join(text for text in book.texts[1:4]))
    places = {title: first + 1 for title, (first, _) in book.places.items() if title != "Indice"}
    places.pop("Chiave di lettura")
    assert len(places) >= 19
    assert [title for title, page in places.items() if f"{squeezed(title)}{page}" not in contents] == []


def test_no_reference_is_left_without_its_page(book):
    unknown = re.compile(r"(pagina|p\.)\s*000")
    assert [number for number, text in enumerate(book.texts, 1) if unknown.search(text)] == []


def test_formulas_are_set(book, measures):
    assert measures["unset"] == []
    assert measures["formulas"] > 700
    assert [text for text in book.texts if re.search(r"\$\$|\\frac|\\sqrt|\\text\{|\\\(|\\\[", text)] == []


def test_nothing_is_wider_than_the_page(measures):
    assert measures["seen"] > 1500
    assert measures["wide"] == []


def test_every_link_of_the_page_leads_somewhere_and_names_are_unique(measures):
    assert measures["links"] > 500
    assert measures["lost"] == []
    assert measures["repeated"] == []


def test_no_solution_and_no_hidden_test(book):
    first = book.places["Esercizio 1 · Dal testo ai vettori"][0]
    last = book.places["Esercizio 8 · Addestrare e generare"][1]
    everything = squeezed("".join(book.texts))
    exercises = squeezed("".join(without_margins(text) for text in book.texts[first:last]))
    hidden, solved = block_lines("HIDDEN TESTS"), block_lines("SOLUTION")
    assert len(hidden) > 10
    assert len(solved) >= 5
    assert [line for line in hidden if squeezed(line) in everything] == []
    assert [line for line in solved if squeezed(line) in exercises] == []
    assert "BEGINSOLUTION" not in everything
    assert "BEGINHIDDEN" not in everything


def test_answers_are_far_from_their_questions(book):
    answers = book.chapter("Le risposte")
    for path in sorted((ROOT / "notebooks").glob("0[1-8]*.ipynb")):
        title = headings(path, 1)[0]
        chapter = book.chapter(title)
        asked = chapter[chapter.rindex("Mettitiallaprova") :]
        pages = [int(number) for number in re.findall(r"Risposta:pagina(\d{3})", asked)]
        assert (len(pages), asked.count("Risposta")) == (5, 5), title
        first, last = book.places["Le risposte"]
        assert all(first < page <= last for page in pages), title
        assert squeezed(title) in answers
    assert answers.count("(pagina") == 40


def test_pages_are_as_many_as_a_book_of_this_course(book):
    assert 150 <= len(book.texts) <= 260
    assert (book.folder / "dispensa.pdf").stat().st_size < 15e6
    boxes = [page.mediabox for page in book.reader.pages]
    assert {(round(box.width / 72 * 25.4), round(box.height / 72 * 25.4)) for box in boxes} == {(210, 297)}


def test_every_font_is_inside(book):
    fonts = {}
    for page in book.reader.pages:
        for font in page["/Resources"].get("/Font", {}).values():
            font = font.get_object()
            inner = font["/DescendantFonts"][0].get_object() if "/DescendantFonts" in font else font
            held = inner.get("/FontDescriptor", {})
            kept = font["/Subtype"] == "/Type3" or any(f"/FontFile{kind}" in held for kind in ("", "2", "3"))
            fonts[str(font.get("/BaseFont", font["/Subtype"])).split("+")[-1]] = kept
    assert {"STIXGeneral-Regular", "DejaVuSansMono"} <= set(fonts)
    assert [name for name, kept in fonts.items() if not kept] == []


def test_the_file_says_its_title_and_language_and_is_tagged(book):
    import yaml

    from course_lib.publishing.handout.finish import TITLE

    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    root, said = book.reader.trailer["/Root"], book.reader.metadata
    assert said.title == TITLE == cited["title"]
    assert said.author == cited["authors"][0]["name"]
    assert root["/Lang"] == "it-IT"
    assert root["/MarkInfo"]["/Marked"]
    assert "/StructTreeRoot" in root
    assert root["/ViewerPreferences"]["/DisplayDocTitle"]
    assert said.creation_date is None
    assert said.modification_date is None
    licence = book.chapter("Licenza e citazione")
    year = cited["date-released"].year
    assert squeezed(f"{cited['title']}, versione {cited['version']}, {year}.") in licence


def test_figures_have_their_description(book):
    described = [alt for alt in alternatives(book.reader) if alt.startswith("«chiave» ed «era» guardano")]
    assert described


def alternatives(reader) -> list[str]:
    """Le descrizioni che un lettore di schermo legge al posto di figure e formule."""
    found = (reader.get_object(number) for number in range(1, reader.trailer["/Size"]))
    return [str(one["/Alt"]) for one in found if isinstance(one, dict) and one.get("/S") and "/Alt" in one]

"""Che cosa cambia in un capitolo perché stia bene sulla carta."""

from __future__ import annotations

from pathlib import Path

from bs4 import BeautifulSoup, NavigableString, Tag
from PIL import Image

from course_lib.publishing.handout import answers, code_lines, references
from course_lib.publishing.handout.chapters import Chapter

NEW = BeautifulSoup("", "html.parser").new_tag
PUNCTUATION = tuple(",.;:)»?")
COLUMN = 665            # quanto è largo il foglio fra i margini
WIDE = 9                # da tante colonne in su una tabella si stampa più piccola
SHORT_TABLE = 14        # fino a tante righe una tabella sta in una pagina sola
SHORT_CODE = 11         # e così una cella
STYLED = {"k", "kn", "kc", "ow", "c1", "a-capo"}        # i soli colori del codice che si vedono in stampa.css
SCALE = 0.5 * 0.75      # le figure hanno il doppio dei punti di uno schermo; la carta si legge da vicino


def settle_all(chapters: list[Chapter], images: Path) -> list[Chapter]:
    """I capitoli da stampare: quelli di prima, preparati, e due in più per le risposte e gli indizi.

    images: la cartella delle figure, da cui si legge quanto sono grandi
    """
    for chapter in chapters:
        settle(chapter, images)
    lessons = [chapter for chapter in chapters if chapter.part != "Per consultare"]
    found = [*lessons, *answers.gather(lessons), *chapters[len(lessons) :]]
    for chapter in found:
        chapter.body["class"] = ["capitolo"]
        chapter.body["style"] = f"page: {chapter.key}"
    return found


def settle(chapter: Chapter, images: Path) -> None:
    """Prepara il testo del capitolo, che si modifica.

    images: la cartella delle figure, da cui si legge quanto sono grandi
    """
    body = chapter.body
    answers.settle(body, chapter.key)
    free_pictures(body)
    references.settle(chapter)
    code_lines.wrap_all(body)
    settle_code(body)
    settle_tables(body)
    settle_formulas(body)
    for picture in body.find_all("img"):
        with Image.open(images / Path(picture["src"]).name) as opened:
            picture["width"] = printed_width(*opened.size)
    body.attrs.pop("role", None)


def printed_width(width: int, height: int) -> int:
    """Quanto si stampa larga una figura, in punti dello schermo; una larga e bassa prende tutta la riga.

    width, height: quanti punti ha
    """
    natural = width * SCALE
    return COLUMN if natural > 0.75 * COLUMN and height < 0.6 * width else round(min(natural, COLUMN))


def settle_formulas(body: Tag) -> None:
    """Dà a ogni formula il suo testo, per chi ascolta, e le tiene accanto il segno che la segue."""
    for formula in body.select(".math"):
        formula["data-tex"] = formula.get_text().strip()[2:-2]      # senza i segni che la delimitano
        after = formula.next_sibling
        if formula.name == "span" and isinstance(after, NavigableString) and after.startswith(PUNCTUATION):
            sign = len(after) - len(after.lstrip("".join(PUNCTUATION)))
            after.replace_with(NavigableString(after[sign:]))
            together = formula.wrap(NEW("span", attrs={"class": "insieme"}))
            together.append(after[:sign])


def free_pictures(body: Tag) -> None:
    """Toglie dalle figure il link al loro file: sulla carta non porta da nessuna parte."""
    for link in body.select("a.image-reference"):
        link.unwrap()


def settle_code(body: Tag) -> None:
    """Tiene i soli colori che si stampano, e segna le celle corte, che non si dividono fra due pagine."""
    for pre in body.find_all("pre"):
        for span in pre.find_all("span"):
            if not STYLED & set(span.get("class", ())):
                span.unwrap()
        pre.smooth()
        if pre.get_text().count("\n") <= SHORT_CODE:
            pre["class"] = [*pre.get("class", ()), "corta"]


def settle_tables(body: Tag) -> None:
    """Segna le tabelle larghe, quelle corte, e quelle senza intestazione."""
    for table in body.find_all("table"):
        rows = table.find_all("tr")
        marks = table.get("class", [])
        if max(len(row.find_all(["td", "th"])) for row in rows) >= WIDE:
            marks = [*marks, "larga"]
        if len(rows) <= SHORT_TABLE:
            marks = [*marks, "corta"]
        if table.thead and not table.thead.get_text(strip=True):
            table.thead.decompose()
            marks = [*marks, "scheda"]
        table["class"] = marks

"""Che cosa ne è di ciò che nel notebook si apre con un clic: le risposte e gli indizi.

Su carta nulla si apre. Una spiegazione che viene subito dopo un risultato già stampato resta dov'è; una
risposta o un indizio va in un capitolo in fondo al libro, e al suo posto resta la pagina a cui cercarlo.
"""

from __future__ import annotations

from bs4 import BeautifulSoup, Tag

from course_lib.publishing.handout.chapters import Chapter
from course_lib.publishing.handout.references import page_number

NEW = BeautifulSoup("", "html.parser").new_tag
# con che cosa comincia la sigla dei capitoli -> (sigla, titolo) di quello che ne raccoglie le risposte
GATHERED = {"nb": ("risposte", "Le risposte"), "es": ("indizi", "Gli indizi")}
HEADINGS = ("h2", "h3", "h4")


def settle(body: Tag, key: str) -> None:
    """Apre al loro posto le spiegazioni, e raccoglie in fondo al capitolo risposte e indizi.

    body: il testo del capitolo, che si modifica   key: la sua sigla
    """
    moved = []
    for details in body.find_all("details"):
        if follows_output(details):
            open_in_place(details)
        else:
            moved.append(details)
    if moved:
        end = NEW("section", attrs={"class": "risposte"})
        heading = NEW("h2", attrs={"id": "risposte"})
        heading.string = GATHERED[key[:2]][1]
        end.append(heading)
        for number, details in enumerate(moved, start=1):
            end.append(moved_away(details, number, label(details, number, key)))
        (body.find("section") or body).append(end)


def follows_output(details: Tag) -> bool:
    """Vero se subito prima c'è una cella di codice con il suo risultato."""
    before = details.find_previous_sibling()
    return before is not None and before.select_one(":scope > .cell_output") is not None


def open_in_place(details: Tag) -> None:
    """Il titolo in neretto, e sotto il testo."""
    title = NEW("p", attrs={"class": "titolo-aperto"})
    title.string = details.summary.get_text(strip=True)
    details.summary.replace_with(title)
    details.name, details["class"] = "div", "aperto"


def label(details: Tag, number: int, key: str) -> str:
    """Il titolo che ha in fondo: il numero della domanda, o la parte dell'esercizio e quale indizio."""
    if key.startswith("nb"):
        return f"Domanda {number}"
    part = details.find_previous(HEADINGS)
    title = "".join(part.find_all(string=True, recursive=False)).strip()
    return f"{title}. {details.summary.get_text(strip=True)}"


def moved_away(details: Tag, number: int, name: str) -> Tag:
    """Toglie `details` dal testo, vi lascia la pagina a cui cercarlo, e restituisce ciò che va in fondo."""
    here, there = f"domanda-{number}", f"risposta-{number}"
    leave_note(details, here, there)
    title = NEW("p", attrs={"class": "titolo-aperto"})
    title.append(f"{name} ")
    title.append(_from(here))
    details.extract()
    details.summary.replace_with(title)
    details.name, details["class"], details["id"] = "div", "risposta", there
    return details


def _from(here: str) -> Tag:
    span = NEW("span", attrs={"class": "da"})
    span.append("(pagina ")
    span.append(page_number(here))
    span.append(")")
    return span


def leave_note(details: Tag, here: str, there: str) -> None:
    """Scrive a quale pagina cercare `there`: in fondo alla domanda, o in una riga sua."""
    note = NEW("span", attrs={"class": "rinvio", "id": here})
    note.append(f"{details.summary.get_text(strip=True)}: pagina ")
    note.append(page_number(there))
    before = details.find_previous_sibling()
    if before is None or before.name != "p":
        before = NEW("p")
        details.insert_before(before)
    if before.contents:
        before.append(" · " if before.select_one(".rinvio") else " ")
    before.append(note)


def gather(chapters: list[Chapter]) -> list[Chapter]:
    """Toglie dai capitoli le risposte e gli indizi, e restituisce i due capitoli che li raccolgono."""
    made = []
    for start, (key, title) in GATHERED.items():
        body = NEW("div", attrs={"id": key})
        heading = NEW("h1")
        heading.string = title
        body.append(heading)
        for chapter in chapters:
            section = chapter.body.select_one("section.risposte")
            if section is not None and chapter.key.startswith(start):
                section.h2.string = chapter.title
                body.append(section.extract())
        made.append(Chapter(key, title, "Per consultare", body))
    return made

"""I rimandi: da un capitolo all'altro, con il numero della pagina, e gli indirizzi scritti per esteso."""

from __future__ import annotations

from pathlib import PurePosixPath

from bs4 import BeautifulSoup, Tag

from course_lib.publishing.handout.chapters import Chapter, key_and_part

NEW = BeautifulSoup("", "html.parser").new_tag
UNKNOWN = "000"         # largo come un numero di pagina vero


def page_number(target: str) -> Tag:
    """Il posto in cui, dopo la prima stampa, si scrive la pagina di `target`."""
    link = NEW("a", attrs={"class": "pagina", "href": f"#{target}"})
    link.string = UNKNOWN
    return link


def settle(chapter: Chapter) -> None:
    """Rende unici i nomi del capitolo, e porta ogni suo link alla pagina giusta di questo libro."""
    body, key = chapter.body, chapter.key
    for tag in body.find_all(id=True):
        tag["id"] = f"{key}-{tag['id']}"
    for tag in body.find_all("a", href=True):
        _settle_link(tag, key)
    for picture in body.find_all("img"):
        picture["src"] = f"_images/{PurePosixPath(picture['src']).name}"
    body["id"] = key


def _settle_link(link: Tag, key: str) -> None:
    href = link["href"]
    if href.startswith(("http:", "https:", "mailto:")):
        if link.get_text(strip=True) != href:
            link.insert_after(f" ({href})")
        return
    file, _, anchor = href.partition("#")
    target = key_and_part(PurePosixPath(file).stem)[0] if file else key
    link["href"] = f"#{target}-{anchor}" if anchor else f"#{target}"
    if file:
        note = NEW("span", attrs={"class": "a-pagina"})
        note.append(" (p. ")
        note.append(page_number(target))
        note.append(")")
        link.insert_after(note)

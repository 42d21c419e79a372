"""Le righe di codice più lunghe della pagina continuano sotto, dopo un segno che si vede."""

from __future__ import annotations

from bs4 import BeautifulSoup, NavigableString, Tag

WIDTH = 100         # quanti caratteri stanno in una riga della pagina: dipende da stampa.css
MARK = "↪"
FRIENDLY = (" ", ",([{=+")      # dopo questi si va a capo volentieri: prima gli spazi


def wrap_all(body: Tag, width: int = WIDTH) -> None:
    """In ogni `pre` manda a capo le righe più lunghe di `width`, con MARK all'inizio di ciò che segue."""
    for pre in body.find_all("pre"):
        wrap(pre, width)


def wrap(pre: Tag, width: int) -> None:
    """Manda a capo le righe lunghe di un solo `pre`, senza toccare i colori del codice."""
    places = breaks(pre.get_text(), width)
    start = 0
    for node in list(pre.find_all(string=True)):
        text = str(node)
        inside = [at - start for at in places if start <= at < start + len(text)]
        if inside:
            node.replace_with(*pieces(text, inside))
        start += len(text)


def breaks(text: str, width: int) -> list[int]:
    """I posti del testo prima dei quali si va a capo.

    text: una o più righe   width: quanti caratteri stanno in una riga, segno e rientro compresi
    """
    found, start = [], 0
    for line in text.split("\n"):
        first, room = 0, width
        while len(line) - first > room:
            first = best_break(line, first, first + room)
            found.append(start + first)
            room = width - len(MARK) - 1
        start += len(line) + 1
    return found


def best_break(line: str, first: int, last: int) -> int:
    """Dove spezzare la riga fra `first` e `last`: nell'ultimo terzo, se si può, dopo uno spazio."""
    for signs in FRIENDLY:
        for at in range(last, first + 2 * (last - first) // 3, -1):
            if line[at - 1] in signs and line[at] != " ":
                return at
    return last


def pieces(text: str, inside: list[int]) -> list[NavigableString | Tag]:
    """Il testo tagliato in quei posti; fra un pezzo e l'altro un a capo e il segno."""
    made: list[NavigableString | Tag] = []
    for first, last in zip([0, *inside], [*inside, len(text)], strict=True):
        if made or first:
            made.append(_mark())
        made.append(NavigableString(text[first:last]))
    return made


def _mark() -> Tag:
    span = BeautifulSoup("", "html.parser").new_tag("span", attrs={"class": "a-capo"})
    span.string = f"\n{MARK} "
    return span

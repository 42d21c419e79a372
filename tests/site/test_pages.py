"""Ogni pagina del sito: nulla chiesto alla rete, nessun errore, i due temi, i collegamenti che portano."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest

from tests.conftest import ROOT
from tests.site.visits import BAD, WIDE

pytestmark = [pytest.mark.lento, pytest.mark.xdist_group("browser")]


def test_there_is_a_page_for_each_part_of_the_course(pages):
    lessons = [f"notebooks/{path.stem}.html" for path in (ROOT / "notebooks").glob("*.ipynb")]
    exercises = [f"exercises/{path.stem}/{path.stem}.html" for path in (ROOT / "exercises").glob("*/*.ipynb")]
    assert len(lessons) == 9
    assert len(exercises) == 8
    others = ["index.html", "glossario.html", "cita.html", "riferimento/transformer.html", "README.html",
              "GUIDA.html", "CONTRIBUTING.html", "search.html"]  # fmt: skip
    assert set(lessons + exercises + others) <= set(pages)


def test_no_page_asks_anything_of_the_network(visits):
    assert {name: found.outside for name, found in visits.items() if found.outside} == {}
    assert {name: found.missing for name, found in visits.items() if found.missing} == {}


def test_no_page_has_an_error(visits):
    assert {name: found.errors for name, found in visits.items() if found.errors} == {}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_page_has_a_grave_violation(visits, theme):
    looked = {name: found.grave[theme] for name, found in visits.items() if theme in found.grave}
    assert len(looked) > 20
    assert {name: grave for name, grave in looked.items() if grave} == {}


def test_formulas_are_set(visits):
    assert {name: found.seen["unset"] for name, found in visits.items() if found.seen["unset"]} == {}
    counted = {name: (found.seen["formulas"], found.seen["wanted"]) for name, found in visits.items()}
    assert {name: pair for name, pair in counted.items() if pair[0] != pair[1]} == {}
    lessons = [formulas for name, (formulas, _) in counted.items() if re.match("notebooks/0[1-8]", name)]
    assert len(lessons) == 8
    assert min(lessons) > 10
    unset = re.compile(r"\$|\\\(|\\frac")
    assert [name for name, found in visits.items() if unset.search(found.seen["text"])] == []


def test_every_picture_is_there_and_says_what_it_shows(visits):
    assert {name: found.seen["broken"] for name, found in visits.items() if found.seen["broken"]} == {}
    assert {name: found.seen["unnamed"] for name, found in visits.items() if found.seen["unnamed"]} == {}


def test_no_page_is_wider_than_the_window(visits):
    assert {name: found.seen["wide"] for name, found in visits.items() if found.seen["wide"] > 0} == {}


# i titoli trovati da una ricerca, come si leggono
SHOWN = """() => [...document.querySelectorAll('#search-results li > a')].map(
  (one) => one.textContent + getComputedStyle(one, '::after').content.replace(/^none$|"/g, ''))"""
# le parole sole nelle intestazioni delle tabelle, e su quante righe stanno
LINES = """() => Object.fromEntries([...document.querySelectorAll('article :is(th, td strong)')]
  .filter((one) => /^\\S+$/.test(one.textContent.trim()))
  .map((one) => {
    const text = document.createRange();
    text.selectNodeContents(document.createTreeWalker(one, NodeFilter.SHOW_TEXT).nextNode());
    return [one.textContent.trim(), new Set([...text.getClientRects()].map((line) => line.top)).size];
  }))"""
NARROW = ["index.html", "notebooks/05-posizione.html", "exercises/es07/es07.html", "riferimento/widgets.html",
          "GUIDA.html", "genindex.html"]  # fmt: skip


@pytest.mark.parametrize("name", NARROW)
def test_a_phone_shows_a_whole_page(page, name):
    one = page(name, viewport={"width": 360, "height": 700})
    one.wait_for_timeout(300)
    assert one.evaluate(WIDE) <= 0


class Anchors(HTMLParser):
    """I collegamenti e gli id di una pagina."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.links += [given[name] for name in ("href", "src") if given.get(name)]
        self.ids.add(given.get("id"))


def dead(site, parsed) -> list[tuple[str, str]]:
    """I collegamenti di dentro che non portano a nulla: (pagina, dove)."""
    found = []
    for name, page in parsed.items():
        for link in page.links:
            address = urlsplit(link)
            if address.scheme or address.netloc:
                continue
            target = (site / name).parent / unquote(address.path) if address.path else site / name
            inside = target.resolve().relative_to(site.resolve()).as_posix()
            ids = parsed[inside].ids if inside in parsed and address.fragment else {unquote(address.fragment)}
            if not target.is_file() or unquote(address.fragment) not in ids:
                found.append((name, link))
    return found


def test_every_link_inside_leads_somewhere(site, pages):
    parsed = {name: Anchors((site / name).read_text(encoding="utf-8")) for name in pages}
    assert sum(len(page.links) for page in parsed.values()) > 1000
    assert dead(site, parsed) == []
    planted = {**parsed, "index.html": Anchors('<a href="non-c-e.html">x</a><a href="cita.html#nulla">y</a>')}
    assert dead(site, planted) == [("index.html", "non-c-e.html"), ("index.html", "cita.html#nulla")]


def test_nothing_of_the_machine_is_written_in_the_site(site):
    files = [path for path in site.rglob("*") if path.suffix in (".html", ".js", ".css")]
    texts = [path.read_text(encoding="utf-8") for path in files]
    assert [text[:80] for text in texts if str(ROOT) in text or ".sito-" in text] == []


ENGLISH = re.compile(r"Link to this|Search the docs|Breadcrumb|Alias for field|JavaScpript")


def test_nothing_that_sphinx_writes_is_left_in_english(site, pages):
    """Etichette e suggerimenti compresi: li sente chi ascolta la pagina."""
    texts = {name: (site / name).read_text(encoding="utf-8") for name in pages}
    left = {name: sorted(set(ENGLISH.findall(text))) for name, text in texts.items()}
    assert {name: words for name, words in left.items() if words} == {}
    titles = [re.search(r"<title>(.*?)</title>", text)[1] for text in texts.values()]
    assert [title for title in titles if title.count("Chiave di lettura") != 1] == []


def test_search_finds_an_italian_word_in_its_other_forms(page):
    one = page("search.html?q=retropropagazioni")                 # nelle pagine c'è soltanto il singolare
    one.wait_for_selector("#search-results .search-summary:not(:empty)")         # si scrive alla fine
    titles = one.locator("#search-results li a").all_inner_texts()
    assert any("Addestrare e generare" in title for title in titles)
    assert one.locator("#search-results h2").inner_text() == "Risultati della ricerca"
    found = one.locator("#search-results ul.search > li").count()
    said = "Trovato un risultato." if found == 1 else f"Trovati {found} risultati."
    assert one.locator("#search-results .search-summary").inner_text() == said


def test_search_works_from_a_folder_too(site, browser):
    """Da una cartella le pagine trovate non si possono rileggere: titoli soli, diversi, e nessun errore."""
    context = browser.new_context(offline=True)
    one = context.new_page()
    said = []
    one.on("console", lambda message: said.append(message.text) if message.type in BAD else None)
    one.on("pageerror", lambda error: said.append(str(error)))
    found = {}
    for word in ("softmax", "chiave"):
        one.goto((site / "search.html").as_uri() + f"?q={word}")
        one.wait_for_selector("#search-results .search-summary:not(:empty)")
        found[word] = one.evaluate(SHOWN)
    context.close()
    assert len(found["softmax"]) > 5
    assert "Glossario: la voce" in found["softmax"]
    assert "I primi passi" in found["chiave"]
    assert {word: titles for word, titles in found.items() if len(titles) != len(set(titles))} == {}
    assert said == []


def test_search_shows_where_it_found_the_word(page):
    one = page("search.html?q=softmax")
    one.wait_for_selector("#search-results li p.context")


@pytest.mark.parametrize("width", [360, 1366])
def test_a_heading_of_a_table_is_not_broken_inside_a_word(page, width):
    one = page("exercises/es01/es01.html", viewport={"width": width, "height": 900})
    lines = one.evaluate(LINES)
    assert {"Difficoltà", "punti"} <= lines.keys()
    assert {word: count for word, count in lines.items() if count > 1} == {}

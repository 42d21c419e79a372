"""La stampa: Chromium fa il PDF, finché i numeri scritti nell'indice sono quelli delle pagine."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pypdf import PdfReader

from course_lib.project import CorsoError

FLAGS = ("--disable-dev-shm-usage", "--disable-gpu", "--no-sandbox", "--font-render-hinting=none")
TRIALS = 5
PATIENCE = 5 * 60_000    # millesimi di secondo: una macchina occupata può metterci molto


def print_page(page: Path, target: Path, chromium: str) -> list[str]:
    """Stampa `page` in `target`.

    page: il file HTML, che non deve chiedere nulla fuori dalla sua cartella   chromium: il programma
    Restituisce che cosa la pagina ha chiesto alla rete o detto di non aver potuto fare: nulla, se va bene.
    Solleva CorsoError se Chromium non parte, o se qualcosa non va nella pagina.
    """
    # in un thread suo: playwright non vuole un ciclo di asyncio già in moto, come in un notebook
    with ThreadPoolExecutor(max_workers=1) as alone:
        return alone.submit(_with_chromium, page, target, chromium).result()


def _with_chromium(page: Path, target: Path, chromium: str) -> list[str]:
    from playwright.sync_api import Error, sync_playwright

    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=list(FLAGS), timeout=PATIENCE)
            try:
                return _printed(browser, page, target)
            finally:
                browser.close()
    except Error as error:
        first = str(error).strip().splitlines()[0]
        raise CorsoError(f"Chromium ({chromium}) non ha stampato la dispensa: {first}") from error


def _printed(browser, page: Path, target: Path) -> list[str]:
    """Le pagine si scrivono, si leggono dal PDF e si riscrivono: il testo può spostarsi di una riga."""
    trouble: list[str] = []
    context = browser.new_context(offline=True, locale="it-IT")
    tab = context.new_page()
    tab.set_default_timeout(PATIENCE)
    tab.on("pageerror", lambda error: trouble.append(str(error)))
    tab.on("console", lambda said: said.type == "error" and trouble.append(said.text))
    tab.on("request", lambda asked: asked.url.startswith(("file:", "data:")) or trouble.append(asked.url))
    tab.emulate_media(media="print")
    tab.goto(page.as_uri())
    tab.evaluate("pronta()")
    found: dict[str, int] = {}
    for trial in range(TRIALS):
        whole = trial > 0           # la prima volta bastano i numeri delle pagine
        tab.pdf(path=target, outline=whole, tagged=whole, prefer_css_page_size=True, print_background=True)
        before, found = found, pages_of(target)
        if whole and found == before:
            return trouble
        tab.evaluate("scriviPagine", found)
    raise CorsoError("i numeri di pagina della dispensa non si fermano: accorcia un titolo e riprova.")


def pages_of(path: Path) -> dict[str, int]:
    """Nome -> pagina, la prima è 1, per ogni posto del PDF a cui un link porta."""
    reader = PdfReader(path)
    places = reader.named_destinations.items()
    found = {name.removeprefix("/"): reader.get_destination_page_number(place) for name, place in places}
    return {name: number + 1 for name, number in found.items() if number is not None}

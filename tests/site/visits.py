"""La visita di una pagina: che cosa chiede alla rete, che errori dà, che cosa ne dice axe nei due temi."""

from __future__ import annotations

from dataclasses import dataclass, field

GRAVE = ("serious", "critical")
BAD = ("error", "warning")
# le formule si disegnano dopo il caricamento; le immagini di una pagina lunga possono arrivare dopo
READY = "async () => { await window.MathJax?.startup?.promise; await document.fonts.ready; }"
# di quanto una pagina, o il suo testo, è più larga dello spazio che ha
WIDE = """() => Math.max(...['html', '.bd-article-container'].map((what) => {
  const one = document.querySelector(what);
  return one ? one.scrollWidth - one.clientWidth : 0;
}))"""
SEEN = """() => {
  const clone = document.body.cloneNode(true);
  const unread = 'script, style, pre, code, svg, mjx-container, noscript';
  clone.querySelectorAll(unread).forEach((one) => one.remove());
  const count = (what) => document.querySelectorAll(what).length;
  return { formulas: count('mjx-container'), wanted: count('.math'), unset: count('[data-mjx-error]'),
    text: clone.textContent, widgets: count('.cdl'), wide: (WIDE)(),
    broken: [...document.images].filter((one) => one.complete && !one.naturalWidth).map((one) => one.src),
    unnamed: [...document.querySelectorAll('article img')].filter((one) => !one.alt).map((one) => one.src) };
}"""
SEEN = SEEN.replace("WIDE", WIDE)
THEME = "(theme) => { document.documentElement.dataset.theme = theme; }"
AXE = """async (only) => (await axe.run(document, { resultTypes: ['violations'], ...only })).violations.map(
  (one) => ({ rule: one.id, impact: one.impact, where: one.nodes[0].html.slice(0, 200) }))"""
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}


@dataclass
class Visit:
    """Ciò che una pagina ha chiesto e mostrato."""

    outside: list[str] = field(default_factory=list)  # richieste a qualcun altro
    missing: list[str] = field(default_factory=list)  # richieste senza risposta
    errors: list[str] = field(default_factory=list)  # la console
    seen: dict = field(default_factory=dict)
    grave: dict[str, list] = field(default_factory=dict)  # tema -> violazioni serie o critiche


def visit(browser, address: str, name: str, axe: str, themes: dict[str, dict]) -> Visit:
    """Apre una pagina, la guarda nei temi dati e la chiude.

    axe: il testo di axe-core   themes: tema -> le sue opzioni
    """
    found = Visit()
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    page.on("request", lambda one: found.outside.append(one.url) if _outside(one.url, address) else None)
    page.on("response", lambda one: found.missing.append(one.url) if one.status >= 400 else None)
    page.on("requestfailed", lambda one: found.missing.append(one.url))
    page.on("console", lambda one: found.errors.append(one.text) if one.type in BAD else None)
    page.on("pageerror", lambda error: found.errors.append(str(error)))
    page.goto(address + name, wait_until="load")
    page.evaluate(READY)
    found.seen = page.evaluate(SEEN)
    if themes:
        page.add_script_tag(content=axe)
    for theme, only in themes.items():
        page.evaluate(THEME, theme)
        found.grave[theme] = [one for one in page.evaluate(AXE, only) if one["impact"] in GRAVE]
    context.close()
    return found


def _outside(url: str, address: str) -> bool:
    return not url.startswith((address, "data:", "blob:"))

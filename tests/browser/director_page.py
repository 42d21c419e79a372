"""La Regia aperta come file, senza rete: ciò che si preme e ciò che si legge."""

from __future__ import annotations

import re

# Le scritte che si vedono, con la misura che hanno sullo schermo.
TYPE = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.querySelector('.cdr'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    const box = element.getBoundingClientRect();
    if (!walk.currentNode.data.trim() || !box.width) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest('title, option, style, tspan')) continue; // apici e pedici: più piccoli per natura
    const svg = element.closest('svg');
    const wide = svg?.getBoundingClientRect().width;
    const scale = svg ? wide / svg.viewBox.baseVal.width : element.currentCSSZoom;
    const size = parseFloat(getComputedStyle(element).fontSize) * scale;
    found.push([Math.round(10 * size) / 10, walk.currentNode.data.trim().slice(0, 30)]);
  }
  return found;
}"""


# Le scritte di una figura che si toccano; non le inclinate, perché il loro rettangolo è più grande di loro.
# Quanto una figura scorre di lato, e le scritte che escono dai suoi lati.
CUT = """() => {
  const stage = document.querySelector('.cdr-scene .cdl-stage');
  if (!stage) return [0, []];
  const { left, right } = stage.getBoundingClientRect();
  const over = [...stage.querySelectorAll('svg text')].filter((text) => {
    const box = text.getBoundingClientRect();
    return text.textContent.trim() && box.width && (box.left < left - 1 || box.right > right + 1);
  });
  return [stage.scrollWidth - stage.clientWidth, over.map((text) => text.textContent)];
}"""
TOUCHING = """() => {
  const texts = [...document.querySelectorAll('.cdr-box .cdl-stage > svg text:not([transform])')];
  const boxes = texts.filter((text) => text.textContent.trim())
    .map((text) => [text.getBoundingClientRect(), text.textContent]);
  return boxes.flatMap(([a, one], k) => boxes.slice(k + 1).filter(([b]) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > -1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > Math.min(a.height, b.height) / 2
  ).map(([, other]) => `${one} | ${other}`));
}"""

# Vero se una cosa sta tutta, in altezza, dentro un'altra.
IN_SIGHT = """([what, where]) => {
  const [one, room] = [what, where].map((name) => document.querySelector(name).getBoundingClientRect());
  return one.top >= room.top - 1 && one.bottom <= room.bottom + 1;
}"""


class DirectorPage:
    """Una pagina aperta su un file della Regia; `errors` e `outside` devono restare vuoti."""

    def __init__(self, browser, file, *, width=1366, height=768, hash_="", scheme="light"):
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, offline=True
        )
        self.page = self.context.new_page()
        self.errors, self.outside = [], []
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda r: None if r.url.startswith(("file:", "blob:", "data:", "about:"))
                     else self.outside.append(r.url))  # fmt: skip
        self.page.goto(file.as_uri() + hash_)
        self.page.wait_for_selector(".cdr-scene .cdl", state="attached")

    def press(self, *keys):
        """Preme i tasti dove il fuoco si trova."""
        for key in keys:
            self.page.keyboard.press(key)
            self.page.wait_for_selector(".cdr-scene .cdl", state="attached")

    def go_to(self, number):
        """Passa alla scena con questo numero, e aspetta la sua figura."""
        self.page.evaluate(f"location.hash = '#scena-{number}'")
        self.page.get_by_text(re.compile(f"^scena {number} ")).wait_for()
        self.page.wait_for_selector(".cdr-scene .cdl", state="attached")

    def text(self, part):
        """Che cosa c'è scritto in una parte della Regia: title, place, asked, told, curtain."""
        return self.page.locator(f".cdr-{part}").inner_text()

    @property
    def at(self):
        """Il numero della scena."""
        return int(self.text("place").split()[1])

    def close(self):
        """Chiude la pagina, e con lei le note."""
        self.context.close()

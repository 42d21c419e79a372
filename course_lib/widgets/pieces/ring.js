// La cornice della cella scelta: doppia, scura e chiara, perché si veda su ogni colore.
import { svg } from "./dom.js";

const [TIGHT, TINY] = [60, 36]; // più stretta, la cella ha la cornice sul bordo; più stretta ancora, soltanto quella scura: il numero si legge

export function ring(x, y, width, height) {
  const box = (name, inset) => svg("rect", { class: `cdl-ring-${name}`, x: x + inset, y: y + inset, width: width - 2 * inset,
    height: height - 2 * inset, rx: 3 });
  const edge = width < TIGHT ? 0 : 1;
  return svg("g", { "data-ring": "" }, box("out", edge), width < TINY ? null : box("in", edge + 2.7));
}

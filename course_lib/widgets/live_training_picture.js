// Le parti della figura: la curva, la mappa dell'attenzione, le parole che seguono, la frase scritta.
import { label, svg } from "./pieces/dom.js";
import { bars } from "./pieces/bars.js";
import { matrix } from "./pieces/matrix.js";
import { formatNumber } from "./pieces/numbers.js";
import { curve, plane } from "./pieces/plot.js";

const TRAINING = "var(--training)";
const HIGHEST = 1.2; // volte ln V: quanto è alto il piano
const HALO = { class: "cdl-halo" };
const RIGHT = 432;
const LOW = 400; // dove comincia la mappa, se lo spazio è poco e sta sotto la curva

// moments, losses: quelli da mostrare   m: il momento guardato
export function lossPlane(state, moments, losses, m) {
  const top = HIGHEST * state.uniform;
  const axes = plane({ box: [46, 52, 350, 262], domain: [0, state.total], range: [0, top], xName: "passi", yName: "loss" });
  const low = ([step, loss]) => (loss === null ? null : [step, Math.min(loss, top)]);
  const chance = axes.sy(state.uniform);
  const legend = (y, color, width, text) => [
    svg("line", { x1: 200, x2: 226, y1: y, y2: y, "stroke-width": width, style: `stroke: ${color}` }), label(234, y, text, HALO)];
  return svg("g", { "data-plane": "" }, label(0, 12, "La loss, passo per passo", { class: "cdl-strong" }), axes.node,
    svg("line", { x1: axes.sx(m.step), x2: axes.sx(m.step), y1: 52, y2: 314, "stroke-dasharray": "2 4", class: "cdl-stroke" }),
    svg("line", { x1: 46, x2: 396, y1: chance, y2: chance, "stroke-width": 2, "stroke-dasharray": "8 4",
      style: "stroke: var(--negative)", "data-chance": "" }),
    label(384, chance + 15, `ln V = ${formatNumber(state.uniform, 2)}: tirare a caso`, { "text-anchor": "end", ...HALO }),
    legend(152, "var(--positive)", 4, "validazione"), legend(177, TRAINING, 2, "addestramento"),
    curve(axes, moments.map((each) => low([each.step, each.validation])), { color: "var(--positive)", width: 4, name: "validation" }),
    curve(axes, losses.map((loss, k) => low([k + 1, loss])), { color: TRAINING, width: 1.6, name: "loss" }),
    svg("circle", { cx: axes.sx(m.step), cy: axes.sy(Math.min(m.validation, top)), r: 5.5, style: "fill: var(--positive)",
      "data-now": m.step }));
}

export function attention(state, m, head, name, narrow) {
  const [x, y] = narrow ? [0, LOW] : [RIGHT, 0];
  const map = matrix({ values: m.maps[head], sums: m.sums[head], rows: state.words, columns: state.words, x, y: y + 24,
    names: narrow ? 156 : 142, cell: [57, 40], total: "Σ", band: state.words.length - 1 });
  return svg("g", { "data-map": head }, label(x, y + 12, `Chi guarda chi, dopo ${m.step} passi: ${name}`, { class: "cdl-strong" }),
    map.node);
}

export function below(state, m, losses, narrow) {
  const y = 394 + (narrow ? LOW - 36 : 0);
  const words = m.next.map(([word, p]) => ({ name: word, value: p }));
  const after = bars({ items: words, x: 0, y: y + 22, width: 400, names: 110, row: 27, largest: Math.max(0.2, ...m.next.map((n) => n[1])) });
  const lines = [["genere giusto", `${formatNumber(100 * m.right, 0)} volte su 100`], ["loss di validazione", formatNumber(m.validation, 3)],
    ["loss di addestramento", m.step ? formatNumber(losses[m.step - 1], 3) : "–"]];
  const [x, top] = narrow ? [0, after.bottom + 34] : [RIGHT, y];
  return { bottom: narrow ? top + 170 : after.bottom + 8, node: svg("g", {},
    label(0, y, `Dopo «${state.words.join(" ")}»`, { class: "cdl-strong" }), after.node,
    label(x, top, "Quanto ha imparato", { class: "cdl-strong" }),
    lines.map(([name, value], k) => [label(x, top + 27 * (k + 1), name, { class: "cdl-soft" }),
      label(x + 176, top + 27 * (k + 1), value, { "data-measure": name })]),
    label(x, top + 120, "Una frase scritta da questo modello", { class: "cdl-strong" }),
    label(x, top + 150, m.sample, { "font-size": 20, "data-sample": "" })) };
}

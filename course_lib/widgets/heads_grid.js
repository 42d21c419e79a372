// La griglia strato × testa: una miniatura per testa, con il suo tratto e la sua etichetta.
import { label, svg } from "./pieces/dom.js";
import { DASHES, OKABE_ITO, shade } from "./pieces/colors.js";
import { linkWidth } from "./pieces/links.js";

const LEVELS = 12;
export const NAMES = 104; // spazio per il nome di un token
export const bold = (x, y, text, more = {}) => label(x, y, text, { class: "cdl-strong", ...more });
export const soft = (x, y, text, more = {}) => label(x, y, text, { class: "cdl-soft", ...more });
export const box = (x, y, width, height, name) => svg("rect", { x, y, width, height, rx: 6, class: name });
const [ASIDE, GAP, FOOT, MOST] = [76, 22, 32, 86];

// Il colore di una testa; dove l'originale non contrasta con lo sfondo, heads.css lo cambia.
export const headColor = ({ head }) => (head === null ? "var(--ink)" : `var(--head-${head % 8}, ${OKABE_ITO[head % 8]})`);

// Il tratteggio di una testa, allungato quanto la linea è spessa: altrimenti gli estremi tondi lo coprono.
export function headDash({ head }, weight) {
  const width = linkWidth(weight);
  return (head === null ? "" : DASHES[(head + Math.floor(head / 8)) % 8]).split(" ").filter(Boolean)
    .map((n, k) => (k % 2 ? Number(n) + width : Math.max(0.1, n * Math.max(1, width / 3) - width)).toFixed(1)).join(" ");
}

export function headSample(entry, x, y) {
  return svg("line", { x1: x, x2: x + 22, y1: y, y2: y, stroke: headColor(entry), "stroke-width": linkWidth(0.4),
    "stroke-dasharray": headDash(entry, 0.4) || null, "stroke-linecap": "round" });
}

export function headGrid({ state, local }, maps, width, choose) {
  const across = state.entries.length / state.n_layers;
  const side = Math.min(MOST, (width - ASIDE) / across - GAP);
  const node = svg("g", {}, bold(0, 12, "Teste, strato per strato"));
  state.entries.forEach((entry, k) => {
    const [x, y] = [ASIDE + 8 + (k % across) * (side + GAP), 32 + entry.layer * (side + FOOT)];
    const [here, chosen] = [k === local.e, k === local.e || local.held.includes(k)];
    const sample = side >= 46 ? 32 : 0;
    node.append(k % across ? "" : soft(0, y + side / 2, `strato ${entry.layer + 1}`),
      svg("g", { class: "cdl-cell", "data-head": k, onclick: () => choose(k) },
        box(x - 8, y - 8, side + 16, side + FOOT, chosen ? "cdl-band" : "cdl-touch"),
        thumbnail(maps[k], x, y, side),
        svg("rect", { x, y, width: side, height: side, fill: "none", style: `stroke: ${chosen ? headColor(entry) : "var(--soft)"}`,
          "stroke-width": chosen ? 4 : 1 }),
        local.off.includes(entry.head) ? label(x + side / 2, y + side / 2, "spenta", { "text-anchor": "middle", fill: "#1A1A1A" }) : null,
        sample && entry.head !== null ? headSample(entry, x + 2, y + side + 13) : null,
        label(entry.head === null ? x : x + sample, y + side + 13, entry.name, { class: here ? "cdl-strong" : "" })));
  });
  return { node, bottom: 32 + state.n_layers * (side + FOOT) };
}

// Tutte le celle di uno stesso colore in un tracciato solo: la griglia si ridisegna a ogni tasto.
function thumbnail(map, x, y, side) {
  const [tall, wide] = [side / map.length, side / map[0].length];
  const paths = {};
  map.forEach((row, i) => row.forEach((value, j) => {
    const level = value === null ? "no" : Math.round(LEVELS * Math.min(1, value));
    if (level) paths[level] = `${paths[level] || ""}M${x + wide * j} ${y + tall * i}h${wide}v${tall}h${-wide}z`;
  }));
  return [svg("rect", { x, y, width: side, height: side, fill: "#FFFFFF" }), Object.entries(paths).map(([level, d]) =>
    svg("path", { d, fill: level === "no" ? "#D3D7DB" : shade(level / LEVELS, 1).fill }))];
}

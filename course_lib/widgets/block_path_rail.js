// Il percorso: le tappe del blocco una sotto l'altra, il vettore a ogni tappa, le strade dei residui.
import { label, svg } from "./pieces/dom.js";
import { formatNumber } from "./pieces/numbers.js";
import { shade } from "./pieces/colors.js";

const [TOP, ROW, NODE, NODE_X, CELL, CELLS_X] = [172, 42, 29, 46, 53, 198];
const [NODE_WIDE, STAT, FOOT] = [142, 54, 528];

export const show = (value) => formatNumber(value, 3);
export const blocksText = (count) => (count === 1 ? "1 blocco" : `${count} blocchi`);
export const named = (station, residuals) => (station.adds !== null && !residuals ? "niente somma" : station.name);
export const stationsOf = (view) => view.state.stations[view.local.norm];
export const wayOf = (state, norm, residuals) => state.ways[norm][residuals ? "with" : "without"];

// I numeri di un posto: le d componenti, poi norma, media, deviazione standard e coseno, da millesimi.
export function atPlace(state, way, place, token) {
  const numbers = way.places[place][token].split(" ").map((units) => Number(units) / state.unit);
  const [norm, mean, deviation, cosine] = numbers.slice(state.d);
  return { numbers, vector: numbers.slice(0, state.d), norm, mean, deviation, cosine };
}

export function stop(view, k) {
  const { state, local } = view;
  const way = wayOf(state, local.norm, local.residuals);
  return atPlace(state, way, way.index[local.depth - 1][k], local.token);
}

// at: la tappa scelta   reached: fin dove si è arrivati   covered(k): i numeri sono coperti   pick(k)
export function rail(view, { at, reached, covered, pick }) {
  const { state, local } = view;
  const stations = stationsOf(view);
  const stops = stations.map((_, k) => (covered(k) || k > reached ? null : stop(view, k)));
  const seen = stops.filter(Boolean);
  const largest = Math.max(1e-9, ...seen.flatMap((one) => one.vector.map(Math.abs)));
  const longest = Math.max(1e-9, ...seen.map((one) => one.norm));
  const middle = (k) => TOP + ROW * (k + 0.5);
  return svg("g", {}, heads(state), stations.map((station, k) => svg("g", { class: "cdl-cell", "data-station": k,
    onclick: () => pick(k) },
    svg("rect", { x: NODE_X - 8, y: TOP + ROW * k + 1, width: 792 - NODE_X, height: ROW - 2, rx: 6,
      class: k === at ? "cdl-band" : "cdl-touch" }),
    node(station, k, middle(k), at, local.residuals),
    cells(state, stops[k], middle(k), largest, longest, k > reached ? "…" : "?"))),
  stations.map((station, k) => (station.adds === null ? null : bypass(middle(station.adds), middle(k), local.residuals))),
  foot(view, stations[at]));
}

function heads(state) {
  const head = (x, text) => label(x, TOP - 12, text, { "text-anchor": "middle", class: "cdl-soft", "data-name": "" });
  return [state.components.map((name, c) => head(CELLS_X + CELL * (c + 0.5), name)),
    label(CELLS_X, TOP - 32, "componenti del vettore", { class: "cdl-soft" }),
    ["norma", "media", "dev. st."].map((text, n) => head(CELLS_X + CELL * state.d + STAT * (n + 0.5) + 6, text))];
}

function node(station, k, y, at, residuals) {
  const cut = station.adds !== null && !residuals;
  const x = NODE_X + NODE_WIDE / 2;
  return [k ? svg("path", { d: `M ${x} ${y - ROW + NODE / 2} V ${y - NODE / 2 - 7} h -4 l 4 5 l 4 -5 h -4`, class: "cdl-stroke",
    style: "fill: var(--ink)" }) : null,
    svg("rect", { x: NODE_X, y: y - NODE / 2, width: NODE_WIDE, height: NODE, rx: station.adds !== null ? 15 : 6,
      class: k === at ? "cdl-lit" : "cdl-paper", style: `stroke: var(${cut ? "--line" : "--ink"})`, "stroke-width": k === at ? 2.4 : 1.3,
      "stroke-dasharray": cut ? "5 4" : null }),
    label(x, y, named(station, residuals), { "text-anchor": "middle", class: cut ? "cdl-soft" : k === at ? "cdl-strong" : "" })];
}

function cells(state, found, y, largest, longest, cover) {
  const numbers = found ? [found.norm, found.mean, found.deviation] : [null, null, null];
  const x = CELLS_X + CELL * state.d + 6;
  return [state.components.map((_, c) => {
    const { fill, ink } = found ? shade(found.vector[c], largest) : { fill: "#FFFFFF", ink: "#555555" };
    return [svg("rect", { x: CELLS_X + CELL * c, y: y - 16, width: CELL, height: 32, fill, stroke: "#BBBBBB" }),
      label(CELLS_X + CELL * (c + 0.5), y, found ? formatNumber(found.vector[c], 3, true) : cover, { "text-anchor": "middle", fill: ink, "font-size": 14.5,
        "data-component": c })];
  }), numbers.map((value, n) => label(x + STAT * (n + 0.5), y - (n || !found ? 0 : 4), found ? show(value) : cover, {
    "text-anchor": "middle",
    "data-stat": n })),
  found ? svg("rect", { x: x + 6, y: y + 9, width: Math.max(1, (44 * found.norm) / longest), height: 5, rx: 2,
    style: "fill: var(--accent)" }) : null];
}

// La strada del residuo: dall'entrata del sottostrato alla somma, senza passare per nessuna tappa.
function bypass(from, to, open) {
  const x = 16;
  const color = `var(${open ? "--accent" : "--line"})`;
  const half = (from + to) / 2;
  return svg("g", { "data-residual": open ? "open" : "cut" },
    svg("path", { d: `M ${NODE_X} ${from + 5} H ${x + 8} l -8 8 V ${to - 8} l 8 8 H ${NODE_X - 7}`, fill: "none",
      style: `stroke: ${color}`, "stroke-width": open ? 3 : 1.6, "stroke-dasharray": open ? null : "5 5" }),
    open ? svg("path", { d: `M ${NODE_X - 1} ${to} l -9 -6 v 12 z`, style: `fill: ${color}` })
      : svg("path", { d: `M ${x - 6} ${half - 6} l 12 12 m 0 -12 l -12 12`, fill: "none",
        style: "stroke: var(--alarm)", "stroke-width": 2.6 }));
}

function foot(view, station) {
  const { state, local } = view;
  const cut = station.adds !== null && !local.residuals;
  return svg("g", {},
    svg("text", { x: 2, y: FOOT, "dominant-baseline": "central", "font-size": 16 },
      svg("tspan", { class: "cdl-strong" }, `${named(station, local.residuals)}: `), cut ? state.cut : station.says),
    label(2, FOOT + 26, state.note, { class: "cdl-soft" }));
}

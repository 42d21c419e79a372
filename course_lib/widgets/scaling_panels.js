// I tre disegni di Perché √d: due istogrammi sullo stesso asse e la curva del coefficiente più grande.
import { label, svg } from "./pieces/dom.js";
import { formatNumber } from "./pieces/numbers.js";
import { curve, histogram, plane } from "./pieces/plot.js";
import { roomOf } from "./pieces/room.js";

export const PANELS = 3;
const HEIGHT = 492;
const [SIDE_X, SIDE_Y] = [520, 500]; // dove comincia la curva: a fianco, o sotto se lo spazio è poco
const LEFT = { x: 44, height: 128 };
const RIGHT = { x: 52, y: 70, width: 400, height: 366 };
const COLORS = { plain: "var(--raw)", scaled: "var(--scaled)" };
const DASHES_OF = { plain: "", scaled: "9 4" };
const POWERS = [2, 4, 8, 16, 32, 64, 128, 256, 512];
const digits = (value) => (value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0);
export const about = (value, like = value) => formatNumber(value, digits(like));

export function drawing(view, shows, act) {
  const narrow = roomOf(view) < 1000;
  const panel = { x: RIGHT.x, width: narrow ? 560 : RIGHT.width };
  return { height: HEIGHT + (narrow ? SIDE_Y : 0), nodes: [
    bell(view, "plain", 0, 0, act, narrow ? 640 : 470), bell(view, "scaled", 1, 246, act, narrow ? 640 : 470),
    svg("g", { transform: narrow ? `translate(0 ${SIDE_Y})` : `translate(${SIDE_X} 0)` },
      largest(view, shows, act, { ...RIGHT, ...panel }, narrow ? 640 : 480))] };
}

// Il titolo di un disegno, acceso se è quello che la frase descrive.
function heading(view, panel, x, y, width, text, act) {
  const on = view.local.panel === panel;
  return svg("g", { class: "cdl-cell", "data-panel": panel, onclick: () => act.panel(panel) },
    svg("rect", { x, y, width, height: 30, rx: 6, class: on ? "cdl-band" : "cdl-touch" }),
    label(x + 10, y + 15, text, { class: "cdl-strong", "font-size": 17 }));
}

function bell(view, way, panel, y, act, room) {
  const { state } = view;
  const found = state[way];
  const most = Math.max(...found.counts);
  const axes = plane({ box: [LEFT.x, y + 68, room - 60, LEFT.height], domain: [-state.half, state.half], range: [0, most * 1.06],
    xName: panel ? `valore, da ${formatNumber(-state.half)} a ${formatNumber(state.half)} in tutt'e due` : "", yTicks: [0, most],
    xTicks: [-1, -0.5, 0, 0.5, 1].map((part) => part * state.half) });
  const step = (2 * found.half) / found.counts.length;
  const edges = [...found.counts, 0].map((_, k) => -found.half + step * k);
  const expected = panel ? "1" : String(state.d);
  return svg("g", { "data-bell": way },
    heading(view, panel, 0, y, room, panel ? `q·k ÷ √${state.d}` : `q·k, con d = ${state.d}`, act),
    label(10, y + 46, `varianza ${about(found.variance)} (attesa ${expected} ± ${about(found.variance_error, found.variance)}); ` +
      `media ${formatNumber(found.mean, 2)}`, { "data-stats": way }),
    axes.node, histogram(axes, found.counts, edges, { color: COLORS[way] }),
    label(LEFT.x + 8, axes.sy(most) + 14, "coppie per barra", { class: "cdl-soft" }));
}

function largest(view, shows, act, { x, y, width, height }, room) {
  const { state, local } = view;
  const axes = plane({ box: [x, y, width, height], domain: [2, 512], range: [0, 1], log: true, xTicks: POWERS,
    yTicks: [0, 0.25, 0.5, 0.75, 1], xName: "componenti d, a raddoppi" });
  const covered = !shows("plain") && !shows("scaled");
  const uniform = axes.sy(state.uniform);
  return svg("g", { "data-curves": "" },
    heading(view, 2, 0, 0, room, "Il coefficiente più grande, in media", act),
    label(10, 46, `una query casuale contro ${state.keys} key casuali, ${formatNumber(state.queries)} volte`),
    axes.node,
    svg("line", { x1: x, x2: x + width, y1: uniform, y2: uniform, class: "cdl-stroke", "stroke-dasharray": "2 4" }),
    marker(axes, state.d, "", ""),
    local.pinned ? marker(axes, local.pinned.d, "6 4", `fissato ${local.pinned.d}`) : null,
    label(x + 8, uniform + 14, "1/8: tutti uguali", { class: "cdl-soft cdl-halo" }),
    covered ? label(x + width / 2, y + height / 2 - 20, "?", { "text-anchor": "middle", style: "font-size: 64px" }) : null,
    ["plain", "scaled"].filter(shows).map((way) => oneCurve(state, axes, way)),
    touch(state, axes, act));
}

function marker(axes, d, dash, text) {
  const at = axes.sx(d);
  const { y, height } = RIGHT;
  const before = d > 200;
  return svg("g", { "data-marker": d }, svg("line", { x1: at, x2: at, y1: y, y2: y + height, style: "stroke: var(--soft)",
    "stroke-width": 1.6, "stroke-dasharray": dash || null }),
  text ? label(at + (before ? -8 : 8), y + height - 16, text, {
    "text-anchor": before ? "end" : "start", class: "cdl-soft cdl-halo" }) : null);
}

function oneCurve(state, axes, way) {
  const values = state.largest[way];
  const name = way === "plain" ? "senza dividere" : "dividendo per √d";
  return svg("g", { "data-way": way },
    curve(axes, state.dimensions.map((d, k) => [d, values[k]]), { color: COLORS[way], dash: DASHES_OF[way], width: 3, name: way }),
    svg("circle", { cx: axes.sx(state.d), cy: axes.sy(state.here[way]), r: 6, style: `fill: ${COLORS[way]}` }),
    svg("text", { x: axes.sx(2) + 8, y: axes.sy(way === "plain" ? 0.92 : 0.2), "dominant-baseline": "central", class: "cdl-strong cdl-halo",
      "font-size": 17, style: `fill: ${COLORS[way]}` }, `${name}: `,
    svg("tspan", { "data-here": way }, formatNumber(state.here[way], 3))));
}

// Una striscia da toccare per ogni d della curva.
function touch(state, axes, act) {
  const half = (axes.sx(3) - axes.sx(2)) / 2.4;
  return state.dimensions.map((d) => svg("rect", { x: axes.sx(d) - half, y: RIGHT.y, width: 2 * half, height: RIGHT.height,
    class: "cdl-cell", style: "fill: transparent", "data-d": d, onclick: () => act.d(d) }));
}

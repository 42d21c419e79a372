// La codifica come matrice, e per ogni coppia di dimensioni le due onde e la lancetta.
import { label, MIDDLE, svg } from "./pieces/dom.js";
import { formatNumber } from "./pieces/numbers.js";
import { matrix } from "./pieces/matrix.js";
import { roomOf } from "./pieces/room.js";

// Cambia ciò che si guarda e lascia la tastiera alla figura.
export function go(view, changes) {
  view.set({ ...changes, said: "" });
  view.stage.focus();
}

export const TOP = 36;
export const MAP = { y: TOP, axes: false, slant: false, signed: true, digits: 2 }; // ciò che le matrici hanno in comune
export const soft = (x, y, text) => label(x, y, text, { class: "cdl-soft" });
export const strong = (x, y, text) => label(x, y, text, { class: "cdl-strong" });
const clamp = (value, most) => Math.max(0, Math.min(most, value));
export const numbersTo = (count) => Array.from({ length: count }, (_, k) => String(k));
export const heading = (x, left, y, title, rows, columns) => svg("g", {}, strong(x, y, title),
  soft(x, y + 26, `${rows} ↓`), soft(left, y + 46, `${columns} →`));

// ↑ ↓ Inizio Fine per il posto, ← → per `name`, che arriva a `most`.
export function moves({ local }, key, name, most) {
  const to = { ArrowUp: ["p", local.p - 1, local.n - 1], ArrowDown: ["p", local.p + 1, local.n - 1], Home: ["p", 0, 0],
    End: ["p", local.n - 1, local.n - 1], ArrowLeft: [name, local[name] - 1, most], ArrowRight: [name, local[name] + 1, most] }[key];
  return to ? { [to[0]]: clamp(to[1], to[2]) } : key === "Enter" ? { pinned: local.p } : null;
}

function drawClocks(view, covered) {
  const { state, local } = view;
  const { n, p, c } = local;
  const [room, narrow, shown] = [roomOf(view), roomOf(view) < 1000, n <= 12 && state.d <= 12];
  const cell = [Math.min(54, 480 / state.d), Math.min(34, 500 / n)];
  const map = matrix({ ...MAP, values: state.encoding.slice(0, n), rows: numbersTo(n), columns: numbersTo(state.d), names: 34,
    cell, large: cell[0] >= 48, band: p, chosen: [p, c], largest: 1,
    pick: (i, j) => go(view, { p: i, c: j }) });
  const [x, top] = narrow ? [0, map.bottom + 96] : [Math.max(240, map.right + 44), TOP + 40];
  const tall = Math.max(66, Math.min(112, ((narrow ? 0 : map.bottom) - top) / state.pairs.length));
  const legend = svg("g", {}, strong(x, top - 64, "Le onde di ogni coppia, e la sua lancetta"),
    legendLine(x, top - 38, "var(--positive)", "", "seno"), legendLine(x + 100, top - 38, "var(--negative)", "6 4", "coseno"));
  const rows = state.pairs.map((pair, i) => pairRow(view, pair, i, [x, top + tall * i, room - x, tall], covered));
  return { node: svg("g", {}, heading(0, map.left, 12, `PE, ${n} × ${state.d}${shown ? "" : " (solo colori)"}`,
    "posto", "dimensione"), map.node, legend, rows), bottom: Math.max(map.bottom, top + tall * state.pairs.length) + 8 };
}

function legendLine(x, y, color, dash, text) {
  return svg("g", {}, svg("line", { x1: x, x2: x + 30, y1: y, y2: y, style: `stroke: ${color}`, "stroke-width": 2.4,
    "stroke-dasharray": dash || null }), soft(x + 38, y, text));
}

function pairRow(view, pair, i, [x, y, width, tall], covered) {
  const { state, local } = view;
  const [r, long, high] = [(tall - 14) / 2, width - tall - 22, tall - 34];
  const sx = (place) => x + 6 + (local.n > 1 ? (place / (local.n - 1)) * (long - 12) : 0);
  const sy = (value) => y + 22 + high / 2 - (value * high) / 2;
  const chosen = pair.dims.includes(local.c);
  const wave = (dim, cosine) => {
    const points = state.waves.positions.map((place, k) => [place, state.waves.values[dim][k]]).filter(([place]) => place <= local.n - 1);
    return svg("polyline", { fill: "none", style: `stroke: var(--${cosine ? "negative" : "positive"})`, "stroke-width": 2.2,
      points: points.map(([place, value]) => `${sx(place).toFixed(1)},${sy(value).toFixed(1)}`).join(" "),
      "stroke-dasharray": cosine ? "6 4" : null, "data-wave": dim });
  };
  const mark = (place, dash) => svg("g", {}, svg("line", { x1: sx(place), x2: sx(place), y1: y + 18, y2: y + tall - 6, class: "cdl-stroke",
    "stroke-dasharray": dash }), pair.dims.map((dim) => svg("circle", { cx: sx(place), cy: sy(state.encoding[place][dim]), r: 4.5,
    style: `fill: var(--${dim % 2 ? "negative" : "positive"})`, "data-read": `${place},${dim}` })));
  const places = [[local.p, "5 4"], ...(local.pinned === null ? [] : [[local.pinned, "1 4"]])];
  const hands = covered ? [] : places.map(([place]) => pair.dims.map((dim) => state.encoding[place][dim]));
  return svg("g", { "data-pair": i },
    label(x, y + 5, `coppia ${i}${covered ? "" : `: ${pair.says}`}`, { class: chosen ? "cdl-strong" : "cdl-soft" }),
    svg("rect", { x, y: y + 18, width: long, height: tall - 24, rx: 4, class: chosen ? "cdl-band" : "cdl-pos-field" }),
    svg("line", { x1: x, x2: x + long, y1: sy(0), y2: sy(0), class: "cdl-rule" }),
    covered ? label(x + long / 2, sy(0), "?", { ...MIDDLE, class: "cdl-halo" })
      : [pair.dims.map((dim) => wave(dim, dim % 2)), places.map(([place, dash]) => mark(place, dash))],
    numbersTo(local.n).map((_, place) => svg("rect", { x: sx(place - 0.5), y: y + 18, width: Math.max(4, sx(1) - sx(0)), height: tall - 24,
      fill: "transparent", class: "cdl-cell", onclick: () => go(view, { p: place, c: pair.dims[0] }) })),
    clock(x + long + 16 + r, y + tall / 2 + 3, r, hands, i));
}

// La punta sta a destra quanto il seno, in alto quanto il coseno.
function clock(x, y, r, hands, i) {
  return svg("g", {}, svg("circle", { cx: x, cy: y, r, class: "cdl-pos-dial" }),
    svg("line", { x1: x, x2: x, y1: y - r, y2: y - r + 6, class: "cdl-stroke" }),
    hands.map(([sine, cosine], k) => (cosine === undefined ? label(x, y, "solo sin", { ...MIDDLE, class: "cdl-small" })
      : svg("line", { x1: x, y1: y, x2: x + sine * (r - 3), y2: y - cosine * (r - 3),
        class: `cdl-pos-hand${k ? " cdl-pos-old" : ""}`, "data-hand": k ? `${i} fissata` : i }))),
    hands.length ? null : label(x, y, "?", MIDDLE));
}

function sayClock({ state, local }) {
  const { p, c } = local;
  const i = Math.floor(c / 2);
  const far = local.pinned === null ? "" : `. Fissato il posto ${local.pinned}: distanza ${Math.abs(p - local.pinned)}, prodotto scalare ` +
    formatNumber(state.dots[p][local.pinned], 3);
  const [angle, value, turns] = [state.angles[p][i], state.encoding[p][c], state.turns[p][i]].map((one) => formatNumber(one, 3));
  return `: ${c % 2 ? "cos" : "sin"} di ${angle} = ${value}; la lancetta della coppia ${i} ha fatto ${turns} giri${far}`;
}

export const spot = ({ local }) => `posto ${local.p}, dimensione ${local.c}`;
export const clockView = {
  controls: ["p", "n", "d", "base", "preset"], draw: drawClocks, sentence: sayClock, where: spot,
  question: ({ state }) => state.questions.waves && { ...state.questions.waves, name: "waves" },
  key: (view, name) => moves(view, name, "c", view.state.d - 1),
  finding: ({ state }) => state.findings.waves,
  rows: ({ state, local }, covered) => [["posto", ...numbersTo(state.d).map((dim) => `PE ${dim}`),
    ...(covered ? [] : state.pairs.map((_, i) => `giri, coppia ${i}`))],
  ...numbersTo(local.n).map((_, p) => [p, ...state.encoding[p], ...(covered ? [] : state.turns[p])])],
};

// I prodotti scalari fra le codifiche di due posti, e come cambiano con la distanza.
import { label, MIDDLE, svg } from "./pieces/dom.js";
import { formatNumber } from "./pieces/numbers.js";
import { matrix } from "./pieces/matrix.js";
import { roomOf } from "./pieces/room.js";
import { MAP, TOP, go, heading, moves, numbersTo, soft } from "./position_clocks.js";

function drawDistance(view, covered) {
  const { state, local } = view;
  const { n, p, q } = local;
  const room = roomOf(view);
  const cell = [Math.min(46, 552 / n), Math.min(34, 500 / n)];
  const map = matrix({ ...MAP, values: state.dots.slice(0, n).map((row) => row.slice(0, n)), rows: numbersTo(n),
    columns: numbersTo(n), names: 34,
    cell, largest: state.largest_dot, band: p, chosen: [p, q], hidden: () => covered,
    pick: (i, j) => go(view, { p: i, q: j }) });
  const [x, y] = room < 1000 ? [50, map.bottom + 50] : [map.right + 80, TOP + 44];
  const [wide, high, low] = [room - x - 16, Math.max(260, map.bottom - y - 50), Math.min(0, ...state.least.slice(0, n))];
  const sx = (k) => x + (wide * k) / Math.max(1, n - 1);
  const sy = (value) => y + (high * (state.largest_dot - value)) / (state.largest_dot - low);
  const side = (name) => state[name].slice(0, n).map((value, k) => [k, value]);
  const line = (name, dash) => svg("polyline", { class: "cdl-pos-line",
    points: side(name).map(([k, value]) => `${sx(k)},${sy(value)}`).join(" "), "stroke-dasharray": dash, "data-curve": name });
  const dot = (k, value, r, name) => svg("circle", { cx: sx(k), cy: sy(value), r, class: `cdl-pos-${name}`, "data-dot": name });
  const points = state.even ? side("most") : state.dots.flatMap((row, i) => row.slice(i, i + n).map((value, k) => [k, value]));
  return { node: svg("g", {}, heading(0, map.left, 12, "PE(p)·PE(q), per ogni coppia di posti", "posto p", "posto q"), map.node,
    axes(state, n, low, [x, y, wide, high], sx, sy),
    covered ? label(x + wide / 2, y + high / 2, "?", { ...MIDDLE, class: "cdl-pos-ask cdl-halo" }) : [line("most", null), state.even ? null : line("least", "5 4"),
      points.map(([k, value]) => dot(k, value, 3.5, "point")), dot(Math.abs(p - q), state.dots[p][q], 8, "here")]),
  bottom: y + high + 58 };
}

function axes(state, n, low, [x, y, wide, high], sx, sy) {
  const [step, every] = [state.largest_dot / 4, Math.ceil(n / 12)];
  const heights = numbersTo(5 + Math.ceil(-low / step)).map((_, k) => state.largest_dot - k * step).filter((value) => value >= low - 1e-9);
  return [heights.map((value) => [svg("line", { x1: x, x2: x + wide, y1: sy(value), y2: sy(value), class: "cdl-rule" }),
    label(x - 14, sy(value), formatNumber(value, step < 1 ? 2 : step % 1 ? 1 : 0), { "text-anchor": "end", class: "cdl-soft" })]),
  numbersTo(n).map((text, k) => (k % every ? null : label(sx(k), y + high + 18, text, { ...MIDDLE, class: "cdl-soft" }))),
  label(x + wide / 2, y + high + 42, "distanza fra i due posti", { ...MIDDLE, class: "cdl-axis" }),
  soft(x - 24, y - 24, "prodotto scalare PE(p)·PE(q)")].flat(3);
}

function sayDistance({ state, local }) {
  const k = Math.abs(local.p - local.q);
  const value = formatNumber(state.dots[local.p][local.q], 3);
  return `: prodotto scalare ${value}; ${state.even ? "a questa distanza è lo stesso per ogni coppia di posti"
    : `a questa distanza va da ${formatNumber(state.least[k], 3)} a ${formatNumber(state.most[k], 3)} secondo il posto`}`;
}

export const distanceView = {
  controls: ["p", "n", "d", "base", "preset"], draw: drawDistance, sentence: sayDistance,
  where: ({ local }) => `posti ${local.p} e ${local.q}, distanza ${Math.abs(local.p - local.q)}`,
  question: ({ state }) => ({ ...state.questions.distance, name: state.even ? "distance even" : "distance odd" }),
  key: (view, name) => (name === "Enter" ? null : moves(view, name, "q", view.local.n - 1)),
  finding: ({ state }) => state.findings.distance,
  rows: ({ state, local }, covered) => [["posto p", "posto q", "distanza", "prodotto scalare"], ...numbersTo(local.n).flatMap((_, i) =>
    numbersTo(local.n).map((__, j) => [i, j, Math.abs(i - j), covered ? "?" : state.dots[i][j]]))],
};

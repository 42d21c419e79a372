// Le tre matrici: affiancate se le celle sono poche, altrimenti una grande e due piccole.
import { label, svg } from "./pieces/dom.js";
import { formatNumber } from "./pieces/numbers.js";
import { cellSize, matrix } from "./pieces/matrix.js";
import { roomOf } from "./pieces/room.js";

const [GAP, SUMS, LEAST, AXES] = [42, 80, 40, 156]; // AXES: quanto è lungo «chi è guardato (key) →»
const TOP = 34;
const TOGGLE = "clic o Spazio: può, vietato";
const hint = (x, y, text) => label(x, y, text, { class: "cdl-soft", "data-hint": "" });

// Che cosa mostra ognuna delle tre matrici, nell'ordine in cui si fa il conto.
function panels(state, late) {
  const cell = (values) => (digits) => (i, j) => (state.allowed[i][j] ? formatNumber(values[i][j], digits) : "0");
  if (late) {
    return [
      { title: "softmax(s), senza M", short: "softmax(s)", values: state.open },
      { title: "poi M: 1 può, 0 vietato", short: "poi M", values: state.allowed.map((row) => row.map((may) => (may ? 0 : null))),
        texts: () => (i, j) => (state.allowed[i][j] ? "1" : "0") },
      { title: "softmax(s) × M", short: "softmax(s) × M", values: state.late, texts: cell(state.late),
        sums: state.late_sums, wrong: state.wrong },
    ];
  }
  return [
    { title: "s: i punteggi", short: "s: punteggi", values: state.scores, largest: state.largest || 1, signed: true },
    { title: "M: 0 può, −∞ vietato", short: "M: maschera", values: state.allowed.map((row) => row.map((may) => (may ? 0 : null))),
      texts: () => (i, j) => (state.allowed[i][j] ? "0" : "−∞") },
    { title: "α = softmax(s + M)", short: "α: coefficienti", values: state.weights, texts: cell(state.weights), sums: state.sums },
  ];
}

function namesWidth(state) {
  return Math.max(34, Math.min(110, 18 + 8.6 * Math.max(...state.rows.map((name) => [...name].length))));
}

function cellWidth(view) {
  const { state } = view;
  return Math.min(58, (roomOf(view) - 3 * namesWidth(state) - SUMS - 2 * GAP) / (3 * state.columns.length));
}

// Quale matrice è grande, o null se stanno tutte affiancate.
export function whereBig(view) {
  return cellWidth(view) >= LEAST ? null : view.local.big;
}

export function board(view, asked, pick) {
  const { state, local } = view;
  const three = panels(state, local.late).map((panel, at) => ({ ...panel, at,
    covered: Boolean(asked) && (at === 2 || (at === 1 && asked.when === "before")) }));
  return whereBig(view) === null ? sideBySide(view, three, pick) : oneBig(view, three, pick);
}

function drawn(view, panel, pick, place) {
  const { state, local } = view;
  const digits = place.cell[0] >= 56 ? 3 : 2;
  const look = (i) => (panel.wrong?.[i] ? { text: `${formatNumber(panel.sums[i], digits)} ≠ 1`, class: "cdl-alarm" } : null);
  const one = matrix({ axes: false, largest: panel.largest || 1, signed: panel.signed, digits, large: place.cell[0] >= 44,
    values: panel.values, rows: state.rows, columns: state.columns, text: panel.texts?.(digits) || null,
    total: panel.sums && place.sums !== false ? "Σ" : null, sums: panel.sums, sumLook: look, band: local.i,
    chosen: [local.i, local.j], hidden: () => panel.covered, pick: (a, b) => pick(a, b, panel.at), ...place });
  one.node.setAttribute("data-panel", panel.at);
  return one;
}

function heading(x, left, title) {
  return svg("g", {}, label(x, 12, title, { class: "cdl-strong" }),
    label(x, TOP + 4, "chi guarda (query) ↓", { class: "cdl-axis" }),
    label(left, TOP + 24, "chi è guardato (key) →", { class: "cdl-axis" }));
}

function sideBySide(view, three, pick) {
  const { state, local } = view;
  const [names, wide] = [namesWidth(state), cellWidth(view)];
  const cell = [wide, state.rows.length <= 6 ? 44 : 34];
  const least = Math.min(names + AXES, (roomOf(view) - SUMS) / 3 - GAP); // con pochi token i titoli non si toccano
  const group = svg("g", {});
  let [x, bottom] = [0, 0];
  three.forEach((panel, at) => {
    const one = drawn(view, panel, pick, { x, y: TOP, names, cell });
    group.append(heading(x, one.left, panel.title), one.node);
    bottom = one.bottom;
    const cells = one.left + wide * state.columns.length;
    const end = Math.max(cells, x + least);
    const sign = at === 2 ? null : (local.late ? ["×", "="] : ["+", "→"])[at];
    if (sign) group.append(label((cells + end + GAP) / 2, (one.top + bottom) / 2, sign, { "text-anchor": "middle", "font-size": 26 }));
    if (at === 1) group.append(hint(one.left, bottom + 16, TOGGLE));
    x = end + GAP;
  });
  return { node: group, bottom: bottom + 26 };
}

function oneBig(view, three, pick) {
  const { state, local } = view;
  const [names, cell] = [namesWidth(state), cellSize(state.rows.length, state.columns.length)];
  const big = three[local.big];
  const one = drawn(view, big, pick, { x: 0, y: TOP, names, cell });
  const end = one.left + cell[0] * state.columns.length + SUMS;
  const side = Math.min(30, (roomOf(view) - end - 30) / state.columns.length, 200 / state.rows.length);
  const group = svg("g", {}, heading(0, one.left, big.title), one.node);
  let y = 12;
  for (const panel of three.filter((other) => other !== big)) {
    const blank = { rows: state.rows.map(() => ""), columns: state.columns.map(() => "") };
    const small = drawn(view, panel, pick, { ...blank, x: end + 26, y: y - 48, names: 2, cell: [side, side], sums: false });
    group.append(label(end + 28, y, panel.short, { class: "cdl-strong" }), small.node);
    y = small.bottom + 34;
  }
  group.append(hint(end + 28, y - 14, "clic: più grande"));
  if (big.at === 1) group.append(hint(one.left, one.bottom + 16, TOGGLE));
  return { node: group, bottom: Math.max(one.bottom + (big.at === 1 ? 20 : 0), y) + 4 };
}

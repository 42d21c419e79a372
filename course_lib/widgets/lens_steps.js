// Il conto di una cella, un'operazione per riga, con tutti gli operandi.
import { fittedLabel, label, richLabel, svg } from "./pieces/dom.js";
import { formatNumber } from "./pieces/numbers.js";

const MOST_TERMS = 12;
const LINE = 21;
const show = (value) => formatNumber(value, Number.isInteger(value) ? 0 : 3);
const tuple = (values) => `(${cut(values.map(show)).join("; ")})`;
const signedTail = (value) => (value < 0 ? `(${show(value)})` : show(value));

function cut(items) {
  return items.length <= MOST_TERMS ? items : [...items.slice(0, MOST_TERMS - 1), "…", items[items.length - 1]];
}

const power = (s, i, j) => `e^{${show(s.scores[i][j])}${s.shifts[i] ? ` − ${signedTail(s.shifts[i])}` : ""}}`;
const exponential = (s, i, j) => s.exponentials[i][j] ?? 0;
const weight = (s, i, j) => s.weights[i][j] ?? 0;
const blocked = (s, i) => s.most[i].length === 0;

// name: che cosa si fa   text(state, i, j): le righe del conto
export const STEPS = [
  { name: "prodotti", text: (s, i, j) => cut(s.products[i][j].map((p, c) =>
    `${show(s.Q[i][c])} × ${signedTail(s.K[j][c])} = ${show(p)}`)) },
  { name: "somma, q·k", text: (s, i, j) => [s.products[i][j].length === 1 ? show(s.dots[i][j])
    : `${cut(s.products[i][j].map((p, c) => (c ? signedTail(p) : show(p)))).join(" + ")} = ${show(s.dots[i][j])}`,
  ...(s.d_k > 2 ? [`via via: ${cut(s.partials[i][j].map(show)).join(" → ")}`] : [])] },
  { name: "÷ √d_{k}", text: (s, i, j) => [`${show(s.dots[i][j])} ÷ √${s.d_k} = ${show(s.scores[i][j])}`] },
  { name: "maschera", text: (s, i, j) => [s.allowed[i][j] ? `${show(s.scores[i][j])} + 0: può guardare`
    : `${show(s.scores[i][j])} + (−∞) = −∞: vietato`] },
  { name: "esponenziale", text: (s, i, j) => [s.allowed[i][j] ? `${power(s, i, j)} = ${show(exponential(s, i, j))}` : "e^{−∞} = 0",
    ...(s.shifts[i] ? ["tolto a tutta la riga il suo massimo: i coefficienti non cambiano"] : [])] },
  { name: "÷ Σ", text: (s, i, j) => (blocked(s, i) ? ["nessuno è permesso: per convenzione del corso 0"] : [
    `Σ = ${cut(s.columns.map((_, c) => show(exponential(s, i, c)))).join(" + ")} = ${show(s.totals[i])}`,
    `α = ${show(exponential(s, i, j))} ÷ ${show(s.totals[i])} = ${show(weight(s, i, j))}`]) },
  { name: "× value", text: (s, i, j) => [
    `${show(weight(s, i, j))} × ${tuple(s.V[j])} = ${tuple(s.terms[i][j])}`,
    `z = ${cut(s.columns.map((_, c) => tuple(s.terms[i][c]))).join(" + ")}`, `z = ${tuple(s.outputs[i])}`] },
];

export function ledger(state, i, j, reached, x, y, width) {
  const group = svg("g", { "data-ledger": `${i},${j}` });
  const most = Math.floor((width - 160) / 7.4);
  const vectors = folded(`q di ${state.rows[i]} = ${tuple(state.Q[i])}; k di ${state.columns[j]} = ${tuple(state.K[j])}`, width / 7.4);
  group.append(fittedLabel(x, y, `Il conto di ${state.rows[i]} → ${state.columns[j]}`, width, { class: "cdl-strong" }),
    ...vectors.map((line, n) => label(x, y + 26 + LINE * n, line, { class: "cdl-soft" })));
  let at = y + 25 + LINE * vectors.length;
  STEPS.forEach((step, k) => {
    const done = k < reached;
    const lines = done ? step.text(state, i, j).flatMap((line) => folded(line, most)) : [reached ? "…" : "?"];
    const height = LINE * lines.length + 11;
    const now = k === reached - 1 && reached < STEPS.length;
    group.append(svg("g", { "data-step": k + 1 },
      now ? svg("rect", { x, y: at, width, height, rx: 6, class: "cdl-lit" }) : null,
      svg("line", { x1: x, x2: x + width, y1: at + height, y2: at + height, class: "cdl-rule" }),
      label(x + 14, at + height / 2, String(k + 1), { class: "cdl-soft", "text-anchor": "middle", "data-name": "" }),
      richLabel(x + 32, at + height / 2, step.name, { class: done ? "cdl-strong" : "cdl-soft" }),
      lines.map((line, n) => richLabel(x + 152, at + 5 + LINE * (n + 0.5), line, { class: done ? "" : "cdl-soft" }))));
    at += height;
  });
  return { node: group, bottom: at + 10 };
}

// Spezza una riga lunga dove c'è un segno fra due termini, o fra due componenti.
function folded(text, most) {
  const lines = [];
  let line = "";
  for (const part of text.split(/(?<= [+→=]|;) /)) {
    if (line && line.length + part.length + 1 > most) {
      lines.push(line);
      line = "    " + part;
    } else line = line ? `${line} ${part}` : part;
  }
  return [...lines, line];
}

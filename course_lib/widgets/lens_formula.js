// La formula dell'attenzione, scritta in grande: ogni simbolo accende la sua matrice.
import { svg } from "./pieces/dom.js";

const components = (count) => Array.from({ length: count }, (_, c) => String(c + 1));
const largestOf = (values) => Math.max(1e-12, ...values.flat().map((v) => Math.abs(v ?? 0)));
const vectors = (state, name, names, band) => ({ values: state[name], rows: names, columns: components(state[name][0].length),
  band, largest: largestOf(state[name]), signed: true, axes: ["token", "componente"] });
const pairs = (state, name, i, j) => ({ values: state[name], rows: state.rows, columns: state.columns, band: i,
  chosen: [i, j], largest: largestOf(state[name]), signed: true });

// name: la chiave   title: sopra la matrice   matrix(state, i, j): che cosa si accende   says: la frase
export const SYMBOLS = [
  { name: "Z", title: "Z: il risultato, uno z per riga", matrix: (s, i) => vectors(s, "outputs", s.rows, i),
    says: (s) => `Il risultato: uno z per ciascuno dei ${s.rows.length} token che guardano, con ${s.d_v} componenti.` },
  { name: "softmax", title: "softmax: da punteggi a coefficienti, riga per riga", matrix: (s, i, j) => ({
    ...pairs(s, "weights", i, j), signed: false, largest: 1, total: "Σ", sums: s.sums }),
    says: () => "softmax: esponenziale di ogni punteggio, diviso per la somma della sua riga." },
  { name: "Q", title: "Q: le query, una per riga", matrix: (s, i) => vectors(s, "Q", s.rows, i),
    says: (s) => `Q: le query, una per riga, ${s.d_k} componenti ciascuna.` },
  { name: "K", title: "K: le key, una per riga (nella formula K è trasposta)", matrix: (s, i, j) => vectors(s, "K", s.columns, j),
    says: (s) => `K: le key, una per riga, ${s.d_k} componenti ciascuna; nella formula è trasposta.` },
  { name: "√d_k", title: "QKᵀ ÷ √d_k: i punteggi", matrix: (s, i, j) => pairs(s, "scores", i, j),
    says: (s) => `I prodotti q·k divisi per la radice di ${s.d_k}: i punteggi.` },
  { name: "M", title: "M: 0 dove si può guardare, −∞ dove è vietato", matrix: (s, i, j) => ({
    ...pairs(s, "allowed", i, j), values: s.allowed.map((row) => row.map((may) => (may ? 0 : null))),
    text: (a, b) => (s.allowed[a][b] ? "0" : "−∞") }),
    says: (s) => (s.masked ? "M: la maschera; −∞ nelle celle vietate, che avranno coefficiente 0."
      : "M: qui tutte le celle sono permesse, perciò la maschera è tutta 0 e non cambia nulla.") },
  { name: "V", title: "V: i value, uno per riga", matrix: (s, i, j) => vectors(s, "V", s.columns, j),
    says: (s) => `V: i value, uno per riga, ${s.d_v} componenti ciascuno.` },
];

const ITALIC = { "font-style": "italic" };

export function formula(view, choose) {
  const y = 34;
  const plainText = (x, text, more = {}) => svg("text", { x, y, "dominant-baseline": "central", "font-size": 23, ...more }, text);
  const symbol = (name, x, width, text, more = {}) => {
    const at = more.y ?? y;
    const on = view.local.symbol === name;
    return svg("g", { class: "cdl-cell", "data-symbol": name, onclick: () => { choose(on ? null : name); view.stage.focus(); } },
      svg("rect", { x: x - 5, y: at - 15, width, height: 30, rx: 5, class: on ? "cdl-lit" : "cdl-touch" }),
      svg("text", { x, y: at, "dominant-baseline": "central", "font-size": 23, ...more }, text));
  };
  const sub = (text) => svg("tspan", { dy: 6, "font-size": 15 }, text);
  return svg("g", { "data-formula": "" },
    symbol("Z", 6, 28, "Z", ITALIC), plainText(36, "="), symbol("softmax", 62, 88, "softmax"),
    plainText(150, "(", { "font-size": 40, "font-weight": 300 }),
    symbol("Q", 174, 28, "Q", { ...ITALIC, y: y - 15 }),
    symbol("K", 204, 36, ["K", svg("tspan", { dy: -7, "font-size": 14, "font-style": "normal" }, "T")], { ...ITALIC, y: y - 15 }),
    svg("line", { x1: 166, x2: 240, y1: y + 2, y2: y + 2, class: "cdl-stroke" }),
    symbol("√d_k", 180, 58, ["√", svg("tspan", ITALIC, "d"), svg("tspan", ITALIC, sub("k"))], { y: y + 19 }),
    plainText(250, "+"), symbol("M", 276, 32, "M", ITALIC), plainText(304, ")", { "font-size": 40, "font-weight": 300 }),
    symbol("V", 326, 30, "V", ITALIC));
}

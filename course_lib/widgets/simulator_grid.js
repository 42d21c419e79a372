// Le griglie del Simulatore: come una matrice dei pezzi comuni, ma con celle che possono essere molto strette.
import { shade } from "./pieces/colors.js";
import { label, MIDDLE, svg } from "./pieces/dom.js";
import { ring } from "./pieces/ring.js";
import { formatNumber } from "./pieces/numbers.js";

export const WIDTH = 1000;
export const MOST_NUMBERS = 12;
export const END = { "text-anchor": "end" };
export const show = (value, signed = false) => formatNumber(value, 3, signed);
export const inner = (value) => (value < 0 ? `(${show(value)})` : show(value));
export const count = (n) => Array.from({ length: n }, (_, c) => String(c));
export const letters = (texts) => Math.max(4, ...texts.map((text) => [...text].length));
export const rowHeight = (n) => (n <= 8 ? 31 : n <= 12 ? 28 : 21);
export const strong = (x, y, text) => label(x, y, text, { class: "cdl-strong" });
export const soft = (x, y, text, more = {}) => label(x, y, text, { class: "cdl-soft", ...more });

// values: righe di numeri   rows, heads: i nomi, heads inclinati se lean   x, y, names: dove, e quanto spazio ai nomi
// wide: larghezza di una cella   marks: le righe segnate ≠   covered: numeri coperti   sums: le Σ, o null
export function grid({ values, rows, heads, lean, x, y, names, wide, largest, signed, title, axes, band, chosen, marks = [], covered, sums, pick }) {
  const tall = rowHeight(values.length);
  const [left, top] = [x + names, y + (lean ? 104 : 62)];
  const right = left + wide * heads.length;
  const middle = (i) => top + tall * (i + 0.5);
  const digits = wide >= (signed ? 47 : 39) ? 3 : wide >= (signed ? 40 : 32) ? 2 : 1;
  const numbers = wide >= 29 && Math.max(values.length, heads.length) <= MOST_NUMBERS;
  const cell = (value, i, j) => {
    const { fill, ink } = covered ? { fill: "#FFFFFF", ink: "#1A1A1A" } : shade(value, largest);
    return svg("g", { class: "cdl-cell", "data-cell": `${i},${j}`, onclick: () => pick(i, j) },
      svg("rect", { x: left + wide * j, y: top + tall * i, width: wide, height: tall, fill, stroke: "#BBBBBB" }),
      numbers ? label(left + wide * (j + 0.5), middle(i), covered ? "?" : formatNumber(value, digits, signed),
        { ...MIDDLE, fill: ink, class: "cdl-small" }) : null);
  };
  const node = svg("g", {}, strong(left, y + 8, title), soft(left, y + 28, `${axes[1]} →`), axes[0] ? soft(left - 10, top - 14, `${axes[0]} ↓`, END) : null,
    band >= 0 ? svg("rect", { class: "cdl-band", x, y: top + tall * band, width: right - x, height: tall, rx: 4 }) : null,
    heads.map((name, j) => {
      const at = left + wide * (j + 0.5);
      return soft(at, top - 14, name, lean ? { transform: `rotate(-38 ${at} ${top - 14})`, class: "" } : MIDDLE);
    }),
    rows.map((name, i) => label(left - 10, middle(i), cut(name, 17), { ...END, class: i === band ? "cdl-strong" : "" })),
    marks.map((i) => label(x, middle(i), "≠", { class: "cdl-differs" })),
    values.map((row, i) => row.map((value, j) => cell(value, i, j))),
    sums ? [label(right + 28, top - 14, "Σ", { ...MIDDLE, class: "cdl-strong" }),
      sums.map((sum, i) => label(right + 28, middle(i), covered ? "?" : show(sum), { ...MIDDLE, "data-sum": i }))] : null,
    chosen ? ring(left + wide * chosen[1], top + tall * chosen[0], wide, tall) : null);
  return { node, left, top, right, bottom: top + tall * values.length };
}

// Una scritta lunga al più `most` lettere.
export function cut(text, most) {
  const short = [...text];
  return short.length > most ? short.slice(0, most - 1).join("") + "…" : text;
}

// Quale delle due frasi è, se sono due.
export const titleOf = ({ state: { sides } }, k) => (sides.length > 1
  ? `${k ? "Seconda" : "Prima"} frase${sides[0].d === sides[1].d ? "" : `, d = ${sides[k].d}`}` : "");

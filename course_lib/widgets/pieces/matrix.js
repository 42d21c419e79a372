// Una matrice con i nomi di righe e colonne, i numeri, Σ, le celle vietate tratteggiate e quella scelta.
import { fitting, fittedLabel, freshId, label, MIDDLE, svg } from "./dom.js";
import { ring } from "./ring.js";
import { formatNumber } from "./numbers.js";
import { shade } from "./colors.js";

export const MOST_NUMBERS = 12;
const NAME = { "data-name": "" }; // la Regia non lo copre, anche se è un numero
const [HEAD, SLANTED_HEAD, SLANTED] = [62, 104, 70]; // in celle più larghe un nome inclinato non guadagna posto

// values: righe di numeri (null: vietata)   rows, columns: i nomi   cell: [larghezza, altezza]
// largest: il valore del colore pieno   digits, signed: come si scrivono   total: nome della colonna Σ, o null
// least: la cella più stretta in cui si scrive un numero (40)   chosen: [i, j] o null   band: riga evidenziata   hidden(i, j): il numero è coperto   pick(i, j): clic o passaggio
// slant: nomi delle colonne inclinati (se manca, quando nelle celle non ci stanno)
// sumLook(i): { text, class } di una Σ scritta in altro modo   large: numeri grandi anche in celle strette
export function matrix(spec) {
  const { values, rows, columns, x = 0, y = 0 } = spec;
  const [wide, tall] = spec.cell || cellSize(rows.length, columns.length);
  const left = x + (spec.names ?? nameWidth(rows));
  const slanted = spec.slant ?? (wide < SLANTED && !fitting(columns, wide));
  const top = y + (slanted ? SLANTED_HEAD : HEAD);
  const numbers = Math.max(rows.length, columns.length) <= MOST_NUMBERS && wide >= (spec.least ?? 40);
  const hatch = freshId("tratti");
  const group = svg("g", {}, hatching(hatch));
  group.append(...axisNames(spec, left, y, top), ...columnNames(spec, left, top, wide, slanted));
  rows.forEach((name, i) => {
    const middle = top + tall * (i + 0.5);
    if (spec.band === i) {
      group.append(svg("rect", { class: "cdl-band", x, y: top + tall * i, rx: 4, height: tall,
        width: left - x + wide * columns.length + (spec.total ? 78 : 0) }));
    }
    group.append(fittedLabel(left - 10, middle, name, left - x - 14, { "text-anchor": "end", ...NAME,
      class: spec.band === i ? "cdl-strong" : "" }));
    columns.forEach((_, j) => group.append(oneCell(spec, i, j, [left + wide * j, top + tall * i, wide, tall], numbers, hatch)));
    if (spec.total) {
      const sum = spec.sums ? spec.sums[i] : values[i].reduce((a, b) => a + (b ?? 0), 0);
      const look = spec.hidden?.(i, null) ? { text: "?" } : spec.sumLook?.(i) || { text: formatNumber(sum, spec.digits ?? 3) };
      group.append(label(left + wide * columns.length + 40, middle, look.text, { ...MIDDLE, "data-sum": i,
        class: look.class || "" }));
    }
  });
  if (spec.chosen) group.append(ring(left + wide * spec.chosen[1], top + tall * spec.chosen[0], wide, tall));
  return { node: group, left, top, wide, tall, right: left + wide * columns.length + (spec.total ? 80 : 0),
    bottom: top + tall * rows.length };
}

// Quanto spazio serve ai nomi delle righe.
export function nameWidth(names) {
  const longest = Math.max(4, ...names.map((name) => [...name].length));
  return Math.max(150, Math.min(190, 24 + longest * 8.6)); // ci sta anche «chi guarda (query) ↓»
}

export function cellSize(rows, columns) {
  const most = Math.max(rows, columns);
  if (most <= 4) return [86, 54];
  if (most <= 6) return [74, 46];
  return most <= MOST_NUMBERS ? [52, 34] : [Math.max(18, 560 / most), Math.max(18, 560 / most)];
}

export function hatching(id) {
  return svg("defs", {}, svg("pattern", { id, width: 7, height: 7, patternUnits: "userSpaceOnUse",
    patternTransform: "rotate(45)" },
    svg("rect", { width: 7, height: 7, fill: "#F4F4F4" }),
    svg("line", { x1: 0, y1: 0, x2: 0, y2: 7, stroke: "#8A8A8A", "stroke-width": 2 })));
}

function oneCell(spec, i, j, [x, y, width, height], numbers, hatch) {
  const value = spec.values[i][j];
  const forbidden = value === null || spec.forbidden?.(i, j);
  const covered = spec.hidden?.(i, j);
  const { fill, ink } = forbidden || covered ? { fill: "#FFFFFF", ink: "#1A1A1A" } : shade(value, spec.largest ?? 1);
  const pick = spec.pick ? () => spec.pick(i, j) : null;
  const text = covered ? "?" : spec.text ? spec.text(i, j) : formatNumber(value, spec.digits ?? 3, spec.signed);
  return svg("g", { class: "cdl-cell", "data-cell": `${i},${j}`, onclick: pick,
    onpointerenter: spec.hover ? () => spec.hover(i, j) : null },
    svg("rect", { x, y, width, height, fill: forbidden && !covered ? `url(#${hatch})` : fill, stroke: "#BBBBBB" }),
    numbers && (covered || spec.text || value !== null)
      ? label(x + width / 2, y + height / 2, text, { ...MIDDLE, fill: ink,
        class: `${width < 60 && !spec.large ? "cdl-small" : ""} ${forbidden && !covered ? "cdl-over-hatch" : ""}` }) : null);
}

function axisNames(spec, left, y, top) {
  if (spec.axes === false) return [];
  const [row, column] = spec.axes || ["chi guarda (query)", "chi è guardato (key)"];
  return [label(left, y + 14, `${column} →`, { class: "cdl-axis" }),
    label(left - 10, top - 24, `${row} ↓`, { class: "cdl-axis", "text-anchor": "end" })];
}

function columnNames(spec, left, top, wide, slanted) {
  const names = spec.columns.map((name, j) => {
    const x = left + wide * (j + 0.5);
    return fittedLabel(slanted ? x - 4 : x, top - 18, name, slanted ? 78 : wide + 6, slanted
      ? { transform: `rotate(-38 ${x - 4} ${top - 18})`, ...NAME } : { ...MIDDLE, ...NAME });
  });
  if (spec.total) {
    names.push(label(left + wide * spec.columns.length + 40, top - 18, spec.total, { ...MIDDLE,
      class: "cdl-strong" }));
  }
  return names;
}

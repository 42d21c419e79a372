// Le righe di Softmax e temperatura: cursore, passi del conto, barra; sotto, Σ, entropia e i tre modi di calcolare.
import { bars } from "./pieces/bars.js";
import { fittedLabel, label, richLabel, svg } from "./pieces/dom.js";
import { formatNumber } from "./pieces/numbers.js";
import { roomOf } from "./pieces/room.js";

export const WAYS = ["stable", "float64", "float32"];
const TITLES = { stable: "Stabile: prima si toglie il massimo", float64: "Diretta, in float64", float32: "Diretta, in float32" };
const WIDE = { name: 112, track: [132, 318], logit: 396, scaled: 476, reduced: 572, exponential: 680, bar: 696, most: 128 };
// Dove lo spazio è poco i passi intermedi li dice la frase.
const NARROW = { name: 96, track: [116, 226], logit: 296, exponential: 392, bar: 408, most: 82 };
const placesOf = (view) => (roomOf(view) < 1000 ? NARROW : WIDE);
const TOP = 40;
const CARD = 88;
const end = { "text-anchor": "end" };

export function sliderValue(view, event) {
  const { track: [from, to] } = placesOf(view);
  const [low, high] = view.local.wish.span;
  const picture = view.stage.querySelector("svg");
  const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
  return low + ((high - low) * (x - from)) / (to - from);
}

export function drawing(view, covered, act) {
  const { state, local } = view;
  const [at, room] = [placesOf(view), roomOf(view)];
  const tall = state.names.length > 5 ? 37 : 44;
  const way = state.ways[local.way];
  const hide = (text) => (covered ? "?" : text);
  const bottom = TOP + tall * state.names.length;
  const nodes = [heads(state, local.way, at),
    svg("rect", { x: 0, y: TOP + tall * local.row, width: room, height: tall, rx: 4, class: "cdl-band" }),
    state.names.map((_, j) => row(view, j, TOP + tall * j, tall, hide, act)),
    bars({ x: at.bar, y: TOP, width: room - at.bar, names: 0, largest: 1, row: tall,
      items: state.names.map((_, j) => weightBar(way, j, covered, local.pinned)) }).node,
    svg("line", { x1: 0, x2: room, y1: bottom + 4, y2: bottom + 4, class: "cdl-rule" }),
    label(at.exponential - 96, bottom + 24, "Σ", { ...end, class: "cdl-strong" }),
    number(at.exponential, bottom + 24, hide(way.total), "total"),
    label(at.bar, bottom + 24, `Σ = ${hide(way.sum === null ? "non è un numero" : formatNumber(way.sum, 3))}`,
      { "data-value": "sum" }),
    entropy(state, bottom + 54, covered, way.sum === null, at, room), cards(state, local.way, bottom + 88, room, act.way)];
  const below = bottom + 88 + (room < 1000 ? 3 * (CARD + 10) : CARD + 10);
  const lines = noteLines(view).flatMap((line) => twoLines(line, at.most));
  return { nodes: [svg("g", { "font-size": 17 }, nodes),
    lines.map((line, k) => richLabel(2, below + 22 + 24 * k, line, { "data-note": k }))],
    height: below + 12 + 24 * lines.length };
}

function row(view, j, top, tall, hide, act) {
  const { state, local } = view;
  const [at, y, way] = [placesOf(view), top + tall / 2, state.ways[local.way]];
  return svg("g", { "data-row": j, class: "cdl-cell", onclick: () => act.pick(j) },
    svg("rect", { x: 0, y: top, width: roomOf(view), height: tall, style: "fill: transparent" }),
    fittedLabel(at.name, y, state.names[j], at.name - 4, { ...end, class: j === local.row ? "cdl-strong" : "" }),
    slider(local.wish, j, y, tall, view.live?.silent, at.track),
    number(at.logit, y, formatNumber(state.shifted[j]), "logit", j),
    at.scaled ? number(at.scaled, y, formatNumber(state.scaled[j]), "scaled", j) : null,
    at.reduced && local.way === "stable" ? number(at.reduced, y, hide(formatNumber(state.reduced[j])), "reduced", j) : null,
    number(at.exponential, y, hide(way.texts[j]), "exponential", j));
}

function number(x, y, text, name, j = "") {
  return label(x, y, text, { ...end, "data-number": `${name}${j}` });
}

function heads(state, way, at) {
  const head = (x, text, more = end) => (x ? label(x, 20, text, { ...more, class: "cdl-soft" }) : null);
  const middle = { "text-anchor": "middle" };
  return [head(at.track[0], formatNumber(state.span[0]), middle), head(at.track[1], formatNumber(state.span[1]), middle),
    head(at.logit, state.shift ? "ℓ + c" : "logit ℓ"), head(at.scaled, "÷ τ"), way === "stable" ? head(at.reduced, "− massimo") : null,
    head(at.exponential, "esponenziale"), head(at.bar, "coefficiente α", {})];
}

function slider({ logits, span }, j, y, tall, closed, [from, to]) {
  const part = Math.max(0, Math.min(1, (logits[j] - span[0]) / (span[1] - span[0])));
  return svg("g", { "data-slider": j, opacity: closed ? 0.45 : 1, style: "touch-action: none" },
    svg("rect", { x: from - 14, y: y - tall / 2, width: to - from + 28, height: tall, style: "fill: transparent" }),
    svg("line", { x1: from, x2: to, y1: y, y2: y, class: "cdl-track" }),
    svg("circle", { cx: from + part * (to - from), cy: y, r: 9, class: "cdl-knob" }));
}

function weightBar(way, j, covered, pinned) {
  if (covered) return { name: "", value: 0, text: "?" };
  const value = way.weights[j];
  return { name: "", value: value ?? 0, text: value === null ? "non è un numero" : formatNumber(value, 3),
    mark: pinned && value !== null ? pinned[j] : undefined };
}

function entropy(state, y, covered, none, at, room) {
  const width = room - at.bar - 70;
  const part = covered || none ? 0 : state.entropy / state.entropy_max;
  return [label(at.exponential, y, `entropia, al più log₂ ${state.names.length} = ${formatNumber(state.entropy_max, 2)} bit`, end),
    svg("rect", { x: at.bar, y: y - 8, width, height: 16, rx: 3, style: "fill: none; stroke: var(--soft)" }),
    svg("rect", { x: at.bar, y: y - 8, width: width * part, height: 16, rx: 3, style: "fill: var(--soft)" }),
    label(at.bar + width + 8, y, covered ? "?" : none ? "–" : formatNumber(state.entropy, 2), { "data-value": "entropy" })];
}

function cards(state, chosen, top, room, choose) {
  return WAYS.map((name, k) => {
    const way = state.ways[name];
    const [x, y, width] = room < 1000 ? [2, top + k * (CARD + 10), room - 4] : [2 + 336 * k, top, 324];
    return svg("g", { "data-way": name, class: "cdl-cell", onclick: () => choose(name) },
      svg("rect", { x, y, width, height: CARD, rx: 8, class: name === chosen ? "cdl-card-on" : "cdl-card" }),
      label(x + 14, y + 20, TITLES[name], { class: "cdl-strong" }),
      label(x + 14, y + 44, `${way.ok ? "✓" : "✗"} ${way.verdict}`, { class: way.ok ? "" : "cdl-alarm" }),
      label(x + 14, y + 68, way.detail, { class: "cdl-soft" }));
  });
}

// I limiti e l'invarianza: solo quando non c'è più nulla da prevedere su di loro.
function noteLines(view) {
  const { predict, asked, guess } = view.local;
  const open = (kind) => !predict || (asked[kind] && guess?.kind !== kind);
  return view.state.notes.filter((_, k) => open(k < 2 ? "temperature" : "shift"));
}

// Una riga troppo lunga si spezza all'ultimo spazio che ci sta.
function twoLines(text, most) {
  const at = text.length > most ? text.lastIndexOf(" ", most) : -1;
  return at < 0 ? [text] : [text.slice(0, at), ...twoLines(text.slice(at + 1), most)];
}

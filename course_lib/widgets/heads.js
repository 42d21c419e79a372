// W6 · Teste.
import { label, svg, wordLines } from "./pieces/dom.js";
import { formatNumber } from "./pieces/numbers.js";
import { matrix } from "./pieces/matrix.js";
import { courseWidget } from "./pieces/frame.js";
import { choiceOf, question } from "./pieces/question.js";
import { followRoom, roomOf } from "./pieces/room.js";
import { bold, box, headGrid, NAMES } from "./heads_grid.js";
import { linkPanel } from "./heads_links.js";
import { answerPanel } from "./heads_answer.js";
import { headControls, syncControls } from "./heads_controls.js";

const HALF = 520; // dove comincia la risposta, a destra della griglia; se lo spazio è poco sta sotto
const [SUMS, MANY] = [80, 9]; // oltre MANY token la mappa sta sotto i legami

// Anche con una frase nuova restano le teste scelte.
function start(view) {
  const { state, options, local: { e, held = [], threshold = 0.05, predict = options.predict } } = view;
  const i = state.rows.length - 1;
  const there = (k) => k in state.entries;
  view.local = { e: there(e) ? e : 0, held: held.filter(there), i, j: state.most[state.variants[""].maps[0]][i] ?? 0,
    threshold, predict, hover: null, pinned: [], off: [], places: [], seen: {}, said: "" };
}

const keyOf = ({ off, places }) => (places.length ? `v${places}` : String(off));
const variant = ({ state, local }) => state.variants[keyOf(local)];
const mapsOf = (view) => variant(view).maps.map((k) => view.state.maps[k]);
const cellOf = ({ local }) => local.hover || [local.i, local.j];
const switched = (list, k) => (list.includes(k) ? list.filter((other) => other !== k) : [...list, k].sort((a, b) => a - b));
const asking = ({ state, local }) => state.trained && local.predict && keyOf(local) !== "" && !local.seen[keyOf(local)];

// Ridisegnare due volte sotto il puntatore fermo farebbe perdere il clic.
const over = (view, ...hover) => `${hover}` === `${view.local.hover}` || view.set({ hover });

// Ogni mossa lascia la parola su cui si passa e ciò che si era detto.
const move = (view, changes) => view.set({ hover: null, said: "", ...changes });

const actions = {
  hold: (view) => move(view, { held: switched(view.local.held, view.local.e) }),
  // Si può spegnere un insieme soltanto se la sua risposta è già calcolata: altrimenti una testa alla volta.
  toggle(view) {
    const { head } = view.state.entries[view.local.e];
    if (head === null || !view.state.trained) return;
    const next = switched(view.local.off, head);
    actions.remove(view, view.state.variants[next] ? next : [head], []);
  },
  remove(view, off, places) {
    move(view, { off, places });
    if (!asking(view)) view.set({ said: variant(view).effect });
  },
};

function controls(view) {
  followRoom(view);
  view.listen(view.stage, "pointerleave", () => view.set({ hover: null }));
  return headControls(view, actions);
}

function draw(view) {
  const { state, local } = view;
  const maps = mapsOf(view);
  const covered = asking(view);
  const act = (action) => (k, l) => { action(k, l); view.stage.focus(); };
  const room = roomOf(view);
  const narrow = room < 1000;
  const grid = headGrid(view, maps, state.trained && !narrow ? HALF - 30 : room, act((e) => move(view, { e })));
  const place = narrow ? [0, grid.bottom + 4, room] : [HALF, 0, room - HALF];
  const answer = state.trained ? answerPanel(state, state.variants[""], variant(view), covered, place) : null;
  const middle = Math.max(grid.bottom, answer?.bottom || 0) + 4;
  const pick = act((i, j) => move(view, { i, j }));
  const mouse = { pick, pin: act((i) => move(view, { i, pinned: switched(local.pinned, i) })),
    hover: (i, j) => over(view, i ?? local.i, j ?? local.j) };
  const many = Math.max(state.rows.length, state.columns.length);
  const tall = many > 12 ? 20 : many > MANY ? 26 : 32;
  const low = many > MANY || narrow ? 90 + tall * many : 0; // quanto occupano i legami, se stanno sopra
  const big = heat(view, maps[local.e], middle + low, [many, tall, room], pick);
  const links = linkPanel(view, maps, cellOf(view), { right: low ? room : big.x - 30, y: middle + 18,
    top: low ? middle + 80 : big.top, tall }, mouse);
  view.below.replaceChildren(...(covered ? [ask(view)] : []));
  const y = big.bottom + 16;
  const notes = state.notes.flatMap((text) => wordLines(text, room / 7.4));
  const foot = 8 + 21 * notes.length;
  return svg("svg", { viewBox: `0 0 ${room} ${y + foot}` }, grid.node, answer?.node,
    svg("line", { x1: 0, x2: room, y1: middle, y2: middle, class: "cdl-rule" }), big.node, links,
    box(0, y, room, foot, "cdl-lit"), notes.map((text, k) => label(14, y + 15 + 21 * k, text)));
}

function heat(view, values, y, [many, tall, room], pick) {
  const { state: { rows, columns, entries }, local } = view;
  const cell = [many > MANY ? (room - NAMES - SUMS) / columns.length : many > 6 ? 40 : 45, tall];
  const x = room < 1000 ? 0 : room - NAMES - cell[0] * columns.length - SUMS;
  const at = cellOf(view);
  const entry = entries[local.e];
  const map = matrix({ values, rows, columns, x, y: y + 22, cell, names: NAMES, band: at[0], chosen: at, total: "Σ", pick,
    axes: ["chi guarda", "chi è guardato"], hover: (a, b) => over(view, a, b) });
  const title = `Coefficienti α: ${entry.label}${local.off.includes(entry.head) ? ", spenta: uscita 0" : ""}`;
  return { ...map, x, node: [bold(Math.min(x, room - 8.4 * title.length), y + 18, title), map.node] };
}

function ask(view) {
  return question(variant(view).ask, view.state.choices, (k) => reply(view, k));
}

function reply(view, k) {
  const { state, local } = view;
  const { top, effect } = variant(view);
  view.set({ seen: { ...local.seen, [keyOf(local)]: true },
    said: `${k === top ? "Hai previsto bene." : `Avevi previsto ${state.answers[k]}.`} ${effect}` });
  view.stage.focus();
}

function key(view, name) {
  const { state: { rows, columns, entries, choices }, local: { i, j, e, pinned, held } } = view;
  const choice = asking(view) ? choiceOf(name, choices) : -1;
  const [last, most] = [columns.length - 1, entries.length];
  const to = { ArrowUp: { i: Math.max(0, i - 1) }, ArrowDown: { i: Math.min(rows.length - 1, i + 1) }, Home: { j: 0 }, End: { j: last },
    ArrowLeft: { j: Math.max(0, j - 1) }, ArrowRight: { j: Math.min(last, j + 1) }, n: { e: (e + 1) % most }, b: { e: (e + most - 1) % most },
    t: { held: switched(held, e) }, Enter: { pinned: switched(pinned, i) }, Escape: { pinned: [], held: [] } }[name];
  if (choice >= 0) reply(view, choice);
  else if (to) move(view, to);
  else if (name === "s") actions.toggle(view);
  else return false;
  return true;
}

function finding(view) {
  const { state, local } = view;
  const now = variant(view);
  if (asking(view)) return now.ask;
  const [k, [i]] = [now.maps[local.e], cellOf(view)];
  const most = state.most[k][i];
  return now.effect || `Nella ${state.entries[local.e].label} «${state.rows[i]}» ${most === null ? "non guarda un token più degli altri"
    : `guarda soprattutto «${state.columns[most]}», coefficiente ${formatNumber(state.maps[k][i][most], 3)}`}`;
}

function sentence(view) {
  const { state: { entries, rows, columns }, local } = view;
  const [i, j] = cellOf(view);
  const value = mapsOf(view)[local.e][i][j];
  const spoken = value !== null ? `coefficiente ${formatNumber(value, 3)}`
    : local.off.includes(entries[local.e].head) ? "la testa è spenta" : "non può guardare, coefficiente 0";
  const pinned = local.pinned.length ? ` Fissate: ${local.pinned.map((k) => rows[k]).join(", ")}.` : "";
  const said = asking(view) ? "Prima di vedere la risposta, prevedi." : local.said;
  return `${said} ${entries[local.e].label}: ${rows[i]} → ${columns[j]}, ${spoken}.${pinned}`.trim();
}

function table(view) {
  const { state, local } = view;
  const answers = [state.variants[""], ...(asking(view) || !keyOf(local) ? [] : [variant(view)])];
  return [["voce", "chi guarda", "chi è guardato", "coefficiente o probabilità"],
    ...mapsOf(view).flatMap((map, k) => map.flatMap((row, i) => row.map((value, j) =>
      [state.entries[k].label, state.rows[i], state.columns[j], value ?? 0]))),
    ...answers.flatMap(({ name, p = [] }) => p.map((value, k) => [`risposta ${name}`, "", state.answers[k], value]))];
}

export default courseWidget({
  name: "Teste", start, controls, draw, key, finding, sentence, rows: table, sync: syncControls,
  reset: (view) => { [view.preset] = view.model.get("presets"); },
  keys: [["n b", "testa seguente, precedente"], ["s", "spegne e riaccende la testa"], ["t", "tiene la testa accanto alle altre"],
    ["1–5", "sceglie la previsione"]],
});

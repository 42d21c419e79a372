// W2 · Lente sulla cella.
import { html, label, spokenText, svg } from "./pieces/dom.js";
import { matrix } from "./pieces/matrix.js";
import { formatNumber } from "./pieces/numbers.js";
import { ring } from "./pieces/ring.js";
import { courseWidget } from "./pieces/frame.js";
import { choiceOf, predictionSwitch, question } from "./pieces/question.js";
import { followRoom, roomOf } from "./pieces/room.js";
import { formula, SYMBOLS } from "./lens_formula.js";
import { ledger, STEPS } from "./lens_steps.js";

const SIDE = 510; // quanto occupa il conto, a fianco della mappa
const LAST = STEPS.length;
const MOST_CHOICES = 8;

function start(view) {
  const { state, options } = view;
  const [i, j] = options.at || [state.rows.length - 1, 0];
  const predict = view.local.predict ?? options.predict;
  view.local = { i, j, step: LAST, pinned: null, symbol: null, predict, seen: { [i]: true }, answered: "" };
}

function asking(view) {
  const { i, predict, seen } = view.local;
  return predict && !seen[i] && view.state.most[i].length > 0;
}

function shown(view) {
  const { i, j, pinned } = view.local;
  return pinned || [i, j];
}

function controls(view) {
  followRoom(view);
  const button = (text, name, action) => html("button", { type: "button", "data-control": name, onclick: action }, text);
  view.counter = html("span", { class: "cdl-note" });
  view.switch = predictionSwitch(view, (on) => view.set({ predict: on }));
  return [html("span", { class: "cdl-steps", role: "group", "aria-label": "Passi del conto" },
    button("‹ Indietro", "back", () => step(view, -1)), button("Avanti ›", "next", () => step(view, 1)), view.counter),
  view.switch];
}

function sync(view) {
  const { step: at, predict } = view.local;
  view.counter.textContent = `passo ${at} di ${LAST}`;
  view.switch.querySelector("input").checked = predict;
}

function draw(view) {
  const { state, local } = view;
  const [i, j] = shown(view);
  const covered = asking(view);
  const chosen = SYMBOLS.find((symbol) => symbol.name === local.symbol);
  const big = matrix({ ...(chosen ? chosen.matrix(state, i, j) : coefficients(view, covered)), y: 104 });
  if (local.pinned && !chosen) {
    const here = ring(big.left + big.wide * local.j, big.top + big.tall * local.i, big.wide, big.tall);
    here.firstChild.setAttribute("stroke-dasharray", "7 5"); // dove si è, mentre il conto resta fissato altrove
    big.node.append(here);
  }
  const room = Math.max(roomOf(view), Math.ceil(big.right)); // dove lo spazio è poco il conto va sotto
  const beside = big.right + SIDE <= room;
  const [x, y] = beside ? [Math.max(big.right + 24, room - SIDE), 92] : [0, big.bottom + 30];
  const lines = ledger(state, i, j, covered ? 0 : local.step, x, y, beside ? room - x : room);
  view.below.replaceChildren(...(covered ? [ask(view)] : []));
  const height = Math.max(big.bottom + 12, lines.bottom);
  return svg("svg", { viewBox: `0 0 ${room} ${height}` }, formula(view, (name) => view.set({ symbol: name })),
    label(0, 92, chosen ? chosen.title : "Coefficienti di attenzione α", { class: "cdl-strong" }), big.node, lines.node);
}

function coefficients(view, covered) {
  const { state, local } = view;
  const [i, j] = shown(view);
  return { values: state.weights, rows: state.rows, columns: state.columns, total: "Σ", band: i, chosen: [i, j],
    sums: state.sums, largest: 1, forbidden: (a, b) => !state.allowed[a][b],
    hidden: (a) => local.predict && (a === local.i ? covered : !local.seen[a]) && state.most[a].length > 0,
    pick: (a, b) => { view.set({ i: a, j: b, pinned: null, symbol: null, answered: "" }); view.stage.focus(); } };
}

function ask(view) {
  const { state, local } = view;
  return question(`Chi guarda di più «${state.rows[local.i]}»?`, choices(view).map(([text]) => text), (k) => answer(view, k));
}

// [testo, posto guardato]; −1: più d'uno alla pari. Se i token sono molti si propone quello dove sta la cornice.
function choices(view) {
  const { columns } = view.state;
  const each = columns.map((name, j) => [name, j]);
  const some = columns.length > MOST_CHOICES ? [[`«${columns[view.local.j]}», dove sono`, view.local.j]] : each;
  return columns.length > 1 ? [...some, ["più d'uno alla pari", -1]] : some;
}

function answer(view, k) {
  const { state, local } = view;
  const most = state.most[local.i];
  const [text, j] = choices(view)[k];
  const right = j < 0 ? most.length > 1 : most.length === 1 && most[0] === j;
  view.set({ seen: { ...local.seen, [local.i]: true },
    answered: right ? "Hai previsto bene. " : `Avevi previsto: ${text}. ` });
  view.stage.focus();
}

function step(view, by) {
  if (asking(view)) return;
  view.set({ step: (Math.max(view.local.step, by < 0 ? 1 : 0) - 1 + by + LAST) % LAST + 1 });
}

function key(view, name) {
  const { state, local } = view;
  const choice = asking(view) ? choiceOf(name, choices(view)) : -1;
  if (choice >= 0) return answer(view, choice), true;
  if (name === "n" || name === "b") return step(view, name === "n" ? 1 : -1), true;
  if (name === "Enter") return asking(view) || view.set({ pinned: [local.i, local.j] }), true;
  if (name === "Escape") return view.set({ pinned: null, symbol: null }), true;
  return local.symbol ? moveInFormula(view, name) : moveInMap(view, name);
}

function moveInMap(view, name) {
  const { state, local } = view;
  const [rows, columns] = [state.rows.length - 1, state.columns.length - 1];
  if (name === "ArrowUp" && local.i === 0) return view.set({ symbol: SYMBOLS[0].name }), true;
  const to = { ArrowUp: [local.i - 1, local.j], ArrowDown: [local.i + 1, local.j], ArrowLeft: [local.i, local.j - 1],
    ArrowRight: [local.i, local.j + 1], Home: [local.i, 0], End: [local.i, columns] }[name];
  if (!to) return false;
  const [i, j] = [Math.max(0, Math.min(rows, to[0])), Math.max(0, Math.min(columns, to[1]))];
  view.set({ i, j, answered: "" });
  return true;
}

function moveInFormula(view, name) {
  if (name === "ArrowDown") return view.set({ symbol: null }), true;
  const at = SYMBOLS.findIndex((symbol) => symbol.name === view.local.symbol);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: SYMBOLS.length - 1, ArrowUp: at }[name];
  if (to === undefined) return false;
  view.set({ symbol: SYMBOLS[Math.max(0, Math.min(SYMBOLS.length - 1, to))].name });
  return true;
}

function finding(view) {
  return asking(view) ? `Riga di «${view.state.rows[view.local.i]}»: che cosa ne verrà?` : view.state.findings[shown(view)[0]];
}

function sentence(view) {
  const { state, local } = view;
  const chosen = SYMBOLS.find((symbol) => symbol.name === local.symbol);
  if (chosen) return chosen.says(state);
  if (asking(view)) return `${state.rows[local.i]} → ${state.columns[local.j]}: prima di vedere i coefficienti, prevedi.`;
  const pinned = local.pinned ? ` Il conto è fissato su ${state.rows[local.pinned[0]]} → ${state.columns[local.pinned[1]]}.` : "";
  const [i, j] = shown(view);
  if (!local.step) return `${state.rows[i]} → ${state.columns[j]}: coefficiente ${formatNumber(state.weights[i][j] ?? 0, 3)}.`;
  const now = STEPS[local.step - 1];
  const part = local.step < LAST ? spokenText(` Passo ${local.step}, ${now.name}: ${now.text(state, i, j).join("; ")}.`) : "";
  return `${local.answered}${state.sentences[local.i][local.j]}.${pinned}${part}`;
}

function rows(view) {
  const { state } = view;
  const line = (name, i, j) => state[name][i][j];
  const head = ["chi guarda", "chi è guardato", "q·k", "punteggio", "esponenziale", "coefficiente",
    ...state.V[0].map((_, c) => `coefficiente × value, ${c + 1}`)];
  const body = state.rows.flatMap((row, i) => state.columns.map((column, j) => [row, column, line("dots", i, j),
    line("scores", i, j), line("exponentials", i, j) ?? 0, line("weights", i, j) ?? 0, ...state.terms[i][j]]));
  return [head, ...body];
}

export default courseWidget({
  name: "Lente sulla cella", start, controls, sync, draw, key, finding, sentence, rows,
  keys: [["n b", "passo del conto avanti, indietro"], ["↑ dalla prima riga", "va alla formula; ↓ torna alla mappa"],
    ["1–9", "sceglie la previsione"]],
  about: ["Ogni riga della mappa è una query, chi guarda; ogni colonna una key, chi è guardato. Scegli una cella: a fianco " +
    "c'è tutto il conto del suo coefficiente, un'operazione per riga, fino al pezzo che porta in z.",
  "I simboli della formula accendono la matrice che rappresentano. Le celle tratteggiate sono vietate dalla maschera."],
});

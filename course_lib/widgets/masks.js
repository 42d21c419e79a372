// W5 · Maschere.
import { html, svg } from "./pieces/dom.js";
import { choiceGroup } from "./pieces/choices.js";
import { courseWidget } from "./pieces/frame.js";
import { choiceOf, predictionSwitch, question } from "./pieces/question.js";
import { followRoom, roomOf } from "./pieces/room.js";
import { board, whereBig } from "./masks_board.js";
import { strip } from "./masks_strip.js";

function start(view) {
  const { options } = view;
  const { rows } = view.state;
  view.local = { i: rows.length - 1, j: 0, big: 2, late: false, pinned: null, seen: {}, said: "",
    predict: view.local.predict ?? options.predict };
  toQuestion(view);
}

// All'inizio non c'era ciò che si è disegnato dopo.
function reset(view) {
  const { preset } = view.options;
  view.preset = view.model.get("state").name === preset ? null : view.model.get("presets").find(({ name }) => name === preset);
}

// Lo stato è un altro: restano le scelte che valgono ancora.
function keep(view) {
  const { rows, columns } = view.state;
  const { i, j } = view.local;
  Object.assign(view.local, { i: Math.min(i, rows.length - 1), j: Math.min(j, columns.length - 1), pinned: null, said: "" });
  toQuestion(view);
}

function toQuestion(view) {
  const asked = asking(view);
  if (asked) view.local.i = asked.row;
}

// La domanda ancora aperta, con la chiave sotto cui si ricorda che ha avuto risposta; o null.
function asking(view) {
  const { state, local } = view;
  const open = (when) => local.predict && state.questions[when] && !local.seen[`${when} ${state.name}`]
    ? { ...state.questions[when], when } : null;
  return open("before") || (local.late ? open("after") : null);
}

function controls(view) {
  followRoom(view);
  const presets = view.model.get("presets");
  view.choices = choiceGroup("Maschera", presets.map((preset) => preset.name), (k) => view.show(presets[k]), "mask");
  view.lateBox = html("input", { type: "checkbox", "data-control": "late", onchange: (event) => order(view, event.target.checked) });
  view.switch = predictionSwitch(view, (on) => { view.set({ predict: on, said: "" }); });
  return [view.choices.node, html("label", {}, view.lateBox, "maschera dopo la softmax (sbagliato)"), view.switch];
}

function sync(view) {
  const { state, local } = view;
  view.choices.select(view.model.get("presets").findIndex((preset) => preset.name === state.name));
  view.lateBox.checked = local.late;
  view.switch.querySelector("input").checked = local.predict;
  view.found.classList.toggle("cdl-warning", local.late && !asking(view));
}

function order(view, late) {
  Object.assign(view.local, { late, said: "" });
  toQuestion(view);
  view.redraw();
}

function draw(view) {
  const { state, local } = view;
  const asked = asking(view);
  view.below.replaceChildren(...(asked ? [question(asked.text, asked.options, (k) => answer(view, k))] : []));
  const top = board(view, asked, (a, b, panel) => pick(view, a, b, panel));
  const lines = [local.pinned, local.pinned === local.i ? null : local.i].filter((i) => i !== null);
  let bottom = top.bottom;
  const strips = (asked ? [] : lines.sort((a, b) => a - b)).map((i) => {
    const one = strip(state, i, local, bottom + 24, roomOf(view));
    bottom = one.bottom;
    return one.node;
  });
  return svg("svg", { viewBox: `0 0 ${roomOf(view)} ${bottom + 4}` }, top.node, strips);
}

function pick(view, i, j, panel) {
  const big = whereBig(view);
  view.set({ i, j, big: big === null ? view.local.big : panel, said: "" });
  if (panel === 1 && big !== 0 && big !== 2) toggle(view);
  view.stage.focus();
}

// Permette o vieta la cella scelta: i coefficienti nuovi li calcola il kernel.
function toggle(view) {
  const { state, local } = view;
  if (asking(view)) return view.set({ said: "Prima prevedi, poi disegna. " });
  const { allowed: now = state.allowed } = view.wanted;
  const allowed = now.map((row, i) => row.map((may, j) => (i === local.i && j === local.j ? !may : may)));
  view.ask({ allowed });
}

function answer(view, k) {
  const asked = asking(view);
  const right = k === asked.right;
  view.set({ seen: { ...view.local.seen, [`${asked.when} ${view.state.name}`]: true },
    said: right ? "Hai previsto bene. " : `Avevi previsto: ${asked.options[k]}; viene: ${asked.options[asked.right]}. ` });
  if (asking(view)) { toQuestion(view); view.redraw(); }
  view.stage.focus();
}

function key(view, name) {
  const { state, local } = view;
  const asked = asking(view);
  const choice = asked ? choiceOf(name, asked.options) : -1;
  if (choice >= 0) return answer(view, choice), true;
  if (name === " ") return toggle(view), true;
  if (name === "d") return order(view, !local.late), true;
  if (name === "n" || name === "b") return view.set({ big: (local.big + (name === "n" ? 1 : 2)) % 3 }), true;
  if (name === "Enter") return asked || view.set({ pinned: local.i }), true;
  if (name === "Escape") return view.set({ pinned: null }), true;
  const [rows, columns] = [state.rows.length - 1, state.columns.length - 1];
  const to = { ArrowUp: [local.i - 1, local.j], ArrowDown: [local.i + 1, local.j], ArrowLeft: [local.i, local.j - 1],
    ArrowRight: [local.i, local.j + 1], Home: [local.i, 0], End: [local.i, columns] }[name];
  if (!to) return false;
  view.set({ i: Math.max(0, Math.min(rows, to[0])), j: Math.max(0, Math.min(columns, to[1])), said: "" });
  return true;
}

function finding(view) {
  const { state, local } = view;
  const asked = asking(view);
  if (asked) return asked.when === "before" ? `${state.note}.` : "Ordine sbagliato: prima la softmax, poi la maschera.";
  return `${local.late ? state.late_finding : `${state.note}. ${state.finding}`}.`;
}

function sentence(view) {
  const { state, local } = view;
  const { i, j } = local;
  if (asking(view)) return `${local.said}${state.rows[i]} → ${state.columns[j]}: prima di vedere, prevedi.`;
  const pinned = local.pinned === null ? "" : ` La riga di ${state.rows[local.pinned]} è fissata.`;
  return `${local.said}${(local.late ? state.late_sentences : state.sentences)[i][j]}.${pinned}`;
}

function rows(view) {
  const { state, local } = view;
  const asked = asking(view);
  const [mask, after] = [asked?.when === "before", Boolean(asked)];
  const [weights, sums] = local.late ? [state.late, state.late_sums] : [state.weights, state.sums];
  const head = ["chi guarda", "chi è guardato", "punteggio", ...(local.late ? ["softmax senza maschera"] : []),
    "può guardare", "coefficiente", "Σ della riga"];
  return [head, ...state.rows.flatMap((row, i) => state.columns.map((column, j) => [row, column, state.scores[i][j],
    ...(local.late ? [state.open[i][j]] : []), mask ? "?" : state.allowed[i][j] ? "sì" : "no",
    after ? "?" : weights[i][j] ?? 0, after ? "?" : sums[i]]))];
}

export default courseWidget({
  name: "Maschere", start, keep, reset, controls, sync, draw, key, finding, sentence, rows,
  keys: [["Spazio", "permette o vieta la cella (serve il kernel)"], ["d", "mette la maschera prima o dopo la softmax"],
    ["n b", "ingrandisce un'altra matrice, quando le celle sono molte"], ["1–9", "sceglie la previsione"]],
  about: ["Righe: le query, chi guarda. Colonne: le key, chi è guardato. Da sinistra: i punteggi, la maschera M che si " +
    "somma (0 dove si può guardare, −∞ dove è vietato), i coefficienti che la softmax ne ricava. Le celle tratteggiate sono " +
    "vietate. Un numero in piccolo accanto a un token è il suo posto, contato da 1.",
  "Per disegnare una maschera tua, clic o Spazio sulle celle di M: il conto nuovo lo fa il kernel; se è spento restano " +
    "le maschere pronte. La barra in basso è la riga scelta, divisa fra i posti che vede: piena vuol dire Σ = 1."],
});

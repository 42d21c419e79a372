// W9 · Addestramento dal vivo.
import { html, svg } from "./pieces/dom.js";
import { courseWidget } from "./pieces/frame.js";
import { formatNumber } from "./pieces/numbers.js";
import { choiceOf, predictionSwitch, question } from "./pieces/question.js";
import { followRoom, roomOf } from "./pieces/room.js";
import { attention, below, lossPlane } from "./live_training_picture.js";
import { fill, picker } from "./pieces/menu.js";

const RUNNING = "in corso";
const SPOKEN = 50; // mentre va, la frase letta cambia ogni tanti passi

const open = new Map(); // quante viste ha ogni addestramento

const running = (view) => view.state.status === RUNNING;
const comma = (value) => String(value).replace(".", ",");

function start(view) {
  view.local = { at: null, head: 0, guess: null, predict: view.local.predict ?? view.options.predict };
}

function keep(view) {
  const { local, state } = view;
  if (local.at !== null && local.at >= state.moments.length - 1) local.at = null;
  local.head = Math.min(local.head, state.moments[0].maps.length - 1);
}

// Si prevede prima di cominciare, o prima di vedere l'esempio già calcolato.
function asking(view) {
  const { guess, predict } = view.local;
  return predict && guess === null && (Boolean(view.preset) || !view.state.steps);
}

// Ciò che si può vedere: tutto, o solo l'inizio finché non si è previsto.
function visible(view) {
  const { state } = view;
  return asking(view) ? { moments: state.moments.slice(0, 1), losses: [] } : state;
}

const lastAt = (view) => visible(view).moments.length - 1;
const placeOf = (view) => Math.min(view.local.at ?? Infinity, lastAt(view));
const shownMoment = (view) => view.state.moments[placeOf(view)];

function command(view, request) {
  if (asking(view) && request !== "reset") return;
  view.local.at = null;
  view.ask({ do: request });
}

// Anche il kernel torna all'inizio, se si era mosso.
function reset(view) {
  if (!view.state.fresh) view.ask({ do: "begin" });
}

function scrub(view, at) {
  const to = Math.max(0, Math.min(lastAt(view), at));
  view.set({ at: to === lastAt(view) ? null : to });
}

function controls(view) {
  followRoom(view);
  const f = view.fields = {};
  const { id, rates, heads } = view.options;
  open.set(id, (open.get(id) ?? 0) + 1);
  const button = (text, name, action) => (f[name] = html("button", { type: "button", "data-control": name, onclick: action }, text));
  f.moment = html("input", { type: "range", min: 0, step: 1, "data-control": "moment",
    oninput: () => scrub(view, Number(f.moment.value)) });
  f.at = html("output", { class: "cdl-note" });
  f.predict = predictionSwitch(view, (on) => view.set({ predict: on }));
  [f.counter, f.note] = [html("span", { class: "cdl-note" }), html("span", { class: "cdl-note" })];
  const row = (name, ...children) => html("span", { class: "cdl-steps cdl-wrap", role: "group", "aria-label": name }, children);
  return [row("Addestramento", button("Avvia", "run", () => command(view, running(view) ? "pause" : "start")),
    button("Un passo", "step", () => command(view, "step")), button("Da capo", "reset", () => command(view, "reset")), f.counter),
  row("Che cosa si guarda", html("label", {}, "Momento", f.moment, f.at),
    picker(view, "Mappa", "head", (head) => view.set({ head }))),
  row("Come si addestra", picker(view, "Tasso di apprendimento η", "rate", (k) => view.ask({ do: "rate", value: rates[k] })),
    picker(view, "Numero di teste", "heads", (k) => view.ask({ do: "heads", value: heads[k] })),
    picker(view, "Esempio", "example", (k) => { view.local.at = null; view.show(view.model.get("presets")[k - 1] || null); }),
    f.note, f.predict)];
}

function sync(view) {
  const { fields: f, local, state, options } = view;
  const m = shownMoment(view);
  const covered = asking(view);
  f.run.textContent = running(view) ? "Pausa" : "Avvia";
  f.run.disabled = f.step.disabled = covered;
  f.counter.textContent = `${covered ? "prima prevedi" : `passo ${state.steps} di ${state.total}, ${state.status}`} · seme ${state.seed}`;
  f.moment.max = Math.max(1, lastAt(view));
  f.moment.value = placeOf(view);
  f.moment.disabled = lastAt(view) === 0;
  f.moment.setAttribute("aria-valuetext", `dopo ${m.step} passi`);
  f.at.textContent = `dopo ${m.step} passi`;
  f.note.textContent = view.preset?.note ?? "";
  f.note.hidden = !view.preset;
  f.predict.querySelector("input").checked = local.predict;
  fill(f.head, m.maps.map((_, k) => headName(m, k)), local.head);
  fill(f.rate, options.rates.map(comma), options.rates.indexOf(state.rate));
  fill(f.heads, options.heads, options.heads.indexOf(state.heads));
  fill(f.example, ["dal vivo", ...view.model.get("presets").map((p) => p.name)], view.model.get("presets").indexOf(view.preset) + 1);
  if (state.trouble && !covered) {
    view.problem.textContent = state.trouble;
    view.problem.hidden = false;
  }
}

function headName(m, k) {
  if (m.maps.length === 1) return "una testa";
  return k ? `testa ${k}` : "media delle teste";
}

function draw(view) {
  const { state, local } = view;
  const m = shownMoment(view);
  const { moments, losses } = visible(view);
  const narrow = roomOf(view) < 1000;
  const under = below(state, m, losses, narrow);
  view.below.replaceChildren(...(asking(view) ? [ask(view)] : []));
  return svg("svg", { viewBox: `0 0 ${roomOf(view)} ${under.bottom}` }, lossPlane(state, moments, losses, m),
    attention(state, m, local.head, headName(m, local.head), narrow), under.node);
}

function ask(view) {
  const { words } = view.state;
  return question(`Alla fine dell'addestramento, chi guarderà di più «${words[words.length - 1]}», oltre a sé stesso?`,
    others(view), (k) => answer(view, k));
}

const others = (view) => view.state.words.slice(0, -1);

function answer(view, k) {
  view.set({ guess: k });
  view.stage.focus();
}

function key(view, name) {
  const choice = asking(view) ? choiceOf(name, others(view)) : -1;
  if (choice >= 0) return answer(view, choice), true;
  if (name === " ") return command(view, running(view) ? "pause" : "start"), true;
  if (name === "n") return command(view, "step"), true;
  if (name === "Escape") return view.set({ at: null }), true;
  const at = placeOf(view);
  const to = { ArrowLeft: at - 1, b: at - 1, ArrowRight: at + 1, Home: 0, End: lastAt(view) }[name];
  if (to !== undefined) return scrub(view, to), true;
  const by = { ArrowDown: 1, ArrowUp: -1 }[name];
  if (!by) return false;
  const most = shownMoment(view).maps.length - 1;
  view.set({ head: Math.max(0, Math.min(most, view.local.head + by)) });
  return true;
}

function finding(view) {
  return view.state.trouble && !asking(view) && view.local.at === null ? "L'addestramento è andato fuori strada."
    : shownMoment(view).finding;
}

// Mentre va, la frase non corre dietro a ogni disegno.
function sentence(view) {
  const { local, state } = view;
  if (asking(view)) return "Prima di cominciare, prevedi.";
  if (state.trouble && local.at === null) return state.trouble;
  if (!running(view) || local.at !== null) return `${verdict(view)}${shownMoment(view).sentence}`;
  return state.moments.findLast((m) => m.step % SPOKEN === 0).sentence;
}

function verdict(view) {
  const { guess } = view.local;
  const m = shownMoment(view);
  if (guess === null || m.step !== view.state.total) return "";
  return guess === m.most ? "Hai previsto bene. " : `Avevi previsto «${view.state.words[guess]}». `;
}

function rows(view) {
  const { moments, losses } = visible(view);
  const measured = Object.fromEntries(moments.map((m) => [m.step, m]));
  const line = (step) => [step, step ? losses[step - 1] : "", measured[step]?.validation ?? "", measured[step]?.right ?? ""];
  return [["passo", "loss di addestramento", "loss di validazione", "parte di generi giusti"],
    ...Array.from({ length: losses.length + 1 }, (_, step) => line(step))];
}

// L'ultima vista si chiude: il thread si ferma.
function stop(view) {
  const { model, options: { id } } = view;
  open.set(id, open.get(id) - 1);
  if (open.get(id) || model.get("state").status !== RUNNING) return;
  model.set("request", { do: "pause", serial: Date.now() + Math.random() });
  model.save_changes();
}

export default courseWidget({
  name: "Addestramento dal vivo", start, keep, controls, sync, draw, key, finding, sentence, rows, reset, stop,
  keys: [["Spazio", "avvia, mette in pausa"], ["n", "un passo"], ["← →", "un momento indietro, avanti"],
    ["↑ ↓", "la mappa di un'altra testa"], ["Esc", "torna a oggi"], ["1–9", "sceglie la previsione"]],
  about: ["Un Transformer con un blocco solo impara le frasi della concordanza. Ogni dieci passi si guarda che cosa sa fare: la " +
    "loss su frasi mai viste, quante volte si aspetta un aggettivo del genere giusto, chi guarda chi.",
  "La frase è estratta ogni volta con gli stessi numeri a caso: cambia solo il modello. Cambiare il numero di teste fa " +
    "ricominciare; il tasso di apprendimento si può cambiare anche a metà strada.",
  "Mentre un'altra cella del notebook è in esecuzione, Avvia e Pausa aspettano che finisca."],
});

// W8 · Generazione.
import { html, svg } from "./pieces/dom.js";
import { courseWidget } from "./pieces/frame.js";
import { formatNumber, readNumber } from "./pieces/numbers.js";
import { choiceOf, predictionSwitch, question } from "./pieces/question.js";
import { candidates, coveredCandidates, dart, history, lastRow, textLine } from "./generation_picture.js";
import { fill, picker } from "./pieces/menu.js";
import { followRoom, roomOf } from "./pieces/room.js";

const PACE = 900; // millisecondi fra un token e l'altro

const last = (view) => view.state.moments.length - 1;
const here = (view) => view.state.moments[view.local.at];
const place = (m) => m.text + m.written;

function start(view) {
  const predict = view.local.predict ?? view.options.predict;
  halt(view);
  view.local = { at: 0, chosen: -1, layer: view.state.layers - 1, predict, playing: false, answered: "",
    seen: { [place(view.state.moments[0])]: true } };
}

// Lo stato è nuovo: si va dove la richiesta portava, o si resta dove si era.
function keep(view) {
  const { local } = view;
  const to = local.wish === "last" ? last(view) : local.wish === "first" ? 0 : local.at;
  const at = Math.max(0, Math.min(last(view), to));
  const seen = { ...local.seen, [place(view.state.moments[0])]: true };
  const layer = Math.min(local.layer, view.state.layers - 1);
  Object.assign(local, { at, wish: null, chosen: -1, answered: "", seen, layer });
  if (local.playing) show(view);
}

// Anche il kernel torna all'inizio, se si era mosso.
function reset(view) {
  view.fields.given = null;
  if (!view.state.fresh) view.ask({ do: "begin" });
}

function asking(view) {
  const { predict, playing, seen } = view.local;
  return predict && !playing && !seen[place(here(view))];
}

// Quale esempio già calcolato si sta guardando, o −1: il kernel deve ripartire da quello.
const exampleOf = (view) => view.model.get("presets").indexOf(view.preset);

function send(view, request, wish) {
  const example = exampleOf(view);
  view.local.wish = wish;
  view.ask({ ...request, ...(example < 0 ? {} : { example }) });
}

function go(view, at) {
  if (at < 0 || (asking(view) && at > view.local.at)) return; // indietro si può sempre
  view.trouble = "";
  if (at <= last(view)) return view.set({ at, chosen: -1, answered: "" });
  if (view.root.dataset.waiting) return;
  send(view, { do: "step" }, "last");
}

// Scrivere da solo: un token ogni PACE, finché non lo si ferma o qualcosa non va.
function play(view) {
  if (view.local.playing) return halt(view), view.redraw();
  Object.assign(view.local, { playing: true, answered: "" });
  show(view);
  view.redraw();
  tick(view);
}

function tick(view) {
  clearTimeout(view.pacer);
  view.pacer = setTimeout(() => {
    if (!view.local.playing) return;
    go(view, view.local.at + 1);
    show(view);
    tick(view);
  }, PACE);
}

function show(view) {
  view.local.seen = { ...view.local.seen, [place(here(view))]: true };
}

function halt(view) {
  clearTimeout(view.pacer);
  view.local.playing = false;
}

function button(text, name, action) {
  return html("button", { type: "button", "data-control": name, onclick: action }, text);
}

function field(view, text, name, attributes, action = null) {
  const input = view.fields[name] = html("input", { type: "text", "data-control": name, ...attributes, onchange: action });
  return html("label", {}, text, input);
}

function controls(view) {
  followRoom(view);
  const f = view.fields = {};
  const change = () => settings(view);
  const enter = (event) => { if (event.key === "Enter") restart(view); };
  f.note = html("span", { class: "cdl-note" });
  f.play = button("Scrivi", "play", () => play(view));
  f.force = button("Metti questo", "force", () => force(view));
  f.counter = html("span", { class: "cdl-note" });
  f.shown = html("output", { class: "cdl-note" });
  f.predict = predictionSwitch(view, (on) => view.set({ predict: on }));
  const temperature = field(view, "τ", "temperature", { type: "range", min: 0.1, max: 3, step: 0.1,
    oninput: () => { f.shown.textContent = formatNumber(Number(f.temperature.value), 1); } }, change);
  temperature.append(f.shown);
  if (view.options.about) view.help.prepend(html("p", {}, view.options.about));
  const row = (name, ...children) => html("span", { class: "cdl-steps cdl-wrap", role: "group", "aria-label": name }, children);
  return [row("Passi", button("‹ Indietro", "back", () => go(view, view.local.at - 1)),
    button("Avanti ›", "next", () => go(view, view.local.at + 1)), f.play, f.counter, f.force,
    picker(view, "Ramo", "branch", (branch) => send(view, { do: "branch", branch }, "last"))),
  row("Come si sceglie il token", picker(view, "Come si sceglie", "way", change), temperature,
    field(view, "top-k", "top_k", { size: 4, inputmode: "numeric", placeholder: "tutti" }, change),
    field(view, "top-p", "top_p", { size: 4, inputmode: "decimal", placeholder: "tutti" }, change)),
  row("Da dove si comincia", field(view, "Testo da continuare", "text", { size: 28, spellcheck: "false", onkeydown: enter }),
    field(view, "Seme", "seed", { size: 6, inputmode: "numeric", onkeydown: enter }), button("Ricomincia", "restart", () => restart(view))),
  row("Che cosa si vede", picker(view, "Esempi già calcolati", "example", (k) => chooseExample(view, k - 1)), f.note,
    picker(view, "Strato", "layer", (layer) => view.set({ layer })), f.predict)];
}

function settings(view) {
  const f = view.fields;
  const optional = (input) => (input.value.trim() === "" ? null : orText(input.value));
  halt(view);
  send(view, { do: "settings", at: view.local.at, greedy: f.way.value === "1", temperature: Number(f.temperature.value),
    top_k: optional(f.top_k), top_p: optional(f.top_p) });
}

function orText(text) {
  const value = readNumber(text);
  return Number.isNaN(value) ? text : value;
}

function restart(view) {
  const { fields: f } = view;
  halt(view);
  send(view, { do: "restart", text: f.text.value, seed: orText(f.seed.value) }, "first");
}

function chooseExample(view, k) {
  halt(view);
  view.local.wish = "first";
  view.show(view.model.get("presets")[k] || null);
}

function choose(view, k) {
  view.trouble = "";
  view.set({ chosen: Math.min(here(view).candidates.length - 1, k) });
}

function force(view) {
  const { at, chosen } = view.local;
  if (asking(view)) return;
  const token = chosen < 0 ? null : here(view).candidates[chosen].token;
  halt(view);
  send(view, { do: "force", at, token });
}

function sync(view) {
  const { fields: f, local, state } = view;
  if (view.trouble && local.playing) halt(view);
  f.play.textContent = local.playing ? "Ferma" : "Scrivi";
  f.play.setAttribute("aria-pressed", String(local.playing));
  f.counter.textContent = `passo ${local.at + 1} di ${last(view) + 1}`;
  f.force.disabled = local.chosen < 0 || asking(view);
  f.predict.querySelector("input").checked = local.predict;
  fill(f.way, ["estrazione", "greedy"], f.way.value || 0);
  fill(f.branch, state.branches.map((b) => (b.note ? `${b.name} · ${b.note}` : b.name)), state.branch);
  fill(f.example, ["dal vivo", ...view.model.get("presets").map((p) => p.name)], exampleOf(view) + 1);
  fill(f.layer, Array.from({ length: state.layers }, (_, k) => k + 1), local.layer);
  f.note.textContent = view.preset?.note ?? "";
  f.note.hidden = !view.preset;
  write(f, state);
  for (const input of [f.temperature, f.top_k, f.top_p]) input.disabled = f.way.value === "1";
}

// Nei campi va solo ciò che nello stato è cambiato: ciò che si sta scrivendo non si tocca.
function write(f, { settings: { greedy, temperature, top_k: k, top_p: p }, prompt, seed }) {
  const now = { way: Number(greedy), temperature, top_k: k ?? "", top_p: p === null ? "" : formatNumber(p), text: prompt, seed };
  for (const name of Object.keys(now).filter((each) => now[each] !== f.given?.[each])) f[name].value = now[name];
  f.shown.textContent = formatNumber(Number(f.temperature.value), 1);
  f.given = now;
}

function draw(view) {
  const { state, local } = view;
  const m = here(view);
  const covered = asking(view);
  // una scena che parla della scelta può fare a meno dei coefficienti
  const room = roomOf(view);
  const above = view.options.coefficients === false ? { bottom: 20 } : lastRow(m, local.layer, state.layers, 62, room);
  const y = above.bottom + 34;
  const pick = (k) => { choose(view, k); view.stage.focus(); };
  const left = covered ? coveredCandidates(y) : candidates(m, local.chosen, pick, y);
  const below = covered ? null : dart(m, left.bottom + 30, room);
  const bottom = (below || left).bottom;
  // dove lo spazio è poco la storia sta sotto
  const story = history(state.moments, local.at, covered, (k) => go(view, k), ...(room < 1000 ? [0, bottom + 26] : [690, y]));
  view.below.replaceChildren(...(covered ? [ask(view)] : []));
  return svg("svg", { viewBox: `0 0 ${room} ${room < 1000 ? story.bottom + 4 : bottom}` }, textLine(m, covered, 20, room), above.node,
    left.node, story.node, below?.node);
}

function ask(view) {
  return question(`Quale token viene dopo «${here(view).tail}»?`, options(view), (k) => answer(view, k));
}

function options(view) {
  return [...here(view).choices.map((c) => c.name), "un altro"];
}

function answer(view, k) {
  const m = here(view);
  const guess = m.choices[k];
  const right = guess ? guess.token === m.drawn.token : !m.choices.some((c) => c.token === m.drawn.token);
  const given = guess && m.candidates.find((c) => c.token === guess.token);
  const start = right ? "Hai previsto bene. " : `Avevi previsto ${guess ? `«${guess.name}»` : "un altro"}`
    + `${given ? `, che ha probabilità ${formatNumber(given.before, 3)}` : ""}. `;
  show(view);
  view.set({ answered: start });
  view.stage.focus();
}

function key(view, name) {
  const { local } = view;
  const choice = asking(view) ? choiceOf(name, options(view)) : -1;
  if (choice >= 0) return answer(view, choice), true;
  if (name === " ") return play(view), true;
  if (name === "Enter") return local.chosen < 0 || force(view), true;
  if (name === "Escape") return halt(view), view.set({ chosen: -1 }), view.redraw(), true;
  const to = { ArrowRight: local.at + 1, n: local.at + 1, ArrowLeft: local.at - 1, b: local.at - 1, Home: 0, End: last(view) }[name];
  if (to !== undefined) return go(view, to), true;
  const by = { ArrowDown: 1, ArrowUp: -1 }[name];
  if (!by) return false;
  if (!asking(view)) choose(view, Math.max(0, local.chosen + by));
  return true;
}

function finding(view) {
  return asking(view) ? `Passo ${view.local.at + 1}: che cosa scriverà?` : here(view).finding;
}

function sentence(view) {
  const { local } = view;
  const m = here(view);
  if (asking(view)) return `Passo ${local.at + 1}: prima di vedere le probabilità, prevedi.`;
  const c = m.candidates[local.chosen];
  const chosen = c ? ` Candidato: «${c.name}», ${formatNumber(c.before, 3)}${c.token === m.drawn.token ? "."
    : `; Invio lo mette al posto di «${m.drawn.name}».`}` : "";
  return `${local.answered}${m.sentence}${chosen}`;
}

function rows(view) {
  const { state, local } = view;
  const known = state.moments.slice(0, local.at + (asking(view) ? 0 : 1));
  return [["passo", "scelta", "posto", "candidato", "probabilità", "dopo il taglio", "estratto"],
    ...known.flatMap((m, k) => m.candidates.map((c) => [k + 1, m.words, c.rank, c.name, c.before, c.after,
      c.token === m.drawn.token ? (m.drawn.forced ? "messo a mano" : "sì") : ""]))];
}

export default courseWidget({
  name: "Generazione", start, keep, controls, sync, draw, key, finding, sentence, rows, reset, stop: halt,
  keys: [["→ n, ← b", "passo avanti, indietro"], ["↑ ↓", "scelgono un candidato"],
    ["Invio", "mette il candidato scelto, in un ramo nuovo"], ["Spazio", "scrive da solo, si ferma"],
    ["1–9", "sceglie la previsione"]],
  about: ["A ogni passo il modello dà una probabilità a ogni token. Con greedy si prende il primo; con l'estrazione si tira " +
    "un numero u fra 0 e 1. La linea tratteggiata è il taglio di top-k o top-p: chi sta sotto non può uscire.",
  "Il segno ␣ è lo spazio, ↵ l'a capo. Stesso seme, stesse scelte: stesso testo. Un candidato messo a mano, o una scelta " +
    "diversa a metà strada, apre un ramo nuovo; quello di prima resta nell'elenco."],
});

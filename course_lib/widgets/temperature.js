// W3 · Softmax e temperatura.
import { html, svg } from "./pieces/dom.js";
import { formatNumber } from "./pieces/numbers.js";
import { courseWidget } from "./pieces/frame.js";
import { liveRequests } from "./pieces/live.js";
import { choiceOf, predictionSwitch, question } from "./pieces/question.js";
import { followRoom, roomOf } from "./pieces/room.js";
import { drawing, sliderValue, WAYS } from "./temperature_rows.js";

const [COLDEST, HOTTEST, FEWEST, MOST] = [0.1, 5, 3, 8];
const KINDS = ["temperature", "shift"];
const OUTCOMES = ["cresce", "resta com'è", "diminuisce"];
const tenths = (value) => Math.round(value * 10) / 10;
const show = (value) => formatNumber(value);
const wishOf = ({ logits, temperature, shift, names, span }) => ({ logits, temperature, shift, names, span });
const seenNow = ({ temperature, shift, largest, weights }) => ({ temperature, shift, largest, weights });

function start(view) {
  const { state, options, local } = view;
  view.local = { row: 0, way: "stable", pinned: null, predict: local.predict ?? options.predict, asked: {}, guess: null,
    answered: "", wish: wishOf(state), base: seenNow(state) };
}

// Lo stato è nuovo: si guarda se c'era una previsione, e se le scelte di prima valgono ancora.
function keep(view) {
  const { state, local } = view;
  if (!view.live?.busy) local.wish = wishOf(state);
  local.row = Math.min(local.row, state.names.length - 1);
  if (local.pinned && local.pinned.length !== state.names.length) local.pinned = null;
  if (local.guess && changed(view, local.guess.kind)) judge(view);
  if (!covered(view)) local.base = seenNow(state);
}

const changed = (view, kind, now = view.state) => now[kind] !== view.local.base[kind];

// Che cosa è cambiato senza una previsione: i coefficienti restano coperti.
function covered(view, now = view.state) {
  const { predict, asked } = view.local;
  return predict ? KINDS.find((kind) => !asked[kind] && changed(view, kind, now)) : undefined;
}

function judge(view) {
  const { state, local } = view;
  const { kind } = local.guess;
  const twin = find(view, { ...wishOf(state), [kind]: local.base[kind] }); // è cambiato solo questo, anche senza kernel
  const was = (twin?.state || local.base).largest;
  const [before, after] = [was, state.largest].map((value) => Math.round(value * 1000));
  const outcome = OUTCOMES[Math.sign(before - after) + 1];
  const right = OUTCOMES[local.guess.k] === outcome;
  local.answered = `${right ? "Hai previsto bene" : `Avevi previsto: ${OUTCOMES[local.guess.k]}`}. Il coefficiente più grande ` +
    `${outcome}: da ${formatNumber(was, 3)} a ${formatNumber(state.largest, 3)}. `;
  local.guess = null;
}

// La domanda che aspetta: su ciò che è appena cambiato, o su ciò che si potrebbe cambiare.
function pending(view) {
  const { state, local } = view;
  if (!local.predict || local.guess) return null;
  const done = covered(view);
  const kind = done || KINDS.find((name) => !local.asked[name]);
  if (!kind) return null;
  const doubled = state.temperature * 2 <= HOTTEST;
  const to = done ? state[kind] : kind === "shift" ? (state.shift === 1000 ? 0 : 1000)
    : tenths(doubled ? state.temperature * 2 : state.temperature / 2);
  const from = local.base[kind];
  const text = kind === "temperature" ? `La temperatura passa da τ = ${show(from)} a τ = ${show(to)}`
    : `A tutti i logit si aggiunge lo stesso numero, c = ${formatNumber(to - from, null, true)}`;
  return { kind, to, text: `${text}: che cosa fa il coefficiente più grande (ora ${formatNumber(local.base.largest, 3)})?` };
}

function predictThat(view, k) {
  const { local } = view;
  const { kind, to } = pending(view);
  Object.assign(local, { guess: { kind, k }, asked: { ...local.asked, [kind]: true }, answered: "", pinned: local.base.weights });
  if (changed(view, kind)) keep(view);
  else change(view, { [kind]: to });
  view.redraw();
  view.stage.focus();
}

// Ciò che il lettore vuole: uno stato già calcolato se c'è, se no una domanda al kernel.
function change(view, changes) {
  const { local, live } = view;
  const sizes = changes.logits || changes.count;
  const hidden = covered(view) || covered(view, local.wish);
  if (hidden && !(hidden in changes)) return view.redraw(); // prima si risponde: una cosa cambiata per volta
  const wish = { ...local.wish, ...changes };
  const ready = sizes ? null : find(view, wish) || (live.silent && nearest(view, wish));
  if (!local.guess) local.answered = "";
  if (ready) {
    const { trouble } = view;
    if (!live.silent) live.forget();
    local.wish = wishOf(ready.state);
    view.show(ready);
    if (live.silent) view.trouble = trouble;
  } else if (!live.silent) {
    local.wish = wishOf(wish);
    live.want(wish);
  }
  view.redraw();
}

const sameLogits = (state, wish) => state.names.join() === wish.names.join() && state.logits.join() === wish.logits.join();

function find(view, wish) {
  return view.model.get("presets").find(({ state }) => sameLogits(state, wish) && state.temperature === wish.temperature &&
    state.shift === wish.shift);
}

// Senza kernel: lo stato già calcolato più vicino a quello chiesto, con gli stessi logit.
function nearest(view, wish) {
  const far = ({ state }) => Math.abs(Math.log(state.temperature / wish.temperature)) + (state.shift === wish.shift ? 0 : 9);
  return view.model.get("presets").filter((one) => sameLogits(one.state, wish)).sort((a, b) => far(a) - far(b))[0];
}

function controls(view) {
  view.live = liveRequests(view, () => keep(view));
  followRoom(view);
  const presets = view.model.get("presets");
  const button = (text, name, action, more = {}) =>
    html("button", { type: "button", "data-control": name, onclick: action, ...more }, text);
  view.menu = html("select", { "data-control": "preset", onchange: (event) => choose(view, Number(event.target.value)) },
    presets.flatMap((one, k) => (one.name ? [html("option", { value: k }, one.name)] : [])),
    html("option", { value: -1, disabled: true }, "logit scelti da te"));
  view.heat = html("input", { type: "range", min: COLDEST, max: HOTTEST, step: 0.1, "data-control": "temperature",
    oninput: (event) => change(view, { temperature: tenths(Number(event.target.value)) }) });
  view.heatShown = html("output", {});
  view.shifts = view.options.shifts.map((c) => button(formatNumber(c, 0, true), `shift${c}`, () => change(view, { shift: c })));
  view.fewer = button("−", "fewer", () => count(view, -1), { "aria-label": "Un candidato in meno" });
  view.more = button("+", "more", () => count(view, 1), { "aria-label": "Un candidato in più" });
  view.counted = html("output", {});
  view.pin = button("Fissa", "pin", () => pin(view));
  view.switch = predictionSwitch(view, (on) => view.set({ predict: on, guess: null }));
  view.listen(view.stage, "pointerdown", (event) => grab(view, event));
  view.listen(view.stage, "pointermove", (event) => drag(view, event));
  for (const name of ["pointerup", "pointercancel"]) view.listen(view.stage, name, () => { view.held = null; });
  return [html("label", {}, "Esempio", view.menu), html("label", {}, "Temperatura τ", view.heat, view.heatShown),
    html("span", { class: "cdl-knobs", role: "group", "aria-label": "c aggiunto a tutti i logit" }, "+c a tutti", view.shifts),
    html("span", { class: "cdl-knobs", role: "group", "aria-label": "Candidati" }, "Candidati", view.fewer, view.counted, view.more),
    view.pin, view.switch];
}

function sync(view) {
  const { state, local, live } = view;
  const { wish } = local;
  const at = view.model.get("presets").findIndex((one) => one.name && sameLogits(one.state, wish));
  view.menu.value = String(at);
  view.heat.value = wish.temperature;
  view.heatShown.textContent = formatNumber(wish.temperature, 1);
  view.heat.setAttribute("aria-valuetext", formatNumber(wish.temperature, 1));
  view.shifts.forEach((button, k) => button.setAttribute("aria-pressed", String(view.options.shifts[k] === wish.shift)));
  view.counted.textContent = state.names.length;
  view.fewer.disabled = state.names.length <= FEWEST || live.silent;
  view.more.disabled = state.names.length >= MOST || live.silent;
  view.pin.textContent = local.pinned ? "Lascia" : "Fissa";
  view.pin.disabled = Boolean(covered(view));
  view.switch.querySelector("input").checked = local.predict;
  const asked = pending(view);
  const text = asked && asked.text;
  if (view.asking !== text) view.below.replaceChildren(...(asked ? [question(text, OUTCOMES, (k) => predictThat(view, k))] : []));
  view.asking = text;
}

function choose(view, k) {
  view.live.forget();
  Object.assign(view.local, { pinned: null, guess: null, row: 0 });
  const preset = view.model.get("presets")[k];
  view.local.base = seenNow(preset.state);
  view.local.wish = wishOf(preset.state);
  view.local.answered = preset.note ? `${preset.note} ` : "";
  view.show(preset);
}

function count(view, by) {
  const { names } = view.state;
  if (names.length + by >= FEWEST && names.length + by <= MOST) change(view, { count: names.length + by });
}

function pin(view) {
  if (!covered(view)) view.set({ pinned: view.local.pinned ? null : view.state.weights });
}

function setLogit(view, j, value) {
  const { wish } = view.local;
  const kept = tenths(Math.max(wish.span[0], Math.min(wish.span[1], value)));
  if (kept !== wish.logits[j]) change(view, { logits: wish.logits.map((old, k) => (k === j ? kept : old)) });
}

function grab(view, event) {
  const row = event.target.closest?.("[data-slider]")?.dataset.slider;
  if (row === undefined) return;
  view.held = Number(row);
  view.stage.setPointerCapture(event.pointerId);
  view.set({ row: view.held });
  drag(view, event);
}

function drag(view, event) {
  if (view.held === null || view.held === undefined) return;
  setLogit(view, view.held, sliderValue(view, event));
}

function draw(view) {
  if (view.live?.silent) giveUp(view);
  const { height, nodes } = drawing(view, Boolean(covered(view)), {
    pick: (row) => { view.set({ row }); view.stage.focus(); }, way: (way) => { view.set({ way }); view.stage.focus(); } });
  return svg("svg", { viewBox: `0 0 ${roomOf(view)} ${height}` }, nodes);
}

// Ciò che non è arrivato non si aspetta più: né lo stato chiesto, né l'esito di una previsione.
function giveUp(view) {
  const { local } = view;
  local.wish = wishOf(view.state);
  if (local.guess) local.asked = { ...local.asked, [local.guess.kind]: false };
  local.guess = null;
}

function key(view, name) {
  const { local, state } = view;
  const choice = pending(view) ? choiceOf(name, OUTCOMES) : -1;
  if (choice >= 0) return predictThat(view, choice), true;
  const last = state.names.length - 1;
  const row = { ArrowUp: local.row - 1, ArrowDown: local.row + 1, Home: 0, End: last }[name];
  if (row !== undefined) return view.set({ row: Math.max(0, Math.min(last, row)) }), true;
  const by = { ArrowLeft: -0.1, ArrowRight: 0.1, PageDown: -1, PageUp: 1 }[name];
  if (by) return setLogit(view, local.row, local.wish.logits[local.row] + by), true;
  const heat = { "+": 0.1, "-": -0.1 }[name];
  if (heat) return change(view, { temperature: tenths(Math.max(COLDEST, Math.min(HOTTEST, local.wish.temperature + heat))) }), true;
  const { shifts } = view.options;
  if (name === "c") return change(view, { shift: shifts[(shifts.indexOf(local.wish.shift) + 1) % shifts.length] }), true;
  if (name === "m") return view.set({ way: WAYS[(WAYS.indexOf(local.way) + 1) % WAYS.length] }), true;
  if (name === "Enter") return covered(view) || view.set({ pinned: state.weights }), true;
  if (name === "Escape") return view.set({ pinned: null }), true;
  return false;
}

function finding(view) {
  const way = view.state.ways[view.local.way];
  if (covered(view)) return "Coefficienti coperti: prima prevedi.";
  return way.ok ? view.state.finding : `Formula diretta in ${view.local.way}: ${way.verdict}`;
}

function sentence(view) {
  const { state, local, live } = view;
  const j = local.row;
  const closed = live?.silent
    ? " I cursori dei logit sono chiusi: il kernel non risponde. Temperatura e c vanno ai valori già calcolati." : "";
  const steps = `${state.names[j]}: logit ${show(state.shifted[j])}; ÷τ = ${show(state.scaled[j])}`;
  if (covered(view)) return `${steps}. Prima di vedere i coefficienti, prevedi.${closed}`;
  const way = state.ways[local.way];
  const less = local.way === "stable" ? `; meno il massimo ${show(state.reduced[j])}` : "";
  const weight = way.weights[j] === null ? "non è un numero" : formatNumber(way.weights[j], 3);
  return `${local.answered}${steps}${less}; esponenziale ${way.texts[j]}; coefficiente ${weight}.${local.pinned ? " Tratteggiati, i coefficienti fissati." : ""}${closed}`;
}

function rows(view) {
  const { state } = view;
  const hidden = Boolean(covered(view));
  const held = (value) => (hidden ? "?" : value ?? "non è un numero");
  const head = ["candidato", "logit", "logit + c", "÷ τ", "− massimo", "esponenziale", "coefficiente",
    "coefficiente, formula diretta float64", "coefficiente, formula diretta float32"];
  const body = state.names.map((name, j) => [name, state.logits[j], state.shifted[j], state.scaled[j], held(state.reduced[j]),
    held(state.ways.stable.exponentials[j]), held(state.weights[j]), held(state.ways.float64.weights[j]),
    held(state.ways.float32.weights[j])]);
  return [head, ...body, ["τ", state.temperature], ["c", state.shift], ["entropia, bit", held(state.entropy)],
    ["entropia massima, bit", state.entropy_max]];
}

function reset(view) {
  view.live.forget();
  view.preset = view.model.get("presets")[0];
}

export default courseWidget({
  name: "Softmax e temperatura", start, keep, controls, sync, draw, key, finding, sentence, rows, reset,
  keys: [["← →", "logit, di 0,1; Pag su e Pag giù, di 1"], ["+ -", "temperatura"], ["c", "il prossimo c"],
    ["m", "stabile o diretta"], ["1–3", "previsione"]],
  about: ["Ogni riga è un candidato: il suo logit si divide per la temperatura τ, se ne fa l'esponenziale, e si divide per la " +
    "somma di tutti. L'entropia dice quanto i coefficienti sono sparsi: 0 bit se uno solo vale 1, log₂ n se sono uguali.",
  "Sotto, la stessa formula calcolata in tre modi: quella diretta può traboccare."],
});

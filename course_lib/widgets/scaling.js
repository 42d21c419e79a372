// W4 · Perché √d.
import { html, svg } from "./pieces/dom.js";
import { formatNumber } from "./pieces/numbers.js";
import { courseWidget } from "./pieces/frame.js";
import { liveRequests } from "./pieces/live.js";
import { choiceOf, predictionSwitch, question } from "./pieces/question.js";
import { followRoom, roomOf } from "./pieces/room.js";
import { about, drawing, PANELS } from "./scaling_panels.js";

const CURVES = ["plain", "scaled"];
const OUTCOMES = ["si avvicina a 1", "resta circa com'è", "si avvicina a 1/8"];
const ASKS = { plain: "Quando d cresce da 2 a 512, senza dividere, che cosa fa il coefficiente più grande fra 8 key, in media?",
  scaled: "E se prima della softmax si divide q·k per √d, che cosa fa il coefficiente più grande?" };
const wishOf = ({ d, seed }) => ({ d, seed });

function start(view) {
  const { state, options, local } = view;
  view.local = { panel: 0, pinned: null, predict: local.predict ?? options.predict, seen: {}, answered: "", wish: wishOf(state) };
}

function keep(view) {
  if (!view.live?.busy) view.local.wish = wishOf(view.state);
}

const shows = (view, way) => !view.local.predict || view.local.seen[way];
const pending = (view) => CURVES.find((way) => !shows(view, way));

function predictThat(view, k) {
  const { local, state } = view;
  const way = pending(view);
  const right = state.trend[way] === k;
  view.set({ seen: { ...local.seen, [way]: true }, panel: 2,
    answered: right ? "Hai previsto bene. " : `Avevi previsto: ${OUTCOMES[k]}. ` });
  view.stage.focus();
}

// Ciò che il lettore vuole: uno stato già calcolato se c'è, se no una domanda al kernel.
function change(view, changes) {
  const { local, live } = view;
  const wish = { ...local.wish, ...changes };
  if (wish.d === local.wish.d && wish.seed === local.wish.seed) return;
  const ready = find(view, wish) || (live.silent && nearest(view, wish));
  local.answered = "";
  if (ready) {
    const [silent, trouble] = [live.silent, view.trouble];
    if (!silent) live.forget();
    local.wish = wishOf(ready.state);
    view.show(ready);
    if (silent) view.trouble = trouble;
  } else if (!live.silent) {
    local.wish = wish;
    live.want(wish);
  }
  view.redraw();
}

function find(view, wish) {
  return view.model.get("presets").find(({ state }) => state.d === wish.d && state.seed === wish.seed);
}

// Senza kernel: il d già calcolato più vicino, dalla parte in cui ci si muove.
function nearest(view, wish) {
  const now = view.state.d;
  const ahead = view.model.get("presets").filter(({ state }) => Math.sign(state.d - now) === Math.sign(wish.d - now));
  return ahead.sort((a, b) => Math.abs(Math.log(a.state.d / wish.d)) - Math.abs(Math.log(b.state.d / wish.d)))[0];
}

function resample(view) {
  if (!view.live.silent) change(view, { seed: view.local.wish.seed + 1 });
}

function controls(view) {
  view.live = liveRequests(view, () => keep(view));
  followRoom(view);
  const { dimensions } = view.state;
  view.slider = html("input", { type: "range", min: 0, max: dimensions.length - 1, step: 1, "data-control": "d",
    oninput: (event) => change(view, { d: dimensions[Number(event.target.value)] }) });
  view.shown = html("output", {});
  view.sample = html("button", { type: "button", "data-control": "resample", onclick: () => resample(view) }, "Nuovo campione");
  view.seed = html("span", { class: "cdl-note", "data-seed": "" });
  view.switch = predictionSwitch(view, (on) => view.set({ predict: on }));
  return [html("label", {}, "Componenti d", view.slider, view.shown), html("span", { class: "cdl-steps" }, view.sample, view.seed),
    view.switch];
}

function sync(view) {
  const { state, local, live } = view;
  const at = state.dimensions.findLastIndex((d) => d <= local.wish.d);
  view.slider.value = at;
  view.slider.setAttribute("aria-valuetext", `d = ${local.wish.d}`);
  view.shown.textContent = local.wish.d;
  view.sample.disabled = live.silent;
  view.seed.textContent = `seme ${state.seed}, ${formatNumber(state.pairs)} coppie`;
  view.switch.querySelector("input").checked = local.predict;
  const way = pending(view);
  if (view.asking !== way) view.below.replaceChildren(...(way ? [question(ASKS[way], OUTCOMES, (k) => predictThat(view, k))] : []));
  view.asking = way;
}

function draw(view) {
  if (view.live?.silent) view.local.wish = wishOf(view.state); // ciò che non è arrivato non si aspetta più
  const { height, nodes } = drawing(view, (way) => shows(view, way), {
    panel: (panel) => { view.set({ panel }); view.stage.focus(); },
    d: (d) => { view.set({ panel: 2 }); change(view, { d }); view.stage.focus(); } });
  return svg("svg", { viewBox: `0 0 ${roomOf(view)} ${height}` }, nodes);
}

function key(view, name) {
  const { local, state } = view;
  const choice = pending(view) ? choiceOf(name, OUTCOMES) : -1;
  if (choice >= 0) return predictThat(view, choice), true;
  const { dimensions } = state;
  const last = dimensions.length - 1;
  const at = dimensions.findLastIndex((d) => d <= local.wish.d);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[name];
  if (to !== undefined) return change(view, { d: dimensions[Math.max(0, Math.min(last, to))] }), true;
  const panel = { ArrowUp: local.panel - 1, ArrowDown: local.panel + 1 }[name];
  if (panel !== undefined) return view.set({ panel: Math.max(0, Math.min(PANELS - 1, panel)), answered: "" }), true;
  if (name === "r") return resample(view), true;
  if (name === "Enter") return view.set({ pinned: { d: state.d, plain: state.plain, scaled: state.scaled } }), true;
  if (name === "Escape") return view.set({ pinned: null }), true;
  return false;
}

function sentence(view) {
  const { state, local, live } = view;
  const hidden = local.panel === 2 && pending(view);
  const text = hidden ? "La curva del coefficiente più grande: prima di vederla, prevedi" : state.sentences[local.panel];
  const pinned = local.pinned ? ` Fissato d = ${local.pinned.d}: varianza ${about(local.pinned.plain.variance)}.` : "";
  const closed = live?.silent ? " Il kernel non risponde: d va ai valori già calcolati; un campione nuovo non si può avere." : "";
  return `${local.answered}${text}.${pinned}${closed}`;
}

function rows(view) {
  const { state } = view;
  const held = (way, value) => (shows(view, way) ? value : "?");
  const line = (name, found) => [name, found.mean, found.mean_error, found.variance, found.expected, found.variance_error];
  return [["d", state.d], ["seme", state.seed], ["coppie", state.pairs],
    ["", "media", "errore standard", "varianza", "attesa", "errore standard"],
    line("q·k", state.plain), line("q·k ÷ √d", state.scaled),
    ["d", "coefficiente più grande, senza dividere", "coefficiente più grande, dividendo per √d"],
    ...state.dimensions.map((d, k) => [d, held("plain", state.largest.plain[k]), held("scaled", state.largest.scaled[k])])];
}

function reset(view) {
  view.live.forget();
  view.preset = view.model.get("presets")[0];
}

export default courseWidget({
  name: "Perché √d", start, keep, controls, sync, draw, key, sentence, rows, reset, finding: (view) => view.state.finding,
  keys: [["← →", "d più piccolo, più grande"], ["↑ ↓", "quale disegno legge la frase"], ["r", "un campione nuovo, con un altro seme"],
    ["Invio", "fissa questo d, per confronto"], ["1–3", "sceglie la previsione"]],
  about: ["A sinistra, i prodotti q·k di coppie di vettori casuali con d componenti indipendenti, di media 0 e varianza 1; sotto, " +
    "gli stessi divisi per √d, sullo stesso asse. Accanto alla varianza misurata c'è quella attesa, con il suo errore standard.",
  "A destra, la media del coefficiente più grande quando una query guarda 8 key casuali. L'asse di d è logaritmico: ogni passo " +
    "raddoppia d. I vettori sono casuali: un modello addestrato ne ha altri."],
});

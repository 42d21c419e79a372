// W7 · Posizione.
import { html, svg } from "./pieces/dom.js";
import { choiceGroup } from "./pieces/choices.js";
import { courseWidget } from "./pieces/frame.js";
import { formatNumber } from "./pieces/numbers.js";
import { choiceOf, predictionSwitch, question } from "./pieces/question.js";
import { followRoom, roomOf } from "./pieces/room.js";
import { clockView } from "./position_clocks.js";
import { distanceView } from "./position_distance.js";
import { swapView } from "./position_swap.js";
import { regolaView } from "./position_regola.js";

const VIEWS = [clockView, distanceView, swapView, regolaView];
const NAMES = ["Onde e lancette", "Distanza", "Scambio", "«regola»"];

function start(view) {
  const { options } = view;
  view.local = { at: options.view, n: options.n, p: options.at, q: Math.min(options.at + 1, options.n - 1), c: 0, a: 1, b: 4,
    pe: false, pinned: null, seen: {}, said: "", predict: view.local.predict ?? options.predict };
  keep(view);
}

// Lo stato è un altro: restano le scelte che valgono ancora.
function keep(view) {
  const { state, local } = view;
  const words = state.swap.tokens.length - 1;
  local.c = Math.min(local.c, state.d - 1);
  Object.assign(local, { a: Math.min(local.a, words - 1), b: Math.min(local.b, words), said: "" });
  if (local.a === local.b) local.a = local.b - 1;
}

function reset(view) {
  view.preset = view.model.get("state") === view.first ? null : { state: view.first };
}

function asking(view) {
  const asked = view.local.predict ? VIEWS[view.local.at].question(view) : null;
  return asked && !view.local.seen[asked.name] ? asked : null;
}

function controls(view) {
  followRoom(view);
  view.first = view.state;
  view.help.prepend(...view.options.about.map((text) => html("p", {}, text)));
  const presets = view.model.get("presets");
  const range = (name, text, min, max, action, event = "oninput") => html("label", { "data-for": name }, text,
    html("input", { type: "range", min, max, step: 1, "data-control": name, [event]: (e) => action(Number(e.target.value)) }),
    html("output", {}));
  const field = (name, text, action) => html("label", { "data-for": name }, text,
    html("input", { type: "text", size: name === "base" ? 8 : 26, "data-control": name, onchange: (e) => action(e.target.value) }));
  view.views = choiceGroup("Vista", NAMES, (at) => view.set({ at, said: "" }), "view");
  view.switch = predictionSwitch(view, (on) => view.set({ predict: on, said: "" }));
  return [view.views.node, view.switch, html("span", { class: "cdl-pos-break" }),
    range("p", "posto", 0, 23, (p) => view.set({ p: Math.min(p, view.local.n - 1), said: "" })),
    range("n", "posti", 1, 24, (n) => view.set({ n, p: Math.min(view.local.p, n - 1), q: Math.min(view.local.q, n - 1), pinned: null })),
    range("d", "d", 2, 16, (d) => ask(view, { d }), "onchange"), field("base", "base", (base) => ask(view, { base })),
    html("label", { "data-for": "preset" }, "esempi",
      html("select", { "data-control": "preset", onchange: (e) => view.show(presets[e.target.value]) },
      html("option", { value: "-1", disabled: true }, "a scelta"), presets.map((one, k) => html("option", { value: k }, one.name)))),
    html("label", { "data-for": "pe" }, html("input", { type: "checkbox", "data-control": "pe",
      onchange: (e) => view.set({ pe: e.target.checked, said: "" }) }), "somma le posizioni (0,3·PE)"),
    field("sentence", "frase", (sentence) => ask(view, { sentence }))];
}

// Ciò che non si chiede resta com'è nello stato mostrato, che può essere un esempio.
function ask(view, wanted) {
  const { d, base, swap } = view.state;
  view.ask({ d, base, sentence: swap.sentence, ...view.wanted, ...wanted });
}

function sync(view) {
  const { state, local } = view;
  const values = { p: local.p, n: local.n, d: state.d, base: formatNumber(state.base), sentence: state.swap.sentence,
    preset: view.model.get("presets").findIndex((one) => one.name === state.name) };
  view.views.select(local.at);
  view.switch.querySelector("input").checked = local.predict;
  const typed = view.trouble || view.root.dataset.waiting; // ciò che si è scritto non si perde
  const used = VIEWS[local.at].controls;
  for (const node of view.controls.querySelectorAll("[data-for]")) {
    const [name, control] = [node.dataset.for, node.querySelector("[data-control]")];
    node.hidden = !used.includes(name);
    if (name === "pe") control.checked = local.pe;
    else if (!typed || control.type !== "text") control.value = values[name];
    if (name === "p") control.max = local.n - 1;
    node.querySelector("output")?.replaceChildren(String(values[name]));
  }
}

function draw(view) {
  const asked = asking(view);
  view.below.replaceChildren(...(asked ? [question(asked.text, asked.options, (k) => answer(view, k))] : []));
  const { node, bottom } = VIEWS[view.local.at].draw(view, Boolean(asked));
  return svg("svg", { viewBox: `0 0 ${roomOf(view)} ${Math.ceil(bottom)}` }, node);
}

function answer(view, k) {
  const asked = asking(view);
  const right = k === asked.right;
  view.set({ seen: { ...view.local.seen, [asked.name]: true },
    said: right ? "Hai previsto bene. " : `Avevi previsto: ${asked.options[k]}; viene: ${asked.options[asked.right]}. ` });
  view.stage.focus();
}

function key(view, name) {
  const asked = asking(view);
  const choice = asked ? choiceOf(name, asked.options) : -1;
  if (choice >= 0) return answer(view, choice), true;
  if (name === "Escape") return view.set({ pinned: null }), true;
  const changes = VIEWS[view.local.at].key(view, name);
  if (changes) view.set({ ...changes, said: "" });
  return Boolean(changes);
}

export default courseWidget({
  name: "Posizione", start, keep, reset, controls, sync, draw, key,
  finding: (view) => `${asking(view)?.before || VIEWS[view.local.at].finding(view)}.`,
  sentence: (view) => {
    const { where, sentence } = VIEWS[view.local.at];
    return `${view.local.said}${where(view)}${asking(view) ? ": prima di vedere, prevedi" : sentence(view)}.`;
  },
  rows: (view) => VIEWS[view.local.at].rows(view, Boolean(asking(view))),
  keys: [["↑ ↓", "cambiano posto (nello scambio: la prima parola)"], ["← →", "cambiano dimensione, secondo posto o seconda parola"],
    ["p", "nello scambio: somma o toglie le posizioni"], ["1–9", "sceglie la previsione"]],
});

// W1 · Simulatore.
import { choiceGroup } from "./pieces/choices.js";
import { html, svg } from "./pieces/dom.js";
import { courseWidget } from "./pieces/frame.js";
import { choiceOf, predictionSwitch, question } from "./pieces/question.js";
import { show, WIDTH } from "./simulator_grid.js";
import { drawRound, lit } from "./simulator_round.js";
import { drawEmbedding, drawPosition, recipe, sum } from "./simulator_vectors.js";
import { drawTokens, partner } from "./simulator_words.js";

const PHASES = ["Token", "Embedding", "Posizione", "Attenzione"];
const DRAWN = [drawTokens, drawEmbedding, drawPosition, drawRound];
const OWN = -1; // la frase di chi legge, non un esempio

function start(view) {
  const { options, written } = view;
  view.written = null;
  view.local = { phase: options.phase, side: 0, i: 0, j: 0, c: 0, lit: false, pinned: null, loops: true, gaps: false,
    predict: options.predict, seen: {}, answered: "" };
  view.pick = (to) => { view.set({ answered: "", ...clamped(view, { ...view.local, ...to }) }); view.stage.focus(); };
  load(view, options.example, options.d, options.positions);
  if (written === undefined && view.preset) keep(view, view.preset = null); // una vista nuova di una frase già scritta
}

// Lo stato di un esempio per quelle dimensioni e quelle posizioni; se il modello ha già quello, il suo.
function load(view, example, d, positions) {
  const whole = view.model.get("state");
  const state = unpacked(view.model.get("presets")[example], d, positions);
  const same = ["d", "positions", "sentences", "first_d"].every((name) => String(whole[name]) === String(state[name]));
  view.calm();
  view.trouble = "";
  view.preset = same ? null : { state };
  view.local = { ...view.local, example, answered: "", pinned: null, ...clamped(view, view.local) };
}

function unpacked({ same, states, pool }, d, positions) {
  const own = states[`${d}${positions ? "+" : "-"}`];
  const said = (k) => pool[k];
  const sides = same.sides.map((common, k) => {
    const side = { ...common, ...own.sides[k] };
    side.final ||= side.embedding.map((row) => row.slice(0, side.d));
    side.added ||= side.final.map((row) => row.map(() => 0));
    return side;
  });
  return { ...same, ...own, findings: own.findings.map(said), seen: said(own.seen), question: said(own.question), sides };
}

// Uno stato nuovo dal kernel: la frase di chi legge.
function keep(view) {
  view.local = { ...view.local, ...(view.preset ? {} : { example: OWN }), answered: "", pinned: null, ...clamped(view, view.local) };
}

function clamped({ state: { sides } }, { side, i, j, c, lit: on }) {
  const k = Math.min(side, sides.length - 1);
  const within = (value, n) => Math.max(0, Math.min(n - 1, value));
  const n = sides[k].tokens.length;
  return { side: k, i: within(i, n), j: within(j, n), c: within(c, sides[k].d), lit: on };
}

function controls(view) {
  const { options } = view;
  const presets = view.model.get("presets");
  const box = (text, name, change) => html("label", {}, html("input", { type: "checkbox", "data-control": name,
    onchange: (event) => change(event.target.checked) }), text);
  view.phases = choiceGroup("Fase", PHASES.map((name, k) => `${k + 1} · ${name}${options.phases.includes(k + 1) ? "" : ` (chiusa fino al notebook ${options.notebooks[k + 1]})`}`),
    (k) => go(view, k + 1), "phase");
  view.examples = choiceGroup("Esempi", presets.map((preset) => preset.name), (k) => move(view, k, presets[k]), "example");
  view.examples.node.classList.add("cdl-examples");
  view.slider = html("input", { type: "range", min: 2, max: 8, "data-control": "d",
    oninput: (event) => move(view, view.local.example, { d: Number(event.target.value) }) });
  view.size = html("strong");
  view.boxes = { positions: box("Posizioni", "positions", (positions) => move(view, view.local.example, { positions })),
    loops: box("Anelli", "loops", (on) => view.set({ loops: on })), gaps: box("Differenze", "gaps", (on) => view.set({ gaps: on })),
    predict: predictionSwitch(view, (on) => view.set({ predict: on })) };
  view.idea = html("p", { class: "cdl-idea" });
  const own = () => move(view, OWN, { sentence: view.texts[0].value, second: view.texts[1].value });
  view.texts = [0, 1].map((k) => html("input", { type: "text", "data-control": `text-${k}`, onkeydown: (event) => event.key === "Enter" && own() }));
  return [view.phases.node, view.examples.node, view.idea, html("label", {}, "Dimensioni d", view.slider, view.size), Object.values(view.boxes),
    html("div", { class: "cdl-own" }, html("label", {}, "La tua frase", view.texts[0]), html("label", {}, "a fianco", view.texts[1]),
      html("button", { type: "button", "data-control": "own", onclick: own }, "Mostra"))];
}

function move(view, example, changes) {
  const { d, positions, sentences: [sentence, second = ""] } = view.state;
  const wish = { sentence, second, d, positions, ...view.wanted, ...changes };
  if (example === OWN) return view.ask(wish);
  load(view, example, wish.d, wish.positions);
  view.redraw();
}

function go(view, phase) {
  const closed = !view.options.phases.includes(phase);
  if (PHASES[phase - 1]) view.set(closed ? { answered: `La fase ${phase} resta chiusa fino al notebook ${view.options.notebooks[phase]}. ` } : { phase, answered: "" });
  sync(view);
}

function sync(view) {
  const { state, local, options, boxes } = view;
  const fourth = local.phase === 4;
  view.phases.select(local.phase - 1);
  view.examples.select(local.example);
  view.idea.textContent = (view.model.get("presets")[local.example] || { note: "Le parole nuove prendono un ID dopo le altre." }).note;
  view.slider.value = state.d;
  view.size.textContent = state.d;
  const set = (name, checked, shown) => { boxes[name].firstChild.checked = checked; boxes[name].hidden = !shown; };
  set("positions", state.positions, options.phases.some((phase) => phase > 2));
  set("loops", local.loops, fourth);
  set("gaps", local.gaps, fourth && state.gap);
  set("predict", local.predict, options.phases.includes(4));
  if (String(state.sentences) !== view.written) {
    view.written = String(state.sentences);
    view.texts.forEach((input, k) => { input.value = state.sentences[k] || ""; });
  }
  view.below.replaceChildren(...(asking(view) ? [question(state.question.text, state.question.choices, (k) => answer(view, k))]
    : fourth ? [html("p", { class: "cdl-seen" }, html("strong", {}, "Che cosa si vede davvero. "), state.seen)] : []));
}

function asking({ local, state }) {
  return local.phase === 4 && local.predict && state.question && !local.seen[state.question.id];
}

function answer(view, k) {
  const { id, choices, right } = view.state.question;
  view.set({ seen: { ...view.local.seen, [id]: true }, answered: k === right ? "Hai previsto bene. " : `Avevi previsto: ${choices[k]}. ` });
  view.stage.focus();
}

function draw(view) {
  const { nodes, height } = DRAWN[view.local.phase - 1](view, asking(view));
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${Math.ceil(height)}` }, nodes);
}

function key(view, name) {
  const { local, state } = view;
  const choice = asking(view) ? choiceOf(name, state.question.choices) : -1;
  const step = { n: 1, b: -1 }[name];
  if (choice >= 0) answer(view, choice);
  else if (/^[1-4]$/.test(name)) go(view, Number(name));
  else if (step) go(view, local.phase + step);
  else if (name === "s") view.set(clamped(view, { ...local, side: 1 - local.side, i: partner(state, local.side, 1 - local.side, local.i) }));
  else if (name === "Enter") local.phase < 4 || asking(view) || view.set({ pinned: [local.side, local.i], lit: true });
  else if (name === "Escape") view.set({ pinned: null, lit: false, answered: "" });
  else return arrow(view, name);
  return true;
}

function arrow(view, name) {
  const { local } = view;
  const across = ["i", "c", "c", "j"][local.phase - 1];
  const up = local.phase > 1 ? "i" : "side";
  const [field, by] = { ArrowUp: [up, -1], ArrowDown: [up, 1], ArrowLeft: [across, -1], ArrowRight: [across, 1], Home: [across, -99], End: [across, 99] }[name] || [];
  if (!field) return false;
  const first = local.phase === 4 && !lit(view) ? 0 : by;
  view.pick({ [field]: Math.max(0, local[field] + first), lit: local.phase === 4 });
  return true;
}

const finding = (view) => (asking(view) ? "Prima di guardare i coefficienti, prevedi" : view.state.findings[view.local.phase - 1]);
const sentence = (view) => view.local.answered + [sayToken, sayEmbedding, sayPosition, sayLink][view.local.phase - 1](view);
const other = ({ state, local: { side } }, say) => (state.sides.length > 1 && say(1 - side) ? ` Nell'altra frase: ${say(1 - side)}` : "");

function sayToken(view) {
  const { state, local } = view;
  const say = (k) => {
    const [{ tokens, ids, fresh }, i] = [state.sides[k], partner(state, local.side, k, local.i)];
    return i < 0 ? "" : `«${tokens[i]}», posto ${i}, ID ${ids[i]}${fresh[i] ? ", parola nuova in coda al vocabolario" : ""}.`;
  };
  return say(local.side) + other(view, say);
}

function sayEmbedding(view) {
  const say = (k) => { const lines = recipe(view, k); return lines.length && `${lines[0][0]}: ${lines[4][0]}.`; };
  return say(view.local.side) + other(view, say);
}

const sayPosition = (view) => sum(view, view.local.side) + other(view, (k) => sum(view, k));

function sayLink(view) {
  const { state, local } = view;
  const { side, pinned } = local;
  if (asking(view)) return "I coefficienti sono coperti: scegli la tua previsione.";
  if (!lit(view)) return "Una linea per ogni coefficiente: più è spessa, più si guarda. Con le frecce scegli chi guarda e chi è guardato.";
  const cell = (k) => [local.i, local.j].map((place) => partner(state, side, k, place));
  const say = (k) => {
    const { tokens, weights, scores } = state.sides[k];
    const [i, j] = cell(k);
    return i < 0 ? "" : `${tokens[i]} → ${tokens[j]}: punteggio ${show(scores[i][j])}; coefficiente ${show(weights[i][j])}.`;
  };
  const [i, j] = cell(0);
  return say(side) + other(view, say) + (state.gap ? ` Seconda − prima: ${show(state.gap[i][j], true)}.` : "")
    + (local.loops ? "" : " Gli anelli sono nascosti, ma nella Σ ci sono.") + (pinned ? ` Fissato: ${state.sides[pinned[0]].tokens[pinned[1]]}.` : "");
}

function rows(view) {
  const { state, local } = view;
  const fourth = local.phase === 4;
  const head = ["frase", "posto", "token", "ID", ...(fourth ? ["posto guardato", "chi è guardato", "punteggio", "coefficiente"]
    : ["dimensione", "embedding", "0,3 × PE", "finale"])];
  return [head, ...state.sides.flatMap((side, k) => side.tokens.flatMap((token, i) => (fourth ? side.tokens : side.final[i]).map((name, j) => [
    k + 1, i, token, side.ids[i], j, ...(fourth ? [name, ...(asking(view) ? ["?", "?"] : [side.scores[i][j], side.weights[i][j]])]
      : [side.embedding[i][j], side.added[i][j], side.final[i][j]])])))];
}

export default courseWidget({
  name: "Simulatore", start, keep, controls, sync, draw, key, finding, sentence, rows,
  keys: [["1–4", "la fase; con una domanda aperta, la previsione"], ["n b", "fase seguente, precedente"], ["s", "l'altra frase"]],
  about: ["Blu positivo, rosso negativo; ≠ dove le due frasi differiscono. " +
    "Nulla è addestrato: i numeri vengono da formule fisse."],
});

// W10 · Percorso nel blocco.
import { html, svg } from "./pieces/dom.js";
import { courseWidget } from "./pieces/frame.js";
import { choiceOf, predictionSwitch, question } from "./pieces/question.js";
import { phaseMap, tokenRow } from "./block_path_map.js";
import { atPlace, blocksText, named, rail, show, stationsOf, stop, wayOf } from "./block_path_rail.js";
import { depthCurves } from "./block_path_curves.js";
import { followRoom } from "./pieces/room.js";

const LEAST = 800; // pixel: con meno, le curve vanno sotto il percorso e le fasi su due righe

function start(view) {
  const { options, state } = view;
  view.first ??= view.model.get("state");
  view.opened = options;
  view.local = { token: Math.min(options.token ?? Infinity, state.tokens.length - 1), at: 1, reached: 9, residuals: options.residuals ?? true,
    norm: options.norm || "pre", depth: options.depth || 1, predict: view.local.predict ?? options.predict ?? true,
    seen: {}, answered: "", pinned: null };
}

// Una frase nuova non cambia le scelte fatte; opzioni nuove sì.
function keep(view) {
  if (view.options !== view.opened) {
    view.local = {};
    return start(view);
  }
  view.set({ token: view.state.tokens.length - 1, pinned: null, answered: "" });
}

// Che cosa si chiede adesso: «norm», «depth», o nulla.
function asking(view) {
  const { predict, seen, residuals } = view.local;
  if (!predict) return null;
  return !seen.norm ? "norm" : !seen.depth && !residuals ? "depth" : null;
}

// Una tappa coperta: dopo la domanda sulla LayerNorm resta in vista soltanto l'entrata del primo blocco.
const covered = (view, k) => asking(view) !== null && (k > 0 || view.local.depth > 1);
const last = (view) => stationsOf(view).length - 1;
const reached = (view) => Math.min(view.local.reached, last(view));
const chosen = (view) => Math.min(view.local.at, reached(view));

// Una curva è in vista quando non risponde a una domanda ancora aperta.
function curveShown(view, residuals) {
  const { predict, seen, norm } = view.local;
  return !predict || ((residuals || seen.depth) && (norm === "pre" || seen.norm));
}

function controls(view) {
  followRoom(view, LEAST);
  const field = (tag, name, more, ...children) => html(tag, { "data-control": name, ...more }, children);
  const button = (text, name, onclick) => field("button", name, { type: "button", onclick }, text);
  view.counter = html("span", { class: "cdl-note" });
  view.residuals = field("input", "residuals", { type: "checkbox", onchange: (event) => set(view, { residuals: event.target.checked }) });
  view.norm = field("select", "norm", { onchange: (event) => set(view, { norm: event.target.value }) },
    html("option", { value: "pre" }, "prima (pre-norm)"), html("option", { value: "post" }, "dopo (post-norm)"));
  view.depth = field("input", "depth", { type: "range", min: 1, max: view.state.depth, style: "width: 112px",
    oninput: (event) => set(view, { depth: Number(event.target.value) }) });
  view.blocks = html("span", { style: "min-width: 4.6em" });
  view.sentences = field("select", "sentence", { "aria-label": "Frase", style: "max-width: 270px",
    onchange: (event) => view.show({ state: ready(view)[event.target.value] }) });
  const send = () => view.ask({ sentence: own.value });
  const own = field("input", "own", { type: "text", "aria-label": "Una frase tua", placeholder: "oppure una frase tua",
    style: "width: 230px", onkeydown: (event) => event.key === "Enter" && send() });
  view.switch = predictionSwitch(view, (on) => set(view, { predict: on }));
  return [html("span", { class: "cdl-steps" },
    button("‹ Indietro", "back", () => step(view, -1)), button("Avanti ›", "next", () => step(view, 1)), view.counter),
  html("label", {}, view.residuals, "Residui"), html("label", {}, "LayerNorm", view.norm),
  html("label", {}, "Profondità", view.depth, view.blocks), view.sentences,
  html("span", { class: "cdl-steps" }, own, button("Segui", "send", send)), view.switch];
}

// Le frasi già calcolate: quella con cui si è aperto, le altre pronte, e quella che si vede se è del lettore.
function ready(view) {
  const known = [view.first, ...view.model.get("presets").map((preset) => preset.state)];
  return known.some((state) => state.sentence === view.state.sentence) ? known : [...known, view.state];
}

function set(view, changes) {
  view.set({ ...changes, answered: "" });
}

function sync(view) {
  const { residuals, norm, depth, predict } = view.local;
  view.counter.textContent = `tappa ${reached(view)} di ${last(view)}`;
  view.residuals.checked = residuals;
  view.norm.value = norm;
  view.depth.value = depth;
  view.blocks.textContent = blocksText(depth);
  view.switch.querySelector("input").checked = predict;
  if (view.listed === view.state) return;
  view.listed = view.state;
  view.sentences.replaceChildren(...ready(view).map((state, k) =>
    html("option", { value: k, selected: state.sentence === view.state.sentence }, state.sentence)));
}

function draw(view) {
  view.below.replaceChildren(...(asking(view) ? [ask(view)] : []));
  const pick = (changes) => { set(view, changes); view.stage.focus(); };
  const [wide, up, bottom] = view.narrow ? [792, -68, 836] : [1000, 0, 566];
  const bare = view.options.phases === false; // senza la mappa delle sette fasi, come la vuole una scena
  const top = bare ? 84 : up;
  return svg("svg", { viewBox: `0 ${top} ${wide} ${bottom - top}` },
    bare ? null : phaseMap(view, chosen(view)), tokenRow(view, (token) => pick({ token })),
    rail(view, { at: chosen(view), reached: reached(view), covered: (k) => covered(view, k), pick: (at) => pick({ at }) }),
    depthCurves(view, (residuals) => curveShown(view, residuals)));
}

function ask(view) {
  const { state, local } = view;
  const kind = asking(view);
  const name = state.tokens[local.token];
  const text = kind === "norm" ? `Dopo una LayerNorm, quanto valgono media e deviazione standard delle ${state.d} componenti di «${name}»?`
    : `Senza residui, dopo ${state.asked} blocchi il vettore di «${name}» somiglia ancora a quello di partenza?`;
  return question(text, state.choices[kind], (k) => answer(view, k));
}

function answer(view, k) {
  const { state, local } = view;
  const kind = asking(view);
  const right = kind === "norm" ? state.right.norm : state.right.depth[local.norm][local.token];
  const verdict = k === right ? "Hai previsto bene." : `Avevi previsto «${state.choices[kind][k]}».`;
  const at = kind === "norm" ? stationsOf(view).findIndex((station) => station.name === "LayerNorm") : state.out;
  view.set({ seen: { ...local.seen, [kind]: true }, answered: `${verdict} `, at,
    depth: kind === "norm" ? local.depth : state.asked });
  view.stage.focus();
}

function step(view, by) {
  if (asking(view)) return;
  const count = last(view) + 1;
  const to = (reached(view) + by + count) % count;
  set(view, { reached: to, at: to });
}

function key(view, name) {
  const { state, local } = view;
  const kind = asking(view);
  const choice = kind ? choiceOf(name, state.choices[kind]) : -1;
  if (choice >= 0) return answer(view, choice), true;
  if (name === "n" || name === "b") return step(view, name === "n" ? 1 : -1), true;
  if (name === "Enter") return set(view, { pinned: local.token }), true;
  if (name === "Escape") return set(view, { pinned: null }), true;
  const end = state.tokens.length - 1;
  const token = { ArrowLeft: local.token - 1, ArrowRight: local.token + 1, Home: 0, End: end }[name];
  const at = { ArrowUp: chosen(view) - 1, ArrowDown: chosen(view) + 1 }[name];
  const depth = { "+": local.depth + 1, "-": local.depth - 1, "−": local.depth - 1 }[name];
  const within = (value, low, high) => Math.max(low, Math.min(high, value));
  if (token !== undefined) set(view, { token: within(token, 0, end) });
  else if (at !== undefined) set(view, { at: within(at, 0, reached(view)) });
  else if (depth !== undefined) set(view, { depth: within(depth, 1, state.depth) });
  else return false;
  return true;
}

function finding(view) {
  const { state, local } = view;
  const name = state.tokens[local.token];
  if (asking(view)) return `«${name}» attraversa ${blocksText(local.depth)}: che cosa ne verrà?`;
  const cosine = (residuals) => {
    const way = wayOf(state, local.norm, residuals);
    const end = atPlace(state, way, way.index[local.depth - 1][state.out], local.token);
    return `${residuals ? "con i residui" : "senza residui"} ${show(end.cosine)}`;
  };
  const both = [local.residuals, !local.residuals].filter((residuals) => curveShown(view, residuals)).map(cosine).join("; ");
  return `Dopo ${blocksText(local.depth)}, coseno fra «${name}» e il suo vettore di partenza: ${both}`;
}

function sentence(view) {
  const { state, local } = view;
  const k = chosen(view);
  const where = `«${state.tokens[local.token]}», blocco ${local.depth}, ${named(stationsOf(view)[k], local.residuals)}`;
  if (covered(view, k)) return `${where}: prima di vederne i numeri, prevedi.`;
  const now = stop(view, k);
  const pinned = local.pinned === null ? "" : ` Fissata la curva di «${state.tokens[local.pinned]}».`;
  return `${local.answered}${where}: norma ${show(now.norm)}; media ${show(now.mean)}; ` +
    `deviazione standard ${show(now.deviation)}; coseno con la partenza ${show(now.cosine)}.${pinned}`;
}

// Le tappe di tutti i blocchi, nel modo scelto; ciò che è coperto resta coperto.
function rows(view) {
  const { state, local } = view;
  const way = wayOf(state, local.norm, local.residuals);
  const head = ["token", "blocco", "tappa", ...state.components.map((c) => `componente ${c}`), "norma", "media",
    "deviazione standard", "coseno con la partenza"];
  const body = way.index.flatMap((places, block) => places.map((place, k) => {
    const { numbers } = atPlace(state, way, place, local.token);
    return [state.tokens[local.token], block + 1, named(stationsOf(view)[k], local.residuals),
      ...(asking(view) && place ? numbers.map(() => "?") : numbers)];
  }));
  return [head, ...body];
}

export default courseWidget({
  name: "Percorso nel blocco", start, keep, controls, sync, draw, key, finding, sentence, rows,
  reset: (view) => { view.preset = { state: view.first }; },
  keys: [["n b", "tappa dopo, tappa prima"], ["+ −", "un blocco in più, uno in meno"], ["← →, ↑ ↓", "token, tappa"],
    ["1–9", "sceglie la previsione"]],
  about: ["Si vede l'ultimo dei blocchi attraversati. Due vettori a caso di 8 componenti hanno coseno fra −0,35 e " +
    "0,35 circa due volte su tre.",
  "Pre-norm è l'ordine di questo corso: x + f(LayerNorm(x)), e una LayerNorm finale. Post-norm è quello di Vaswani e colleghi, 2017: " +
    "LayerNorm(x + f(x)). La fase 5 è disegnata una volta, ma in un blocco ce ne sono due."],
});

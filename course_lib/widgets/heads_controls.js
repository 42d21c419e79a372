// I comandi delle teste: la frase, che cosa spegnere o vietare, quanti legami disegnare.
import { html } from "./pieces/dom.js";
import { formatNumber } from "./pieces/numbers.js";
import { predictionSwitch } from "./pieces/question.js";

const option = (text, value = text) => html("option", { value }, text);

export function headControls(view, act) {
  const button = (text, name, action) => html("button", { type: "button", "data-control": name, onclick: action }, text);
  const line = (...items) => html("div", { class: "cdl-row" }, items);
  const c = view.parts = {};
  view.help.prepend(...view.options.help.map((text) => html("p", {}, text)));
  c.hold = button("", "hold", () => act.hold(view));
  c.value = html("span", { class: "cdl-note" });
  c.threshold = html("input", { type: "range", min: 0, max: 0.5, step: 0.01, "data-control": "threshold",
    oninput: (event) => view.set({ threshold: Number(event.target.value) }) });
  const drawn = [c.hold, html("label", {}, "Soglia", c.threshold, c.value)];
  if (!view.state.trained) return [line(drawn)];
  c.off = button("", "off", () => act.toggle(view));
  c.places = html("select", { "data-control": "forbid", onchange: ({ target: { value } }) =>
    act.remove(view, [], value ? value.split(",").map(Number) : []) });
  c.predict = predictionSwitch(view, (predict) => view.set({ predict }));
  const presets = view.model.get("presets");
  c.mine = option("");
  c.sentence = html("select", { "data-control": "sentence", onchange: ({ target: { selectedIndex: k } }) => presets[k] && view.show(presets[k]) },
    presets.map(({ name }) => option(name)), c.mine);
  const own = html("input", { type: "text", "data-control": "own", placeholder: "la lampada sopra i bauli era",
    onkeydown: (event) => event.key === "Enter" && send() });
  const send = () => view.ask({ sentence: own.value });
  return [line(html("label", {}, "Frase", c.sentence), html("label", {}, "o la tua", own), button("Prova", "try", send), c.predict),
    line(c.off, html("label", {}, "Vieta di guardare", c.places), drawn)];
}

export function syncControls(view) {
  const { state, local, parts: c } = view;
  c.threshold.value = local.threshold;
  write(c.value, formatNumber(local.threshold, 2));
  const { head, name } = state.entries[local.e];
  const press = (where, on, words) => {
    write(where, words[Number(on)].replace("*", name));
    where.setAttribute("aria-pressed", String(on));
  };
  press(c.hold, local.held.includes(local.e), ["Tieni * fra i legami", "Lascia *"]);
  if (!state.trained) return;
  press(c.off, local.off.includes(head), ["Spegni *", "Riaccendi *"]);
  c.off.disabled = head === null;
  c.predict.querySelector("input").checked = local.predict;
  const shown = state.rows.join(" ");
  const names = view.model.get("presets").map(({ name }) => name);
  if (c.mine.textContent !== shown) {
    c.mine.hidden = names.includes(shown);
    c.mine.textContent = shown;
    c.sentence.selectedIndex = [...names, shown].indexOf(shown);
    c.places.replaceChildren(option("nessuna parola", ""), ...state.forbidden.map(([places, text]) => option(text, places)));
  }
  c.places.value = String(local.places);
}

// Riscrivere lo stesso testo costerebbe una nuova impaginazione a ogni tasto.
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

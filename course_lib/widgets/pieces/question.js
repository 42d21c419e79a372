// «Prima prevedi»: la domanda con le sue alternative; la risposta si dà prima di vedere il risultato.
import { html } from "./dom.js";

// options: i testi   choose(k): chiamata con la scelta. Con la figura scelta, bastano i tasti 1–9.
export function question(text, options, choose) {
  const buttons = options.map((option, k) => html("button", { type: "button", "data-choice": k,
    onclick: () => choose(k) }, k < 9 ? `${k + 1} · ${option}` : option));
  return html("div", { class: "cdl-question", role: "group", "aria-label": "Prima prevedi" },
    html("p", {}, `Prima prevedi. ${text}`), html("div", { class: "cdl-choices" }, buttons));
}

// Il numero della scelta fatta con un tasto da 1 a 9, o −1.
export function choiceOf(key, options) {
  const k = /^[1-9]$/.test(key) ? Number(key) - 1 : -1;
  return k < options.length ? k : -1;
}

// La casella che accende e spegne le previsioni (per una dimostrazione si spengono).
export function predictionSwitch(view, change) {
  const box = html("input", { type: "checkbox", "data-control": "predict",
    onchange: (event) => change(event.target.checked) });
  box.checked = view.local.predict;
  return html("label", {}, box, "Prima prevedi");
}

// Un menu a tendina con la sua etichetta, tenuto in view.fields con il nome del comando.
import { html } from "./dom.js";

// action(k): la scelta della voce k
export function picker(view, text, name, action) {
  const select = view.fields[name] = html("select", { "data-control": name, onchange: () => action(Number(select.value)) });
  return html("label", {}, text, select);
}

// Mette le voci, se sono cambiate, e sceglie la `value`; con una voce sola non c'è scelta, e il menu non si vede.
export function fill(select, options, value) {
  const wanted = options.join("|");
  if (select.dataset.options !== wanted) {
    select.dataset.options = wanted;
    select.replaceChildren(...options.map((text, k) => html("option", { value: k }, text)));
  }
  select.value = value;
  select.parentNode.hidden = options.length < 2;
}

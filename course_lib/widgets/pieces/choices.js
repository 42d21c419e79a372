// Alternative come bottoni: una sola sosta di Tab, le frecce passano dall'una all'altra e la scelgono.
import { html } from "./dom.js";

// name: che cosa si sceglie   options: i testi   choose(k): la scelta   select(k) accende l'alternativa k (−1: nessuna)
export function choiceGroup(name, options, choose, control = "choice") {
  const take = (k) => { choose(k); buttons[k].focus(); };
  const buttons = options.map((text, k) => html("button", { type: "button", role: "radio", "data-control": `${control}-${k}`,
    onclick: () => take(k) }, text));
  const node = html("div", { class: "cdl-steps cdl-choice-group", role: "radiogroup", "aria-label": name,
    onkeydown: (event) => {
      const at = buttons.indexOf(event.target);
      const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0,
        End: buttons.length - 1 }[event.key];
      if (at < 0 || to === undefined) return;
      event.preventDefault();
      take((to + buttons.length) % buttons.length);
    } }, buttons);
  const select = (k) => buttons.forEach((button, n) => {
    button.setAttribute("aria-checked", String(n === k));
    button.tabIndex = n === Math.max(0, k) ? 0 : -1;
  });
  select(-1);
  return { node, select };
}

import { html } from "./dom.js";

// Una fila di bottoni con una sola sosta di Tab: fra loro ci si muove con le frecce.
export function rovingBar(buttons, name, ...more) {
  buttons.forEach((button, i) => { button.tabIndex = i ? -1 : 0; });
  return html("div", { class: "cdl-bar", role: "toolbar", "aria-label": name, onkeydown: (event) => {
    const at = buttons.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = buttons[(to + buttons.length) % buttons.length];
    buttons.forEach((button) => { button.tabIndex = button === next ? 0 : -1; });
    next.focus();
  } }, buttons, more);
}

// L'elenco delle scene, per saltare a una: con il mouse, o con le frecce e Invio.
import { html } from "./pieces/dom.js";

// at: la scena che si vede   jump(k): va alla scena k
export function fillIndex(list, scenes, at, jump) {
  list.replaceChildren(...scenes.map((scene, k) => html("li", {}, html("button", { type: "button",
    "aria-current": k === at ? "true" : null, onclick: () => jump(k) }, `${k + 1} · ${scene.title}`,
  html("span", { class: "cdr-soft" }, ` · notebook ${scene.notebook}`)))));
  list.querySelectorAll("button")[at].focus();
}

// Si sposta nell'elenco. Restituisce se il tasto era suo.
export function walkIndex(list, key) {
  const buttons = [...list.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement);
  const end = buttons.length - 1;
  const to = { ArrowDown: Math.min(at + 1, end), ArrowUp: Math.max(at - 1, 0), Home: 0, End: end }[key];
  if (list.hidden || to === undefined) return false;
  buttons[to].focus();
  return true;
}

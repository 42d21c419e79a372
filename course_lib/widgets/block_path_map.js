// Sopra il percorso: le sette fasi, con accese quelle del blocco, e i token fra cui scegliere.
import { fittedLabel, label, svg } from "./pieces/dom.js";
import { stationsOf } from "./block_path_rail.js";

const BOX = 112;
const IN_BLOCK = [4, 6]; // le fasi che il blocco ripete

export function phaseMap(view, at) {
  const { state, local } = view;
  const pace = (1000 - BOX - 4) / (state.phases.length - 1);
  const entered = local.depth === 1 && at === 0;
  const now = entered ? 3 : stationsOf(view)[at].phase;
  const boxes = state.phases.map((lines, k) => {
    const x = 2 + pace * k;
    const inside = k >= IN_BLOCK[0] && k <= IN_BLOCK[1];
    return svg("g", { "data-phase": k, "data-lit": k === now ? "" : null },
      svg("rect", { x, y: 2, width: BOX, height: 50, rx: 8, class: k === now ? "cdl-lit" : inside ? "cdl-band" : "cdl-paper",
        style: `stroke: var(${k === now ? "--ink" : "--line"})`, "stroke-width": k === now ? 2.2 : 1 }),
      lines.map((line, n) => label(x + BOX / 2, 27 + 17 * (n - (lines.length - 1) / 2), line, { "text-anchor": "middle",
        "font-size": 14.5, class: k === now ? "cdl-strong" : inside ? "" : "cdl-soft" })),
      k ? svg("path", { d: `M ${x - pace + BOX + 2} 27 H ${x - 7} v -3 l 5 3 l -5 3 v -3`, class: "cdl-stroke",
        style: "fill: var(--ink)" }) : null);
  });
  const [left, right] = [2 + pace * IN_BLOCK[0], 2 + pace * IN_BLOCK[1] + BOX];
  return svg("g", {}, boxes,
    svg("path", { d: `M ${left} 57 v 7 H ${right} v -7`, fill: "none", class: "cdl-stroke" }),
    label((left + right) / 2, 77, `il blocco si ripete: qui il numero ${local.depth} di ${state.depth}`, { "text-anchor": "middle" }));
}

export function tokenRow(view, choose) {
  const { state, local } = view;
  const wide = Math.min(96, 732 / state.tokens.length);
  const [y, size] = [90, state.tokens.length > 8 ? 13 : 15];
  return svg("g", {}, label(2, y + 15, "token", { class: "cdl-soft" }),
    state.tokens.map((name, t) => {
      const x = 50 + wide * t;
      const on = t === local.token;
      return svg("g", { class: "cdl-cell", "data-token": t, onclick: () => choose(t) },
        svg("rect", { x, y, width: wide - 6, height: 30, rx: 6, class: on ? "" : "cdl-touch",
          style: `stroke: var(${on ? "--accent" : "--line"});${on ? " fill: var(--accent)" : ""}` }),
        fittedLabel(x + wide / 2 - 3, y + 15, name, wide - 8, { "text-anchor": "middle", "font-size": size,
          style: on ? "fill: var(--paper)" : null, class: on ? "cdl-strong" : "" }, size));
    }));
}

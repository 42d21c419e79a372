// Sopra il percorso: le sette fasi, con accese quelle del blocco, e i token fra cui scegliere.
import { fittedLabel, label, svg } from "./pieces/dom.js";
import { stationsOf } from "./block_path_rail.js";

const PHASES_WIDE = { box: 112, row: 8, from: 2, room: 1000 };
const PHASES_NARROW = { box: 150, row: 4, from: 8, room: 790 }; // due righe: la seconda comincia con il blocco
const DOWN = 68; // quanto la prima riga sta sopra la seconda
const IN_BLOCK = [4, 6]; // le fasi che il blocco ripete

export function phaseMap(view, at) {
  const { state, local } = view;
  const { box, row, from, room } = view.narrow ? PHASES_NARROW : PHASES_WIDE;
  const pace = (room - from - 2 - box) / (row - 1);
  const left = (k) => from + pace * (k % row);
  const entered = local.depth === 1 && at === 0;
  const now = entered ? 3 : stationsOf(view)[at].phase;
  const boxes = state.phases.map((lines, k) => {
    const x = left(k);
    const up = row < 8 && k < row ? -DOWN : 0;
    const inside = k >= IN_BLOCK[0] && k <= IN_BLOCK[1];
    return svg("g", { "data-phase": k, "data-lit": k === now ? "" : null },
      svg("rect", { x, y: up + 2, width: box, height: 50, rx: 8, class: k === now ? "cdl-lit" : inside ? "cdl-band" : "cdl-paper",
        style: `stroke: var(${k === now ? "--ink" : "--line"})`, "stroke-width": k === now ? 2.2 : 1 }),
      lines.map((line, n) => label(x + box / 2, up + 27 + 17 * (n - (lines.length - 1) / 2), line, { "text-anchor": "middle",
        "font-size": 14.5, class: k === now ? "cdl-strong" : inside ? "" : "cdl-soft" })),
      k ? svg("path", { d: k % row ? `M ${x - pace + box + 2} ${up + 27} H ${x - 7} v -3 l 5 3 l -5 3 v -3`
        : `M ${left(k - 1) + box / 2} ${up - 14} v 6 H ${x + box / 2}`, class: "cdl-stroke", fill: "none",
      style: k % row ? "fill: var(--ink)" : null }) : null,
      k && k % row === 0 ? svg("path", { d: `M ${x + box / 2} ${up - 8} v 4 h -3 l 3 5 l 3 -5 h -3`, class: "cdl-stroke", style: "fill: var(--ink)" }) : null);
  });
  const [start, end] = [left(IN_BLOCK[0]), left(IN_BLOCK[1]) + box];
  return svg("g", {}, boxes,
    svg("path", { d: `M ${start} 57 v 7 H ${end} v -7`, fill: "none", class: "cdl-stroke" }),
    label((start + end) / 2, 77, `il blocco si ripete: qui il numero ${local.depth} di ${state.depth}`, { "text-anchor": "middle" }));
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

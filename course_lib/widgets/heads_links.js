// I legami delle teste scelte: a sinistra chi guarda, a destra chi è guardato.
import { fittedLabel, label, svg } from "./pieces/dom.js";
import { formatNumber } from "./pieces/numbers.js";
import { link } from "./pieces/links.js";
import { bold, box, headColor, headDash, headSample, NAMES } from "./heads_grid.js";

const [NUMBER, ROOM] = [58, 150]; // colonna di numeri; spazio minimo per le linee
const APART = 5; // fra i legami di due teste

// at: [i, j] dove si sta   box: dove si disegna   pin(i), pick(i, j), hover(i, j): che cosa fa il mouse
export function linkPanel({ state, local }, maps, at, { right, y, top, tall }, { pin, pick, hover }) {
  const shown = state.entries.map((entry, k) => [entry, maps[k]]).filter((_, k) => k === local.e || local.held.includes(k));
  const numbers = right - 2 * NAMES - NUMBER * shown.length < ROOM ? [] : shown;
  const to = right - NAMES - NUMBER * numbers.length;
  const middle = (k) => top + tall * (k + 0.5);
  const focus = [...local.pinned, at[0]];
  const [back, front] = [[], []];
  let weak = 0;
  shown.forEach(([entry, map], k) => map.forEach((row, i) => row.forEach((weight, j) => {
    const faded = !focus.includes(i);
    if (weight === null || (faded && shown.length > 1)) return;
    const dy = APART * (k - (shown.length - 1) / 2);
    if (weight < local.threshold) weak += 1;
    else (faded ? back : front).push(link([NAMES + 8, middle(i) + dy], [to - 8, middle(j) + dy], weight,
      { color: headColor(entry), dash: headDash(entry, weight), name: `${entry.name}:${i},${j}`, faded }));
  })));
  const token = (name, k, x, lit, more) => svg("g", { class: "cdl-cell", ...more },
    box(x, middle(k) - tall / 2 + 1, NAMES, tall - 2, lit ? "cdl-band" : "cdl-touch"),
    fittedLabel(x ? x + 6 : NAMES - 6, middle(k), name, NAMES - 14, { "text-anchor": x ? "start" : "end", class: lit ? "cdl-strong" : "" }));
  return svg("g", {}, bold(0, y, `Legami${weak ? `: ${weak} sotto la soglia, non disegnati` : back.length + front.length ? "" : ": nessuno da disegnare"}`),
    label(0, top - 42, "chi guarda (query)", { class: "cdl-axis" }), label(to, top - 42, "chi è guardato (key)", { class: "cdl-axis" }),
    state.rows.map((name, i) => token(name, i, 0, focus.includes(i), { "data-query": i, "data-pinned": String(local.pinned.includes(i)),
      onclick: () => pin(i), onpointerenter: () => hover(i, null) })),
    local.pinned.map((i) => svg("circle", { cx: 9, cy: middle(i), r: 5, style: "fill: var(--accent)" })),
    state.columns.map((name, j) => token(name, j, to, j === at[1], { "data-key": j, onclick: () => pick(at[0], j),
      onpointerenter: () => hover(null, j) })),
    back, front,
    numbers.map(([entry, map], k) => {
      const x = to + NAMES + NUMBER * (k + 0.5);
      return [bold(x, top - 20, entry.name, { "text-anchor": "middle" }), headSample(entry, x - 11, top - 7),
        map[at[0]].map((weight, j) => label(x, middle(j), formatNumber(weight, 3), { "text-anchor": "middle",
          "data-weight": `${entry.name}:${j}` }))];
    }));
}

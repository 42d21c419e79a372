// Che cosa risponde il modello: la probabilità di ogni desinenza, prima e dopo che si è tolto qualcosa.
import { label, svg } from "./pieces/dom.js";
import { formatNumber } from "./pieces/numbers.js";
import { bold, box, soft } from "./heads_grid.js";

const [ROW, MEANING, BAR, LONG] = [30, 38, 206, 156];

// whole, now: le varianti dello stato; now è whole se non si è tolto nulla   covered: la risposta nuova non si vede ancora   place: [x, y, larghezza]
export function answerPanel(state, whole, now, covered, [x, y, width]) {
  const changed = now !== whole;
  const node = svg("g", {}, bold(x, y + 12, `Dopo «${state.rows[state.rows.length - 1]}», l'aggettivo finisce in…`),
    soft(x, y + 36, now.name));
  state.answers.forEach((answer, k) => {
    const top = y + 52 + ROW * k;
    const part = (p, down, height, fill) => svg("rect", { x: x + BAR, y: top + down, width: Math.max(0.8, LONG * p), height, style: `fill: var(${fill})` });
    node.append(svg("g", { "data-ending": k },
      k === state.expected ? box(x - 6, top, width + 6, ROW, "cdl-band") : "",
      bold(x, top + ROW / 2, answer),
      soft(x + MEANING, top + ROW / 2, state.meanings[k]),
      changed ? part(whole.p[k], 5, 7, "--soft") : "",
      covered ? "" : part(now.p[k], changed ? 14 : 7, changed ? 11 : 16, "--positive"),
      label(x + width - 6, top + ROW / 2, `${changed ? `${formatNumber(whole.p[k], 3)} → ` : ""}${covered ? "?" : formatNumber(now.p[k], 3)}`,
        { "text-anchor": "end", "data-value": k })));
  });
  const bottom = y + 68 + ROW * state.answers.length;
  node.append(...(covered ? [] : now.score).map((text, k) => soft(x, bottom + 21 * k, text)));
  return { node, bottom: bottom - 5 + 21 * whole.score.length };
}

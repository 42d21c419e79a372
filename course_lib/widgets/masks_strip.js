// Una riga di coefficienti come una barra sola: piena se Σ = 1, con un vuoto tratteggiato se la maschera è arrivata dopo.
import { freshId, label, svg, wordLines } from "./pieces/dom.js";
import { formatNumber } from "./pieces/numbers.js";
import { shade } from "./pieces/colors.js";
import { hatching } from "./pieces/matrix.js";

const [LEFT, SUM_ROOM, HEIGHT, MOST] = [170, 110, 34, 8];

// Un nome lungo si accorcia dentro le virgolette, che restano aperte e chiuse.
const shortened = (name) => ([...name].length > MOST ? `${[...name].slice(0, MOST - 1).join("")}…` : name);

export function strip(state, i, { late, i: here }, y, width) {
  const [weights, sums, notes] = late ? [state.late, state.late_sums, state.late_row_notes]
    : [state.weights, state.sums, state.row_notes];
  const room = width - LEFT - SUM_ROOM;
  const hatch = freshId("vuoto");
  const group = svg("g", { "data-strip": i }, hatching(hatch),
    label(0, y + HEIGHT / 2, `La riga di «${shortened(state.rows[i])}»`, { class: i === here ? "cdl-strong" : "" }));
  let x = LEFT;
  state.columns.forEach((name, j) => {
    const part = weights[i][j];
    if (!part) return;
    const { fill, ink } = shade(part, 1);
    const wide = part * room;
    const text = [`${name}  ${formatNumber(part, 3)}`, name, ""].find((one) => [...one].length * 8.4 + 6 <= wide);
    group.append(svg("rect", { x, y, width: wide, height: HEIGHT, fill, stroke: "#8A8A8A", "data-part": j }),
      text ? label(x + wide / 2, y + HEIGHT / 2, text, { "text-anchor": "middle", fill: ink }) : "");
    x += wide;
  });
  const [gap, left] = [LEFT + room - x, width < 800 ? 0 : LEFT];
  const wrong = late && state.wrong[i];
  const blocked = state.blocked.includes(i);
  if (wrong || blocked) {
    const text = wrong ? `manca ${formatNumber(state.missing[i], 3)}` : "nessuno da guardare: tutti 0";
    group.append(svg("rect", { x, y, width: gap, height: HEIGHT, fill: `url(#${hatch})`, class: wrong ? "cdl-alarm-edge" : "",
      stroke: wrong ? null : "#8A8A8A", "data-missing": i }));
    if (gap > 110) {
      const plate = wrong ? 104 : 208;
      group.append(svg("rect", { x: x + gap / 2 - plate / 2, y: y + 6, width: plate, height: HEIGHT - 12, rx: 4, fill: "#FFFFFF" }),
        label(x + gap / 2, y + HEIGHT / 2, text, { "text-anchor": "middle", fill: wrong ? "#9A1525" : "#1A1A1A" }));
    }
  }
  group.append(label(width - SUM_ROOM + 12, y + HEIGHT / 2, `Σ = ${formatNumber(sums[i], 3)}`, { "data-strip-sum": i,
    class: wrong ? "cdl-alarm" : "cdl-strong" }));
  const lines = wordLines(notes[i], Math.floor((width - left) / 6.8));
  lines.forEach((line, n) => group.append(label(left, y + HEIGHT + 18 + 20 * n, line, { class: "cdl-soft" })));
  return { node: group, bottom: y + HEIGHT + 14 + 20 * lines.length };
}

// Legami fra token: una linea fra due punti, da 0,5 a 8 unità di spessore secondo il coefficiente.
import { label, MIDDLE, svg } from "./dom.js";
import { formatNumber } from "./numbers.js";

export const linkWidth = (weight) => 0.5 + 7.5 * Math.max(0, Math.min(1, weight));

// from, to: [x, y]   weight: 0–1   bend: quanto la linea s'incurva   name: «i,j», per ritrovarla
export function link(from, to, weight, { color, dash = "", bend = 0, name = "", faded = false, number = false } = {}) {
  const [mx, my] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const [cx, cy] = [mx - (bend * (to[1] - from[1])) / length, my + (bend * (to[0] - from[0])) / length];
  return svg("g", { "data-link": name, opacity: faded ? 0.18 : 1 },
    svg("path", { d: `M ${from} Q ${cx} ${cy} ${to}`, fill: "none", stroke: color, "stroke-width": linkWidth(weight),
      "stroke-dasharray": dash || null, "stroke-linecap": "round" }),
    number ? tag((mx + cx) / 2, (my + cy) / 2, weight) : null);
}

// Il legame di un token con sé stesso: un anello dalla parte (dx, dy), di raggio r.
export function loop(at, weight, { color, dash = "", dx = 0, dy = -1, r = 14, name = "", number = false } = {}) {
  const [cx, cy] = [at[0] + dx * r, at[1] + dy * r];
  return svg("g", { "data-link": name },
    svg("circle", { cx, cy, r, fill: "none", stroke: color, "stroke-width": linkWidth(weight), "stroke-dasharray": dash || null }),
    number ? tag(cx + dx * (r + 16), cy + dy * (r + 12), weight) : null);
}

function tag(x, y, weight) {
  const text = formatNumber(weight, 2);
  return svg("g", {}, svg("rect", { x: x - 20, y: y - 11, width: 40, height: 22, rx: 4, class: "cdl-paper" }),
    label(x, y, text, { ...MIDDLE, class: "cdl-small" }));
}

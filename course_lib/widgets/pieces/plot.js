// Un piano con gli assi: linee, istogrammi, punti; i numeri sugli assi hanno la virgola.
import { label, svg } from "./dom.js";
import { digitsNeeded, formatNumber } from "./numbers.js";

// box: [x, y, larghezza, altezza] della zona dei dati   domain, range: [minimo, massimo]
// xName, yName: i nomi degli assi   xTicks, yTicks: i valori scritti (se mancano, circa cinque)   log: scala dei log in x
export function plane({ box, domain, range, xName = "", yName = "", xTicks, yTicks, log = false }) {
  const [x, y, width, height] = box;
  const along = log ? Math.log : (value) => value;
  const sx = (value) => x + (width * (along(value) - along(domain[0]))) / ((along(domain[1]) - along(domain[0])) || 1);
  const sy = (value) => y + height - (height * (value - range[0])) / ((range[1] - range[0]) || 1);
  const [across, up] = [xTicks || niceTicks(...domain), yTicks || niceTicks(...range)];
  const [dx, dy] = [digitsNeeded(across), digitsNeeded(up)];
  const node = svg("g", {},
    up.map((t) => [svg("line", { x1: x, x2: x + width, y1: sy(t), y2: sy(t), class: "cdl-rule" }),
      label(x - 8, sy(t), formatNumber(t, dy), { "text-anchor": "end", class: "cdl-soft", "data-name": "" })]),
    across.map((t) => [svg("line", { x1: sx(t), x2: sx(t), y1: y + height, y2: y + height + 5, class: "cdl-stroke" }),
      label(sx(t), y + height + 18, formatNumber(t, dx), { "text-anchor": "middle", class: "cdl-soft", "data-name": "" })]),
    svg("line", { x1: x, x2: x + width, y1: y + height, y2: y + height, class: "cdl-stroke" }),
    label(x + width / 2, y + height + 40, xName, { "text-anchor": "middle", class: "cdl-axis" }),
    label(x - 8, y - 16, yName, { class: "cdl-axis", "text-anchor": "start" }));
  return { node, sx, sy };
}

// points: [[x, y], …] nelle unità dei dati; null interrompe la linea
export function curve(axes, points, { color, dash = "", width = 2.2, name = "" } = {}) {
  let pen = "M";
  const d = points.map((point) => {
    if (point === null || point[1] === null) { pen = "M"; return ""; }
    const step = `${pen} ${axes.sx(point[0]).toFixed(2)} ${axes.sy(point[1]).toFixed(2)}`;
    pen = "L";
    return step;
  }).join(" ");
  return svg("path", { d, fill: "none", style: `stroke: ${color}`, "stroke-width": width, "stroke-dasharray": dash || null,
    "data-curve": name });
}

// counts: quanti in ogni intervallo   edges: gli estremi, uno in più
export function histogram(axes, counts, edges, { color, outline = false } = {}) {
  return svg("g", {}, counts.map((count, k) => {
    const [left, right] = [axes.sx(edges[k]), axes.sx(edges[k + 1])];
    const top = axes.sy(count);
    const gap = right - left > 4 ? 1 : -0.2; // fra barre sottili nessuno stacco, se no sembrano sbiadite
    return svg("rect", { x: left, y: top, width: Math.max(0.5, right - left - gap), height: axes.sy(0) - top,
      style: outline ? `fill: none; stroke: ${color}; stroke-width: 2` : `fill: ${color}`, "data-bin": k });
  }));
}

export function niceTicks(low, high, about = 5) {
  const span = (high - low) || 1;
  const rough = span / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough - 1e-12);
  const ticks = [];
  for (let t = Math.ceil(low / step - 1e-9); t * step <= high + step * 1e-9; t += 1) ticks.push(t * step);
  return ticks;
}

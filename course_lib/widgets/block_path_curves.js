// A fianco: norma e coseno con la partenza, blocco dopo blocco, con e senza residui.
import { fittedLabel, label, svg } from "./pieces/dom.js";
import { curve, plane } from "./pieces/plot.js";
import { atPlace, wayOf } from "./block_path_rail.js";

const PLOT_TALL = 112;
const BESIDE = { legend: [804, 98], held: [804, 142], norm: [838, 178], cosine: [838, 362], wide: 152 };
const BELOW = { legend: [12, 592], held: [416, 592], norm: [46, 650], cosine: [450, 650], wide: 320 }; // sotto il percorso
const placesOf = (view) => (view.narrow ? BELOW : BESIDE);
const PATHS = [{ residuals: true, color: "var(--accent)", dash: "", name: "con i residui" },
  { residuals: false, color: "var(--alarm)", dash: "6 4", name: "senza residui" }];

// Un valore alla partenza e uno all'uscita di ogni blocco.
function along(state, norm, residuals, token, what) {
  const way = wayOf(state, norm, residuals);
  const places = [way.index[0][0], ...way.index.map((block) => block[state.out])];
  return places.map((place, block) => [block, atPlace(state, way, place, token)[what]]);
}

// È fissata la curva di un altro token.
const other = (local) => local.pinned !== null && local.pinned !== local.token;

export function depthCurves(view, shown) {
  const { state, local } = view;
  const lines = PATHS.filter((line) => shown(line.residuals));
  const norms = lines.flatMap((line) => [local.token, local.pinned ?? local.token].flatMap((token) =>
    along(state, local.norm, line.residuals, token, "norm").map((point) => point[1])));
  const top = Math.max(2, 2 * Math.ceil(Math.max(0, ...norms) / 2));
  const at = placesOf(view);
  const plot = (what, title, range, yTicks, xName) => {
    const [x, y] = at[what];
    const axes = plane({ box: [x, y + 22, at.wide, PLOT_TALL], domain: [0, state.depth], range, yTicks,
      xTicks: [0, 3, 6, 9, 12], xName });
    return [label(x - 34, y, title, { class: "cdl-strong" }),
      svg("g", { "data-plot": what }, axes.node, lines.map((line) => one(view, axes, line, what, y + 22)))];
  };
  return svg("g", {}, legend(view, shown), plot("norm", "norma", [0, top], [0, top / 2, top], view.narrow ? "blocchi attraversati" : ""),
    plot("cosine", "coseno con la partenza", [-1, 1], [-1, 0, 1], "blocchi attraversati"));
}

function one(view, axes, line, what, y) {
  const { state, local } = view;
  const points = along(state, local.norm, line.residuals, local.token, what);
  const here = points[local.depth];
  const now = line.residuals === local.residuals;
  const pinned = !other(local) ? null : along(state, local.norm, line.residuals, local.pinned, what);
  return [pinned ? curve(axes, pinned, { color: line.color, dash: "1 3", width: 1.6, name: "fissato" }) : null,
    now ? svg("path", { d: `M ${axes.sx(here[0])} ${y} v ${PLOT_TALL}`, class: "cdl-rule" }) : null,
    curve(axes, points, { color: line.color, dash: line.dash, width: now ? 3 : 2, name: line.name }),
    now ? svg("circle", { cx: axes.sx(here[0]), cy: axes.sy(here[1]), r: 5.5, style: `fill: ${line.color}; stroke: var(--paper)`,
      "stroke-width": 1.5, "data-here": what }) : null];
}

function legend(view, shown) {
  const { state, local } = view;
  const { legend: [x, y], held: [far, low] } = placesOf(view);
  const row = (line, k) => [svg("line", { x1: x, x2: x + 30, y1: y + 22 * k, y2: y + 22 * k, "stroke-width": 3,
    style: `stroke: ${line.color}`, "stroke-dasharray": line.dash || null }),
    label(x + 38, y + 22 * k, shown(line.residuals) ? line.name : `${line.name}: ?`)];
  const held = !other(local) ? null : fittedLabel(far, low, `a puntini: «${state.tokens[local.pinned]}»`, 186,
    { class: "cdl-soft" });
  return svg("g", {}, PATHS.map(row), held);
}

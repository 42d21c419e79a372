// A fianco: norma e coseno con la partenza, blocco dopo blocco, con e senza residui.
import { fittedLabel, label, svg } from "./pieces/dom.js";
import { curve, plane } from "./pieces/plot.js";
import { atPlace, wayOf } from "./block_path_rail.js";

const [PLOT_X, PLOT_WIDE, PLOT_TALL] = [838, 152, 112];
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
  const plot = (y, what, range, yTicks, xName) => {
    const axes = plane({ box: [PLOT_X, y, PLOT_WIDE, PLOT_TALL], domain: [0, state.depth], range, yTicks,
      xTicks: [0, 3, 6, 9, 12], xName });
    return svg("g", { "data-plot": what }, axes.node, lines.map((line) => one(view, axes, line, what, y)));
  };
  return svg("g", {}, legend(view, shown),
    label(PLOT_X - 34, 178, "norma", { class: "cdl-strong" }), plot(200, "norm", [0, top], [0, top / 2, top], ""),
    label(PLOT_X - 34, 362, "coseno con la partenza", { class: "cdl-strong" }),
    plot(384, "cosine", [-1, 1], [-1, 0, 1], "blocchi attraversati"));
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
  const row = (line, k) => [svg("line", { x1: PLOT_X - 34, x2: PLOT_X - 4, y1: 98 + 22 * k, y2: 98 + 22 * k, "stroke-width": 3,
    style: `stroke: ${line.color}`, "stroke-dasharray": line.dash || null }),
    label(PLOT_X + 4, 98 + 22 * k, shown(line.residuals) ? line.name : `${line.name}: ?`)];
  const held = !other(local) ? null : fittedLabel(PLOT_X - 34, 142, `a puntini: «${state.tokens[local.pinned]}»`, 186,
    { class: "cdl-soft" });
  return svg("g", {}, PATHS.map(row), held);
}

// Fase 4 del Simulatore: il tavolo dei token uniti da linee, e la matrice dei coefficienti.
import { label, MIDDLE, svg } from "./pieces/dom.js";
import { link, linkWidth, loop } from "./pieces/links.js";
import { cut, grid, letters, MOST_NUMBERS, show, soft, strong, titleOf, WIDTH } from "./simulator_grid.js";
import { partner } from "./simulator_words.js";

const [BESIDE, SIGMA, HALF] = [8, 50, WIDTH / 2 - 12]; // token fino ai quali ci si sta a fianco; spazio per Σ; mezza figura

export function drawRound(view, covered) {
  const { sides } = view.state;
  const most = Math.max(...sides.map((side) => side.tokens.length));
  const small = most <= BESIDE;
  const columns = small && sides.length > 1; // una frase per colonna; altrimenti tavolo a sinistra e matrice a destra, o sotto
  const radius = small ? 112 + 8 * Math.max(0, most - 6) : 250;
  let [y, bottom] = [0, 0];
  const nodes = sides.map((side, k) => {
    const [room, x] = [small ? HALF : WIDTH, columns ? k * (HALF + 24) : 0];
    const middle = y + radius + (sides.length > 1 ? 76 : 58);
    const below = middle + radius + 54;
    const names = Math.max(98, 24 + 7.8 * Math.min(14, letters(side.tokens)));
    const aside = small && !columns;
    const found = coefficients(view, k, covered, { x: aside ? HALF + 24 : x, y: aside ? 0 : below, names,
      wide: Math.min(52, (room - names - (k && view.local.gaps ? 4 : SIGMA)) / side.tokens.length) });
    bottom = Math.max(bottom, below, found.bottom);
    const node = [strong(x, y + 10, titleOf(view, k)), table(view, k, [x + room / 2, middle], radius, covered), found.node];
    if (!columns) y = bottom + 30;
    return node;
  });
  return { nodes: [nodes, legend(view, bottom + 34)], height: bottom + 98 };
}

function coefficients(view, k, covered, more) {
  const { state, local } = view;
  const { tokens, weights } = state.sides[k];
  const gaps = k && local.gaps && state.gap && !covered;
  const back = (i) => state.match.indexOf(i);
  const values = gaps ? weights.map((row, a) => row.map((_, b) => state.gap[back(a)][back(b)])) : weights;
  const i = lit(view) ? partner(state, local.side, k, local.i) : -1;
  const full = gaps ? Math.max(1e-9, ...values.flat().map(Math.abs)) : tokens.length > MOST_NUMBERS ? state.largest : 1;
  const found = grid({ values, heads: tokens, rows: tokens, lean: state.sides.some((side) => letters(side.tokens) > 4), largest: full, signed: gaps,
    axes: ["chi guarda", "chi è guardato"], title: gaps ? "Seconda − prima" : `Coefficienti${covered || full === 1 ? "" : ` (colore pieno: ${show(full)})`}`, marks: state.changed[k], band: i,
    chosen: i < 0 ? null : [i, partner(state, local.side, k, local.j)], covered, sums: gaps ? null : state.sides[k].sums,
    pick: (a, b) => view.pick({ side: k, i: a, j: b, lit: true }), ...more });
  found.node.setAttribute("data-coefficients", k);
  return found;
}

// Una riga è accesa quando la si sceglie con le frecce o con un clic.
export const lit = ({ local }) => local.lit || local.pinned !== null;

const half = (token) => 11 + 4.3 * Math.min(13, [...token].length);

function table(view, k, [cx, cy], radius, covered) {
  const { state, local } = view;
  const { tokens, weights } = state.sides[k];
  const n = tokens.length;
  const way = (i) => [Math.cos((2 * Math.PI * i) / n - Math.PI / 2), Math.sin((2 * Math.PI * i) / n - Math.PI / 2)];
  const seats = tokens.map((_, i) => way(i).map((part, a) => [cx, cy][a] + (n > 1 ? radius * part : 0)));
  const [home, row] = local.pinned || [local.side, local.i];
  const on = lit(view) ? partner(state, home, k, row) : null;
  const drawn = (i) => on === null || on === i;
  const lines = covered ? [] : weights.flatMap((one, i) => one.map((weight, j) => ({ i, j, weight })));
  lines.sort((a, b) => drawn(a.i) - drawn(b.i));
  return svg("g", { "data-table": k }, svg("circle", { cx, cy, r: radius * 0.7, class: "cdl-round" }),
    lines.map(({ i, j, weight }) => {
      const look = { color: "var(--accent)", name: `${i},${j}`, number: on === i && n <= MOST_NUMBERS, faded: !drawn(i) };
      if (i !== j) return link(seats[i], seats[j], weight, { ...look, bend: n > 2 ? 9 : 26 });
      if (!local.loops) return null;
      const [dx, dy] = way(i);
      const edge = Math.min(half(tokens[i]) / (Math.abs(dx) || 1e-9), 15 / (Math.abs(dy) || 1e-9)) - 3;
      const ring = loop([seats[i][0] + dx * edge, seats[i][1] + dy * edge], weight, { ...look, dx, dy, r: 12 });
      if (look.faded) ring.setAttribute("opacity", 0.18);
      return ring;
    }),
    seats.map(([x, y], i) => svg("g", { class: "cdl-cell", "data-seat": i, onclick: () => view.pick({ side: k, i, j: i, lit: true }) },
      svg("rect", { x: x - half(tokens[i]), y: y - 15, width: 2 * half(tokens[i]), height: 30, rx: 15,
        class: `cdl-seat ${state.changed[k].includes(i) ? "cdl-differ" : ""} ${on === i ? "cdl-seat-on" : ""}` }),
      label(x, y, cut(tokens[i], 13), MIDDLE))));
}

function legend({ state }, y) {
  const [one, two] = state.rule.split(/(?<=\.) /);
  return [soft(0, y, "Spessore secondo il coefficiente:"), [0.1, 0.5, 1].map((weight, k) => [svg("line", { x1: 230 + 110 * k, x2: 270 + 110 * k,
    y1: y, y2: y, stroke: "var(--accent)", "stroke-width": linkWidth(weight) }), soft(280 + 110 * k, y, ["0,1", "0,5", "1"][k])]),
  soft(0, y + 25, "Ogni linea va da chi guarda a chi è guardato, l'anello da un token a sé stesso."), soft(0, y + 50, `${one} ${two}`)];
}

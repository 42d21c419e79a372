// Fasi 2 e 3 del Simulatore: gli embedding, le onde, e la somma come tre matrici con «+» e «=».
import { OKABE_ITO } from "./pieces/colors.js";
import { label, MIDDLE, svg } from "./pieces/dom.js";
import { count, cut, END, grid, inner, letters, show, soft, strong, titleOf, WIDTH } from "./simulator_grid.js";
import { partner } from "./simulator_words.js";

const READINGS = 4; // letture di un'onda fra un posto e il successivo
const [LEFT, TOP, TALL] = [84, 34, 140]; // dove cominciano le onde, e quanto sono alte

function cells(view, k, values, more) {
  const { state, local } = view;
  const i = partner(state, local.side, k, local.i);
  const { d } = state.sides[k];
  return grid({ values, heads: count(d), largest: state.scale, signed: true, band: i, chosen: i >= 0 && local.c < d ? [i, local.c] : null,
    marks: state.changed[k], pick: (row, c) => view.pick({ side: k, i: row, c }), ...more });
}

const used = (side) => side.embedding.map((row) => row.slice(0, side.d));

export function drawEmbedding(view) {
  const { sides } = view.state;
  let y = 0;
  const names = sides.map((side) => side.tokens.map((token, i) => `${cut(token, 12)} (${side.ids[i]})`));
  const nodes = sides.map((side, k) => {
    const table = cells(view, k, used(side), { x: 0, y, rows: names[k], names: 30 + 8.4 * letters(names.flat()), wide: 60,
      axes: ["token (ID)", "dimensione"], title: titleOf(view, k) || "Embedding" });
    const lines = recipe(view, k).map(([text, name], n) => label(table.right + 40, table.top + 14 + 26 * n, text, { class: name }));
    y = Math.max(table.bottom + 34, table.top + 164); // tutta la ricetta, anche con una riga sola
    return [table.node, svg("g", { "data-recipe": k }, lines)];
  });
  return { nodes, height: y - 24 };
}

// Come nasce il numero della cella scelta.
export function recipe({ state, local: { side: from, i: place, c } }, k) {
  const { tokens, ids, d, sines, cosines, embedding } = state.sides[k];
  const i = partner(state, from, k, place);
  if (i < 0 || c >= d) return [];
  return [[`${tokens[i]}, ID ${ids[i]}, dimensione ${c}`, "cdl-strong"],
    ["0,5·sin(ID·(i+1)·0,5) + 0,3·cos(ID·(i+1)·0,3)", "cdl-soft"],
    [`0,5·sin(${ids[i]}·${c + 1}·0,5) = ${show(sines[i][c])}`], [`0,3·cos(${ids[i]}·${c + 1}·0,3) = ${show(cosines[i][c])}`],
    [`${show(sines[i][c])} + ${inner(cosines[i][c])} = ${show(embedding[i][c], true)}`, "cdl-strong"]];
}

export function drawPosition(view) {
  const { state } = view;
  let y = TOP + TALL + 48 + 22 * state.sides.length;
  const nodes = state.sides.map((side, k) => {
    const names = 24 + 8.4 * Math.min(17, letters(side.tokens));
    const wide = Math.min(66, (WIDTH - names - 86) / (3 * side.d));
    const title = titleOf(view, k);
    const head = strong(0, y + 6, title);
    if (title) y += 24;
    let x = 0;
    const tables = [["embedding", used(side)], [state.positions ? "0,3 × PE" : "posizioni spente", side.added],
      ["finale", side.final]].map(([name, values], n) => {
      const table = cells(view, k, values, { x, y, wide, title: name, names: n ? 0 : names, axes: [n ? "" : "token", "dimensione"],
        rows: n ? [] : side.tokens, ...(n ? { marks: [] } : {}) });
      table.node.setAttribute("data-matrix", `${k},${n}`);
      x = table.right + 42;
      return table;
    });
    const middle = (tables[0].top + tables[0].bottom) / 2;
    y = tables[0].bottom + 34;
    return [head, tables.map((table) => table.node), ["+", "="].map((sign, n) => label(tables[n].right + 21, middle, sign, { ...MIDDLE, class: "cdl-sign" }))];
  });
  return { nodes: [waves(view), nodes], height: y - 24 };
}

// La somma della cella scelta, per esteso.
export function sum({ state, options, local: { side: from, i: place, c } }, k) {
  const { tokens, d, embedding, final } = state.sides[k];
  const i = partner(state, from, k, place);
  if (i < 0 || c >= d) return "";
  const part = state.positions ? `0,3 × ${inner(options.waves[d][c][READINGS * i])}` : "0";
  return `${tokens[i]}, posto ${i}, dimensione ${c}: ${show(embedding[i][c])} + ${part} = ${show(final[i][c], true)}.`;
}

// Le onde, e la linea tratteggiata di ogni parola, dove legge il suo codice.
function waves({ state, options, local }) {
  const { sides } = state;
  const last = sides.length - 1;
  const most = Math.max(2, ...sides.map((side) => side.tokens.length)) - 1;
  const step = (WIDTH - LEFT - 50) / most;
  const [sx, sy] = [(p) => LEFT + step * p, (v) => TOP + (TALL * (1 - v)) / 2];
  const at = Math.max(0, partner(state, local.side, last, local.i));
  const table = options.waves[sides[last].d];
  const faint = { opacity: state.positions ? 1 : 0.35 };
  return svg("g", { "data-waves": "" }, [1, 0, -1].map((v) => [svg("line", { x1: LEFT, x2: WIDTH - 50, y1: sy(v), y2: sy(v), class: "cdl-rule" }),
    soft(LEFT - 12, sy(v), v < 0 ? "−1" : String(v), END)]), soft(LEFT - 12, 10, "onde", END), soft(LEFT - 20, sy(-1) + 22, "posto", END),
  count(most + 1).map((p) => [svg("line", { x1: sx(p), x2: sx(p), y1: sy(1) - 4, y2: sy(-1) + 10, class: Number(p) === at ? "cdl-drop cdl-drop-on" : "cdl-drop" }),
    soft(sx(p), sy(-1) + 22, p, MIDDLE)]),
  sides.map(({ tokens }, k) => tokens.map((token, p) => {
    const on = partner(state, local.side, k, local.i) === p;
    return on || step > 9 * letters(tokens) ? label(sx(p), sy(-1) + 44 + 22 * k, cut(token, 12), { ...MIDDLE, class: on ? "cdl-strong" : "" }) : null;
  })),
  table.map((values, c) => {
    const look = { style: `stroke: ${OKABE_ITO[Math.floor(c / 2)]}`, "stroke-dasharray": c % 2 ? "7 4" : null, fill: "none", "stroke-width": c === local.c ? 4 : 2, ...faint };
    return [svg("path", { d: smooth(values.slice(0, READINGS * most + 1).map((v, n) => [sx(n / READINGS), sy(v)])), "data-wave": c, ...look }),
      svg("line", { x1: LEFT + 108 * c, x2: LEFT + 28 + 108 * c, y1: 10, y2: 10, ...look }), soft(LEFT + 36 + 108 * c, 10, `dim. ${c}`),
      svg("circle", { cx: sx(at), cy: sy(values[READINGS * at]), r: c === local.c ? 6 : 4, fill: OKABE_ITO[Math.floor(c / 2)], ...faint })];
  }));
}

// Una curva liscia che passa per tutti i punti.
function smooth(points) {
  const near = (n) => points[Math.max(0, Math.min(points.length - 1, n))];
  const handle = (n, by) => [0, 1].map((a) => (near(n)[a] + (by * (near(n + 1)[a] - near(n - 1)[a])) / 6).toFixed(1));
  return points.map((point, n) => (n ? `C ${handle(n - 1, 1)} ${handle(n, -1)} ` : "M ") + point.map((v) => v.toFixed(1))).join(" ");
}

// «regola» a qualunque posto: embedding, 0,3 × PE e somma, con accanto ciò che il documento stampa.
import { svg } from "./pieces/dom.js";
import { formatNumber } from "./pieces/numbers.js";
import { matrix } from "./pieces/matrix.js";
import { roomOf } from "./pieces/room.js";
import { MAP, TOP, go, moves, numbersTo, soft, spot, strong } from "./position_clocks.js";

const [SAME, SUM] = [3, 5]; // quante righe non dipendono dal posto, e qual è la somma
const place = ({ options, local }) => options.regola.places[local.p];

function drawRegola(view, covered) {
  const { local, options } = view;
  const [here, room, columns] = [place(view), roomOf(view), numbersTo(options.regola.d)];
  const hidden = (i) => covered && i >= SAME;
  const cell = room < 1000 ? [58, 40] : [86, 44];
  const pick = (i, j) => go(view, { c: j });
  const right = matrix({ ...MAP, values: here.values, rows: here.names, columns, names: 130, cell, digits: 3, largest: 1,
    large: true, band: SUM, chosen: [SUM, local.c], hidden, pick });
  const x = right.right + 34;
  const text = (i, j) => (here.printed[i][j] === null ? "–" : formatNumber(here.printed[i][j], 3, true));
  const printed = matrix({ ...MAP, values: here.printed.map((row) => row.map(() => 0)), rows: here.names.map(() => ""), columns,
    x, names: 2,
    cell, large: true, text, hidden, pick });
  const edges = here.wrong.flatMap((row, i) => row.map((wrong, j) => (wrong && !hidden(i) ? svg("rect", { x: printed.left + cell[0] * j + 2,
    y: printed.top + cell[1] * i + 2, width: cell[0] - 4, height: cell[1] - 4, class: "cdl-pos-wrong", "data-wrong": `${i},${j}` }) : null)));
  const notes = covered ? [] : here.notes;
  const y = right.bottom + 26;
  return { node: svg("g", {}, strong(0, 12, `«regola», ID 4, al posto ${local.p}`),
    soft(right.left, TOP + 20, "dimensione →"), strong(printed.left, 12, "Che cosa stampa il documento"),
    soft(printed.left, TOP + 20, "bordo rosso: sbagliato"), right.node, printed.node, edges,
    notes.map((line, n) => soft(0, y + 22 * n, line))), bottom: y + 22 * notes.length };
}

function sayRegola(view) {
  const { c } = view.local;
  const here = place(view);
  const show = (i) => formatNumber(here.values[i][c], 3);
  const printed = here.printed[SUM][c];
  const said = printed === null ? "" : `; il documento stampa ${formatNumber(printed, 3)}`;
  return `: embedding ${show(2)}, PE ${show(3)}, 0,3 × PE ${show(4)}, somma ${show(5)}${said}`;
}

export const regolaView = {
  controls: ["p", "n"], draw: drawRegola, sentence: sayRegola, where: spot, finding: (view) => place(view).finding,
  question: (view) => {
    const asked = view.options.regola.question;
    return view.local.p === asked.at ? { ...asked, name: "regola" } : null;
  },
  key: (view, name) => (name === "Enter" ? null : moves(view, name, "c", view.options.regola.d - 1)),
  rows: (view, covered) => [["riga", "dimensione", "valore", "stampato", "sbagliato"], ...place(view).names.flatMap((name, i) =>
    place(view).values[i].map((value, j) => (covered && i >= SAME ? [name, j, "?", "?", "?"]
      : [name, j, value, place(view).printed[i][j] ?? "", place(view).wrong[i][j] ? "sì" : ""])))],
};

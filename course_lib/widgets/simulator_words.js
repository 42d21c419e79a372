// Fase 1 del Simulatore: i token ai loro posti, e il vocabolario che dà gli ID.
import { label, MIDDLE, svg } from "./pieces/dom.js";
import { cut, END, letters, soft, strong, titleOf, WIDTH } from "./simulator_grid.js";

const [SEAT_HEIGHT, WORD_HEIGHT] = [112, 27];

export function drawTokens(view) {
  let y = 14;
  const seats = view.state.sides.map((side, k) => {
    const title = titleOf(view, k);
    const head = strong(0, y, title);
    if (title) y += 26;
    let x = 0;
    const row = side.tokens.map((token, i) => {
      const wide = Math.min(190, Math.max(84, 26 + 10.2 * [...token].length));
      if (x + wide > WIDTH) [x, y] = [0, y + SEAT_HEIGHT];
      x += wide + 12;
      return seat(view, k, i, x - wide - 12, y, wide);
    });
    y += SEAT_HEIGHT;
    return [head, row];
  });
  const { nodes, height } = vocabulary(view, y + 12);
  return { nodes: [seats, nodes], height };
}

function seat(view, k, i, x, y, wide) {
  const { state, local } = view;
  const { tokens, ids } = state.sides[k];
  const differs = state.changed[k].includes(i);
  const middle = x + wide / 2;
  return svg("g", { class: "cdl-cell", "data-token": `${k},${i}`, onclick: () => view.pick({ side: k, i }) },
    soft(middle, y, `posto ${i}`, MIDDLE),
    svg("rect", { x: x + 2, y: y + 13, width: wide - 4, height: 38, rx: 8,
      class: `cdl-seat ${differs ? "cdl-differ" : ""} ${partner(state, local.side, k, local.i) === i ? "cdl-seat-on" : ""}` }),
    label(middle, y + 32, cut(tokens[i], 16), { ...MIDDLE, "font-size": 18 }), soft(middle, y + 61, "↓", MIDDLE),
    label(middle, y + 80, `ID ${ids[i]}`, { ...MIDDLE, class: "cdl-strong" }),
    differs ? label(x + wide - 2, y + 61, "≠", { ...END, class: "cdl-differs" }) : null);
}

// Il posto, nella frase k, di ciò che nella frase `side` sta al posto i; −1 se non c'è.
export function partner({ match }, side, k, i) {
  if (k === side) return i;
  return match ? (k ? match[i] : match.indexOf(i)) : -1;
}

function vocabulary({ state, local }, y) {
  const words = state.vocabulary;
  const step = 44 + 9 * Math.min(14, letters(words));
  const rows = Math.ceil(words.length / Math.floor(WIDTH / step));
  const used = state.sides.flatMap((side) => side.ids);
  const focus = state.sides[local.side].ids[local.i];
  return { height: y + 24 + WORD_HEIGHT * rows, nodes: [strong(0, y, `Vocabolario: ${words.length} voci, l'ID è il numero della voce`),
    words.map((word, id) => {
      const [x, top] = [step * Math.floor(id / rows), y + 18 + WORD_HEIGHT * (id % rows)];
      const on = used.includes(id);
      return [on ? svg("rect", { x: x + 2, y: top + 1, width: step - 10, height: WORD_HEIGHT - 3, rx: 5,
        class: id === focus ? "cdl-seat-on" : "cdl-band" }) : null, soft(x + 32, top + WORD_HEIGHT / 2, String(id), END),
      label(x + 42, top + WORD_HEIGHT / 2, cut(word, 14), { class: on ? "cdl-strong" : "" })];
    })] };
}

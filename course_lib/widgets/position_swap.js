// Due parole si scambiano il posto: le z di prima, quelle di dopo, e i fili fra le stesse parole.
import { fittedLabel, svg } from "./pieces/dom.js";
import { formatNumber } from "./pieces/numbers.js";
import { matrix } from "./pieces/matrix.js";
import { roomOf } from "./pieces/room.js";
import { MAP, TOP, go, numbersTo, soft } from "./position_clocks.js";

const mode = ({ local }) => (local.pe ? "on" : "off");

function now({ state, local }) {
  const [low, high] = [Math.min(local.a, local.b), Math.max(local.a, local.b)];
  return state.swap.swaps.find(({ at }) => at[0] === low && at[1] === high);
}

function drawSwap(view, covered) {
  const { state, local } = view;
  const { tokens, output, largest } = state.swap;
  const [one, room] = [now(view), roomOf(view)];
  const result = one[mode(view)];
  const [names, gap] = room < 1000 ? [80, 80] : [86, 76];
  const cell = [Math.min(60, (room - 2 * names - gap - 80) / (2 * state.d)), 46];
  const shared = { ...MAP, columns: numbersTo(state.d), names, cell, largest, least: 40, large: cell[0] >= 46,
    pick: (i) => choose(view, i) };
  const before = matrix({ ...shared, values: output[mode(view)], rows: tokens });
  const x = before.right + gap;
  const after = matrix({ ...shared, x, values: result.output, rows: one.tokens, hidden: () => covered, total: "Δ", sums: result.change,
    pick: (i) => choose(view, one.moved[i]),
    sumLook: (i) => (result.same[one.moved[i]] ? { text: "uguale" }
      : { text: formatNumber(result.change[one.moved[i]], 3), class: "cdl-alarm" }) });
  const middle = (i) => before.top + before.tall * (i + 0.5);
  const threads = tokens.map((_, i) => svg("line", { x1: before.right + 8, x2: x + 4, y1: middle(i), y2: middle(one.moved[i]),
    class: i === one.moved[i] ? "cdl-pos-thread" : "cdl-pos-thread cdl-pos-thread-swap",
    "stroke-dasharray": !covered && !result.same[i] ? "5 5" : null, "data-thread": i }));
  const title = (left, text, width) => fittedLabel(left, 12, text, width, { class: "cdl-strong" });
  return { node: svg("g", {}, title(0, `z di «${tokens.join(" ")}»`, before.right + gap - 10),
    title(x, `z di «${one.tokens.join(" ")}»`, room - x),
    [0, x].map((left) => [soft(left, TOP + 2, "chi guarda (query) ↓"), soft(left + names, TOP + 22, "componente di z →")]),
    before.node, after.node, threads,
    soft(0, after.bottom + 24, "Δ: quanto cambia la z di quella parola. Filo tratteggiato: z cambiata.")), bottom: after.bottom + 42 };
}

// Le ultime due parole scelte sono quelle che si scambiano.
function choose(view, i) {
  go(view, i === view.local.a || i === view.local.b ? {} : { a: view.local.b, b: i });
}

// Il prossimo posto, saltando quello dell'altra parola; resta dov'è se non ce n'è.
function next(from, by, other, count) {
  const to = from + by === other ? from + 2 * by : from + by;
  return to < 0 || to >= count ? from : to;
}

export const swapView = {
  controls: ["pe", "d", "base", "sentence", "preset"], draw: drawSwap, sentence: (view) => now(view)[mode(view)].says,
  where: (view) => `${now(view).names}, ${view.local.pe ? "con" : "senza"} le posizioni`,
  question: (view) => ({ ...now(view)[mode(view)].question, name: `swap ${mode(view)}` }),
  key: (view, name) => {
    const { a, b, pe } = view.local;
    const count = view.state.swap.tokens.length;
    return { ArrowUp: { a: next(a, -1, b, count) }, ArrowDown: { a: next(a, 1, b, count) }, ArrowLeft: { b: next(b, -1, a, count) },
      ArrowRight: { b: next(b, 1, a, count) }, p: { pe: !pe } }[name] || null;
  },
  finding: (view) => now(view)[mode(view)].finding,
  rows: (view, covered) => {
    const [one, { tokens, output }, d] = [now(view), view.state.swap, numbersTo(view.state.d)];
    const result = one[mode(view)];
    return [["parola", "posto prima", "posto dopo", ...d.map((c) => `z prima, ${c}`), ...d.map((c) => `z dopo, ${c}`), "di quanto cambia"],
      ...tokens.map((word, i) => [word, i, one.moved[i], ...output[mode(view)][i],
        ...(covered ? [...d, ""].map(() => "?") : [...result.output[one.moved[i]], result.same[i] ? 0 : result.change[i]])])];
  },
};

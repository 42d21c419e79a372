// Le quattro parti della figura: il testo, chi guarda l'ultimo token, i candidati con il taglio, l'estrazione.
import { fittedLabel, label, svg } from "./pieces/dom.js";
import { bars } from "./pieces/bars.js";
import { shade } from "./pieces/colors.js";
import { formatNumber } from "./pieces/numbers.js";

const ROW = 26;
const HISTORY = 10;
const NAMES = 150; // quanto spazio hanno i nomi delle teste
const MOST_WRITTEN = 18; // fino a quanti token si scrivono i coefficienti
const three = (value) => formatNumber(value, 3);

// Il testo dato, ciò che si è scritto, e il posto del token che viene.
export function textLine(m, covered, y, room) {
  const most = room < 1000 ? 50 : 84;
  const tail = [...(m.text + m.written)].length > most;
  const cut = tail ? [...(m.text + m.written)].slice(-most).join("") : m.text + m.written;
  const written = cut.slice(Math.max(0, cut.length - m.written.length));
  const next = m.gap + (covered ? "?" : m.drawn.name);
  const line = svg("text", { x: 0, y, "dominant-baseline": "central", "font-size": 20, "data-text": "" },
  svg("tspan", {}, (tail ? "…" : "") + cut.slice(0, cut.length - written.length)),
  svg("tspan", { style: "fill: var(--accent)", "font-weight": 700 }, written),
  svg("tspan", { class: "cdl-next", dx: 3, "font-weight": 700, "text-decoration": "underline" }, next));
  return line;
}

// Una riga per testa: i coefficienti dell'ultimo token.
export function lastRow(m, layer, layers, y, room) {
  const group = svg("g", { "data-last-row": "" });
  const query = m.context[m.context.length - 1];
  group.append(label(0, y, `Chi guarda «${query}», l'ultimo token`
    + (layers > 1 ? `: strato ${layer + 1} di ${layers}` : "")
    + (m.context.length > MOST_WRITTEN ? " (solo colori)" : ""), { class: "cdl-strong" }));
  if (!m.weights || !m.weights.length) {
    group.append(label(0, y + 28, "Questa attenzione non restituisce i suoi coefficienti.", { class: "cdl-soft" }));
    return { node: group, bottom: y + 44 };
  }
  const rows = m.weights[layer];
  const names = rows.map((_, h) => (rows.length > 1 ? `testa ${h + 1}` : m.heads > 1 ? "media delle teste" : "una testa"));
  const wide = Math.min(62, (room - NAMES - 74) / m.context.length);
  const top = y + 62;
  group.append(label(NAMES, y + 24, "chi è guardato (key) →", { class: "cdl-axis" }),
    label(NAMES - 10, top - 16, "chi guarda (query) ↓", { class: "cdl-axis", "text-anchor": "end" }),
    label(NAMES + wide * m.context.length + 38, top - 16, "Σ", { class: "cdl-strong", "text-anchor": "middle" }));
  m.context.forEach((name, j) => group.append(fittedLabel(NAMES + wide * (j + 0.5), top - 16, name, wide + 4,
    { "text-anchor": "middle", class: j >= m.given ? "cdl-strong" : "" })));
  rows.forEach((row, h) => {
    const at = top + ROW * h;
    group.append(label(NAMES - 10, at + ROW / 2, names[h], { "text-anchor": "end" }),
      label(NAMES + wide * row.length + 38, at + ROW / 2, three(m.sums[layer][h]), { "text-anchor": "middle", "data-sum": h }));
    row.forEach((value, j) => group.append(weightCell(value, NAMES + wide * j, at, wide, row.length, `${h},${j}`)));
  });
  const note = m.unread ? `Il modello rilegge gli ultimi ${m.context.length} token: i ${m.unread} prima non li vede più.` : "";
  if (note) group.append(label(NAMES + 200, y + 24, note, { class: "cdl-soft" }));
  return { node: group, bottom: top + ROW * rows.length };
}

function weightCell(value, x, y, wide, count, name) {
  const { fill, ink } = shade(value ?? 0, 1);
  return svg("g", { "data-weight": name },
    svg("rect", { x, y, width: wide, height: ROW, fill, stroke: "#BBBBBB" }),
    count <= MOST_WRITTEN ? label(x + wide / 2, y + ROW / 2, three(value), { "text-anchor": "middle", fill: ink,
      class: "cdl-small" }) : svg("title", {}, three(value)));
}

// Le barre dei candidati, in ordine, con la linea del taglio e ciò che ne resta.
export function candidates(m, chosen, pick, y) {
  const group = svg("g", { "data-candidates": "" });
  const cut = m.cut !== null;
  const summed = m.candidates[0].reached !== null;
  const longest = Math.max(...m.candidates.map((c) => [...c.name].length));
  const names = Math.max(56, Math.min(150, 26 + longest * 9));
  const top = y + 44;
  const head = (x, text) => label(x, y + 28, text, { class: "cdl-soft", "text-anchor": "middle" });
  group.append(label(0, y, "Che cosa propone", { class: "cdl-strong" }),
    label(names, y + 28, m.settings.greedy ? "probabilità" : `probabilità con τ = ${formatNumber(m.settings.temperature)}`,
      { class: "cdl-soft" }));
  if (summed) group.append(head(432, "somma"));
  if (cut && !m.settings.greedy) group.append(head(510, "dopo il taglio"));
  const items = m.candidates.map((c) => ({ name: c.name, value: c.before, color: c.kept ? null : "var(--line)" }));
  const drawn = bars({ items, x: 0, y: top, width: 400, names, row: ROW, chosen, pick });
  group.append(drawn.node);
  m.candidates.forEach((c, k) => group.append(...besideBar(m, c, top + ROW * (k + 0.5), cut, summed)));
  const at = top + ROW * Math.min(m.kept, m.candidates.length);
  if (cut && m.kept <= m.candidates.length) {
    group.append(svg("line", { x1: 0, x2: 560, y1: at, y2: at, "stroke-dasharray": "8 4", "stroke-width": 2.4,
      style: "stroke: var(--alarm)", "data-cut": m.kept }));
  }
  group.append(label(names, drawn.bottom + 18, rest(m), { class: "cdl-soft", "data-rest": "" }));
  return { node: group, bottom: drawn.bottom + 28 };
}

// Al loro posto, finché non si è previsto.
export function coveredCandidates(y) {
  const rows = Array.from({ length: HISTORY }, (_, k) => y + 44 + ROW * k);
  return { bottom: y + 44 + ROW * HISTORY + 28, node: svg("g", { "data-covered": "" },
    label(0, y, "Che cosa propone", { class: "cdl-strong" }),
    label(56, y + 28, "coperto: prima prevedi", { class: "cdl-soft" }),
    rows.map((top) => [label(48, top + ROW / 2, "?", { "text-anchor": "end", class: "cdl-soft" }),
      svg("rect", { x: 56, y: top + 5, width: 274, height: ROW - 10, style: "fill: var(--field); stroke: var(--line)" })])) };
}

function besideBar(m, c, y, cut, summed) {
  const mark = m.settings.greedy && !m.drawn.forced ? "◂ scelto" : m.drawn.forced ? "◂ messo da te" : "◂ estratto";
  return [
    summed ? label(432, y, three(c.reached), { "text-anchor": "middle", class: "cdl-soft", "data-reached": c.rank }) : null,
    cut && !m.settings.greedy ? label(510, y, c.kept ? three(c.after) : "0", { "text-anchor": "middle",
      class: c.kept ? "" : "cdl-soft", "data-after": c.rank }) : null,
    c.token === m.drawn.token ? label(summed || cut ? (m.drawn.forced ? 540 : 562) : 420, y, mark, { class: "cdl-strong", style: "fill: var(--accent)", "data-drawn": c.name })
      : null].filter(Boolean);
}

function rest(m) {
  const { count, before } = m.others;
  const others = count ? `Altri ${count}, in tutto ${three(Math.max(0, before))}.` : "";
  return m.cut !== null && m.kept > m.candidates.length ? `${others} Il taglio è più giù: ne restano ${m.kept}.` : others;
}

// I passi fatti fin qui, il più recente in fondo.
export function history(moments, at, covered, go, x, y, width = 310) {
  const group = svg("g", { "data-history": "" });
  const columns = [[x + 22, "passo"], [x + 92, "token"], [x + 184, "probabilità"], [x + 272, "posto"]];
  group.append(label(x, y, "Storia", { class: "cdl-strong" }),
    ...columns.map(([place, name]) => label(place, y + 28, name, { class: "cdl-soft", "text-anchor": "middle" })));
  const first = Math.max(0, at + 1 - HISTORY);
  moments.slice(first, at + 1).forEach(({ drawn }, n) => {
    const k = first + n;
    const middle = y + 44 + ROW * (n + 0.5);
    const hidden = covered && k === at;
    const cells = [k + 1, hidden ? "?" : drawn.name, hidden ? "?" : three(drawn.before), hidden ? "?" : `${drawn.rank}º`];
    group.append(svg("g", { class: "cdl-cell", "data-step": k + 1, onclick: () => go(k) },
      svg("rect", { x, y: middle - ROW / 2, width, height: ROW, rx: 4, class: k === at ? "cdl-band" : "cdl-touch" }),
      cells.map((text, c) => label(columns[c][0], middle, text, { "text-anchor": "middle",
        class: c === 1 ? "cdl-strong" : "" })),
      drawn.forced && !hidden ? label(x + width - 8, middle, "tu", { "text-anchor": "end", class: "cdl-soft" }) : null));
  });
  return { node: group, bottom: y + 44 + ROW * (at + 1 - first) };
}

// L'intervallo da 0 a 1 diviso fra i candidati: u cade su quello che si estrae.
export function dart(m, y, room) {
  const group = svg("g", { "data-dart": "" });
  if (m.dart === null) {
    const text = m.drawn.forced ? "Questo token l'hai messo tu: nessuna estrazione." : "Greedy non estrae: prende sempre il primo.";
    group.append(label(0, y + 10, text, { class: "cdl-soft" }));
    return { node: group, bottom: y + 26 };
  }
  const [left, wide, top] = [20, room - 40, y + 54];
  const x = left + wide * m.dart;
  group.append(label(0, y, "L'estrazione: u, a caso fra 0 e 1, cade nel tratto di un candidato", { class: "cdl-strong" }));
  m.slices.forEach(([name, start, end], k) => {
    const on = name === m.drawn.name;
    const long = wide * (end - start);
    group.append(svg("rect", { x: left + wide * start, y: top, width: Math.max(0.4, long), height: 30,
      style: `fill: var(${on ? "--positive" : k % 2 ? "--field" : "--band"}); stroke: var(--line)` }));
    const half = 6 + 3 * [...name].length;
    if (long >= 2 * half) {
      const middle = left + wide * (start + end) / 2;
      const beside = on && Math.abs(middle - x) < half && long > 5 * half; // il segno di u non passa sul nome
      group.append(label(beside ? x + half * (middle < x ? -1.4 : 1.4) : middle, top + 15, name, { "text-anchor": "middle",
        class: on ? "cdl-strong" : "", style: on ? "fill: var(--paper)" : null }));
    }
  });
  const edge = m.dart > 0.9 ? "end" : m.dart < 0.1 ? "start" : "middle";
  group.append(svg("path", { d: `M ${x} ${top} l -7 -11 h 14 z`, style: "fill: var(--alarm)" }),
    svg("line", { x1: x, x2: x, y1: top, y2: top + 30, "stroke-width": 2, style: "stroke: var(--alarm)" }),
    label(x, top - 22, `u = ${three(m.dart)}`, { "text-anchor": edge, "data-u": "" }),
    label(left - 6, top + 15, "0", { "text-anchor": "end", class: "cdl-soft" }),
    label(left + wide + 6, top + 15, "1", { class: "cdl-soft" }));
  return { node: group, bottom: top + 40 };
}

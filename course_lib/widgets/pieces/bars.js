// Barre orizzontali con il loro numero: una per voce, verso sinistra se il valore è negativo.
import { fittedLabel, label, svg } from "./dom.js";
import { formatNumber } from "./numbers.js";

// items: [{ name, value, text?, color?, faded?, mark? }]; mark: un altro valore, segnato con un trattino
// x, y, width: dove, e quanto spazio in tutto
// names: spazio per i nomi   largest: il valore della barra piena   row: altezza   chosen: posto scelto o −1
export function bars({ items, x, y, width, names = 110, largest, row = 30, digits = 3, chosen = -1, pick = null }) {
  const signed = items.some((item) => item.value < 0);
  const most = largest || Math.max(1e-12, ...items.map((item) => Math.abs(item.value)));
  const room = width - names - 70;
  const zero = x + names + (signed ? room / 2 : 0);
  const scale = (signed ? room / 2 : room) / most;
  const group = svg("g", {});
  items.forEach((item, k) => {
    const top = y + row * k;
    const long = Math.min(Math.abs(item.value), most) * scale;
    const text = item.text ?? formatNumber(item.value, digits, signed);
    const left = item.value < 0 ? zero - long : zero;
    const past = Math.max(long, item.value < 0 ? 0 : (item.mark ?? 0) * scale) + 6; // il numero non copre il trattino
    group.append(svg("g", { class: pick ? "cdl-cell" : "", "data-bar": k, opacity: item.faded ? 0.4 : 1,
      onclick: pick ? () => pick(k) : null },
      k === chosen ? svg("rect", { x, y: top, width, height: row, rx: 4, class: "cdl-band" }) : null,
      fittedLabel(x + names - 8, top + row / 2, item.name, names - 10, { "text-anchor": "end",
        class: k === chosen ? "cdl-strong" : "" }),
      svg("rect", { x: left, y: top + 5, width: Math.max(long, 0.8), height: row - 10,
        style: `fill: ${item.color || "var(--positive)"}` }),
      item.mark === undefined || item.mark === null ? null : svg("line", { x1: zero + item.mark * scale, x2: zero + item.mark * scale,
        y1: top + 2, y2: top + row - 2, class: "cdl-stroke", "stroke-dasharray": "4 2", "data-mark": k }),
      label(item.value < 0 ? left - 6 : left + past, top + row / 2, text,
        { "text-anchor": item.value < 0 ? "end" : "start", "data-value": k })));
  });
  if (signed) group.append(svg("line", { x1: zero, x2: zero, y1: y, y2: y + row * items.length, class: "cdl-stroke" }));
  return { node: group, bottom: y + row * items.length, zero };
}

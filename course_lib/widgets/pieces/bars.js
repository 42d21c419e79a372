// Barre orizzontali con il loro numero: una per voce, verso sinistra se il valore è negativo.
import { fittedLabel, label, svg } from "./dom.js";
import { formatNumber } from "./numbers.js";

// items: [{ name, value, text?, color?, faded?, mark? }]   x, y, width: dove, e quanto spazio in tutto
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
    group.append(svg("g", { class: pick ? "cdl-cell" : "", "data-bar": k, opacity: item.faded ? 0.4 : 1,
      onclick: pick ? () => pick(k) : null },
      k === chosen ? svg("rect", { x, y: top, width, height: row, rx: 4, class: "cdl-band" }) : null,
      fittedLabel(x + names - 8, top + row / 2, item.name, names - 10, { "text-anchor": "end",
        class: k === chosen ? "cdl-strong" : "" }),
      svg("rect", { x: left, y: top + 5, width: Math.max(long, 0.8), height: row - 10,
        style: `fill: ${item.color || "var(--positive)"}` }),
      label(item.value < 0 ? left - 6 : left + long + 6, top + row / 2, text,
        { "text-anchor": item.value < 0 ? "end" : "start", "data-value": k })));
  });
  if (signed) group.append(svg("line", { x1: zero, x2: zero, y1: y, y2: y + row * items.length, class: "cdl-stroke" }));
  return { node: group, bottom: y + row * items.length, zero };
}

// Salvare ciò che si vede: SVG che sta da solo, PNG nitido, CSV con la virgola.
import { html, svg, wordLines } from "./dom.js";

const KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "opacity", "fill-opacity",
  "stroke-opacity", "font-family", "font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline",
  "visibility", "display", "paint-order", "stroke-linejoin"];
const SCALE = 2;
const MARGIN = 16;

// Una copia della figura con gli stili scritti dentro, il titolo e la frase in cima, lo sfondo sotto.
export function standalone(picture, title, sentence) {
  const copy = picture.cloneNode(true);
  inline(picture, copy);
  copy.querySelectorAll("[data-hint]").forEach((node) => node.remove());
  const { x, y, width, height } = picture.viewBox.baseVal;
  const frame = getComputedStyle(picture.closest(".cdl"));
  const lines = wordLines(sentence, Math.floor(width / 8));
  const head = 44 + 22 * lines.length;
  const [w, h] = [width + 2 * MARGIN, height + head + 2 * MARGIN];
  const text = (dy, size, weight, line) => svg("text", { x: MARGIN, y: dy, fill: frame.color, "font-size": size,
    "font-weight": weight, "font-family": frame.fontFamily }, line);
  const place = { x: MARGIN, y: head + MARGIN, width, height, viewBox: `${x} ${y} ${width} ${height}` };
  for (const [name, value] of Object.entries(place)) copy.setAttribute(name, value);
  return svg("svg", { xmlns: "http://www.w3.org/2000/svg", width: w, height: h, viewBox: `0 0 ${w} ${h}` },
    svg("title", {}, `${title}. ${sentence}`),
    svg("rect", { width: w, height: h, fill: frame.backgroundColor }),
    text(MARGIN + 16, 20, 700, title),
    lines.map((line, i) => text(MARGIN + 44 + 22 * i, 15, 400, line)),
    copy);
}

export function svgText(picture, title, sentence) {
  return new XMLSerializer().serializeToString(standalone(picture, title, sentence));
}

export async function pngBlob(picture, title, sentence) {
  const whole = standalone(picture, title, sentence);
  const source = new XMLSerializer().serializeToString(whole);
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(source);
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * whole.getAttribute("width");
  canvas.height = SCALE * whole.getAttribute("height");
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

export function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Righe di testi e numeri in CSV: punto e virgola fra le celle, virgola decimale, tutte le cifre.
export function csvText(rows) {
  const cell = (value) => {
    const safe = written(value);
    return /[";\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
  };
  return rows.map((row) => row.map(cell).join(";")).join("\r\n") + "\r\n";
}

function written(value) {
  if (typeof value === "number") return String(value).replace(".", ",").replace("-Infinity", "−∞").replace("Infinity", "∞");
  const text = String(value ?? "");
  return /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
}

// Le stesse righe come tabella: incollata in un foglio di calcolo, ogni valore va nella sua cella.
const tableText = (rows) => html("table", {}, rows.map((row) => html("tr", {}, row.map((value) => html("td", {}, written(value)))))).outerHTML;

// Copia negli appunti il CSV e la tabella; dove il browser non lo permette il solo CSV, poi la via vecchia. Dice se ci è riuscito.
export async function copyRows(rows, root) {
  const text = csvText(rows);
  const { clipboard } = navigator;
  const part = (type, content) => ({ [type]: new Blob([content], { type }) });
  const both = async () => clipboard.write([new ClipboardItem({ ...part("text/plain", text), ...part("text/html", tableText(rows)) })]);
  try {
    await both().catch(() => clipboard.writeText(text));
    return true;
  } catch {
    const area = document.createElement("textarea");
    const before = document.activeElement;
    area.value = text;
    root.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    before?.focus();
    return done;
  }
}

function inline(from, to) {
  const style = getComputedStyle(from);
  for (const name of KEPT) {
    const value = style.getPropertyValue(name);
    if (value) to.setAttribute(name, value);
  }
  to.removeAttribute("class");
  to.removeAttribute("style");
  [...from.children].forEach((child, i) => inline(child, to.children[i]));
}

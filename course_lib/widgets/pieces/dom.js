// Nodi SVG e HTML: elemento, attributi, figli.
const SVG_SPACE = "http://www.w3.org/2000/svg";

// I tasti premuti dentro un widget, che Jupyter non deve vedere: vedi keepKeys in keys.js.
export const KEY = "cdl-key";

// Le parole ebraiche e arabe, isolate: da sole rovescerebbero «a → b» e i numeri che vengono dopo.
const LEFTWARD = /(?!\s)[\s\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+(?<!\s)/g;
export const isolated = (text) => text.replace?.(LEFTWARD, "\u2068$&\u2069") ?? text;

// Gli attributi che cominciano con «on» sono funzioni; null, undefined e false non si scrivono.
function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name === "onkeydown" ? KEY : name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child != null).map(isolated));
  return node;
}

export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG_SPACE, tag), attributes, children);
}

export function html(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

export const MIDDLE = { "text-anchor": "middle" };

// Una scritta nella figura: x, y, testo; attributi in più (class, text-anchor, fill …).
export function label(x, y, text, attributes = {}) {
  return svg("text", { x, y, "dominant-baseline": "central", ...attributes }, text);
}

// Una scritta con apici «^{…}» e pedici «_{…}».
export function richLabel(x, y, text, attributes = {}) {
  let raised = 0;
  const pieces = text.split(/([\^_]\{[^}]*\})/).filter(Boolean).map((part) => {
    const small = /^[\^_]\{/.test(part);
    const level = small ? (part[0] === "^" ? -6 : 4) : 0;
    const node = svg("tspan", { dy: level - raised || null, "font-size": small ? "0.8em" : null },
      small ? part.slice(2, -1) : part);
    raised = level;
    return node;
  });
  return label(x, y, pieces, attributes);
}

// La stessa scritta in parole: «e alla 2», «d k».
export function spokenText(text) {
  return text.replace(/\^\{([^}]*)\}/g, " alla $1").replace(/_\{([^}]*)\}/g, "_$1");
}

// Accorcia una scritta troppo lunga per `width` unità; quella intera resta nel suo <title>.
export function fittedLabel(x, y, text, width, attributes = {}, size = 15) {
  const most = Math.max(2, Math.floor(width / (size * 0.56)));
  const letters = [...text];
  const short = letters.length > most ? letters.slice(0, most - 1).join("") + "…" : text;
  return label(x, y, [short, short === text ? null : svg("title", {}, text)], attributes);
}

// I nomi stanno, senza accorciarli, uno accanto all'altro in colonne larghe `width`?
export const fitting = (names, width) => names.every((name) => [...name].length * 8.4 < width + 2);

// Spezza un testo in righe di al più `most` caratteri.
export function wordLines(text, most) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.pop();
    const longer = `${line} ${word}`.trim();
    lines.push(...(line && longer.length > most ? [line, word] : [longer]));
  }
  return lines;
}

let serial = 0;

// Un identificativo che nessun'altra istanza, in nessun notebook aperto, ha già.
export function freshId(word) {
  serial += 1;
  return `cdl-${word}-${Date.now().toString(36)}-${serial}-${Math.random().toString(36).slice(2, 8)}`;
}

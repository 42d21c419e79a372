// Il widget di una scena: il suo modello, aperto come la scena vuole, e i numeri coperti finché non si rivelano.
// Un conto, un ID, o un testo senza parole. «strato 1» e «1·2» sono nomi, e restano, come ciò che è segnato data-name.
const NUMBER = /\d,\d|[=+×÷] ?[−-]?\d|\bID \d|^[^\p{L}·]*\d[^\p{L}·]*$/u;
const NAMES = "button, label, option, [data-name]";
const COVERED = "··";

// Un modello come quello di anywidget, per un widget che sta dentro la Regia.
// ask(request): dove va ciò che il lettore chiede al kernel
export function innerModel(values, ask) {
  const listeners = {};
  let changed = {};
  return {
    get: (name) => values[name],
    set(name, value) { values[name] = changed[name] = value; },
    save_changes() {
      const { request } = changed;
      changed = {};
      if (request) ask(request);
    },
    on(name, action) { (listeners[name] ||= []).push(action); },
    off(name, action) { listeners[name] = (listeners[name] || []).filter((other) => other !== action); },
    // Ciò che arriva dal kernel.
    receive(changes) {
      Object.assign(values, changes);
      for (const name of Object.keys(changes)) (listeners[`change:${name}`] || []).forEach((action) => action());
    },
  };
}

// Il modulo di un widget: nel file c'è già; in Jupyter è un testo di `modules`, che si importa una volta sola in `mounted`.
export async function moduleOf(widget, modules, mounted) {
  const ready = globalThis.chiaveDiLettura?.[widget];
  if (ready) return ready;
  return (mounted[widget] ||= (async () => {
    const { esm, css } = modules[widget];
    const address = URL.createObjectURL(new Blob([esm], { type: "text/javascript" }));
    const module = await import(address);
    URL.revokeObjectURL(address);
    return { render: module.default.render, style: css };
  })());
}

// Copre i numeri scritti in `root`, anche quelli che si ridisegnano. Restituisce la funzione che li scopre.
export function coverNumbers(root) {
  const kept = new Map();
  const cover = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      if (!NUMBER.test(node.data) || node.parentNode?.closest(NAMES)) return;
      kept.set(node, node.data);
      node.data = COVERED;
    } else node.childNodes.forEach(cover);
  };
  const observer = new MutationObserver((records) => records.forEach(({ type, target, addedNodes }) => {
    if (type === "childList") addedNodes.forEach(cover);
    else if (target.data !== COVERED) cover(target);
  }));
  cover(root);
  observer.observe(root, { childList: true, characterData: true, subtree: true });
  return () => {
    observer.disconnect();
    for (const [node, text] of kept) if (node.data === COVERED) node.data = text;
  };
}

// Un messaggio appena comparso si porta in vista: il campo in cui si è scritto può essere in fondo alla figura.
// Restituisce la funzione che smette.
export function keepInSight(message) {
  const observer = new MutationObserver(() => message.hidden || message.scrollIntoView({ block: "nearest" }));
  observer.observe(message, { attributeFilter: ["hidden"] });
  return () => observer.disconnect();
}

// Una copia di ciò che si vede: anche ciò che si è scelto nei comandi, che `cloneNode` non copia, e dove si è scorso.
export function stillOf(box) {
  const still = box.cloneNode(true);
  const [from, to] = [box, still].map((one) => [...one.querySelectorAll("input, select, textarea")]);
  from.forEach((field, k) => Object.assign(to[k], "checked" in field ? { value: field.value, checked: field.checked } : { value: field.value }));
  still.inert = true;
  const stage = box.querySelector(".cdl-stage");
  const [x, y] = [stage?.scrollLeft, stage?.scrollTop];
  if (stage) requestAnimationFrame(() => Object.assign(still.querySelector(".cdl-stage"), { scrollLeft: x, scrollTop: y }));
  return still;
}

const TYPE = 20.1; // pixel: da lontano non si legge di meno
const SMALLEST = 1.27; // quanto si ingrandisce almeno, perché anche i bottoni abbiano quella misura
const WIDE = { wide: 1000, least: 1230 };
const NARROW = { wide: 690, least: 950, folds: 700 }; // folds: sotto quanti pixel un widget si disegna stretto

// Chi sa disegnarsi in poco posto ne ha poco, e si ingrandisce di più; gli altri hanno tutto quello che c'è.
function narrowFor(box, width) {
  const folds = box.querySelector(".cdl")?.view?.least <= NARROW.folds;
  return folds ? NARROW : { ...NARROW, wide: Math.max(NARROW.wide, Math.floor(width / SMALLEST)) };
}

// Ingrandisce il widget in `box` perché riempia lo spazio di `room`, con scritte mai sotto i 20 pixel;
// su un telefono la misura è quella di sempre. Una figura larga si stringe fin che ci sta tutta, se i numeri
// restano nelle loro celle; altrimenti tiene la sua misura minima, e scorre.
export function enlarge(box, room) {
  box.dataset.whole = "true";
  scaleTo(box, room);
  if (cellsHold(box)) return;
  box.dataset.whole = "false";
  scaleTo(box, room);
}

function cellsHold(box) {
  return [...box.querySelectorAll(".cdl-stage > svg .cdl-cell")].every((cell) => {
    const [frame, text] = [cell.querySelector("rect"), cell.querySelector("text")];
    return !text || text.getComputedTextLength() <= frame.width.baseVal.value;
  });
}

function scaleTo(box, room) {
  const { clientWidth: width, clientHeight: height } = room;
  const { wide, least } = width < WIDE.least ? narrowFor(box, width) : WIDE;
  const small = width < least;
  if (small) box.dataset.whole = "false";
  Object.assign(box.style, { zoom: 1, width: small ? "" : `${wide}px` });
  const [picture, stage] = [box.querySelector(".cdl-stage > svg"), box.querySelector(".cdl-stage")];
  const most = width / Math.max(wide, stage?.scrollWidth || 0); // qualche figura non si stringe: allora scorre
  const zoom = small ? 1 : Math.max(Math.min(most, height / (box.offsetHeight || 1)), Math.min(SMALLEST, width / wide));
  // misurata senza ingrandimento: con, ogni browser dice una misura diversa
  const scale = picture ? zoom * picture.getBoundingClientRect().width / picture.viewBox.baseVal.width : 1;
  box.style.zoom = zoom;
  box.style.setProperty("--type", `${small ? 15 : Math.max(15, TYPE / scale)}px`);
}

const LEAST = 420; // pixel: la Regia non è mai più bassa
const TOP = 120; // pixel sopra la Regia, oltre i quali non è sola nella sua scheda

// Quanto è alta la Regia: fino in fondo alla scheda, o a quasi tutta la finestra se nella pagina c'è dell'altro.
export function heightOf(root) {
  if (document.fullscreenElement === root) return innerHeight;
  let [top, bottom] = [0, innerHeight];
  for (let box = root.parentElement; box && box !== document.body; box = box.parentElement) {
    if (getComputedStyle(box).overflowY === "visible") continue;
    const around = box.getBoundingClientRect();
    [top, bottom] = [Math.max(top, around.top), Math.min(bottom, around.bottom)];
  }
  const mine = root.getBoundingClientRect().top;
  const first = mine >= top && mine - top < TOP;
  return Math.max(LEAST, (first ? bottom - mine : 0.95 * (bottom - top)) - 6);
}

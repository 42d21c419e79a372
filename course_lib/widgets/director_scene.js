// Il widget di una scena: il suo modello, aperto come la scena vuole, e i numeri coperti finché non si rivelano.
const NUMBER = /\d/;
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

// Copre i numeri scritti in `root`, anche quelli che si ridisegnano. Restituisce la funzione che li scopre.
export function coverNumbers(root) {
  const kept = new Map();
  const cover = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      if (!NUMBER.test(node.data) || node.parentNode.closest("button, label, option")) return;
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

const TYPE = 20.4; // pixel: da lontano non si legge di meno
const SMALLEST = 1.4; // quanto si ingrandisce almeno, perché anche i bottoni abbiano quella misura
const WIDE = { wide: 1000, least: 1265 };
const NARROW = { wide: 690, least: 950 };

// Quanto ingrandire il widget perché riempia `width` × `height` pixel, con scritte mai sotto i 20 pixel.
// tall: quanto è alto il widget non ingrandito, in pixel, largo `wide`
export function enlargement(width, height, tall) {
  if (width < NARROW.least) return { zoom: 1, wide: null, type: null }; // un telefono: la misura di sempre
  const { wide } = width < WIDE.least ? NARROW : WIDE;
  const most = width / wide;
  const zoom = Math.min(most, Math.max(SMALLEST, tall ? height / tall : most));
  return { zoom, wide, type: Math.max(15, TYPE / zoom) };
}

// A che scena si è, per riprendere di lì dopo aver ricaricato: nell'indirizzo del file, o nella memoria della scheda.
const ADDRESS = /^#scena-(\d+)$/;
const MEMORY = "chiave-di-lettura-regia";

// Il posto della scena da cui riprendere, o null.   alone: è il file, senza Jupyter
export function placeKept(scenes, alone) {
  if (alone) {
    const found = ADDRESS.exec(location.hash);
    return found ? Math.max(0, Math.min(scenes.length, Number(found[1])) - 1) : null;
  }
  try {
    const key = sessionStorage.getItem(MEMORY);
    return scenes.some((scene) => scene.key === key) ? scenes.findIndex((scene) => scene.key === key) : null;
  } catch { // il browser non dà la memoria
    return null;
  }
}

export function keepPlace(scenes, at, alone) {
  try {
    if (alone) history.replaceState(null, "", `#scena-${at + 1}`);
    else sessionStorage.setItem(MEMORY, scenes[at].key);
  } catch { /* Firefox e Safari lo rifiutano se lo si chiede troppo spesso: la scena cambia lo stesso */ }
}

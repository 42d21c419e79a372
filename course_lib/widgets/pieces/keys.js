// I tasti di un widget restano suoi.
import { KEY } from "./dom.js";

const STOPPED = ["keydown", "keyup", "keypress"];

// JupyterLab e Notebook leggono i tasti mentre scendono da `document`, prima di chi ha il fuoco: «a» aggiungerebbe
// una cella anche qui. Li si ferma in `window`, che viene prima, e si ridanno al widget con un altro nome.
// Le combinazioni con Ctrl, Alt o Cmd passano. Restituisce la funzione che smette.
export function keepKeys(root) {
  const keep = (event) => {
    if (!root.contains(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopImmediatePropagation();
    if (event.type !== "keydown") return;
    const ours = new Event(KEY, { bubbles: true, cancelable: true });
    Object.assign(ours, { key: event.key, shiftKey: event.shiftKey, repeat: event.repeat });
    if (!event.target.dispatchEvent(ours)) event.preventDefault();
  };
  STOPPED.forEach((name) => window.addEventListener(name, keep, true));
  return () => STOPPED.forEach((name) => window.removeEventListener(name, keep, true));
}

// I widget dentro una pagina del sito, senza kernel: ciascuno aperto nello stato della cella, al posto della sua figura.
import { innerModel } from "./director_scene.js";

const ALONE = "In questa pagina non c'è Python: restano gli esempi già calcolati. Per provare altro apri il notebook " +
  "in JupyterLab, con «corso apri».";
const STYLED = new Set();

function dress(name, style) {
  if (STYLED.has(name)) return;
  STYLED.add(name);
  const sheet = document.createElement("style");
  sheet.textContent = style;
  document.head.append(sheet);
}

// Il tema della pagina è quello che il lettore sceglie in alto; i widget lo leggono da <body>, come in JupyterLab.
function tellTheme() {
  const { documentElement: page, body } = document;
  const tell = () => { body.dataset.jpThemeLight = String(page.dataset.theme !== "dark"); };
  new MutationObserver(tell).observe(page, { attributes: true, attributeFilter: ["data-theme"] });
  tell();
}

function bringToLife(place) {
  const { [place.dataset.widget]: module, opened } = globalThis.chiaveDiLettura;
  const values = opened[place.dataset.cell];
  if (!module || !values) return; // lo script di questa cella viene dopo
  const { render, style } = module;
  dress(place.dataset.widget, style);
  // La frase arriva dopo che il widget ha finito di chiedere, come se un kernel avesse risposto.
  const model = innerModel(values, () => setTimeout(() => {
    const { view } = place.firstChild;
    view.onSilence();
    view.trouble = ALONE;
    view.redraw();
  }));
  render({ model, el: place });
  place.hidden = false;
  place.closest(".cell_output").classList.add("cdl-lives"); // la figura resta per la carta
}

function start() {
  tellTheme();
  document.querySelectorAll(".cdl-place").forEach((place) => {
    if (place.firstChild) return;
    try {
      bringToLife(place);
    } catch (error) {
      place.replaceChildren(); // resta la figura
      console.warn(error);
    }
  });
}

export default { start };

// I bottoni della Regia: ciò che fanno i suoi tasti, per chi usa il mouse o li cerca.
import { html } from "./pieces/dom.js";

const EACH = [["back", "‹", "PagSu: indietro"], ["next", "›", "PagGiù: avanti"], ["reveal", "Rivela", "tasto r"],
  ["index", "Scene", "tasto i: tutte le scene"], ["notes", "Note", "tasto p: le note di chi presenta"],
  ["again", "Ricomincia", "tasto z: la scena com'era"], ["freeze", "Ferma", "tasto g: lo schermo resta com'è"],
  ["full", "Schermo", "tasto f: schermo intero"], ["theme", "Sfondo", "sfondo chiaro o scuro"]];
const SAID = { back: "Indietro", next: "Avanti" };

// act(nome): che cosa fare quando se ne preme uno
export function buttons(act) {
  return EACH.map(([name, text, hint]) => html("button", { type: "button", "data-do": name, title: hint,
    "aria-label": SAID[name], onclick: () => act(name) }, text));
}

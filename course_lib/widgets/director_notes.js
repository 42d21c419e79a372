// La finestra delle note: ciò che chi presenta legge mentre la classe guarda la scena.
import { html } from "./pieces/dom.js";

const STYLE = `body { font: 19px/1.5 "Source Sans 3", "Segoe UI", "Liberation Sans", Arial, sans-serif; margin: 0; padding: 18px 26px;
  color: #1A1A1A; background: #FFFFFF; max-width: 46em; }
  header { display: flex; gap: 18px; align-items: baseline; flex-wrap: wrap; border-bottom: 1px solid #C9CDD2; }
  h1 { font-size: 24px; margin: 0 0 8px; } h2 { font-size: 18px; margin: 20px 0 4px; color: #1F5FA8; } p { margin: 4px 0 10px; }
  .soft { color: #555555; } .warn { border-left: 4px solid #9A1525; padding: 4px 12px; background: #F5F7F9; }
  nav { display: flex; gap: 10px; margin: 18px 0 0; } button { font: inherit; padding: 6px 14px; }
  @media (prefers-color-scheme: dark) { body { background: #15181C; color: #ECEEF1; } h2 { color: #8DBDF2; }
  .soft { color: #B4BAC2; } .warn { background: #20252B; } button { background: #20252B; color: inherit; } }`;

const clock = (minutes) => `${Math.floor(minutes)} min`;

// Il testo di una scena, per chi presenta. at: il suo posto   spent: minuti passati da quando si è cominciato
// planned: i minuti previsti per le scene già mostrate, questa compresa
export function noteNodes(scenes, at, { spent, planned, covered, frozen }) {
  const scene = scenes[at];
  const next = scenes[at + 1];
  return [
    html("header", {}, html("h1", {}, `${at + 1} · ${scene.title}`),
      html("span", { class: "soft" }, `notebook ${scene.notebook} · ${clock(scene.minutes)} · passati ${clock(spent)}; per le scene mostrate se ne prevedono ${clock(planned)}`)),
    frozen ? html("p", { class: "warn" }, "Lo schermo è fermo: qui puoi sfogliare; quando lo riprendi va alla scena che leggi.") : null,
    html("h2", {}, covered ? "La domanda alla classe, prima di rivelare" : "La domanda fatta alla classe"), html("p", {}, scene.question),
    html("h2", {}, "Che cosa si vede dopo"), html("p", {}, scene.answer),
    html("h2", {}, "Note"), scene.notes.map((line) => html("p", {}, line)),
    html("h2", {}, "Che cosa di solito si sbaglia"), html("p", { class: "warn" }, scene.slips),
    html("p", { class: "soft" }, next ? `Dopo: ${next.title}.` : "È l'ultima scena."),
  ].flat().filter(Boolean);
}

// Apre (o riporta davanti) la finestra. Restituisce null se il browser la blocca.
// action(nome): "next", "back", "reveal" premuti là
export function openNotes(opened, action) {
  if (opened && !opened.closed) return opened.focus(), opened;
  const found = window.open("", "", "width=760,height=820");
  if (!found) return null;
  found.document.title = "Regia · note";
  found.document.documentElement.lang = "it";
  found.document.head.append(html("style", {}, STYLE));
  const button = (text, name) => html("button", { type: "button", onclick: () => action(name) }, text);
  found.document.body.append(html("main", {}),
    html("nav", {}, button("‹ Indietro", "back"), button("Avanti ›", "next"), button("Rivela o copri", "reveal")));
  found.addEventListener("keydown", (event) => {
    const name = { PageDown: "next", PageUp: "back", r: "reveal" }[event.key];
    if (!name) return;
    event.preventDefault();
    action(name);
  });
  return found;
}

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

const NOTE_KEYS = { PageDown: "next", PageUp: "back", r: "reveal", g: "freeze", z: "again" };
const TICK = 20000; // millisecondi fra due riscritture: passa il tempo
const BLOCKED = "Il browser non lascia aprire un'altra finestra: le note stanno qui sotto; p le toglie.";

// Le note: in un'altra finestra, oppure in `below` se il browser la blocca.
// nodes(): il testo di adesso   action(nome): "next", "back" … premuti là
export class Notes {
  constructor(below, nodes, action) {
    Object.assign(this, { below, nodes, action, opened: null });
  }

  // Apre la finestra, o la riporta davanti. Restituisce che cosa dirne.
  open() {
    if (this.room) this.opened.focus();
    else {
      this.opened?.close(); // mostrava altro
      this.opened = window.open("", "", "width=760,height=820");
      setTimeout(() => this.write(), 300); // Firefox può rifare vuota la finestra appena aperta
    }
    const here = !this.opened && !this.below.childNodes.length;
    this.below.replaceChildren(...(here ? this.nodes() : []));
    clearInterval(this.ticking);
    this.ticking = setInterval(() => this.write(), TICK);
    this.write();
    return here ? BLOCKED : "";
  }

  write() {
    const { room, below } = this;
    if (room) room.replaceChildren(...this.nodes());
    else if (below.childNodes.length) below.replaceChildren(...this.nodes());
  }

  // Dove si scrivono nella finestra; null se è chiusa, o se ora mostra un'altra pagina.
  get room() {
    const { opened } = this;
    if (!opened || opened.closed) return null;
    try {
      if (opened.location.href !== "about:blank") return null;
      return opened.document.querySelector("main") || this.furnish(opened);
    } catch { // una pagina di altri, o le note ricaricate: non si può più guardare
      return null;
    }
  }

  // La finestra appena aperta è vuota.
  furnish(opened) {
    const room = html("main", {});
    opened.document.title = "Regia · note";
    opened.document.documentElement.lang = "it";
    opened.document.head.append(html("style", {}, STYLE));
    const button = (text, name) => html("button", { type: "button", onclick: () => this.action(name) }, text);
    opened.document.body.append(room,
      html("nav", {}, button("‹ Indietro", "back"), button("Avanti ›", "next"), button("Rivela o copri", "reveal")));
    opened.addEventListener("keydown", (event) => {
      const name = NOTE_KEYS[event.key];
      if (!name || event.ctrlKey || event.metaKey || event.altKey) return; // Ctrl+R è del browser
      event.preventDefault();
      if (!event.repeat) this.action(name);
    });
    return room;
  }

  close() {
    clearInterval(this.ticking);
    this.opened?.close();
  }
}

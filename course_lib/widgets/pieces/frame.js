// La cornice di ogni widget: titolo, comandi, figura con una sola sosta di Tab, frase letta, bottoni, aiuto.
import { freshId, html, isolated, KEY } from "./dom.js";
import { keepKeys } from "./keys.js";
import { formatNumber } from "./numbers.js";
import { rovingBar } from "./roving.js";
import { copyRows, download, pngBlob, svgText } from "./saving.js";
import { followTheme } from "./theme.js";

const LEAST_SCALE = 0.9; // più piccola di così la figura non si legge: dove non ci sta, scorre
const CHOSEN = ".cdl-ring-out, .cdl-seat-on";
const PATIENCE = 4000; // millisecondi: oltre, il kernel non c'è o sta facendo altro
const COMMON_KEYS = [["← ↑ → ↓", "spostano la cella o la parola"], ["Inizio Fine", "vanno al primo e all'ultimo"],
  ["Invio", "fissa ciò che guardi"], ["Esc", "lo lascia"], ["?", "apre e chiude questo aiuto"]];

// spec: name, about (righe dell'aiuto), keys (tasti in più), start(view), controls(view), draw(view) -> <svg>,
//       key(view, nome) -> vero se l'ha usato, finding(view), sentence(view), rows(view), sync(view), stop(view)
export function courseWidget(spec) {
  return {
    render({ model, el }) {
      const view = new View(spec, model);
      el.append(view.root);
      view.begin();
      return () => view.end();
    },
  };
}

class View {
  constructor(spec, model) {
    Object.assign(this, { spec, model, local: {}, stops: [], serial: 0, waiting: null });
    this.build();
  }

  get state() { return this.preset?.state || this.model.get("state"); }

  get options() { return this.model.get("options"); }

  build() {
    const { spec } = this;
    const [title, say] = [freshId("titolo"), freshId("frase")];
    this.title = html("h3", { class: "cdl-title", id: title }, spec.name);
    this.found = html("p", { class: "cdl-finding" });
    this.controls = html("div", { class: "cdl-controls" });
    this.stage = html("div", { class: "cdl-stage", tabindex: "0", role: "application", "aria-labelledby": title,
      "aria-describedby": say, "aria-roledescription": "figura che si esplora con le frecce" });
    this.say = html("p", { class: "cdl-say", id: say, "aria-live": "polite" });
    this.below = html("div", { class: "cdl-below" });
    this.problem = html("p", { class: "cdl-problem", role: "alert" });
    this.note = html("span", { class: "cdl-note", role: "status" });
    this.help = this.buildHelp();
    this.bar = this.buildBar();
    this.root = html("section", { class: "cdl", lang: "it", "aria-labelledby": title,
      "data-lm-suppress-shortcuts": "true", "data-widget": spec.name },
      html("div", { class: "cdl-head" }, this.title, this.found), this.controls, this.problem, this.stage,
      this.below, this.say, this.bar, this.help);
    this.root.view = this; // la Regia apre una scena cambiando le scelte di questa vista
  }

  begin() {
    this.stops.push(followTheme(this.root));
    this.stops.push(keepKeys(this.root));
    this.listen(this.root, KEY, (event) => this.onKey(event));
    this.watch("state", () => { this.settle(); this.restart(); });
    for (const name of ["options", "presets"]) this.watch(name, () => this.restart());
    this.watch("answer", () => this.onAnswer());
    this.spec.start(this);
    this.controls.append(...(this.spec.controls?.(this) || []).flat(Infinity).filter(Boolean));
    this.controls.hidden = !this.controls.children.length;
    this.redraw();
  }

  end() {
    clearTimeout(this.timer);
    this.stops.splice(0).forEach((stop) => stop());
    this.spec.stop?.(this);
    this.root.remove();
  }

  listen(target, name, action) {
    target.addEventListener(name, action);
    this.stops.push(() => target.removeEventListener(name, action));
  }

  watch(name, action) {
    this.model.on(`change:${name}`, action);
    this.stops.push(() => this.model.off(`change:${name}`, action));
  }

  // Cambia ciò che è solo di questa vista, e ridisegna se è cambiato davvero.
  set(changes) {
    if (Object.keys(changes).every((name) => this.local[name] === changes[name])) return;
    Object.assign(this.local, changes);
    this.redraw();
  }

  redraw() {
    const { spec } = this;
    this.problem.textContent = isolated(this.model.get("problem") || this.trouble || "");
    this.problem.hidden = !this.problem.textContent;
    const picture = this.state && Object.keys(this.state).length ? spec.draw(this) : null;
    if (picture) this.stage.replaceChildren(...[picture].flat());
    const drawn = this.stage.querySelector("svg");
    if (drawn) {
      drawn.setAttribute("aria-hidden", "true");
      drawn.style.minWidth = `${LEAST_SCALE * drawn.viewBox.baseVal.width}px`;
    }
    this.found.textContent = isolated(spec.finding?.(this) || "");
    const sentence = isolated(spec.sentence?.(this) || "");
    if (this.say.textContent !== sentence) this.say.textContent = sentence;
    spec.sync?.(this);
  }

  // Lo stato è nuovo: ciò che la vista ricordava può non valere più.
  restart() {
    if (this.spec.keep) this.spec.keep(this);
    else this.spec.start(this);
    this.redraw();
  }

  // Mostra uno stato già calcolato (serve anche senza kernel), oppure quello del modello.
  show(preset) {
    this.calm();
    this.preset = preset;
    this.trouble = "";
    this.restart();
  }

  // Ciò che si è chiesto e non è ancora arrivato: chi chiede altro parte da qui.
  get wanted() { return this.root.dataset.waiting ? this.model.get("request") : {}; }

  // Chiede al kernel uno stato nuovo. La risposta arriva in `answer`, con lo stesso numero.
  ask(request) {
    this.serial = Date.now() + Math.random();
    this.model.set("request", { ...request, serial: this.serial });
    this.model.save_changes();
    this.root.dataset.waiting = "true";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.onSilence(), PATIENCE);
  }

  onAnswer() {
    const { serial, problem } = this.model.get("answer");
    if (serial !== this.serial) return;
    const before = this.preset;
    this.settle();
    this.calm();
    this.trouble = problem || "";
    if (before === this.preset) this.redraw();
    else this.restart();
  }

  // L'esempio mostrato resta finché il kernel non risponde bene: se tace, non si perde nulla.
  settle() {
    const { serial, problem } = this.model.get("answer");
    if (serial && serial === this.serial && !problem) this.preset = null;
  }

  // Non si aspetta più nessuna risposta.
  calm() {
    clearTimeout(this.timer);
    delete this.root.dataset.waiting;
    this.serial = 0;
  }

  onSilence() {
    delete this.root.dataset.waiting;
    this.trouble = "Il kernel non risponde: forse è spento o sta eseguendo un'altra cella. Restano gli esempi " +
      `già calcolati; per il resto ${this.remedy || "riesegui la cella del widget"}.`;
    this.redraw();
  }

  onKey(event) {
    if (event.key === "Escape" && !this.help.hidden) return this.toggleHelp(event, false);
    if (event.target !== this.stage) return;
    if (event.key === "?") return this.toggleHelp(event, this.help.hidden);
    if (event.repeat && /^( |Enter)$/.test(event.key)) return event.preventDefault(); // tenuti premuti valgono una volta
    if (!this.spec.key?.(this, event.key)) return;
    event.preventDefault();
    this.stage.querySelector(CHOSEN)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  toggleHelp(event, open) {
    event.preventDefault();
    this.help.hidden = !open;
    this.helpButton.setAttribute("aria-expanded", String(open));
    if (open) this.help.focus();
    else this.stage.focus();
  }

  buildHelp() {
    const row = ([key, text]) => html("tr", {}, html("th", { scope: "row" }, key), html("td", {}, text));
    const keys = [...COMMON_KEYS, ...(this.spec.keys || [])];
    return html("div", { class: "cdl-help", hidden: true, tabindex: "-1", role: "group", "aria-label": "Aiuto" },
      (this.spec.about || []).map((text) => html("p", {}, text)),
      html("table", {}, html("caption", {}, "Tasti, quando la figura è scelta con Tab"), html("tbody", {}, keys.map(row))));
  }

  buildBar() {
    const button = (text, action, more) => html("button", { type: "button", onclick: action, ...more }, text);
    this.helpButton = button("?", (event) => this.toggleHelp(event, this.help.hidden),
      { "aria-label": "Aiuto", "aria-expanded": "false" });
    const buttons = [button("Ripristina", () => this.reset()), button("Salva PNG", () => this.save("png")),
      button("Salva SVG", () => this.save("svg")), button("Copia CSV", () => this.copy()), this.helpButton];
    return rovingBar(buttons, "Salvare e ripristinare", this.note);
  }

  reset() {
    this.calm();
    this.preset = null;
    this.trouble = "";
    this.local = {};
    this.spec.reset?.(this);
    this.spec.start(this);
    this.redraw();
    this.tell("Tutto come all'inizio.");
  }

  tell(text) { this.note.textContent = text; }

  async save(kind) {
    const picture = this.stage.querySelector("svg");
    const [title, found, said] = [this.spec.name, this.found.textContent, this.say.textContent];
    const sentence = !found || said.includes(found) ? said : `${found.replace(/\.?$/, ".")} ${said}`;
    const name = `${title.toLowerCase().replace(/[^a-zà-ù0-9]+/g, "-")}.${kind}`;
    try {
      const blob = kind === "png" ? await pngBlob(picture, title, sentence)
        : new Blob([svgText(picture, title, sentence)], { type: "image/svg+xml" });
      download(blob, name);
      this.tell(`Salvato ${name}.`);
    } catch {
      this.tell("Il browser non lascia salvare questa figura: prova con un'istantanea dello schermo.");
    }
  }

  async copy() {
    const rows = this.spec.rows(this);
    const done = await copyRows(rows, this.root);
    this.tell(done ? `Copiato: ${formatNumber(rows.length - 1)} righe con le intestazioni, da incollare in un foglio di calcolo.`
      : "Il browser non lascia copiare: usa Salva SVG.");
  }
}

// W11 · Regia: una scena alla volta, da telecomando; ogni scena è uno degli altri widget, aperto come serve.
import { freshId, html, KEY } from "./pieces/dom.js";
import { keepKeys } from "./pieces/keys.js";
import { followTheme } from "./pieces/theme.js";
import { rovingBar } from "./pieces/roving.js";
import { coverNumbers, enlarge, heightOf, innerModel, keepInSight, moduleOf, stillOf } from "./director_scene.js";
import { buttons } from "./director_buttons.js";
import { fillIndex, walkIndex } from "./director_index.js";
import { Notes, noteNodes } from "./director_notes.js";
import { keepPlace, placeKept } from "./director_place.js";

const KEYS = { PageDown: "next", PageUp: "back", r: "reveal", f: "full", g: "freeze", z: "again", i: "index", p: "notes" };
const REMOTE = /^Page(Down|Up)$/; // non sono lettere: vanno avanti e indietro anche da un campo
const TYPING = "input:not([type=range]):not([type=checkbox]):not([type=radio]), select, textarea";
const [RING, LIT] = [".cdl-ring-out, .cdl-seat-on", ".cdl-lit"];
const STILL = "Fermo: premi g per riprendere.";
const ALONE = "In questo file non c'è Python: restano gli esempi già calcolati. Per provare una frase della classe " +
  "apri la Regia con «corso regia».";

class Director {
  constructor(model) {
    Object.assign(this, { model, at: 0, covered: true, frozen: false, stops: [], mounted: {}, began: null });
    this.scenes = model.get("state").scenes;
    this.alone = Boolean(model.get("options").alone);
    this.shown = new Set(); // le scene mostrate: i minuti si contano dalla prima, qualunque sia
    this.build();
  }

  get scene() { return this.scenes[this.at]; }

  build() {
    const title = freshId("scena");
    this.title = html("h2", { class: "cdr-title", id: title });
    this.place = html("p", { class: "cdr-place" });
    this.asked = html("p", { class: "cdr-asked", "aria-live": "polite" });
    this.box = html("div", { class: "cdr-box" });
    this.curtain = html("div", { class: "cdr-curtain" });
    this.told = html("p", { class: "cdr-told", role: "status" });
    this.buttons = buttons((name) => this.act(name));
    this.list = html("ol", { class: "cdr-list", hidden: true, "aria-label": "Tutte le scene" });
    this.below = html("div", { class: "cdr-below" });
    this.notes = new Notes(this.below, () => this.noteNodes(), (name) => this.act(name));
    this.root = html("section", { class: "cdr", lang: "it", tabindex: "-1", "aria-labelledby": title, "data-lm-suppress-shortcuts": "true" },
      html("header", { class: "cdr-head" }, html("div", { class: "cdr-line" }, this.title, this.place), this.asked),
      html("div", { class: "cdr-stage" }, this.list, this.curtain, this.box), this.below, html("footer", { class: "cdr-foot" }, rovingBar(this.buttons, "Regia"), this.told));
  }

  begin() {
    const keys = this.alone ? document.documentElement : this.root;
    const watcher = new ResizeObserver(() => this.fit());
    watcher.observe(this.root);
    const onReply = () => this.onReply();
    this.model.on("change:reply", onReply);
    this.stops.push(keepKeys(keys), followTheme(this.root), () => watcher.disconnect(),
      () => this.model.off("change:reply", onReply));
    this.listen(keys, KEY, (event) => this.onKey(event)); // prima del widget che sta dentro
    this.listen(window, "resize", () => this.fit()); // l'altezza della Regia la diamo noi: da sola non cambia
    this.listen(window, "pagehide", () => this.notes.close());
    if (this.alone) this.listen(window, "hashchange", () => this.jump(placeKept(this.scenes, true) ?? this.at));
    this.go(placeKept(this.scenes, this.alone) ?? 0);
  }

  listen(target, name, action) {
    target.addEventListener(name, action, true);
    this.stops.push(() => target.removeEventListener(name, action, true));
  }

  end() {
    this.visit = null;
    this.leave();
    this.notes.close();
    this.stops.splice(0).forEach((stop) => stop());
    this.root.remove();
  }

  // Va alla scena k. revealed: già scoperta, come quando si torna indietro
  go(k, revealed = false) {
    if (k < 0 || k >= this.scenes.length) return this.tell(k < 0 ? "Questa è la prima scena." : "Era l'ultima scena.");
    this.hold();
    this.list.hidden = true;
    this.at = this.read = k;
    this.covered = Boolean(this.scene.cover) && !revealed;
    this.mount();
    this.tell(`Scena ${k + 1} di ${this.scenes.length}.`);
    keepPlace(this.scenes, k, this.alone);
  }

  // Ciò che ha il fuoco sta per sparire: intanto l'ha la Regia, o i tasti andrebbero al resto della pagina.
  hold() {
    if (this.root.contains(document.activeElement)) this.root.focus({ preventScroll: true });
  }

  // Ciò che va al widget della scena, in Python; oppure che da quella scena si è andati via.
  send(request) {
    this.model.set("request", { ...request, serial: Date.now() + Math.random() });
    this.model.save_changes();
  }

  async mount() {
    this.leave();
    const { scene, box } = this;
    const { widget, values } = this.model.get("state").stages[scene.stage];
    const options = { ...values.options, ...scene.options, predict: false };
    const inner = this.inner = innerModel({ ...values, options }, (request) => {
      if (this.alone) return setTimeout(() => { if (this.inner === inner) this.refuse(); });
      const fresh = !this.visit;
      this.visit ||= { scene: scene.key, visit: Math.random() };
      this.send({ ...this.visit, fresh, inner: request });
    });
    const { render, style } = await moduleOf(widget, this.model.get("state").modules, this.mounted);
    if (this.inner !== inner) return; // intanto si è andati altrove
    const el = html("div", { class: "cdr-scene" });
    box.replaceChildren(html("style", {}, style), el);
    const end = render({ model: inner, el });
    this.view = Object.assign(el.firstChild.view, { remedy: "ricarica la pagina" });
    const forget = keepInSight(this.view.problem);
    this.cleanUp = () => { forget(); end(); };
    if (this.covered) this.cover();
    else this.view.set({ ...scene.before, ...scene.after });
    this.draw();
    this.look();
  }

  // I tasti vanno alla figura, e ciò di cui la scena parla si vede anche dove lo spazio è poco.
  look() {
    const { activeElement } = document;
    if (!this.view) return; // il suo modulo non c'è ancora
    if (!this.root.contains(activeElement) && activeElement !== document.body) return;
    const stage = this.box.querySelector(".cdl-stage");
    if (this.root.dataset.veiled === "true") this.root.focus({ preventScroll: true });
    else stage.focus({ preventScroll: true });
    this.box.parentNode.scrollTop = 0;
    if (this.scene.top || this.root.dataset.veiled === "true") return; // sotto il velo scorrerebbe via la domanda
    for (const name of this.scene.look ? [this.scene.look] : [RING, LIT]) stage.querySelector(name)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // Senza Python: il widget fa come quando il kernel tace, ma subito, e ne dice la ragione.
  refuse() {
    const { view } = this;
    if (!view) return;
    view.onSilence();
    view.trouble = ALONE;
    view.redraw();
  }

  cover() {
    if (!this.view) return;
    this.view.set(this.scene.before);
    if (this.scene.cover === "numbers") this.uncover = coverNumbers(this.view.root);
  }

  leave() {
    this.uncover?.();
    this.cleanUp?.();
    if (this.visit) this.send({ ...this.visit, leave: true });
    this.uncover = this.cleanUp = this.view = this.inner = this.visit = null;
  }

  onReply() {
    const { visit, changes } = this.model.get("reply");
    if (!this.visit || visit !== this.visit.visit) return; // l'ha chiesto la scena di prima
    this.inner?.receive(changes);
    if (changes.answer && !changes.answer.problem) this.box.parentNode.scrollTop = 0; // la figura nuova è in cima
  }

  reveal() {
    if (!this.scene.cover) return this.tell("In questa scena non c'è nulla di coperto.");
    this.covered = !this.covered;
    if (this.covered) this.cover();
    else {
      this.uncover?.();
      this.uncover = null;
      this.view?.set(this.scene.after);
    }
    this.draw();
    this.look();
    this.tell(this.covered ? "Coperto." : "Rivelato.");
  }

  // Lo schermo resta com'è: si mostra una copia, e intanto le note si sfogliano da sole.
  freeze() {
    this.hold();
    this.frozen = !this.frozen;
    this.list.hidden = true;
    this.still?.remove();
    if (this.frozen) this.box.before(this.still = stillOf(this.box));
    else if (this.read !== this.at) this.go(this.read);
    this.box.hidden = this.frozen;
    this.draw();
    if (!this.frozen) this.look();
    this.tell(this.frozen ? STILL : "Ripreso.");
  }

  act(name) {
    if (this.frozen && !["freeze", "notes", "full", "theme"].includes(name)) return this.browse(name);
    const { at } = this;
    if (name === "next" || name === "reveal") {
      this.began ||= Date.now();
      this.shown.add(at);
    }
    ({ next: () => (this.covered ? this.reveal() : this.go(at + 1)), back: () => this.go(at - 1, true), reveal: () => this.reveal(),
      again: () => this.go(at), freeze: () => this.freeze(), index: () => this.index(this.list.hidden), notes: () => this.tell(this.notes.open()),
      full: () => this.full(), theme: () => this.theme() })[name]();
  }

  browse(name) {
    const to = this.read + ({ next: 1, back: -1 }[name] || 0);
    this.jump(this.scenes[to] ? to : this.read);
  }

  // Alla scena k; se lo schermo è fermo, ci vanno soltanto le note.
  jump(k) {
    if (!this.frozen) return this.go(k);
    this.read = k;
    this.notes.write();
    this.tell(STILL);
  }

  index(open) {
    this.list.hidden = !open;
    if (open) fillIndex(this.list, this.scenes, this.at, (k) => this.jump(k));
    else this.root.focus();
  }

  noteNodes() {
    const spent = (Date.now() - (this.began || Date.now())) / 60000;
    const planned = [...new Set(this.shown).add(this.read)].reduce((sum, k) => sum + this.scenes[k].minutes, 0);
    return noteNodes(this.scenes, this.read, { spent, planned, covered: this.covered, frozen: this.frozen });
  }

  full() {
    if (document.fullscreenElement) return document.exitFullscreen();
    return this.root.requestFullscreen?.().catch(() => this.tell("Il browser non dà lo schermo intero: prova F11."));
  }

  theme() {
    document.body.dataset.jpThemeLight = String(this.root.dataset.theme === "dark");
  }

  draw() {
    const { scene, covered } = this;
    const veiled = covered && scene.cover === "picture";
    this.title.textContent = scene.title;
    this.place.textContent = `scena ${this.at + 1} di ${this.scenes.length} · notebook ${scene.notebook}`;
    this.asked.textContent = covered || !scene.cover ? scene.question : scene.answer;
    this.asked.dataset.covered = String(covered || !scene.cover);
    this.asked.hidden = veiled;
    this.curtain.hidden = !veiled;
    this.curtain.replaceChildren(html("p", {}, scene.question));
    this.box.style.visibility = veiled ? "hidden" : "";
    const [reveal, freeze] = ["reveal", "freeze"].map((name) => this.buttons.find(({ dataset }) => dataset.do === name));
    reveal.textContent = covered ? "Rivela" : "Copri";
    reveal.disabled = !scene.cover;
    freeze.setAttribute("aria-pressed", String(this.frozen));
    this.root.dataset.frozen = String(this.frozen);
    this.root.dataset.veiled = String(veiled);
    this.root.dataset.play = String(!scene.cover);
    this.notes.write();
    this.fit();
  }

  // Il widget riempie lo spazio che c'è, con scritte che si leggono dal fondo della classe.
  fit() {
    this.root.style.height = `${heightOf(this.root)}px`;
    enlarge(this.box, this.box.parentNode);
  }

  onKey(event) {
    if (!REMOTE.test(event.key) && event.target.matches?.(TYPING)) return;
    if (event.key === "Escape" && !this.list.hidden) return event.stopPropagation(), this.index(false);
    if (walkIndex(this.list, event.key)) return event.preventDefault(), event.stopPropagation();
    const name = KEYS[event.key];
    if (!name || event.repeat) return name && event.preventDefault();
    event.preventDefault();
    event.stopPropagation();
    this.act(name);
  }

  tell(text) {
    this.told.textContent = text;
  }
}

export default {
  render({ model, el }) {
    const director = new Director(model);
    el.append(director.root);
    director.begin();
    return () => director.end();
  },
};

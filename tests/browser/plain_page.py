"""Un widget vero in una pagina senza Jupyter: il suo modulo, il suo stato, e il kernel se lo si dà.

Il modello della pagina fa quel che fa anywidget: get, set, save_changes, on, off. Con un kernel, ciò che
la pagina salva arriva al widget in Python e ciò che cambia là torna alla pagina.
"""

from __future__ import annotations

import json

import anywidget

PAGE = """<!DOCTYPE html><html lang="it"><head><meta charset="utf-8"><title>Widget</title>
<style>body { margin: 12px; } body[data-jp-theme-light="false"] { background: #111; }</style></head>
<body data-jp-theme-light="LIGHT"><main></main></body></html>"""
MOUNT = """async ({ key, esm, css, values }) => {
  const style = document.createElement("style");
  style.textContent = css;
  document.head.append(style);
  const listeners = {};
  const model = {
    changed: {},
    get: (name) => values[name],
    set: (name, value) => { values[name] = value; model.changed[name] = value; },
    save_changes: () => { const sent = model.changed; model.changed = {};
      if (window.toKernel) window.toKernel(key, JSON.stringify(sent)); },
    on: (name, action) => { (listeners[name] ||= []).push(action); },
    off: (name, action) => { listeners[name] = (listeners[name] || []).filter((other) => other !== action); },
  };
  (window.fromKernel ||= {})[key] = (text) => {
    const changes = JSON.parse(text);
    Object.assign(values, changes);
    for (const name of Object.keys(changes)) for (const action of listeners[`change:${name}`] || []) action();
  };
  const module = await import(URL.createObjectURL(new Blob([esm], { type: "text/javascript" })));
  const el = document.createElement("div");
  el.id = key;
  (window.mounted ||= {})[key] = { module, model };
  document.querySelector("main").append(el);
  const start = performance.now();
  (window.cleanUps ||= {})[key] = await module.default.render({ model, el });
  return performance.now() - start;
}"""


class PlainPage:
    """Una pagina con uno o più widget; `errors` e `outside` devono restare vuoti."""

    def __init__(self, browser, *, theme="light", width=1060, height=800, zoom=1.0):
        self.context = browser.new_context(viewport={"width": width, "height": height},
                                           device_scale_factor=zoom, accept_downloads=True)  # fmt: skip
        self.page = self.context.new_page()
        self.errors, self.outside, self.widgets, self.held = [], [], {}, []
        self.page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("request", lambda r: self.outside.append(r.url) if r.url.startswith("http") else None)
        self.page.set_content(PAGE.replace("LIGHT", "true" if theme == "light" else "false"))

    def kernel(self, *, held=False):
        """Da qui le richieste della pagina arrivano ai widget in Python; con `held` aspettano `answer`."""
        self.page.expose_function("toKernel", self._hold if held else self._to_kernel)
        return self

    def add(self, widget, key="widget"):
        """Mostra il widget. Restituisce il suo elemento."""
        self.widgets[key] = widget
        own = set(widget.trait_names(sync=True)) - set(anywidget.AnyWidget.class_trait_names())
        values = {name: getattr(widget, name) for name in own if not name.startswith("_")}
        self.page.evaluate(MOUNT, {"key": key, "esm": widget._esm, "css": widget._css, "values": values})
        return self.page.locator(f"#{key}")

    def view(self, of, key):
        """Un'altra vista dello stesso modello, come quando si apre un'uscita in un altro pannello."""
        self.page.evaluate("""async ([of, key]) => {
            const el = document.createElement("div");
            el.id = key;
            document.querySelector("main").append(el);
            const { module, model } = window.mounted[of];
            window.cleanUps[key] = await module.default.render({ model, el }); }""", [of, key])
        return self.page.locator(f"#{key}")

    def answer(self, k=0):
        """Il kernel risponde alla richiesta trattenuta k."""
        self._to_kernel(*self.held.pop(k))

    def _hold(self, key, sent):
        self.held.append((key, sent))

    def _to_kernel(self, key, sent):
        widget, changed = self.widgets[key], {}
        note = lambda change: changed.update({change["name"]: change["new"]})  # noqa: E731
        widget.observe(note)
        try:
            for name, value in json.loads(sent).items():
                setattr(widget, name, value)
        finally:
            widget.unobserve(note)
        answer = {name: value for name, value in changed.items() if name not in json.loads(sent)}
        # la risposta parte quando questa chiamata è tornata: il browser non ci aspetta
        self.page.evaluate("([key, text]) => { setTimeout(() => window.fromKernel[key](text), 0); }",
                           [key, json.dumps(answer)])  # fmt: skip

    def close(self):
        """Chiude la pagina."""
        self.context.close()

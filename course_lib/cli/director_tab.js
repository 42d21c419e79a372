// La piccola estensione di JupyterLab che apre la Regia: esegue il suo notebook e ne mostra l'uscita in una scheda.
// È già nel formato che Lab carica (un contenitore di «module federation»), così non serve compilarla.
(() => {
  const NOTEBOOK = "Regia.ipynb";
  const TAB = "Regia";

  async function open(app) {
    await app.restored;
    dismissNotices();
    app.shell.mode = "multiple-document"; // ricaricata la pagina sarebbe già a scheda sola, e l'uscita finirebbe in fondo
    const panel = await app.commands.execute("docmanager:open", { path: NOTEBOOK, factory: "Notebook" });
    await panel.revealed;
    await panel.sessionContext.ready;
    keepClean(panel.context.model);
    await app.commands.execute("notebook:run-all-cells");
    app.shell.activateById(panel.id);
    const before = new Set(mainIds(app));
    await app.commands.execute("notebook:create-output-view");
    const view = [...app.shell.widgets("main")].find(({ id }) => !before.has(id));
    if (view) {
      view.title.label = TAB;
      view.addClass("cdr-tab");
    }
    app.shell.collapseLeft();
    app.shell.collapseRight();
    app.shell.mode = "single-document";
    const hidden = [["application:toggle-side-tabbar", { side: "left" }], ["application:toggle-side-tabbar", { side: "right" }],
      ["statusbar:toggle", {}]];
    for (const [name, args] of hidden) if (app.commands.isToggled(name, args)) await app.commands.execute(name, args);
    if (view) {
      app.shell.activateById(view.id);
      focusWhenReady(view.node);
    }
  }

  // Non c'è nulla da salvare: chi ricarica o chiude la scheda non deve rispondere a una domanda.
  function keepClean(model) {
    const clean = () => { if (model.dirty) model.dirty = false; };
    model.stateChanged.connect(clean);
    clean();
  }

  // Il telecomando manda i suoi tasti a chi ha il fuoco: appena c'è, lo ha la Regia.
  function focusWhenReady(node) {
    const observer = new MutationObserver(() => look());
    const look = () => {
      const regia = node.querySelector(".cdr");
      if (!regia) return;
      observer.disconnect();
      regia.focus();
    };
    observer.observe(node, { childList: true, subtree: true });
    look();
  }

  // Un avviso con un bottone solo («il kernel si riavvia») davanti alla classe toglierebbe i tasti alla Regia:
  // non c'è nulla da scegliere, e ciò che serve la scena lo dice da sé.
  function dismissNotices() {
    new MutationObserver(() => {
      for (const notice of document.querySelectorAll(".jp-Dialog")) {
        const buttons = notice.querySelectorAll(".jp-Dialog-footer button, .jp-Dialog-button");
        if (new Set(buttons).size === 1) buttons[0].click();
      }
    }).observe(document.body, { childList: true, subtree: false });
  }

  const mainIds = (app) => [...app.shell.widgets("main")].map(({ id }) => id);
  const plugin = { id: "chiave-di-lettura-regia:plugin", autoStart: true, activate: (app) => { open(app); } };
  (window._JUPYTERLAB ||= {})["chiave-di-lettura-regia"] = {
    init() {},
    get: async () => () => ({ __esModule: true, default: plugin }),
  };
})();

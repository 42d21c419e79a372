"""Quanto attende chi usa un widget: dal tasto alla figura ridipinta; e con `interact` e matplotlib.

python benchmarks/widgets.py: circa quattro minuti, su una macchina libera; serve Chromium. I comandi locali
si misurano in una pagina, quelli che passano dal kernel e `interact` in JupyterLab con un kernel vero, nella
stessa esecuzione. Un tempo va dal tasto (event.timeStamp) a dopo il fotogramma che ne mostra l'effetto.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

import common

common.in_clean_process()

import nbformat  # noqa: E402
import numpy as np  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

import course_lib.widgets as widgets  # noqa: E402
from course_lib.transformer.masks import causal_mask  # noqa: E402
from tests.browser.conftest import CHROMIUM_FLAGS, LabServer  # noqa: E402
from tests.browser.plain_page import PlainPage  # noqa: E402
from tests.browser.test_widgets_in_jupyter import Jupyter, api  # noqa: E402
from tests.conftest import require  # noqa: E402

COUNTS, ROUNDS = (6, 12, 24), 60
FILE = "confronto.ipynb"
WORDS = "una vecchia legge la regola in silenzio mentre il gatto dorme sul divano e il topo mangia le".split()
# Da un tasto al fotogramma che mostra la sua risposta: il canale risponde dopo che il browser ha dipinto.
WATCH = """() => {
  window.times = [];
  window.painted = (start) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => window.times.push(performance.now() - start);
    channel.port2.postMessage(0);
  });
  window.addEventListener("keydown", (event) => {
    window.pressed = event.timeStamp;
    if (!window.remote) window.painted(event.timeStamp);
  }, true);
}"""
# Per i comandi del kernel conta quando la figura, o l'immagine di matplotlib, è cambiata.
WATCH_CHANGE = """(selector) => {
  window.remote = true;
  const target = document.querySelector(selector);
  let last = target.querySelector("img")?.src;
  new MutationObserver(() => {
    if (window.pressed === null || target.querySelector('[data-waiting]') || target.dataset.waiting) return;
    const image = target.querySelector("img");
    if (last && (!image || image.src === last)) return;  // la barra si è mossa, il disegno non ancora
    last = image?.src;
    const start = window.pressed;
    window.pressed = null;
    if (image && !image.complete) image.onload = () => window.painted(start);
    else window.painted(start);
  }).observe(target, { subtree: true, childList: true, attributeFilter: ["data-waiting", "src"] });
}"""
INTERACT = """import matplotlib.pyplot as plt
import numpy as np
from ipywidgets import IntSlider, interact
weights = np.random.default_rng(0).dirichlet(np.ones({n}), size={n})
def draw(i):
    figure, axes = plt.subplots(figsize=(9, 9))
    axes.imshow(weights, cmap="RdBu", vmin=-1, vmax=1)
    for a, row in enumerate(weights):
        for b, value in enumerate(row):
            axes.text(b, a, f"{{value:.3f}}", ha="center", va="center", fontweight="bold" if a == i else None)
    plt.show()
interact(draw, i=IntSlider(0, 0, {n} - 1))"""


def words(n):
    """n parole diverse."""
    return [*WORDS, "mele", "ieri", "chiara", "era", "libro", "che", "pesce"][:n]


def made(n):
    """I widget con n token, dove ne hanno; di ciascuno il nome e come si costruisce."""
    rng = np.random.default_rng(n)
    maps = rng.dirichlet(np.ones(n), size=(2, 4, n))
    found = {
        "CellLens": lambda: widgets.CellLens(
            *rng.normal(size=(3, n, 4)), words(n), mask=causal_mask(n), predict=False
        ),
        "MaskBoard": lambda: widgets.MaskBoard(rng.normal(size=(n, n)), words(n), predict=False),
        "HeadAtlas": lambda: widgets.HeadAtlas(weights=maps, tokens=words(n), predict=False),
        "PositionClock": lambda: widgets.PositionClock(n, predict=False),
        "Simulator": lambda: widgets.Simulator(" ".join(words(n)), phase=4, predict=False),
    }
    if n <= 12:
        found["BlockPath"] = lambda: widgets.BlockPath(" ".join(words(n)), predict=False)
    if n == 12:  # senza token, o con i loro
        for name in ("SoftmaxTemperature", "RootOfD", "GenerationDesk", "LiveTraining"):
            found[name] = lambda name=name: getattr(widgets, name)(predict=False)
    return found


def press(page, count, keys):
    """Preme i tasti a turno, uno alla volta, e restituisce i tempi in millisecondi."""
    start = page.evaluate("window.times.length")  # quelli di prima sono di un altro comando
    for k in range(count + 4):
        before = page.evaluate("window.times.length")
        page.keyboard.press(keys[k % len(keys)])
        page.wait_for_function("before => window.times.length > before", arg=before, timeout=20_000)
        page.wait_for_timeout(40)
    return page.evaluate("window.times")[start + 4 :]


def summary(name, n, times):
    """Mediana e 95° percentile."""
    case = {
        "case": name, "tokens": n, "median_ms": round(statistics.median(times), 1),
        "p95_ms": round(float(np.percentile(times, 95)), 1), "presses": len(times),
    }  # fmt: skip
    print(f"{name:<34}{n:>4}  mediana {case['median_ms']:>7} ms  p95 {case['p95_ms']:>7} ms", flush=True)
    return case


def local(browser):
    """I comandi locali di ogni widget, con le frecce."""
    cases = []
    for n in COUNTS:
        for name, make in made(n).items():
            page = PlainPage(browser)
            page.page.evaluate(WATCH)
            page.add(make()).locator(".cdl-stage").focus()
            keys = ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"]
            cases.append(summary(f"{name}, locale", n, press(page.page, ROUNDS, keys)))
            page.close()
    return cases


def cell(source):
    """Una cella di codice."""
    return nbformat.v4.new_code_cell(source)


def in_jupyter(browser, course):
    """Primo disegno, comandi del kernel e `interact`, in JupyterLab."""
    names = widgets.__all__
    sources = [f"from course_lib.widgets import {name}\n{name}(predict=False)" for name in names]
    scores = "import numpy as np\nfrom course_lib.widgets import MaskBoard\nrng = np.random.default_rng(0)\n"
    scores += "MaskBoard(rng.normal(size=(12, 12)), [f't{i}' for i in range(12)], predict=False)"
    notebook = nbformat.v4.new_notebook(cells=[cell("1 + 1"), *map(cell, sources), cell(scores)])
    notebook.cells += [cell(INTERACT.format(n=n)) for n in (6, 12)]
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, course / "notebooks" / FILE)
    server = LabServer(course, 8951)
    jupyter = Jupyter(browser, server, "lab/tree", FILE)
    jupyter.wait_until_ready()
    try:
        return cold_paint(jupyter, server, names) + kernel(jupyter.page, len(names))
    finally:
        jupyter.page.close()
        server.close()


def run_cell(page, k):
    """Esegue la cella k con Maiusc+Invio."""
    page.locator(".jp-Notebook .jp-CodeCell").nth(k).locator(".jp-InputArea-editor").click()
    page.keyboard.press("Shift+Enter")


def cold_paint(jupyter, server, names):
    """Il primo disegno di ogni widget: dopo gli altri, e in un kernel nuovo, che importa anche matplotlib."""
    run_cell(jupyter.page, 0)
    jupyter.page.wait_for_timeout(2000)
    cases = [first_paint(jupyter.page, name, k) for k, name in enumerate(names, 1)]
    for k, name in enumerate(names, 1):
        jupyter.menu("Modifica", "Cancella gli output di tutte le celle")
        identifier = api(server, "kernels")[0]["id"]
        api(server, f"kernels/{identifier}/restart", "POST")
        jupyter.page.wait_for_timeout(4000)
        run_cell(jupyter.page, 0)
        jupyter.page.wait_for_timeout(2000)
        found = first_paint(jupyter.page, name, k, ", kernel nuovo")
        cases[k - 1]["cold_ms"] = found["ms"]
    return cases


def first_paint(page, name, k, how=""):
    """Da Maiusc+Invio nella cella k al primo disegno del suo widget."""
    page.evaluate(
        """() => {
          window.shown = null;
          const drawn = () => document.querySelectorAll('.cdl-stage svg').length;
          const start = performance.now(), count = drawn();
          const done = () => { window.shown = performance.now() - start; };
          const look = () => (drawn() > count ? setTimeout(done) : requestAnimationFrame(look));
          look();
        }"""
    )
    run_cell(page, k)
    page.wait_for_function("() => window.shown !== null", timeout=60_000)
    milliseconds = round(page.evaluate("window.shown"))
    print(f"{name + how + ', primo disegno':<48}  {milliseconds} ms", flush=True)
    page.wait_for_timeout(500)
    return {"case": f"{name}, primo disegno", "ms": milliseconds}


def kernel(page, count):
    """Un comando che passa dal kernel (una cella della maschera disegnata a mano), poi `interact`."""
    page.evaluate(WATCH)
    run_cell(page, count + 1)
    page.wait_for_timeout(2000)
    board = page.locator(".cdl").last
    board.evaluate("node => { node.id = 'misura'; }")
    page.evaluate(WATCH_CHANGE, "#misura")
    board.locator(".cdl-stage").focus()
    cases = [summary("MaskBoard, kernel", 12, press(page, ROUNDS, [" "]))]
    for k, n in enumerate((6, 12)):
        run_cell(page, count + 2 + k)
        slider = page.locator(".jp-CodeCell").nth(count + 2 + k).locator("[role='slider']")
        slider.wait_for(timeout=30_000)
        page.wait_for_timeout(2000)
        output = page.locator(".jp-CodeCell").nth(count + 2 + k).locator(".jp-OutputArea").first
        output.evaluate(f"node => {{ node.id = 'interact-{n}'; }}")
        page.evaluate(WATCH_CHANGE, f"#interact-{n}")
        slider.focus()
        keys = ["ArrowRight"] * (n - 1) + ["ArrowLeft"] * (n - 1)
        cases.append(summary("interact e matplotlib", n, press(page, 20, keys)))
    return cases


def main():
    """Tutto il confronto."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prova", action="store_true", help="non scrive results/widgets.json")
    args = parser.parse_args()
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=require("chromium"), args=CHROMIUM_FLAGS)
        course = Path(folder) / "corso"
        unwanted = (".git", ".venv*", "registro", ".costruzione", ".corso", "__pycache__")
        shutil.copytree(common.ROOT, course, ignore=shutil.ignore_patterns(*unwanted))
        cases = local(browser) + in_jupyter(browser, course)
        browser.close()
    peers = {case["tokens"]: case["median_ms"] for case in cases if case["case"].startswith("interact")}
    for case in cases:
        if case.get("tokens") in peers and "locale" in case["case"]:
            case["ratio"] = round(peers[case["tokens"]] / case["median_ms"], 1)
    if not args.prova:
        sizes = {name: len(getattr(widgets, name)()._esm.encode()) for name in widgets.__all__}
        common.write("widgets", cases, javascript_bytes=sizes, load_at_end=round(os.getloadavg()[0], 2))


if __name__ == "__main__":
    sys.exit(main())

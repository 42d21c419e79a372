// Ciò che la pagina della dispensa fa prima che la si stampi: disegna le formule, e poi scrive i numeri di pagina.

/** Aspetta i caratteri, le figure e le formule. */
async function pronta() {
  await MathJax.startup.promise;
  for (const box of document.querySelectorAll("mjx-container")) {
    const drawing = box.querySelector("svg");
    const source = box.closest(".math")?.dataset.tex;
    if (source) drawing.setAttribute("aria-label", source);
  }
  await document.fonts.ready;
  await Promise.all([...document.images].map((image) => image.decode()));
}

/** Scrive in ogni rimando la pagina a cui porta; pages: nome del posto -> numero. */
function scriviPagine(pages) {
  for (const link of document.querySelectorAll("a.pagina")) {
    const page = pages[decodeURIComponent(link.hash.slice(1))];
    if (page) link.textContent = page;
  }
}

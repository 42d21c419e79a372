// Quanti risultati ha una ricerca: in italiano Sphinx non lo dice, e sotto il titolo resterebbe una riga vuota.
Documentation.addTranslations({
  locale: "it",
  messages: {
    "Search finished, found one page matching the search query.": [
      "Trovato un risultato.",
      "Trovati ${resultCount} risultati.",
    ],
  },
  plural_expr: "n === 1 ? 0 : 1",
});

// Da una cartella il browser non lascia leggere le pagine trovate: se ne dà il titolo, senza le righe intorno.
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;

// Una formula più larga del suo spazio scorre: chi usa la tastiera ci arriva con Tab, e la muove con le frecce.
function reachable() {
  for (const formula of document.querySelectorAll('mjx-container[display="true"]')) {
    if (formula.scrollWidth > formula.clientWidth) formula.tabIndex = 0;
    else formula.removeAttribute("tabindex");
  }
}

window.addEventListener("load", () => {
  globalThis.MathJax?.startup?.promise.then(reachable);
});
window.addEventListener("resize", reachable);

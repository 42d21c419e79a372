// Che cosa c'è nella pagina della dispensa: larghezze, formule, link. column: la larghezza del foglio.
(column) => {
  const named = (one) => `${one.tagName} ${one.closest("[style]")?.id}: ${one.textContent.trim().slice(0, 60)}`;
  const all = (what) => [...document.querySelectorAll(what)];
  const boxes = all("pre, table, figure, img, div.math, svg, p, li");
  const wide = boxes.filter((one) => {
    const room = one.getBoundingClientRect();
    return room.right > column + 1 || room.left < -1 || (one.matches("pre") && one.scrollWidth > one.clientWidth + 1);
  });
  const formulas = all(".math");
  const unset = formulas.filter((one) => !one.querySelector("mjx-container svg path, mjx-container svg use") ||
    one.querySelector("[data-mml-node=merror]"));
  const ids = all("[id]").map((one) => one.id).filter((id) => !id.startsWith("MJX"));
  const links = all("a[href^='#']").filter((one) => !one.closest("svg"));
  return {
    seen: boxes.length,
    wide: wide.map(named),
    formulas: formulas.length,
    unset: unset.map(named),
    links: links.length,
    lost: links.map((one) => decodeURIComponent(one.hash.slice(1))).filter((id) => !document.getElementById(id)),
    repeated: ids.filter((id, at) => ids.indexOf(id) !== at),
  };
}

// Quanto è largo il disegno, in unità: 1000, oppure 640 dove lo spazio è poco, perché le scritte restino leggibili.
const NARROW_PIXELS = 700;

export const roomOf = (view) => (view.narrow ? 640 : 1000);

// Da chiamare una volta, in `controls`: ridisegna quando lo spazio passa da largo a stretto, o il contrario.
// least: sotto quanti pixel è stretto
export function followRoom(view, least = NARROW_PIXELS) {
  view.least = least;
  const look = () => {
    const pixels = view.stage.clientWidth;
    const narrow = pixels > 0 && pixels < least;
    const changed = narrow !== Boolean(view.narrow);
    view.narrow = narrow;
    return changed;
  };
  look();
  const observer = new ResizeObserver(() => { if (look()) view.redraw(); });
  observer.observe(view.stage);
  view.stops.push(() => observer.disconnect());
}

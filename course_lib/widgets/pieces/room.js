// Quanto è largo il disegno, in unità: 1000, oppure 640 dove lo spazio è poco, perché le scritte restino leggibili.
const NARROW_PIXELS = 700;

export const roomOf = (view) => (view.narrow ? 640 : 1000);

// Da chiamare una volta, in `controls`: ridisegna quando lo spazio passa da largo a stretto, o il contrario.
export function followRoom(view) {
  const look = () => {
    const pixels = view.stage.clientWidth;
    const narrow = pixels > 0 && pixels < NARROW_PIXELS;
    const changed = narrow !== Boolean(view.narrow);
    view.narrow = narrow;
    return changed;
  };
  look();
  const observer = new ResizeObserver(() => { if (look()) view.redraw(); });
  observer.observe(view.stage);
  view.stops.push(() => observer.disconnect());
}

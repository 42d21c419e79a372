// Comandi che chiedono al kernel di continuo: una richiesta in volo per volta, al più 20 al secondo, l'ultima vince.
const GAP = 50; // millisecondi fra due richieste

// Da chiamare una volta, in spec.controls. landed(): è arrivata la risposta.
export function liveRequests(view, landed) {
  let [latest, sent, flying, timer, serial] = [null, -GAP, false, 0, 0];
  const waiting = () => view.root.dataset.waiting !== undefined;
  const answered = () => view.model.get("answer").serial === serial;
  const send = () => {
    const request = latest;
    [latest, timer, flying, sent] = [null, 0, true, performance.now()];
    view.ask(request);
    serial = view.serial;
  };
  const plan = () => {
    if (!latest || timer || (flying && waiting())) return;
    const rest = sent + GAP - performance.now();
    if (rest <= 0) send();
    else timer = setTimeout(send, rest);
  };
  view.watch("answer", () => {
    if (!flying || !answered()) return;
    flying = false;
    plan();
    landed();
    view.redraw();
  });
  view.stops.push(() => clearTimeout(timer));
  return {
    want(request) { latest = request; plan(); },
    // Lascia perdere ciò che è in volo: se arriverà, non cambierà ciò che si vede.
    forget() {
      clearTimeout(timer);
      view.calm();
      [latest, flying, timer] = [null, false, 0];
    },
    get busy() { return Boolean(latest || timer || (flying && waiting() && !answered())); },
    // L'ultima richiesta è rimasta senza risposta: il kernel non c'è, o è occupato.
    get silent() { return flying && !waiting() && !answered(); },
  };
}

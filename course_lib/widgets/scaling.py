"""W4, Perché √d: la varianza di q·k cresce come d, e con lei il coefficiente più grande.

| comando | dove agisce |
|---|---|
| d: cursore, frecce a destra e a sinistra, Inizio, Fine, clic sulla curva | kernel; senza, i già calcolati |
| «Nuovo campione», `r`: un altro seme | kernel |
| frecce su e giù, clic: quale disegno descrive la frase | locale |
| Invio: fissare un d per confronto; Esc: lasciarlo | locale |
| Prima prevedi | locale |
"""

from __future__ import annotations

from course_lib.widgets.frame import CourseWidget, parts
from course_lib.widgets.state import scaling as states

READY = (2, 4, 8, 16, 32, 64, 128, 256, 512)     # i d già calcolati, con il seme iniziale


class RootOfD(CourseWidget):
    """Prodotti di vettori casuali, con e senza ÷√d.

    d: le componenti, da 2 a 512   seed: il seme del campione, mostrato
    predict: chiede che cosa farà il coefficiente più grande prima di mostrarne la curva
    Solleva ValueError se d o seed non vanno.
    """

    locals().update(parts("scaling"))

    def __init__(self, d=64, *, seed=states.SEED, predict=True):
        found = states.state(d, seed)
        ready = [found, *(states.state(other, seed) for other in READY if other != d)]
        presets = [{"name": f"d = {one['d']}", "note": "", "state": one} for one in ready]
        super().__init__(state=found, presets=presets, options={"predict": bool(predict)})

    def answer_to(self, request):
        """Lo stato del d e del seme chiesti."""
        return states.state(request.get("d"), request.get("seed", states.SEED))

    def fallback(self):
        """Gli istogrammi di tre d: 4, 64, 512."""
        from course_lib.figures.scaling import three_dimensions

        panels = [states.state(d, self.presets[0]["state"]["seed"]) for d in (4, 64, 512)]
        return three_dimensions(panels, "\n\n".join(states.summary(panel) for panel in panels))

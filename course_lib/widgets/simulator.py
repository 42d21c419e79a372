"""W1, il Simulatore in quattro fasi: token e ID, embedding, codifica posizionale, tavolo dell'attenzione.

| comando | dove agisce |
|---|---|
| `1`–`4`, `n`, `b`, bottoni: la fase | locale |
| frecce, Inizio, Fine, mouse: il token, la dimensione, la coppia; `s`: l'altra frase | locale |
| Invio, clic: fissare; Esc: lasciare | locale |
| anelli, differenze, Prima prevedi | locale |
| esempi: i cinque esperimenti e le coppie di frasi | locale: stati già calcolati |
| d, posizioni | locale sugli esempi, kernel sulle frasi di chi legge |
| la propria frase, e quella a fianco | kernel |
"""

from __future__ import annotations

import operator

import numpy as np

from course_lib.transformer.sentences import IN
from course_lib.transformer.simulator import LEAST_D, MOST_D
from course_lib.widgets.frame import CourseWidget, parts
from course_lib.widgets.state import simulator, simulator_scenes
from course_lib.widgets.state.plain import check_whole

PHASES = (1, 2, 3, 4)
NOTEBOOKS = {3: 5, 4: 6}         # in quale notebook si apre una fase, se qui è chiusa


class Simulator(CourseWidget):
    """Una frase, o due a fianco, attraverso le quattro fasi; senza argomenti, la frase del corso.

    sentence, second: le frasi, al più 24 parole ciascuna   d: da 2 a 8   positions: si somma 0,3 × PE?
    experiment: il titolo di un esempio, o un numero da 1 a 5: gli esperimenti del documento
    phase: con quale fase si apre   phases: quali si possono aprire; le altre dicono in quale notebook
    predict: chiede una previsione prima di mostrare i coefficienti
    Solleva ValueError se frasi, d, esempio o fasi non vanno.
    Fonte: documento S2.
    """

    locals().update(parts("simulator"))

    def __init__(
        self, sentence=None, second=None, *, experiment=None, d=None, positions=None, phase=None,
        phases=PHASES, predict=True,
    ):  # fmt: skip
        phases = _checked_phases(phases)
        opened = phases[0] if phase is None else phase
        if not np.isscalar(opened) or opened not in phases:
            raise ValueError(
                f"phase: mi aspettavo una fra le fasi aperte, {phases}, è arrivato {phase!r:.40}."
            )
        d = None if d is None else check_whole("d", d, LEAST_D, MOST_D)
        sentences = [IN if sentence is None else sentence] + ([] if second is None else [second])
        opening = simulator_scenes.opening(sentences, 4 if d is None else d, positions is not False)
        example = 0 if experiment is None else _checked_experiment(experiment)
        scene = simulator_scenes.SCENES[example - 1] if example else opening
        found = scene.state(d, positions)
        presets = [simulator.packed(opening), *simulator_scenes.packed_scenes()]
        options = {
            "example": example, "d": found["d"], "positions": found["positions"], "phase": int(opened),
            "phases": phases, "predict": bool(predict), "waves": simulator.waves(),
            "notebooks": {str(p): NOTEBOOKS.get(p) for p in PHASES},
        }  # fmt: skip
        super().__init__(state=found, presets=presets, options=options)

    def answer_to(self, request):
        """Lo stato delle frasi di chi legge; quella a fianco può mancare."""
        second = request.get("second") or ""
        return simulator.state(
            request.get("sentence"), second if second.strip() else None, request.get("d", 4),
            bool(request.get("positions", True)),
        )  # fmt: skip

    def fallback(self):
        """Le quattro fasi della frase con cui si apre, in quattro riquadri."""
        from course_lib.figures.simulator import four_phases

        return four_phases(self.state, self.options["phases"], self.options["notebooks"])


def _checked_phases(phases):
    """Le fasi aperte, in ordine. Solleva ValueError se non sono numeri da 1 a 4."""
    try:
        found = sorted({operator.index(phase) for phase in phases})
    except TypeError:
        found = []
    if not found or any(phase not in PHASES for phase in found):
        raise ValueError(
            f"phases: mi aspettavo numeri da 1 a 4, per esempio (1, 2), è arrivato {phases!r:.40}."
        )
    return found


def _checked_experiment(experiment):
    """Il posto dell'esempio fra quelli già calcolati. Solleva ValueError se non c'è."""
    names = [scene.name for scene in simulator_scenes.SCENES]
    if experiment in names:
        return names.index(experiment) + 1
    if isinstance(experiment, int) and not isinstance(experiment, bool) and 1 <= experiment <= 5:
        return experiment
    listed = ", ".join(f"«{name}»" for name in names)
    raise ValueError(
        f"experiment: mi aspettavo un numero da 1 a 5, o uno fra {listed}; è arrivato {experiment!r:.40}."
    )

"""W3, Softmax e temperatura: dai logit ai coefficienti, e che cosa li cambia o li lascia come sono.

| comando | dove agisce |
|---|---|
| frecce su e giù, Inizio, Fine, clic: la riga | locale |
| frecce a destra e a sinistra, Pag su, Pag giù, cursori: il logit | kernel |
| cursore della temperatura, `+`, `-`: τ | kernel; senza, i valori già calcolati |
| «+c a tutti», `c` | kernel; senza, i valori già calcolati |
| quanti candidati, da 3 a 8 | kernel |
| esempi già pronti | locale: stati già calcolati |
| stabile o diretta, `m` | locale |
| Invio, «Fissa»: confronto con i coefficienti di adesso; Esc: lasciare | locale |
| Prima prevedi | locale |
"""

from __future__ import annotations

from course_lib.transformer import examples
from course_lib.widgets.frame import CourseWidget, parts
from course_lib.widgets.state import temperature as states

TEMPERATURES = (0.1, 0.5, 1.0, 2.0, 5.0)         # quelle già calcolate per ogni esempio
SHIFTS = (-1000.0, 0.0, 1.0, 100.0, 1000.0)      # i valori di c; ≠ 0 già calcolati con τ = 1
READY = (
    ("1000; 1001; 1002", "Numeri grandi: la formula diretta trabocca.", [1000.0, 1001.0, 1002.0]),
    ("logit uguali", "Logit uguali: coefficienti uguali, a ogni temperatura.", [1.0, 1.0, 1.0]),
)


class SoftmaxTemperature(CourseWidget):
    """La softmax di pochi logit; senza argomenti, quelli di «era» che guarda chiave, libri, era.

    logits: da 3 a 8 numeri   names: i nomi   temperature: τ, da 0,1 a 5
    predict: chiede una previsione prima di mostrare che cosa fanno τ e c
    Solleva ValueError se un argomento non va.
    """

    locals().update(parts("temperature"))

    def __init__(self, logits=None, names=None, *, temperature=1.0, predict=True):
        title, note = "i tuoi logit", ""
        if logits is None:
            example = examples.chiave_libri_era()
            logits, names = example.scores[2], names or example.tokens
            title, note = "2; 0; 1 (chiave, libri, era)", "I punteggi di «era» che guarda chiave, libri, era."
        found = states.state(logits, temperature, names=names)
        presets = _around(title, note, found, twice=True)
        for name, text, values in READY:
            presets += _around(name, text, states.state(values))
        options = {"predict": bool(predict), "shifts": list(SHIFTS)}
        super().__init__(state=found, presets=presets, options=options)

    def answer_to(self, request):
        """I coefficienti dei logit chiesti; `count` chiede una candidata in più o in meno."""
        logits, names = list(request.get("logits") or []), list(request.get("names") or [])
        span, count = request.get("span"), request.get("count", len(logits))
        if not states.FEWEST <= count <= states.MOST:
            raise ValueError(f"I candidati vanno da {states.FEWEST} a {states.MOST}: {count} non si può.")
        while len(logits) < count:
            logits, names = [*logits, states.middle(span)], states.longer(names)
        return states.state(
            logits[:count], request.get("temperature"), request.get("shift", 0.0), names[:count], span
        )

    def fallback(self):
        """I coefficienti dello stato iniziale a tre temperature: 0,5, 1 e 2."""
        from course_lib.figures.temperature import temperatures

        first = self.presets[0]["state"]
        panels = [states.state(first["logits"], t, names=first["names"]) for t in (0.5, 1.0, 2.0)]
        return temperatures(panels, "\n\n".join(states.summary(panel) for panel in panels))


def _around(name, note, found, twice=False):
    """Lo stato `found` con il suo nome; poi, senza nome, le altre temperature e gli altri c già calcolati."""
    logits, names, now = found["logits"], found["names"], found["temperature"]
    places = [(t, 0.0) for t in TEMPERATURES]
    places += [(t, c) for t in ((1.0, 2.0) if twice else (1.0,)) for c in SHIFTS if c]
    others = [states.state(logits, t, c, names) for t, c in places if (t, c) != (now, 0.0)]
    unnamed = [{"name": "", "note": "", "state": other} for other in others]
    return [{"name": name, "note": note, "state": found}, *unnamed]

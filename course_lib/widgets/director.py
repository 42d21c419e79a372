"""W11, la Regia: le scene con cui si tiene una lezione dal vivo, fatte con gli altri widget del corso.

| comando | dove agisce |
|---|---|
| PagGiù, PagSu: avanti (prima rivela), indietro; `r`: rivela o copre | locale |
| `i`: tutte le scene; `z`: la scena com'era; `g`: ferma lo schermo | locale |
| `p`: le note di chi presenta, in un'altra finestra; `f`: schermo intero | locale |
| tutto ciò che fa il widget della scena, con i suoi tasti | come in quel widget |
| frase della classe | kernel |
"""

from __future__ import annotations

import traitlets

from course_lib.widgets import assets
from course_lib.widgets.frame import CourseWidget, parts
from course_lib.widgets.scenes import SCENES
from course_lib.widgets.scenes.packing import packed
from course_lib.widgets.scenes.stages import opened

PASSED = ("state", "answer", "problem")  # ciò che il widget di una scena manda al browser


class Director(CourseWidget):
    """La Regia. Ogni stato è già nella pagina: se il kernel si spegne, le scene restano.

    scenes: quali scene, nell'ordine in cui si mostrano; se mancano, tutte
    Solleva ValueError se non ce n'è nessuna.
    """

    locals().update(parts("director"))
    reply = traitlets.Dict().tag(sync=True)

    def __init__(self, scenes=SCENES):
        self._scenes, self._inner = {scene.key: scene for scene in scenes}, {}
        self._collecting, self._visits, self._replies = (None, {}), {}, 0
        if not self._scenes:
            raise ValueError("Mi aspettavo almeno una scena, non ce n'è nessuna: dammi quelle da mostrare.")
        found = packed(self._scenes.values())
        names = {stage["widget"] for stage in found["stages"].values()}
        modules = {name: {"esm": assets.module(name), "css": assets.style(name)} for name in sorted(names)}
        super().__init__(state={**found, "modules": modules}, options={"alone": False})

    @traitlets.observe("request")
    def _on_request(self, change):
        """Ciò che chi presenta chiede al widget di una scena: lo riceve quel widget, in Python."""
        request = change["new"]
        scene = self._scenes.get(request.get("scene"))
        if scene is None:
            return
        if request.get("fresh") or request.get("leave"):
            self._leave(scene.key)
        if request.get("leave"):
            return
        self._visits[scene.key] = request.get("visit")
        self._collecting = scene.key, {}
        try:
            self._widget(scene)._on_request({"new": request.get("inner") or {}})
        finally:
            (_, changes), self._collecting = self._collecting, (None, {})
        self._pass_on(scene.key, changes)

    def _widget(self, scene):
        """Il widget di una scena, senza vista: quella la mostra la Regia, a cui arriva ciò che cambia."""
        if scene.key not in self._inner:
            made = self._inner[scene.key] = opened(scene.stage)
            made.observe(lambda change: self._on_change(scene.key, change), names=PASSED)
        return self._inner[scene.key]

    def _on_change(self, key, change):
        """Un cambiamento va subito al browser, o insieme agli altri della stessa richiesta.

        Mentre una scena risponde, un'altra può avere un addestramento che va: ciascuna ha i suoi.
        """
        asking, changes = self._collecting
        if key == asking:
            changes[change["name"]] = change["new"]
        else:
            self._pass_on(key, {change["name"]: change["new"]})

    def _pass_on(self, key, changes):
        self._replies += 1
        visit = self._visits.get(key)
        self.reply = {"scene": key, "visit": visit, "serial": self._replies, "changes": changes}

    def _leave(self, key):
        old = self._inner.pop(key, None)
        if old is not None:
            old.close()

    def close(self):
        """Chiude la Regia e i widget delle sue scene."""
        for key in [*self._inner]:
            self._leave(key)
        super().close()

    def fallback(self):
        """Il provino: tutte le scene in un foglio solo."""
        from course_lib.figures.scenes import contact_sheet

        scenes = self._scenes.values()
        return contact_sheet([(scene.notebook, scene.title, scene.question) for scene in scenes])


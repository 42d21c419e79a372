"""La cornice Python dei widget: stato, esempi già calcolati, richieste del lettore, figura di riserva.

Il browser chiede con `request` (un dizionario con un numero d'ordine), il kernel risponde con `state`
nuovo e `answer` dello stesso numero; se la richiesta non va, `answer` porta una frase e lo stato resta.
"""

from __future__ import annotations

import base64
import contextlib
import contextvars

import anywidget
import traitlets

from course_lib.widgets import assets, stored

_DETACHED = contextvars.ContextVar("detached", default=False)
FAULT = "Qui c'è un guasto del widget, non tuo: riesegui la cella. (Per chi lo ripara: {error!r})"


class CourseWidget(anywidget.AnyWidget):
    """Un widget del corso. Chi ne deriva dà `_esm` e `_css` con `parts`, `answer_to` e `fallback`.

    state: ciò che si vede, liste e stringhe   presets: stati già calcolati, con un nome e una frase
    options: scelte di chi mostra il widget, per esempio {"predict": False}   problem: una frase, o ""
    """

    state = traitlets.Dict().tag(sync=True)
    presets = traitlets.List().tag(sync=True)
    options = traitlets.Dict().tag(sync=True)
    problem = traitlets.Unicode().tag(sync=True)
    request = traitlets.Dict().tag(sync=True)
    answer = traitlets.Dict().tag(sync=True)

    def __new__(cls, *args, **given):
        """Ricorda come lo si apre: la figura di riserva può essere già disegnata."""
        made = super().__new__(cls, *args, **given)
        made._given = None if args else given
        return made

    def __init__(self, **traits):
        super().__init__(**traits)
        self._opening = self.state

    def open(self) -> None:
        """Si presenta al browser, se non lo mostra qualcun altro (vedi `detached`)."""
        if not _DETACHED.get():
            super().open()

    @traitlets.observe("request")
    def _on_request(self, change: dict) -> None:
        request = dict(change["new"])
        serial = request.pop("serial", None)
        if serial is None:
            return
        try:
            state, problem = self.answer_to(request), ""
        except ValueError as error:
            state, problem = None, str(error)
        except Exception as error:  # il lettore non deve mai vedere un traceback
            state, problem = None, FAULT.format(error=error)
        with self.hold_sync():
            if state is not None:
                self.state = state
            self.answer = {"serial": serial, "problem": problem}

    def answer_to(self, request: dict) -> dict:
        """Lo stato chiesto dal lettore. Solleva ValueError con la frase da mostrargli."""
        raise ValueError("Questo widget non chiede nulla al kernel.")

    def fallback(self) -> object:
        """La figura dello stato iniziale, per chi legge senza kernel: una Picture."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """Il riassunto in parole della figura di riserva."""
        return self._picture().summary

    def _picture(self) -> object:
        """La figura di riserva di questo stato, disegnata una volta sola; all'inizio può essere pronta."""
        drawn_for, picture = getattr(self, "_drawn", (None, None))
        if drawn_for is not self.state:
            opening = self.state is self._opening and self._given is not None
            ready = stored.picture(type(self).__name__, self._given) if opening else None
            picture = ready or self.fallback()
            self._drawn = self.state, picture
        return picture

    def _repr_mimebundle_(self, **kwargs: object) -> tuple[dict, dict]:
        picture = self._picture()
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        png = base64.b64encode(picture.png).decode("ascii")
        data = {**data, "image/png": png, "text/plain": picture.summary}
        size = {"alt": picture.alt, "width": picture.width, "height": picture.height}
        return data, {**metadata, "image/png": size}


@contextlib.contextmanager
def detached():
    """I widget che nascono qui dentro calcolano soltanto: nessun browser ne sa nulla."""
    before = _DETACHED.set(True)
    try:
        yield
    finally:
        _DETACHED.reset(before)


def parts(name: str) -> dict[str, str]:
    """Il modulo e gli stili di un widget, da mettere nella sua classe: `locals().update(parts("lens"))`."""
    return {"_esm": assets.module(name), "_css": assets.style(name)}

"""W9, Addestramento dal vivo: la loss che scende, e un'attenzione che si forma sotto gli occhi.

| comando | dove agisce |
|---|---|
| momento (← →, Inizio, Fine, cursore); testa che si guarda; Prima prevedi | locale |
| esempio già calcolato | locale |
| Avvia, Pausa, Un passo, Da capo (spazio, `n`) | kernel |
| tasso di apprendimento, anche a metà strada; numero di teste, che fa ricominciare | kernel |

I passi li fa un thread: il kernel resta libero per le altre celle. Pausa aspetta al più la fine di un passo;
se il kernel sta eseguendo una cella, il comando arriva quando la cella è finita, e il widget lo dice.
Quando l'ultima vista si chiude il thread si ferma.
"""

from __future__ import annotations

import json
import numbers
import threading
import time
import uuid
from pathlib import Path

import traitlets

from course_lib.widgets.frame import FAULT, CourseWidget, parts
from course_lib.widgets.state import live_training as live

FILE = Path(__file__).resolve().parent / "data" / "live.json"
RATES = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 1.0, 1000.0)
GAP = 0.25                       # secondi fra due disegni mentre va: al più 4 al secondo
NOTE = "Un addestramento intero, già fatto: il kernel non serve."


class LiveTraining(CourseWidget):
    """Un piccolo Transformer che impara la concordanza di «la chiave accanto ai libri era».

    seed: decide frasi, parametri iniziali e lotti   heads: quante teste   rate: il tasso di apprendimento
    steps_per_second: quanti passi al secondo, al più, perché si faccia in tempo a guardare
    predict: chiede una previsione prima di cominciare
    Solleva ValueError se un numero non va.
    """

    locals().update(parts("live_training"))
    _stop = None

    def __init__(self, seed=0, *, heads=2, rate=3e-3, steps_per_second=6, predict=True):
        if not isinstance(steps_per_second, numbers.Real) or not 0.01 <= steps_per_second <= 1000:
            raise ValueError(
                "steps_per_second: mi aspettavo un numero fra 0,01 e 1000, "
                f"è arrivato {steps_per_second!r:.40}."
            )
        self._lock, self._free = threading.RLock(), threading.Event()
        self._free.set()
        self._gap, self._clock = 1 / steps_per_second, time.monotonic
        self._run, self._stop, self._first = live.Run(seed, heads, rate), None, (heads, float(rate))
        rates = sorted({*RATES, self._run.optimizer.learning_rate})
        options = {"predict": bool(predict), "rates": rates, "heads": list(live.HEADS),
                   "id": uuid.uuid4().hex}  # fmt: skip
        presets = [{"name": "già calcolato", "note": NOTE, "state": stored()}]
        super().__init__(state=self._now(), presets=presets, options=options)

    @traitlets.observe("request")
    def _on_request(self, change):
        self._free.clear()                                               # il thread cede il passo
        try:
            with self._lock:
                super()._on_request(change)
        finally:
            self._free.set()

    def answer_to(self, request):
        """Avviare, fermare, un passo solo, ricominciare, altro tasso, altre teste."""
        actions = {"start": self._start, "pause": self._halt, "step": self._single, "reset": self._again,
                   "rate": self._set_rate, "heads": self._set_heads, "begin": self._begin}  # fmt: skip
        with self._lock:
            actions[request.get("do")](request.get("value"))
            return self._now()

    def fallback(self):
        """La curva e le mappe all'inizio, a metà e alla fine: di questo addestramento, se è finito."""
        from course_lib.figures.live_training import curve_and_maps

        own = self.state["status"] == live.DONE
        return curve_and_maps(self.state if own else self.presets[0]["state"])

    def close(self):
        """Chiude il widget e ferma il thread."""
        if self._stop is not None:
            with self._lock:
                self._halt()
        super().close()

    def _now(self):
        fresh = not self._run.losses and self._first == (self._run.heads, self._run.optimizer.learning_rate)
        return {**live.state(self._run, self._stop is not None), "fresh": fresh}

    def _start(self, _=None):
        if self._run.over:
            over = "Questo addestramento è arrivato in fondo: premi Da capo per farne un altro."
            raise ValueError(self._run.trouble or over)
        if self._stop is None:
            self._stop = threading.Event()
            work = threading.Thread(target=self._work, args=(self._stop,), name="addestramento", daemon=True)
            work.start()

    def _halt(self, _=None):
        if self._stop is not None:
            self._stop.set()
            self._stop = None

    def _single(self, _=None):
        self._halt()
        if self._run.over:
            self._start()
        self._run.step()

    def _again(self, _=None):
        self._halt()
        self._run = live.Run(self._run.seed, self._run.heads, self._run.optimizer.learning_rate)

    def _begin(self, _=None):
        """Com'era quando si è aperto."""
        self._halt()
        self._run = live.Run(self._run.seed, *self._first)

    def _set_rate(self, value):
        self._run.optimizer.learning_rate = live.rate_from(value)

    def _set_heads(self, value):
        heads = live.heads_from(value)
        self._halt()
        self._run = live.Run(self._run.seed, heads, self._run.optimizer.learning_rate)

    def _work(self, stop):
        """Ciò che fa il thread: un passo, un disegno se è ora, un respiro; finché nessuno lo ferma."""
        shown = self._clock()
        while self._free.wait():
            with self._lock:
                if stop.is_set():
                    return
                begun = self._clock()
                try:
                    self._run.step()
                except Exception as error:                               # un thread non ha a chi dirlo
                    self._halt()
                    self.problem = FAULT.format(error=error)
                    return
                if self._run.over:
                    self._halt()
                if self._run.over or self._clock() - shown >= GAP:
                    self.state = self._now()
                    shown = self._clock()
            stop.wait(max(0.001, self._gap - (self._clock() - begun)))


def stored():
    """L'addestramento già fatto, da data/live.json."""
    return json.loads(FILE.read_text(encoding="utf-8"))

"""Ciò che le prove della Generazione e dell'Addestramento dal vivo hanno in comune."""

from __future__ import annotations

from course_lib.widgets import GenerationDesk
from course_lib.widgets.state import live_training as live

LETTERS = "abcdefghil "


def desk(small, **options):
    """Il banco con il modello piccolo, il testo «abc» e il seme 5, salvo altre scelte."""
    return GenerationDesk(*small, "abc", **{"seed": 5, **options})


def drawn(widget):
    """I token estratti, passo per passo."""
    return [m["drawn"]["token"] for m in widget.state["moments"]]


def ask(widget, **request):
    """Lo stato dopo una richiesta del lettore."""
    widget.state = widget.answer_to(request)
    return widget.state


def after(count, **options):
    """Un Run dopo tanti passi."""
    run = live.Run(options.pop("seed", 0), **options)
    for _ in range(count):
        run.step()
    return run

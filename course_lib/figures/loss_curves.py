"""Curve di loss: passo per passo, o misurate ogni tanto, con i livelli di confronto."""

from __future__ import annotations

from course_lib.figures.picture import BAND, INK, NEGATIVE, POSITIVE, drawing, finish
from course_lib.notation import number

_COLORS = ("#D55E00", POSITIVE, "#009E73", "#CC79A7")                    # Okabe e Ito, e il blu del corso
_DASHES = ("-", "-", "--", ":")
_WIDE, _TALL = 9.2, 3.4


def loss_curves(curves, *, title, subtitle="", levels=None, since=0):
    """La loss contro i passi.

    curves: {nome: loss di ogni passo} oppure {nome: coppie (dopo quanti passi, loss)}, al più quattro
    levels: {nome: loss} dei termini di confronto, righe orizzontali tratteggiate
    since: da quale passo si guarda; se non è 0 l'asse verticale non parte da 0 ma da ciò che resta
    Restituisce: Picture; il riassunto dà il primo e l'ultimo valore di ogni curva.
    """
    if not 1 <= len(curves) <= len(_COLORS):
        raise ValueError(f"Mi aspettavo da 1 a {len(_COLORS)} curve, ne sono arrivate {len(curves)}.")
    points = {name: _points(name, curve, since) for name, curve in curves.items()}
    levels = levels or {}
    bottom, top = _limits([value for _, values in points.values() for value in values], levels, since)
    with drawing(_WIDE, _TALL, title, subtitle) as (figure, _):
        tall = figure.get_size_inches()[1]
        plane = figure.add_axes((0.75 / _WIDE, 0.55 / tall, 1 - 2.75 / _WIDE, (_TALL - 0.7) / tall))
        plane.spines[["top", "right"]].set_visible(False)
        for k, (name, (steps, values)) in enumerate(points.items()):
            style = {"lw": 1} if len(steps) > 60 else {"lw": 2.4, "marker": "o", "ms": 4}
            plane.plot(steps, values, color=_COLORS[k], ls=_DASHES[k], label=name, **style)
        for k, (name, value) in enumerate(levels.items()):
            color, dash = (NEGATIVE, "--") if k == 0 else (INK, ":")
            label = f"{name}: {number(value, 2)}"
            plane.axhline(value, color=color, ls=dash, lw=1.4, label=label)
        last = max(steps[-1] for steps, _ in points.values())
        plane.set_xlim(since, last)
        plane.set_ylim(bottom, top)
        plane.set_xticks(plane.get_xticks(), [number(t, 0) for t in plane.get_xticks()])
        plane.set_yticks(plane.get_yticks(), [number(t, 1) for t in plane.get_yticks()])
        plane.set_xlim(since, last)
        plane.set_ylim(bottom, top)
        plane.set_xlabel("passi")
        plane.set_ylabel("loss")
        plane.grid(color=BAND)
        plane.set_axisbelow(True)
        plane.legend(loc="center left", frameon=False, bbox_to_anchor=(1.01, 0.5), fontsize=10)
        lines = [title, *(_words(name, *curve) for name, curve in points.items())]
        lines += [f"{name}: {number(value, 3)}." for name, value in levels.items()]
        summary = "\n".join(lines)
        return finish(figure, summary, summary)


def _points(name, curve, since):
    curve = list(curve)
    if not curve:
        raise ValueError(f"La curva «{name}» è vuota: mi aspettavo almeno una loss.")
    pairs = curve if isinstance(curve[0], tuple | list) else list(enumerate(curve, 1))
    seen = [(step, value) for step, value in pairs if step >= since]
    if not seen:
        raise ValueError(f"La curva «{name}» finisce al passo {pairs[-1][0]}: dal passo {since} è vuota.")
    return [step for step, _ in seen], [value for _, value in seen]


def _limits(values, levels, since):
    values = [*values, *levels.values()]
    if not since:
        return 0, 1.08 * max(values)
    margin = 0.08 * (max(values) - min(values))
    return min(values) - margin, max(values) + margin


def _words(name, steps, values):
    first = f"{number(values[0], 3)} al passo {number(steps[0], 0)}"
    return f"{name}: {first}, {number(values[-1], 3)} al passo {number(steps[-1], 0)}."

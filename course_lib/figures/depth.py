"""Curve lungo la profondità: un numero per ogni blocco attraversato, una curva per ogni modo di montarli.

Riceve numeri già calcolati e non importa la biblioteca.
"""

from __future__ import annotations

import math

from course_lib.figures.picture import BAND, INK, NEGATIVE, POSITIVE, drawing, finish
from course_lib.notation import number

STYLES = ((POSITIVE, "-", "o"), (NEGATIVE, "--", "s"), (INK, ":", "^"), ("#8A6D00", "-.", "D"))
LABEL_WIDE, PLANE_WIDE, PLANE_TALL = 2.6, 5.6, 2.9


def depth_curves(curves, *, what, title, subtitle="", limits=None, powers=False, digits=3):
    """Un numero dopo ogni blocco, dalla partenza in poi.

    curves: {nome: valori}, al più quattro, tutte lunghe uguale; il primo valore è quello di partenza
    what: che cosa si misura   limits: (minimo, massimo) dell'asse; se manca, lo decidono i valori
    powers: asse in potenze di 10 (valori positivi)   digits: cifre decimali nel riassunto
    Restituisce: Picture.
    """
    width, height = PLANE_WIDE + LABEL_WIDE + 0.95, PLANE_TALL + 0.75
    with drawing(width, height, title, subtitle) as (figure, _):
        total = figure.get_size_inches()[1]
        plane = figure.add_axes((0.85 / width, 0.6 / total, PLANE_WIDE / width, PLANE_TALL / total))
        plane.spines[["top", "right"]].set_visible(False)
        plane.grid(color=BAND)
        plane.set_axisbelow(True)
        last = len(next(iter(curves.values()))) - 1
        for values, (color, dash, mark) in zip(curves.values(), STYLES, strict=False):
            plane.plot(range(last + 1), values, dash, color=color, marker=mark, lw=2, ms=4.5, clip_on=False)
        plane.set_xlim(0, last)
        plane.set_xticks(range(0, last + 1, max(1, last // 6)))
        plane.set_xlabel("blocchi attraversati")
        plane.set_ylabel(what)
        _scale(plane, limits, powers)
        _names(plane, curves, powers)
        said = [
            f"{name}: alla partenza {_said(v[0], digits, powers)}, alla fine {_said(v[-1], digits, powers)}"
            for name, v in curves.items()
        ]
        return finish(figure, f"{title}. {what}, lungo {last} blocchi. {'; '.join(said)}.",
                      "\n".join([f"{title}.", *(f"{line}." for line in said)]))  # fmt: skip


def _said(value, digits, powers):
    if not (powers and 0 < value < 1e-3):
        return number(value, digits)
    power = math.floor(math.log10(value))
    exponent = "".join("⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".index(sign)] for sign in str(power))
    return f"{number(value / 10**power, 0)}·10{exponent}"


def _scale(plane, limits, powers):
    if powers:
        plane.set_yscale("log")
        return
    if limits:
        plane.set_ylim(*limits)
    low, high = plane.get_ylim()
    ticks = [tick for tick in plane.get_yticks() if low <= tick <= high]
    plane.set_yticks(ticks, [number(tick, 2) for tick in ticks])
    plane.set_ylim(low, high)


def _names(plane, curves, powers):
    """I nomi a destra, all'altezza dell'ultimo valore, abbastanza lontani da leggersi."""
    at = {name: plane.transLimits.transform(plane.transScale.transform((0, v[-1])))[1]
          for name, v in curves.items()}  # fmt: skip
    floor = -1.0
    styles = dict(zip(curves, STYLES, strict=False))
    for name in sorted(at, key=at.get):
        floor = max(at[name], floor + 0.1)
        plane.text(1.04, floor, name, transform=plane.transAxes, color=styles[name][0], va="center")

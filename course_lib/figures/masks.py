"""Figura delle maschere: i coefficienti sotto ogni maschera, e quelli di una maschera messa troppo tardi.

Riceve numeri già calcolati e non importa la biblioteca dell'attenzione.
"""

from __future__ import annotations

from matplotlib.patches import Rectangle

from course_lib.figures.picture import LINE, MARGIN, NEGATIVE, SOFT_INK, drawing, finish, shade
from course_lib.notation import KEY_AXIS, QUERY_AXIS, number

FULL = 8.25                      # pollici di figura, senza i margini
FEW = 6                          # fino a quante colonne ci stanno tre maschere per riga, e i numeri
LONGEST = 8                      # lettere di un nome che si scrivono
TITLE = "Con la maschera prima della softmax le righe hanno somma 1; dopo, no"


def mask_grid(states, late=None):
    """Una piccola mappa di coefficienti per ogni maschera, le celle vietate tratteggiate, Σ a fianco.

    states: dizionari con name, rows, columns, allowed, weights, sums, late, late_sums
    late: il nome di quella da mostrare anche con la maschera dopo la softmax, se se ne vuole una; se le
    colonne sono più di sei si mostra soltanto quella
    Restituisce: Picture.
    """
    columns = max(len(one["columns"]) for one in states)
    if columns > FEW and late:
        states = [one for one in states if one["name"] == late]
    panels = [(one["name"], one, one["weights"], one["sums"]) for one in states]
    panels += [
        (f"{one['name']}, ma dopo la softmax", one, one["late"], one["late_sums"])
        for one in states if one["name"] == late
    ]  # fmt: skip
    longest = max(min(LONGEST, len(name)) for one in states for name in [*one["rows"], *one["columns"]])
    across = 3 if columns <= FEW else 2
    left = 0.2 + 0.1 * longest
    side = min(0.4, (FULL / across - left - 0.55) / columns)
    head = 0.55 if longest * 0.11 <= side else 0.35 + 0.085 * longest   # nomi lunghi: in verticale
    tall = head + 0.4 + side * max(len(one["rows"]) for one in states)
    lines = -(-len(panels) // across)
    subtitle = f"Righe: {QUERY_AXIS} (query). Colonne: {KEY_AXIS} (key). Tratteggio: vietato, coefficiente 0."
    with drawing(FULL + 2 * MARGIN, lines * tall + 0.1, TITLE, subtitle) as (figure, axes):
        for place, panel in enumerate(panels):
            x, y = MARGIN + FULL / across * (place % across), 0.25 + tall * (place // across)
            axes.text(x, y, panel[0], fontsize=11, fontweight="bold", va="center")
            _panel(axes, (x + left, y + head), side, *panel[1:])
        summary = "\n".join([TITLE, *(_line(name, one, sums) for name, one, _, sums in panels)])
        return finish(figure, summary, summary)


def _panel(axes, corner, side, one, weights, sums):
    """Una mappa, con i nomi e Σ; corner: l'angolo in alto a sinistra delle celle."""
    left, top = corner
    size = min(9.75, 58 * side)
    end = left + side * len(one["columns"]) + 0.26
    upright = any(min(LONGEST, len(name)) * 0.11 > side for name in one["columns"])
    for j, column in enumerate(one["columns"]):
        x, turn = left + side * (j + 0.5), {"rotation": 90, "va": "bottom"} if upright else {}
        _text(axes, x, top - (0.05 if upright else 0.13), _short(column), fontsize=size, **turn)
    _text(axes, end, top - 0.13, "Σ", fontweight="bold")
    for i, row in enumerate(one["rows"]):
        middle = top + side * (i + 0.5)
        _text(axes, left - 0.08, middle, _short(row), ha="right", fontsize=size)
        for j, may in enumerate(one["allowed"][i]):
            fill, ink = shade(weights[i][j], 1.0) if may else ("#F4F4F4", "")
            box, hatch = (left + side * j, top + side * i), None if may else "////"
            axes.add_patch(Rectangle(box, side, side, facecolor=fill, edgecolor=LINE, lw=0.8, hatch=hatch))
            if may and side > 0.33:
                text = number(weights[i][j], 2)
                _text(axes, left + side * (j + 0.5), middle, text, fontsize=9.75, color=ink)
        wrong = abs(sums[i] - 1) > 5e-4
        style = {"fontweight": "bold", "color": NEGATIVE} if wrong else {"color": SOFT_INK}
        _text(axes, end, middle, number(sums[i], 2), fontsize=size, **style)


def _short(name):
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _text(axes, x, y, text, ha="center", **style):
    axes.text(x, y, text, **{"ha": ha, "va": "center", "fontsize": 9.75, **style})


def _line(name, one, sums):
    banned = sum(row.count(False) for row in one["allowed"])
    total = len(one["rows"]) * len(one["columns"])
    shown = "; ".join(number(s, 2) for s in sums)
    return f"{name}: celle vietate {banned} su {total}; Σ delle righe {shown}."

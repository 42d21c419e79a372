"""Le quattro fasi del simulatore in quattro riquadri: la figura di riserva del widget.

Riceve numeri già calcolati (lo stato del widget) e non importa la biblioteca dell'attenzione.
"""

from __future__ import annotations

import math

from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

from course_lib.figures.picture import BAND, INK, LINE, POSITIVE, SOFT_INK, drawing, finish, shade
from course_lib.notation import number, table

PANEL = (5.4, 3.9)               # larghezza e altezza di un riquadro, in pollici
MOST_SHOWN = 12                  # quanti token si scrivono; gli altri sono contati
NAMES = ("1 · token e ID", "2 · embedding", "3 · finale = embedding + 0,3 × PE", "4 · attenzione")
OFF = "3 · posizioni spente: finale = embedding"


def four_phases(state, phases=(1, 2, 3, 4), notebooks=None):
    """Token, embedding, somma con le posizioni, tavolo dei coefficienti, per la prima frase dello stato.

    state: lo stato del Simulatore   phases: le fasi aperte   notebooks: {"3": 5, …}, dove si aprono le altre
    Restituisce: Picture.
    """
    side = state["sides"][0]
    last = max(phases)
    title = state["findings"][last - 1]
    beside = f" A fianco, nel widget: «{state['sentences'][1]}»." if len(state["sentences"]) > 1 else ""
    subtitle = f"«{side['sentence']}»: {len(side['tokens'])} token, d = {side['d']}.{beside}"
    panels = (_tokens, _embedding, _final, _round)
    wide, tall = PANEL
    with drawing(2 * wide, 2 * tall, _short(title), subtitle) as (figure, axes):
        for k, panel in enumerate(panels):
            x, y = wide * (k % 2) + 0.25, tall * (k // 2) + 0.2
            name = OFF if k == 2 and not state["positions"] else NAMES[k]
            axes.text(x, y + 0.15, name, fontsize=11, fontweight="bold", va="center")
            if k + 1 in phases:
                panel(axes, side, x, y + 0.45)
            else:
                where = (notebooks or {}).get(str(k + 1))
                text = "chiusa fino al suo notebook" + (f", il {where}" if where else "")
                axes.add_patch(Rectangle((x, y + 0.45), wide - 0.6, tall - 0.9, facecolor=BAND))
                _label(axes, x + wide / 2 - 0.3, y + tall / 2, text, color=SOFT_INK)
        lines = _lines(state, side, phases)
        coefficients = [str(table(side["weights"], side["tokens"], digits=3))] if 4 in phases else []
        return finish(figure, " ".join(lines), "\n".join([*lines, *coefficients]))


def _tokens(axes, side, x, y):
    shown = list(zip(side["tokens"], side["ids"], strict=True))[:MOST_SHOWN]
    for i, (token, id_) in enumerate(shown):
        left, top = x + 1.25 * (i % 4), y + 1.05 * (i // 4)
        _label(axes, left + 0.56, top + 0.08, f"posto {i}", fontsize=10, color=SOFT_INK)
        box = FancyBboxPatch((left + 0.07, top + 0.22), 0.98, 0.3, boxstyle="round,pad=0.03", facecolor=BAND,
                             edgecolor=LINE)  # fmt: skip
        axes.add_patch(box)
        _label(axes, left + 0.56, top + 0.37, _short(token, 12), fontsize=10)
        _label(axes, left + 0.56, top + 0.7, f"ID {id_}", fontsize=10, fontweight="bold")
    _rest(axes, side, x, y + 3.2)


def _embedding(axes, side, x, y):
    _matrix(axes, side, [row[: side["d"]] for row in side["embedding"]], x, y)


def _final(axes, side, x, y):
    _matrix(axes, side, side["final"], x, y)


def _matrix(axes, side, values, x, y):
    values = values[:MOST_SHOWN]
    wide, tall = min(0.68, 3.8 / side["d"]), min(0.36, 2.8 / len(values))
    largest = max(abs(v) for row in [*side["embedding"], *side["final"]] for v in row)
    digits = 3 if wide > 0.55 else 2 if wide > 0.46 else 1
    for c in range(side["d"]):
        _label(axes, x + 1.1 + wide * (c + 0.5), y + 0.1, str(c), fontsize=10, color=SOFT_INK)
    for i, row in enumerate(values):
        top = y + 0.22 + tall * i
        name = _short(side["tokens"][i], 12)
        axes.text(x + 1.0, top + tall / 2, name, ha="right", va="center", fontsize=10)
        for c, value in enumerate(row):
            fill, ink = shade(value, largest)
            left = x + 1.1 + wide * c
            axes.add_patch(Rectangle((left, top), wide, tall, facecolor=fill, edgecolor=LINE, lw=0.6))
            text = number(value, digits, sign=True)
            _label(axes, left + wide / 2, top + tall / 2, text, color=ink, fontsize=10)
    _rest(axes, side, x, y + 3.2)


def _round(axes, side, x, y):
    """Il tavolo: una linea per coppia, spessa in proporzione al coefficiente; l'anello è verso sé stessi."""
    n, weights = len(side["tokens"]), side["weights"]
    cx, cy, radius = x + 2.3, y + 1.6, 1.2
    points = [_around(cx, cy, radius if n > 1 else 0, i, n) for i in range(n)]
    for i, row in enumerate(weights):
        for j, weight in enumerate(row):
            width = (0.5 + 7.5 * weight) * 0.75
            if i == j:
                center = _around(cx, cy, radius + 0.3, i, n)
                axes.add_patch(Circle(center, 0.12, fill=False, edgecolor=POSITIVE, lw=width))
            else:
                (x1, y1), (x2, y2) = points[i], points[j]
                dx, dy = 0.03 * (y2 - y1), -0.03 * (x2 - x1)
                axes.plot([x1 + dx, x2 + dx], [y1 + dy, y2 + dy], color=POSITIVE, lw=width, alpha=0.75)
    for (px, py), token in zip(points, side["tokens"], strict=True):
        text = _short(token, 12) if n <= MOST_SHOWN else ""
        axes.text(px, py, text, ha="center", va="center", fontsize=10, color=INK,
                  bbox={"boxstyle": "round,pad=0.25", "facecolor": "#FFFFFF", "edgecolor": LINE})  # fmt: skip


def _around(cx, cy, radius, i, n):
    angle = 2 * math.pi * i / n - math.pi / 2
    return cx + radius * math.cos(angle), cy + radius * math.sin(angle)


def _rest(axes, side, x, y):
    more = len(side["tokens"]) - MOST_SHOWN
    if more > 0:
        axes.text(x, y, f"e altri {more}", fontsize=10, color=SOFT_INK, va="center")


def _lines(state, side, phases):
    """Le fasi aperte in parole, con i numeri principali."""
    listed = ", ".join(f"{token} {id_}" for token, id_ in zip(side["tokens"], side["ids"], strict=True))
    lines = [f"Simulatore: «{side['sentence']}», d = {side['d']}.", f"Token e ID: {listed}."]
    lines += [f"{state['findings'][phase - 1]}." for phase in phases]
    if 2 in phases:
        row = "; ".join(number(v, 3) for v in side["embedding"][0][: side["d"]])
        lines.append(f"Embedding di {side['tokens'][0]}: ({row}).")
    if 4 in phases:
        lines += [
            f"{token} guarda soprattutto {side['tokens'][row.index(max(row))]}: {number(max(row), 3)}."
            for token, row in zip(side["tokens"], side["weights"], strict=True)
        ]
    return lines


def _label(axes, x, y, text, **options):
    axes.text(x, y, text, ha="center", va="center", **options)


def _short(text, most=90):
    return text if len(text) <= most else f"{text[: most - 1]}…"

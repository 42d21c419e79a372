"""La figura della temperatura: gli stessi logit, tre softmax."""

from __future__ import annotations

from matplotlib.patches import Rectangle

from course_lib.figures.picture import BAND, INK, POSITIVE, SOFT_INK, drawing, finish
from course_lib.notation import number, vector


def temperatures(panels, summary):
    """Un riquadro per temperatura, con i coefficienti a barre e l'entropia.

    panels: dizionari con temperature, names, logits, weights, largest, entropy, entropy_max
    summary: il conto in parole, per chi non vede la figura
    Restituisce: Picture.
    """
    first, last = panels[0], panels[-1]
    title = _title(first, last)
    subtitle = f"Logit {vector(first['logits'])}, divisi per la temperatura τ prima della softmax."
    wide, row, left = 2.75, 0.46, 1.15
    rows = len(first["names"])
    with drawing(left + wide * len(panels) + 0.2, 1.25 + row * rows, title, subtitle) as (figure, axes):
        for j, name in enumerate(first["names"]):
            axes.text(left - 0.1, 0.62 + row * (j + 0.5), name, ha="right", va="center")
        for p, panel in enumerate(panels):
            _panel(axes, panel, left + wide * p, wide - 0.2, row)
    return finish(figure, f"{title}. {summary}", f"{title}\n{summary}")


def _panel(axes, panel, x, wide, row):
    room = wide - 0.65
    axes.add_patch(Rectangle((x, 0.14), wide, 0.34, facecolor=BAND))
    axes.text(x + wide / 2, 0.31, f"τ = {number(panel['temperature'])}", ha="center", va="center",
              fontweight="bold")  # fmt: skip
    for j, weight in enumerate(panel["weights"]):
        y = 0.62 + row * j
        axes.add_patch(Rectangle((x, y + 0.07), max(weight * room, 0.01), row - 0.14, facecolor=POSITIVE))
        axes.text(x + weight * room + 0.07, y + row / 2, number(weight, 3), va="center")
    bottom = 0.62 + row * len(panel["weights"])
    axes.plot([x, x], [0.6, bottom + 0.02], color=INK, lw=1)
    text = f"entropia {number(panel['entropy'], 2)} bit su {number(panel['entropy_max'], 2)}"
    axes.text(x, bottom + 0.25, text, va="center", fontsize=10, color=SOFT_INK)


def _title(first, last):
    low, high = number(last["largest"], 3), number(first["largest"], 3)
    if low == high:
        return f"A ogni temperatura il coefficiente più grande è {low}"
    return (
        f"Temperatura più alta, coefficienti più simili: il più grande scende da {high} a {low} "
        f"fra τ = {number(first['temperature'])} e τ = {number(last['temperature'])}"
    )

"""Figura della posizione: la matrice della codifica, e le onde da cui la si legge.

Riceve numeri già calcolati e non importa la biblioteca.
"""

from __future__ import annotations

from matplotlib.patches import Rectangle

from course_lib.figures.picture import INK, LINE, MARGIN, NEGATIVE, POSITIVE, SOFT_INK, drawing, finish, shade
from course_lib.notation import number, vector

WIDE = 8.2                       # pollici della figura
MAP = 3.95                       # e della matrice, con i nomi delle righe
MOST_NUMBERS = 12                # fino a quante dimensioni si scrivono i numeri


def waves_and_map(encoding, waves, pairs, at):
    """La codifica di ogni posto, una riga ciascuno, e a fianco le due onde di ogni coppia di dimensioni.

    encoding: (n, d)   waves: {positions, values (d, letture)}   pairs: per coppia dims e says
    at: il posto segnato con una linea
    Restituisce: Picture.
    """
    n, d = len(encoding), len(encoding[0])
    title = f"Ogni posto ha la sua riga di {d} numeri, letti su {len(pairs)} coppie di onde"
    subtitle = f"Linea a puntini: il posto {at}. Onda continua: seno, dimensioni pari. A tratti: coseno."
    tall = min(0.3, 6.0 / n)
    height = max(0.75 + tall * n, 0.3 + 0.85 * len(pairs)) + 0.2
    with drawing(WIDE + 2 * MARGIN, height, title, subtitle) as (figure, axes):
        _map(axes, encoding, tall, at)
        for i, pair in enumerate(pairs):
            _waves(axes, (MAP + 0.65, 0.35 + 0.85 * i), pair, i, waves, n, encoding[at], at)
        summary = "\n".join([
            f"{title}.", f"Posto {at}: PE = {vector(encoding[at], 3)}.",
            *(f"Coppia {i}: {pair['says']}." for i, pair in enumerate(pairs)),
        ])  # fmt: skip
        return finish(figure, summary, summary)


def _map(axes, encoding, tall, at):
    d = len(encoding[0])
    left, top, wide = MARGIN + 0.45, 0.65, (MAP - 0.45) / d
    size = min(10.0, 21.8 * wide)
    axes.text(left, 0.2, "dimensione →", fontsize=10, color=SOFT_INK, va="center")
    axes.text(MARGIN, top - 0.3, "posto ↓", fontsize=10, color=SOFT_INK, va="center")
    for j in range(d):
        axes.text(left + wide * (j + 0.5), top - 0.15, str(j), fontsize=10, ha="center", va="center")
    for p, row in enumerate(encoding):
        y = top + tall * p
        weight = "bold" if p == at else "normal"
        axes.text(left - 0.1, y + tall / 2, str(p), fontsize=10, ha="right", va="center", fontweight=weight)
        for j, value in enumerate(row):
            fill, ink = shade(value, 1.0)
            corner = (left + wide * j, y)
            axes.add_patch(Rectangle(corner, wide, tall, facecolor=fill, edgecolor=LINE, lw=0.6))
            if max(len(encoding), d) <= MOST_NUMBERS and wide >= 0.38:
                text = number(value, 2, sign=True)
                x = left + wide * (j + 0.5)
                axes.text(x, y + tall / 2, text, fontsize=size, ha="center", va="center", color=ink)


def _waves(axes, corner, pair, i, waves, n, row, at):
    """Le onde di una coppia, con i valori letti al posto `at`."""
    x, y = corner
    long, high = WIDE + MARGIN - x, 0.5
    along = [place for place in waves["positions"] if place <= n - 1]
    step = long / max(1, n - 1)
    axes.text(x, y, f"coppia {i}: {pair['says']}", fontsize=9.5, va="center")
    middle = y + 0.15 + high / 2
    axes.plot([x, x + long], [middle, middle], color=LINE, lw=0.8)
    for dim in pair["dims"]:
        color, dash = (NEGATIVE, "--") if dim % 2 else (POSITIVE, "-")
        heights = [middle - value * high / 2 for value in waves["values"][dim][: len(along)]]
        axes.plot([x + step * place for place in along], heights, color=color, ls=dash, lw=1.6)
        axes.plot([x + step * at], [middle - row[dim] * high / 2], "o", color=color, ms=5)
    axes.plot([x + step * at] * 2, [y + 0.12, y + 0.18 + high], color=INK, ls=":", lw=1.2)

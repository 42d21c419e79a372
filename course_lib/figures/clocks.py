"""Figura delle lancette: ogni coppia di dimensioni della codifica è una lancetta che gira.

Riceve numeri già calcolati e non importa la biblioteca.
"""

from __future__ import annotations

from matplotlib.patches import Circle

from course_lib.figures.picture import BAND, INK, LINE, MARGIN, NEGATIVE, POSITIVE, SOFT_INK, drawing, finish
from course_lib.notation import vector

CELL = 0.92                      # pollici di un quadrante con il suo spazio
RADIUS = 0.34
LABEL = 1.62                     # per il nome della coppia
SUBTITLE = "La punta sta a destra quanto il seno, in alto quanto il coseno; al posto 0 segna mezzogiorno."


def clock_hands(encoding, places, pairs, *, title, guess=None):
    """Una fila di quadranti per coppia, un quadrante per posto.

    encoding: (n, d), d pari   places: n nomi   pairs: d/2 nomi; dopo i due punti il nome va a capo
    title: dice che cosa si trova   guess: (n, d), altre lancette da disegnare a tratti sopra le prime
    Restituisce: Picture.
    """
    n, count = len(encoding), len(encoding[0]) // 2
    wide = max(6.4, LABEL + CELL * n + 2 * MARGIN)
    subtitle = SUBTITLE + (" A tratti: la lancetta ottenuta girando." if guess is not None else "")
    with drawing(wide, 0.4 + CELL * count, title, subtitle) as (figure, axes):
        for p, place in enumerate(places):
            axes.text(_x(p), 0.2, place, fontsize=10, ha="center", va="center")
        for i, pair in enumerate(pairs):
            y = 0.4 + CELL * (i + 0.5)
            name, _, speed = pair.partition(": ")
            axes.text(MARGIN, y - 0.1, name, fontsize=10.5, fontweight="bold", va="center")
            axes.text(MARGIN, y + 0.12, speed, fontsize=9.5, color=SOFT_INK, va="center")
            for p in range(n):
                _clock(axes, _x(p), y, encoding[p][2 * i : 2 * i + 2])
                if guess is not None:
                    other = guess[p][2 * i : 2 * i + 2]
                    _hand(axes, _x(p), y, other, color=NEGATIVE, lw=1.6, ls=(0, (2, 1.6)))
        hands = [f"{place}: {vector(row, 3)}." for place, row in zip(places, encoding, strict=True)]
        summary = "\n".join([f"{title}.", *hands])
        return finish(figure, summary, summary)


def _x(p):
    return MARGIN + LABEL + CELL * (p + 0.5)


def _clock(axes, x, y, pair):
    axes.add_patch(Circle((x, y), RADIUS, facecolor=BAND, edgecolor=LINE, lw=1.0))
    for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
        axes.plot([x + 0.88 * RADIUS * dx, x + RADIUS * dx], [y + 0.88 * RADIUS * dy, y + RADIUS * dy],
                  color=SOFT_INK, lw=0.9)  # fmt: skip
    _hand(axes, x, y, pair, color=POSITIVE, lw=2.6)
    axes.plot([x], [y], "o", color=INK, ms=3)


def _hand(axes, x, y, pair, **style):
    """La lancetta: la y del foglio cresce verso il basso, quindi il coseno si toglie."""
    sine, cosine = (float(value) for value in pair)
    tip = x + RADIUS * sine, y - RADIUS * cosine
    axes.plot([x, tip[0]], [y, tip[1]], solid_capstyle="round", **style)

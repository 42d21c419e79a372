"""Figure dei testi: una frase tagliata in pezzi, i vettori una riga per token, le parole come punti.

Ricevono testi e numeri già calcolati e non importano la biblioteca.
"""

from __future__ import annotations

import math

from matplotlib.patches import FancyBboxPatch, Rectangle

from course_lib.figures.picture import (
    BAND,
    INK,
    LINE,
    NEGATIVE,
    POSITIVE,
    SOFT_INK,
    drawing,
    finish,
    shade,
)
from course_lib.notation import number, table

WIDE, LETTER, PAD, TALL = 8.6, 0.105, 0.2, 0.42
MOST_NAME = 18


def pieces(rows, *, title, subtitle=""):
    """Una riga per testo, con i suoi pezzi in caselle; lo spazio che apre un pezzo si scrive «␣».

    rows: {nome della riga: lista di pezzi}
    Restituisce: Picture. Una riga troppo lunga va a capo.
    """
    left = 0.5 + LETTER * min(MOST_NAME, max((len(name) for name in rows), default=0))
    placed, y = [], 0.1
    for name, row in rows.items():
        boxes, x = [], left
        for piece in row:
            text = _visible(piece)
            wide = PAD + LETTER * max(1, len(text))
            if x + wide > WIDE - 0.6 and x > left:
                x, y = left, y + TALL + 0.06
            boxes.append((x, y, wide, text))
            x += wide + 0.06
        placed.append((name, boxes, (x, y)))
        y += TALL + 0.18
    with drawing(WIDE, y + 0.05, title, subtitle) as (figure, axes):
        for n, (name, boxes, end) in enumerate(placed):
            top = boxes[0][1] if boxes else end[1]
            axes.text(left - 0.15, top + TALL / 2, _short(name), ha="right", va="center", color=SOFT_INK)
            for k, (x, row_y, wide, text) in enumerate(boxes):
                fill = "#FFFFFF" if k % 2 else BAND
                box = FancyBboxPatch((x + 0.03, row_y + 0.06), wide - 0.06, TALL - 0.12, facecolor=fill,
                                     boxstyle="round,pad=0.03", edgecolor=LINE, lw=1)  # fmt: skip
                axes.add_patch(box)
                axes.text(x + wide / 2, row_y + TALL / 2, text, ha="center", va="center", fontsize=10.5)
            many = len(list(rows.values())[n])
            axes.text(end[0] + 0.05, end[1] + TALL / 2, f"= {many}", va="center", fontsize=10, color=SOFT_INK)
        lines = [f"{name}: {len(row)} ({' · '.join(map(_visible, row))})" for name, row in rows.items()]
        return finish(figure, f"{title}. {'; '.join(lines)}.", "\n".join([title, *lines]))


def vectors(values, names, *, title, subtitle="", digits=3):
    """Una riga di numeri per token, con il segno e un colore: blu positivo, rosso negativo.

    values: (n, d)   names: n nomi
    Restituisce: Picture. Se le dimensioni sono tante, dei numeri resta il segno: le cifre stanno nel testo.
    """
    values = [[float(v) for v in row] for row in values]
    d = max((len(row) for row in values), default=0)
    largest = max((abs(v) for row in values for v in row), default=1.0)
    side, tall, left, top = min(0.85, 6.2 / max(1, d)), 0.4, 2.2, 0.62
    size, every = min(10, 16 * side), math.ceil(0.22 / side)    # carattere; quante colonne fra due indici
    with drawing(max(5.0, left + side * d + 0.3), top + tall * len(values) + 0.2, title, subtitle) as (
        figure,
        axes,
    ):
        axes.text(left, 0.12, "dimensione →", fontsize=10, color=SOFT_INK, va="center")
        axes.text(
            left - 0.15, top - 0.15, "token (ID) ↓", fontsize=10, color=SOFT_INK, ha="right", va="center"
        )
        for c in range(d):
            if c % every == 0:
                axes.text(left + side * (c + 0.5), top - 0.15, str(c), ha="center", va="center", fontsize=10)
        for i, (name, row) in enumerate(zip(names, values, strict=True)):
            y = top + tall * i
            axes.text(left - 0.15, y + tall / 2, _short(name), ha="right", va="center")
            for c, value in enumerate(row):
                fill, ink = shade(value, largest)
                axes.add_patch(
                    Rectangle((left + side * c, y), side, tall, facecolor=fill, edgecolor=LINE, lw=0.8)
                )
                text = number(value, digits, sign=True)
                axes.text(left + side * (c + 0.5), y + tall / 2, text if size >= 7 else text[0], ha="center",
                          va="center", color=ink, fontsize=size if size >= 7 else 50 * side)  # fmt: skip
        columns = [str(c) for c in range(d)]
        shown = table(values, names, columns, digits=digits, total=False, row_axis="token (ID)",
                      column_axis="dimensione")  # fmt: skip
        rows = "; ".join(f"{name}: {', '.join(number(v, digits, sign=True) for v in row)}"
                         for name, row in zip(names, values, strict=True))  # fmt: skip
        return finish(figure, f"{title}. {rows}.", f"{title}\n{shown}")


def words_in_plane(points, names, *, pair, title, subtitle=""):
    """Le parole come punti del piano, con le due della coppia `pair` in evidenza.

    points: (n, 2)   names: n parole   pair: due indici
    Restituisce: Picture.
    """
    points = [(float(x), float(y)) for x, y in points]
    side = 6.4
    with drawing(8.4, side + 0.35, title, subtitle) as (figure, _axes):
        width, height = figure.get_size_inches()
        plane = figure.add_axes((0.75 / width, 0.6 / height, 7.4 / width, (side - 0.5) / height))
        plane.axhline(0, color=LINE, lw=0.8)
        plane.axvline(0, color=LINE, lw=0.8)
        plane.spines[["top", "right"]].set_visible(False)
        plane.set_xlabel("dimensione 0")
        plane.set_ylabel("dimensione 1")
        plane.xaxis.set_major_formatter(lambda value, _: number(value, 1))
        plane.yaxis.set_major_formatter(lambda value, _: number(value, 1))
        for i, ((x, y), name) in enumerate(zip(points, names, strict=True)):
            on = i in pair
            plane.scatter(x, y, s=46 if on else 20, color=NEGATIVE if on else POSITIVE,
                          marker="D" if on else "o", zorder=3)  # fmt: skip
            shift = (7, -14) if i == max(pair) else (6, 5)
            plane.annotate(name, (x, y), shift, textcoords="offset points", fontsize=9.5, color=INK,
                           fontweight="bold" if on else "normal")  # fmt: skip
        said = "; ".join(
            f"{name} ({number(x, 3)}; {number(y, 3)})" for (x, y), name in zip(points, names, strict=True)
        )
        return finish(figure, f"{title}. {said}.", f"{title}\n{said}.")


def _visible(piece):
    return str(piece).replace(" ", "␣").replace("\n", "↵")


def _short(name):
    return name if len(name) <= MOST_NAME else f"{name[: MOST_NAME - 1]}…"

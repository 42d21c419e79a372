"""Figure d'insieme del notebook 1: la strada in sette fasi, la catena e il tavolo.

Sono disegni, senza conti: non importano la biblioteca.
"""

from __future__ import annotations

import math
from itertools import pairwise

from matplotlib.patches import FancyBboxPatch

from course_lib.figures.picture import BAND, INK, LINE, POSITIVE, SOFT_INK, drawing, finish

PHASES = (
    ("1 · tokenizzazione", "dal testo ai token, e ai loro ID", "1"),
    ("2 · embedding", "a ogni ID un vettore", "1"),
    ("3 · codifica posizionale", "si aggiunge il posto", "5"),
    ("4 · attenzione multi-testa", "i token si guardano", "2, 3, 4, 6"),
    ("5 · somma e normalizzazione", "connessione residua e LayerNorm", "7"),
    ("6 · rete feed-forward", "ogni token per conto suo", "7"),
    ("7 · strato lineare e softmax", "una probabilità per ogni voce", "7, 8"),
)


def seven_phases():
    """Le sette fasi, dal testo alle probabilità, e in quale notebook si incontrano.

    Restituisce: Picture.
    """
    title = "Delle sette fasi, in questo notebook si fanno le prime due"
    tall, left, wide = 0.52, 0.35, 2.95
    with drawing(8.3, 0.5 + tall * len(PHASES), title, "In blu le fasi di questo notebook.") as (
        figure,
        axes,
    ):
        axes.text(left + wide + 4.05, 0.12, "notebook", fontsize=10, color=SOFT_INK, va="center", ha="center")
        for k, (name, what, where) in enumerate(PHASES):
            y = 0.3 + tall * k
            here = where == "1"
            box = FancyBboxPatch(
                (left + 0.04, y + 0.09), wide - 0.08, tall - 0.18, boxstyle="round,pad=0.04",
                facecolor=POSITIVE if here else BAND, edgecolor=LINE,
            )  # fmt: skip
            axes.add_patch(box)
            color = "#FFFFFF" if here else INK
            axes.text(
                left + 0.15,
                y + tall / 2,
                name,
                va="center",
                color=color,
                fontweight="bold" if here else "normal",
            )
            axes.text(left + wide + 0.2, y + tall / 2, what, va="center", fontsize=10.5)
            axes.text(left + wide + 4.05, y + tall / 2, where, va="center", ha="center", fontsize=10.5)
        lines = [f"{name}: {what} (notebook {where})" for name, what, where in PHASES]
        return finish(figure, f"{title}. {'; '.join(lines)}.", "\n".join([title, *lines]))


def chain_and_table(tokens):
    """A sinistra una rete ricorrente, un token dopo l'altro; a destra l'attenzione, ciascuno con tutti.

    tokens: da 2 a 8 testi
    Restituisce: Picture.
    """
    n = len(tokens)
    title = f"In catena da «{tokens[0]}» a «{tokens[-1]}» ci sono {n - 1} passi in fila; al tavolo uno solo"
    subtitle = "In blu la strada dalla prima parola all'ultima."
    with drawing(8.6, 3.7, title, subtitle) as (figure, axes):
        _name(axes, 2.1, 0.12, "catena: rete ricorrente")
        _name(axes, 6.3, 0.12, "tavolo: attenzione")
        chain = [(0.9 + 2.4 * k / (n - 1), 0.62 + 2.7 * k / (n - 1)) for k in range(n)]
        for start, end in pairwise(chain):
            _arrow(axes, start, end, POSITIVE, 2.4)
        angles = [2 * math.pi * k / n - math.pi / 2 for k in range(n)]
        round_table = [(6.3 + 1.55 * math.cos(a), 1.95 + 1.3 * math.sin(a)) for a in angles]
        for i, start in enumerate(round_table):
            for end in round_table[i + 1 :]:
                axes.plot([start[0], end[0]], [start[1], end[1]], color=LINE, lw=1, zorder=1)
        _arrow(axes, round_table[0], round_table[-1], POSITIVE, 2.4)
        for seats in (chain, round_table):
            for (x, y), token in zip(seats, tokens, strict=True):
                box = {"boxstyle": "round,pad=0.3", "facecolor": "#FFFFFF", "edgecolor": LINE}
                axes.text(x, y, token, ha="center", va="center", fontsize=10.5, zorder=4, bbox=box)
        alt = (
            f"{title}. A sinistra i token {', '.join(tokens)} in fila, una freccia dall'uno al seguente; "
            f"a destra gli stessi attorno a un tavolo, una linea fra ogni coppia."
        )
        return finish(figure, alt, alt)


def _name(axes, x, y, text):
    axes.text(x, y, text, ha="center", va="center", fontsize=11, fontweight="bold")


def _arrow(axes, start, end, color, wide):
    style = {"arrowstyle": "-|>", "color": color, "lw": wide, "shrinkA": 12, "shrinkB": 16}
    axes.annotate("", end, start, arrowprops=style, zorder=2)

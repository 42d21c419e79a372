"""La curva di una softmax fra due candidati: pendenza al centro, zone piatte ai lati."""

from __future__ import annotations

from course_lib.figures.picture import BAND, INK, NEGATIVE, POSITIVE, drawing, finish
from course_lib.notation import number


def flat_zones(differences, weights, *, marks, title=None):
    """Il coefficiente del primo di due candidati, al variare della differenza fra i punteggi.

    differences, weights: (n,) i punti della curva
    marks: terne (differenza, coefficiente, quanto cambia il coefficiente per un colpetto), da segnare
    Restituisce: Picture.
    """
    title = "Al centro un colpetto si sente, nelle zone piatte quasi no" if title is None else title
    subtitle = "Due candidati. Accanto ai punti: quanto cambia il coefficiente con un colpetto di 0,01."
    width, height = 7.8, 3.6
    with drawing(width, height, title, subtitle) as (figure, _):
        total = figure.get_size_inches()[1]
        plane = figure.add_axes((0.85 / width, 0.65 / total, 6.6 / width, 2.8 / total))
        plane.plot(differences, weights, color=POSITIVE, lw=2.2)
        plane.set_ylim(-0.08, 1.12)
        plane.spines[["top", "right"]].set_visible(False)
        plane.grid(color=BAND)
        plane.set_axisbelow(True)
        plane.set_xlabel("differenza fra i due punteggi")
        plane.set_ylabel("coefficiente del primo")
        low, high = round(min(differences)), round(max(differences))
        ticks = range(low, high + 1, 2)
        plane.set_xticks(list(ticks), [number(t) for t in ticks])
        heights = (0, 0.25, 0.5, 0.75, 1)
        plane.set_yticks(heights, [number(h, 2) for h in heights])
        for at, weight, change in marks:
            plane.scatter(at, weight, s=44, color=NEGATIVE, zorder=4)
            side, shift = ("left", (9, -13)) if weight < 0.9 else ("center", (0, -18))
            text = f"+{number(change, 6)}"
            plane.annotate(text, (at, weight), shift, textcoords="offset points", ha=side, color=INK)
        points = "; ".join(
            f"differenza {number(at)}: coefficiente {number(weight, 3)}, cambia di {number(change, 6)}"
            for at, weight, change in marks
        )
        return finish(figure, f"{title}. Curva a S. {points}.", f"{title}\n{points}.")

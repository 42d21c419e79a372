"""La figura di Perché √d: tre colonne, i prodotti q·k e gli stessi divisi per √d."""

from __future__ import annotations

from matplotlib.patches import Rectangle

from course_lib.figures.picture import BAND, INK, SOFT_INK, drawing, finish
from course_lib.notation import number

RAW, SCALED = "#C24E00", "#0072B2"   # senza e con ÷√d, come nel widget: il rosso è dei negativi
WIDE, TALL, GAP = 2.75, 1.15, 0.25
LEFT = 0.25


def three_dimensions(panels, summary):
    """Una colonna per d: q·k e q·k ÷ √d a istogramma, e i coefficienti; lo stesso asse per tutti.

    panels: dizionari con d, plain e scaled (half, counts, variance, expected), here, seed, pairs, keys
    summary: i numeri in parole, per chi non vede la figura
    Restituisce: Picture.
    """
    first, last = panels[0], panels[-1]
    title = (
        f"La varianza di q·k cresce come d, da {number(first['plain']['variance'], 1)} a "
        f"{number(last['plain']['variance'], 0)}; con ÷√d resta vicina a 1"
    )
    half = last["plain"]["half"]
    subtitle = (
        f"{number(first['pairs'])} coppie di vettori casuali, componenti indipendenti di media 0 e "
        f"varianza 1; seme {first['seed']}. Tutti gli assi vanno da {number(-half, 0)} a {number(half, 0)}."
    )
    width = 2 * LEFT + WIDE * len(panels) + GAP * (len(panels) - 1)
    with drawing(width, 4.85, title, subtitle) as (figure, axes):
        for p, panel in enumerate(panels):
            _column(axes, panel, LEFT + (WIDE + GAP) * p, half)
        return finish(figure, f"{title}. {summary}", f"{title}\n{summary}")


def _column(axes, panel, x, half):
    axes.add_patch(Rectangle((x, 0.12), WIDE, 0.34, facecolor=BAND))
    axes.text(x + WIDE / 2, 0.29, f"d = {panel['d']}", ha="center", va="center", fontweight="bold")
    for way, name, color, y in (("plain", "q·k", RAW, 0.62), ("scaled", "q·k ÷ √d", SCALED, 2.35)):
        text = f"{name}: varianza {number(panel[way]['variance'], 2 if way == 'scaled' else 1)}"
        axes.text(x, y + 0.12, text, va="center", fontsize=10)
        _bars(axes, panel[way], (x, y + 0.3), half, color)
        _ticks(axes, x, y + 0.3 + TALL, half)
    here = panel["here"]
    lines = (f"coefficiente più grande fra {panel['keys']} key:",
             f"{number(here['plain'], 2)} senza dividere, {number(here['scaled'], 2)} con ÷√d")  # fmt: skip
    axes.text(x, 4.28, lines[0], va="center", fontsize=10, color=SOFT_INK)
    axes.text(x, 4.52, lines[1], va="center", fontsize=10)


def _bars(axes, found, corner, half, color):
    """L'istogramma in un riquadro WIDE × TALL; l'asse va da −half a +half."""
    x, y = corner
    unit = WIDE / (2 * half)
    step = 2 * found["half"] / len(found["counts"])
    most = max(found["counts"])
    for k, count in enumerate(found["counts"]):
        left = x + WIDE / 2 + unit * (-found["half"] + step * k)
        tall = TALL * count / most
        axes.add_patch(Rectangle((left, y + TALL - tall), unit * step, tall, facecolor=color, linewidth=0))


def _ticks(axes, x, y, half):
    axes.plot([x, x + WIDE], [y, y], color=INK, lw=1)
    for value, side in ((-half, "left"), (0, "center"), (half, "right")):
        at = x + WIDE / 2 + WIDE * value / (2 * half)
        axes.text(at, y + 0.14, number(value, 0), ha=side, va="center", fontsize=10, color=SOFT_INK)

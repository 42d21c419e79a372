"""Figura del Percorso nel blocco: il vettore a ogni tappa, e le curve lungo la profondità.

Riceve numeri già calcolati e non importa la biblioteca del Transformer.
"""

from __future__ import annotations

from matplotlib.patches import FancyBboxPatch, Rectangle

from course_lib.figures.picture import BAND, INK, LINE, NEGATIVE, POSITIVE, SOFT_INK, drawing, finish, shade
from course_lib.notation import number

TOP, TALL, NODE_X, NODE_WIDE, CELLS_X, SIDE, STAT = 0.75, 0.46, 0.62, 1.65, 2.5, 0.6, 0.66
PLOT_X, PLOT_WIDE, PLOT_TALL, PLOT_PACE = 10.15, 2.4, 1.25, 1.88
STYLES = ((POSITIVE, "-"), (NEGATIVE, "--"))              # con i residui, senza


def path_figure(*, token, stations, vectors, stats, curves, depth, residuals, subtitle):
    """Il percorso di un vettore in un blocco.

    token: il suo nome   stations: [(nome della tappa, la tappa che la connessione residua somma, o None)]
    vectors: una riga di d componenti per tappa   stats: norma, media, deviazione standard, per tappa
    curves: {"con i residui" o "senza residui": (norme, coseni)}, dalla partenza in poi
    depth: quanti blocchi si sono attraversati   residuals: se le somme si fanno   subtitle: una riga
    Restituisce: Picture.
    """
    ends = {name: number(cosines[depth], 3) for name, (_, cosines) in curves.items()}
    said = "; ".join(f"{name} {value}" for name, value in ends.items())
    after = "un blocco" if depth == 1 else f"{depth} blocchi"
    title = f"Dopo {after}, coseno fra «{token}» e il suo vettore di partenza: {said}"
    bottom = TOP + TALL * len(stations)
    height = max(bottom + 0.2, TOP + PLOT_PACE + PLOT_TALL + 0.85)
    with drawing(PLOT_X + PLOT_WIDE + 0.3, height, title, subtitle) as (figure, axes):
        _heads(axes, len(vectors[0]))
        for n, (name, (color, style)) in enumerate(zip(curves, STYLES, strict=True)):
            axes.plot([PLOT_X - 0.3, PLOT_X + 0.1], [0.15 + 0.25 * n] * 2, color=color, linestyle=style, lw=2)
            _label(axes, PLOT_X + 0.2, 0.15 + 0.25 * n, name, "left", fontsize=10)
        largest = max(abs(v) for row in vectors for v in row)
        for k, ((name, adds), row, own) in enumerate(zip(stations, vectors, stats, strict=True)):
            y = TOP + TALL * (k + 0.5)
            _node(axes, y, name, k, dashed=adds is not None and not residuals)
            for c, value in enumerate(row):
                _cell(axes, CELLS_X + SIDE * c, y, value, largest)
            for n, value in enumerate(own):
                _label(axes, CELLS_X + SIDE * len(row) + STAT * (n + 0.6), y, number(value, 3))
            if adds is not None:
                _bypass(axes, TOP + TALL * (adds + 0.5), y, residuals)
        for n, (name, limits) in enumerate((("norma", None), ("coseno con la partenza", (-1.0, 1.0)))):
            lines = {which: pair[n] for which, pair in curves.items()}
            _plot(figure, axes, TOP + 0.2 + n * PLOT_PACE, name, lines, limits, depth)
        return finish(figure, *_words(title, stations, stats, residuals))


def _heads(axes, d):
    for c in range(d):
        _label(axes, CELLS_X + SIDE * (c + 0.5), TOP - 0.15, str(c + 1), fontsize=10, color=SOFT_INK)
    _label(axes, CELLS_X, TOP - 0.45, "componenti del vettore", "left", fontsize=10, color=SOFT_INK)
    for n, name in enumerate(("norma", "media", "dev. st.")):
        _label(axes, CELLS_X + SIDE * d + STAT * (n + 0.6), TOP - 0.15, name, fontsize=10, color=SOFT_INK)


def _node(axes, y, name, k, dashed):
    middle = NODE_X + NODE_WIDE / 2
    if k:
        arrow = {"arrowstyle": "-|>", "color": INK, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", (middle, y - 0.15), (middle, y - TALL + 0.15), arrowprops=arrow)
    box = FancyBboxPatch(
        (NODE_X + 0.05, y - 0.11), NODE_WIDE - 0.1, 0.22, boxstyle="round,pad=0.04", linewidth=1,
        facecolor=BAND if "LayerNorm" in name else "#FFFFFF", edgecolor=LINE if dashed else INK,
        linestyle="--" if dashed else "-",
    )  # fmt: skip
    axes.add_patch(box)
    text, color = ("niente somma", SOFT_INK) if dashed else (name, INK)
    _label(axes, middle, y, text, color=color, fontsize=10.5)


def _cell(axes, x, y, value, largest):
    fill, ink = shade(value, largest)
    axes.add_patch(Rectangle((x, y - 0.17), SIDE, 0.34, facecolor=fill, edgecolor=LINE, lw=0.8))
    _label(axes, x + SIDE / 2, y, number(value, 3, sign=True), color=ink, fontsize=10)


def _bypass(axes, start, end, residuals):
    """La strada del residuo, aperta o tagliata."""
    color, style = (POSITIVE, "-") if residuals else (LINE, "--")
    axes.plot(
        [NODE_X, 0.3, 0.3, NODE_X - 0.08], [start + 0.06, start + 0.06, end - 0.04, end - 0.04],
        color=color, lw=2.2 if residuals else 1.2, linestyle=style, solid_joinstyle="round",
    )  # fmt: skip
    if residuals:
        axes.plot([NODE_X - 0.07], [end - 0.04], marker=">", color=color, ms=7)
    else:
        axes.plot([0.3], [(start + end) / 2], marker="x", color=NEGATIVE, ms=8, mew=2.2)


def _plot(figure, axes, y, name, lines, limits, depth):
    """Una curva per ogni modo; y è il bordo superiore, in pollici nelle coordinate del foglio."""
    width, height = figure.get_size_inches()
    top = -axes.get_ylim()[1]
    low = height - (top + y + PLOT_TALL)
    plot = figure.add_axes((PLOT_X / width, low / height, PLOT_WIDE / width, PLOT_TALL / height))
    plot.spines[["top", "right"]].set_visible(False)
    plot.set_title(name, fontsize=10.5, fontweight="bold", loc="left")
    for values, (color, style) in zip(lines.values(), STYLES, strict=True):
        plot.plot(range(len(values)), values, color=color, linestyle=style, lw=2)
        plot.plot([depth], [values[depth]], marker="o", ms=5, color=color)
    count = len(next(iter(lines.values())))
    plot.set_xlim(0, count - 0.8)
    plot.set_xticks(range(0, count, 3))
    low, high = limits or (0.0, 1.1 * max(max(values) for values in lines.values()))
    plot.set_ylim(low, high)
    ticks = [low, (low + high) / 2, high] if limits else [t for t in plot.get_yticks() if low <= t <= high]
    plot.set_yticks(ticks, [number(t, 1) for t in ticks])
    plot.grid(color=BAND)
    if limits:
        plot.set_xlabel("blocchi attraversati", fontsize=10)


def _label(axes, x, y, text, side="center", **options):
    axes.text(x, y, text, ha=side, va="center", **options)


def _words(title, stations, stats, residuals):
    """Il testo alternativo e il riassunto."""
    lines = [
        f"{'niente somma' if adds is not None and not residuals else name}: norma {number(own[0], 3)}, "
        f"media {number(own[1], 3)}, deviazione standard {number(own[2], 3)}"
        for (name, adds), own in zip(stations, stats, strict=True)
    ]
    return f"{title}. Le tappe, dall'alto: " + "; ".join(lines) + ".", f"{title}\n" + ";\n".join(lines) + "."

"""Figure dell'attenzione: la mappa dei coefficienti, il conto di una riga, la media pesata nel piano.

Ricevono numeri già calcolati e non importano la biblioteca dell'attenzione.
"""

from __future__ import annotations

import math

from matplotlib.patches import Rectangle

from course_lib.figures.picture import (
    BAND,
    INK,
    LINE,
    MARGIN,
    POSITIVE,
    SOFT_INK,
    drawing,
    finish,
    shade,
)
from course_lib.notation import KEY_AXIS, QUERY_AXIS, number, table, vector


def heat_map(
    values,
    rows,
    columns=None,
    *,
    title=None,
    subtitle="",
    digits=3,
    total=True,
    largest=None,
    row_axis=QUERY_AXIS,
    column_axis=KEY_AXIS,
    exact_zeros=False,
):
    """Mappa di una tabella (query, key): un colore e un numero per cella, Σ a fianco di ogni riga.

    values: (L, S)   rows, columns: i nomi; se columns manca sono gli stessi   digits: cifre decimali
    total: mostra Σ   largest: il valore del colore pieno; se manca, 1 o il più grande in valore assoluto
    row_axis, column_axis: che cosa sono le righe (query) e le colonne (key)
    exact_zeros: scrive 0, senza decimali, dove il valore è 0 e non un numero arrotondato
    Restituisce: Picture. Se ci sono valori negativi il segno è sempre scritto.
    """
    values = [[float(v) for v in row] for row in values]
    columns = rows if columns is None else columns
    flat = [v for row in values for v in row]
    largest = max([1.0, *map(abs, flat)]) if largest is None else largest
    signed = any(v < 0 for v in flat)
    title = f"Il valore più alto è {number(max(flat, default=0.0), digits)}" if title is None else title
    side, tall, left, top = 1.15, 0.62, 2.0, 0.8
    right = left + side * len(columns)
    with drawing(max(5.0, right + 1.3), top + tall * len(rows) + 0.3, title, subtitle) as (figure, axes):
        _label(axes, left, 0.25, f"{column_axis} (key) →", "left", fontsize=10, color=SOFT_INK)
        _label(axes, left - 0.15, top - 0.2, f"{row_axis} (query) ↓", "right", fontsize=10, color=SOFT_INK)
        for j, name in enumerate(columns):
            _label(axes, left + side * (j + 0.5), top - 0.2, name)
        for i, (name, row) in enumerate(zip(rows, values, strict=True)):
            y = top + tall * i
            _label(axes, left - 0.15, y + tall / 2, name, "right")
            for j, value in enumerate(row):
                text = _exact(value, digits, exact_zeros, sign=signed)
                _shaded(axes, (left + side * j, y, side, tall), value, largest, text)
            if total:
                _label(axes, right + 0.6, y + tall / 2, number(sum(row), digits))
        if total:
            _label(axes, right + 0.6, top - 0.2, "Σ", fontweight="bold")
        names = {"row_axis": row_axis, "column_axis": column_axis}
        shown = table(values, rows, columns, digits=digits, total=total, **names)
        texts = [[_exact(v, digits, exact_zeros) for v in row] for row in values]
        if exact_zeros:
            shown.cells = [row + cells[len(row) :] for row, cells in zip(texts, shown.cells, strict=True)]
        return finish(figure, _alt(title, rows, columns, texts, row_axis), f"{title}\n{shown}")


def worked_table(
    name, tokens, *, query, keys, products, scores, exponentials, weights, values, terms, output, title=None
):
    """Il conto di una riga, dal prodotto q·k alla combinazione z, una colonna per passo.

    name: il token che guarda   tokens: gli S token guardati   query: (d_k,)   keys: (S, d_k)
    products: q·k, scores: ÷√d_k, exponentials, weights: (S,) ciascuno
    values: (S, d_v)   terms: coefficiente per value, (S, d_v)   output: z, (d_v,)
    Restituisce: Picture.
    """
    title = _most_attended(name, tokens, weights) if title is None else title
    columns = [
        ("key", 1.7, [vector(k) for k in keys], ""),
        ("q·k", 2.55, [number(p, 3) for p in products], ""),
        (r"÷$\sqrt{d_k} = s$", 3.4, [number(s, 3) for s in scores], ""),
        (r"$e^s$", 4.4, [number(e, 3) for e in exponentials], number(sum(exponentials), 3)),
        ("÷Σ = α", 5.4, [number(w, 3) for w in weights], number(sum(weights), 3)),
        ("value", 6.45, [vector(v) for v in values], ""),
        ("coeff. × value", 7.65, [vector(t, 3) for t in terms], f"z = {vector(output, 3)}"),
    ]
    phases = [(1.2, 2.65, "1 · confronta"), (3.95, 1.95, "2 · normalizza"), (6.0, 2.45, "3 · combina")]
    subtitle = f"La query di «{name}», q = {vector(query)}, contro {len(tokens)} key."
    tall, top, right = 0.5, 1.0, 8.45
    bottom = top + tall * len(tokens)
    with drawing(right + 0.2, bottom + 0.7, title, subtitle) as (figure, axes):
        for x, wide, text in phases:
            axes.add_patch(Rectangle((x, 0.15), wide, 0.34, facecolor=BAND))
            _label(axes, x + wide / 2, 0.32, text, fontsize=10, fontweight="bold")
        for y in (top, bottom):
            axes.plot([MARGIN, right], [y, y], color=INK, lw=1)
        for j, token in enumerate(tokens):
            _label(axes, 1.1, top + tall * (j + 0.5), token, "right")
        for head, x, cells, foot in columns:
            _label(axes, x, top - 0.23, head, fontsize=10, color=SOFT_INK)
            for j, text in enumerate(cells):
                y = top + tall * j
                if head.startswith("÷Σ"):
                    _shaded(axes, (x - 0.42, y + 0.04, 0.84, tall - 0.08), weights[j], 1.0, text)
                else:
                    _label(axes, x, y + tall / 2, text)
            _label(axes, x, bottom + 0.32, foot, fontweight="bold")
        _label(axes, 1.1, bottom + 0.32, "Σ", "right", fontweight="bold")
        summary = _worked_summary(title, tokens, scores, exponentials, weights, output)
        return finish(figure, summary, summary)


def mean_in_plane(name, tokens, *, values, weights, output, title=None):
    """I value come frecce nel piano e la loro media pesata z, costruita un pezzo dopo l'altro.

    name: il token che guarda   tokens: gli S token guardati
    values: (S, 2)   weights: (S,)   output: z, (2,)
    Restituisce: Picture. L'area dei dischi è proporzionale ai coefficienti.
    """
    title = f"z è la media pesata dei value: {vector(output, 3)}" if title is None else title
    side, left = 3.9, 0.95
    subtitle = f"Chi guarda: «{name}». Disco grande: coefficiente grande. La spezzata somma i pezzi."
    with drawing(7.8, side + 0.75, title, subtitle) as (figure, axes):
        plane = _plane(figure, left, side, _limits([*values, output]))
        for token, value, weight in zip(tokens, values, weights, strict=True):
            plane.annotate("", value, (0, 0), arrowprops={"arrowstyle": "-|>", "color": LINE, "lw": 1.4})
            plane.scatter(*value, s=900 * weight, color=POSITIVE, alpha=0.35, linewidths=0, zorder=3)
            plane.scatter(*value, s=14, color=POSITIVE, zorder=4)
            text = f"{token}\n{number(weight, 3)}"
            plane.annotate(text, value, (13, 9), textcoords="offset points", fontsize=10)
        path = _running_sums(values, weights)
        plane.plot(*zip(*path, strict=True), color=INK, lw=1.8, marker="o", ms=3, zorder=5)
        plane.scatter(*output, s=60, color=INK, marker="D", zorder=6)
        plane.annotate("z", output, (9, -14), textcoords="offset points", fontsize=12, fontweight="bold")
        pieces = zip(tokens, weights, values, strict=True)
        lines = [f"{token}: {number(weight, 3)} × {vector(value)}" for token, weight, value in pieces]
        x, y = left + side + 0.3, 0.5
        for i, line in enumerate(lines):
            _label(axes, x, y + 0.33 * i, line, "left", fontsize=10)
        total = f"somma: z = {vector(output, 3)}"
        _label(axes, x, y + 0.1 + 0.33 * len(lines), total, "left", fontsize=10, fontweight="bold")
        summary = f"{title}\n" + ";\n".join(lines) + f".\nLa somma è z = {vector(output, 3)}."
        return finish(figure, summary, summary)


def _running_sums(values, weights):
    """I vertici della spezzata: dall'origine, un pezzo coefficiente × value per volta."""
    path = [(0.0, 0.0)]
    for value, weight in zip(values, weights, strict=True):
        x, y = path[-1]
        path.append((x + weight * value[0], y + weight * value[1]))
    return path


def _label(axes, x, y, text, side="center", **options):
    axes.text(x, y, text, ha=side, va="center", **options)


def _shaded(axes, box, value, largest, text):
    """Una cella colorata con il suo numero; box = (x, y, larghezza, altezza) in pollici."""
    x, y, wide, tall = box
    fill, ink = shade(value, largest)
    axes.add_patch(Rectangle((x, y), wide, tall, facecolor=fill, edgecolor=LINE, lw=0.8))
    _label(axes, x + wide / 2, y + tall / 2, text, color=ink)


def _plane(figure, left, side, limits):
    """Un piano cartesiano quadrato di lato `side` pollici, posato 0,65 pollici sopra il bordo inferiore."""
    low, high = limits
    width, height = figure.get_size_inches()
    plane = figure.add_axes((left / width, 0.65 / height, side / width, side / height))
    plane.set_xlim(low, high)
    plane.set_ylim(low, high)
    plane.set_aspect("equal")
    plane.spines[["top", "right"]].set_visible(False)
    ticks = [t / 2 for t in range(math.ceil(2 * low), math.floor(2 * high) + 1)]
    plane.set_xticks(ticks, [number(t, 1) for t in ticks])
    plane.set_yticks(ticks, [number(t, 1) for t in ticks])
    plane.set_xlabel("prima componente")
    plane.set_ylabel("seconda componente")
    plane.grid(color=BAND)
    plane.set_axisbelow(True)
    return plane


def _limits(points):
    """Estremi comuni ai due assi, con l'origine dentro e un margine per i nomi."""
    numbers = [0.0, *(float(c) for point in points for c in point)]
    low, high = min(numbers), max(numbers)
    span = high - low or 1.0
    return low - 0.1 * span, high + 0.28 * span


def _most_attended(name, tokens, weights):
    """La frase che dice chi è più guardato, o che lo sono tutti allo stesso modo."""
    if max(weights) - min(weights) < 5e-4:
        return f"«{name}» guarda tutti allo stesso modo: {number(weights[0], 3)} ciascuno"
    best = max(range(len(tokens)), key=lambda j: weights[j])
    return f"«{name}» guarda soprattutto «{tokens[best]}»: coefficiente {number(weights[best], 3)}"


def _exact(value, digits, exact_zeros, sign=False):
    return "0" if exact_zeros and value == 0 else number(value, digits, sign=sign)


def _alt(title, rows, columns, texts, row_axis):
    lines = [
        f"{name} → " + ", ".join(f"{c} {text}" for c, text in zip(columns, row, strict=True))
        for name, row in zip(rows, texts, strict=True)
    ]
    return f"{title}. Mappa, una riga per {row_axis}. " + "; ".join(lines) + "."


def _worked_summary(title, tokens, scores, exponentials, weights, output):
    rows = [
        f"{t}: punteggio {number(s, 3)}, esponenziale {number(e, 3)}, coefficiente {number(w, 3)}"
        for t, s, e, w in zip(tokens, scores, exponentials, weights, strict=True)
    ]
    last = f"Σ = {number(sum(exponentials), 3)}; z = {vector(output, 3)}."
    return f"{title}\n" + ";\n".join(rows) + f".\n{last}"

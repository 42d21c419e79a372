"""La figura delle teste: una miniatura per testa, e una testa da vicino."""

from __future__ import annotations

from matplotlib.patches import Rectangle

from course_lib.figures.picture import INK, LINE, SOFT_INK, drawing, finish, shade
from course_lib.notation import KEY_AXIS, QUERY_AXIS, number

LEFT, GAP = 1.2, 0.28


def head_grid(found):
    """La griglia strato × testa, e accanto la prima testa con i suoi numeri.

    found: lo stato di Teste (entries, maps, rows, columns, variants)
    Restituisce: Picture.
    """
    whole = found["variants"][""]
    maps = [found["maps"][k] for k in whole["maps"]]
    rows, columns, entries = found["rows"], found["columns"], found["entries"]
    across = len(entries) // found["n_layers"]
    side = min(1.1, 4.2 / across)
    big_left, cell = LEFT + across * (side + GAP) + 1.3, 0.62
    tall = max(found["n_layers"] * (side + 0.5) + 0.4, 0.62 * len(rows) * 0.75 + 1.2)
    title, summary = _title(found, maps[0]), _summary(found, maps)
    wide = big_left + cell * len(columns) + 0.7
    with drawing(wide, tall + 0.35, title, _subtitle(found)) as (figure, axes):
        for k, entry in enumerate(entries):
            x = LEFT + (k % across) * (side + GAP)
            y = 0.45 + entry["layer"] * (side + 0.5)
            if k % across == 0:
                axes.text(0.25, y + side / 2, f"strato {entry['layer'] + 1}", va="center", color=SOFT_INK)
            axes.text(x + side / 2, y - 0.14, entry["name"], ha="center", va="center")
            _cells(axes, maps[k], x, y, side / len(columns), side / len(rows))
            axes.add_patch(Rectangle((x, y), side, side, fill=False, edgecolor=INK, lw=0.8))
        _close_up(axes, rows, columns, maps[0], entries[0]["name"], big_left, cell)
        return finish(figure, summary, summary)


def _close_up(axes, rows, columns, values, name, left, cell):
    tall, top = cell * 0.75, 1.0
    numbers = len(columns) <= 12
    small = {"va": "center", "fontsize": 10, "color": SOFT_INK}
    axes.text(left, 0.02, f"testa {name}: {KEY_AXIS} (key) →", **small)
    axes.text(left - 0.12, top - 0.16, f"{QUERY_AXIS} ↓", ha="right", **small)
    for j, column in enumerate(columns):
        axes.text(left + cell * (j + 0.4), top - 0.1, column, rotation=35, va="bottom", fontsize=10)
    _cells(axes, values, left, top, cell, tall, numbers)
    for i, row in enumerate(rows):
        axes.text(left - 0.12, top + tall * (i + 0.5), row, ha="right", va="center", fontsize=10)


def _cells(axes, values, x, y, wide, tall, numbers=False):
    for i, row in enumerate(values):
        for j, value in enumerate(row):
            box = (x + wide * j, y + tall * i)
            if value is None:
                axes.add_patch(Rectangle(box, wide, tall, facecolor="#F4F4F4", edgecolor=LINE, lw=0.3,
                                         hatch="////" if numbers else None))  # fmt: skip
                continue
            fill, ink = shade(value, 1.0)
            axes.add_patch(Rectangle(box, wide, tall, facecolor=fill, edgecolor=LINE, lw=0.3))
            if numbers:
                axes.text(box[0] + wide / 2, box[1] + tall / 2, number(value, 2), ha="center", va="center",
                          fontsize=10, color=ink)  # fmt: skip


def _title(found, values):
    """L'ultima parola: chi guarda, e che cosa si misura spegnendo la testa."""
    row = values[-1]
    name = found["entries"][0]["name"]
    best = max((value, j) for j, value in enumerate(row) if value is not None)
    text = (
        f"Nella testa {name} «{found['rows'][-1]}» dà a «{found['columns'][best[1]]}» "
        f"il coefficiente {number(best[0], 3)}"
    )
    if not found["trained"]:
        return text
    same = found["variants"][""]["top"] == found["variants"]["0"]["top"]
    return f"{text}; spegnerla {'non ' if same else ''}cambia la risposta"


def _subtitle(found):
    if not found["trained"]:
        return "La mappa suggerisce; che cosa serva davvero lo dice soltanto una misura."
    return f"{found['variants']['0']['effect']} {found['notes'][1]}"


def _summary(found, maps):
    lines = [f"{_title(found, maps[0])}."]
    for entry, values in zip(found["entries"], maps, strict=True):
        row = zip(found["columns"], values[-1], strict=True)
        each = ", ".join(f"{column} {number(value, 3)}" for column, value in row if value is not None)
        lines.append(f"{entry['name']}, «{found['rows'][-1]}» → {each}")
    if found["trained"]:
        lines += [v["effect"] for v in found["variants"].values() if len(v["off"]) == 1]
        lines.append(found["notes"][1])
    return "\n".join(lines)

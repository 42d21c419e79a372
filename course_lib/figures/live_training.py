"""La figura dell'addestramento: la curva della loss, e l'attenzione all'inizio, a metà e alla fine.

Riceve uno stato già calcolato (vedi `widgets.state.live_training`) e non importa la biblioteca.
"""

from __future__ import annotations

from matplotlib.patches import Rectangle

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
from course_lib.notation import KEY_AXIS, QUERY_AXIS, number

TRAINING = "#D55E00"             # Okabe e Ito
_WIDE, _CURVE, _SIDE, _LEFT = 9.4, 2.5, 0.4, 0.85


def curve_and_maps(state):
    """La curva sopra, tre mappe sotto: chi guarda chi allo 0, al 50 e al 100 % dei passi.

    state: un dizionario come quello di `widgets.state.live_training.state`, con almeno un momento
    Restituisce: Picture.
    """
    moments = state["moments"]
    chosen = [moments[0], moments[len(moments) // 2], moments[-1]]
    last = moments[-1]
    title = (
        f"La loss scende da {number(moments[0]['validation'], 2)} a {number(last['validation'], 2)}; "
        f"«{state['words'][-1]}» impara a guardare «{state['words'][last['most']]}»"
    )
    subtitle = (
        f"Concordanza, un blocco, {state['heads']} teste, η = {number(state['rate'])}, seme {state['seed']}. "
        f"Riga: {QUERY_AXIS}; colonna: {KEY_AXIS} (media)."
    )
    height = _CURVE + 1.5 + _SIDE * len(state["words"]) + 0.3
    with drawing(_WIDE, height, title, subtitle) as (figure, axes):
        _curve(figure, state, height)
        for k, m in enumerate(chosen):
            _map(axes, state, m, _LEFT + k * 2.95, _CURVE + 1.45, names=k == 0)
        lines = [title, *(m["sentence"] for m in chosen), f"ln V = {number(state['uniform'], 3)}."]
        summary = "\n".join(lines)
        return finish(figure, summary, summary)


def _curve(figure, state, height):
    wide, tall = figure.get_size_inches()
    bottom, left = (height - _CURVE + 0.1) / tall, 0.75 / wide
    plane = figure.add_axes((left, bottom, 1 - 1.1 / wide, (_CURVE - 0.35) / tall))
    plane.spines[["top", "right"]].set_visible(False)
    steps = range(1, len(state["losses"]) + 1)
    at = [m["step"] for m in state["moments"]]
    chance = f"ln V = {number(state['uniform'], 2)}"
    plane.plot(at, [m["validation"] for m in state["moments"]], color=POSITIVE, lw=3, label="validazione")
    plane.plot(steps, state["losses"], color=TRAINING, lw=1, label="addestramento")
    plane.axhline(state["uniform"], color=NEGATIVE, lw=1.4, ls="--", label=chance)
    plane.set_ylim(0, 1.15 * state["uniform"])
    plane.set_xlim(0, state["total"])
    ticks = [state["total"] * k // 6 for k in range(7)]
    plane.set_xticks(ticks, [number(t) for t in ticks])
    plane.set_yticks(range(5), [number(t) for t in range(5)])
    plane.set_xlabel("passi")
    plane.set_ylabel("loss")
    plane.legend(loc="upper right", frameon=False, ncols=3, bbox_to_anchor=(1, 0.9))
    plane.grid(color=BAND)
    plane.set_axisbelow(True)


def _map(axes, state, m, left, top, names):
    words, rows = state["words"], m["maps"][0]
    axes.text(left, top - 0.62, f"passo {m['step']}", fontweight="bold", color=INK)
    for j, word in enumerate(words):
        axes.text(left + _SIDE * (j + 0.5), top - 0.08, word, fontsize=10, color=SOFT_INK, rotation=40,
                  ha="left", va="bottom", rotation_mode="anchor")  # fmt: skip
        if names:
            axes.text(left - 0.08, top + _SIDE * (j + 0.5), word, fontsize=10, ha="right", va="center")
        for i in range(j, len(words)):
            fill, ink = shade(rows[i][j], 1.0)
            x, y = left + _SIDE * j, top + _SIDE * i
            axes.add_patch(Rectangle((x, y), _SIDE, _SIDE, facecolor=fill, edgecolor=LINE, lw=0.6))
            axes.text(x + _SIDE / 2, y + _SIDE / 2, number(rows[i][j], 2), fontsize=10, color=ink,
                      ha="center", va="center")  # fmt: skip



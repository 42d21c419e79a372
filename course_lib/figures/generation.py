"""La figura della generazione: i primi passi come tabella, uno per riga.

Riceve uno stato già calcolato (vedi `widgets.state.generation`) e non importa la biblioteca.
"""

from __future__ import annotations

from course_lib.figures.picture import BAND, INK, MARGIN, POSITIVE, SOFT_INK, drawing, finish
from course_lib.notation import number

FIRST = 3                        # quanti candidati per riga
_TALL, _TOP, _RIGHT = 0.5, 0.6, 9.1
_COLUMNS = (("passo", 0.6), ("dopo", 1.9), *((f"{i}º", 2.95 + 1.35 * i) for i in range(1, FIRST + 1)),
            ("altri", 8.05 - 0.12), ("scelto", 8.75))  # fmt: skip


def choice_table(state):
    """Un passo per riga: che cosa c'era, i più probabili, quanto resta agli altri, che cosa si è scritto.

    state: un dizionario come quello di `widgets.state.generation.state`
    Restituisce: Picture.
    """
    moments = state["moments"]
    written = moments[0]["gap"].join(m["drawn"]["name"] for m in moments).replace("␣", " ").strip()
    title = f"Dopo «{moments[0]['text']}» il modello scrive «{written}»"
    settings = f"{len(moments)} passi, {state['words']}, seme {number(state['seed'])}"
    subtitle = f"{settings}. In azzurro il token scelto, quando è fra i primi {FIRST}."
    with drawing(_RIGHT + 0.3, _TOP + _TALL * len(moments) + 0.2, title, subtitle) as (figure, axes):
        for name, x in _COLUMNS:
            _text(axes, x, 0.35, name, fontsize=10, color=SOFT_INK)
        axes.plot([MARGIN, _RIGHT], [_TOP - 0.04] * 2, color=INK, lw=1)
        for k, m in enumerate(moments):
            _row(axes, k, m, _TOP + _TALL * (k + 0.5))
        summary = f"{title}\n" + "\n".join(_words(k, m) for k, m in enumerate(moments))
        return finish(figure, summary, summary)


def _row(axes, k, m, y):
    places = dict(_COLUMNS)
    _text(axes, places["passo"], y, str(k + 1))
    _text(axes, places["dopo"], y, m["tail"])
    for c in m["candidates"][:FIRST]:
        mine = c["token"] == m["drawn"]["token"]
        style = {"fontweight": "bold", "color": POSITIVE} if mine else {"color": INK}
        box = {"facecolor": BAND if mine else "none", "edgecolor": "none", "pad": 4}
        _text(axes, places[f"{c['rank']}º"], y, f"«{c['name']}» {number(c['before'], 3)}", bbox=box, **style)
    _text(axes, places["altri"], y, number(_left(m), 3))
    _text(axes, places["scelto"], y, f"«{m['drawn']['name']}»", fontweight="bold", color=POSITIVE)


def _left(m):
    """La probabilità di tutti gli altri."""
    return max(0.0, 1 - sum(c["before"] for c in m["candidates"][:FIRST]))


def _words(k, m):
    first = ", ".join(f"«{c['name']}» {number(c['before'], 3)}" for c in m["candidates"][:FIRST])
    drawn = m["drawn"]
    return (
        f"Passo {k + 1}, dopo «{m['tail']}»: {first}; scelto «{drawn['name']}», "
        f"{drawn['rank']}º, {number(drawn['before'], 3)}."
    )


def _text(axes, x, y, text, **options):
    axes.text(x, y, text, ha="center", va="center", **options)

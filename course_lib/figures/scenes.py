"""Il provino della Regia: tutte le scene in un foglio, una scheda ciascuna."""

from __future__ import annotations

import textwrap

from matplotlib.patches import Rectangle

from course_lib.figures.picture import BACKGROUND, BAND, LINE, MARGIN, SOFT_INK, drawing, finish

COLUMNS = 4
WIDE, TALL, GAP, HEAD = 2.6, 1.42, 0.12, 0.34   # pollici


def contact_sheet(scenes):
    """Le scene in ordine: numero, notebook, titolo, domanda alla classe.

    scenes: (notebook, titolo, domanda) di ognuna   Solleva ValueError se non ce n'è nessuna.
    """
    if not scenes:
        raise ValueError("Mi aspettavo almeno una scena, non ce n'è nessuna: dammi quelle da mostrare.")
    rows = -(-len(scenes) // COLUMNS)
    title = f"Regia: {len(scenes)} scene" if len(scenes) != 1 else "Regia: una scena"
    width, height = 2 * MARGIN - GAP + COLUMNS * (WIDE + GAP), rows * (TALL + GAP) + MARGIN - GAP
    with drawing(width, height, title, "Si passa dall'una all'altra con PagGiù; r rivela.") as (figure, axes):
        for k, scene in enumerate(scenes):
            _card(axes, k, scene, MARGIN + k % COLUMNS * (WIDE + GAP), k // COLUMNS * (TALL + GAP))
        lines = [f"{k}. {name} (notebook {n}): {asked}" for k, (n, name, asked) in enumerate(scenes, 1)]
        summary = "\n".join([title + ".", *lines])
        return finish(figure, f"{title}, una scheda ciascuna: titolo e domanda alla classe.", summary)


def _card(axes, k, scene, x, y):
    notebook, name, question = scene
    axes.add_patch(Rectangle((x, y), WIDE, TALL, facecolor=BACKGROUND, edgecolor=LINE))
    axes.add_patch(Rectangle((x, y), WIDE, HEAD, facecolor=BAND, edgecolor=LINE))
    axes.text(x + 0.1, y + HEAD / 2, f"{k + 1} · {name}", va="center", fontsize=9, fontweight="bold")
    shown = textwrap.shorten(question, 130, placeholder=" …")
    axes.text(x + 0.1, y + HEAD + 0.1, textwrap.fill(shown, 34), va="top", fontsize=8.5, linespacing=1.25)
    where = x + WIDE - 0.08, y + TALL - 0.1
    axes.text(*where, f"notebook {notebook}", ha="right", fontsize=7.5, color=SOFT_INK)

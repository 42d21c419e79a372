"""Ciò che serve a ogni prova di una figura: averla ancora aperta, e trovarci tutto leggibile."""

from __future__ import annotations

from course_lib.figures import picture


def drawn(module, make, monkeypatch):
    """La figura di matplotlib, presa un attimo prima che diventi PNG, e ciò che make restituisce.

    module: il modulo di course_lib.figures che la disegna   make: la funzione, senza argomenti, che la chiede
    """
    kept = {}

    def keep(figure, alt, summary):
        figure.canvas.draw()
        kept["figure"] = figure
        return picture.finish(figure, alt, summary)

    monkeypatch.setattr(module, "finish", keep)
    made = make()
    return kept["figure"], made


def no_text_overlaps_or_leaves_the_sheet(figure) -> int:
    """Pretende che ogni scritta stia nel foglio e lontana dalle altre; restituisce quante sono."""
    renderer, sheet = figure.canvas.get_renderer(), figure.bbox
    texts = [t for axes in figure.axes for t in axes.texts if t.get_text().strip()]
    boxes = [(t.get_text(), t.get_window_extent(renderer)) for t in texts]
    for text, box in boxes:
        assert sheet.x0 <= box.x0 <= box.x1 <= sheet.x1, text
        assert sheet.y0 <= box.y0 <= box.y1 <= sheet.y1, text
    for i, (text, box) in enumerate(boxes):
        for other, other_box in boxes[i + 1 :]:
            assert not box.overlaps(other_box), (text, other)
    return len(boxes)

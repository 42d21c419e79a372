"""W2, la Lente sulla cella: si sceglie chi guarda e chi è guardato, e se ne segue il conto.

| comando | dove agisce |
|---|---|
| frecce, Inizio, Fine, mouse: la cella | locale |
| `n`, `b`, Avanti, Indietro: il passo | locale |
| Invio, clic: fissare; Esc: lasciare | locale |
| simboli della formula | locale |
| Prima prevedi | locale |
"""

from __future__ import annotations

import operator

from course_lib.transformer import examples
from course_lib.widgets.frame import CourseWidget, parts
from course_lib.widgets.state import lens


class CellLens(CourseWidget):
    """La lente su un'attenzione qualunque; senza argomenti, quella di chiave/libri/era.

    Q: (L, d_k)   K: (S, d_k)   V: (S, d_v)   rows, columns: i nomi dei token
    mask: (L, S) bool, True = può guardare   at: la cella (i, j) con cui si apre
    predict: chiede una previsione alle righe non ancora viste
    Solleva ValueError se forme, nomi o numeri non vanno.
    """

    locals().update(parts("lens"))

    def __init__(self, Q=None, K=None, V=None, rows=None, columns=None, *, mask=None, at=None, predict=True):
        given = [name for name, value in zip(("Q", "K", "V", "rows"), (Q, K, V, rows), strict=True)
                 if value is not None]  # fmt: skip
        if 0 < len(given) < 4:
            raise ValueError(f"Q, K, V e rows si danno insieme: è arrivato soltanto {', '.join(given)}.")
        if not given:
            example = examples.chiave_libri_era()
            Q, K, V, rows, at = example.q, example.k, example.v, example.tokens, (2, 0) if at is None else at
        found = lens.state(Q, K, V, rows, columns, mask)
        rows, columns = len(found["rows"]), len(found["columns"])
        i, j = (rows - 1, 0) if at is None else _checked_cell(at, rows, columns)
        super().__init__(state=found, options={"predict": bool(predict), "at": [i, j]})

    def fallback(self):
        """La riga con cui si apre, come tabella."""
        from course_lib.figures.attention import worked_table

        found, (i, _) = self.state, self.options["at"]
        return worked_table(
            found["rows"][i], found["columns"], query=found["Q"][i], keys=found["K"],
            products=found["dots"][i], scores=found["scores"][i],
            exponentials=[e or 0.0 for e in found["exponentials"][i]],
            weights=[w or 0.0 for w in found["weights"][i]], values=found["V"],
            terms=found["terms"][i], output=found["outputs"][i],
        )  # fmt: skip


def _checked_cell(at, rows, columns):
    """La cella at come due interi. Solleva ValueError se non ne indica una."""
    try:
        i, j = (operator.index(place) for place in at)
    except (TypeError, ValueError):
        i = j = -1
    if not (0 <= i < rows and 0 <= j < columns):
        last = (rows - 1, columns - 1)
        raise ValueError(f"at: mi aspettavo una cella fra (0, 0) e {last}, è arrivata {at!r:.40}.")
    return i, j

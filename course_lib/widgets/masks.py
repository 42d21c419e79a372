"""W5, le Maschere: punteggi, maschera e coefficienti affiancati, e che cosa cambia se l'ordine è sbagliato.

| comando | dove agisce |
|---|---|
| frecce, Inizio, Fine, clic: la cella | locale |
| maschere pronte | locale: gli stati sono già calcolati |
| Spazio, clic su una cella della maschera: permessa o vietata | kernel |
| `d`, maschera dopo la softmax | locale |
| `n`, `b`: quale matrice è grande, se le celle sono molte | locale |
| Invio: fissare la riga; Esc: lasciarla | locale |
| Prima prevedi | locale |
"""

from __future__ import annotations

import numpy as np

from course_lib.transformer import examples
from course_lib.widgets.frame import CourseWidget, parts
from course_lib.widgets.state.mask_presets import CAUSAL, presets
from course_lib.widgets.state.masks import BY_HAND, check_scores, distinct, state
from course_lib.widgets.state.plain import check_names


class MaskBoard(CourseWidget):
    """Le maschere su punteggi qualunque; senza argomenti, quelli della griglia di «hello».

    scores: (L, S), già divisi per √d_k   rows, columns: L e S nomi; con columns assente valgono le righe
    mask: (L, S) bool, True = può guardare: la maschera con cui si apre; se manca, quella di nome `preset`
    predict: chiede una previsione prima di mostrare ogni maschera
    Solleva ValueError se forme, nomi o numeri non vanno.
    """

    locals().update(parts("masks"))

    def __init__(self, scores=None, rows=None, columns=None, *, mask=None, preset=None, predict=True):
        if scores is None:
            if rows is not None or columns is not None:
                raise ValueError("Con rows e columns servono anche gli scores di cui sono i nomi.")
            scores, rows = hello_scores()
        self._scores = check_scores(scores)
        L, S = self._scores.shape
        if rows is None:
            raise ValueError(f"rows: mi aspettavo {L} nomi, uno per ogni riga di scores; non c'è nulla.")
        self._rows = distinct(check_names(rows, L, "rows"))
        self._columns = distinct(check_names(rows if columns is None else columns, S, "columns"))
        ready = presets(self._scores, self._rows, self._columns)
        if mask is not None:
            found = state(self._scores, self._rows, self._columns, mask)
            ready.append({"name": BY_HAND, "note": found["note"], "state": found})
        names = [one["name"] for one in ready]
        usual = BY_HAND if mask is not None else CAUSAL if CAUSAL in names else names[0]
        opening = usual if preset is None else preset
        if opening not in names:
            raise ValueError(f"preset: mi aspettavo uno di {', '.join(names)}; è arrivato {opening!r:.40}.")
        super().__init__(
            state=ready[names.index(opening)]["state"],
            presets=ready,
            options={"predict": bool(predict), "preset": opening},
        )

    def answer_to(self, request):
        """La maschera disegnata: allowed, righe di vero o falso; le query sono le ultime righe di scores."""
        allowed = request.get("allowed")
        if not isinstance(allowed, list) or not 0 < len(allowed) <= len(self._scores):
            raise ValueError(
                f"Mi aspettavo una maschera con al più {len(self._scores)} righe di valori vero o falso; "
                "è arrivato altro. Scegli una maschera pronta e riparti da quella."
            )
        L = len(allowed)
        return state(self._scores[-L:], self._rows[-L:], self._columns, allowed)

    def fallback(self):
        """Le maschere pronte, affiancate, e quella causale messa dopo la softmax."""
        from course_lib.figures.masks import mask_grid

        return mask_grid([one["state"] for one in self.presets], late=self.options["preset"])


def hello_scores():
    """I punteggi della griglia di «hello», (5, 5), e i nomi dei suoi token."""
    example = examples.hello()
    q, k = example.x @ example.W_Q, example.x @ example.W_K              # (5, 4), (5, 4)
    return q @ k.T / np.sqrt(k.shape[1]), example.tokens

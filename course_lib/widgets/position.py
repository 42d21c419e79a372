"""W7, la Posizione: la codifica come matrice, onde e lancette; le distanze; lo scambio; «regola».

| comando | dove agisce |
|---|---|
| vista, posto, quanti posti, dimensione, frecce, Inizio, Fine, clic | locale |
| Invio: fissare il posto; Esc: lasciarlo | locale |
| le due parole da scambiare; con o senza posizioni (`p`) | locale: gli scambi sono già calcolati |
| esempi (d e base già calcolati) | locale |
| d, base, frase | kernel |
| Prima prevedi | locale |
"""

from __future__ import annotations

from course_lib.widgets.frame import CourseWidget, parts
from course_lib.widgets.state.plain import check_whole
from course_lib.widgets.state.position import MOST_POSITIONS, check_base, presets, state
from course_lib.widgets.state.position_regola import regola_table
from course_lib.widgets.state.position_swap import SENTENCE

ABOUT = [
    "Posto p, coppia i: PE(p, 2i) = sin(p / base^(2i/d)), PE(p, 2i+1) il coseno dello stesso angolo; "
    "i è l'indice della coppia, non della dimensione. La lancetta di una coppia parte da mezzogiorno e "
    "gira in senso orario: la punta sta a destra quanto il seno, in alto quanto il coseno.",
    "d, base e frase le calcola il kernel; se è spento restano gli esempi. Nello scambio gli embedding "
    "sono quelli del simulatore, con o senza 0,3 × PE, e Q = K = V = i vettori così ottenuti: è una "
    "scelta del corso, e nulla è addestrato.",
]
VIEWS = ("onde", "distanza", "scambio", "regola")


class PositionClock(CourseWidget):
    """La codifica posizionale; senza argomenti, 12 posti, d = 8 e base 10 000.

    n: quanti posti si vedono, da 1 a 24   d: da 2 a 16   base: da 1 a 1 000 000
    sentence: da 2 a 6 parole, per lo scambio   at: il posto scelto   view: onde, distanza, scambio o regola
    predict: chiede una previsione prima di mostrare il risultato
    Solleva ValueError se un argomento non va.
    """

    locals().update(parts("position"))

    def __init__(self, n=12, d=8, base=10000.0, *, sentence=SENTENCE, at=4, view="onde", predict=True):
        n, at = check_whole("n", n, 1, MOST_POSITIONS), check_whole("at", at, 0, MOST_POSITIONS - 1)
        if view not in VIEWS:
            raise ValueError(f"view: mi aspettavo una fra {', '.join(VIEWS)}; è arrivato {view!r:.40}.")
        found = state(d, base, sentence)
        ready = presets(found["swap"]["sentence"])
        same = [one for one in ready if (one["state"]["d"], one["state"]["base"]) == (d, check_base(base))]
        super().__init__(
            state=same[0]["state"] if same else found,
            presets=ready,
            options={
                "predict": bool(predict), "n": n, "at": min(at, n - 1),
                "view": VIEWS.index(view), "regola": regola_table(MOST_POSITIONS), "about": ABOUT,
            },
        )  # fmt: skip

    def answer_to(self, request):
        """La codifica con un'altra d, un'altra base o un'altra frase; ciò che manca resta com'è."""
        now = self.state
        return state(
            request.get("d", now["d"]),
            request.get("base", now["base"]),
            request.get("sentence", now["swap"]["sentence"]),
        )

    def fallback(self):
        """La matrice della codifica e le sue onde."""
        from course_lib.figures.position import waves_and_map

        found, options = self.state, self.options
        return waves_and_map(found["encoding"][: options["n"]], found["waves"], found["pairs"], options["at"])

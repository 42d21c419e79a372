"""W10, il Percorso nel blocco: un vettore attraverso LayerNorm, attenzione, somme e rete feed-forward.

| comando | dove agisce |
|---|---|
| frecce, Inizio, Fine, mouse: il token e la tappa | locale |
| `n`, `b`, Avanti, Indietro: il passo | locale |
| `+`, `−`, Profondità: quanti blocchi, da 1 a 12 | locale |
| Residui; LayerNorm prima o dopo | locale |
| Invio: fissare la curva del token; Esc: lasciarla | locale |
| Prima prevedi | locale |
| le frasi dell'elenco | locale |
| una frase tua | kernel |
"""

from __future__ import annotations

from course_lib.widgets.frame import CourseWidget, parts
from course_lib.widgets.state import block_path
from course_lib.widgets.state.plain import check_whole


class BlockPath(CourseWidget):
    """Il percorso di un vettore nei blocchi di una pila; senza argomenti, quello di «era».

    sentence: da 1 a 12 parole   seed: da cui si estraggono i parametri, mai addestrati
    causal: con la maschera causale (blocchi del decoder), o senza (dell'encoder)
    token: il posto del token seguito; se manca, l'ultimo
    residuals, norm («pre» o «post»), depth (da 1 a 12): come si apre
    predict: chiede di prevedere prima di mostrare
    Solleva ValueError se un argomento non va.
    """

    locals().update(parts("block_path"))

    def __init__(
        self,
        sentence=block_path.SENTENCE,
        *,
        seed=0,
        causal=True,
        token=None,
        residuals=True,
        norm="pre",
        depth=1,
        predict=True,
    ):
        found = block_path.state(sentence, seed=seed, causal=causal)
        if norm not in list(block_path.STATIONS):  # norm può non avere un hash
            raise ValueError(f"norm: mi aspettavo «pre» o «post», è arrivato {norm!r:.40}.")
        last = len(found["tokens"]) - 1
        token = last if token is None else check_whole("token", token, 0, last)
        depth = check_whole("depth", depth, 1, block_path.DEPTH)
        others = {block_path.SENTENCE, block_path.OTHER} - {found["sentence"]}
        other = block_path.state(min(others, key=len), seed=seed, causal=causal)
        super().__init__(
            state=found,
            presets=[{"name": other["sentence"], "note": "", "state": other}],
            options={
                "token": token, "residuals": bool(residuals), "norm": norm, "depth": depth,
                "predict": bool(predict),
            },
        )  # fmt: skip

    def answer_to(self, request):
        """Il percorso della frase scritta dal lettore, con lo stesso seme e la stessa maschera."""
        return block_path.state(request.get("sentence"), seed=self.state["seed"], causal=self.state["causal"])

    def fallback(self):
        """Il percorso con cui si apre, e le curve lungo la profondità."""
        from course_lib.figures.block_path import path_figure

        token = min(self.options["token"], len(self.state["tokens"]) - 1)
        return path_figure(**block_path.picture(self.state, **{**self.options, "token": token}))

"""W6, Teste: le mappe di ogni testa, i legami di quelle scelte, e la risposta quando se ne spegne una.

Senza argomenti mostra teste addestrate sulla concordanza; con `weights`, quelle di chi lo usa.

| comando | dove agisce |
|---|---|
| frecce, `n`, `b`, mouse: la testa, la parola, la cella | locale |
| Invio, clic sul nome: fissare una o più parole; Esc: lasciarle | locale |
| Più teste insieme, `t`; soglia dei legami | locale |
| spegnere una testa, `s`; vietare una parola | locale: le risposte sono già calcolate |
| frasi pronte | locale |
| frase propria | kernel |
| Prima prevedi | locale |
"""

from __future__ import annotations

import functools

from course_lib.widgets.frame import CourseWidget, parts
from course_lib.widgets.state import heads
from course_lib.widgets.state.heads_model import load

SENTENCES = (
    ("la chiave accanto ai libri era", "L'attrattore è di numero e di genere diversi dal soggetto."),
    ("il chiodo accanto ai libri era", "La gemella della prima: cambia soltanto il genere del soggetto."),
    ("la chiave era", "Senza attrattore."),
    ("il chiodo dietro la scatola era", "L'attrattore ha lo stesso numero e un altro genere."),
    ("i coltelli vicino alle lettere erano", "Due teste fanno lo stesso lavoro: spegnile una per volta."),
    ("lo specchio sotto la campana dietro la pentola era", "Due attrattori, di genere diverso dal soggetto."),
)

HELP = (
    "1·2 vuol dire strato 1, testa 2. Nelle mappe le righe guardano e le colonne sono guardate; «media» è "
    "la media delle teste accese dello strato.",
    "Lo spessore di un legame dipende soltanto dal suo coefficiente, quante che siano le teste mostrate. "
    "Passa su una parola per vedere i suoi legami, scegline il nome per fissarla; «Tieni» lascia una testa "
    "fra i legami mentre ne scegli altre. Sotto la soglia i legami non si disegnano.",
    "Una testa spenta ha uscita 0. Una parola vietata non può essere guardata da nessuna di quelle che "
    "seguono, in nessuno strato: altrimenti arriverebbe al verbo per un'altra via. Le mappe sono quelle dopo "
    "il taglio.",
)


class HeadAtlas(CourseWidget):
    """Le teste di un modello su una frase; senza argomenti, quelle addestrate per il corso.

    sentence: una frase fatta con le parole della grammatica della concordanza, fino a era/erano
    weights: (n_layers, n_heads, L, S), al posto del modello   tokens: L nomi   columns: S nomi, o tokens
    mask: (L, S) bool, True = può guardare   predict: chiede una previsione prima di spegnere
    Solleva ValueError se la frase, le forme o i nomi non vanno.
    """

    locals().update(parts("heads"))

    def __init__(self, sentence=None, *, weights=None, tokens=None, columns=None, mask=None, predict=True):
        options = {"predict": bool(predict), "help": list(HELP)}
        if weights is None:
            presets = ready_made()
            found = presets[0]["state"] if sentence is None else heads.measured(load(), sentence)
            if sentence is not None:
                presets = [{"name": " ".join(found["rows"]), "note": "", "state": found}, *presets]
            super().__init__(state=found, presets=presets, options=options)
            return
        if sentence is not None or tokens is None:
            raise ValueError("Con weights servono anche i nomi in tokens, e nessuna sentence.")
        super().__init__(state=heads.state(weights, tokens, columns, mask), options=options)

    def answer_to(self, request):
        """La frase scritta dal lettore, con tutte le sue risposte."""
        if not self.state["trained"]:
            raise ValueError("Qui non c'è un modello: queste mappe vengono da chi mostra il widget.")
        return heads.measured(load(), request.get("sentence", ""))

    def fallback(self):
        """La griglia delle teste, e la prima da vicino."""
        from course_lib.figures.heads import head_grid

        return head_grid(self.state)


@functools.cache
def _states():
    return tuple(heads.measured(load(), sentence) for sentence, _ in SENTENCES)


def ready_made():
    """Le frasi pronte, ciascuna con ogni insieme di teste spento e ogni parola vietata."""
    return [
        {"name": name, "note": note, "state": _noted(found, note)}
        for (name, note), found in zip(SENTENCES, _states(), strict=True)
    ]


def _noted(found, note):
    """Lo stato con la frase che lo presenta, sotto la risposta del modello intero."""
    whole = found["variants"][""]
    return {**found, "variants": {**found["variants"], "": {**whole, "score": [note, *whole["score"]]}}}

"""«Prima prevedi»: chi legge risponde, e solo la cella dopo gli dice che cosa viene dal conto.

La risposta giusta non sta qui: la porta la cella che la calcola. Dove i widget non ci sono
(GitHub, la carta) restano le alternative, o una riga vuota per il numero.

| comando | dove agisce |
|---|---|
| alternative, campo del numero | locale: non cambia nulla finché non si conferma |
| Conferma | kernel: la previsione è registrata |
"""

from __future__ import annotations

import html
import math

import ipywidgets

from course_lib.notation import number, read_number

LETTERS = "abcdefgh"


class Prediction:
    """Una previsione chiesta a chi legge.

    options: le alternative, da due a otto; se mancano, la risposta è un numero
    answer: la previsione confermata (il testo di un'alternativa, oppure un float), None finché non c'è
    """

    def __init__(self, options=None):
        self.options = None if options is None else [str(option) for option in options]
        if self.options is not None and not 2 <= len(self.options) <= len(LETTERS):
            raise ValueError(
                f"options: mi aspettavo da 2 a {len(LETTERS)} alternative, "
                f"ne sono arrivate {len(self.options)}."
            )
        self.answer = None
        self._form = None

    def confirm(self, text):
        """Registra la previsione e restituisce la frase da mostrare sotto il modulo."""
        if self.options is not None:
            if text not in self.options:
                return "Scegli una delle alternative, poi conferma."
            self.answer = text
        else:
            try:
                self.answer = read_number(text)
            except ValueError as error:
                return str(error)
        return f"Hai previsto: {self._shown(self.answer)}. Ora vai avanti."

    def confronta(self, esito, tolleranza=0.005):
        """Scrive che cosa viene dal conto e, se c'è una previsione, le mette a confronto.

        esito: il testo di una delle alternative, oppure un numero
        tolleranza: di quanto un numero previsto può scostarsi ed essere ancora giusto
        Solleva ValueError se l'esito non è fra le alternative o non è un numero finito.
        """
        self._expect_possible(esito)
        print(f"Dal conto: {self._shown(esito)}.")
        if self.answer is None:
            return
        right = self.answer == esito if self.options else abs(self.answer - esito) <= tolleranza
        print(f"La tua previsione: {self._shown(self.answer)}. {_VERDICT[bool(right)]}")

    def _expect_possible(self, outcome):
        if self.options is not None and outcome not in self.options:
            raise ValueError(f"esito: mi aspettavo una delle alternative, è arrivato {outcome!r}.")
        if self.options is None and not math.isfinite(outcome):
            raise ValueError(f"esito: mi aspettavo un numero finito, è arrivato {outcome!r}.")

    def _shown(self, answer):
        if self.options is None:
            return number(answer)
        return f"({LETTERS[self.options.index(answer)]}) {answer}"

    def _lines(self):
        if self.options is None:
            return ["La tua previsione: ________"]
        return [f"({letter}) {option}" for letter, option in zip(LETTERS, self.options, strict=False)]

    def form(self):
        """Il modulo interattivo, sempre lo stesso per questa previsione."""
        if self._form is None:
            self._form = self._new_form()
        return self._form

    def _new_form(self):
        wide = ipywidgets.Layout(width="auto")
        if self.options is None:
            field = ipywidgets.Text(placeholder="per esempio 0,25", description="Prevedo")
        else:
            choices = list(zip(self._lines(), self.options, strict=True))
            field = ipywidgets.RadioButtons(options=choices, value=None, layout=wide)
        button = ipywidgets.Button(description="Conferma", tooltip="Registra la tua previsione")
        note = ipywidgets.HTML("")

        def on_click(_):
            note.value = f'<span role="status">{html.escape(self.confirm(field.value))}</span>'

        button.on_click(on_click)
        return ipywidgets.VBox([field, button, note])

    def __repr__(self):
        """Le alternative, una per riga, come si leggono sulla carta."""
        return "\n".join(self._lines())

    def _repr_mimebundle_(self, include=None, exclude=None):
        data = dict(self.form()._repr_mimebundle_())
        data["text/plain"] = repr(self)
        data["text/html"] = "<br>".join(html.escape(line) for line in self._lines())
        return data


_VERDICT = {True: "È quello che viene dal conto.", False: "Non è quello che viene dal conto: perché?"}


def prima_prevedi(*options):
    """Chiede una previsione prima del conto: una fra le alternative date, oppure un numero se non ce ne sono.

    options: da 2 a 8 testi, oppure nessuno
    Restituisce: Prediction; la cella che fa il conto chiama il suo metodo `confronta`.
    """
    return Prediction(options or None)

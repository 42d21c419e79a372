"""W8, Generazione: un modello scrive un token alla volta, e di ogni token si vede come è stato scelto.

| comando | dove agisce |
|---|---|
| Avanti, Indietro, Inizio, Fine, storia: fra i passi già fatti | locale |
| ↑ ↓, clic: il candidato scelto; strato; Prima prevedi | locale |
| esempi già calcolati | locale |
| Avanti dopo l'ultimo passo, Scrivi | kernel |
| greedy, τ, top-k, top-p | kernel |
| Invio, Metti questo: un altro token, in un ramo nuovo | kernel |
| ramo | kernel |
| testo da continuare, seme, Ricomincia | kernel |
"""

from __future__ import annotations

from course_lib.notation import number
from course_lib.widgets import tale
from course_lib.widgets.frame import CourseWidget, parts
from course_lib.widgets.state import generation
from course_lib.widgets.state.generation import MOST_STEPS, Branch, Settings, Step

PROMPT, SEED = "La chiave ", 6
MOST_BRANCHES = 8
EXAMPLES = (
    ("greedy", "Sempre il più probabile: lo stesso testo ogni volta.", Settings(greedy=True)),
    ("τ = 1", "Si estrae dalle probabilità del modello, così come sono.", Settings()),
    ("top-k = 3", "Si estrae fra i tre più probabili.", Settings(top_k=3)),
    ("top-p = 0,8", "Si estrae fra i più probabili che insieme arrivano a 0,8.", Settings(top_p=0.8)),
)
EXAMPLE_STEPS = 5


class GenerationDesk(CourseWidget):
    """La generazione con un modello qualunque; senza argomenti, quello a caratteri del racconto.

    model: un DecoderOnly   tokenizer: quello con cui si è addestrato   prompt: il testo da continuare
    length: quanti token legge al massimo, gli ultimi   seed: decide le estrazioni
    temperature, top_k, top_p: come in `learning.generation.generate`; temperature=0 è greedy
    predict: chiede di prevedere il token prima di mostrare le probabilità
    Solleva ValueError se modello, tokenizzatore, testo o numeri non vanno.
    """

    locals().update(parts("generation"))

    def __init__(
        self, model=None, tokenizer=None, prompt=PROMPT, *, length=tale.LENGTH, seed=SEED, temperature=1.0,
        top_k=None, top_p=None, predict=True,
    ):  # fmt: skip
        about = ""
        if model is None:
            if tokenizer is not None:
                raise ValueError("Con un tokenizer serve anche il model con cui si è addestrato.")
            found = tale.load()
            model, tokenizer, about = found.model, found.tokenizer, _about(found)
        greedy = isinstance(temperature, int | float) and temperature == 0
        settings = {
            "greedy": greedy,
            "temperature": 1.0 if greedy else temperature,
            "top_k": top_k,
            "top_p": top_p,
        }
        self._made = {}
        self._writer = generation.writer_for(model, tokenizer, length, seed)
        self._settings = generation.settings_from(settings)
        self._branches, self._current = [self._begin(self._writer.read(prompt))], 0
        self._first = self._writer, self._branches, self._settings
        self._examples = [self._example(self._branches[0].prompt, each) for _, _, each in EXAMPLES]
        presets = [
            {"name": name, "note": note, "state": generation.state(self._writer, [branch], 0, self._moment)}
            for (name, note, _), branch in zip(EXAMPLES, self._examples, strict=True)
        ]
        super().__init__(
            state=self._state(), presets=presets, options={"predict": bool(predict), "about": about}
        )

    def answer_to(self, request):
        """Avanti, altre scelte, un token messo a mano, un altro ramo, da capo."""
        before = list(self._branches), self._current, self._settings, self._writer
        try:
            if request.get("example") is not None:
                self._take_example(int(request["example"]))
            actions = {"step": self._step, "settings": self._change, "force": self._force,
                       "branch": self._switch, "restart": self._restart, "begin": self._back}  # fmt: skip
            actions[request.get("do")](request)
            return self._state()
        except Exception:
            self._branches, self._current, self._settings, self._writer = before
            raise

    def fallback(self):
        """I primi cinque passi, come tabella."""
        from course_lib.figures.generation import choice_table

        branch = self._example(self._branches[0].prompt, self._branches[0].steps[0].settings)
        return choice_table(generation.state(self._writer, [branch], 0, self._moment))

    def _state(self):
        found = generation.state(self._writer, self._branches, self._current, self._moment)
        return {**found, "fresh": self._first == (self._writer, self._branches, self._settings)}

    def _moment(self, writer, branch, k):
        """Il passo k, calcolato una volta sola finché chi scrive è lo stesso."""
        key = writer.seed, branch.before(k), len(branch.prompt), branch.steps[k]
        if key not in self._made:
            self._made[key] = generation.moment(writer, branch, k)
        return self._made[key]

    def _begin(self, prompt):
        return self._grown(Branch(prompt, ()), self._settings)

    def _example(self, prompt, settings):
        branch = Branch(prompt, ())
        for _ in range(EXAMPLE_STEPS):
            branch = self._grown(branch, settings)
        return branch

    def _grown(self, branch, settings):
        """Il ramo con un passo in più, scelto dal modello."""
        t = len(branch.steps)
        return branch._replace(
            steps=(*branch.steps, Step(settings, self._writer.draw(branch.before(t), t, settings)))
        )

    def _take_example(self, which):
        """Il lettore parte da un esempio già calcolato: diventa il ramo corrente."""
        example = self._examples[which]
        if example not in self._branches:
            self._add(example._replace(note=f"esempio {EXAMPLES[which][0]}"))
        else:
            self._current = self._branches.index(example)
        self._settings = EXAMPLES[which][2]

    def _add(self, branch):
        if len(self._branches) >= MOST_BRANCHES:
            raise ValueError(
                f"Ci sono già {MOST_BRANCHES} rami: torna su uno di questi, oppure premi Ricomincia."
            )
        self._branches = [*self._branches, branch]
        self._current = len(self._branches) - 1

    def _set(self, branch):
        self._branches = [*self._branches]
        self._branches[self._current] = branch

    def _at(self, request):
        steps = len(self._branches[self._current].steps)
        return min(max(int(request.get("at", steps - 1)), 0), steps - 1)

    def _step(self, request):
        branch = self._branches[self._current]
        if len(branch.steps) >= MOST_STEPS:
            raise ValueError(
                f"Un ramo arriva a {MOST_STEPS} passi. Per un testo più lungo usa generate; qui puoi tornare "
                "indietro e fare un altro ramo, oppure ricominciare."
            )
        self._set(self._grown(branch, self._settings))

    def _change(self, request):
        """Altre scelte da qui in poi: il passo si rifà; se ne aveva altri dopo, restano nel loro ramo."""
        settings, k = generation.settings_from(request), self._at(request)
        branch = self._branches[self._current]
        again = self._grown(branch._replace(steps=branch.steps[:k]), settings)
        if k < len(branch.steps) - 1:
            self._add(again._replace(note=f"dal passo {k + 1}: {settings.words()}"))
        else:
            self._set(again)
        self._settings = settings

    def _force(self, request):
        branch, k, token = self._branches[self._current], self._at(request), request.get("token")
        if not isinstance(token, int) or not 0 <= token < len(self._writer.tokenizer.vocabulary):
            raise ValueError("Scegli prima un candidato, con le frecce o con un clic.")
        if token == branch.steps[k].token:
            raise ValueError(f"«{self._writer.name(token)}» è già quello scelto: prendine un altro.")
        steps = (*branch.steps[:k], Step(self._settings, token, forced=True))
        self._add(Branch(branch.prompt, steps, f"al passo {k + 1} «{self._writer.name(token)}»"))

    def _switch(self, request):
        which = request.get("branch")
        if not isinstance(which, int) or not 0 <= which < len(self._branches):
            raise ValueError(f"Di rami ce ne sono {len(self._branches)}: scegline uno dall'elenco.")
        self._current = which
        self._settings = self._branches[which].steps[-1].settings

    def _restart(self, request):
        writer = self._writer
        self._writer = generation.writer_for(
            writer.model, writer.tokenizer, writer.length, request.get("seed", writer.seed)
        )
        prompt = self._writer.read(request.get("text", ""))
        self._made.clear()
        self._branches, self._current = [self._begin(prompt)], 0

    def _back(self, request):
        """Com'era quando si è aperto."""
        (self._writer, self._branches, self._settings), self._current = self._first, 0


def _about(found):
    return (
        f"Il modello è a caratteri: {number(found.model.n_parameters)} parametri, addestrato per "
        f"{number(found.steps)} passi sul racconto «Le parole piccole». Sulla parte tenuta da parte la sua "
        f"loss è {number(found.loss, 2)}; tirando a caso fra i {len(found.tokenizer.vocabulary)} token "
        f"sarebbe ln V = {number(found.uniform, 2)}."
    )

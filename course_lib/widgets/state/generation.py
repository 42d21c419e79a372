"""Lo stato del widget della generazione: ogni passo, con ciò che il modello guarda, propone e scrive.

Un ramo è una fila di passi già scelti. Di ogni passo si rifà il conto, sempre uguale: il numero estratto al
passo t è il t-esimo del generatore con quel seme, perciò due rami si distinguono solo dove si è scelto altro.
"""

from __future__ import annotations

import math
import numbers
import re
from typing import NamedTuple

import numpy as np

from course_lib.learning.generation import generate, next_probabilities
from course_lib.notation import number
from course_lib.transformer.families import DecoderOnly
from course_lib.widgets.state.plain import INVISIBLE, MOST_TOKENS, check_whole, plain, writable

MOST_STEPS = 40                  # passi per ramo
MOST_TEXT = 200                  # caratteri del testo da continuare
SHOWN = 10                       # quanti candidati si vedono
ASKED = 5                        # fra quanti si prevede
MOST_HEADS = 8                   # oltre, si mostra la loro media
BYTE = re.compile(r"<([0-9A-F]{1,2}|ignoto)>")


class Settings(NamedTuple):
    """Come si sceglie il token: greedy, oppure estratto con quella temperatura e quei tagli."""

    greedy: bool = False
    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None

    def filters(self):
        """Gli argomenti di generate e next_probabilities."""
        return {"temperature": self.temperature, "top_k": self.top_k, "top_p": self.top_p}

    def words(self):
        """In parole."""
        if self.greedy:
            return "greedy"
        cuts = [f"{name} = {number(value)}" for name, value in (("top-k", self.top_k), ("top-p", self.top_p))
                if value is not None]  # fmt: skip
        return ", ".join([f"estrazione con τ = {number(self.temperature)}", *cuts])


class Step(NamedTuple):
    """Un passo: come si è scelto, che ID, e se l'ha messo il lettore al posto del modello."""

    settings: Settings
    token: int
    forced: bool = False


class Branch(NamedTuple):
    """Un ramo: il testo dato, in ID, i passi fatti, e da dove viene."""

    prompt: tuple[int, ...]
    steps: tuple[Step, ...]
    note: str = ""

    def before(self, k):
        """Gli ID che ci sono prima del passo k."""
        return (*self.prompt, *(step.token for step in self.steps[:k]))


class Writer(NamedTuple):
    """Chi scrive: modello, tokenizzatore, quanti token legge al massimo, seme delle estrazioni."""

    model: DecoderOnly
    tokenizer: object
    length: int
    seed: int

    def draw(self, ids, t, settings):
        """Il token che segue ids al passo t: lo sceglie `generate`."""
        rng = np.random.default_rng(self.seed)
        rng.random(t)                                                    # i numeri dei passi prima
        filters = {"temperature": 0} if settings.greedy else settings.filters()
        return generate(self.model, ids[-self.length :], 1, rng=rng, cache=False, **filters)[0]

    def read(self, text):
        """Il testo da continuare, in ID. Solleva ValueError, con una frase da mostrare, se non va."""
        if not isinstance(text, str) or not text.strip():
            raise ValueError("Il testo da continuare è vuoto: scrivi almeno una parola.")
        if len(text) > MOST_TEXT:
            raise ValueError(
                f"Il testo da continuare ha {number(len(text))} caratteri: scrivine al più {MOST_TEXT}. "
                f"Il modello ne rilegge comunque soltanto gli ultimi {self.length} token."
            )
        text = writable(text)
        ids = tuple(int(i) for i in self.tokenizer.encode(text))
        if not ids or any(BYTE.fullmatch(self.tokenizer.vocabulary[i]) for i in ids):
            strange = next((c for c in text if self._never_read(c)), text[:20])
            raise ValueError(
                f"Questo modello non ha mai letto «{strange}»: non saprebbe che farsene. "
                "Scrivi con i caratteri e le parole del testo su cui si è addestrato."
            )
        return ids

    def _never_read(self, character):
        ids = self.tokenizer.encode(character)
        return any(BYTE.fullmatch(self.tokenizer.vocabulary[i]) for i in ids)

    def name(self, token):
        """Come si scrive un token, con lo spazio e l'a capo visibili."""
        return "".join(INVISIBLE.get(c, c) for c in self.tokenizer.vocabulary[token])

    def gap(self, token):
        """Che cosa sta fra due token quando li si scrive di seguito: uno spazio se sono parole intere."""
        return "" if self.text([token, token]) == 2 * self.text([token]) else " "

    def text(self, ids):
        """Gli ID come testo."""
        return "".join(INVISIBLE.get(c, c) if c != " " else c for c in self.tokenizer.decode(list(ids)))


def state(writer, branches, current, moments=None):
    """Ciò che si vede di un ramo: tutti i suoi passi, e l'elenco degli altri rami.

    branches: i Branch   current: quale   moments: f(writer, branch, k) -> passo; se manca, `moment`
    Restituisce: un dizionario; in moments c'è un passo per voce, come lo dà `moment`.
    """
    branch = branches[current]
    make = moments or moment
    settings = branch.steps[-1].settings
    return {
        "moments": [make(writer, branch, k) for k in range(len(branch.steps))],
        "branch": current,
        "branches": [{"name": f"ramo {i + 1}", "note": each.note} for i, each in enumerate(branches)],
        "prompt": writer.tokenizer.decode(list(branch.prompt)), "seed": writer.seed,
        "settings": settings._asdict(), "words": settings.words(),
        "layers": writer.model.n_layers, "length": writer.length, "most": MOST_STEPS,
    }  # fmt: skip


def moment(writer, branch, k):
    """Il passo k di un ramo.

    Restituisce: un dizionario; before è la probabilità prima del taglio, after dopo (greedy: before è la
    softmax con τ = 1); weights i coefficienti dell'ultimo token, (strato, testa, token letti).
    """
    step, ids = branch.steps[k], branch.before(k)
    read = ids[-writer.length :]
    text, gap = writer.text(branch.prompt), writer.gap(branch.prompt[0])
    logits, weights = _last_row(writer.model, read)
    before, after, reached = _probabilities(logits, step.settings)
    order = np.argsort(-before, kind="stable")
    rank = int(np.flatnonzero(order == step.token)[0])
    shown = [*order[:SHOWN], *([step.token] if rank >= SHOWN else [])]
    possible, kept = int(np.count_nonzero(before)), int(np.count_nonzero(after))
    shown = [int(i) for i in shown if before[i] > 0 or i == step.token]
    asked = sorted((int(i) for i in order[:ASKED] if before[i] > 0), key=writer.name)
    found = {
        "context": [writer.name(i) for i in read], "unread": len(ids) - len(read),
        "given": max(0, len(branch.prompt) - (len(ids) - len(read))),
        "text": text, "written": writer.text(ids)[len(text) :], "gap": gap,
        "tail": ("…" if len(read) > 8 else "") + gap.join(writer.name(i) for i in read[-8:]),
        "heads": writer.model.n_heads, "weights": weights,
        "sums": [[float(sum(row)) for row in layer] for layer in weights or ()],
        "candidates": [_candidate(writer, i, order, before, after, reached) for i in shown],
        "others": {"count": possible - len(shown), "before": float(1 - before[shown].sum())},
        "possible": possible, "kept": kept, "cut": kept if kept < possible else None,
        "slices": _slices(writer, after), "dart": _dart(writer, k, step),
        "drawn": {"name": writer.name(step.token), "token": step.token, "rank": rank + 1,
                  "before": float(before[step.token]), "after": float(after[step.token]),
                  "forced": step.forced},
        "choices": [{"name": writer.name(i), "token": i} for i in asked],
        "settings": step.settings._asdict(), "words": step.settings.words(),
    }  # fmt: skip
    return {**found, "finding": _finding(found, step), "sentence": _sentence(found, step)}


def _last_row(model, ids):
    """I logit dopo l'ultimo token, (V,), e i suoi coefficienti, o None se l'attenzione non li dà."""
    ids = np.array(ids)
    try:
        logits, weights = model(ids, return_weights=True)
    except ValueError:                                       # un'attenzione che non li restituisce
        return model(ids)[-1], None
    rows = [np.asarray(layer)[:, -1].astype(float) for layer in weights]             # ognuna (h, T)
    rows = [row if len(row) <= MOST_HEADS else row.mean(axis=0, keepdims=True) for row in rows]
    return logits[-1], [plain(np.round(row, 6)) for row in rows]


def _probabilities(logits, settings):
    """Prima del taglio, dopo, e la somma con cui si decide il top-p (None se non c'è)."""
    if settings.greedy:
        return next_probabilities(logits), next_probabilities(logits, 0), None
    first = next_probabilities(logits, settings.temperature, settings.top_k)
    reached = None if settings.top_p is None else np.cumsum(-np.sort(-first))
    return (next_probabilities(logits, settings.temperature),
            next_probabilities(logits, **settings.filters()), reached)  # fmt: skip


def _candidate(writer, i, order, before, after, reached):
    rank = int(np.flatnonzero(order == i)[0])
    return {"name": writer.name(i), "token": i, "rank": rank + 1, "before": float(before[i]),
            "after": float(after[i]), "kept": bool(after[i] > 0),
            "reached": None if reached is None else float(min(1.0, reached[rank]))}  # fmt: skip


def _slices(writer, after):
    """L'intervallo da 0 a 1 diviso fra i candidati rimasti, nell'ordine degli ID, come fa chi estrae."""
    ends = np.cumsum(after)
    ends = np.round(ends / ends[-1], 6)
    return [[writer.name(i), float(ends[i - 1]) if i else 0.0, float(ends[i])] for i in np.flatnonzero(after)]


def _dart(writer, k, step):
    if step.settings.greedy or step.forced:
        return None
    return float(np.random.default_rng(writer.seed).random(MOST_STEPS)[k])


def _finding(found, step):
    first, drawn = found["candidates"][0], found["drawn"]
    start = f"Dopo «{found['tail']}» il più probabile è «{first['name']}», {number(first['before'], 3)}"
    if step.forced:
        return f"{start}; hai messo tu «{drawn['name']}», {number(drawn['before'], 3)}"
    if step.settings.greedy:
        return f"{start}: greedy prende sempre il primo"
    if found["cut"]:
        rest = "resta solo lui" if found["kept"] == 1 else f"restano i primi {found['kept']}"
        return f"{start}; dopo il taglio {rest} su {found['possible']}"
    return f"{start}; si estrae fra tutti i {found['possible']}"


def _sentence(found, step):
    drawn = found["drawn"]
    place = f"{drawn['rank']}º per probabilità, {number(drawn['before'], 3)}"
    if step.forced:
        return f"Messo da te: «{drawn['name']}», {place}."
    if step.settings.greedy:
        return f"Scelto: «{drawn['name']}», {place}."
    cut = f", dopo il taglio {number(drawn['after'], 3)}" if found["cut"] else ""
    return f"Estratto: «{drawn['name']}», {place}{cut}. Il numero uscito è u = {number(found['dart'], 3)}."


def settings_from(values):
    """Le scelte del lettore, controllate. values: {"greedy", "temperature", "top_k", "top_p"}.

    Solleva ValueError, con una frase da mostrare, se un numero non va.
    """
    temperature, top_k, top_p = (values.get(name) for name in ("temperature", "top_k", "top_p"))
    if not _finite(temperature) or not 0.05 <= temperature <= 10:
        raise ValueError("Temperatura: mi aspettavo un numero fra 0,05 e 10. Per τ = 0 scegli greedy.")
    if top_k is not None and (not _finite(top_k) or top_k != int(top_k) or not 1 <= top_k <= 1e6):
        raise ValueError("top-k: mi aspettavo un intero da 1 in su, o niente per non tagliare.")
    if top_p is not None and (not _finite(top_p) or not 0 < top_p <= 1):
        raise ValueError("top-p: mi aspettavo un numero fra 0 (escluso) e 1, o niente per non tagliare.")
    return Settings(bool(values.get("greedy")), float(temperature), None if top_k is None else int(top_k),
                    None if top_p is None else float(top_p))  # fmt: skip


def _finite(value):
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return False
    return isinstance(value, numbers.Integral) or math.isfinite(value)


def writer_for(model, tokenizer, length, seed):
    """Chi scrive, controllato. Solleva ValueError se modello e tokenizzatore non vanno insieme."""
    if not isinstance(model, DecoderOnly):
        raise ValueError(f"model: mi aspettavo un DecoderOnly, è arrivato un {type(model).__name__}.")
    if not all(hasattr(tokenizer, name) for name in ("encode", "decode", "vocabulary")):
        raise ValueError("tokenizer: mi aspettavo un tokenizzatore, con encode, decode e vocabulary.")
    if len(tokenizer.vocabulary) != model.vocabulary_size:
        raise ValueError(
            f"tokenizer: ha {len(tokenizer.vocabulary)} token, ma il modello ne conosce "
            f"{model.vocabulary_size}: dai quello con cui il modello si è addestrato."
        )
    length = check_whole("length", length, 1, MOST_TOKENS)
    return Writer(model, tokenizer, length, check_whole("seme", seed, 0, 10**9 - 1))

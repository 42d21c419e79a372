"""Lo stato dell'addestramento dal vivo: la curva della loss e, ogni tanto, che cosa il modello sa fare."""

from __future__ import annotations

import functools
import math
import numbers

import numpy as np

from course_lib.learning.agreement import AgreementGrammar
from course_lib.learning.generation import generate, next_probabilities
from course_lib.learning.losses import cross_entropy
from course_lib.learning.optim import AdamW
from course_lib.learning.training import Trainer
from course_lib.notation import number
from course_lib.transformer.attention import softmax
from course_lib.transformer.families import DecoderOnly
from course_lib.widgets.state.plain import MOST_SEED, check_whole, plain

STEPS, BATCH, EVERY, WIDTH = 300, 32, 10, 32
HEADS = (1, 2, 4, 8)             # i divisori di WIDTH che si possono chiedere
FIRST_WORDS = ("la", "chiave", "accanto", "ai", "libri", "era")
TRIED = 128                      # coppie di frasi gemelle su cui si misura
LIKELY = 5                       # quante parole seguenti si mostrano
TOO_MUCH = 5                     # volte ln V: oltre, la loss sta divergendo
READY, RUNNING, DONE, DIVERGED = "pronto", "in corso", "finito", "divergente"


class Run:
    """Un addestramento sulla concordanza, che va avanti un passo alla volta; i thread non lo riguardano.

    seed: decide frasi, parametri iniziali e lotti   heads: h   rate: il tasso di apprendimento
    """

    def __init__(self, seed, heads=2, rate=3e-3, steps=STEPS):
        seed = check_whole("seed", seed, 0, MOST_SEED)
        self.seed, self.heads, self.total = seed, heads_from(heads), steps
        self.grammar, self.tried, self.tried_ids = _material(seed)
        rng = np.random.default_rng(seed)
        V = len(self.grammar.vocabulary)
        self.model = DecoderOnly(V, WIDTH, self.heads, 1, rng=rng, dtype=np.float32)
        self.optimizer = AdamW(rate_from(rate))
        self.trainer = Trainer(self.model, self.optimizer)
        self.batches = self.grammar.batches("train", BATCH, rng)
        self.uniform, self.context = math.log(V), [self.grammar.vocabulary.index(w) for w in FIRST_WORDS]
        self.losses, self.moments, self.status, self.trouble = [], [], READY, ""
        self.look()

    @property
    def over(self):
        """Vero se non si può più andare avanti."""
        return self.status in (DONE, DIVERGED)

    def step(self):
        """Un passo, e ogni EVERY passi uno sguardo. Se diverge si ferma e dice perché."""
        if self.over:
            return
        try:
            self.losses.append(float(self.trainer.step(*next(self.batches))))
            if self.losses[-1] > TOO_MUCH * self.uniform:
                self._diverge(f"la loss è salita a {number(self.losses[-1], 1)}, oltre {TOO_MUCH} volte ln V")
            elif len(self.losses) % EVERY == 0 or len(self.losses) == self.total:
                self.look()
        except FloatingPointError:
            self._diverge("la loss, o il suo gradiente, è diventata NaN o infinita", 1)
        except ValueError:                                               # i punteggi traboccano
            self._diverge("i punteggi dell'attenzione sono diventati troppo grandi per un float32")
        if len(self.losses) >= self.total and not self.over:
            self.status = DONE

    def _diverge(self, what, ahead=0):
        self.status = DIVERGED
        self.trouble = (
            f"Al passo {len(self.losses) + ahead} {what}: il tasso di apprendimento, "
            f"{number(self.optimizer.learning_rate)}, è troppo alto. Sceglilo dieci volte più piccolo e "
            "premi Da capo."
        )

    def look(self):
        """Aggiunge un momento: misure, coefficienti, parole probabili, una frase scritta dal modello."""
        with np.errstate(all="ignore"):
            logits = self.model(self.tried_ids[:, :-1])
            validation = float(cross_entropy(logits, self.tried_ids[:, 1:]))
            last, weights = self.model(np.array(self.context), return_weights=True)
        if not np.isfinite(validation) or not np.isfinite(last).all():
            raise FloatingPointError
        right = self.grammar.gender_accuracy(self.tried, softmax(logits[:, -1].astype(np.float64)))
        self.moments.append(self._moment(validation, right, last[-1], weights[0].astype(float)))

    def _moment(self, validation, right, logits, weights):
        """weights: (h, T, T). Restituisce: il dizionario del momento."""
        p = next_probabilities(logits)
        mean = weights.mean(axis=0)                                      # (T, T)
        maps = [mean] if self.heads == 1 else [mean, *weights]
        most = int(np.argmax(mean[-1, :-1]))                             # «era» esclusa
        words = self.grammar.vocabulary
        found = {
            "step": len(self.losses), "validation": validation, "right": right,
            "maps": [plain(np.round(each, 4), _CAUSAL) for each in maps],
            "sums": [plain(each.sum(axis=-1)) for each in maps],
            "most": most, "most_weight": float(mean[-1, most]),
            "next": [[words[i], float(p[i])] for i in np.argsort(-p, kind="stable")[:LIKELY]],
            "sample": self._sample(),
        }  # fmt: skip
        return {**found, "finding": self._finding(found), "sentence": _sentence(found)}

    def _sample(self):
        """Una frase scritta adesso, estratta sempre con gli stessi numeri."""
        start = self.context[:1]
        rng = np.random.default_rng(self.seed)
        written = generate(self.model, start, len(FIRST_WORDS), rng=rng, cache=False)
        return " ".join(self.grammar.vocabulary[i] for i in [*start, *written])

    def _finding(self, m):
        ln = f"ln V = {number(self.uniform, 2)}"
        if m["step"] == 0:
            return f"Prima di cominciare la loss vale {number(m['validation'], 2)}, quasi {ln}: tira a caso"
        return f"Dopo {m['step']} passi: loss {number(m['validation'], 2)}, da {ln}; {_right(m)}"


def _right(m):
    return f"genere giusto {number(100 * m['right'], 0)} volte su 100"


def _sentence(m):
    return (
        f"Passo {m['step']}: loss di validazione {number(m['validation'], 3)}, {_right(m)}. "
        f"«{FIRST_WORDS[-1]}», oltre a sé stesso, guarda soprattutto «{FIRST_WORDS[m['most']]}», "
        f"{number(m['most_weight'], 3)}."
    )


def state(run, running=False):
    """Ciò che si vede di un addestramento: fin qui, e adesso.

    run: un Run   running: se un thread lo sta portando avanti
    Restituisce: un dizionario; losses è la loss di ogni passo, moments gli sguardi, il primo prima dei passi.
    """
    return {
        "status": RUNNING if running and not run.over else run.status, "trouble": run.trouble,
        "steps": len(run.losses), "total": run.total, "every": EVERY,
        "losses": [round(loss, 4) if math.isfinite(loss) else None for loss in run.losses],
        "moments": list(run.moments), "uniform": run.uniform, "V": len(run.grammar.vocabulary),
        "rate": run.optimizer.learning_rate, "heads": run.heads, "seed": run.seed,
        "words": list(FIRST_WORDS), "held_out": run.grammar.split_of("chiave", "libro") != "train",
    }  # fmt: skip


_CAUSAL = np.tril(np.ones((len(FIRST_WORDS),) * 2, dtype=bool))


@functools.lru_cache(maxsize=4)
def _material(seed):
    """La grammatica e le frasi su cui si misura, con le gemelle accanto; non cambiano mai."""
    grammar = AgreementGrammar(seed)
    every = grammar.sentences("validation")
    pairs = np.random.default_rng([seed, 1]).permutation(len(every) // 2)[:TRIED]
    tried = tuple(every[2 * i + side] for i in pairs for side in (0, 1))
    return grammar, tried, grammar.ids(tried)


def rate_from(value):
    """Il tasso di apprendimento, controllato. Solleva ValueError con la frase da mostrare."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not 0 < value < 1e9:
        raise ValueError(
            f"Tasso di apprendimento: mi aspettavo un numero maggiore di 0, è arrivato {value!r:.40}."
        )
    return float(value)


def heads_from(value):
    """Il numero di teste, controllato. Solleva ValueError con la frase da mostrare."""
    if not np.isscalar(value) or isinstance(value, bool) or value not in HEADS:
        raise ValueError(
            f"Teste: mi aspettavo 1, 2, 4 o 8, i divisori di d = {WIDTH}; è arrivato {value!r:.40}."
        )
    return int(value)

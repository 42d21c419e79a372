"""Due modi di predire la parola che segue senza attenzione: contare, e guardare da una finestra.

Valgono per qualunque fila di ID: le parole della concordanza, i caratteri del racconto. Sulla concordanza
mostrano due limiti diversi. L'n-gramma, di qualunque ordine, resta al caso sulle coppie mai viste: il
contesto lungo non l'ha mai contato, e quello corto a cui torna non contiene il soggetto. La finestra più
corta della distanza resta al caso perché il soggetto non lo vede; una che lo raggiunge ci riesce, finché
il soggetto sta sempre a quel numero di passi: con un attrattore in più guarda il posto sbagliato.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import numpy as np


class NGram:
    """Conta quali token seguono gli ultimi order − 1; se ha contato poco torna a un contesto più corto.

    order: 1 guarda solo le frequenze, 2 (bigramma) l'ultimo token, 3 (trigramma) gli ultimi due…
    n_tokens: quanti token ha il vocabolario
    Le stime dei contesti più corti si mescolano in proporzione a quante continuazioni diverse ha il
    contesto: P(w|h) = (c(hw) + D(h)·P(w|h′)) / (c(h) + D(h)), e in fondo P = 1/n_tokens. Nessuna
    probabilità è zero e la somma fa 1.
    Come Window, solleva ValueError se un argomento non è un intero, o una fila non è di ID del vocabolario.
    Fonte: Witten e Bell 1991; la forma ricorsiva: Chen e Goodman 1999, §2, «Witten–Bell smoothing».
    """

    def __init__(self, order, n_tokens):
        _expect_whole("order", order, 1)
        _expect_whole("n_tokens", n_tokens, 1)
        self.order, self.n_tokens = order, n_tokens
        self._followers = [defaultdict(Counter) for _ in range(order)]  # per lunghezza del contesto

    def train(self, sequences):
        """Conta, aggiungendo a quanto già contato. sequences: file di ID. Restituisce sé stesso."""
        for ids in _checked("sequences", sequences, self.n_tokens):
            for end, token in enumerate(ids):
                for length in range(min(self.order - 1, end) + 1):
                    self._followers[length][tuple(ids[end - length:end])][token] += 1
        return self

    def _known(self, context):
        """I conteggi che servono dopo un contesto, dal più corto al più lungo che sia stato visto."""
        context = tuple(context)
        for length in range(min(self.order - 1, len(context)) + 1):
            followers = self._followers[length].get(context[len(context) - length:])
            if followers is None:
                return                                   # se manca questo, mancano anche i più lunghi
            yield followers, len(followers), followers.total()

    def probabilities(self, context):
        """Le probabilità del token che segue il contesto, una fila di ID: (n_tokens,), somma 1."""
        (ids,) = _checked("context", [context], self.n_tokens)
        p = np.full(self.n_tokens, 1 / self.n_tokens)
        for followers, different, total in self._known(ids):
            p *= different
            p[list(followers)] += list(followers.values())
            p /= total + different
        return p

    def loss(self, sequences):
        """La sorpresa media per token, in nat: −ln P, il primo di ogni fila senza contesto."""
        surprise, count = 0.0, 0
        for ids in _checked("sequences", sequences, self.n_tokens):
            for end, token in enumerate(ids):
                p = 1 / self.n_tokens
                for followers, different, total in self._known(ids[max(0, end - self.order + 1):end]):
                    p = (followers.get(token, 0) + different * p) / (total + different)
                surprise, count = surprise - math.log(p), count + 1
        if not count:
            raise ValueError("sequences: mi aspettavo almeno un token da predire.")
        return surprise / count


class Window:
    """Predice il token che segue dagli ultimi width, e da nessun altro: ognuno vota dal suo posto.

    width: quanti token vede (0: soltanto le frequenze)   n_tokens: quanti ne ha il vocabolario
    Il voto del token u, che sta k posti prima, per il token w è ln P(u a k posti | w), stimata contando;
    i voti si sommano a ln P(w). È il classificatore «bayesiano ingenuo», con 1/2 aggiunto a ogni conteggio.
    A differenza dell'n-gramma non ha bisogno di aver visto quei token tutti insieme.
    Fonte: Jurafsky e Martin, Speech and Language Processing, cap. «Naive Bayes» (bozza della 3ª edizione).
    """

    SMOOTHING = 0.5

    def __init__(self, width, n_tokens):
        _expect_whole("width", width, 0)
        _expect_whole("n_tokens", n_tokens, 1)
        self.width, self.n_tokens = width, n_tokens
        self._next = np.zeros(n_tokens)
        self._before = np.zeros((width, n_tokens + 1, n_tokens))        # posto, token visto, token che segue

    def train(self, sequences):
        """Conta, aggiungendo a quanto già contato. sequences: file di ID. Restituisce sé stesso."""
        for ids in _checked("sequences", sequences, self.n_tokens):
            ids = np.array(ids, dtype=int)
            padded = np.concatenate([np.full(self.width, self.n_tokens), ids])
            np.add.at(self._next, ids, 1)
            for place in range(self.width):                             # place 0: il token appena passato
                seen = padded[self.width - 1 - place:len(padded) - 1 - place]
                np.add.at(self._before[place], (seen, ids), 1)
        return self

    def probabilities(self, context):
        """Le probabilità del token che segue il contesto, una fila di ID: (n_tokens,), somma 1."""
        (ids,) = _checked("context", [context], self.n_tokens)
        padded = [self.n_tokens] * self.width + ids                     # n_tokens: prima dell'inizio
        votes = np.log(self._next + self.SMOOTHING)
        for place, counts in enumerate(self._before):
            seen = padded[len(padded) - 1 - place]
            total = self._next + self.SMOOTHING * (self.n_tokens + 1)
            votes += np.log(counts[seen] + self.SMOOTHING) - np.log(total)
        exponentials = np.exp(votes - votes.max())
        return exponentials / exponentials.sum()


def predict(model, contexts):
    """Le probabilità dopo ogni contesto: (N, n_tokens). contexts: N file di ID; model: NGram o Window."""
    answers = {}                                         # molti contesti sono uguali: si chiede una volta
    keys = [tuple(int(token) for token in context) for context in contexts]
    for key in keys:
        if key not in answers:
            answers[key] = model.probabilities(key)
    return np.array([answers[key] for key in keys]).reshape(len(keys), model.n_tokens)


def _checked(name, sequences, n_tokens):
    """Le file di ID come liste di interi di Python, controllate."""
    checked = []
    for ids in sequences:
        array = np.asarray(ids)
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
            raise ValueError(f"{name}: mi aspettavo una fila di ID interi (per più file, una lista di file).")
        if array.size and not (0 <= array.min() and array.max() < n_tokens):
            raise ValueError(
                f"{name}: mi aspettavo ID fra 0 e {n_tokens - 1}, sono arrivati ID fra "
                f"{array.min()} e {array.max()}."
            )
        checked.append(array.tolist())
    return checked


def _expect_whole(name, value, least):
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name}: mi aspettavo un intero, almeno {least}; è arrivato {value!r}.")

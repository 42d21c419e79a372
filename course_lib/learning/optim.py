"""Come si scende: dato il gradiente, di quanto cambiare i parametri.

Un ottimizzatore lavora su un vettore solo, con tutti i parametri in fila (vedi `worker.Parameters`), e lo
cambia sul posto.
"""

from __future__ import annotations

import math

import numpy as np

_BLOCK = 65536                                       # numeri per volta: stanno nella memoria vicina


class SGD:
    """Discesa del gradiente: θ ← θ − η v, con v ← μ v + ∇ℒ.

    learning_rate: η   momentum: μ, quanto resta della direzione di prima (0: nulla)
    Fonte: Sutskever et al. 2013, §2, con η fuori da v come in PyTorch.
    """

    def __init__(self, learning_rate=0.1, momentum=0.0):
        self.learning_rate = _positive("learning_rate", learning_rate)
        self.momentum = _fraction("momentum", momentum)
        self._velocity = None

    def step(self, theta, gradient):
        """Un passo: cambia theta, (n,), sul posto; gradient, (n,), resta com'è."""
        if not self.momentum:
            theta -= gradient * theta.dtype.type(self.learning_rate)
            return
        self._velocity = _kept(self._velocity, theta)
        self._velocity *= theta.dtype.type(self.momentum)
        self._velocity += gradient
        theta -= self._velocity * theta.dtype.type(self.learning_rate)

    def state(self):
        """Ciò che va salvato per riprendere, {nome: array}."""
        return {} if self._velocity is None else {"velocity": self._velocity}

    def load(self, state):
        """Riprende da uno stato salvato."""
        _expect_state(state, "velocity")
        self._velocity = np.array(state["velocity"]) if "velocity" in state else None


class AdamW:
    """Ogni parametro scende col suo passo, misurato sui suoi gradienti passati.

    learning_rate: η   betas: β₁, β₂, quanto durano le due medie   eps: si somma alla radice
    weight_decay: λ; a ogni passo θ si accorcia di η λ θ, separatamente dal gradiente
    m ← β₁ m + (1 − β₁) ∇ℒ,  v ← β₂ v + (1 − β₂) ∇ℒ²,  θ ← θ − η m̂ / (√v̂ + eps), dove m̂ = m / (1 − β₁ᵗ) e
    v̂ = v / (1 − β₂ᵗ) correggono l'inizio da zero.
    Fonte: Kingma e Ba 2015, algoritmo 1; Loshchilov e Hutter 2019, algoritmo 2.
    """

    def __init__(self, learning_rate=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
        self.learning_rate = _positive("learning_rate", learning_rate)
        if not isinstance(betas, tuple | list) or len(betas) != 2:
            raise ValueError(f"betas: mi aspettavo una coppia (β₁, β₂), è arrivato {betas!r}.")
        self.betas = tuple(_fraction("betas", beta) for beta in betas)
        self.eps = _positive("eps", eps)
        self.weight_decay = 0.0 if weight_decay == 0 else _positive("weight_decay", weight_decay)
        self._t, self._m, self._v = 0, None, None

    def step(self, theta, gradient):
        """Un passo: cambia theta, (n,), sul posto; gradient, (n,), resta com'è."""
        self._m, self._v = _kept(self._m, theta), _kept(self._v, theta)
        self._t += 1
        room = np.empty(min(_BLOCK, theta.size), theta.dtype)
        for start in range(0, theta.size, _BLOCK):
            part = slice(start, start + _BLOCK)
            self._block(theta[part], gradient[part], self._m[part], self._v[part], room)

    def _block(self, theta, g, m, v, room):
        """Un pezzo del vettore. In m e v stanno le due medie divise per 1 − β: così bastano meno passaggi."""
        number = theta.dtype.type
        beta1, beta2 = self.betas
        root = math.sqrt((1 - beta2) / (1 - beta2**self._t))            # √v̂ = root √v
        size = self.learning_rate * (1 - beta1) / (1 - beta1**self._t) / root
        room = room[: theta.size]
        if self.weight_decay:
            theta *= number(1 - self.learning_rate * self.weight_decay)
        m *= number(beta1)
        m += g
        v *= number(beta2)
        np.multiply(g, g, out=room)
        v += room
        np.sqrt(v, out=room)
        room += number(self.eps / root)
        np.divide(m, room, out=room)
        room *= number(size)
        theta -= room

    def state(self):
        """Ciò che va salvato per riprendere, {nome: array}."""
        return {} if self._m is None else {"t": np.asarray(self._t), "m": self._m, "v": self._v}

    def load(self, state):
        """Riprende da uno stato salvato."""
        _expect_state(state, "t", "m", "v")
        self._t = int(state["t"]) if "t" in state else 0
        self._m, self._v = (np.array(state[k]) if k in state else None for k in "mv")


def _kept(memory, theta):
    """Ciò che si ricorda dei passi prima, del tipo di theta; 0 al primo passo."""
    if memory is None:
        return np.zeros_like(theta)
    if memory.shape != theta.shape:
        raise ValueError(
            f"optimizer: ha già fatto passi su un modello di {memory.size} parametri, questo ne ha "
            f"{theta.size}: per un altro modello serve un ottimizzatore nuovo."
        )
    return memory.astype(theta.dtype, copy=False)


def _expect_state(state, *names):
    if not set(state) <= set(names):
        raise ValueError(
            f"optimizer: il salvataggio è di un altro ottimizzatore (contiene {', '.join(state)}): "
            "riprendi con quello con cui avevi cominciato."
        )


def _positive(name, value):
    if not (isinstance(value, int | float | np.number) and 0 < value < math.inf):
        raise ValueError(f"{name}: mi aspettavo un numero maggiore di 0, è arrivato {value!r}.")
    return float(value)


def _fraction(name, value):
    if not (isinstance(value, int | float | np.number) and 0 <= value < 1):
        raise ValueError(f"{name}: mi aspettavo un numero da 0 a 1 (escluso), è arrivato {value!r}.")
    return float(value)

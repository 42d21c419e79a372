"""Chi fa i conti di un passo: il modello sui parametri messi in fila, con i gradienti in fila come loro."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from course_lib.learning import fused, losses, memory
from course_lib.learning.autograd import Tensor
from course_lib.learning.refusals import NO_PATH


class Parameters(NamedTuple):
    """Un vettore con tutti i parametri in fila, e le viste che lo mostrano come {nome: array}."""

    vector: np.ndarray
    views: dict


def flatten(parameters, *, copy=True, zeros=np.zeros):
    """Mette in fila in un vettore solo, dello stesso tipo, i parametri {nome: array}.

    copy: se è falso i numeri non si copiano; serve per i gradienti
    zeros: chi dà il vettore, una f(quanti numeri, tipo)
    Restituisce: Parameters. Solleva ValueError se i parametri sono di tipi diversi.
    """
    dtypes = {array.dtype for array in parameters.values()}
    if len(dtypes) != 1:
        kinds = ", ".join(sorted(map(str, dtypes)))
        raise ValueError(f"parameters: mi aspettavo un tipo solo, sono arrivati {kinds or 'zero array'}.")
    vector = zeros(sum(array.size for array in parameters.values()), dtypes.pop())
    views, start = {}, 0
    for name, array in parameters.items():
        views[name] = vector[start : start + array.size].reshape(array.shape)
        start += array.size
        if copy:
            views[name][...] = array
    return Parameters(vector, views)


class Worker:
    """Lo stesso modello sugli stessi numeri, con Tensor, gradienti e memoria suoi.

    parameters: quelli da leggere, un Parameters   zeros: chi dà il vettore dei gradienti (vedi flatten)
    """

    def __init__(self, model, parameters, zeros=np.zeros):
        self.gradient, places = flatten(parameters.views, copy=False, zeros=zeros)
        self.leaves = {name: Tensor(view, requires_grad=True) for name, view in parameters.views.items()}
        for name, leaf in self.leaves.items():
            leaf._place = places[name]
        attention = None if model.attention is None else keeping_type(model.attention)
        self.model = model.using(parameters=self.leaves, ops=fused, attention=attention)
        self.pool = memory.Pool()

    def run(self, inputs, targets, counted=None, share=1.0):
        """Riempie self.gradient con il gradiente di share per la loss; restituisce share per la loss.

        inputs, targets: (B, T) interi   counted: (B, T) bool, o None
        share: da 0 a 1, quanta parte del lotto intero è questa
        """
        if not share:
            self.gradient[...] = 0
            return 0.0
        for leaf in self.leaves.values():
            leaf.grad = None
        with memory.reuse(self.pool), np.errstate(all="ignore"):
            loss = losses.cross_entropy(self.model(inputs), targets, counted)
            loss.backward(np.asarray(share, loss.dtype))
        for leaf in self.leaves.values():
            if leaf.grad is None:
                leaf._place[...] = 0                                    # un parametro che non è servito
        return loss.item() * share


def keeping_type(attention):
    """Un'attenzione scritta da altri, con l'uscita del tipo di Q (np.sqrt(d) la porterebbe a float64).

    Chi riempie un array in un ciclo riceve la nostra spiegazione, non quella di NumPy; chi lascia i Tensor
    per strada si ferma, invece di addestrare tutto il resto in silenzio.
    """

    def attend(Q, K, V, mask):
        try:
            z = attention(Q, K, V, mask)
        except ValueError as error:
            if isinstance(error.__cause__, TypeError) and "Tensor" in str(error.__cause__):
                raise error.__cause__ from None
            raise
        z = z[0] if isinstance(z, tuple) else z
        if isinstance(z, np.ndarray):
            raise TypeError(NO_PATH)
        return z if getattr(z, "dtype", Q.dtype) == Q.dtype else z.astype(Q.dtype)

    return attend

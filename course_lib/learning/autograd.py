"""`Tensor`: un array che ricorda da quali conti viene, e sa risalirli per dare i gradienti.

Risponde ai protocolli di NumPy (`__array_ufunc__`, `__array_function__`): una funzione scritta con np.exp,
np.where e @ si deriva così com'è. Ogni conto lascia un nodo: i genitori, e una funzione che dal gradiente del
risultato dà i loro; `backward` percorre i nodi dall'ultimo al primo. Ciò che non si può derivare si rifiuta.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from course_lib.learning import array_functions as rules
from course_lib.learning.array_functions import FUNCTIONS, PLAIN_FUNCTIONS, REDUCTIONS, value
from course_lib.learning.composed import COMPOSED
from course_lib.learning.derivatives import PLAIN_UFUNCS, UFUNCS, unbroadcast
from course_lib.learning.memory import empty
from course_lib.learning.refusals import NO_ARRAY, NO_NUMBER, NO_TRUTH, NO_WRITING


class Tensor(NDArrayOperatorsMixin):
    """Un array con la memoria dei conti da cui viene.

    data: ciò che np.asarray accetta; gli interi diventano float64
    requires_grad: se se ne vuole il gradiente
    .data: l'array   .grad: il gradiente, della stessa forma, dopo backward(); None prima
    Solleva TypeError se data non è fatto di numeri reali, o se è già un Tensor.
    """

    __slots__ = ("_back", "_parents", "_place", "data", "grad", "requires_grad")

    def __init__(self, data, requires_grad=False):
        if isinstance(data, Tensor):
            raise TypeError("data: mi aspettavo numeri; questo è già un Tensor.")
        data = np.asarray(data)
        if data.dtype.kind not in "fiub":
            raise TypeError(f"data: mi aspettavo numeri reali, è arrivato un array di tipo {data.dtype}.")
        self.data = data if data.dtype.kind == "f" else data.astype(np.float64)
        self.grad, self.requires_grad = None, bool(requires_grad)
        self._parents, self._back, self._place = (), None, None

    def backward(self, gradient=None):
        """Calcola il gradiente di questo valore rispetto a ogni Tensor con requires_grad=True.

        gradient: il gradiente da cui si parte, di questa stessa forma; se manca, 1 (e serve un numero solo)
        I gradienti si sommano a quelli già in .grad. Il ricordo dei conti si cancella: si risale una volta.
        Solleva ValueError se non c'è nulla da risalire, se si è già risalito, o se la forma non combacia.
        """
        if not self.requires_grad:
            raise ValueError("backward: questo valore non dipende da nessun Tensor con requires_grad=True.")
        if self._back is _SPENT:
            raise ValueError("backward: questi conti sono già stati risaliti; rifalli da capo.")
        if gradient is None:
            if self.size != 1:
                raise ValueError(
                    f"backward: si parte da un numero solo (una loss), qui la forma è {self.shape}; "
                    "usa .sum() o .mean(), oppure passa gradient."
                )
            gradient = np.ones_like(self.data)
        gradient = np.asarray(gradient, self.dtype)
        if gradient.shape != self.shape:
            raise ValueError(f"gradient: mi aspettavo la forma {self.shape}, è arrivata {gradient.shape}.")
        if self._back is None:
            self._receive(gradient)
            return
        waiting = {id(self): gradient}                                  # il gradiente di ogni nodo
        for node in reversed(_in_order(self)):
            if node._back is _SPENT:
                raise ValueError("backward: una parte di questi conti è già stata risalita; rifalli da capo.")
            for parent, part in zip(node._parents, node._back(waiting.pop(id(node))), strict=True):
                if not parent.requires_grad:
                    continue
                if parent._back is None:                                # una foglia: più su non c'è nulla
                    parent._receive(part)
                    continue
                known = waiting.get(id(parent))
                waiting[id(parent)] = part if known is None else _add(known, part)
            node._parents, node._back = (), _SPENT

    def _receive(self, gradient):
        """Mette via il gradiente di una foglia: nel posto preparato per lei, se c'è."""
        if self._place is None:
            gradient = gradient.astype(self.dtype)                      # una copia: non è di nessun altro
            self.grad = gradient if self.grad is None else self.grad + gradient
        elif self.grad is None:
            if gradient is not self._place:
                np.copyto(self._place, gradient)
            self.grad = self._place
        else:
            self.grad += gradient

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        if "out" in options or method == "at":
            raise TypeError(NO_WRITING)
        if ufunc in PLAIN_UFUNCS:
            return getattr(ufunc, method)(*(value(x) for x in inputs), **options)
        if method == "reduce" and ufunc in REDUCTIONS:
            keepdims, axis = options.pop("keepdims", False), options.pop("axis", 0)
            _refuse_options(f"np.{ufunc.__name__}.reduce", options)
            return _record(*REDUCTIONS[ufunc](*inputs, axis=axis, keepdims=keepdims))
        if method != "__call__" or ufunc not in UFUNCS:
            name = ufunc.__name__ + ("" if method == "__call__" else f".{method}")
            raise TypeError(f"np.{name}: di questa funzione un Tensor non sa la derivata. {NO_ARRAY}")
        _refuse_options(f"np.{ufunc.__name__}", options)
        return _apply(ufunc, inputs)

    def __array_function__(self, function, types, args, kwargs):
        if function in PLAIN_FUNCTIONS:
            return function(*(value(a) for a in args), **{k: value(a) for k, a in kwargs.items()})
        if function in COMPOSED:
            return COMPOSED[function](*args, **kwargs)
        if function not in FUNCTIONS:
            name = function.__name__
            raise TypeError(f"np.{name}: di questa funzione un Tensor non sa la derivata. {NO_ARRAY}")
        if kwargs.pop("out", None) is not None:
            raise TypeError(NO_WRITING)
        try:
            return _record(*FUNCTIONS[function](*args, **kwargs))
        except TypeError as error:
            if "unexpected keyword" not in str(error):
                raise
            raise TypeError(
                f"np.{function.__name__}: su un Tensor non c'è l'argomento {str(error).rpartition(' ')[2]}."
            ) from None

    def __array__(self, *args, **kwargs):
        raise TypeError(NO_ARRAY)

    def __float__(self):
        raise TypeError(NO_NUMBER)

    __int__ = __index__ = __complex__ = __float__

    def __bool__(self):
        raise TypeError(NO_TRUTH)

    def __setitem__(self, key, new):
        raise TypeError(NO_WRITING)

    __hash__ = None

    def __getattr__(self, name):
        raise AttributeError(
            f"Un Tensor non ha .{name}. Se lo hanno gli array, prova la funzione: np.{name}(t); "
            "se ti servono soltanto i numeri, sono in .data."
        )

    def __getitem__(self, key):
        return _record(*rules.index(self, key))

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        return (self[i] for i in range(len(self.data)))

    def __repr__(self):
        return f"Tensor({self.data!r}{', requires_grad=True' if self.requires_grad else ''})"

    shape = property(lambda self: self.data.shape)
    ndim = property(lambda self: self.data.ndim)
    size = property(lambda self: self.data.size)
    dtype = property(lambda self: self.data.dtype)
    T = property(lambda self: np.transpose(self))
    mT = property(lambda self: np.swapaxes(self, -1, -2))

    def item(self):
        """Il numero di Python, se ce n'è uno solo; senza il suo gradiente."""
        return self.data.item()

    def astype(self, dtype, copy=True):
        """Gli stessi numeri in un altro tipo in virgola mobile."""
        if np.dtype(dtype).kind != "f":
            raise TypeError(f"astype: un Tensor resta in virgola mobile, non diventa {np.dtype(dtype)}.")
        return _record(self.data.astype(dtype), [(self, lambda g: g)])

    def sum(self, axis=None, keepdims=False):
        """La somma, come np.sum."""
        return np.sum(self, axis=axis, keepdims=keepdims)

    def mean(self, axis=None, keepdims=False):
        """La media, come np.mean."""
        return np.mean(self, axis=axis, keepdims=keepdims)

    def max(self, axis=None, keepdims=False):
        """Il massimo, come np.max."""
        return np.max(self, axis=axis, keepdims=keepdims)

    def min(self, axis=None, keepdims=False):
        """Il minimo, come np.min."""
        return np.min(self, axis=axis, keepdims=keepdims)

    def var(self, axis=None, ddof=0, keepdims=False):
        """La varianza, come np.var."""
        return np.var(self, axis=axis, ddof=ddof, keepdims=keepdims)

    def std(self, axis=None, ddof=0, keepdims=False):
        """La deviazione standard, come np.std."""
        return np.std(self, axis=axis, ddof=ddof, keepdims=keepdims)

    def reshape(self, *shape):
        """Un'altra forma, come np.reshape."""
        return np.reshape(self, shape[0] if len(shape) == 1 else shape)

    def transpose(self, *axes):
        """Gli assi in un altro ordine, come np.transpose."""
        return np.transpose(self, (axes[0] if len(axes) == 1 else axes) or None)

    def swapaxes(self, axis1, axis2):
        """Due assi scambiati, come np.swapaxes."""
        return np.swapaxes(self, axis1, axis2)

    def ravel(self):
        """Una fila sola, come np.ravel."""
        return np.ravel(self)

    flatten = ravel

    def dot(self, other):
        """Il prodotto fra matrici, come @."""
        return np.dot(self, other)


def record(data, parents, back):
    """Il risultato di un conto, con la memoria di come tornare indietro: così si scrive un'operazione nuova.

    data: l'array calcolato   parents: gli argomenti, Tensor o no
    back: dal gradiente di data a quelli di parents, uno per ciascuno (None per chi non lo vuole)
    """
    result = Tensor.__new__(Tensor)
    result.data, result.grad, result._place = data, None, None
    result._parents, result._back, result.requires_grad = (), None, False
    tensors = [p if type(p) is Tensor else _CONSTANT for p in parents]
    for p in tensors:
        if p.requires_grad:
            result._parents, result._back, result.requires_grad = tensors, back, True
            break
    return result


def _record(data, backs):
    """record da una regola di array_functions; il gradiente prende il tipo di chi lo riceve."""
    parents = [a for a, _ in backs if type(a) is Tensor and a.requires_grad]
    functions = [(f, a.dtype) for a, f in backs if type(a) is Tensor and a.requires_grad]
    return record(
        np.asarray(data), parents, lambda g: [np.asarray(f(g)).astype(t, copy=False) for f, t in functions]
    )


def _apply(ufunc, inputs):
    """Una funzione elementare: il conto lo fa NumPy, la derivata sta in UFUNCS."""
    values = [value(x) for x in inputs]
    values = [v if isinstance(v, int | float) else np.asarray(v) for v in values]   # 0.5 non cambia il tipo
    y = _add(*values) if ufunc is np.add else ufunc(*values)

    def part(x, derivative):
        return x, lambda g: unbroadcast(np.asarray(derivative(g, y, *values)), x.shape)

    return _record(y, [part(x, d) for x, d in zip(inputs, UFUNCS[ufunc], strict=True)])


def _add(a, b):
    """a + b, in memoria riusata quando si può: è la somma di ogni connessione residua."""
    if type(a) is type(b) is np.ndarray and a.shape == b.shape and a.dtype == b.dtype:
        return np.add(a, b, out=empty(a.shape, a.dtype))
    return a + b


def _in_order(last):
    """I conti da cui dipende last, ciascuno dopo quelli che gli servono; le foglie no.

    Senza ricorsione: possono essere migliaia.
    """
    order, seen, stack = [], set(), [(last, False)]
    while stack:
        node, parents_done = stack.pop()
        if parents_done:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            for parent in node._parents:
                if parent._back is not None:
                    stack.append((parent, False))
    return order


def _refuse_options(name, options):
    if any(option is not None for option in options.values()):
        raise TypeError(f"{name}: su un Tensor non si possono usare {', '.join(options)}.")


def _spent(gradient):
    raise AssertionError("nodo già percorso")


_SPENT = _spent
_CONSTANT = Tensor(0.0)

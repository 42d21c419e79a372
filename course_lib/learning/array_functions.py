"""Le derivate delle funzioni di NumPy che riducono, ridanno forma, scelgono o uniscono.

Ogni regola riceve gli argomenti come li ha scritti chi chiama e restituisce la coppia (risultato, back), dove
back è la lista delle coppie (argomento, funzione dal gradiente del risultato a quello dell'argomento).
"""

from __future__ import annotations

import functools

import numpy as np

from course_lib.learning.derivatives import unbroadcast


def value(x):
    """L'array dentro un Tensor; ogni altra cosa resta com'è."""
    return x.data if hasattr(x, "requires_grad") else x


def _spread(g, shape, axis, keepdims):
    """Il gradiente di una riduzione, riportato alla forma di partenza."""
    if axis is not None and not keepdims:
        g = np.expand_dims(g, axis)
    return np.broadcast_to(g, shape)


def total(a, axis=None, keepdims=False):
    """np.sum: ogni addendo riceve il gradiente della somma."""
    x = value(a)
    return np.sum(x, axis=axis, keepdims=keepdims), [(a, lambda g: _spread(g, x.shape, axis, keepdims))]


def mean(a, axis=None, keepdims=False):
    """np.mean: il gradiente della somma, diviso per quanti sono gli addendi."""
    x = value(a)
    y = np.mean(x, axis=axis, keepdims=keepdims)
    n = x.size // max(np.size(y), 1)
    return y, [(a, lambda g: _spread(g, x.shape, axis, keepdims) / n)]


def variance(a, axis=None, ddof=0, keepdims=False, *, root=False):
    """np.var e, con root, np.std."""
    x = value(a)
    centred = x - np.mean(x, axis=axis, keepdims=True)
    y = np.var(x, axis=axis, ddof=ddof, keepdims=keepdims)
    n = x.size // max(np.size(y), 1) - ddof
    if not root:
        return y, [(a, lambda g: _spread(g, x.shape, axis, keepdims) * centred * (2 / n))]
    deviation = np.sqrt(y)
    return deviation, [(a, lambda g: _spread(g / deviation, x.shape, axis, keepdims) * centred / n)]


def extreme(function, a, axis=None, keepdims=False):
    """np.max o np.min: il gradiente va a chi vince, diviso in parti uguali fra chi è pari."""
    x = value(a)
    y = function(x, axis=axis, keepdims=keepdims)

    def back(g):
        winners = x == _spread(y, x.shape, axis, keepdims)
        share = winners / np.sum(winners, axis=axis, keepdims=True)
        return (_spread(g, x.shape, axis, keepdims) * share).astype(x.dtype, copy=False)

    return y, [(a, back)]


def reshape(a, shape, order="C"):
    """np.reshape: gli stessi numeri in un'altra forma."""
    x = value(a)
    return np.reshape(x, shape, order=order), [(a, lambda g: np.reshape(g, x.shape, order=order))]


def ravel(a, order="C"):
    """np.ravel: una fila sola."""
    return reshape(a, (-1,), order)


def swapaxes(a, axis1, axis2):
    """np.swapaxes: lo scambio di due assi si disfa con lo stesso scambio."""
    return np.swapaxes(value(a), axis1, axis2), [(a, lambda g: np.swapaxes(g, axis1, axis2))]


def transpose(a, axes=None):
    """np.transpose: gli assi tornano al loro posto."""
    inverse = None if axes is None else np.argsort(np.mod(axes, value(a).ndim))
    return np.transpose(value(a), axes), [(a, lambda g: np.transpose(g, inverse))]


def same_numbers(function, a, *args, **kwargs):
    """np.expand_dims, np.squeeze: cambia soltanto la forma."""
    x = value(a)
    return function(x, *args, **kwargs), [(a, lambda g: np.reshape(g, x.shape))]


def broadcast_to(array, shape):
    """np.broadcast_to: i numeri ripetuti sommano i loro gradienti."""
    x = value(array)
    return np.broadcast_to(x, shape), [(array, lambda g: unbroadcast(g, x.shape))]


def where(condition, x, y):
    """np.where: il gradiente va solo a chi è stato scelto. condition: un array semplice."""
    if hasattr(condition, "requires_grad"):
        raise TypeError("np.where: la condizione dev'essere un array di True e False, non un Tensor.")
    a, b = value(x), value(y)
    return np.where(condition, a, b), [
        (x, lambda g: unbroadcast(np.where(condition, g, 0), np.shape(a))),
        (y, lambda g: unbroadcast(np.where(condition, 0, g), np.shape(b))),
    ]


def clip(a, a_min=None, a_max=None):
    """np.clip: oltre i limiti il gradiente è 0."""
    x = value(a)
    y = np.clip(x, a_min, a_max)
    return y, [(a, lambda g: np.where(x == y, g, 0))]


def concatenate(arrays, axis=0):
    """np.concatenate: ognuno si riprende la sua parte."""
    arrays = list(arrays)
    parts = [value(a) for a in arrays]
    if axis is None:
        parts, axis = [np.ravel(p) for p in parts], 0
    ends = np.cumsum([p.shape[axis] for p in parts])

    def part(g, i):
        start = int(ends[i]) - parts[i].shape[axis]
        own = np.moveaxis(np.moveaxis(g, axis, 0)[start : int(ends[i])], 0, axis)
        return np.reshape(own, np.shape(value(arrays[i])))

    backs = [(a, functools.partial(part, i=i)) for i, a in enumerate(arrays)]
    return np.concatenate(parts, axis=axis), backs


def stack(arrays, axis=0):
    """np.stack: uno sull'altro, lungo un asse nuovo."""
    arrays = list(arrays)
    backs = [(a, lambda g, i=i: np.take(g, i, axis=axis)) for i, a in enumerate(arrays)]
    return np.stack([value(a) for a in arrays], axis=axis), backs


def select(function, a, *args, **kwargs):
    """Una funzione che sposta, ripete o sceglie numeri, senza cambiarli (flip, repeat, take, tile…).

    La si applica ai posti 0, 1, 2, … per sapere da dove viene ogni numero; i gradienti si sommano là.
    """
    x = value(a)
    source = function(np.arange(x.size).reshape(x.shape), *args, **kwargs)
    return np.reshape(x, -1)[source], [(a, lambda g: _return_to(source, g, x))]


def index(a, key):
    """a[key]: fette, interi, liste di indici, maschere booleane."""
    x = value(a)
    keys = key if isinstance(key, tuple) else (key,)
    if any(hasattr(k, "requires_grad") for k in keys):
        raise TypeError("Un indice non può essere un Tensor: servono interi, fette o array semplici.")
    if not all(k is None or k is Ellipsis or isinstance(k, int | np.integer | slice) for k in keys):
        return select(lambda places: places[key], a)                    # un posto può comparire più volte

    def back(g):
        gradient = np.zeros(x.shape, x.dtype)
        gradient[key] = g
        return gradient

    return x[key], [(a, back)]


def _return_to(source, g, x):
    sums = np.bincount(np.ravel(source), weights=np.ravel(g), minlength=x.size)
    return np.reshape(sums, x.shape).astype(x.dtype, copy=False)


def triangle(function, m, k=0):
    """np.tril, np.triu: il triangolo tenuto riceve il gradiente, l'altro 0."""
    return function(value(m), k), [(m, lambda g: function(g, k))]


def einsum(subscripts, *operands):
    """np.einsum con uno o due array e lettere mai ripetute nello stesso array."""
    inputs, _, output = subscripts.replace(" ", "").partition("->")
    names = inputs.split(",")
    if len(names) > 2 or "->" not in subscripts or any(_repeated(n) for n in (*names, output)):
        raise TypeError(
            "np.einsum su un Tensor: servono uno o due array, la freccia «->», e nessuna lettera ripetuta "
            "nello stesso array. Scrivi il conto con @."
        )
    arrays = [value(o) for o in operands]

    def back(g, i):
        others = [(n, a) for j, (n, a) in enumerate(zip(names, arrays, strict=True)) if j != i]
        known = set(output).union(*(set(n) for n, _ in others))
        kept = "".join(c for c in names[i].replace("...", "") if c in known)
        left = ",".join([output, *(n for n, _ in others)])
        dots = "..." if "..." in left else ""
        gradient = np.einsum(f"{left}->{dots}{kept}", g, *(a for _, a in others))
        return _back_in_place(gradient, dots, kept, names[i], arrays[i].shape)

    backs = [(o, functools.partial(back, i=i)) for i, o in enumerate(operands)]
    return np.einsum(subscripts, *arrays), backs


def _repeated(name):
    letters = name.replace("...", "")
    return len(set(letters)) < len(letters)


def _back_in_place(gradient, dots, kept, name, shape):
    """Da (…, lettere tenute) agli assi di name, con quelli sommati da soli ripetuti."""
    before, _, _ = name.partition("...") if "..." in name else (name, "", "")
    letters = name.replace("...", "")
    free = len(shape) - len(letters)                                    # quanti assi sta per «...»
    lead = gradient.shape[: gradient.ndim - len(kept)]
    sizes = iter(gradient.shape[gradient.ndim - len(kept) :])
    gradient = gradient.reshape(*lead, *(next(sizes) if c in kept else 1 for c in letters))
    ordered = np.moveaxis(
        gradient, range(len(lead)), range(len(before), len(before) + len(lead))
    ) if lead else gradient
    if lead and len(lead) > free:                                       # assi nati dal broadcasting di «...»
        ordered = np.sum(ordered, axis=tuple(range(len(before), len(before) + len(lead) - free)))
    if not lead and free:
        ordered = np.expand_dims(ordered, tuple(range(len(before), len(before) + free)))
    target = tuple(n if o == 1 else o for n, o in zip(shape, ordered.shape, strict=True))
    return unbroadcast(np.broadcast_to(ordered, target), shape)


_SELECTING = (
    np.moveaxis,
    np.rollaxis,
    np.flip,
    np.fliplr,
    np.flipud,
    np.roll,
    np.repeat,
    np.tile,
    np.take,
    np.take_along_axis,
    np.diagonal,
    np.atleast_1d,
    np.atleast_2d,
)

FUNCTIONS = {
    np.sum: total,
    np.mean: mean,
    np.var: variance,
    np.std: functools.partial(variance, root=True),
    np.max: functools.partial(extreme, np.max),
    np.amax: functools.partial(extreme, np.max),
    np.min: functools.partial(extreme, np.min),
    np.amin: functools.partial(extreme, np.min),
    np.reshape: reshape,
    np.ravel: ravel,
    np.swapaxes: swapaxes,
    np.transpose: transpose,
    np.expand_dims: functools.partial(same_numbers, np.expand_dims),
    np.squeeze: functools.partial(same_numbers, np.squeeze),
    np.broadcast_to: broadcast_to,
    np.where: where,
    np.clip: clip,
    np.concatenate: concatenate,
    np.stack: stack,
    np.tril: functools.partial(triangle, np.tril),
    np.triu: functools.partial(triangle, np.triu),
    np.einsum: einsum,
    np.copy: lambda a: (np.copy(value(a)), [(a, lambda g: g)]),
} | {function: functools.partial(select, function) for function in _SELECTING}

# Riduzioni scritte come metodo di una funzione elementare: np.add.reduce(x) è la somma.
REDUCTIONS = {np.add: total, np.maximum: FUNCTIONS[np.max], np.minimum: FUNCTIONS[np.min]}

# Danno forme, indici, confronti o array nuovi: rispondono con ciò che darebbero per l'array dentro il Tensor.
PLAIN_FUNCTIONS = {
    np.shape,
    np.ndim,
    np.size,
    np.argmax,
    np.argmin,
    np.argsort,
    np.all,
    np.any,
    np.count_nonzero,
    np.nonzero,
    np.isclose,
    np.allclose,
    np.array_equal,
    np.zeros_like,
    np.ones_like,
    np.full_like,
    np.empty_like,
    np.result_type,
}

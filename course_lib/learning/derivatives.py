"""Le derivate delle funzioni elementari di NumPy: una riga per funzione, accanto alla funzione.

Non sa nulla di `Tensor`: lavora su array. Di ogni funzione y = f(a, b, …) dice, per ogni argomento, come dal
gradiente g di y si ottiene quello dell'argomento; gli assi nati dal broadcasting li somma `unbroadcast`.
"""

from __future__ import annotations

import numpy as np


def unbroadcast(gradient, shape):
    """Somma gradient lungo gli assi che il broadcasting aveva aggiunto o allungato.

    gradient: un array di una forma che viene da shape   Restituisce: un array di forma shape.
    """
    if gradient.shape == shape:
        return gradient
    extra = gradient.ndim - len(shape)
    gradient = np.sum(gradient, axis=tuple(range(extra)))               # gli assi in più, a sinistra
    longer = tuple(i for i, n in enumerate(shape) if n == 1 and gradient.shape[i] != 1)
    return np.sum(gradient, axis=longer, keepdims=True) if longer else gradient


def _swap(array):
    return np.swapaxes(array, -1, -2)


def _matmul_left(g, y, a, b):
    """y = a @ b, anche quando a o b sono vettori: allora manca un asse, e lo si rimette."""
    if b.ndim == 1:                                                     # (..., n) @ (n,) -> (...)
        return np.expand_dims(g, -1) * b
    if a.ndim == 1:                                                     # (n,) @ (..., n, m) -> (..., m)
        return np.matmul(b, np.expand_dims(g, -1))[..., 0]
    return np.matmul(g, _swap(b))


def _matmul_right(g, y, a, b):
    if b.ndim == 1:                                                     # una riga per volta, poi si somma
        return np.expand_dims(g, -1) * a
    if a.ndim == 1:
        return np.expand_dims(a, -1) * np.expand_dims(g, -2)            # (n, 1) × (..., 1, m)
    return np.matmul(_swap(a), g)


def _power_base(g, y, a, b):
    less = np.where(b == 0, b, b - 1) if isinstance(b, np.ndarray) else b - bool(b)   # a⁰ è costante
    return g * b * np.power(a, less)


def _power_exponent(g, y, a, b):
    return g * y * np.log(np.where(a > 0, a, 1))                        # in 0 la derivata vale 0


def _chosen(mine, other):
    """La parte di gradiente di chi vince un confronto: metà per uno se sono pari."""
    return np.where(mine > other, 1.0, np.where(mine == other, 0.5, 0.0)).astype(mine.dtype)


# funzione -> per ogni argomento, dal gradiente g di y al gradiente dell'argomento
UFUNCS = {
    np.add: (lambda g, y, a, b: g, lambda g, y, a, b: g),
    np.subtract: (lambda g, y, a, b: g, lambda g, y, a, b: -g),
    np.multiply: (lambda g, y, a, b: g * b, lambda g, y, a, b: g * a),
    np.divide: (lambda g, y, a, b: g / b, lambda g, y, a, b: -g * y / b),
    np.matmul: (_matmul_left, _matmul_right),
    np.power: (_power_base, _power_exponent),
    np.maximum: (lambda g, y, a, b: g * _chosen(a, b), lambda g, y, a, b: g * _chosen(b, a)),
    np.minimum: (lambda g, y, a, b: g * _chosen(b, a), lambda g, y, a, b: g * _chosen(a, b)),
    np.negative: (lambda g, y, a: -g,),
    np.positive: (lambda g, y, a: g,),
    np.absolute: (lambda g, y, a: g * np.sign(a),),
    np.square: (lambda g, y, a: g * (2 * a),),
    np.sqrt: (lambda g, y, a: g * 0.5 / y,),
    np.reciprocal: (lambda g, y, a: -g * y * y,),
    np.exp: (lambda g, y, a: g * y,),
    np.expm1: (lambda g, y, a: g * (y + 1),),
    np.log: (lambda g, y, a: g / a,),
    np.log1p: (lambda g, y, a: g / (1 + a),),
    np.tanh: (lambda g, y, a: g * (1 - y * y),),
    np.sin: (lambda g, y, a: g * np.cos(a),),
    np.cos: (lambda g, y, a: -g * np.sin(a),),
    np.logaddexp: (lambda g, y, a, b: g * np.exp(a - y), lambda g, y, a, b: g * np.exp(b - y)),
}

# Non si derivano (sono costanti a tratti): rispondono con un array semplice.
PLAIN_UFUNCS = {
    np.greater,
    np.greater_equal,
    np.less,
    np.less_equal,
    np.equal,
    np.not_equal,
    np.isfinite,
    np.isinf,
    np.isnan,
    np.logical_and,
    np.logical_or,
    np.logical_not,
    np.sign,
    np.signbit,
    np.floor,
    np.ceil,
    np.rint,
}

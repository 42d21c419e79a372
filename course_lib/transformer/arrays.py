"""La porta della libreria: che cosa entra, di che tipo e di che forma.

Le funzioni di questo modulo non fanno conti: controllano gli argomenti e, se qualcosa
non va, lo dicono in italiano con il nome dell'argomento, ciò che era atteso e ciò che è arrivato.
Un oggetto che risponde ai protocolli di NumPy (il `Tensor` di `learning`) passa intatto.
"""

from __future__ import annotations

import operator

import numpy as np


def speaks_numpy(value):
    """Dice se value è un oggetto, diverso da un array, che risponde da sé ai protocolli di NumPy.

    Servono `__array_ufunc__` e `__array_function__`: chi ha solo il primo (le serie di pandas)
    si converte con np.asarray come una lista.
    """
    kind = type(value)
    return (
        not isinstance(value, np.ndarray)
        and getattr(kind, "__array_ufunc__", None) is not None
        and hasattr(kind, "__array_function__")
    )


def as_array(name, value):
    """Porta value alla forma di array, senza copiarlo se lo è già.

    name: il nome dell'argomento, per il messaggio   value: tutto ciò che np.asarray accetta
    Restituisce: un ndarray, oppure value stesso se risponde ai protocolli di NumPy.
    Solleva ValueError se value non è una tabella regolare di numeri reali.
    """
    if speaks_numpy(value):
        return value
    try:
        array = np.asarray(value)
    except ValueError:
        raise ValueError(
            f"{name}: mi aspettavo una tabella regolare di numeri, ma le righe sono di lunghezza diversa."
        ) from None
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{name}: mi aspettavo numeri reali, è arrivato un array di tipo {array.dtype}.")
    return array


def as_float(array):
    """Porta un array al tipo in cui si fanno i conti: gli interi in float64, float16 in float32."""
    if array.dtype.kind in "iub":
        return array.astype(np.float64)
    if array.dtype == np.float16:
        return array.astype(np.float32)
    return array


def result_dtype(*arrays):
    """Tipo del risultato: quello degli argomenti, dove un intero conta come float64."""
    return np.result_type(*(np.float64 if a.dtype.kind in "iub" else a.dtype for a in arrays))


def cast(array, dtype):
    """Riporta array al tipo dtype, senza copiarlo se lo ha già."""
    return array if array.dtype == dtype else array.astype(dtype)


def as_mask(name, mask):
    """Controlla che una maschera sia booleana, True = può guardare.

    Restituisce: un ndarray di tipo bool.
    Solleva ValueError se il tipo è un altro (0 e 1 compresi).
    """
    mask = np.asarray(mask)
    if mask.dtype != np.bool_:
        raise ValueError(
            f"{name}: mi aspettavo valori booleani (True = può guardare), "
            f"è arrivato un array di tipo {mask.dtype}."
        )
    return mask


def as_whole(name, value, least):
    """Porta value a un int di Python.

    Solleva ValueError se non è un numero intero, o se è minore di `least`.
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name}: mi aspettavo un numero intero, è arrivato {value!r}.") from None
    if number < least:
        raise ValueError(f"{name}: mi aspettavo un intero da {least} in su, è arrivato {number}.")
    return number


def as_float_type(dtype):
    """Il numpy.dtype di dtype. Solleva ValueError se non è un tipo in virgola mobile."""
    try:
        if np.dtype(dtype).kind == "f":
            return np.dtype(dtype)
    except TypeError:
        pass
    raise ValueError(f"dtype: mi aspettavo un tipo in virgola mobile, come np.float32, non {dtype!r}.")


def as_generator(name, seed):
    """Il numpy.random.Generator che nasce da seed; uno già fatto passa intatto.

    Solleva ValueError se seed non è un intero da 0 in su né un Generator (None non si ripete).
    """
    if isinstance(seed, np.random.Generator):
        return seed
    return np.random.default_rng(as_whole(name, seed, 0))


def expect_generator(name, rng):
    """Solleva ValueError se rng non è un numpy.random.Generator."""
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"{name}: mi aspettavo numpy.random.default_rng(seme), è arrivato {rng!r}.")


def as_ids(name, ids, size=None):
    """Porta ids a un array di interi, controllando che stiano tutti nel vocabolario.

    ids: (...), interi da 0 in su   size: quanti token ha il vocabolario (se manca, il limite non c'è)
    Restituisce: un ndarray di interi, (...).
    Solleva ValueError se un ID non è un intero o è fuori del vocabolario (in NumPy −1 sarebbe l'ultimo).
    """
    ids = as_array(name, ids)
    if 0 in ids.shape:
        return ids.astype(np.int64)
    if ids.dtype.kind not in "iu":
        raise ValueError(f"{name}: mi aspettavo numeri interi, è arrivato un array di tipo {ids.dtype}.")
    wrong = ids < 0 if size is None else (ids < 0) | (ids >= size)
    if wrong.any():
        bound = "da 0 in su" if size is None else f"fra 0 e {size - 1}"
        raise ValueError(
            f"{place_of_first(name, wrong)} vale {ids[wrong].flat[0]}: mi aspettavo un intero {bound}."
        )
    return ids


def expect_axes(name, array, least, form):
    """Solleva ValueError se array ha meno di `least` assi; form è la forma attesa, da mostrare."""
    if array.ndim < least:
        raise ValueError(f"{name}: mi aspettavo la forma {form}, è arrivata la forma {tuple(array.shape)}.")


def expect_length(name, array, axis, length, what):
    """Solleva ValueError se l'asse `axis` non è lungo `length`; what dice da dove viene la lunghezza."""
    if array.shape[axis] != length:
        place = {-1: "l'ultimo asse", -2: "il penultimo asse"}[axis]
        raise ValueError(
            f"{name}: mi aspettavo {place} lungo {length} ({what}), "
            f"è arrivata la forma {tuple(array.shape)}."
        )


def expect_finite(name, array):
    """Solleva ValueError se array contiene NaN o un infinito, e dice dove si trova il primo."""
    finite = (array > -np.inf) & (array < np.inf)  # bastano i confronti: valgono anche per un Tensor
    if not finite.all():
        place = place_of_first(name, ~finite)
        raise ValueError(f"{place} non è un numero finito: {name} deve averne solo di finiti.")


def expect_broadcast(shapes):
    """Forma comune degli assi iniziali, secondo le regole di broadcasting di NumPy.

    shapes: dizionario {nome dell'argomento: forma dei suoi assi iniziali}
    Solleva ValueError, e nomina gli argomenti, se una forma comune non esiste.
    """
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        listed = ", ".join(f"{name} {tuple(shape)}" for name, shape in shapes.items())
        raise ValueError(
            f"{', '.join(shapes)}: mi aspettavo assi iniziali uguali (o lunghi 1), sono arrivati {listed}."
        ) from None


def place_of_first(name, wrong):
    """Scrive come `name[i, j]` il posto del primo True di wrong, nell'ordine di lettura."""
    if not wrong.ndim:
        return name
    index = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
    return f"{name}[{', '.join(str(int(i)) for i in index)}]"

"""L'unico confronto fra un valore atteso e uno ottenuto.

Si guarda nell'ordine: tipo esatto, forma, tipo dei numeri, valori (con tolleranza), valori finiti.
Niente broadcasting: due forme diverse sono sempre una differenza.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from course_lib.checks.text import dtype_in_words, kind_in_words
from course_lib.checks.values import NUMPY_SCALARS, Opaque

# (relativa, assoluta, parte del valore più grande): quanto può scostarsi un numero
FULL_TOLERANCE = (1e-7, 1e-10, 1e-13)
LOW_TOLERANCE = (1e-4, 1e-6, 1e-6)  # se negli ingressi c'è float32 o float16

WRONG_SHAPE = "la forma del risultato non è quella attesa"

WRONG_KIND = ("nulla", "tipo", "dtype")

SAME_KIND = {"f": "f", "i": "iu", "u": "iu", "b": "b", "c": "c"}


@dataclass(frozen=True, eq=False)
class Difference:
    """La prima differenza trovata.

    kind: "nulla", "tipo", "forma", "dtype", "lunghezza", "valori" o "non finito"
    text: la differenza in una frase, senza numeri
    expected, got: i due valori, ridotti alla parte che differisce
    label: di quale risultato si parla, se ce n'è più d'uno
    """

    kind: str
    text: str
    expected: Any
    got: Any
    label: str = ""


def compare(expected, got, *, labels=(), kinds=None, low=False) -> Difference | None:
    """La prima differenza fra due valori fotografati con `freeze`, o None se sono lo stesso valore.

    labels: i nomi dei risultati, se expected è una tupla   kinds: i tipi di numeri ammessi, come "iuf";
    se manca, quello di expected   low: True se gli ingressi avevano precisione bassa (tolleranza più larga)
    """
    if got is None and expected is not None:
        return Difference("nulla", "restituisce None", expected, got)
    if type(expected) is np.ndarray:
        return _compare_arrays(expected, got, kinds, low)
    if type(expected) in (float, int, bool, complex) or type(expected) in NUMPY_SCALARS:
        return _compare_scalars(expected, got, kinds, low)
    if type(got) is not type(expected):
        return _wrong_type(expected, got, labels)
    if type(expected) in (list, tuple):
        return _compare_sequences(expected, got, labels, kinds, low)
    if type(expected) is dict:
        return _compare_dicts(expected, got, kinds, low)
    if expected == got:
        return None
    return Difference("valori", "il risultato non è quello atteso", expected, got)


def _wrong_type(expected, got, labels=()):
    text = f"restituisce {kind_in_words(got)}, non {kind_in_words(expected)}"
    if type(expected) is tuple and labels:
        text = f"restituisce {kind_in_words(got)} al posto dei {len(labels)} risultati ({', '.join(labels)})"
    return Difference("tipo", text, expected, got)


def _compare_arrays(expected, got, kinds, low):
    if type(got) is not np.ndarray:
        if _is_number(got):
            return Difference("forma", WRONG_SHAPE, expected, np.asarray(got))
        return _wrong_type(expected, got)
    if got.dtype.kind not in "biufc":
        return Difference("dtype", f"l'array contiene {dtype_in_words(got)}", expected, got)
    if got.shape != expected.shape:
        return Difference("forma", WRONG_SHAPE, expected, got)
    return _compare_kinds(expected, got, kinds, low) or _compare_values(expected, got, low)


def _compare_scalars(expected, got, kinds, low):
    wanted = np.asarray(expected)
    if type(got) is np.ndarray and got.dtype.kind in "biufc" and got.shape != ():
        return Difference("forma", WRONG_SHAPE, wanted, got)
    if not _is_number(got) and type(got) not in (bool, np.bool_) and type(got) is not np.ndarray:
        return _wrong_type(expected, got)
    array = np.asarray(got)
    if array.dtype.kind not in "biufc":
        return _wrong_type(expected, got)
    kinds = kinds or ("iuf" if wanted.dtype.kind == "f" else None)
    return _compare_kinds(wanted, array, kinds, low) or _compare_values(wanted, array, low)


def _is_number(value) -> bool:
    kind = type(value)
    return kind in (int, float, complex) or (kind in NUMPY_SCALARS and kind is not np.bool_)


def _compare_kinds(expected, got, kinds, low):
    allowed = kinds or SAME_KIND[expected.dtype.kind]
    if got.dtype.kind not in allowed:
        text = f"il risultato contiene {dtype_in_words(got)}, non {dtype_in_words(expected)}"
        return Difference("dtype", text, expected, got)
    coarse = got.dtype.kind == "f" and got.dtype.itemsize < min(8, expected.dtype.itemsize)
    if coarse and got.shape != () and not low:
        text = f"il risultato ha perso cifre: contiene {got.dtype.name}, non {expected.dtype.name}"
        return Difference("dtype", text, expected, got)
    return None


def _compare_values(expected, got, low):
    if expected.dtype.kind in "biu" and got.dtype.kind in "biu":
        same = expected == got
    else:
        same = _close(expected, got, low)
    if same.all():
        return None
    if got.dtype.kind in "fc" and (np.isfinite(expected) & ~np.isfinite(got)).any():
        nan = np.isnan(got).any()
        what = "NaN, il risultato di un conto senza senso come 0/0" if nan else "un infinito"
        return Difference("non finito", f"nel risultato c'è {what}", expected, got)
    return Difference("valori", "i valori non sono quelli attesi", expected, got)


def _close(expected, got, low):
    """Vicini entro la tolleranza; NaN è uguale a NaN e un infinito a sé stesso (per gli errori tipici)."""
    relative, absolute, of_largest = LOW_TOLERANCE if low else FULL_TOLERANCE
    common = np.result_type(expected.dtype, got.dtype, np.float64)
    expected, got = expected.astype(common), got.astype(common)
    finite = np.isfinite(expected) & np.isfinite(got)
    largest = np.abs(expected[np.isfinite(expected)]).max(initial=0.0)
    with np.errstate(all="ignore"):
        near = np.abs(expected - got) <= absolute + of_largest * largest + relative * np.abs(expected)
    return (finite & near) | (expected == got) | (np.isnan(expected) & np.isnan(got))


def _compare_sequences(expected, got, labels, kinds, low):
    if len(expected) != len(got):
        text = f"la lunghezza è {len(got)} invece di {len(expected)}"
        return Difference("lunghezza", text, expected, got)
    for i, (wanted, item) in enumerate(zip(expected, got, strict=True)):
        label = labels[i] if i < len(labels) else f"l'elemento {i}"
        difference = compare(wanted, item, kinds=kinds, low=low)
        if difference is not None:
            simple = type(wanted) in (str, int, bool, float) and not labels
            pair = (expected, got) if simple else (difference.expected, difference.got)
            odd = simple and difference.kind in WRONG_KIND
            text = f"l'elemento {i} è {_instead(item, wanted)}" if odd else difference.text
            return Difference(difference.kind, text, *pair, "" if simple else label)
    return None


def _compare_dicts(expected, got, kinds, low):
    if any(type(key) is Opaque for key in got) or set(expected) != set(got):
        return Difference("lunghezza", "le chiavi del dizionario non sono quelle attese", expected, got)
    for key, wanted in expected.items():
        difference = compare(wanted, got[key], kinds=kinds, low=low)
        if difference is not None:
            odd = difference.kind in WRONG_KIND
            text = f"alla chiave {key!r} c'è {_instead(got[key], wanted)}" if odd else difference.text
            return Difference(difference.kind, text, expected, got)
    return None


def _instead(got, expected) -> str:
    return f"{kind_in_words(got)}, non {kind_in_words(expected)}"

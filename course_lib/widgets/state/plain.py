"""Ciò che passa al browser (liste, numeri finiti, None dove non c'è numero) e ciò che si accetta."""

from __future__ import annotations

import operator
import unicodedata

import numpy as np

from course_lib.notation import number

MOST_TOKENS = 24                 # oltre, una figura non si legge più
MOST_NUMBERS = 12                # fino a quante righe si scrivono i numeri nelle celle
MOST_LETTERS = 60                # il nome più lungo di un token
MOST_SEED = 2**32 - 1
INVISIBLE = {" ": "␣", "\n": "↵", "\t": "⇥"}
NO_NAME = "(vuoto)"
_HIDDEN = str.maketrans(
    "", "", "\u200b\u200e\u200f\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)


def plain(values, allowed=None):
    """values come liste di float; None dove allowed è False o dove il valore non è finito.

    values: array di qualunque forma   allowed: bool della stessa forma, o None
    """
    values = np.asarray(values, dtype=float)
    keep = np.isfinite(values) if allowed is None else np.isfinite(values) & allowed
    if keep.all():
        return values.tolist()
    return np.where(keep, values.astype(object), None).tolist()


def check_names(names, count, argument):
    """I nomi, che si possano leggere. Solleva ValueError se non sono `count`, o se uno è troppo lungo."""
    try:
        found = [readable(name) for name in names]
    except TypeError:
        raise ValueError(
            f"{argument}: mi aspettavo {count} nomi, uno per token; è arrivato {names!r:.60}."
        ) from None
    if len(found) != count:
        raise ValueError(
            f"{argument}: mi aspettavo {count} nomi, uno per token, ne sono arrivati {len(found)}."
        )
    longest = max(found, key=len)
    if len(longest) > MOST_LETTERS:
        raise ValueError(
            f"{argument}: il nome «{longest[:20]}…» ha {number(len(longest))} caratteri: "
            f"accorcialo, se ne leggono al più {MOST_LETTERS}."
        )
    return found


def readable(name):
    """Il nome di un token: gli spazi visibili se non c'è altro, via ciò che non si vede."""
    text = writable(str(name))
    if not text.strip():
        return "".join(INVISIBLE.get(c, "␣") for c in text) or NO_NAME
    return "".join(c if c == " " else INVISIBLE.get(c, c) for c in text)


def writable(text):
    """Il testo che si può spedire e disegnare: � al posto di metà caratteri e segni di controllo.

    Cadono i segni che non si vedono e quelli che rovesciano il verso di ciò che segue; una lettera e il suo
    accento diventano un carattere solo, se c'è.
    """
    kept = unicodedata.normalize("NFC", text.translate(_HIDDEN))
    return "".join("�" if unicodedata.category(c) in ("Cc", "Cs") and not c.isspace() else c for c in kept)


def check_whole(name, value, low, high):
    """value come intero fra low e high. Solleva ValueError se non lo è."""
    try:
        found = operator.index(value)
    except TypeError:
        found = int(value) if isinstance(value, float) and value.is_integer() else None
    if found is None or isinstance(value, bool) or not low <= found <= high:
        raise ValueError(
            f"{name}: mi aspettavo un numero intero fra {number(low)} e {number(high)}, "
            f"è arrivato {value!r:.40}."
        )
    return found


def real_array(value, message):
    """value come array di float. Solleva ValueError, con la frase message, se non sono numeri reali.

    Un valore mascherato (numpy.ma) non è un numero.
    """
    if hidden(value):
        raise ValueError(message)
    try:
        array = np.asarray(value)
        if array.dtype.kind != "c":
            return array.astype(float)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ValueError(message)


def hidden(value):
    """Se value, o un suo elemento, è mascherato: NumPy prenderebbe il numero che c'è sotto, o nan."""
    parts = value if isinstance(value, (list, tuple)) else [value]
    return any(isinstance(part, np.ndarray) and np.any(getattr(part, "mask", False)) for part in parts)


def check_mask(mask, shape):
    """La maschera come array booleano di forma shape. Solleva ValueError se non lo è."""
    if hidden(mask):
        raise ValueError("mask: mi aspettavo valori True o False; qualcuno è mascherato: non ne ha nessuno.")
    try:
        mask = np.asarray(mask)
    except ValueError:
        raise ValueError("mask: mi aspettavo righe tutte della stessa lunghezza.") from None
    if mask.dtype != np.bool_ or mask.shape != shape:
        raise ValueError(
            f"mask: mi aspettavo valori True o False (True = può guardare) di forma {shape}, è arrivata "
            f"la forma {mask.shape} di tipo {mask.dtype}. Una cella della maschera per ogni punteggio."
        )
    return mask

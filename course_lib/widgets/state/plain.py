"""Da array a ciò che passa al browser: liste, numeri finiti, None dove non c'è numero."""

from __future__ import annotations

import numpy as np

MOST_TOKENS = 24                 # oltre, una figura non si legge più
MOST_NUMBERS = 12                # fino a quante righe si scrivono i numeri nelle celle


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
    """I nomi come lista di testi. Solleva ValueError se non sono `count`."""
    found = [str(name) for name in names]
    if len(found) != count:
        raise ValueError(
            f"{argument}: mi aspettavo {count} nomi, uno per token, ne sono arrivati {len(found)}."
        )
    return found

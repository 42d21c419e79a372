"""La memoria di chi genera: key e value delle posizioni già viste, per non rifarne i conti."""

from __future__ import annotations

import numpy as np

from course_lib.transformer.arrays import speaks_numpy


class KVCache:
    """Key e value di ogni strato, posizione dopo posizione.

    Si passa vuota alla prima chiamata del modello, con tutto il testo dato; poi, con un token alla volta.
    length: quante posizioni contiene. Una chiamata che si interrompe a metà la lascia com'era.
    """

    def __init__(self):
        self.length = 0
        self._stores = {}

    def at(self, layer):
        """La funzione che allo strato `layer` aggiunge (K, V) nuovi e li restituisce con i precedenti."""
        return lambda K, V: self._extend(layer, K, V)

    def advance(self, n):
        """Conta come viste le n posizioni appena aggiunte a ogni strato."""
        self.length += n

    def _extend(self, layer, K, V):
        """K, V: (..., h, n, d_h) nuovi   Restituisce: (..., h, length + n, d_h), viste della memoria."""
        if speaks_numpy(K) or speaks_numpy(V):
            raise ValueError("cache: serve per generare, non per addestrare; qui si calcola un gradiente.")
        end = self.length + K.shape[-2]
        olds = self._stores.get(layer) if self.length else (None, None)
        if olds is None:
            raise ValueError(f"cache: dello strato {layer} non contiene nulla: è di un altro modello.")
        stores = [self._room(old, new, end) for old, new in zip(olds, (K, V), strict=True)]
        self._stores[layer] = stores
        for store, new in zip(stores, (K, V), strict=True):
            store[..., self.length : end, :] = new
        return tuple(store[..., :end, :] for store in stores)

    def _room(self, store, new, end):
        """Una memoria con posto per `end` posizioni: quella che c'è, o una lunga il doppio."""
        *lead, _, d_h = new.shape
        if store is not None and (*store.shape[:-2], store.shape[-1]) != (*lead, d_h):
            raise ValueError(
                f"cache: contiene un lotto (..., h) di forma {tuple(store.shape[:-2])}, ne è arrivato uno "
                f"{tuple(lead)}: per un altro lotto serve una cache nuova."
            )
        if store is not None and store.shape[-2] >= end:
            return store
        larger = np.empty((*lead, max(2 * end, 32), d_h), new.dtype)
        if store is not None:
            larger[..., : self.length, :] = store[..., : self.length, :]
        return larger

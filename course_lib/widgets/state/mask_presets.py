"""Le maschere già pronte, costruite con le funzioni della biblioteca."""

from __future__ import annotations

from course_lib.transformer.masks import causal_mask, combine, padding_mask, prefix_mask, window_mask
from course_lib.widgets.state.masks import state

CAUSAL = "Causale"
NEW_QUERIES = 2


def presets(scores, rows, columns):
    """Gli stati delle maschere che hanno senso per questi punteggi, ciascuno con il suo nome.

    scores: (L, S)   rows, columns: i nomi, tutti diversi; con L < S le query sono le ultime L posizioni
    Restituisce: una lista di dizionari con name, note e state.
    """
    L, S = len(rows), len(columns)
    found = [_preset(scores, rows, columns, *mask) for mask in _masks(L, S, columns)]
    if L == S > NEW_QUERIES:
        note = f"{NEW_QUERIES} query nuove contro {S} key: causale, allineata alla fine, come in generazione"
        name = f"{NEW_QUERIES} query, {S} key"
        mask = causal_mask(NEW_QUERIES, S)
        found.append(_preset(scores[-NEW_QUERIES:], rows[-NEW_QUERIES:], columns, name, mask, note))
    return found


def _preset(scores, rows, columns, name, mask, note):
    return {"name": name, "note": note, "state": state(scores, rows, columns, mask, name, note)}


def _masks(L, S, columns):
    """(nome, maschera (L, S), che cosa permette), nell'ordine in cui si mostrano."""
    first = S - L                                                        # il posto della prima query
    found = [("Nessuna", _padded(S, L, S), "Tutti guardano tutti")]
    if first >= 0:
        found.append((CAUSAL, causal_mask(L, S), "Ognuno guarda sé stesso e ciò che viene prima"))
    if S > 3:
        note = "Gli ultimi due posti sono di riempimento: nessuno li guarda"
        found.append(("Riempimento", _padded(S - 2, L, S), note))
    if first >= 0 and S > 2:
        causal, window, prefix = causal_mask(L, S), window_mask(S, 2)[first:], prefix_mask(S, 2)[first:]
        start = " e ".join(f"«{name}»" for name in columns[:2])
        before = causal.copy()
        before[range(L), range(first, S)] = False
        found += [
            ("Finestra", window, "Ognuno guarda sé stesso e i vicini, uno per parte"),
            ("Finestra causale", combine(causal, window), "Ognuno guarda sé stesso e chi viene subito prima"),
            ("Prefisso", prefix, f"{start} sono il testo dato, che tutti vedono; il resto è causale"),
            ("Senza diagonale", before, "Ognuno guarda solo ciò che viene prima, non sé stesso"),
        ]
    return found


def _padded(length, L, S):
    """(L, S): tutte le query guardano le sole prime `length` key."""
    return padding_mask([length], S).repeat(L, axis=0)                   # (1, S) -> (L, S)

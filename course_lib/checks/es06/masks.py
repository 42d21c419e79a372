"""Le maschere e la softmax di es06, giuste e storte, come le altre funzioni (vedi functions.py)."""

from __future__ import annotations

import numpy as np

# --- la maschera di ogni testa ---------------------------------------------------------------------------

KINDS = {
    "bool": lambda mask: mask,
    "inverted": lambda mask: ~mask,
    "numbers": lambda mask: mask.astype(float),
    "additive": lambda mask: np.where(mask, 0.0, -np.inf),
    "complement": lambda mask: 1 - mask,
}
REPEATS = {
    "right": lambda mask, h: np.repeat(mask[:, None], h, axis=1),
    "tiled": lambda mask, h: np.tile(mask, (h, 1, 1)).reshape(len(mask), h, *mask.shape[1:]),
    "heads first": lambda mask, h: np.repeat(mask[None], h, axis=0),
    "folded": lambda mask, h: np.repeat(mask, h, axis=0),
    "folded, tiled": lambda mask, h: np.tile(mask, (h, 1, 1)),
    "folded, four axes": lambda mask, h: np.repeat(mask[:, None], h, axis=0),
    "folded, four axes, tiled": lambda mask, h: np.tile(mask[:, None], (h, 1, 1, 1)),
    "no new axis": lambda mask, h: np.broadcast_to(mask, (len(mask), h, *mask.shape[1:])),
    "along the keys": lambda mask, h: np.repeat(mask[:, None], h, axis=-1),
    "after the queries": lambda mask, h: np.repeat(mask[:, :, None], h, axis=2),
    "at the end": lambda mask, h: np.repeat(mask[..., None], h, axis=-1),
    "length one": lambda mask, h: mask[:, None],
    "as it is": lambda mask, h: mask,
    "first sentence": lambda mask, h: np.tile(mask[0], (len(mask), h, 1, 1)),
    "last sentence": lambda mask, h: np.tile(mask[-1], (len(mask), h, 1, 1)),
    "turned": lambda mask, h: np.repeat(np.swapaxes(mask, -1, -2)[:, None], h, axis=1),
}


def repeat_family(repeat="right", kind="bool"):
    """mask: (B, L, S)   n_heads: h   Restituisce: (B, h, L, S)."""

    def masks_for_heads(mask, n_heads):
        return KINDS[kind](REPEATS[repeat](mask, n_heads))

    return masks_for_heads


# --- dai punteggi ai coefficienti ------------------------------------------------------------------------


def masked_softmax(scores, mask):
    """I coefficienti: 0 dove è vietato, e in tutta una riga che non può guardare nulla."""
    marked = np.where(mask, scores, -np.inf)
    e = np.exp(marked - np.maximum(marked.max(axis=-1, keepdims=True), -1e300))
    return e / np.maximum(e.sum(axis=-1, keepdims=True), 1e-300)


def softmax_along(axis, scores, mask):
    """Come sopra, lungo un altro asse."""
    mask = np.broadcast_to(mask, scores.shape)
    return np.swapaxes(masked_softmax(np.swapaxes(scores, -1, axis), np.swapaxes(mask, -1, axis)), -1, axis)


# come la maschera (B, L, S) arriva alle teste; coefficienti dati i punteggi (B, h, L, S)
MASKINGS = {
    **{
        name: lambda scores, mask, h, repeat=repeat: masked_softmax(scores, REPEATS[repeat](mask, h))
        for name, repeat in (("right", "right"), ("tiled", "tiled"), ("by head", "as it is"),
                             ("heads first", "heads first"), ("first sentence", "first sentence"),
                             ("turned", "turned"))
    },
    "ignored": lambda scores, mask, h: masked_softmax(scores, True),
    "late": lambda scores, mask, h: masked_softmax(scores, True) * mask[:, None],
    "multiplied": lambda scores, mask, h: masked_softmax(scores * mask[:, None], True),
    "inverted": lambda scores, mask, h: masked_softmax(scores, ~mask[:, None]),
    "own causal": lambda scores, mask, h: masked_softmax(scores, np.tri(scores.shape[-2], dtype=bool)),
    "added": lambda scores, mask, h: masked_softmax(scores + mask[:, None], True),
    "swapped": lambda scores, mask, h: masked_softmax(np.broadcast_to(mask[:, None], scores.shape), scores),
    "queries": lambda scores, mask, h: softmax_along(-2, scores, mask[:, None]),
    "heads": lambda scores, mask, h: softmax_along(-3, scores, mask[:, None]),
    "no softmax": lambda scores, mask, h: scores * mask[:, None],
    "no softmax, no mask": lambda scores, mask, h: scores,
    "large number": lambda scores, mask, h: masked_softmax(np.where(mask[:, None], scores, -1e9), True),
}  # fmt: skip

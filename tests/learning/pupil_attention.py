"""L'attenzione con maschera come la scrive chi segue il corso: solo NumPy, a blocchi, senza controlli."""

import numpy as np


def attention(Q, K, V, mask):
    """Q: (..., L, d_k)   K: (..., S, d_k)   V: (..., S, d_v)   mask: bool, True = può guardare."""
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])          # (..., L, S)
    scores = np.where(mask, scores, -np.inf)
    scores = scores - np.max(scores, axis=-1, keepdims=True)
    e = np.exp(scores)
    return e / np.sum(e, axis=-1, keepdims=True) @ V                    # (..., L, d_v)


def attention_with_a_large_number(Q, K, V, mask):
    """La stessa, con −10⁹ al posto di −∞, e i coefficienti restituiti insieme all'uscita."""
    scores = np.where(mask, Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5, -1e9)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    alpha = e / e.sum(axis=-1, keepdims=True)
    return alpha @ V, alpha

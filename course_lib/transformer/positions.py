"""La codifica posizionale: seni e coseni alternati, e la rotazione che porta da un posto a un altro."""

from __future__ import annotations

import math

import numpy as np

from course_lib.transformer.arrays import as_array, as_float, as_whole


def sinusoidal_encoding(n_positions, d_model, base=10000.0, start=0):
    """Codifica posizionale sinusoidale.

    n_positions: quante posizioni, da 0 in su   d_model: quante dimensioni, da 1 in su, anche dispari
    base: quanto si allungano le onde, dalla prima coppia all'ultima   start: la prima posizione
    Restituisce: (n_positions, d_model) float64; PE(p, 2i) = sin(p / base^(2i/d)), PE(p, 2i+1) il suo cos.
    Solleva ValueError se un argomento non ha senso.
    Fonte: Vaswani et al. 2017, §3.5; i è l'indice della coppia di dimensioni, non della dimensione.
    """
    n_positions = as_whole("n_positions", n_positions, 0)
    start = as_whole("start", start, -math.inf)
    return encoding_at(np.arange(start, start + n_positions), d_model, base)


def encoding_at(positions, d_model, base=10000.0):
    """Le stesse onde, lette in posizioni qualsiasi: anche fra un token e l'altro, per disegnarle.

    positions: (...), numeri finiti   Restituisce: (..., d_model) float64.
    """
    positions = as_float(as_array("positions", positions)).astype(np.float64)
    if not np.isfinite(positions).all():
        raise ValueError("positions: mi aspettavo numeri finiti, è arrivato un NaN o un infinito.")
    d_model = as_whole("d_model", d_model, 1)
    dimension = np.arange(d_model)                                       # 0, 1, 2, 3, …
    angles = positions[..., None] * _frequencies(d_model, base)[dimension // 2]   # (...) -> (..., d_model)
    return np.where(dimension % 2 == 0, np.sin(angles), np.cos(angles))


def rotation(k, d_model, base=10000.0):
    """La matrice R che sposta ogni codifica di k posti: PE(p + k) = R @ PE(p), quale che sia p.

    k: di quanti posti, anche negativo   d_model: pari
    Restituisce: (d_model, d_model) float64, una rotazione di un angolo diverso per ogni coppia di dimensioni.
    Solleva ValueError se d_model è dispari: al seno dell'ultima dimensione manca il suo coseno.
    Fonte: Vaswani et al. 2017, §3.5, che lo afferma senza scrivere la matrice.
    """
    d_model = as_whole("d_model", d_model, 1)
    if d_model % 2:
        raise ValueError(
            f"d_model: mi aspettavo un numero pari, è arrivato {d_model}: "
            "l'ultimo seno non ha il suo coseno, e una R così non esiste."
        )
    try:
        finite = math.isfinite(k)
    except (TypeError, OverflowError):
        finite = False
    if not finite:
        raise ValueError(f"k: mi aspettavo un numero finito, è arrivato {k!r}.")
    angles = k * _frequencies(d_model, base)                             # (d_model/2,), uno per coppia
    R = np.zeros((d_model, d_model))
    sines = np.arange(0, d_model, 2)
    cosines = sines + 1
    R[sines, sines] = R[cosines, cosines] = np.cos(angles)
    R[sines, cosines] = np.sin(angles)                           # sin(a + b) = cos b sin a + sin b cos a
    R[cosines, sines] = -np.sin(angles)                          # cos(a + b) = cos b cos a − sin b sin a
    return R


def _frequencies(d_model, base):
    """Di quanto gira ogni coppia da un posto al successivo: (⌈d/2⌉,), 1 / base^(2i/d)."""
    try:
        number = float(base)
    except (TypeError, ValueError):
        number = math.nan
    if not (math.isfinite(number) and number > 0):
        raise ValueError(f"base: mi aspettavo un numero positivo e finito, è arrivato {base!r}.")
    pair = np.arange((d_model + 1) // 2)
    return number ** (-2.0 * pair / d_model)

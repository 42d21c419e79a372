"""Lo stato di Perché √d: la varianza di q·k misurata, e quanto cresce il coefficiente più grande."""

from __future__ import annotations

import functools

import numpy as np

from course_lib.notation import number
from course_lib.transformer.attention import softmax
from course_lib.widgets.state.plain import MOST_SEED, check_whole, plain

DIMENSIONS = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512)
SEED = 1
PAIRS = 4000                     # coppie (q, k) dell'istogramma, tutte indipendenti
QUERIES, KEYS = 400, 8           # righe della curva: una query contro 8 key
HALVES = ((16, 20.0), (128, 50.0), (512, 100.0))     # fino a quale d, da −metà a +metà dell'asse
NARROW = 6.0                     # metà dell'asse dei valori divisi per √d
BINS = {"plain": 80, "scaled": 48}


def state(d=64, seed=SEED):
    """q·k di coppie casuali a componenti indipendenti, di media 0 e varianza 1 (normali), con e senza ÷√d.

    d: le componenti di ogni vettore, da 2 a 512   seed: il seme del campione
    Restituisce: un dizionario; plain e scaled hanno media e varianza misurate, quelle attese con il loro
    errore standard, e l'istogramma; largest ha la media del coefficiente più grande per ogni d di dimensions.
    Solleva ValueError, con una frase da mostrare, se d o seed non vanno.
    Fonte: Vaswani et al. 2017, §3.2.1, nota 4. L'errore standard della varianza di un campione di N valori è
    σ²√((2 + e)/N), con e la curtosi in eccesso, che per q·k di normali è 6/d.
    """
    d, seed = check_whole("d", d, DIMENSIONS[0], DIMENSIONS[-1]), check_whole("seme", seed, 0, MOST_SEED)
    dimensions = tuple(sorted({*DIMENSIONS, d}))
    at = dimensions.index(d)
    dots = _products(seed, dimensions)[at]                               # (PAIRS,)
    half, root = next(half for most, half in HALVES if d <= most), float(np.sqrt(d))
    measured = {
        "plain": _measured(dots, d, float(d), half, BINS["plain"]),
        "scaled": _measured(dots / root, d, 1.0, NARROW, BINS["scaled"]),
    }
    means, errors = _largest(seed, dimensions)
    here = {way: float(means[way][at]) for way in means}
    here |= {f"{way}_error": float(errors[way][at]) for way in errors}
    return {
        "d": d, "root": root, "seed": seed, "pairs": PAIRS, "queries": QUERIES, "keys": KEYS, "half": half,
        **measured,
        "dimensions": list(dimensions), "uniform": 1 / KEYS,
        "largest": {way: plain(values) for way, values in means.items()}, "here": here,
        "trend": {way: _trend(values) for way, values in means.items()},
        "finding": _finding(d, measured), "sentences": _sentences(d, root, measured, here),
    }  # fmt: skip


def _streams(seed):
    """Tre generatori indipendenti: per le q, per le k, per le righe della curva."""
    return [np.random.default_rng(child) for child in np.random.SeedSequence(seed).spawn(3)]


def _blocks(dimensions):
    """Le fette di componenti che si aggiungono da un d al successivo."""
    return zip((0, *dimensions[:-1]), dimensions, strict=True)


@functools.lru_cache(maxsize=4)
def _products(seed, dimensions):
    """(n, PAIRS) i prodotti q·k per ogni d: un d maggiore aggiunge componenti agli stessi vettori."""
    rng_q, rng_k, _ = _streams(seed)
    total, sums = np.zeros(PAIRS), []
    for low, high in _blocks(dimensions):
        Q, K = (rng.standard_normal((high - low, PAIRS), dtype=np.float32) for rng in (rng_q, rng_k))
        total = total + np.einsum("cn,cn->n", Q, K)                      # una componente per riga
        sums.append(total)
    return np.stack(sums)


def _measured(values, d, expected, half, bins):
    """Media e varianza del campione accanto a quelle attese, e l'istogramma da −half a +half."""
    counts, _ = np.histogram(values, bins=bins, range=(-half, half))
    mean, variance = float(values.mean()), float(values.var(ddof=1))
    error = expected * np.sqrt((2 + 6 / d) / len(values))
    return {
        "mean": mean, "variance": variance, "expected": expected,
        "mean_error": float(np.sqrt(expected / len(values))), "variance_error": float(error),
        "off": float(abs(variance - expected) / error),
        "half": half, "counts": counts.tolist(), "outside": len(values) - int(counts.sum()),
    }  # fmt: skip


@functools.lru_cache(maxsize=4)
def _largest(seed, dimensions):
    """La media del coefficiente più grande per ogni d, senza e con ÷√d, e il suo errore standard."""
    rng = _streams(seed)[2]
    total, sums = np.zeros((QUERIES, KEYS)), []
    for low, high in _blocks(dimensions):
        # una query e le sue key, una componente per volta
        both = rng.standard_normal((high - low, QUERIES, 1 + KEYS), dtype=np.float32)
        total = total + np.einsum("cr,crs->rs", both[:, :, 0], both[:, :, 1:])
        sums.append(total)
    rows, roots = np.stack(sums), np.sqrt(np.array(dimensions, dtype=float))[:, None, None]
    tops = {"plain": softmax(rows).max(axis=-1), "scaled": softmax(rows / roots).max(axis=-1)}   # (n, righe)
    means = {way: top.mean(axis=-1) for way, top in tops.items()}
    errors = {way: top.std(axis=-1, ddof=1) / np.sqrt(QUERIES) for way, top in tops.items()}
    return means, errors


def _trend(values):
    """0: cresce verso 1; 1: resta circa com'è; 2: scende verso 1/8."""
    change = float(values[-1] - values[0])
    return 0 if change > 0.15 else 2 if change < -0.15 else 1


def _finding(d, measured):
    before, after = measured["plain"]["variance"], measured["scaled"]["variance"]
    return f"Con d = {d} la varianza di q·k è {_three(before)}; dopo aver diviso per √{d} è {_three(after)}"


def _sentences(d, root, measured, here):
    """Tre frasi: i prodotti, i prodotti divisi, la curva."""
    plain_, scaled = measured["plain"], measured["scaled"]
    return [
        f"q·k con d = {d}: {_compared(plain_, d)}",
        f"q·k ÷ √{d}, cioè ÷ {number(root, 2)}: {_compared(scaled, 1)}",
        f"Con d = {d} il coefficiente più grande fra {KEYS} key, in media su {QUERIES} righe, è "
        f"{number(here['plain'], 3)} ± {number(here['plain_error'], 3)} senza dividere e "
        f"{number(here['scaled'], 3)} ± {number(here['scaled_error'], 3)} dividendo per √d",
    ]


def _compared(found, expected):
    outside = found["outside"]
    some = f"; fuori dal disegno {outside} {'coppia' if outside == 1 else 'coppie'}" if outside else ""
    error = _three(found["variance_error"], found["variance"])
    return (
        f"media {number(found['mean'], 2)}, attesa 0 ± {number(found['mean_error'], 2)}; varianza "
        f"{_three(found['variance'])}, attesa {expected} ± {error}, l'errore standard: "
        f"lo scarto ne vale {number(found['off'], 1)}{some}"
    )


def _three(value, like=None):
    """Tre cifre significative, all'incirca, o le cifre decimali di `like`: 0,998; 4,05; 63,9; 512."""
    size = value if like is None else like
    return number(value, 3 if size < 1 else 2 if size < 10 else 1 if size < 100 else 0)


def summary(found):
    """Lo stato in parole, per chi non vede né il widget né la figura."""
    return "\n".join([f"{found['finding']}.", *(f"{line}." for line in found["sentences"])])

"""I soli prodotti fra matrici di uno strato: NumPy e PyTorch, stessi numeri, un thread.

python benchmarks/products.py: meno di un minuto. Per ciascuna delle quattro matrici (W_QKV, W_O, W_1, W_2)
si misurano l'andata e i due prodotti del ritorno, nella forma in cui li fa il motore: quanta parte della
differenza di un passo venga da lì lo controlla tests/project/test_figures.py.
"""

from __future__ import annotations

import common

common.in_clean_process()

import numpy as np  # noqa: E402
import torch  # noqa: E402
from training import SIZES  # noqa: E402

SECONDS = 15  # per caso


def matrices(d):
    """Le forme (d_in, d_out) delle quattro matrici di uno strato."""
    return [(d, 3 * d), (d, d), (d, 4 * d), (4 * d, d)]


def twelve(n, d):
    """Dodici coppie di funzioni (noi, PyTorch): x W, g Wᵀ e xᵀ g per ogni matrice, su n righe."""
    rng, pairs = np.random.default_rng(3), []
    for d_in, d_out in matrices(d):
        x, g, W = (rng.normal(size=s).astype(np.float32) for s in ((n, d_in), (n, d_out), (d_in, d_out)))
        for a, b in ((x, W), (g, W.T), (x.T, g)):
            pairs.append(_pair(a, b, np.empty((a.shape[0], b.shape[1]), np.float32)))
    return pairs


def _pair(a, b, out):
    t_a, t_b, t_out = (torch.from_numpy(array) for array in (a, b, out))
    return lambda: np.matmul(a, b, out=out), lambda: torch.mm(t_a, t_b, out=t_out)


def case(name):
    """Il tempo dei dodici prodotti, ciascuno il migliore, sommati."""
    size = SIZES[name]
    functions = [f for pair in twelve(size["B"] * size["T"], size["d"]) for f in pair]
    times = common.interleave(functions, 300, SECONDS)
    ours, peer = sum(times[::2]) * 1e3, sum(times[1::2]) * 1e3
    print(f"{name}: noi {ours:6.2f} ms, PyTorch {peer:6.2f}; rapporto {peer / ours:.2f}", flush=True)
    return {"case": name, **size, "threads": 1, "ours": ours, "peer": peer, "ratio": round(peer / ours, 3)}


if __name__ == "__main__":
    torch.set_num_threads(1)
    common.write("products", [case(name) for name in SIZES], unit="millisecondi")

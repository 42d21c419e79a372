"""Quanto costa l'attenzione al crescere di n: il tempo da n = 128 a 4096, e l'esponente che se ne ricava.

python benchmarks/attention.py: meno di un minuto. Una testa, d = 64, float32, un thread; PyTorch con la
stessa formula scritta con le sue operazioni, e con la sua funzione scaled_dot_product_attention.
"""

from __future__ import annotations

import math

import common

common.in_clean_process()

import numpy as np  # noqa: E402
import torch  # noqa: E402

from course_lib.learning import fused  # noqa: E402
from course_lib.transformer import scaled_dot_product_attention  # noqa: E402

FITTED_FROM = 512
LENGTHS = (128, 256, 512, 1024, 2048, 4096)
SECONDS = 5


def composed(q, k, v):
    """La formula, in PyTorch eager."""
    return torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]), dim=-1) @ v


def case(n):
    """Un n: la funzione del corso, quella fusa, le due di PyTorch."""
    rng = np.random.default_rng(0)
    Q, K, V = (rng.normal(size=(1, n, 64)).astype(np.float32) for _ in range(3))
    q, k, v = map(torch.from_numpy, (Q, K, V))
    plain, fast, peer, sdpa = common.interleave(
        [
            lambda: scaled_dot_product_attention(Q, K, V),
            lambda: fused.attention(Q, K, V, None),
            lambda: composed(q, k, v),
            lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v),
        ],
        50,
        SECONDS,
    )
    print(
        f"n = {n:4}: del corso {plain * 1e3:8.2f} ms, fusa {fast * 1e3:8.2f}, PyTorch {peer * 1e3:8.2f}, "
        f"la sua fusa {sdpa * 1e3:8.2f}; rapporto {peer / fast:.2f}",
        flush=True,
    )
    return {
        "case": n, "threads": 1, "plain": plain * 1e3, "ours": fast * 1e3, "peer": peer * 1e3,
        "peer_sdpa": sdpa * 1e3, "ratio": round(peer / fast, 3),
    }  # fmt: skip


def exponent(cases, key):
    """La pendenza di ln(tempo) su ln(n), da n = FITTED_FROM in su, dove i conti coprono il costo fisso."""
    kept = [c for c in cases if c["case"] >= FITTED_FROM]
    sizes, times = ([math.log(c[k]) for c in kept] for k in ("case", key))
    return round(float(np.polyfit(sizes, times, 1)[0]), 2)


if __name__ == "__main__":
    torch.set_num_threads(1)
    rows = [case(n) for n in LENGTHS]
    fitted = {key: exponent(rows, key) for key in ("plain", "ours", "peer")}
    print("esponenti:", fitted)
    common.write("attention", rows, unit="millisecondi", exponents=fitted, exponents_from=FITTED_FROM)

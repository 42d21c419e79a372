"""Generare un token alla volta con la cache: il nostro motore contro PyTorch eager, token al secondo.

python benchmarks/generation.py: meno di un minuto. Modelli dei casi A, B e C; un thread; decodifica greedy.
"""

from __future__ import annotations

import common

common.in_clean_process()

import numpy as np  # noqa: E402
import torch  # noqa: E402
from peer import TorchDecoder  # noqa: E402

from course_lib.learning.generation import generate  # noqa: E402
from course_lib.transformer.families import DecoderOnly  # noqa: E402

SIZES = {"A": (64, 2, 64), "B": (128, 2, 64), "C": (128, 4, 128)}  # d, strati, token generati
SECONDS = 12
PROMPT = [1, 2, 3, 4, 5, 6, 7, 8]


def peer_generate(model, n):
    """La stessa generazione, con key e value tenuti da parte."""
    with torch.inference_mode():
        cache, new, ids = [], torch.tensor(PROMPT), []
        for _ in range(n):
            token = model(new, cache)[-1].argmax()
            ids.append(int(token))
            new = token[None]
    return ids


def case(name):
    """Un caso, con la cache e senza."""
    d, layers, n = SIZES[name]
    model = DecoderOnly(60, d, 4, layers, rng=np.random.default_rng(1), dtype=np.float32)
    model.parameters()["W_out"][...] *= 100  # logit distanti: l'argmax non dipende dall'ultima cifra
    other = TorchDecoder(model)
    if generate(model, PROMPT, n, temperature=0) != peer_generate(other, n):
        raise SystemExit(f"{name}: i due testi non coincidono")
    ours, peer, uncached = common.interleave(
        [
            lambda: generate(model, PROMPT, n, temperature=0),
            lambda: peer_generate(other, n),
            lambda: generate(model, PROMPT, n, temperature=0, cache=False),
        ],
        100,
        SECONDS,
    )
    print(
        f"{name}: noi {n / ours:7.0f} token/s, PyTorch {n / peer:7.0f}, rapporto {peer / ours:.2f}; "
        f"senza cache {n / uncached:7.0f}",
        flush=True,
    )
    return {
        "case": name, "d": d, "layers": layers, "tokens": n, "threads": 1, "ours": round(n / ours),
        "peer": round(n / peer), "ratio": round(peer / ours, 3), "ours_without_cache": round(n / uncached),
    }  # fmt: skip


if __name__ == "__main__":
    torch.set_num_threads(1)
    common.write("generation", [case(name) for name in SIZES], unit="token al secondo")

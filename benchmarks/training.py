"""Addestrare: il nostro motore contro PyTorch eager, token al secondo, stesso modello e stesso lavoro.

python benchmarks/training.py [A] [B] [C]: meno di quattro minuti. I passi si alternano nello stesso processo
e di ciascuno conta il migliore. Vocabolario 60, 4 teste, GELU, AdamW, float32.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import common

common.in_clean_process()

import numpy as np  # noqa: E402
import torch  # noqa: E402
from peer import TorchDecoder  # noqa: E402

from course_lib.learning import losses  # noqa: E402
from course_lib.learning.autograd import Tensor  # noqa: E402
from course_lib.learning.optim import AdamW  # noqa: E402
from course_lib.learning.training import Trainer  # noqa: E402
from course_lib.transformer import ops as plain  # noqa: E402
from course_lib.transformer.families import DecoderOnly  # noqa: E402

SIZES = {
    "A": {"d": 64, "layers": 2, "T": 64, "B": 16},
    "B": {"d": 128, "layers": 2, "T": 64, "B": 32},
    "C": {"d": 128, "layers": 4, "T": 128, "B": 32},
}
V, HEADS, RATE = 60, 4, 1e-3
SECONDS = 24  # per caso


def decoder(size):
    """Il modello di partenza: lo stesso per tutti."""
    return DecoderOnly(V, size["d"], HEADS, size["layers"], rng=np.random.default_rng(1), dtype=np.float32)


def batch(size):
    """Un lotto di ID a caso: (inputs, targets), (B, T)."""
    ids = np.random.default_rng(2).integers(0, V, (size["B"], size["T"] + 1))
    return ids[:, :-1].copy(), ids[:, 1:].copy()


def case(name, threads):
    """Un caso: noi da soli o con un secondo processo, PyTorch con uno o due dei suoi thread."""
    size = SIZES[name]
    inputs, targets = batch(size)
    torch.set_num_threads(threads)
    ours = Trainer(decoder(size), AdamW(RATE), threads)
    peer = TorchDecoder(decoder(size))
    optimizer = peer.optimizer(RATE)
    t_inputs, t_targets = torch.from_numpy(inputs), torch.from_numpy(targets)
    for _ in range(3):  # si scalda, e si vede che è lo stesso lavoro
        a, b = ours.step(inputs, targets), peer.step(optimizer, t_inputs, t_targets)
        if abs(a - b) > 1e-3:
            raise SystemExit(f"{name}: le loss non coincidono, {a} e {b}")
    times = common.interleave(
        [lambda: ours.step(inputs, targets), lambda: peer.step(optimizer, t_inputs, t_targets)], 400, SECONDS
    )
    ours.close()
    return row(name, size, threads, *times)


def own_primitives(name):
    """Noi contro noi: un gradiente con le operazioni fuse (più il passo di AdamW) o con le elementari."""
    size = SIZES[name]
    inputs, targets = batch(size)
    fused = Trainer(decoder(size), AdamW(RATE))
    leaves = {k: Tensor(v, requires_grad=True) for k, v in decoder(size).parameters().items()}
    simple = decoder(size).using(parameters=leaves, ops=plain)
    one_hot = np.eye(V, dtype=np.float32)[targets]

    def plain_step():
        logits = simple(inputs)
        shifted = logits - np.max(logits, axis=-1, keepdims=True)
        log_p = shifted - np.log(np.sum(np.exp(shifted), axis=-1, keepdims=True))
        np.negative(np.sum(log_p * one_hot) / targets.size).backward()
        for leaf in leaves.values():
            leaf.grad = None

    reference = float(losses.cross_entropy(decoder(size)(inputs), targets))
    if abs(fused.step(inputs, targets) - reference) > 1e-3:
        raise SystemExit(f"{name}: la loss dei due modi non coincide")
    plain_step()
    times = common.interleave([lambda: fused.step(inputs, targets), plain_step], 200, SECONDS / 2)
    return row(f"{name}, fuse contro elementari", size, 1, *times)


def row(name, size, threads, ours, peer):
    """Una riga della tabella, stampata e da salvare."""
    tokens = size["B"] * size["T"]
    print(
        f"{name:28} lavoratori {threads}: noi {tokens / ours:9.0f} token/s, {ours * 1e3:7.2f} ms;"
        f" altri {tokens / peer:9.0f} token/s, {peer * 1e3:7.2f} ms; rapporto {peer / ours:.2f}",
        flush=True,
    )
    return {
        "case": name,
        **size,
        "threads": threads,
        "ours": round(tokens / ours),
        "peer": round(tokens / peer),
        "ratio": round(peer / ours, 3),
    }


def peak_memory(name):
    """La memoria che serve a ciascuno per venti passi, in un processo suo: (noi, altri), in MB.

    Librerie, modello e ottimizzatore, che ci sono già prima del primo passo, non si contano.
    """
    return tuple(
        float(subprocess.run([sys.executable, __file__, side, name], check=True, stdout=-1, text=True).stdout)
        for side in SIDES
    )


def _ours(size):
    trainer = Trainer(decoder(size), AdamW(RATE))
    return lambda: trainer.step(*batch(size))


def _peer(size):
    peer = TorchDecoder(decoder(size))
    optimizer = peer.optimizer(RATE)
    return lambda: peer.step(optimizer, *map(torch.from_numpy, batch(size)))


SIDES = {"--noi": _ours, "--altri": _peer}


def print_own_peak(side, name):
    """Nel processo figlio: fa venti passi e stampa di quanto è salita la memoria, in MB."""
    torch.set_num_threads(1)
    step, before = SIDES[side](SIZES[name]), resident_peak()
    for _ in range(20):
        step()
    print(resident_peak() - before)


def resident_peak():
    """La memoria più alta di questo processo finora, in MB; dove non si può leggere, 0.

    Non resource.getrusage: un processo appena nato vi trova il massimo di chi l'ha avviato.
    """
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0.0
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


def main(names):
    """Tutti i casi; il JSON si scrive soltanto se ci sono tutti."""
    cases = [case(name, threads) for threads in (1, 2) for name in names]
    cases.append(own_primitives(names[0]))
    for found in cases[: len(names)]:
        found["ours_peak_mb"], found["peer_peak_mb"] = map(round, peak_memory(found["case"]))
        print("{case}: memoria in più, noi {ours_peak_mb} MB, altri {peer_peak_mb} MB".format(**found))
    if names == list(SIZES):
        common.write("training", cases, unit="token al secondo")


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in SIDES:
        print_own_peak(*sys.argv[1:])
    else:
        main(sys.argv[1:] or list(SIZES))

"""Quanto dura ogni notebook, rieseguito e confrontato da nbval con ciò che sta in git.

python benchmarks/notebooks.py: una decina di minuti. I secondi comprendono l'avvio di pytest e del kernel.
"""

from __future__ import annotations

import re
import tempfile
import time
from pathlib import Path

import common

common.in_clean_process()

from tests.notebooks.test_nbval import NOTEBOOKS, nbval, summary  # noqa: E402


def run(path):
    """Riesegue un notebook con nbval in una cartella nuova; restituisce secondi e celle confrontate.

    Solleva RuntimeError se una cella mostra altro.
    """
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        done = nbval(path, Path(folder))
        seconds = time.perf_counter() - start
    if done.returncode != 0:
        raise RuntimeError(f"{path.name} non mostra le stesse cose:\n{done.stdout[-2000:]}")
    return seconds, int(re.search(r"(\d+) passed", summary(done))[1])


if __name__ == "__main__":
    cases = []
    for notebook in NOTEBOOKS:
        times = [run(notebook) for _ in range(3)]
        seconds, cells = min(times)
        print(f"{notebook.name}: {seconds:.1f} s, {cells} celle", flush=True)
        cases.append({"case": notebook.stem, "seconds": round(seconds, 1), "cells": cells})
    common.write("notebooks", cases, unit="secondi, il migliore di tre")

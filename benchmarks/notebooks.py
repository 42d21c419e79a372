"""Quanto dura ogni notebook, rieseguito e confrontato da nbval con ciò che sta in git.

python benchmarks/notebooks.py: un paio di minuti. I secondi comprendono l'avvio di pytest e del kernel.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import common

common.in_clean_process()

from course_lib.building.notebooks import kernel_environment  # noqa: E402

DATA = common.ROOT / "tests" / "notebooks" / "dati"


def run(path):
    """Riesegue un notebook con nbval in una cartella nuova; restituisce secondi e celle confrontate.

    Solleva RuntimeError se una cella mostra altro.
    """
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "notebook"
        for new in (place, Path(folder) / "ipython"):
            new.mkdir()
        shutil.copy(path, place)
        start = time.perf_counter()
        done = subprocess.run(
            [
                sys.executable, "-m", "pytest", "-q", "-c", str(DATA / "nbval.ini"), f"--rootdir={place}",
                "-p", "no:cacheprovider", "--nbval", "--nbval-current-env",
                "--nbval-sanitize-with", str(DATA / "nbval.cfg"), path.name,
            ],
            cwd=place, env=kernel_environment(Path(folder) / "ipython"),
            capture_output=True, text=True, encoding="utf-8",
        )  # fmt: skip
        seconds = time.perf_counter() - start
    if done.returncode != 0:
        raise RuntimeError(f"{path.name} non mostra le stesse cose:\n{done.stdout[-2000:]}")
    return seconds, int(re.search(r"(\d+) passed", done.stdout)[1])


if __name__ == "__main__":
    cases = []
    for notebook in sorted((common.ROOT / "notebooks").glob("*.ipynb")):
        times = [run(notebook) for _ in range(3)]
        seconds, cells = min(times)
        print(f"{notebook.name}: {seconds:.1f} s, {cells} celle")
        cases.append({"case": notebook.stem, "seconds": round(seconds, 1), "cells": cells})
    common.write("notebooks", cases, unit="secondi, il migliore di tre")

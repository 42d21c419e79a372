"""Quanto costa importare: course_lib.transformer rispetto a numpy, in processi nuovi e alternati.

python benchmarks/imports.py: meno di un minuto. Il rapporto è il tempo del corso diviso per quello di NumPy.
"""

from __future__ import annotations

import subprocess
import sys

import common

common.in_clean_process()

MODULES = ("numpy", "course_lib.transformer", "course_lib.learning.training")


def importing(module):
    """Avvia Python e importa module; restituisce una funzione da cronometrare."""
    command = [sys.executable, "-c", f"import {module}"]
    return lambda: subprocess.run(command, cwd=common.ROOT, check=True)


if __name__ == "__main__":
    nothing, *times = common.interleave(
        [importing("sys"), *(importing(module) for module in MODULES)], 25, 30
    )
    net = {module: seconds - nothing for module, seconds in zip(MODULES, times, strict=True)}
    cases = []
    for module in MODULES[1:]:
        ratio = net[module] / net["numpy"]
        print(f"{module}: {net[module] * 1e3:.0f} ms, numpy {net['numpy'] * 1e3:.0f}; rapporto {ratio:.2f}")
        cases.append(
            {
                "case": module,
                "threads": 1,
                "ours": round(net[module] * 1e3, 1),
                "peer": round(net["numpy"] * 1e3, 1),
                "ratio": round(ratio, 3),
            }
        )
    common.write("imports", cases, unit="millisecondi oltre l'avvio di Python")

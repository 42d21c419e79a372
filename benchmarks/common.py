"""Ciò che serve a ogni confronto: un processo con i thread fissati, tempi alternati, il risultato in JSON."""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = Path(__file__).resolve().parent / "results"
# impostazioni di OpenBLAS legate a una macchina: tolte insieme, e solo qui
_UNSET = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
_MARK = "CONFRONTO_IN_CORSO"


def in_clean_process():
    """Fa ripartire il comando con i thread di ogni libreria fissati a uno; nel nuovo processo torna subito.

    PyTorch riceve poi i suoi con torch.set_num_threads; noi, per due, abbiamo un secondo processo.
    """
    if os.environ.get(_MARK):
        sys.path.insert(0, str(ROOT))
        return
    environment = {k: v for k, v in os.environ.items() if k not in _UNSET}
    environment |= {k: "1" for k in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", _MARK)}
    sys.exit(subprocess.run([sys.executable, *sys.argv], env=environment).returncode)


def interleave(functions, rounds, seconds):
    """Chiama le funzioni a turno e tiene il tempo migliore di ciascuna.

    A ogni turno la prima chiamata non conta: l'altra parte ha appena lasciato la memoria vicina piena delle
    sue cose, e i suoi thread ancora svegli.

    rounds: quanti turni al massimo   seconds: quando smettere, almeno dopo cinque turni
    Restituisce: una lista di secondi, nell'ordine di functions.
    """
    best = [float("inf")] * len(functions)
    end = time.perf_counter() + seconds
    for turn in range(rounds):
        order = range(len(functions)) if turn % 2 else reversed(range(len(functions)))
        for i in order:
            functions[i]()
            start = time.perf_counter()
            functions[i]()
            best[i] = min(best[i], time.perf_counter() - start)
        if turn >= 4 and time.perf_counter() > end:
            break
    return best


def write(name, cases, **more):
    """Scrive benchmarks/results/NAME.json, e dice dove."""
    packages = ("numpy", "torch")
    versions = {"python": platform.python_version()}
    for package in packages:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = None
    content = {
        "date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d"),
        "machine": {"processor": processor(), "cores": os.cpu_count(), "system": platform.system()},
        "load_at_start": LOAD_AT_START,
        "versions": versions,
        **more,
        "cases": cases,
    }
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"scritto {path.relative_to(ROOT)} (carico della macchina all'inizio: {LOAD_AT_START})")


def processor():
    """Il nome del processore, per quanto lo si può sapere."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "?")


LOAD_AT_START = round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None

"""Quante persone regge un server: N utenti veri su JupyterHub, che eseguono insieme il notebook 4.

python benchmarks/hub.py: una decina di minuti, da amministratore (crea gli utenti e li toglie), con l'extra
hub installato. Tutto sta su 127.0.0.1. Si ferma da solo quando finiscono le persone chieste (--persone), la
memoria libera scende sotto --riserva MB o passano --minuti. La memoria è PSS: ciò che più processi
condividono si divide fra loro.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import sys
import threading
import time
from collections.abc import Coroutine, Iterable
from pathlib import Path

import common

common.in_clean_process()

import hub_client  # noqa: E402
import hub_figures  # noqa: E402
import psutil  # noqa: E402
from tornado.httpclient import HTTPError  # noqa: E402

from course_lib.cli.hub import expect_installed, find_proxy  # noqa: E402
from course_lib.hub import trial_users  # noqa: E402
from course_lib.hub.trial import Trial, running_trial  # noqa: E402

NOTEBOOK = "notebooks/04-maschera-causale.ipynb"
STEPS = (1, 2, 4, 8, 12, 16, 24, 32, 48, 64)
EVERY = 0.25  # secondi fra una lettura della memoria e la prossima
LOOP = asyncio.new_event_loop()
REST = 5.0  # secondi di quiete prima di leggere la memoria a riposo


class Watch:
    """La memoria di tutti i processi di alcune persone, letta mentre lavorano: il massimo, in MB."""

    def __init__(self, uids: set[int]) -> None:
        self.uids, self.peak, self.over = uids, 0.0, threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Watch:
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.over.set()
        self.thread.join()

    def _run(self) -> None:
        while not self.over.wait(EVERY):
            self.peak = max(self.peak, sum(memory(pid) for pid in processes(self.uids)))


def processes(uids: set[int]) -> dict[int, str]:
    """I processi di queste persone: «kernel» o «server»."""
    found = {}
    for process in psutil.process_iter(["uids", "cmdline"]):
        if process.info["uids"] and process.info["uids"].real in uids:
            words = " ".join(process.info["cmdline"] or ())
            found[process.pid] = "kernel" if "ipykernel" in words else "server"
    return found


def memory(pid: int) -> float:
    """PSS di un processo, in MB; 0 se è finito."""
    with contextlib.suppress(OSError):
        lines = Path("/proc", str(pid), "smaps_rollup").read_text(encoding="ascii").splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024 / 1e6
    return 0.0


def cpu(pids) -> float:
    """Secondi di calcolo usati finora da questi processi."""
    total = 0.0
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            times = psutil.Process(pid).cpu_times()
            total += times.user + times.system
    return total


def at_rest(uids: set[int]) -> dict[str, float]:
    """Memoria per persona, in MB, del server e del kernel, quando non lavora nessuno."""
    time.sleep(REST)
    sizes = {"server": 0.0, "kernel": 0.0}
    for pid, kind in processes(uids).items():
        sizes[kind] += memory(pid)
    return {kind: round(size / len(uids), 1) for kind, size in sizes.items()}


def hub_itself(trial: Trial) -> float:
    """Memoria dell'hub e del proxy, in MB."""
    above = psutil.Process(trial.hub.pid)
    ours = [above, *above.children(recursive=True)]
    return round(sum(memory(p.pid) for p in ours if p.uids().real == 0), 1)


def together(tasks: Iterable[Coroutine]) -> list:
    """Tutti nello stesso istante; i risultati nell'ordine. Il ciclo è uno: i websocket gli appartengono."""
    return LOOP.run_until_complete(hub_client.gathered(tasks))


class Classroom:
    """Le persone della prova, ciascuna con il suo server acceso."""

    def __init__(self, trial: Trial) -> None:
        self.trial, self.tag = trial, trial.settings.gruppo_studenti.rpartition("-")[2]
        self.pupils: list[hub_client.Pupil] = []
        self.uids: set[int] = set()

    def grow(self, count: int) -> dict[str, float]:
        """Fa entrare altre persone, finché sono count: quante, e quanto costa accendere i loro server."""
        new, before = [], cpu(processes(self.uids))
        for i in range(len(self.pupils), count):
            name, password = f"allievo{i:02d}-{self.tag}", trial_users.new_password()
            user = trial_users.add_user(
                name, self.trial.folder / "case", password, self.trial.settings.gruppo_studenti
            )
            self.uids.add(user.pw_uid)
            new.append(hub_client.Pupil(self.trial.settings.indirizzo, name, password))
        self.pupils += new
        start = time.perf_counter()
        together(pupil.enter() for pupil in new)
        seconds = time.perf_counter() - start
        used = cpu(processes(self.uids)) - before
        return {
            "started": len(new), "started_seconds": round(seconds, 1),
            "start_cpu_seconds": round(used / len(new), 2),
        }  # fmt: skip

    def home(self) -> float:
        """Quanto occupa la casa di una persona appena entrata, in MB."""
        folder = self.trial.home(self.pupils[0].name)
        return round(sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 1e6, 1)

    def leave(self) -> None:
        """Toglie gli utenti; i server li ferma chi ferma l'hub."""
        trial_users.remove([pupil.name for pupil in self.pupils], "")


def measure(room: Classroom, count: int, cells: list[str]) -> dict:
    """Una riga del risultato: count persone eseguono insieme tutte le celle, in kernel appena nati."""
    started = room.grow(count)
    pupils = room.pupils
    together(pupil.new_kernel() for pupil in pupils)
    rest = at_rest(room.uids)
    before = cpu(processes(room.uids))
    with Watch(room.uids) as watch:
        start = time.perf_counter()
        seconds = together(pupil.run(cells) for pupil in pupils)
        elapsed = time.perf_counter() - start
    used = cpu(processes(room.uids)) - before
    after = at_rest(room.uids)
    case = {
        "case": f"{count} insieme", "pupils": count, **started,
        "server_mb": after["server"], "kernel_empty_mb": rest["kernel"], "kernel_mb": after["kernel"],
        "peak_mb": round(watch.peak / count, 1), "cpu_seconds": round(used / count, 2),
        "median_seconds": round(statistics.median(seconds), 1), "slowest_seconds": round(max(seconds), 1),
        "elapsed_seconds": round(elapsed, 1), "hub_mb": hub_itself(room.trial),
        "free_mb": round(psutil.virtual_memory().available / 1e6),
    }  # fmt: skip
    together(pupil.end_kernel() for pupil in pupils)
    print(json.dumps(case, ensure_ascii=False), flush=True)
    return case


def code_cells() -> list[str]:
    """Le celle di codice del notebook, nell'ordine."""
    notebook = json.loads((common.ROOT / NOTEBOOK).read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def main() -> None:
    """Misura finché c'è posto e tempo, e scrive il risultato."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--persone", type=int, default=32, help="quante al massimo")
    parser.add_argument("--riserva", type=int, default=2_000, help="MB da lasciare liberi")
    parser.add_argument("--minuti", type=float, default=15)
    args = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("Questa misura crea utenti di sistema e li toglie: serve l'amministratore.")
    expect_installed(common.ROOT)
    cells, cases, why = code_cells(), [], "provate tutte le persone chieste"
    end = time.monotonic() + 60 * args.minuti
    with running_trial(common.ROOT, find_proxy(common.ROOT), 23_400) as trial:
        room = Classroom(trial)
        try:
            for count in (step for step in STEPS if step <= args.persone):
                try:
                    cases.append(measure(room, count, cells))
                except (RuntimeError, OSError, HTTPError) as error:  # ciò che si è misurato prima resta
                    print(trial.log.read_text("utf-8", "replace")[-4000:], file=sys.stderr)
                    why = f"con {count} insieme: {error}"[:200]
                    break
                if cases[-1]["free_mb"] < args.riserva + 4 * cases[-1]["peak_mb"]:
                    why = "memoria finita"
                    break
                if time.monotonic() > end:
                    why = "tempo finito"
                    break
            if not cases:
                sys.exit("Nulla da scrivere: già la prima misura non è riuscita.")
            home = room.home()
        finally:
            room.leave()
    figures = hub_figures.figures(cases, os.cpu_count())
    limits = {"memory_mb": trial.settings.memoria_mb, "cores": trial.settings.core}
    common.write(
        "hub", cases, unit="MB (PSS) e secondi, per persona", notebook=NOTEBOOK, cells=len(cells),
        stopped=why, limits_per_pupil=limits, home_mb=home, figures=figures,
        memory_of_the_machine_mb=round(psutil.virtual_memory().total / 1e6),
    )  # fmt: skip


if __name__ == "__main__":
    main()

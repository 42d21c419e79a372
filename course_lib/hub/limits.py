"""I limiti di una persona quando i server li avvia l'hub stesso: gruppi di controllo (cgroup) e rlimit.

Il gruppo conta insieme server, kernel e terminali. Se la memoria non basta, il nucleo uccide il processo che
ne tiene di più: il kernel. Dove un gruppo non si può creare restano gli rlimit; `missing` dice quali sono.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import time
from dataclasses import dataclass
from pathlib import Path

PREFIX = "corso-hub-"
CONTROLLERS = ("memory", "cpu", "pids")
PERIOD = 100_000  # microsecondi: l'intervallo in cui si conta il tempo di calcolo


@dataclass(frozen=True)
class Limits:
    """Quanto può usare una persona: byte di memoria, core, processi (thread compresi), byte di un file."""

    memory: int
    cores: float
    processes: int
    file_size: int


@dataclass(frozen=True)
class Place:
    """Dove si crea il gruppo per un controllore: la cartella di chi sta sopra e la versione (1 o 2)."""

    folder: Path
    version: int


def find_places(
    cgroup: Path = Path("/proc/self/cgroup"), mounts: Path = Path("/proc/self/mountinfo")
) -> dict:
    """Controllore -> Place, per quelli in cui questo processo può creare gruppi.

    Con la versione 2 valgono soltanto i controllori che qualcuno (systemd, con Delegate=) ci ha affidato.
    """
    own = {}
    for line in cgroup.read_text("utf-8").splitlines():
        _, names, path = line.split(":", 2)
        own |= dict.fromkeys(names.split(","), path)
    found: dict[str, Place] = {}
    for line in mounts.read_text("utf-8").splitlines():
        before, _, after = line.partition(" - ")
        root, point = before.split()[3:5]
        kind, options = after.split()[0], after.split()[2].split(",")
        if kind == "cgroup":
            for name in set(CONTROLLERS) & set(options):
                found[name] = Place(_below(point, own.get(name, "/"), root), 1)
        elif kind == "cgroup2":
            folder = _below(point, own.get("", "/"), root)
            with contextlib.suppress(OSError):
                entrusted = (folder / "cgroup.subtree_control").read_text("ascii").split()
                for name in set(CONTROLLERS) & set(entrusted):
                    found.setdefault(name, Place(folder, 2))
    return {name: place for name, place in found.items() if os.access(place.folder, os.W_OK)}


def _below(point: str, path: str, root: str) -> Path:
    below = os.path.relpath(path, root)
    return Path(point) if below.startswith("..") else Path(point) / below


class Fence:
    """I gruppi di una persona, uno per controllore."""

    def __init__(self, name: str, limits: Limits, places: dict[str, Place]) -> None:
        self.limits = limits
        self.folders = {
            key: (place.folder / f"{PREFIX}{name}", place.version) for key, place in places.items()
        }

    @property
    def missing(self) -> list[str]:
        """I controllori che qui non limitano nulla."""
        return [name for name in CONTROLLERS if name not in self.folders]

    def make(self) -> None:
        """Crea i gruppi e vi scrive i limiti; se ci sono già, aggiorna i limiti."""
        for name, (folder, version) in self.folders.items():
            folder.mkdir(exist_ok=True)
            for file, text, needed in self._files(name, version):
                if needed or (folder / file).exists():
                    (folder / file).write_text(text, "ascii")

    def _files(self, name: str, version: int) -> list[tuple[str, str, bool]]:
        limits = self.limits
        quota = str(int(limits.cores * PERIOD))
        return {
            ("memory", 1): [
                ("memory.limit_in_bytes", str(limits.memory), True),
                ("memory.memsw.limit_in_bytes", str(limits.memory), False),
            ],
            ("memory", 2): [("memory.max", str(limits.memory), True), ("memory.swap.max", "0", False)],
            ("cpu", 1): [("cpu.cfs_period_us", str(PERIOD), True), ("cpu.cfs_quota_us", quota, True)],
            ("cpu", 2): [("cpu.max", f"{quota} {PERIOD}", True)],
            ("pids", 1): [("pids.max", str(limits.processes), True)],
            ("pids", 2): [("pids.max", str(limits.processes), True)],
        }[name, version]

    def enter(self) -> None:
        """Mette questo processo nei gruppi e gli dà gli rlimit; va chiamata prima di cambiare utente."""
        for folder, _ in self.folders.values():
            (folder / "cgroup.procs").write_text("0", "ascii")
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.limits.file_size,) * 2)
        resource.setrlimit(resource.RLIMIT_NPROC, (self.limits.processes,) * 2)
        if "memory" not in self.folders:  # meglio di niente: ogni processo per sé
            resource.setrlimit(resource.RLIMIT_DATA, (self.limits.memory,) * 2)

    def close(self) -> None:
        """Uccide chi è rimasto e toglie i gruppi."""
        for folder, _ in self.folders.values():
            for _ in range(200):
                with contextlib.suppress(OSError, ValueError):
                    for pid in map(int, (folder / "cgroup.procs").read_text("ascii").split()):
                        os.kill(pid, signal.SIGKILL)
                try:
                    folder.rmdir()
                    break
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.01)


def remove_empty() -> None:
    """Toglie i gruppi rimasti vuoti: di server finiti da soli, o di un hub fermato di colpo."""
    for folder in {place.folder for place in find_places().values()}:
        for group in folder.glob(PREFIX + "*"):
            with contextlib.suppress(OSError):  # ha ancora processi
                group.rmdir()

"""La memoria di un box: un gruppo di controllo del nucleo (cgroup) dove si può, altrimenti un guardiano.

Il gruppo conta tutto: processi, memoria condivisa, file e cartelle di /tmp, tabelle del nucleo. Il guardiano
somma a intervalli ciò che si vede da fuori: per questo il filtro delle chiamate vieta la memoria condivisa
senza file, che non si vedrebbe.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from course_lib.grading.limits import Limits

TICK = 0.1  # ogni quanto il guardiano misura
SOCKET = 212_992  # byte che una presa può tenere nel nucleo (net.core.wmem_default)
INODE = 2_048  # byte del nucleo per ogni file o cartella in memoria, per eccesso
PREFIX = "corso-box-"
# se manca memoria a tutta la macchina il nucleo comincia dal box; poi si entra nel gruppo, e si è il comando
FIRST_TO_GO = "echo 1000 > /proc/self/oom_score_adj; "
JOIN = FIRST_TO_GO + 'echo 0 > "$1" || exit 125; shift; exec "$@"'
_numbers = itertools.count()


@dataclass(frozen=True)
class Parent:
    """Dove si creano i gruppi: la cartella e la versione di cgroup (1 o 2)."""

    folder: Path
    version: int


class Group:
    """Un gruppo di controllo per un box: nasce prima di lui e non gli sopravvive."""

    def __init__(self, parent: Parent, limits: Limits) -> None:
        self.version = parent.version
        name = f"{PREFIX}{os.getpid()}-{_started_at(os.getpid())}-{next(_numbers)}"
        self.folder = parent.folder / name
        self.folder.mkdir()
        try:
            for file, needed in _LIMIT_FILES[self.version]:
                if needed or (self.folder / file).exists():
                    (self.folder / file).write_text(_limit_for(file, limits), "ascii")
        except OSError:
            self.close()
            raise
        self.known = 0

    def prefix(self) -> list[str]:
        """Ciò che si mette davanti al comando del box, perché vi entri prima di cominciare."""
        return ["/bin/sh", "-c", JOIN, "box", str(self.folder / "cgroup.procs")]

    def attach(self, pid: int) -> None:
        """Il box è partito: qui non serve saperlo."""

    def forgive(self) -> None:
        """Una passata nuova non risponde di ciò che ha fatto quella di prima."""
        self.known = self._kills()

    def exceeded(self) -> bool:
        """Se il nucleo ha dovuto uccidere qualcosa nel gruppo, dall'ultima passata cominciata."""
        return self._kills() > self.known

    def peak(self) -> int:
        """Il massimo raggiunto, in byte; 0 se non si sa."""
        return _read_number(self.folder / ("memory.max_usage_in_bytes", "memory.peak")[self.version - 1])

    def _kills(self) -> int:
        try:
            file = ("memory.oom_control", "memory.events")[self.version - 1]
            text = (self.folder / file).read_text("ascii")
        except OSError:
            return 0
        return next((int(line.split()[1]) for line in text.splitlines() if line.startswith("oom_kill ")), 0)

    def close(self) -> None:
        """Uccide chi è rimasto e toglie il gruppo."""
        for _ in range(500):
            with contextlib.suppress(OSError, ValueError):
                for pid in map(int, (self.folder / "cgroup.procs").read_text("ascii").split()):
                    if pid > 0:
                        os.kill(pid, signal.SIGKILL)
            try:
                self.folder.rmdir()
                return
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.01)


class Watchdog:
    """Senza gruppi di controllo: ogni TICK secondi si somma ciò che da fuori si vede."""

    def __init__(self, limits: Limits) -> None:
        self.limits, self.pid, self.measured_at, self.most = limits, 0, 0.0, 0

    def prefix(self) -> list[str]:
        """Nessun gruppo in cui entrare."""
        return ["/bin/sh", "-c", FIRST_TO_GO + 'exec "$@"', "box"]

    def attach(self, pid: int) -> None:
        """pid: il processo avviato; il box sono i suoi discendenti."""
        self.pid = pid

    def forgive(self) -> None:
        """Conta solo ciò che c'è adesso."""

    def exceeded(self) -> bool:
        """Se adesso il box tiene più memoria del limite."""
        now = time.monotonic()
        if now - self.measured_at < TICK:
            return False
        self.measured_at = now
        used = self.used()
        self.most = max(self.most, used)
        return used > self.limits.memory

    def peak(self) -> int:
        """Il massimo misurato, in byte."""
        return self.most

    def used(self) -> int:
        """Byte dei processi (con le tabelle delle pagine), delle loro prese e dei file di /tmp nel box."""
        total, roots, sockets = 0, {}, 0
        with contextlib.suppress(psutil.Error):
            for process in psutil.Process(self.pid).children(recursive=True):
                total += _resident(process.pid)
                with contextlib.suppress(OSError):
                    room = Path("/proc", str(process.pid), "root", "tmp")
                    seen, inside = os.statvfs(room), os.stat(room).st_dev
                    if inside != _outside():
                        inodes = seen.f_files - seen.f_ffree
                        sockets = sockets or _sockets(process.pid)
                        roots[inside] = (seen.f_blocks - seen.f_bfree) * seen.f_frsize + inodes * INODE
        return total + sockets * SOCKET + (sum(roots.values()) if roots else self.limits.tmpfs)

    def close(self) -> None:
        """Nulla da togliere."""


def meter(limits: Limits, isolated: bool) -> Group | Watchdog:
    """Ciò che tiene d'occhio un box nuovo."""
    parent = find_parent() if isolated else None
    if parent is not None:
        with contextlib.suppress(OSError):
            return Group(parent, limits)
    return Watchdog(limits)


@functools.cache
def find_parent() -> Parent | None:
    """Dove si possono creare gruppi con un limite di memoria, provandolo; None se da nessuna parte."""
    for parent in candidates(Path("/proc/self/cgroup"), Path("/proc/self/mountinfo")):
        try:
            remove_stale(parent.folder)
            group = Group(parent, Limits())
        except OSError:
            continue
        try:
            with contextlib.suppress(OSError):
                done = os.spawnv(os.P_WAIT, "/bin/sh", [*group.prefix(), "/usr/bin/true"])
                if done == 0:
                    return parent
        finally:
            group.close()
    return None


def in_words() -> str:
    """Che cosa misura la memoria dei box su questa macchina, per `corso diagnosi`."""
    parent = find_parent()
    if parent is not None:
        return f"limitata dal nucleo (cgroup v{parent.version})"
    return "misurata dieci volte al secondo (cgroup non scrivibile)"


def candidates(cgroup: Path, mountinfo: Path) -> list[Parent]:
    """I posti da provare: il gruppo di questo processo; con la versione 2 anche quello che lo contiene.

    Nella versione 2 un gruppo con processi non può averne altri sotto di sé con un limite: vale quello
    di sopra, se il suo `cgroup.subtree_control` nomina la memoria.
    """
    own = {}
    for line in cgroup.read_text("utf-8").splitlines():
        _, controllers, path = line.split(":", 2)
        own[controllers] = path
    found = []
    for line in mountinfo.read_text("utf-8").splitlines():
        before, _, after = line.partition(" - ")
        root, place = before.split()[3:5]
        kind, options = after.split()[0], after.split()[2].split(",")
        path = own.get("") if kind == "cgroup2" else _with_memory(own)
        if path is None or not (kind == "cgroup2" or (kind == "cgroup" and "memory" in options)):
            continue
        below = os.path.relpath(path, root)
        folder = Path(place) if below.startswith("..") else Path(place) / below
        if kind == "cgroup":
            found.append(Parent(folder, 1))
            continue
        for place in (folder, folder.parent):
            with contextlib.suppress(OSError):
                if "memory" in (place / "cgroup.subtree_control").read_text("ascii").split():
                    found.append(Parent(place, 2))
    return sorted(found, key=lambda parent: parent.version)


def _with_memory(own: dict[str, str]) -> str | None:
    return next((path for names, path in own.items() if "memory" in names.split(",")), None)


def remove_stale(folder: Path) -> None:
    """Toglie i gruppi vuoti lasciati da chi correggeva ed è morto."""
    for group in folder.glob(PREFIX + "*"):
        with contextlib.suppress(OSError, ValueError):  # ha ancora processi: lo toglierà il prossimo
            pid, started = map(int, group.name.removeprefix(PREFIX).split("-")[:2])
            if _started_at(pid) != started:
                group.rmdir()


def clean_up() -> None:
    """Toglie i gruppi dei lavoratori che hanno finito, appena i loro box sono morti con loro."""
    parent = find_parent()
    for _ in range(100 if parent else 0):
        remove_stale(parent.folder)
        if all(_started_at(_owner(group)) for group in parent.folder.glob(PREFIX + "*")):
            return
        time.sleep(0.02)


def _owner(group: Path) -> int:
    try:
        return int(group.name.removeprefix(PREFIX).split("-")[0])
    except ValueError:
        return os.getpid()


_LIMIT_FILES = {
    1: (("memory.limit_in_bytes", True), ("memory.memsw.limit_in_bytes", False)),
    2: (("memory.max", True), ("memory.swap.max", False)),
}


def _limit_for(file: str, limits: Limits) -> str:
    return "0" if file == "memory.swap.max" else str(limits.memory)


def _started_at(pid: int) -> int:
    """L'istante in cui un processo è nato, nell'unità del nucleo; 0 se non c'è più."""
    try:
        text = Path("/proc", str(pid), "stat").read_text("utf-8", "replace")
        return int(text.rsplit(")", 1)[1].split()[19])
    except (OSError, IndexError, ValueError):
        return 0


def _read_number(path: Path) -> int:
    try:
        return int(path.read_text("ascii"))
    except (OSError, ValueError):
        return 0


def _resident(pid: int) -> int:
    """Byte residenti di un processo e delle sue tabelle delle pagine."""
    total = 0
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc", str(pid), "status").read_text("ascii", "replace").splitlines():
            if line.startswith(("VmRSS:", "VmPTE:")):
                total += int(line.split()[1]) * 1024
    return total


def _sockets(pid: int) -> int:
    """Quante prese AF_UNIX ci sono nella rete del processo, che è quella del box; 0 se non si può leggere."""
    with contextlib.suppress(OSError):
        return len(Path("/proc", str(pid), "net/unix").read_bytes().splitlines()) - 1
    return 0


@functools.cache
def _outside() -> int:
    return os.stat("/tmp").st_dev if os.path.isdir("/tmp") else -1

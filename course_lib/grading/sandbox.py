"""Come si avvia un box: bubblewrap da amministratore, bubblewrap da utente, oppure niente (dichiarato)."""

from __future__ import annotations

import contextlib
import functools
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from dataclasses import dataclass
from pathlib import Path

from course_lib.grading import seccomp, uids
from course_lib.grading.limits import Limits
from course_lib.project import CorsoError, project_root

INSIDE = Path(__file__).parent / "inside"
BOX_LIBRARY = (
    "/corso"  # nel box: corso_box (questa cartella `inside`) e quel che l'esercizio offre di course_lib
)


@dataclass(frozen=True)
class Isolation:
    """Che cosa protegge il resto della macchina dal codice dell'allievo: "root", "user" o "none"."""

    kind: str

    @property
    def real(self) -> bool:
        """Se c'è davvero un isolamento."""
        return self.kind != "none"


@functools.cache
def find_isolation() -> Isolation:
    """L'isolamento che questa macchina sa dare, provandolo. Solleva CorsoError se non c'è bubblewrap."""
    if shutil.which("bwrap") is None:
        raise CorsoError(
            "Per correggere serve bubblewrap, che tiene il codice degli allievi lontano da questa macchina, "
            "e non lo trovo: installalo (su Debian e Ubuntu: «sudo apt install bubblewrap»), oppure aggiungi "
            "--senza-isolamento se ti fidi di ogni consegna."
        )
    if seccomp.program() is None:
        raise CorsoError(
            "Il filtro che tiene il codice degli allievi lontano dal nucleo di Linux è fatto per processori "
            f"{' e '.join(seccomp.ARCHITECTURES)}, e questo è {platform.machine() or 'sconosciuto'}: "
            "correggi su una macchina di quei tipi, oppure aggiungi --senza-isolamento "
            "se ti fidi di ogni consegna."
        )
    isolation = Isolation("root" if os.geteuid() == 0 else "user")
    with contextlib.closing(lease_uid(isolation)) as lease:
        probe = [
            *_bwrap(isolation, Limits(), lease.uid),
            *_inside_command(isolation, Limits(), lease.uid),
            "/usr/bin/true",
        ]
        tried = subprocess.run(probe, capture_output=True, text=True, check=False, timeout=30)
    if tried.returncode != 0:
        raise CorsoError(
            "bubblewrap c'è ma qui non riesce a isolare "
            f"(«{tried.stderr.strip().splitlines()[-1] if tried.stderr.strip() else 'nessun messaggio'}»): "
            "abilita gli spazi dei nomi per gli utenti, oppure aggiungi --senza-isolamento "
            "se ti fidi di ogni consegna."
        )
    return isolation


def lease_uid(isolation: Isolation, hint: int = 0) -> uids.Lease:
    """L'uid del box: da amministratore uno vero e di nessun altro, da utente uno che esiste solo nel box."""
    return uids.take(hint) if isolation.kind == "root" else uids.Lease(uids.FIRST_UID)


def box_command(
    isolation: Isolation,
    limits: Limits,
    modules: tuple[str, ...],
    preload: list[str],
    fds: tuple[int, int],
    uid: int,
    filter_fd: int | None = None,
) -> list[str]:
    """La riga di comando del capostipite del box.

    modules: moduli di course_lib offerti all'allievo   preload: moduli caricati prima di generare i processi
    fds: descrittori del filo dell'allievo (lettura, scrittura)   uid: quello del box
    filter_fd: da dove bwrap legge il filtro delle chiamate di sistema
    """
    python = [sys.executable, "-s", "-P", "-X", "utf8", "-c", _BOOT, _library(isolation), *map(str, fds)]
    python += ["isolato" if isolation.real else "nudo", *preload]
    if not isolation.real:
        return python
    binds = _library_binds(modules)
    binds += ["--seccomp", str(filter_fd)] if filter_fd is not None else []
    return [*_bwrap(isolation, limits, uid), *binds, *_inside_command(isolation, limits, uid), *python]


def system_call_filter(isolation: Isolation) -> int | None:
    """Un descrittore da cui bwrap legge il filtro; None se non c'è isolamento."""
    if not isolation.real:
        return None
    code = seccomp.program()
    if code is None:
        raise CorsoError("Su questo processore il box non ha il suo filtro: non si corregge.")
    read, write = os.pipe()
    os.write(write, code)
    os.close(write)
    return read


_BOOT = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); sys.argv[0] = 'box'; "
    "from corso_box.server import main; main()"
)


def _library(isolation: Isolation) -> str:
    return BOX_LIBRARY if isolation.real else str(_bare_place()[0])


def _bwrap(isolation: Isolation, limits: Limits, uid: int) -> list[str]:
    command = ["bwrap", "--die-with-parent", "--new-session", "--as-pid-1", "--clearenv"]
    if isolation.kind == "root":
        command += [
            "--unshare-pid",
            "--unshare-net",
            "--unshare-ipc",
            "--unshare-uts",
            "--unshare-cgroup-try",
        ]
        command += ["--cap-drop", "ALL"]
        for capability in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
            command += ["--cap-add", capability]
    else:
        command += ["--unshare-all", "--uid", str(uid), "--gid", str(uid)]
    command += ["--hostname", "box", "--proc", "/proc", "--dev", "/dev"]
    command += ["--dev-bind", "/dev/null", "/dev/zero"]  # mappato sarebbe memoria che non si conta
    command += ["--size", str(limits.tmpfs), "--perms", "1777", "--tmpfs", "/tmp"]
    shown, hidden = _system_folders(), _course_folders()
    for folder in sorted({*shown, *hidden}, key=lambda f: len(f.parts)):
        if folder in shown:  # dopo /tmp: il corso stesso può trovarsi là sotto
            command += _bind(folder)
        elif any(folder.is_relative_to(other) for other in shown):
            command += ["--size", "4096", "--perms", "0755", "--tmpfs", str(folder)]
    command += ["--perms", "0777", "--dir", "/tmp/lavoro", "--chdir", "/tmp/lavoro"]
    command += ["--perms", "0777", "--dir", "/tmp/mpl"]
    for name, value in box_environment().items():
        command += ["--setenv", name, value]
    return command


def box_environment() -> dict[str, str]:
    """Le sole variabili d'ambiente del box."""
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": "/tmp/lavoro",
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "IPYTHONDIR": "/tmp/lavoro/.ipython",
        "MPLCONFIGDIR": "/tmp/mpl",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    }


def _system_folders() -> list[Path]:
    """Sistema, interprete e ambiente: le sole cartelle che il box vede, in sola lettura."""
    folders = [Path("/usr"), Path("/etc/ld.so.cache"), Path("/etc/alternatives")]
    folders += [Path(p) for p in {sys.base_prefix, sys.prefix} if not Path(p).is_relative_to("/usr")]
    packages = Path(sysconfig.get_path("purelib"))
    folders += [] if any(packages.is_relative_to(f) for f in folders) else [packages]
    return sorted((f for f in folders if f.exists()), key=lambda f: len(f.parts))


def _course_folders() -> list[Path]:
    """Il corso e la sua biblioteca installata: se stanno in una cartella che il box vede, si coprono."""
    packages = {Path(sysconfig.get_path(name)) for name in ("purelib", "platlib")}
    return [f for f in (project_root(), *(p / "course_lib" for p in packages)) if f.is_dir()]


def _bind(folder: Path, target: str | None = None) -> list[str]:
    """Monta in sola lettura; i genitori, creati qui, restano attraversabili da chiunque."""
    target = target or str(folder)
    command = []
    for parent in reversed(Path(target).parents):
        if parent != Path("/") and not parent.is_relative_to("/usr"):
            command += ["--perms", "0755", "--dir", str(parent)]
    return [*command, "--ro-bind", str(folder), target]


def _inside_command(isolation: Isolation, limits: Limits, uid: int) -> list[str]:
    links = []
    for name in ("bin", "sbin", "lib", "lib64", "lib32"):
        if Path("/", name).is_symlink():
            links += ["--symlink", f"usr/{name}", f"/{name}"]
        elif Path("/", name).is_dir():
            links += ["--ro-bind", f"/{name}", f"/{name}"]
    command = [*links, "--remount-ro", "/", "--remount-ro", "/dev", "--"]
    if isolation.kind == "root":
        command += ["setpriv", "--reuid", str(uid), "--regid", str(uid), "--clear-groups", "--inh-caps=-all"]
        command += ["--bounding-set=-all", "--no-new-privs"]
    return [
        *command, "prlimit", f"--as={limits.address_space}", f"--cpu={limits.cpu_seconds}",
        f"--nproc={limits.processes}", f"--fsize={limits.file_size}", f"--nofile={limits.open_files}",
        "--core=0",
    ]  # fmt: skip


def _library_binds(modules: tuple[str, ...]) -> list[str]:
    """Quel che il box offre sotto /corso: il suo motore e i soli moduli che l'esercizio nomina."""
    binds = []
    for source, target in _library_files(modules):
        binds += _bind(source, f"{BOX_LIBRARY}/{target}")
    fonts = font_cache()
    return [*binds, "--ro-bind", str(fonts), f"/tmp/mpl/{fonts.name}"] if fonts else binds


def _library_files(modules: tuple[str, ...]) -> list[tuple[Path, str]]:
    files = [
        (INSIDE / f"{name}.py", f"corso_box/{name}.py")
        for name in ("__init__", "wire", "values", "recorder", "pupil", "server")
    ]
    library = project_root() / "course_lib"
    stub = Path(__file__).parent / "offered"
    files += [(stub / "__init__.py", "course_lib/__init__.py"), (stub / "checks.py", "course_lib/checks.py")]
    for module in modules:
        parts = module.split(".")[1:]
        for depth in range(1, len(parts)):
            files.append((stub / "__init__.py", "course_lib/" + "/".join(parts[:depth]) + "/__init__.py"))
        files.append((library.joinpath(*parts).with_suffix(".py"), "course_lib/" + "/".join(parts) + ".py"))
    missing = [str(source) for source, _ in files if not source.is_file()]
    if missing:
        raise CorsoError(f"L'esercizio offre nel box moduli che non esistono: {', '.join(missing)}.")
    return list(dict.fromkeys(files))


@functools.cache
def _bare_place() -> tuple[Path, subprocess.Popen]:
    """Senza isolamento: una cartella temporanea, e chi la toglie quando questo processo non c'è più.

    Ci pensa un altro processo, che aspetta la fine del filo: un lavoratore finisce ucciso, e di sé non
    toglie nulla.
    """
    folder = Path(tempfile.mkdtemp(prefix="corso-nudo-"))
    remove = 'read -r _; chmod -R u+rwX "$0"; rm -rf "$0"'
    waiting = subprocess.Popen(
        ["/bin/sh", "-c", remove, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, cwd="/", start_new_session=True,
    )  # fmt: skip
    return folder, waiting


def bare_environment() -> dict[str, str]:
    """Senza isolamento: l'ambiente di chi corregge, con i file temporanei nella cartella che si toglie."""
    return {**os.environ, **box_environment(), "TMPDIR": str(_bare_place()[0])}


def fill_bare_library(modules: tuple[str, ...]) -> None:
    """Copia nella cartella temporanea quel che l'esercizio offre."""
    for source, target in _library_files(modules):
        place = _bare_place()[0] / target
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, place)


@functools.cache
def font_cache() -> Path | None:
    """L'elenco dei caratteri di matplotlib, calcolato una volta: nel box sarebbe rifatto a ogni avvio."""
    script = (
        "import matplotlib as m, matplotlib.font_manager as f; "
        "print(m.get_cachedir(), f.FontManager.__version__, sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=False)
    lines = done.stdout.split("\n")
    path = Path(lines[0], f"fontlist-v{lines[1]}.json") if done.returncode == 0 and len(lines) > 1 else None
    return path if path and path.is_file() else None
